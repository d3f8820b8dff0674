"""Memberships of a bound variable in conditions, decided for the whole domain at once.

`any n in near: n in empty or costly(n)` holds if `near & empty` is not empty; else `costly` is evaluated.
`{c in cell: c in stones and costly(c)}` tests the members of `stones` and no other cells. Tests that may fail keep the
author's order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import BOOL, IntType, OptionType, ScalarType, SetType, codes, size
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS
from ggp.rules_compiler.size import can_fail, mentions

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
    if domain is None or not isinstance(test, typed.Binary | typed.Member | typed.Unary) or can_fail(test):
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
        return None
    value, members = stated
    same_type = members.type == SetType(symbol.type)  # type: ignore[arg-type]
    return (members, True) if value.symbol is symbol and same_type and not mentions(symbol, members) else None


def within(test: typed.Expression, symbol: typed.Symbol) -> typed.Expression | None:
    """Return the set of the values of a symbol for which a condition holds; None if it is not about memberships."""
    found = _membership(test, symbol)
    if found is None or found[1] or not isinstance(symbol.type, ScalarType):
        return None if found is None else found[0]
    every = typed.Constant(frozenset(codes(symbol.type)), SetType(symbol.type), test.span)
    return _combined("difference", every, found[0])


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
    some = [_is_some(found.certain)] if found.certain is not None else []
    if found.test is None:
        some.append(_is_some(found.domain))
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


def count(node: typed.Aggregate) -> typed.Expression | None:
    """Return a count as that of a set's members, where the condition is a membership; else None."""
    if len(node.binders) > 1 or node.condition is not None:
        return None
    found = split(node.binders[0], node.body)
    if found is None or found.test is not None or found.certain is not None:
        return None
    return typed.SetFold("count", found.domain, node.type, node.span)


def _is_some(members: typed.Expression) -> typed.Expression:
    nothing = typed.Constant(frozenset(), members.type, members.span)
    return typed.Binary("unequal", members, nothing, BOOL, members.span)
