"""Edges that moves name by a cell and a direction, in two components: seen from random plays.

A wall that is put up by `build by c in cell, d in direction` stands on the edge of the cell: a click there means both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ggp.display.geometry import Layout
from ggp.display.looks import has_arrows, meaning
from ggp.display.plays import Plays
from ggp.display.walls import HEADINGS, SIDES, sides_of, walls
from ggp.language import typed
from ggp.language.typed.types import CellType, ScalarType, codes, scalar_text


class EdgeMove(Struct, frozen=True):
    """A kind of move that names an edge of a board: its word, and its components, the cell and the direction."""

    word: str
    types: tuple[ScalarType, ...]

    def names(self, layout: Layout) -> Iterator[tuple[tuple[float, float], str]]:
        """Yield where the edges of a board lie, with what pages call them: `build cell:a1 direction:north`."""
        cells, heading = sorted(self.types, key=lambda type_: not isinstance(type_, CellType))
        for cell in codes(cells) if cells == layout.board else ():
            for code in codes(heading):
                direction = _direction(heading, code)
                if direction in SIDES[layout.lean]:
                    named = {cells: meaning(cells, cell), heading: meaning(heading, code)}
                    edge = layout.side(cell, direction)
                    yield (edge.x, edge.y), " ".join((self.word, *(named[type_] for type_ in self.types))).strip()


def edge_moves(plays: Plays, lean: int) -> frozenset[EdgeMove]:
    """Return the kinds of moves that, in random play, change what stands on the edge that they name, and no other."""
    game = plays.game
    kinds = {
        id(kind): EdgeMove(kind.name or "", types)
        for phase in game.phases
        for chooser in phase.choosers
        for kind in chooser.kinds
        if len(types := tuple(part.type for part in kind.components)) == 2
        if sum(isinstance(type_, CellType) for type_ in types) == 1 and any(map(has_arrows, types))
    }
    boards = {type_ for move in kinds.values() for type_ in move.types if isinstance(type_, CellType)}
    layouts = [
        Layout(board, "hexagon" if lean else "square", lean)
        for board in boards
        if any(sides_of(variable.name, variable.type, board, lean) for variable in game.variables)
    ]
    found: set[EdgeMove] = set()
    for step in plays.steps if layouts else ():
        for kind, values in step.chosen.values() if len(step.chosen) == 1 else ():
            move = kinds.get(id(kind))
            for layout in layouts if move is not None else ():
                assert move is not None
                before, after = (_standing(game, of, layout) for of in (step.before, step.after))
                if before ^ after == {_edge(move, values, layout)}:
                    found.add(move)
    return frozenset(found)


def _standing(
    game: typed.Game, values: Mapping[typed.Variable, typed.Value], layout: Layout
) -> set[tuple[float, float]]:
    """Return where the edges lie on which something stands."""
    return {
        (edge.x, edge.y)
        for variable in game.variables
        for side, _ in walls(variable.name, variable.type, values[variable], layout.board, layout.lean)
        for edge in (layout.side(*side),)
    }


def _edge(move: EdgeMove, values: tuple[int, ...], layout: Layout) -> tuple[float, float] | None:
    cell, direction = 0, None
    for type_, code in zip(move.types, values, strict=True):
        if isinstance(type_, CellType):
            cell = code
        else:
            direction = _direction(type_, code)
    if direction is None or layout.board not in move.types:
        return None
    edge = layout.side(cell, direction)
    return edge.x, edge.y


def _direction(type_: ScalarType, code: int) -> int | None:
    """Return the number of the direction that a member of a type names."""
    return HEADINGS.get(scalar_text(type_, code))
