"""Memberships of a bound variable in conditions, decided for the whole domain at once.

`any n in near: n in empty or costly(n)` holds if `near & empty` is not empty; else `costly` is evaluated.
`{c in cell: c in stones and costly(c)}` tests the members of `stones` and no other cells. Tests that may fail keep the
author's order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Literal, cast

from msgspec import Struct

from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed.types import BOOL, ArrayType, CellType, IntType, OptionType, ScalarType, SetType, codes, size
from ggp.language.typed.walk import EXPRESSIONS
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS
from ggp.rules_compiler.rewrite.images import beside, for_any
from ggp.rules_compiler.rewrite.opened import opened, taken_apart
from ggp.rules_compiler.size import can_fail, mentions

HOLDS = {"less": lt, "less_equal": le, "greater": gt, "greater_equal": ge, "equal": eq, "unequal": ne}
TURNED = {"less": "greater", "less_equal": "greater_equal", "greater": "less", "greater_equal": "less_equal",
          "equal": "equal", "unequal": "unequal"}  # fmt: skip
MAX_LINES = 64
"""Numbers with each of which columns or rows are compared before play."""
MIN_VALUES = 5
"""Smaller domains known before play are unrolled, which folds memberships, too."""


class Split(Struct, frozen=True):
    """A domain divided by memberships.

    Attributes:
        certain: the set of the values for which the condition certainly holds; None if there are none.
        domain: the set of the values for which the rest of the condition is tested.
        test: the rest; None if there is none: then the condition holds for all of `domain`.
    """

    certain: typed.Expression | None
    domain: typed.Expression
    test: typed.Expression | None


def split(binder: typed.Binder, test: typed.Expression | None) -> Split | None:
    """Return a domain divided by the memberships in a condition; None if there are none."""
    domain = _domain(binder)
    if domain is None or test is None or can_fail(test):
        return None
    operator: Literal["and", "or"] = "or" if isinstance(test, typed.Binary) and test.operator == "or" else "and"
    tests = list(_joined(test, operator))
    sets = [_membership(part, binder.symbol) for part in tests]
    if all(found is None for found in sets):
        return None
    rest = [part for part, found in zip(tests, sets, strict=True) if found is None]
    inside, outside = domain, domain
    for found in sets:
        if found is not None:
            members, is_in = found
            inside = _combined("intersection" if is_in else "difference", inside, members)
            outside = _combined("difference" if is_in else "intersection", outside, members)
    if operator == "and":
        return Split(None, inside, together("and", rest))
    certain = _combined("difference", domain, outside)
    return Split(certain, outside, together("or", rest)) if rest else Split(None, certain, None)


def _domain(binder: typed.Binder) -> typed.Expression | None:
    """Return a domain as a set of the variable's type; None if it is not one, or is unrolled."""
    type_ = binder.symbol.type
    if isinstance(binder.domain, tuple) or not isinstance(type_, ScalarType) or set_words(type_) > LOCAL_WORDS:
        return None
    if isinstance(binder.domain, ScalarType):
        members = frozenset(codes(type_))
        span = binder.symbol.span
        return typed.Constant(members, SetType(type_), span) if size(type_) >= MIN_VALUES else None
    is_small = isinstance(binder.domain, typed.Constant) and len(binder.domain.value) < MIN_VALUES  # type: ignore[arg-type]
    return None if is_small or binder.domain.type != SetType(type_) else binder.domain


def _joined(test: typed.Expression, operator: str) -> Iterator[typed.Expression]:
    """Yield the operands of a chain of `and`, or of `or`."""
    if isinstance(test, typed.Binary) and test.operator == operator:
        yield from _joined(test.left, operator)
        yield from _joined(test.right, operator)
    else:
        yield test


def _membership(test: typed.Expression, symbol: typed.Symbol) -> tuple[typed.Expression, bool] | None:
    """Return the set that a condition says a symbol is in, or not in; None where it says something else."""
    if isinstance(test, typed.Unary) and test.operator == "not" and member(test) is None:
        found = _membership(test.operand, symbol)
        return None if found is None else (found[0], not found[1])
    if (stated := member(test)) is None:
        composed = None if can_fail(test) or not mentions(symbol, test) else _composed(test, symbol)
        return None if composed is None else (composed, True)
    value, members = stated
    same_type = members.type == SetType(symbol.type)  # type: ignore[arg-type]
    return (members, True) if value.symbol is symbol and same_type and not mentions(symbol, members) else None


