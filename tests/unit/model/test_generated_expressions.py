"""Every kind of expression, generated and run as plain Python and natively, against the interpreter."""

from __future__ import annotations

import itertools
import random
from unittest.mock import Mock

import pytest
from expression_games import (
    BOARDS,
    INTEGER,
    REAL,
    SPAN,
    const,
    expression_game,
    integer,
    operation,
    random_set,
    read,
    variable,
)
from native_calls import NativeCalls

from ggp.language import typed
from ggp.language.typed.types import (
    BOOL,
    DIRECTION,
    ArrayType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    SetType,
    Type,
    size,
)
from ggp.model.generate.arithmetic import equality
from ggp.model.generate.builder import Builder
from ggp.model.generate.operands import Bits
from ggp.model.ir.nodes import Constant, Expression, Kind, Name, Operation
from ggp.model.makers.rules import game_of_rules, rules_of
from ggp.model.reference.interpreter import Interpreter, WorldState


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GGP_CACHE", str(tmp_path))


def check(variables: list[typed.Variable], expressions: list[typed.Expression]) -> None:
    rules = expression_game(variables, expressions)
    game = game_of_rules(rules)
    words = rules_of(game).plain.initial()
    words[0] = rules_of(game).layout.end
    interpreter = Interpreter(rules)
    expected = list(interpreter.utilities(WorldState(None, tuple(v.initial for v in variables))))
    plain, native = rules_of(game).plain.utility(words), NativeCalls(game).utility(words)
    for number, (wanted, got) in enumerate(zip(expected, plain, strict=True)):
        assert got == pytest.approx(wanted, abs=1e-9), expressions[min(number, len(expressions) - 1)]
    assert native == pytest.approx(plain, abs=1e-12)


def local(symbol: typed.Symbol) -> typed.Local:
    return typed.Local(symbol, symbol.type, SPAN)


def bound(name: str, type_: Type) -> typed.Symbol:
    return typed.Symbol(name, type_, "bound", SPAN)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board.width}x{board.height}")
def test_sets_of_cells(board: CellType) -> None:
    rng = random.Random(7)
    cells = SetType(board)
    a = variable("a", cells, random_set(rng, board))
    b = variable("b", cells, random_set(rng, board, 0.2))
    none = variable("none", cells, frozenset())
    at = variable("at", board, size(board) // 2)
    maybe = variable("maybe", OptionType(board), None)
    expressions: list[typed.Expression] = [
        typed.SetOperation("union", read(a), read(b), cells, SPAN),
        typed.SetOperation("difference", read(a), read(b), cells, SPAN),
        typed.SetOperation("intersection", read(a), read(b), cells, SPAN),
        typed.SetOperation("difference", const(frozenset(range(size(board))), cells), read(a), cells, SPAN),
        typed.Member(read(at), read(a), BOOL, SPAN),
        typed.Member(read(maybe), read(a), BOOL, SPAN),
        typed.Subset(read(b), read(a), BOOL, SPAN),
        typed.Subset(read(none), read(a), BOOL, SPAN),
        typed.SetLiteral((read(at), read(maybe), const(0, board)), cells, SPAN),
        operation("equal", read(a), read(b)),
        operation("unequal", read(a), read(a)),
        typed.If(operation("equal", read(at), const(0, board)), read(a), read(b), cells, SPAN),
    ]
    expressions += [
        typed.SetFold(kind, read(a), INTEGER, SPAN)  # type: ignore[arg-type]
        for kind in ("count", "sum", "minimum", "maximum")
    ]
    c = bound("c", board)
    expressions.append(
        typed.Comprehension(
            (typed.Binder(c, board),),
            typed.Member(local(c), read(a), BOOL, SPAN),
            typed.CellStep(local(c), const(1, DIRECTION), integer(2), OptionType(board), SPAN),
            cells,
            SPAN,
        )
    )
    check([a, b, none, at, maybe], expressions)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board.width}x{board.height}")
