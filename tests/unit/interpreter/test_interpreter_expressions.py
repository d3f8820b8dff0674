"""Expressions, node by node, on typed trees built by hand."""

from __future__ import annotations

import math

import pytest

from ggp.faults import LimitExceeded, RulesFault
from ggp.language import typed
from ggp.language.evaluation.expressions import evaluate
from ggp.language.evaluation.scope import Scope
from ggp.language.text.source import Span
from ggp.language.typed import Expression, Symbol, Value
from ggp.language.typed.types import BOOL, DIRECTION, ArrayType, CellType, IntType, OptionType, RealType, SetType, Type

SPAN = Span(1, 1, 1, 2)
DIGIT = IntType(1, 5)
WIDE = IntType(-100, 100)
DIGITS = SetType(DIGIT)
REAL = RealType(-1e9, 1e9)
BOARD = CellType("cell", 4, 3)
CELLS = SetType(BOARD)
NORTH, NORTHEAST, EAST, SOUTHEAST, SOUTH, SOUTHWEST, WEST, NORTHWEST = range(8)


def const(value: Value, type_: Type = WIDE) -> typed.Constant:
    return typed.Constant(value, type_, SPAN)


def digits(*codes: int) -> typed.Constant:
    return const(frozenset(codes), DIGITS)


def cells(*codes: int) -> typed.Constant:
    return const(frozenset(codes), CELLS)


def symbol(name: str, type_: Type = DIGIT) -> Symbol:
    return Symbol(name, type_, "bound", SPAN)


def local(of: Symbol) -> typed.Local:
    return typed.Local(of, of.type, SPAN)


def binary(operator: typed.BinaryOperator, left: Expression, right: Expression, type_: Type = WIDE) -> typed.Binary:
    return typed.Binary(operator, left, right, type_, SPAN)


def value_of(expression: Expression) -> Value:
    return evaluate(expression, Scope({}))


BROKEN = typed.Unwrap(const(None, OptionType(WIDE)), "nothing here", WIDE, SPAN)
"""Fails when evaluated."""


@pytest.mark.parametrize(
    ("operator", "left", "right", "expected"),
    [
        ("add", 3, 4, 7),
        ("subtract", 3, 4, -1),
        ("multiply", -3, 4, -12),
        ("div", -7, 2, -4),
        ("mod", -7, 2, 1),
        ("div", 7, -2, -4),
        ("mod", 7, -2, -1),
        ("minimum", 3, 4, 3),
        ("maximum", 3, 4, 4),
        ("equal", 3, 3, 1),
        ("equal", 3, None, 0),
        ("unequal", None, None, 0),
        ("less", 3, 3, 0),
        ("less_equal", 3, 3, 1),
        ("greater", 4, 3, 1),
        ("greater_equal", 2, 3, 0),
        ("divide", 1.0, 4.0, 0.25),
        ("divide", 1.0, 0.0, 0.0),
        ("power", 2.0, -1.0, 0.5),
        ("power", 0.0, -1.0, 0.0),
        ("power", -8.0, 0.5, 0.0),
    ],
)
def test_binary(operator: typed.BinaryOperator, left: Value, right: Value, expected: Value) -> None:
    assert value_of(binary(operator, const(left), const(right))) == expected


@pytest.mark.parametrize(
    ("operator", "operand", "expected"),
    [
        ("not", 1, 0),
        ("negate", 3, -3),
        ("absolute", -3, 3),
        ("sign", -3, -1),
        ("sign", 0, 0),
        ("is_none", None, 1),
        ("is_none", 0, 0),
        ("sqrt", -1.0, 0.0),
        ("sqrt", 9.0, 3.0),
        ("log", 0.0, 0.0),
        ("log", math.e, 1.0),
        ("exp", 1000.0, math.inf),
        ("tanh", 0.5, math.tanh(0.5)),
    ],
)
def test_unary(operator: typed.UnaryOperator, operand: Value, expected: Value) -> None:
    assert value_of(typed.Unary(operator, const(operand), WIDE, SPAN)) == expected


