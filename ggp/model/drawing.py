"""A world state drawn as data: the cells of a board with text and colour, and labelled lines.

Who shows it (a terminal, a web page) decides how; `str` gives it plain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ggp.language import typed
from ggp.language.typed.types import CellType
from ggp.model.reference.expressions import evaluate
from ggp.model.reference.interpreter import Interpreter, WorldState
from ggp.model.reference.scope import Scope
from ggp.model.value_texts import value_text


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """One cell of a drawn board; `text` is empty where no rule draws anything, `color` None where none is asked for."""

    text: str
    color: str | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn state.

    Attributes:
        rows: the board from its top row (the largest y) down, each row from west to east; empty without a board.
        lines: label and value of each line below the board.
        upright: what is drawn on the edges between the cells of each row and at its ends, `[height][width + 1]`; empty
            where the rules draw no edges.
        flat: on the edges above the rows and below the last, `[height + 1][width]`; empty likewise.
    """

    rows: tuple[tuple[DrawnCell, ...], ...]
    lines: tuple[tuple[str, str], ...]
    upright: tuple[tuple[DrawnCell, ...], ...] = ()
    flat: tuple[tuple[DrawnCell, ...], ...] = ()

    def board(self) -> Iterator[tuple[int | None, tuple[DrawnCell, ...]]]:
        """Yield the lines of the board as texts of equal width, one after the other, edges included.

        Yields:
            The number of the row of cells, from the top (None of a line of edges), and its texts.
        """
        width = _width(self.rows, self.flat)
        if not self.upright:
            for place, row in enumerate(self.rows):
                yield place, tuple(part for cell in row for part in (_padded(cell, width, "."), BLANK))
            return
        gap = _width(self.upright)
        for place, (row, edges) in enumerate(zip(self.rows, self.upright, strict=True)):
            yield from self._edges_above(place, width, gap)
            cells = zip(row, edges[1:], strict=True)
            parts = (part for cell, edge in cells for part in (_padded(cell, width, "."), _padded(edge, gap)))
            yield place, (_padded(edges[0], gap), *parts)
        yield from self._edges_above(len(self.rows), width, gap)

    def _edges_above(self, place: int, width: int, gap: int) -> Iterator[tuple[None, tuple[DrawnCell, ...]]]:
        edges = self.flat[place]
        if 0 < place < len(self.rows) or any(edge.text for edge in edges):
            parts = (part for edge in edges for part in (_padded(edge, width), _padded(NOTHING, gap)))
            yield None, (_padded(NOTHING, gap), *parts)

    def __str__(self) -> str:
        rows = ["".join(cell.text for cell in cells).rstrip() for _, cells in self.board()]
        return "\n".join([*rows, *(f"{label}: {value}" for label, value in self.lines)])


NOTHING, BLANK = DrawnCell("", None), DrawnCell(" ", None)


def _width(*grids: tuple[tuple[DrawnCell, ...], ...]) -> int:
    return max((len(cell.text) for rows in grids for row in rows for cell in row), default=1) or 1


def _padded(cell: DrawnCell, width: int, blank: str = " ") -> DrawnCell:
    return DrawnCell((cell.text or blank).ljust(width), cell.color)


def draw(interpreter: Interpreter, state: WorldState, player: int | None = None) -> Drawing:
    """Draw a state as the rules' `display` says; without one, every variable is a line.

    Args:
        interpreter: of the rules.
        state: to draw.
        player: for whom: as `display for` says, where the rules have it. None: for who may see all.

    Raises:
        RulesFault: an expression of the display fails in this state.
    """
    game = interpreter.game
    scope = interpreter.scope(state)
    display = game.views[player] if player is not None and game.views else game.display
    if display is None:
        values = [pair for pair in zip(game.variables, state.values, strict=True) if not pair[0].is_kept]
        return Drawing((), tuple((variable.name, value_text(variable.type, value)) for variable, value in values))
    lines = tuple((label, value_text(line.type, evaluate(line, scope))) for label, line in display.lines)
    if display.board is None:
        return Drawing((), lines)
    cells = tuple(rule for rule in display.rules if rule.side is None)
    edges = tuple(rule for rule in display.rules if rule.side is not None)
    rows = _drawn_rows(display.board, cells, scope)
    if not edges:
        return Drawing(rows, lines)
    return Drawing(rows, lines, *_drawn_edges(display.board, edges, scope))


EAST, SOUTH, WEST = 2, 4, 6
"""Directions by their codes."""


def _drawn_edges(
    board: CellType, rules: tuple[typed.DisplayRule, ...], scope: Scope
) -> tuple[tuple[tuple[DrawnCell, ...], ...], tuple[tuple[DrawnCell, ...], ...]]:
    """Return the upright and the flat edges of a board, each drawn by the first rule that has it from either side."""
    upright: dict[tuple[int, int], DrawnCell] = {}
    flat: dict[tuple[int, int], DrawnCell] = {}
    for rule in rules:
        assert isinstance(rule.side, typed.Constant)
        drawn = DrawnCell(rule.text, rule.color)
        for cell in cells_of(rule, scope):
            x, row = cell % board.width, board.height - 1 - cell // board.width
            if rule.side.value in (EAST, WEST):
                upright.setdefault((row, x + (rule.side.value == EAST)), drawn)
            else:
                flat.setdefault((row + (rule.side.value == SOUTH), x), drawn)
    return (
        tuple(tuple(upright.get((y, x), NOTHING) for x in range(board.width + 1)) for y in range(board.height)),
        tuple(tuple(flat.get((y, x), NOTHING) for x in range(board.width)) for y in range(board.height + 1)),
    )


def cells_of(rule: typed.DisplayRule, scope: Scope) -> frozenset[int]:
    """Return the cells at which a rule draws, by their codes."""
    what = evaluate(rule.what, scope)
    if isinstance(what, frozenset):
        return what
    assert what is None or isinstance(what, int)
    return frozenset() if what is None else frozenset({what})


def _drawn_rows(
    board: CellType, rules: tuple[typed.DisplayRule, ...], scope: Scope
) -> tuple[tuple[DrawnCell, ...], ...]:
    """Return the rows of a board, each cell drawn by the first rule that has it."""
    drawn: dict[int, DrawnCell] = {}
    for rule in rules:
        for cell in cells_of(rule, scope):
            drawn.setdefault(cell, DrawnCell(rule.text, rule.color))
    blank = DrawnCell("", None)
    return tuple(
        tuple(drawn.get(y * board.width + x, blank) for x in range(board.width)) for y in reversed(range(board.height))
    )
