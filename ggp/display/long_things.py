"""Things that lie over several cells in a row, such as cars and ships, in games that do not say how they are drawn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeAlias

from ggp.display.looks import NOTHING
from ggp.display.plays import WORK_LIMIT, Plays
from ggp.display.walls import SIDES
from ggp.faults import GameError
from ggp.language import typed
from ggp.language.evaluation.expressions import evaluate
from ggp.language.evaluation.scope import Scope
from ggp.language.typed.types import (
    DIRECTIONS,
    ArrayType,
    CellType,
    EnumType,
    OptionType,
    ScalarType,
    SetType,
    codes,
    scalar_text,
    size,
)
from ggp.language.typed.walk import walk_through

MAX_THINGS = 40
"""Members of a type that are looked at."""
MAX_SPANS = 2_000
"""Things and cells that are looked at, multiplied."""


Spans: TypeAlias = tuple[tuple[frozenset[int], ...], ...]


def long_things(plays: Plays, lean: int) -> frozenset[ScalarType]:
    """Return the types of which each member is one thing, seen from random plays.

    These index sets of cells (`parked[car]: set of spot`) or are what cells hold (`standing[spot]: car or none`), and
    each member's cells lie in a row, always as many, some of them more than one.
    """
    kept = {variable: thing for variable in plays.game.variables for thing in _things(variable)}
    sizes: dict[tuple[typed.Variable, int], int] = {}
    for play in plays.played if kept else ():
        for values in (*(step.before for step in play[:1]), *(step.after for step in play)):
            for variable in list(kept):
                cells = _cells(variable, values[variable])
                changes = (len(held) != sizes.setdefault((variable, code), len(held)) for code, held in cells.items())
                if any(changes) or not all(_is_row(held, lean) for held in cells.values()):
                    del kept[variable]
    return frozenset(kept[variable] for (variable, _), number in sizes.items() if variable in kept and number > 1)


def spans_of(game: typed.Game, scope: Scope, lean: int) -> dict[typed.Variable, Spans]:
    """Return over which cells things lie, where a function says it of their own cells.

    `def covers(k: car)` may say it of the first cell of each, `at[car]: spot`: all of them in a row with it, and at the
    beginning no two over the same cell.

    Args:
        game: whose functions they are.
        scope: of the initial state.
        lean: of its hexagons, see `geometry.LEANING`.
    """
    found = {}
    for variable in game.variables:
        type_ = variable.type
        if not isinstance(type_, ArrayType) or len(type_.indices) != 1 or not isinstance(type_.element, CellType):
            continue
        (index,), board = type_.indices, type_.element
        is_thing = isinstance(index, EnumType) and index.role == "enumeration" and not variable.is_kept
        for function in game.functions if is_thing and size(index) * size(board) <= MAX_SPANS else ():
            if [argument.type for argument in function.arguments] != [index] or function.type != SetType(board):
                continue
            reads = [part for part in walk_through(function.body) if isinstance(part, typed.StateRead | typed.MoveRead)]
            if function.phase is None and {getattr(read, "variable", None) for read in reads} == {variable}:
                spans = _spans(function, variable, scope, lean)
                if spans:
                    found[variable] = spans
    return found


def _spans(function: typed.Function, variable: typed.Variable, scope: Scope, lean: int) -> Spans:
    """Return for each thing, and each cell where it may be, the cells over which it lies; empty: not in a row."""
    start = scope.variables[variable]
    assert isinstance(start, tuple)
    assert isinstance(variable.type, ArrayType)
    (index,), board = variable.type.indices, variable.type.element
    assert isinstance(board, CellType)
    spans = []
    for place, code in enumerate(codes(index)):
        row = []
        for cell in codes(board):
            moved = {**scope.variables, variable: (*start[:place], cell, *start[place + 1 :])}
            try:
                cells = evaluate(function.body, Scope(moved, {function.arguments[0]: code}, work_limit=WORK_LIMIT))
            except GameError:
                return ()
            assert isinstance(cells, frozenset)
            if cell not in cells or not _is_row([divmod(one, board.width) for one in cells], lean):
                return ()
            row.append(cells)
        spans.append(tuple(row))
    covered = [spans[place][cell] for place, cell in enumerate(start) if isinstance(cell, int)]
    is_long = any(len(cells) > 1 for cells in covered)
    return tuple(spans) if is_long and len(frozenset().union(*covered)) == sum(map(len, covered)) else ()


def _things(variable: typed.Variable) -> Iterator[ScalarType]:
    """Yield the type whose members may be things that lie over several cells, as a variable says."""
    type_ = variable.type
    if variable.is_kept or variable.part or not isinstance(type_, ArrayType) or len(type_.indices) != 1:
        return
    (index,), element = type_.indices, type_.element
    kept = element.inner if isinstance(element, OptionType) else element
    thing = index if isinstance(element, SetType) and isinstance(element.element, CellType) else kept
    if thing == kept and not isinstance(index, CellType):
        return
    if isinstance(thing, EnumType) and thing.role == "enumeration" and len(thing.members) <= MAX_THINGS:
        yield thing


def _cells(variable: typed.Variable, value: typed.Value) -> dict[int, list[tuple[int, int]]]:
    """Return where each thing lies that lies somewhere: columns and rows."""
    assert isinstance(variable.type, ArrayType)
    assert isinstance(value, tuple)
    (index,), element = variable.type.indices, variable.type.element
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for code, each in zip(codes(index), value, strict=True):
        if isinstance(each, frozenset):
            assert isinstance(element, SetType)
            assert isinstance(element.element, CellType)
            found[code] += [divmod(cell, element.element.width) for cell in each]
        elif isinstance(each, int):
            assert isinstance(index, CellType)
            found[each].append(divmod(code, index.width))
    thing = next(_things(variable))
    return {code: cells for code, cells in found.items() if cells and scalar_text(thing, code) not in NOTHING}


def _is_row(cells: list[tuple[int, int]], lean: int) -> bool:
    """Return whether cells, by their rows and columns, lie beside each other in a row: one on after the other."""
    first, *others = sorted(cells)
    steps = {(DIRECTIONS[side][2], DIRECTIONS[side][1]) for side in SIDES[lean]}
    return not others or any(
        others == [(first[0] + k * up, first[1] + k * east) for k in range(1, len(cells))] for up, east in steps
    )