def test_real_turns_an_integer_into_a_float() -> None:
    assert isinstance(value_of(typed.Unary("real", const(2), REAL, SPAN)), float)


def test_and_or_leave_out_the_right_side_where_the_left_decides() -> None:
    assert value_of(binary("and", const(0), BROKEN)) == 0
    assert value_of(binary("or", const(1), BROKEN)) == 1
    assert value_of(binary("and", const(1), const(1))) == 1
    assert value_of(binary("or", const(0), const(0))) == 0


def test_only_the_branch_taken_is_evaluated() -> None:
    assert value_of(typed.If(const(1), const(5), BROKEN, WIDE, SPAN)) == 5
    assert value_of(typed.If(const(0), BROKEN, const(6), WIDE, SPAN)) == 6


@pytest.mark.parametrize(
    ("expression", "kind", "value"),
    [
        (BROKEN, "is_none", None),
        (typed.Guard(const(6), "`x` takes 1..5", DIGIT, SPAN), "out_of_range", "6"),
        (binary("div", const(1), const(0)), "division_by_zero", None),
        (binary("mod", const(1), const(0)), "division_by_zero", None),
        (typed.SetFold("minimum", digits(), DIGIT, SPAN), "empty", None),
        (typed.SetFold("maximum", digits(), DIGIT, SPAN), "empty", None),
    ],
)
def test_faults_tell_kind_place_and_value(expression: Expression, kind: str, value: str | None) -> None:
    with pytest.raises(RulesFault) as caught:
        value_of(expression)
    assert (caught.value.kind, caught.value.span, caught.value.value) == (kind, SPAN, value)


def test_guards_let_through_what_fits() -> None:
    assert value_of(typed.Guard(const(5), "", DIGIT, SPAN)) == 5
    assert value_of(typed.Guard(const(1), "", DIGIT, SPAN)) == 1


def test_arrays_are_row_major() -> None:
    type_ = ArrayType((IntType(1, 2), IntType(0, 2)), WIDE)
    table = typed.Table("t", type_, (10, 11, 12, 20, 21, 22), SPAN)
    assert value_of(typed.TableRead(table, (const(2), const(1)), WIDE, SPAN)) == 21
    assert value_of(typed.TableRead(table, (), type_, SPAN)) == table.values
    whole = typed.Constant(tuple(range(6)), type_, SPAN)
    assert value_of(typed.Index(whole, (const(1), const(2)), WIDE, SPAN)) == 2


def test_state_reads() -> None:
    type_ = ArrayType((DIGIT,), DIGITS)
    variable = typed.Variable("hand", type_, (frozenset(),) * 5, SPAN)
    scope = Scope({variable: tuple(frozenset({code}) for code in range(1, 6))})
    assert evaluate(typed.StateRead(variable, (const(4),), DIGITS, SPAN), scope) == frozenset({4})


@pytest.mark.parametrize(("operator", "expected"), [("union", {1, 2, 3}), ("difference", {1}), ("intersection", {2})])
def test_set_operations(operator: str, expected: set[int]) -> None:
    node = typed.SetOperation(operator, digits(1, 2), digits(2, 3), DIGITS, SPAN)  # type: ignore[arg-type]
    assert value_of(node) == expected


def test_member_of_none_and_of_values_outside_is_no() -> None:
    assert value_of(typed.Member(const(2), digits(2), BOOL, SPAN)) == 1
    assert value_of(typed.Member(const(None), digits(2), BOOL, SPAN)) == 0
    assert value_of(typed.Member(const(77), digits(2), BOOL, SPAN)) == 0


def test_subset() -> None:
    assert value_of(typed.Subset(digits(2), digits(2, 3), BOOL, SPAN)) == 1
    assert value_of(typed.Subset(digits(2, 4), digits(2, 3), BOOL, SPAN)) == 0