def test_steps_on_boards(board: CellType) -> None:
    rng = random.Random(11)
    cells = SetType(board)
    a = variable("a", cells, random_set(rng, board))
    at = variable("at", board, size(board) // 2)
    gone = variable("gone", OptionType(board), None)
    way = variable("way", DIRECTION, 3)
    far = variable("far", IntType(-3, 3), -2)
    moved = [
        typed.SetStep(read(a), const(direction, DIRECTION), integer(times), cells, SPAN)
        for direction, times in itertools.product(range(8), (-2, 1, 3))
    ]
    steps = [
        typed.CellStep(read(at), const(direction, DIRECTION), integer(times), OptionType(board), SPAN)
        for direction, times in itertools.product(range(8), (-1, 2))
    ]
    dynamic: list[typed.Expression] = [
        typed.SetStep(read(a), read(way), integer(1), cells, SPAN),
        typed.SetStep(read(a), read(way), read(far), cells, SPAN),
        typed.SetStep(read(a), const(2, DIRECTION), read(far), cells, SPAN),
        typed.CellStep(read(at), read(way), read(far), OptionType(board), SPAN),
        typed.CellStep(read(gone), read(way), integer(1), OptionType(board), SPAN),
        typed.CellCoordinate(read(at), "x", IntType(1, board.width), SPAN),
        typed.CellCoordinate(read(at), "y", IntType(1, board.height), SPAN),
        typed.CellAt(typed.CellCoordinate(read(at), "x", IntType(1, board.width), SPAN), integer(2), board, SPAN),
    ]
    i = bound("i", IntType(0, 2))
    d = bound("d", DIRECTION)
    line = typed.Quantifier(
        "all",
        (typed.Binder(i, IntType(0, 2)),),
        typed.Member(typed.CellStep(read(at), local(d), local(i), OptionType(board), SPAN), read(a), BOOL, SPAN),
        BOOL,
        SPAN,
    )
    dynamic += [
        typed.Quantifier(kind, (typed.Binder(d, DIRECTION),), line, BOOL, SPAN)  # type: ignore[arg-type]
        for kind in ("any", "all", "no")
    ]
    check([a, at, gone, way, far], [*moved, *steps, *dynamic])


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board.width}x{board.height}")
def test_breadth_first_search(board: CellType) -> None:
    rng = random.Random(13)
    cells, ways = SetType(board), SetType(DIRECTION)
    through = variable("through", cells, random_set(rng, board, 0.7))
    sources = variable("sources", cells, frozenset({0, size(board) - 1}))
    directions = variable("directions", ways, frozenset({0, 2, 5}))
    distances = ArrayType((board,), IntType(0, size(board)))
    neighbours = tuple(random_set(rng, board, 2.0 / size(board)) for _ in range(size(board)))
    graph = typed.Table("graph", ArrayType((board,), cells), neighbours, SPAN)
    steps: list[typed.Expression] = [
        const(frozenset(range(0, 8, 2)), ways),
        const(frozenset(range(8)), ways),
        read(directions),
        typed.TableRead(graph, (), graph.type, SPAN),
    ]
    expressions: list[typed.Expression] = []
    for step in steps:
        expressions.append(typed.Reach("reach", read(sources), read(through), step, cells, SPAN))
        far = typed.Reach("distance", read(sources), read(through), step, distances, SPAN)
        c = bound("c", board)
        entry = typed.Index(far, (local(c),), distances.element, SPAN)
        mixed = typed.Hash((local(c), entry), 9973, IntType(0, 9972), SPAN)
        few = (typed.Binder(c, (integer(0), integer(min(size(board), 12) - 1))),)
        expressions.append(typed.Aggregate("sum", few, None, mixed, INTEGER, SPAN))
    rules = expression_game([through, sources, directions], expressions)
    assert rules.tables == ()
    check([through, sources, directions], expressions)


def test_numbers_and_truth() -> None:
    n = variable("n", IntType(-9, 9), -7)
    m = variable("m", IntType(1, 9), 3)
    yes = variable("yes", BOOL, 1)
    maybe = variable("maybe", OptionType(IntType(3, 9)), None)
    some = variable("some", OptionType(IntType(-2, 5)), 2)
    small = IntType(-200, 200)
    expressions: list[typed.Expression] = [
        operation(operator, left, right, small)
        for operator in ("add", "subtract", "multiply", "div", "mod", "minimum", "maximum")
        for left, right in ((read(n), read(m)), (read(m), read(n)), (read(n), integer(-4)), (read(m), integer(2)))
    ]
    expressions += [
        operation(operator, read(n), read(m))
        for operator in ("equal", "unequal", "less", "less_equal", "greater", "greater_equal")
    ]
    expressions += [
        operation("and", read(yes), operation("less", read(n), read(m))),
        operation("or", typed.Unary("not", read(yes), BOOL, SPAN), operation("less", read(m), read(n))),
        operation("equal", read(maybe), integer(2)),
        operation("equal", read(some), integer(2)),
        operation("equal", read(maybe), read(some)),
        operation("unequal", read(some), const(None, OptionType(IntType(0, 1)))),
        typed.Unary("is_none", read(maybe), BOOL, SPAN),
        typed.Unary("is_none", read(some), BOOL, SPAN),
        typed.Unary("negate", read(n), small, SPAN),
        typed.Unary("absolute", read(n), small, SPAN),
        typed.Unary("sign", read(n), IntType(-1, 1), SPAN),
        typed.Guard(read(n), "in range", IntType(-8, 0), SPAN),
        typed.Unwrap(read(some), "some", IntType(-2, 5), SPAN),
        typed.Wrap(read(m), OptionType(IntType(-9, 9)), SPAN),
        typed.If(read(yes), read(some), read(maybe), OptionType(IntType(-2, 9)), SPAN),
        typed.Hash((read(n), read(m), integer(0)), 1000, IntType(0, 999), SPAN),
        typed.Hash((), 1000, IntType(0, 999), SPAN),
    ]
    check([n, m, yes, maybe, some], expressions)


