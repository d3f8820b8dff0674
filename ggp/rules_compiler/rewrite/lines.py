"""Cells on a line that rules find by distances, as a search along the line, which needs no loop.

`{c + n*d for d in ways, n in 1..7 if all k in 1..n: c + k*d in empty}` is, for each d, what `reach from {c} through
empty by {d}` finds besides c. With `1..n - 1`, the cell that ends the way counts, too: how most authors write where a
rook goes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed.types import BOOL, DIRECTION, ArrayType, CellType, ScalarType, SetType, codes
from ggp.language.typed.walk import rebuilt, same
from ggp.rules_compiler.rewrite import integer_loops
from ggp.rules_compiler.rewrite.conditions import number, steps
from ggp.rules_compiler.rewrite.memberships import is_some, negated, together, within
from ggp.rules_compiler.rewrite.opened import substituted
from ggp.rules_compiler.size import can_fail, conjuncts, mentions

IsKnown: TypeAlias = Callable[[typed.Expression], bool]
NOWHERE = Span(1, 1, 1, 1)
NO = typed.Constant(0, BOOL, NOWHERE)
BACK = typed.Table("opposite", ArrayType((DIRECTION,), DIRECTION), (4, 5, 6, 7, 0, 1, 2, 3), NOWHERE)


class Line(Struct, frozen=True):
    """The cells on lines for which a condition holds, as what binders run over.

    Attributes:
        binders: those of the rules, the last of which runs over cells in place of distances.
        tests: what is tested of each cell.
    """

    binders: tuple[typed.Binder, ...]
    tests: tuple[typed.Expression, ...]

    @property
    def here(self) -> typed.Local:
        """The cell."""
        symbol = self.binders[-1].symbol
        return typed.Local(symbol, symbol.type, symbol.span)


def comprehension(node: typed.Comprehension, is_known: IsKnown) -> typed.Comprehension | None:
    """Return a set of cells found by distances as one found by a search; None for others.

    Args:
        node: the set.
        is_known: whether an expression that reads no name bound in the set is known to the code being written.
    """
    if not isinstance(node.element, typed.CellStep):
        return None
    found = _line(node.binders, node.condition, node.element, is_known)
    if found is None:
        return None
    return replace(node, binders=found.binders, condition=together("and", found.tests), element=found.here)


def quantifier(node: typed.Quantifier, is_known: IsKnown) -> typed.Expression | None:
    """Return a condition on cells found by distances as one on those found by a search; None for others."""
    where = negated(node.body) if node.kind == "all" else node.body
    lines = (_line(node.binders, where, step, is_known) for step in steps(where))
    found = None if can_fail(where) else next((one for one in lines if one is not None), None)
    if found is None:
        return None
    *outer, last = found.binders
    assert not isinstance(last.domain, ScalarType | tuple)
    some = is_some(last.domain)
    if (tests := together("and", found.tests)) is not None:
        some = typed.Quantifier("any", (last,), tests, BOOL, node.span)
    if outer:
        some = typed.Quantifier("any", tuple(outer), some, BOOL, node.span)
    return some if node.kind == "any" else typed.Unary("not", some, BOOL, node.span)


def _line(
    binders: Sequence[typed.Binder], where: typed.Expression | None, step: typed.CellStep, is_known: IsKnown
) -> Line | None:
    """Return the cells to which a step leads, its length being that of the last binder, where a condition holds."""
    *outer, last = binders
    n, board = last.symbol, step.cell.type
    direction = _direction(step, n)
    if direction is None or not isinstance(board, CellType) or can_fail(step.cell) or mentions(n, step.cell):
        return None
    if not _is_one(step.direction, outer, is_known) or not _runs_across(last, board):
        return None
    type_, span = SetType(board), step.span
    way = integer_loops.way(last, where) or integer_loops.Way(None, None, typed.Constant(1, BOOL, span), where)
    if way.before is not None and can_fail(way.before):
        return None
    match way.begun:
        case None:
            end = step
        case typed.Binary(left=before, right=typed.Constant(value=1)):
            end = substituted(step, {n: before})
        case _:
            return None
    through = _members(way.test, end, board)
    if through is None or mentions(n, through):
        return None
    start = typed.SetLiteral((step.cell,), type_, span)
    ahead = typed.SetLiteral((direction,), SetType(DIRECTION), span)
    reached: typed.Expression = typed.Reach("reach", start, through, ahead, type_, span)
    if way.begun is None:
        reached = typed.SetOperation("difference", reached, start, type_, span)
    else:
        reached = typed.SetStep(reached, direction, number(1, span), type_, span)
    symbol = typed.Symbol("there", board, "bound", span)
    here = typed.Local(symbol, board, span)
    tests = [] if way.before is None else [way.before]
    exists = way.begun is None and _exists(way.test, step)
    for part in conjuncts(way.rest):
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
    return Line((*outer, typed.Binder(symbol, reached)), tuple(tests))


def _direction(step: typed.CellStep, n: typed.Symbol) -> typed.Expression | None:
    """Return the direction of a step of length n; None for other steps."""
    match step.times:
        case typed.Local(symbol=symbol) if symbol is n:
            return step.direction
        case typed.Unary("negate", typed.Local(symbol=symbol)) if symbol is n:
            return typed.TableRead(BACK, (step.direction,), DIRECTION, step.span)
    return None


def _is_one(direction: typed.Expression, binders: Sequence[typed.Binder], is_known: IsKnown) -> bool:
    """Return whether a direction is known wherever the code of a search is written."""
    for binder in binders:
        if isinstance(direction, typed.Local) and direction.symbol is binder.symbol:
            domain = binder.domain
            return isinstance(domain, ScalarType) or (not isinstance(domain, tuple) and is_known(domain))
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
    for part in conjuncts(None if isinstance(test, typed.Constant) else test):
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
