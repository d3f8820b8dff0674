"""Loops over integers that conditions cut short.

`any k in 1..8: k <= n and test(k)` runs to n. `n in 1..8 where all k in 1..n: test(k)`, which is how authors write a
way of n steps, is left at the first n for which `test(n)` fails, and tests nothing twice. Both only where no fault is
lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import typed
from ggp.language.typed.types import IntType
from ggp.language.typed.walk import same
from ggp.rules_compiler.rewrite.conditions import added, number
from ggp.rules_compiler.rewrite.memberships import TURNED, together
from ggp.rules_compiler.rewrite.opened import opened, substituted, taken_apart
from ggp.rules_compiler.size import can_fail, conjuncts, known_codes, mentions

OPPOSITE = {"less": "greater_equal", "less_equal": "greater", "greater": "less_equal", "greater_equal": "less",
            "equal": "unequal", "unequal": "equal"}  # fmt: skip


class Way(Struct, frozen=True):
    """A condition on a loop over n that says that a test holds for all numbers up to n.

    Attributes:
        before: what is tested once, before the loop; None: nothing.
        begun: whether there is a number to test at n; None: always.
        test: the test of the number that n adds: where it fails, the condition fails for all larger n, too.
        rest: what else is tested at n; None: nothing.
    """

    before: typed.Expression | None
    begun: typed.Expression | None
    test: typed.Expression
    rest: typed.Expression | None


def shortens(binders: Sequence[typed.Binder], where: typed.Expression) -> bool:
    """Return whether a condition cuts some loops short."""
    *_, last = binders
    return len(binders) > 1 or narrowed(binders, where)[1] is not where or way(last, where) is not None


def narrowed(
    binders: Sequence[typed.Binder], where: typed.Expression | None
) -> tuple[Sequence[typed.Binder], typed.Expression | None]:
    """Return binders and their condition, with what it says of the ends of the last one's range moved there."""
    *outer, last = binders
    limits = ends(last)
    if limits is None:
        return binders, where
    first, final = limits
    rest: list[typed.Expression] = []
    for part in conjuncts(where):
        found = None if can_fail(part) or any(map(can_fail, rest)) else _bound(part, last.symbol)
        match found:
            case None:
                rest.append(part)
            case ("less_equal" | "less" as operator, end):
                final = _inner("minimum", final, added(end, -1) if operator == "less" else end)
            case (operator, end):
                first = _inner("maximum", first, added(end, 1) if operator == "greater" else end)
    if (first, final) == limits:
        return binders, where
    return (*outer, replace(last, domain=(first, final))), together("and", rest)


def ends(binder: typed.Binder) -> tuple[typed.Expression, typed.Expression] | None:
    """Return the ends of a range of integers; None for other domains."""
    if isinstance(binder.domain, tuple):
        return binder.domain
    known, span = known_codes(binder.domain), binder.symbol.span
    if not known or not isinstance(binder.symbol.type, IntType) or len(known) != known[-1] - known[0] + 1:
        return None
    return number(known[0], span), number(known[-1], span)


def _bound(test: typed.Expression, symbol: typed.Symbol) -> tuple[str, typed.Expression] | None:
    """Return the comparison of a symbol with another integer that a condition is: an operator and the integer."""
    match test:
        case typed.Unary("not", operand):
            found = _bound(operand, symbol)
            return None if found is None else (OPPOSITE[found[0]], found[1])
        case typed.Binary(operator="less" | "less_equal" | "greater" | "greater_equal" as operator):
            sides = [(test.left, operator, test.right), (test.right, TURNED[operator], test.left)]
            for side, way, end in sides:
                is_symbol = isinstance(side, typed.Local) and side.symbol is symbol
                if is_symbol and isinstance(end.type, IntType) and not mentions(symbol, end):
                    return way, end
    return None


def _inner(kind: str, old: typed.Expression, new: typed.Expression) -> typed.Expression:
    """Return the smaller or the larger one of two ends, one of them alone if that is certain."""
    a, b = old.type, new.type
    assert isinstance(a, IntType)
    assert isinstance(b, IntType)
    if kind == "minimum":
        if b.high <= a.low or a.high <= b.low:
            return new if b.high <= a.low else old
        type_ = IntType(min(a.low, b.low), min(a.high, b.high))
        return typed.Binary("minimum", old, new, type_, new.span)
    if b.low >= a.high or a.low >= b.high:
        return new if b.low >= a.high else old
    return typed.Binary("maximum", old, new, IntType(max(a.low, b.low), max(a.high, b.high)), new.span)