def test_reals() -> None:
    n = variable("n", IntType(-9, 9), -7)
    m = variable("m", IntType(0, 9), 3)
    a, b = (typed.Unary("real", read(v), REAL, SPAN) for v in (n, m))
    zero = operation("subtract", a, a, REAL)
    expressions: list[typed.Expression] = [
        typed.Unary(operator, operand, REAL, SPAN)  # type: ignore[arg-type]
        for operator in ("negate", "absolute", "sign", "tanh", "sqrt", "exp", "log")
        for operand in (a, b, zero)
    ]
    expressions += [
        operation(operator, left, right, REAL)
        for operator in ("add", "subtract", "multiply", "divide", "minimum", "maximum", "power")
        for left, right in ((a, b), (b, a), (b, zero), (zero, a), (a, const(0.5, REAL)))
    ]
    expressions += [operation(operator, a, b) for operator in ("less", "equal", "greater_equal")]
    check([n, m], expressions)


def test_arrays_of_all_sizes() -> None:
    hue = EnumType("hue", tuple("abcdefghij"))
    short = variable("short", ArrayType((IntType(1, 3),), IntType(0, 9)), (5, 6, 7))
    long = variable("long", ArrayType((hue, BOOL), IntType(0, 99)), tuple(range(20)))
    rng = random.Random(3)
    sets = variable("sets", ArrayType((hue,), SetType(hue)), tuple(random_set(rng, hue) for _ in range(10)))
    which = variable("which", hue, 4)
    place = variable("place", IntType(1, 3), 2)
    yes = variable("yes", BOOL, 1)
    table = typed.Table("prices", ArrayType((hue,), IntType(0, 99)), tuple(range(0, 100, 10)), SPAN)
    copy = typed.Constant((5, 8, 7), short.type, SPAN)
    i, h = bound("i", IntType(1, 3)), bound("h", hue)
    total = IntType(0, 100_000)
    expressions: list[typed.Expression] = [
        read(short, read(place)),
        read(short, integer(3)),
        read(long, read(which), read(yes)),
        read(long, const(9, hue), const(1, BOOL)),
        read(sets, read(which)),
        typed.TableRead(table, (read(which),), IntType(0, 99), SPAN),
        typed.TableRead(table, (const(3, hue),), IntType(0, 99), SPAN),
        typed.Index(copy, (read(place),), IntType(0, 9), SPAN),
        operation("equal", read(short), copy),
        operation("unequal", read(long), read(long)),
        typed.Index(typed.If(read(yes), read(short), copy, short.type, SPAN), (read(place),), IntType(0, 9), SPAN),
        typed.Aggregate("sum", (typed.Binder(i, IntType(1, 3)),), None, read(short, local(i)), total, SPAN),
        typed.Aggregate(
            "maximum",
            (typed.Binder(h, read(sets, read(which))), typed.Binder(i, (integer(1), read(place)))),
            operation("less", local(i), integer(3)),
            operation("add", read(short, local(i)), read(long, local(h), const(0, BOOL)), total),
            total,
            SPAN,
        ),
        typed.Aggregate(
            "count",
            (typed.Binder(h, hue),),
            None,
            typed.Member(local(h), read(sets, local(h)), BOOL, SPAN),
            total,
            SPAN,
        ),
    ]
    check([short, long, sets, which, place, yes], expressions)


def test_values_of_one_kind_in_types_of_different_beginnings() -> None:
    low, high = IntType(-3, 4), IntType(2, 9)
    a = variable("a", SetType(low), frozenset({-3, 2, 4}))
    b = variable("b", SetType(high), frozenset({2, 4, 9}))
    wide = SetType(IntType(-70, 70))
    expressions: list[typed.Expression] = [
        typed.SetOperation("union", read(a), read(b), wide, SPAN),
        typed.SetOperation("intersection", read(a), read(b), wide, SPAN),
        operation("equal", read(a), read(b)),
        typed.Subset(read(b), read(a), BOOL, SPAN),
        typed.Member(integer(9), read(a), BOOL, SPAN),
    ]
    check([a, b], expressions)