def _composed(test: typed.Expression, symbol: typed.Symbol) -> typed.Expression | None:
    """Return the set of the values for which a condition holds that is made of memberships; None for others."""
    assert isinstance(symbol.type, ScalarType)
    match test:
        case typed.Binary(operator="and" | "or" as operator, left=left, right=right):
            first, second = _values(left, symbol), _values(right, symbol)
            if first is None or second is None:
                return None
            return _combined("intersection" if operator == "and" else "union", first, second)
        case typed.If(condition=condition, then=then, otherwise=otherwise):
            first, second, chosen = (_values(part, symbol) for part in (then, otherwise, condition))
            if first is None or second is None or chosen is None:
                return None
            if not mentions(symbol, condition):
                return typed.If(condition, first, second, first.type, test.span)
            inside, outside = _combined("intersection", first, chosen), _combined("difference", second, chosen)
            return _combined("union", inside, outside)
        case typed.Call() if (said := opened(test)) is not None:
            return _values(said, symbol)
        case typed.Quantifier():
            return _for_any(test, symbol)
        case typed.Member(
            typed.CellCoordinate(typed.Local(symbol=of)) as side, typed.Constant(value=frozenset() as few)
        ):
            return _in_lines(side, lambda number: number in few) if of is symbol else None
        case typed.Binary(operator=operator) if operator in HOLDS:
            for one, other, way in ((test.left, test.right, operator), (test.right, test.left, TURNED[operator])):
                match taken_apart(one):
                    case typed.CellCoordinate(typed.Local(symbol=of)) as place, distance if of is symbol:
                        return None if mentions(symbol, other) else _beside(place, HOLDS[way], other, distance)
                is_equal = operator in ("equal", "unequal") and isinstance(symbol.type, CellType)
                same = _is_one_of(one, other, symbol) if is_equal else None
                if same is not None:
                    return same if operator == "equal" else _combined("difference", _every(symbol, test.span), same)
    return None


def _for_any(test: typed.Quantifier, symbol: typed.Symbol) -> typed.Expression | None:
    """Return the set of the values for which a condition holds for any, no or all values of something else."""
    body = negated(test.body) if test.kind == "all" else test.body
    found: typed.Expression | None = None
    if mentions(symbol, body):
        members = within(body, symbol)
        found = None if members is None else for_any(test.binders, (), members)
    elif len(test.binders) == 1 and type(domain := test.binders[0].domain) in EXPRESSIONS:
        members = within(body, test.binders[0].symbol)
        found = None if members is None else beside(cast("typed.Expression", domain), symbol, members, back=True)
    return found if found is None or test.kind == "any" else _combined("difference", _every(symbol, test.span), found)


def _is_one_of(one: typed.Expression, other: typed.Expression, symbol: typed.Symbol) -> typed.Expression | None:
    """Return the set of the cells for which a cell or a step equals a value that does not depend on them."""
    one, value = (side.operand if isinstance(side, typed.Wrap) else side for side in (one, other))
    if mentions(symbol, other) or (isinstance(one, typed.CellStep) and isinstance(value.type, OptionType)):
        return None
    assert isinstance(symbol.type, ScalarType)
    return within(
        typed.Member(one, typed.SetLiteral((value,), SetType(symbol.type), value.span), BOOL, value.span), symbol
    )


def _values(test: typed.Expression, symbol: typed.Symbol) -> typed.Expression | None:
    """Return the set of the values of a symbol for which a condition holds, also of one that is not about it."""
    if mentions(symbol, test):
        return within(test, symbol)
    every = _every(symbol, test.span)
    return typed.If(test, every, typed.Constant(frozenset(), every.type, test.span), every.type, test.span)


