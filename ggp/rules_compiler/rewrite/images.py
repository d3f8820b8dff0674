"""Neighbours of a whole set at once.

Authors say what is beside one cell: `def near(c: cell) = {c + d for d in four}`. Of the neighbours of a set g,
`{n for c in g, n in near(c)}`, each step is then g moved as a whole; and the cells c that have a neighbour in a set s,
`any n in near(c): n in s`, are s moved back. Both take a few operations on words, however many cells there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import typed
from ggp.language.typed.types import BOOL, IntType, ScalarType, SetType, codes
from ggp.rules_compiler.rewrite.opened import opened
from ggp.rules_compiler.size import can_fail, conjuncts, known_codes, mentions

MAX_STEPS = 64
"""Steps by which sets are moved at once."""


class Image(Struct, frozen=True):
    """The values of the last two binders of an expression, of which the last is a neighbour of the one before.

    Attributes:
        binders: the others, and a binder that runs over the neighbours of all members of `given`.
        given: a symbol that stands for a set.
        members: that set.
    """

    binders: tuple[typed.Binder, ...]
    given: typed.Symbol
    members: typed.Expression


def image(binders: tuple[typed.Binder, ...], *tests: typed.Expression | None) -> Image | None:
    """Return what the last two of some binders run over, at once; None where tests read the one before the last."""
    if len(binders) < 2:
        return None
    *before, of, last = binders
    if isinstance(of.domain, tuple) or isinstance(last.domain, (tuple, ScalarType)) or can_fail(last.domain):
        return None
    if any(test is not None and (mentions(of.symbol, test) or can_fail(test)) for test in tests):
        return None
    type_ = SetType(of.symbol.type)  # type: ignore[arg-type]
    members = of.domain
    if isinstance(members, ScalarType):
        members = typed.Constant(frozenset(codes(members)), type_, of.symbol.span)
    given = typed.Symbol(f"all {of.symbol.name}", type_, "bound", of.symbol.span)
    moved = beside(last.domain, of.symbol, typed.Local(given, type_, of.symbol.span), False)
    if moved is None or members.type != type_ or moved.type != last.domain.type:
        return None
    return Image((*before, replace(last, domain=moved)), given, members)


def beside(
    neighbours: typed.Expression, symbol: typed.Symbol, given: typed.Expression, back: bool
) -> typed.Expression | None:
    """Return the neighbours of all members of a set, or the cells with a neighbour in the set; None: not by steps.

    Args:
        neighbours: those of one cell.
        symbol: that cell.
        given: the set.
        back: whether to return the cells with a neighbour in the set.
    """
    match neighbours:
        case typed.Call() if (body := opened(neighbours)) is not None:
            return beside(body, symbol, given, back)
        case typed.SetLiteral(elements=elements) if elements:
            return _union(_moved(element, symbol, given, back) for element in elements)
        case typed.SetOperation(operator="union", left=left, right=right):
            return _union(beside(side, symbol, given, back) for side in (left, right))
        case typed.SetOperation(left=left, right=right) if not mentions(symbol, right):
            if back:
                return beside(left, symbol, replace(neighbours, left=given, type=given.type), back)
            inside = beside(left, symbol, given, back)
            return None if inside is None else replace(neighbours, left=inside)
        case typed.Comprehension(binders=binders, element=element):
            moved = _moved(element, symbol, given, back)
            tests = [test for test in conjuncts(neighbours.condition) if not _is_some(test, element)]
            if moved is None or any(mentions(symbol, test) or can_fail(test) for test in tests):
                return None
            return for_any(binders, tests, moved)
    return None


def for_any(
    binders: Sequence[typed.Binder], tests: Sequence[typed.Expression], members: typed.Expression
) -> typed.Expression | None:
    """Return the union of a set over few values of binders, known before play, that pass tests; else None."""
    known = [known_codes(binder.domain) for binder in binders]
    if prod(len(codes or range(MAX_STEPS + 1)) for codes in known) > MAX_STEPS:
        return None
    assert isinstance(members.type, SetType)
    one = typed.Symbol("beside", members.type.element, "bound", members.span)
    condition = reduce(lambda a, b: typed.Binary("and", a, b, BOOL, b.span), tests) if tests else None
    element = typed.Local(one, members.type.element, members.span)
    return typed.Comprehension((*binders, typed.Binder(one, members)), condition, element, members.type, members.span)


def _moved(
    element: typed.Expression, symbol: typed.Symbol, given: typed.Expression, back: bool
) -> typed.Expression | None:
    """Return a set moved as steps lead from a symbol to an element, or back; None for other elements."""
    steps = list(_steps(element))
    if any(mentions(symbol, part) or can_fail(part) for step in steps for part in (step.direction, step.times)):
        return None
    start = steps[-1].cell if steps else element
    start = start.operand if isinstance(start, typed.Wrap) else start
    if not isinstance(start, typed.Local) or start.symbol is not symbol:
        return None
    for step in steps if back else reversed(steps):
        times = step.times
        assert isinstance(times.type, IntType)
        if back:
            type_ = IntType(-times.type.high, -times.type.low)
            if isinstance(times, typed.Constant):
                assert isinstance(times.value, int)
                times = typed.Constant(-times.value, type_, step.span)
            else:
                times = typed.Unary("negate", times, type_, step.span)
        given = typed.SetStep(given, step.direction, times, given.type, step.span)
    return given


def _steps(element: typed.Expression) -> Iterator[typed.CellStep]:
    """Yield the steps that lead to an element, the last first."""
    while isinstance(element, (typed.Unwrap, typed.Wrap)):
        element = element.operand
    if isinstance(element, typed.CellStep):
        yield element
        yield from _steps(element.cell)


def _is_some(test: typed.Expression, element: typed.Expression) -> bool:
    """Return whether a test says that the one step that leads to an element stays on the board."""
    match test, list(_steps(element)):
        case typed.Unary("not", typed.Unary("is_none", typed.CellStep(typed.Local(a), typed.Local(d), one))), [step]:
            cell, way, other = step.cell, step.direction, step.times
            same = isinstance(one, typed.Constant) and isinstance(other, typed.Constant) and one.value == other.value
            return same and all(isinstance(x, typed.Local) and x.symbol is y for x, y in ((cell, a), (way, d)))
    return False


def _union(sets: Iterator[typed.Expression | None]) -> typed.Expression | None:
    result: typed.Expression | None = None
    for one in sets:
        if one is None:
            return None
        result = one if result is None else typed.SetOperation("union", result, one, one.type, one.span)
    return result
