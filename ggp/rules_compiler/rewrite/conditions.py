"""Conditions over the cells of a board, rewritten so that they show what holds for many cells at once.

Short loops over integers are written out, and two loops over columns and rows become one over cells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from itertools import product
from typing import Literal, cast

from ggp.language import typed
from ggp.language.evaluation.constants import Evaluator
from ggp.language.evaluation.faults import GameError
from ggp.language.text.source import Span
from ggp.language.typed.types import BOOL, DIRECTIONS, BoolType, CellType, IntType, SetType, codes
from ggp.language.typed.walk import nodes_of, parts, rebuilt, same
from ggp.rules_compiler.rewrite.memberships import HOLDS, TURNED, together
from ggp.rules_compiler.rewrite.opened import opened, substituted, taken_apart
from ggp.rules_compiler.size import can_fail, conjuncts, known_codes, mentions, node_count

MAX_WRITTEN_OUT = 8
"""Values of an integer for each of which a condition is written;"""
MAX_NODES = 800
"""up to this many nodes together."""
MAX_DISTANCES = 3
"""Values of an integer that is a distance along x or y;"""


def written_out(node: typed.Quantifier, swept: frozenset[typed.Symbol]) -> typed.Expression | None:
    """Return a quantifier over a few integers as a condition for each, if it is about some cells; None for others."""
    first, *others = node.binders
    if others or not isinstance(first.symbol.type, IntType) or not any(mentions(one, node.body) for one in swept):
        return None
    values = known_codes(first.domain) or ()
    if not 0 < len(values) <= MAX_WRITTEN_OUT or len(values) * node_count(node.body) > MAX_NODES:
        return None
    cases = [folded(substituted(node.body, {first.symbol: number(value, node.span)})) for value in values]
    operator: Literal["and", "or"] = "and" if node.kind == "all" else "or"
    result: typed.Expression = reduce(lambda a, b: typed.Binary(operator, a, b, BOOL, node.span), cases)
    return typed.Unary("not", result, BOOL, node.span) if node.kind == "no" else result


def without_distances(node: typed.Quantifier) -> typed.Expression | None:
    """Return a quantifier over two large ranges of integers and some small ones as one for each value of these.

    In `any x in 1..7, y in 1..6, dx in 0..1, dy in -1..1: ...`, how authors write lines on a board, dx and dy are
    small. None for others, and where the order decides whether a fault is met.
    """
    ranges = [codes(one.domain) if isinstance(one.domain, IntType) else range(0) for one in node.binders]
    small = [one for one, values in zip(node.binders, ranges, strict=True) if len(values) <= MAX_DISTANCES]
    large = tuple(one for one in node.binders if one not in small)
    cases = list(product(*(values for values in ranges if len(values) <= MAX_DISTANCES)))
    if len(large) != 2 or not cases or len(cases) * node_count(node.body) > MAX_NODES:
        return None
    bodies = []
    for case in cases:
        values = {one.symbol: number(value, node.span) for one, value in zip(small, case, strict=True)}
        body = folded(substituted(node.body, values))
        if can_fail(body) and len(cases) > 1:
            return None
        if body != typed.Constant(int(node.kind == "all"), BOOL, body.span):
            bodies.append(typed.Quantifier(node.kind, large, body, BOOL, node.span))
    operator: Literal["and", "or"] = "or" if node.kind == "any" else "and"
    return together(operator, bodies)


def number(value: int, span: Span) -> typed.Constant:
    """Return an integer known before play."""
    return typed.Constant(value, IntType(value, value), span)


def added(node: typed.Expression, distance: int) -> typed.Expression:
    """Return an integer plus a distance."""
    if not distance:
        return node
    if isinstance(node, typed.Constant) and isinstance(node.value, int):
        return number(node.value + distance, node.span)
    assert isinstance(node.type, IntType)
    type_ = IntType(node.type.low + distance, node.type.high + distance)
    return typed.Binary("add", node, number(distance, node.span), type_, node.span)


def steps(test: typed.Expression) -> tuple[typed.CellStep, ...]:
    """Return the steps that are not none where a condition holds."""
    match test:
        case typed.Binary("and", left, right):
            return (*steps(left), *steps(right))
        case typed.Unary("not", typed.Unary("is_none", typed.CellStep() as step)):
            return (step,)
        case typed.Member(element=typed.CellStep() as step):
            return (step,)
    return ()


def joined(
    binders: Sequence[typed.Binder], body: typed.Expression
) -> tuple[tuple[typed.Binder, ...], typed.Expression] | None:
    """Return a binder over the cells of a board in place of two over its columns and rows, and the body; else None."""
    if can_fail(body):
        return None  # in another order, another fault may be met first, or none
    symbols = [binder.symbol for binder in binders]
    lines = [known_codes(binder.domain) for binder in binders if isinstance(binder.symbol.type, IntType)]
    body = _within_board(body)
    for node in nodes_of(body):
        if not isinstance(node, typed.CellAt):
            continue
        (x, left), (y, below) = taken_apart(node.x), taken_apart(node.y)
        locals_ = [x.symbol, y.symbol] if isinstance(x, typed.Local) and isinstance(y, typed.Local) else []
        if sorted(map(id, locals_)) != sorted(map(id, symbols)) or not isinstance(node.type, CellType):
            continue
        columns, rows = (lines[symbols.index(one)] for one in locals_)
        if columns is None or rows is None:
            return None
        board = node.type
        inside = [
            (row + below - 1) * board.width + column + left - 1
            for row in rows
            for column in columns
            if 0 <= column + left - 1 < board.width and 0 <= row + below - 1 < board.height
        ]
        if len(inside) != len(rows) * len(columns):
            return None
        symbol = typed.Symbol("place", board, "bound", symbols[0].span)
        here, span = typed.Local(symbol, board, symbol.span), symbol.span
        changed = rebuilt(body, lambda part: here if same(part, node) else part)  # noqa: B023
        if any(mentions(one, changed) for one in symbols):
            return None
        domain = typed.Constant(frozenset(inside), SetType(board), span)
        return (typed.Binder(symbol, domain),), changed
    return None


def _within_board(body: typed.Expression) -> typed.Expression:
    """Return a condition without tests of columns and rows that follow from a membership of a cell beside them."""
    tests = [part for test in conjuncts(body) for part in conjuncts(_said(test))]
    ends: dict[tuple[typed.Symbol, int], int] = {}
    for test in tests:
        if isinstance(test, typed.Member) and not can_fail(test):
            east, north, cell = 0, 0, test.element
            while isinstance(cell, typed.CellStep) and isinstance(cell.times, typed.Constant):
                if not isinstance(cell.direction, typed.Constant):
                    break
                _, along_x, along_y = DIRECTIONS[cast("int", cell.direction.value)]
                times = cast("int", cell.times.value)
                east, north, cell = east + along_x * times, north + along_y * times, cell.cell
            if isinstance(cell, typed.CellAt) and isinstance(cell.type, CellType):
                for index, distance, last in ((cell.x, east, cell.type.width), (cell.y, north, cell.type.height)):
                    local, more = taken_apart(index)
                    if isinstance(local, typed.Local):
                        ends[local.symbol, distance + more] = last
    kept = [test for test in tests if not _follows(test, ends)]
    return body if len(kept) == len(tests) else together("and", kept) or body


def _said(test: typed.Expression) -> typed.Expression:
    """Return what a definition says of its arguments, alone in a conjunction; others as they are."""
    said = opened(test) if isinstance(test, typed.Call) else None
    return test if said is None else said


def _follows(test: typed.Expression, ends: Mapping[tuple[typed.Symbol, int], int]) -> bool:
    """Return whether a test of an index holds if some sums of a symbol and a distance lie between 1 and their ends."""
    holds: Callable[[int], bool]
    match test:
        case typed.Member(element=element, set=typed.Constant(value=frozenset() as members)):
            holds = members.__contains__
        case typed.Binary(operator=sign, left=element, right=typed.Constant(value=int() as end)) if sign in HOLDS:
            holds = partial(HOLDS[TURNED[sign]], end)
        case typed.Binary(operator=sign, left=typed.Constant(value=int() as end), right=element) if sign in HOLDS:
            holds = partial(HOLDS[sign], end)
        case _:
            return False
    local, distance = taken_apart(element)
    return any(
        isinstance(local, typed.Local) and symbol is local.symbol
        and all(holds(value + distance - more) for value in range(1, last + 1))
        for (symbol, more), last in ends.items()
    )  # fmt: skip


def depend(binder: typed.Binder, binders: Sequence[typed.Binder]) -> bool:
    """Return whether the domain of a binder depends on another, or can be a fault."""
    return any(can_fail(part) or any(mentions(one.symbol, part) for one in binders) for part in parts(binder))


def folded(node: typed.Expression) -> typed.Expression:
    """Return an expression with arithmetic on constants computed."""
    evaluator = Evaluator()

    def change(part: typed.Expression) -> typed.Expression:
        match part:
            case typed.Binary(operator="and" | "or" as operator, left=typed.Constant(value=known), right=other):
                return other if bool(known) == (operator == "and") else part.left
            case typed.If(condition=typed.Constant(value=known)):
                return part.then if known else part.otherwise
            case typed.Member(typed.Constant(value=known), typed.Constant(value=frozenset() as members)):
                return typed.Constant(int(known in members), BOOL, part.span)
            case typed.Binary(operator="add" | "subtract", left=other, right=typed.Constant(value=0)):
                return other
            case typed.Binary(operator="and" | "or" as operator, left=other, right=typed.Constant(value=known)):
                return other if bool(known) == (operator == "and") else part
        arithmetic = isinstance(part, typed.Binary | typed.Unary | typed.Guard)
        if not arithmetic or not isinstance(part.type, IntType | BoolType):
            return part
        operands = [getattr(part, name) for name in ("left", "right", "operand") if hasattr(part, name)]
        if not all(isinstance(one, typed.Constant) for one in operands):
            return part
        try:
            value = evaluator.value(part, {})
        except GameError:
            return part
        assert isinstance(value, int)
        return typed.Constant(value, BOOL, part.span) if part.type == BOOL else number(value, part.span)

    result: typed.Expression = rebuilt(node, change)
    return result