def _in_lines(side: typed.CellCoordinate, holds: Callable[[int], bool]) -> typed.Constant:
    """Return the cells of a board in columns or rows for which a condition holds."""
    board = side.cell.type
    assert isinstance(board, CellType)
    across = side.axis == "x"
    lines = ((cell, cell % board.width if across else cell // board.width) for cell in codes(board))
    return typed.Constant(frozenset(cell for cell, line in lines if holds(line + 1)), SetType(board), side.span)


def _beside(
    side: typed.CellCoordinate, holds: Callable[[int, int], bool], end: typed.Expression, distance: int
) -> typed.Expression | None:
    """Return the cells whose column or row, and a distance, compares with a number as an operator says."""
    board, range_ = side.cell.type, end.type
    assert isinstance(board, CellType)
    if not isinstance(range_, IntType) or size(range_) > MAX_LINES:
        return None
    sets = [_in_lines(side, lambda at: holds(at + distance, number)) for number in codes(range_)]  # noqa: B023
    if isinstance(end, typed.Constant):
        return sets[0]
    name = f"{holds.__name__} {side.axis} {distance} {board.width} {board.height} {range_.low} {range_.high}"
    table = typed.Table(name, ArrayType((range_,), SetType(board)), tuple(one.value for one in sets), side.span)
    return typed.TableRead(table, (end,), SetType(board), side.span)


def within(test: typed.Expression, symbol: typed.Symbol) -> typed.Expression | None:
    """Return the set of the values of a symbol for which a condition holds; None if it is not about memberships."""
    found = _membership(test, symbol)
    if found is None or found[1] or not isinstance(symbol.type, ScalarType):
        return None if found is None else found[0]
    return _combined("difference", _every(symbol, test.span), found[0])


def _every(symbol: typed.Symbol, span: Span) -> typed.Constant:
    """Return the set of all values of a symbol's type."""
    assert isinstance(symbol.type, ScalarType)
    return typed.Constant(frozenset(codes(symbol.type)), SetType(symbol.type), span)


def member(test: typed.Expression) -> tuple[typed.Local, typed.Expression] | None:
    """Return a symbol and the set that a condition says it is in: S in `x in S`, S - d in `x + d in S`; else None.

    `x + d is some` says that it is in the board moved back.
    """
    match test:
        case typed.Unary("not", typed.Unary("is_none", typed.CellStep(type=OptionType(inner=board)) as element)):
            members: typed.Expression = typed.Constant(frozenset(codes(board)), SetType(board), test.span)
        case typed.Member(element, members):
            pass
        case _:
            return None
    while isinstance(element, typed.CellStep) and isinstance(element.times, typed.Constant):
        times = element.times.value
        assert isinstance(times, int)
        back = typed.Constant(-times, IntType(-times, -times), element.span)
        members = typed.SetStep(members, element.direction, back, members.type, element.span)
        element = element.cell
    return (element, members) if isinstance(element, typed.Local) else None


def _combined(
    operator: Literal["union", "difference", "intersection"], left: typed.Expression, right: typed.Expression
) -> typed.Expression:
    return typed.SetOperation(operator, left, right, left.type, right.span)


def together(operator: Literal["and", "or"], tests: Sequence[typed.Expression]) -> typed.Expression | None:
    """Return some conditions joined by an operator; None where there are none."""
    result: typed.Expression | None = None
    for test in tests:
        result = test if result is None else typed.Binary(operator, result, test, BOOL, test.span)
    return result


def quantifier(node: typed.Quantifier) -> typed.Expression | None:
    """Return `any` or `no` with its memberships decided at once; None where it has none."""
    if node.kind == "all":
        inner = quantifier(typed.Quantifier("any", node.binders, negated(node.body), node.type, node.span))
        return None if inner is None else typed.Unary("not", inner, node.type, node.span)
    found = split(node.binders[-1], node.body) if len(node.binders) == 1 else None
    if found is None:
        return None
    some = [is_some(found.certain)] if found.certain is not None else []
    if found.test is None:
        some.append(is_some(found.domain))
    else:
        binder = typed.Binder(node.binders[0].symbol, found.domain)
        some.append(typed.Quantifier("any", (binder,), found.test, node.type, node.span))
    result = together("or", some)
    assert result is not None
    return typed.Unary("not", result, node.type, node.span) if node.kind == "no" else result


def negated(test: typed.Expression) -> typed.Expression:
    """Return the negation of a condition; of `and` and `or`, operand by operand."""
    if isinstance(test, typed.Unary) and test.operator == "not":
        return test.operand
    if isinstance(test, typed.Binary) and test.operator in ("and", "or"):
        other: Literal["and", "or"] = "or" if test.operator == "and" else "and"
        return typed.Binary(other, negated(test.left), negated(test.right), test.type, test.span)
    return typed.Unary("not", test, test.type, test.span)


def comprehension(node: typed.Comprehension) -> typed.Expression | None:
    """Return `{x in domain: condition}` with its memberships decided at once; None where it has none."""
    is_itself = isinstance(node.element, typed.Local) and node.element.symbol is node.binders[0].symbol
    found = split(node.binders[0], node.condition) if len(node.binders) == 1 and is_itself else None
    if found is None or node.type != found.domain.type:
        return None
    if found.test is None:
        return found.domain
    binder = typed.Binder(node.binders[0].symbol, found.domain)
    rest = typed.Comprehension((binder,), found.test, node.element, node.type, node.span)
    return rest if found.certain is None else _combined("union", found.certain, rest)


def is_some(members: typed.Expression) -> typed.Expression:
    """Return whether a set has any members."""
    nothing = typed.Constant(frozenset(), members.type, members.span)
    return typed.Binary("unequal", members, nothing, BOOL, members.span)