def test_sets_of_many_words_are_compared() -> None:
    kind = SetType(IntType(1, 1000))
    members = frozenset({1, 700, 1000})
    sets = [variable("a", kind, members), variable("b", kind, members), variable("c", kind, members - {700})]
    a, b, c = map(read, sets)
    without = typed.SetOperation("difference", a, typed.SetLiteral((integer(700),), kind, SPAN), kind, SPAN)
    check(sets, [operation("equal", a, b), operation("equal", a, c), operation("equal", without, c)])


def test_comparing_the_largest_sets_is_not_nested_deeply() -> None:
    # LLVM's printer recurses: a chain of a thousand comparisons would be too deep for it
    left, right = (Bits(tuple(Name(f"{side}{at}", Kind.INT) for at in range(1024))) for side in ("left", "right"))
    equal = equality(Mock(spec=Builder), left, right, SetType(IntType(1, 65_536)))

    def depth(expression: Expression) -> int:
        assert isinstance(expression, Operation | Name | Constant)
        return 1 + max(map(depth, expression.operands), default=0) if isinstance(expression, Operation) else 1

    assert depth(equal) < 20


@pytest.mark.parametrize("kind", ["count", "sum", "minimum", "maximum"])
def test_what_the_condition_rules_out_is_not_evaluated(kind: str) -> None:
    values = variable("values", SetType(IntType(0, 9)), frozenset({0, 2, 3}))
    x = bound("x", IntType(0, 9))
    body: typed.Expression = operation("div", integer(6), local(x), IntType(0, 6))
    if kind == "count":
        body = operation("equal", body, integer(3))
    binders, condition = (typed.Binder(x, read(values)),), operation("greater", local(x), integer(0))
    expressions: list[typed.Expression] = [
        typed.Aggregate(kind, binders, condition, body, IntType(0, 99), SPAN),  # type: ignore[arg-type]
    ]
    if kind == "sum":
        expressions.append(typed.Comprehension(binders, condition, body, SetType(IntType(0, 6)), SPAN))
    check([values], expressions)


def test_functions_of_all_sizes() -> None:
    n = variable("n", IntType(0, 9), 4)
    x = bound("x", IntType(0, 9))
    i = bound("i", IntType(0, 30))
    body = typed.Aggregate(
        "sum",
        (typed.Binder(i, (integer(0), local(x))),),
        operation("unequal", local(i), read(n)),
        operation("multiply", local(i), operation("add", local(x), read(n), IntType(0, 18)), IntType(0, 540)),
        IntType(0, 9999),
        SPAN,
    )
    tall = typed.Function("tall", (x,), body, IntType(0, 9999), is_let=False, phase=None, span=SPAN)
    pair = ArrayType((BOOL,), IntType(0, 9999))
    y = bound("y", IntType(0, 9))
    called = typed.Call(tall, (local(y),), IntType(0, 9999), SPAN)
    arrays = [typed.Constant(values, pair, SPAN) for values in ((1, 2000), (3, 4))]
    either = typed.If(operation("less", called, integer(40)), arrays[0], arrays[1], pair, SPAN)
    both = typed.Function("both", (y,), either, pair, is_let=False, phase=None, span=SPAN)
    evens = SetType(IntType(0, 99))
    z = bound("z", IntType(0, 9))
    j = bound("j", IntType(0, 99))
    multiples = typed.Function(
        "multiples",
        (z,),
        typed.Comprehension(
            (typed.Binder(j, IntType(0, 99)),),
            operation("equal", operation("mod", local(j), operation("add", local(z), integer(2), IntType(2, 11)),
                                         IntType(0, 10)), integer(0)),
            local(j), evens, SPAN,
        ),
        evens, is_let=True, phase=None, span=SPAN,
    )  # fmt: skip
    calls: list[typed.Expression] = [
        typed.Call(tall, (read(n),), IntType(0, 9999), SPAN),
        *(typed.Call(tall, (const(k, IntType(0, 9)),), IntType(0, 9999), SPAN) for k in range(10)),
        typed.Index(typed.Call(both, (read(n),), pair, SPAN), (const(1, BOOL),), IntType(0, 9999), SPAN),
        typed.Call(multiples, (read(n),), evens, SPAN),
        typed.Call(multiples, (const(1, IntType(0, 9)),), evens, SPAN),
    ]
    check([n], calls)