def test_set_literals_leave_out_none() -> None:
    assert value_of(typed.SetLiteral((const(3), const(None), const(1)), DIGITS, SPAN)) == frozenset({1, 3})


@pytest.mark.parametrize(("kind", "expected"), [("count", 3), ("sum", 8), ("minimum", 1), ("maximum", 4)])
def test_set_folds(kind: str, expected: int) -> None:
    assert value_of(typed.SetFold(kind, digits(4, 3, 1), WIDE, SPAN)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "bound", "expected"),
    [("all", 5, 1), ("all", 4, 0), ("any", 1, 1), ("any", 0, 0), ("no", 0, 1), ("no", 1, 0)],
)
def test_quantifiers(kind: str, bound: int, expected: int) -> None:
    x = symbol("x")
    body = binary("less_equal", local(x), const(bound), BOOL)
    node = typed.Quantifier(kind, (typed.Binder(x, DIGIT),), body, BOOL, SPAN)  # type: ignore[arg-type]
    assert value_of(node) == expected


def test_quantifiers_stop_where_the_answer_is_known() -> None:
    x = symbol("x")
    binders = (typed.Binder(x, DIGIT),)
    fails_at_3 = typed.If(binary("less", local(x), const(3), BOOL), const(1), BROKEN, BOOL, SPAN)
    assert value_of(typed.Quantifier("any", binders, fails_at_3, BOOL, SPAN)) == 1
    with pytest.raises(RulesFault):
        value_of(typed.Quantifier("all", binders, fails_at_3, BOOL, SPAN))


def test_later_binders_read_earlier_ones() -> None:
    x, y = symbol("x"), symbol("y")
    binders = (typed.Binder(x, digits(2, 4)), typed.Binder(y, (const(1), local(x))))
    product = binary("multiply", local(x), local(y))
    pairs = [(2, 1), (2, 2), (4, 1), (4, 2), (4, 3), (4, 4)]
    assert value_of(typed.Aggregate("sum", binders, None, product, WIDE, SPAN)) == sum(a * b for a, b in pairs)
    odd = binary("equal", binary("mod", local(y), const(2)), const(1), BOOL)
    assert value_of(typed.Aggregate("count", binders, None, odd, WIDE, SPAN)) == 3
    assert value_of(typed.Aggregate("maximum", binders, odd, product, WIDE, SPAN)) == 12
    assert value_of(typed.Aggregate("minimum", binders, odd, product, WIDE, SPAN)) == 2
    assert value_of(typed.Comprehension(binders, odd, local(y), DIGITS, SPAN)) == frozenset({1, 3})


def test_aggregates_over_nothing() -> None:
    nothing = (typed.Binder(symbol("x"), digits()),)
    assert value_of(typed.Aggregate("sum", nothing, None, const(1), WIDE, SPAN)) == 0
    assert value_of(typed.Aggregate("count", nothing, None, const(1), WIDE, SPAN)) == 0
    with pytest.raises(RulesFault, match="minimum of nothing"):
        value_of(typed.Aggregate("minimum", nothing, None, const(1), WIDE, SPAN))


@pytest.mark.parametrize(
    ("cell", "direction", "times", "expected"),
    [
        (0, NORTH, 1, 4),
        (0, NORTHEAST, 2, 10),
        (0, WEST, 1, None),
        (3, EAST, 1, None),
        (5, EAST, -1, 4),
        (5, SOUTHEAST, -1, 8),
        (11, NORTH, 1, None),
        (None, NORTH, 1, None),
        (5, NORTHWEST, 0, 5),
    ],
)
def test_cell_steps(cell: int | None, direction: int, times: int, expected: int | None) -> None:
    node = typed.CellStep(const(cell, BOARD), const(direction, DIRECTION), const(times), OptionType(BOARD), SPAN)
    assert value_of(node) == expected


