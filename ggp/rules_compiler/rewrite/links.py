"""Neighbours that rules give each cell by a condition, as sets of the cells from which each direction leads on.

`def near(c: cell) = {c + d for d in four if not blocked(c, d)}` is what most authors write for walls between cells. A
search by it then moves all cells that it has just reached at once, as one in fixed directions does, and what depends on
the state alone is computed once for all searches.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import typed
from ggp.language.typed.types import BOOL, DIRECTION, DIRECTIONS, CellType, IntType, OptionType, SetType, codes
from ggp.language.typed.walk import EXPRESSIONS, rebuilt, symbols_read
from ggp.language.typed.work import Held
from ggp.rules_compiler.rewrite.conditions import folded
from ggp.rules_compiler.rewrite.memberships import negated, together, within
from ggp.rules_compiler.rewrite.opened import opened, substituted
from ggp.rules_compiler.rewrite.proven import proven
from ggp.rules_compiler.size import can_fail, conjuncts, symbols_in

MAX_NODES = 400
"""Largest definition of neighbours that is looked into."""


class Link(Struct, frozen=True):
    """A direction, and the set of the cells from which it leads to a neighbour."""

    direction: int
    cells: typed.Expression


def by_direction(steps: typed.ArrayOf, times_called: Counter[typed.Function]) -> tuple[Link, ...] | None:
    """Return the neighbours of all cells as links; None for neighbours that are not given by directions."""
    return _links(Held(steps), Held(times_called))


@lru_cache(maxsize=1024)
def _links(holder: Held, called: Held) -> tuple[Link, ...] | None:
    steps, links = holder.node, []
    assert isinstance(steps, typed.ArrayOf)
    cell = typed.Local(steps.binder, steps.binder.type, steps.span)
    if not isinstance(cell.type, CellType):
        return None
    for direction in range(len(DIRECTIONS)):
        way = typed.Constant(direction, DIRECTION, steps.span)
        one = typed.Constant(1, IntType(1, 1), steps.span)
        step = typed.CellStep(cell, way, one, OptionType(cell.type), steps.span)
        exists = typed.Unary("not", typed.Unary("is_none", step, BOOL, steps.span), BOOL, steps.span)
        test = _leads(steps.body, cell, direction)
        if test is None:
            return None
        test = proven(folded(typed.Binary("and", exists, folded(test), BOOL, steps.span)), called.node)
        if can_fail(test):
            return None
        if (cells := _cells(negated(negated(test)), cell)) is None:
            return None
        links.append(Link(direction, cells))
    return tuple(links)


def _cells(test: typed.Expression, cell: typed.Local) -> typed.Expression | None:
    """Return the set of the cells for which a condition holds; None if it is laborious and not of the state alone."""
    assert isinstance(cell.type, CellType)
    type_ = SetType(cell.type)
    fixed = [part for part in conjuncts(test) if symbols_in(part) <= {cell.symbol} and not symbols_read(part)]
    others = [part for part in conjuncts(test) if part not in fixed]
    found: typed.Expression = typed.Constant(frozenset(codes(cell.type)), type_, test.span)
    if fixed:
        binder = typed.Binder(cell.symbol, cell.type)
        body = typed.Comprehension((binder,), together("and", fixed), cell, type_, test.span)
        found = typed.Call(typed.Function("links", (), body, type_, False, None, test.span), (), type_, test.span)
    for part in others:
        members = within(part, cell.symbol)
        if members is None:
            return None
        found = typed.SetOperation("intersection", found, members, type_, test.span)
    return found


def _leads(node: typed.Expression, cell: typed.Local, direction: int) -> typed.Expression | None:
    """Return the condition under which a set holds the neighbour of a cell in a direction, and no farther cells."""
    match node:
        case typed.Comprehension(binders=(binder,), condition=condition, element=element):
            way = typed.Constant(direction, DIRECTION, node.span)
            if binder.symbol.type != DIRECTION or not _is_step(element, cell, binder.symbol):
                return None
            tests = [condition] if condition is not None else []
            if isinstance(binder.domain, EXPRESSIONS):
                tests.insert(0, typed.Member(way, cast("typed.Expression", binder.domain), BOOL, node.span))
            test = together("and", tests) or typed.Constant(1, BOOL, node.span)
            return _looked_into(substituted(test, {binder.symbol: way}))
        case typed.SetOperation(operator=operator, left=left, right=right):
            first, second = _leads(left, cell, direction), _leads(right, cell, direction)
            if first is None or second is None:
                return None
            second = negated(second) if operator == "difference" else second
            return typed.Binary("or" if operator == "union" else "and", first, second, BOOL, node.span)
        case typed.If(condition=condition, then=then, otherwise=otherwise):
            first, second = _leads(then, cell, direction), _leads(otherwise, cell, direction)
            return None if first is None or second is None else typed.If(condition, first, second, BOOL, node.span)
        case typed.SetLiteral(elements=elements) if all(_is_step(one, cell, None) for one in elements):
            ways = [one.direction.value for one in elements if isinstance(one, typed.CellStep)]  # type: ignore[union-attr]
            return typed.Constant(int(direction in ways), BOOL, node.span)
        case typed.Constant(value=frozenset() as members) if not members:
            return typed.Constant(0, BOOL, node.span)
        case typed.Call() if (said := opened(node, MAX_NODES)) is not None:
            return _leads(said, cell, direction)
    return None


def _is_step(node: typed.Expression, cell: typed.Local, way: typed.Symbol | None) -> bool:
    """Return whether an expression is one step from a cell, in the direction of a symbol, or in one that is known."""
    match node:
        case typed.CellStep(typed.Local(symbol=start), direction, typed.Constant(value=1)) if start is cell.symbol:
            is_it = isinstance(direction, typed.Local) and direction.symbol is way
            return is_it or (way is None and isinstance(direction, typed.Constant))
    return False


def _looked_into(test: typed.Expression) -> typed.Expression:
    """Return a condition with what definitions say of a known direction in place of their calls."""

    def change(part: typed.Expression) -> typed.Expression:
        if isinstance(part, typed.Call) and any(isinstance(one, typed.Constant) for one in part.arguments):
            said = opened(part)
            return part if said is None else _looked_into(said)
        if isinstance(part, typed.Member) and isinstance(part.element, typed.Constant):
            return _holds(part.set, part)
        return part

    changed: typed.Expression = folded(rebuilt(test, change))
    return changed


def _holds(members: typed.Expression, test: typed.Member) -> typed.Expression:
    """Return whether a value known before play is in a set, asked of the parts of the set."""
    match members:
        case typed.SetOperation(operator=operator, left=left, right=right):
            first, second = _holds(left, test), _holds(right, test)
            second = typed.Unary("not", second, BOOL, test.span) if operator == "difference" else second
            return typed.Binary("or" if operator == "union" else "and", first, second, BOOL, test.span)
        case typed.If(condition=condition, then=then, otherwise=otherwise):
            return typed.If(condition, _holds(then, test), _holds(otherwise, test), BOOL, test.span)
        case typed.Call() if (said := opened(members)) is not None:
            return _holds(said, test)
        case typed.SetLiteral(elements=elements) if all(isinstance(one, typed.Constant) for one in elements):
            values = frozenset(one.value for one in elements if isinstance(one, typed.Constant))
            members = typed.Constant(values, members.type, members.span)  # type: ignore[arg-type]
    return replace(test, set=members)
