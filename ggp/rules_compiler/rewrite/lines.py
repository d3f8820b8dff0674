"""Cells on a line that rules find by distances, as a search along the line, which needs no loop.

`{c + n*d for d in ways, n in 1..7 if all k in 1..n: c + k*d in empty}` is, for each d, what `reach from {c} through
empty by {d}` finds besides c. With `1..n - 1`, the cell that ends the way counts, too: how most authors write where a
rook goes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec.structs import replace

from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed.types import BOOL, DIRECTION, CellType, OptionType, ScalarType, SetType, codes
from ggp.language.typed.walk import rebuilt, same
from ggp.rules_compiler.rewrite import integer_loops
from ggp.rules_compiler.rewrite.conditions import added, number, steps
from ggp.rules_compiler.rewrite.memberships import together, within
from ggp.rules_compiler.size import can_fail, conjuncts, mentions

NO = typed.Constant(0, BOOL, Span(1, 1, 1, 1))


def comprehension(
    node: typed.Comprehension, is_known: Callable[[typed.Expression], bool]
) -> typed.Comprehension | None:
    """Return a set of cells found by distances as one found by a search; None for others.

    Args:
        node: the set.
        is_known: whether an expression that reads no name bound in the set is known to the code being written.
    """
    *outer, last = node.binders
    step, n = node.element, last.symbol
    if not isinstance(step, typed.CellStep) or not isinstance(step.type, OptionType) or can_fail(step.cell):
        return None
    board, direction = step.cell.type, step.direction
    if not isinstance(board, CellType) or not isinstance(step.times, typed.Local) or step.times.symbol is not n:
        return None
    if mentions(n, step.cell) or not _is_one(direction, outer, is_known) or not _runs_across(last, board):
        return None
    found = integer_loops.way(last, node.condition)
    if found is None or (found.before is not None and can_fail(found.before)):
        return None
    match found.begun:
        case None:
            times: typed.Expression = step.times
        case typed.Binary(right=typed.Constant(value=1)):
            times = added(step.times, -1)
        case _:
            return None
    through = _members(found.test, replace(step, times=times), board)
    if through is None or mentions(n, through):
        return None
    type_, span = SetType(board), node.span
    start = typed.SetLiteral((step.cell,), type_, span)
    way = typed.SetLiteral((direction,), SetType(DIRECTION), span)
    reached: typed.Expression = typed.Reach("reach", start, through, way, type_, span)
    if found.begun is None:
        reached = typed.SetOperation("difference", reached, start, type_, span)
    else:
        reached = typed.SetStep(reached, direction, number(1, span), type_, span)
    symbol = typed.Symbol("there", board, "bound", span)
    here = typed.Local(symbol, board, span)
    tests = [] if found.before is None else [found.before]
    exists = found.begun is None and _exists(found.test, step)
    for part in conjuncts(found.rest):
        test = _about(part, step, here)
        if mentions(n, test) or (can_fail(part) and not exists):
            return None
        exists = exists or _exists(part, step)
        if isinstance(test, typed.Unary) and test.operand is NO:
            continue
        # what may be a fault is tested of the cells for which all before it holds
        members = None if any(map(can_fail, [*tests, test])) else within(test, symbol)
        if members is None:
            tests.append(test)
        else:
            reached = typed.SetOperation("intersection", reached, members, type_, span)
    binders = (*outer, typed.Binder(symbol, reached))
    return replace(node, binders=binders, condition=together("and", tests), element=here)


def _is_one(
    direction: typed.Expression, binders: list[typed.Binder], is_known: Callable[[typed.Expression], bool]
) -> bool:
    """Return whether a direction is known wherever the code of a search is written."""
    for binder in binders:
        if isinstance(direction, typed.Local) and direction.symbol is binder.symbol:
            return isinstance(binder.domain, ScalarType | typed.Constant)
    return is_known(direction)


def _runs_across(binder: typed.Binder, board: CellType) -> bool:
    """Return whether a number runs from 1 as far as the board is long."""
    match integer_loops.ends(binder):
        case typed.Constant(value=1), typed.Constant(value=int() as last):
            return last >= max(board.width, board.height) - 1
    return False


def _exists(test: typed.Expression, step: typed.CellStep) -> bool:
    """Return whether a condition says that a step does not lead off the board."""
    return any(same(known, step) for known in steps(test))


def _members(test: typed.Expression, step: typed.CellStep, board: CellType) -> typed.Expression | None:
    """Return the set in which a condition says that a step leads; None where it says something else."""
    type_, span = SetType(board), step.span
    members: typed.Expression = typed.Constant(frozenset(codes(board)), type_, span)
    for part in conjuncts(test):
        operator: Literal["intersection", "difference"] = "intersection"
        if isinstance(part, typed.Unary) and isinstance(part.operand, typed.Member):
            operator, part = "difference", part.operand
        match part:
            case typed.Unary("not", typed.Unary("is_none", typed.CellStep() as element)) if same(element, step):
                continue
            case typed.Member(typed.CellStep() as element, given) if same(element, step) and given.type == type_:
                if can_fail(given):
                    return None
                members = typed.SetOperation(operator, members, given, type_, span)
            case _:
                return None
    return members


def _about(test: typed.Expression, step: typed.CellStep, here: typed.Local) -> typed.Expression:
    """Return a condition on a step as one on the cell to which it leads."""

    def change(part: typed.Expression) -> typed.Expression:
        match part:
            case typed.Unwrap(typed.Wrap(operand)) if operand is here:
                return here
            case typed.Member(typed.Wrap(operand)) if operand is here:
                return replace(part, element=here)
            case typed.Unary("is_none", typed.Wrap(operand)) if operand is here:
                return NO
            case typed.CellStep() if same(part, step):
                return typed.Wrap(here, step.type, part.span)
        return part

    changed: typed.Expression = rebuilt(test, change)
    return changed