def test_set_steps_drop_what_leaves_the_board() -> None:
    node = typed.SetStep(cells(2, 3, 4), const(EAST, DIRECTION), const(1), CELLS, SPAN)
    assert value_of(node) == frozenset({3, 5})


def test_coordinates_count_from_1() -> None:
    assert value_of(typed.CellCoordinate(const(6, BOARD), "x", WIDE, SPAN)) == 3
    assert value_of(typed.CellCoordinate(const(6, BOARD), "y", WIDE, SPAN)) == 2
    assert value_of(typed.CellAt(const(3), const(2), BOARD, SPAN)) == 6


def test_reach_on_a_board() -> None:
    # row 2: ....   row 1: .##.   row 0: s#..   (s the source, # not in `through`)
    through = cells(2, 3, 4, 7, 8, 9, 10, 11)
    steps = const(frozenset({NORTH, EAST, SOUTH, WEST}), SetType(DIRECTION))
    reached = typed.Reach("reach", cells(0), through, steps, CELLS, SPAN)
    assert value_of(reached) == frozenset({0, 2, 3, 4, 7, 8, 9, 10, 11})
    distance = typed.Reach("distance", cells(0), through, steps, ArrayType((BOARD,), IntType(0, 12)), SPAN)
    assert value_of(distance) == (0, 12, 8, 7, 1, 12, 12, 6, 2, 3, 4, 5)


def test_reach_on_a_graph_follows_arrows() -> None:
    arrows = (frozenset({2}), frozenset({3}), frozenset({1, 5}), frozenset({5}), frozenset())
    steps = const(arrows, ArrayType((DIGIT,), DIGITS))
    reached = typed.Reach("reach", digits(4, 2), digits(1, 2, 3, 5), steps, DIGITS, SPAN)
    assert value_of(reached) == frozenset({1, 2, 3, 4, 5})
    blocked = typed.Reach("reach", digits(2), digits(1, 2, 5), steps, DIGITS, SPAN)
    assert value_of(blocked) == frozenset({2})


def test_calls_bind_arguments_and_nest() -> None:
    x = symbol("x", WIDE)
    double = typed.Function("double", (x,), binary("add", local(x), local(x)), WIDE, False, None, SPAN)

    def doubled(argument: Expression) -> Expression:
        return typed.Call(double, (argument,), WIDE, SPAN)

    assert value_of(binary("subtract", doubled(doubled(const(3))), doubled(const(1)))) == 10


def test_chains_of_definitions_do_not_explode() -> None:
    body: Expression = const(1)
    for depth in range(60):
        function = typed.Function(f"f{depth}", (), body, WIDE, True, None, SPAN)
        call = typed.Call(function, (), WIDE, SPAN)
        body = binary("add", call, call)
    assert evaluate(body, Scope({}, work_limit=1000)) == 2**60


def test_work_is_limited() -> None:
    binders = tuple(typed.Binder(symbol(f"x{place}"), DIGIT) for place in range(10))
    with pytest.raises(LimitExceeded):
        evaluate(typed.Aggregate("count", binders, None, const(1), WIDE, SPAN), Scope({}, work_limit=1000))


def test_functions_of_choices_are_evaluated_anew_while_choices_are_tried() -> None:
    choice = symbol("choice")
    function = typed.Function("f", (), local(choice), DIGIT, True, "place", SPAN)
    scope = Scope({}, settled=False)
    for code in (1, 2):
        scope.symbols[choice] = code
        assert evaluate(typed.Call(function, (), DIGIT, SPAN), scope) == code


def test_hash_is_fixed() -> None:
    values = [value_of(typed.Hash((const(1), const(place)), 10, WIDE, SPAN)) for place in range(8)]
    assert values == [value_of(typed.Hash((const(1), const(place)), 10, WIDE, SPAN)) for place in range(8)]
    assert len(set(values)) > 3
    assert all(isinstance(value, int) and 0 <= value < 10 for value in values)