def way(binder: typed.Binder, where: typed.Expression | None) -> Way | None:
    """Return what a condition says of all numbers up to that of a binder; None where it does not."""
    limits = ends(binder)
    if where is None or limits is None:
        return None
    symbol, tests = binder.symbol, list(_opened(where))
    for place, test in enumerate(tests):
        if (found := _all_up_to(test, symbol)) is None:
            continue
        inner, low, distance = found
        if (ahead := _difference(low, limits[0])) is None or distance > ahead:
            continue
        here = added(typed.Local(symbol, symbol.type, test.span), distance)
        new = substituted(inner.body, {inner.binders[0].symbol: here})
        fixed = 0
        while fixed < place and not mentions(symbol, tests[fixed]):
            fixed += 1
        between = tests[fixed:place]
        if between and (can_fail(new) or any(map(can_fail, between))):
            continue
        if not all(isinstance(end, typed.Constant) for end in limits) and any(map(can_fail, tests[:fixed])):
            continue
        begun = None if distance == ahead else typed.Binary("greater_equal", here, low, test.type, test.span)
        return Way(together("and", tests[:fixed]), begun, new, together("and", [*between, *tests[place + 1 :]]))
    return None


def _difference(one: typed.Expression, other: typed.Expression) -> int | None:
    """Return by how much one integer is larger than another; None where that is not known."""
    if isinstance(one, typed.Constant) and isinstance(other, typed.Constant):
        assert isinstance(one.value, int)
        assert isinstance(other.value, int)
        return one.value - other.value
    (base, distance), (from_, less) = taken_apart(one), taken_apart(other)
    return distance - less if same(base, from_) else None


def _all_up_to(test: typed.Expression, symbol: typed.Symbol) -> tuple[typed.Quantifier, typed.Expression, int] | None:
    """Return a condition `all k in low..n + distance: test`, its lowest number and the distance; None for others."""
    if not isinstance(test, typed.Quantifier) or test.kind != "all" or len(test.binders) != 1:
        return None
    limits = ends(test.binders[0])
    if limits is None or mentions(symbol, test.body) or mentions(symbol, limits[0]):
        return None
    last, distance = taken_apart(limits[1])
    return (test, limits[0], distance) if isinstance(last, typed.Local) and last.symbol is symbol else None


def _led(test: typed.Expression) -> list[typed.Expression]:
    """Return a condition as two where it says something of all numbers up to the range that it is about.

    `any n in k + 1..8: target(n) and all j in 1..n - 1: free(j)` says `all j in 1..k: free(j)`, and the rest of a
    range from `k + 1`: a loop over k can end where that fails.
    """
    if not isinstance(test, typed.Quantifier) or test.kind != "any" or len(test.binders) != 1 or can_fail(test):
        return [test]
    (binder,), where = narrowed(test.binders, test.body)
    limits, tests = ends(binder), list(conjuncts(where))
    if limits is None or isinstance(limits[0], typed.Constant):
        return [test]
    start, shift = taken_apart(limits[0])
    for place, part in enumerate(tests):
        if (found := _all_up_to(part, binder.symbol)) is None:
            continue
        inner, low, distance = found
        (each,), known = inner.binders, start.type
        assert isinstance(each.symbol.type, IntType)
        assert isinstance(known, IntType)
        if not isinstance(low, typed.Constant) or known.high + shift + distance > each.symbol.type.high:
            continue
        if not isinstance(low.value, int) or known.low + shift + distance < low.value:
            continue
        before = replace(inner, binders=(replace(each, domain=(low, added(start, shift + distance))),))
        last = added(typed.Local(binder.symbol, binder.symbol.type, test.span), distance)
        tests[place] = replace(inner, binders=(replace(each, domain=(added(start, shift + distance + 1), last)),))
        return [before, replace(test, binders=(binder,), body=together("and", tests) or test.body)]
    return [test]


def _opened(where: typed.Expression) -> list[typed.Expression]:
    """Return the operands of a conjunction, with definitions that say `all` in place of their calls,
    and what others say of all numbers before theirs.
    """
    tests: list[typed.Expression] = []
    for test in conjuncts(where):
        body = opened(test) if isinstance(test, typed.Call) else None
        inside = [] if body is None else list(conjuncts(body))
        is_all = any(isinstance(part, typed.Quantifier) and part.kind == "all" for part in inside)
        tests += inside if is_all else _led(test)
    return tests
