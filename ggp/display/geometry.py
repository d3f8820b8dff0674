"""Where the cells of boards are drawn: squares, hexagons, points, and the edges and corners between them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import typed
from ggp.language.typed.types import DIRECTION, DIRECTIONS, CellType, SetType, codes, column_letters, scalar_text
from ggp.language.typed.walk import nodes_of
from ggp.scene.scene import Axis, Place

ROW_OF_HEXAGONS = math.sqrt(3) / 2
"""Distance between rows of hexagons whose centres are 1 apart."""
TRIANGLE = 5.4
"""Height of a point of backgammon, which holds five men."""
NORTH, NORTHEAST, EAST, SOUTHEAST, SOUTH, SOUTHWEST, WEST, NORTHWEST = range(len(DIRECTIONS))
LEANING = {
    frozenset({NORTH, EAST, SOUTHEAST, SOUTH, WEST, NORTHWEST}): 1,
    frozenset({NORTH, NORTHEAST, EAST, SOUTH, SOUTHWEST, WEST}): -1,
}
"""The six directions of a board of hexagons, and to which side its columns lean towards the north."""


def lean_of(game: typed.Game) -> int:
    """Return 1 or -1 where a game is played in six directions, see `LEANING`, else 0."""
    roots = (game.phases, game.payoff, tuple(table.type for table in game.tables))
    sets = {
        node.value
        for node in nodes_of(*roots)
        if isinstance(node, typed.Constant) and node.type == SetType(DIRECTION) and isinstance(node.value, frozenset)
    }
    for table in game.tables:
        if table.type.element == SetType(DIRECTION):
            sets.update(value for value in table.values if isinstance(value, frozenset))
    found = [LEANING[one] for one in sets if one in LEANING]
    return found[0] if found and all(one in LEANING or len(one) < 6 for one in sets) else 0


class Layout(Struct, frozen=True):
    """How one board is laid out. `lean` is 0 for squares, else see `LEANING`; `form` is that of its cells.

    Of a board of hexagons that is cut out of its grid, `missing` are the cells that are never drawn; the others lie
    between `left` and `right`.
    """

    board: CellType
    form: str
    lean: int = 0
    missing: frozenset[int] = frozenset()
    left: float = 0.0
    right: float | None = None

    def without(self, missing: frozenset[int]) -> Layout:
        """Return the layout without cells that are never drawn: of hexagons, as narrow as the others are."""
        found = [self.centre(cell)[0] for cell in codes(self.board) if cell not in missing] if self.lean else []
        return replace(self, missing=missing, left=min(found) - 0.5, right=max(found) + 0.5) if found else self

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, in units."""
        if not self.lean:
            return self.board.width, self.board.height * (TRIANGLE if self.form == "triangle" else 1)
        right = self.board.width + (self.board.height - 1) / 2 if self.right is None else self.right
        return (
            right - self.left + (0.6 if self._counts_on_the_right else 0),
            (self.board.height - 1) * ROW_OF_HEXAGONS + 2 / math.sqrt(3),
        )

    def centre(self, cell: int) -> tuple[float, float]:
        """Return where the centre of a cell is, y to the south."""
        x, y = cell % self.board.width, cell // self.board.width
        if self.form == "triangle":
            return x + 0.5, (self.board.height - y - 0.5) * TRIANGLE
        if not self.lean:
            return x + 0.5, self.board.height - y - 0.5
        shift = y if self.lean > 0 else self.board.height - 1 - y
        return x + 0.5 + shift / 2 - self.left, (self.board.height - 1 - y) * ROW_OF_HEXAGONS + 1 / math.sqrt(3)

    def side(self, cell: int, direction: int) -> Place:
        """Return the edge of a cell on a side, empty and without a name."""
        _, east, north = DIRECTIONS[direction]
        x, y = self.centre(cell)
        across = east + self.lean * north / 2
        slanted = "falling" if across * north > 0 else "rising"
        form = "upright" if not north else slanted if self.lean else "flat"
        high = ROW_OF_HEXAGONS if self.lean else 1
        return Place("", "", x + across / 2, round(y - north * high / 2, 6), form)

    def cells(self) -> Iterator[tuple[int, Place]]:
        """Yield the board's cells, empty, with their codes."""
        for cell in range(self.board.width * self.board.height):
            x, y = self.centre(cell)
            column, row = cell % self.board.width, cell // self.board.width
            tint = (column - row * self.lean) % 3 if self.lean else 1 - (column + row) % 2
            yield cell, Place(scalar_text(self.board, cell), self.board.name, x, y, self.form, tint)

    @property
    def _counts_on_the_right(self) -> bool:
        """Whether the letters of the columns come where the numbers of the rows would be on the left."""
        return self.lean > 0 and 0 in self.missing

    def axes(self) -> Iterator[Axis]:
        """Yield the letters of the columns below their cells, and the numbers of the rows, mostly to the left."""
        if self.form == "triangle":
            return
        width, cells = self.board.width, [cell for cell in codes(self.board) if cell not in self.missing]
        for x in sorted({cell % width for cell in cells}):
            at, bottom = self.centre(next(cell for cell in cells if cell % width == x))
            yield Axis(column_letters(x), at - 0.25 * self.lean, bottom + 0.5 + 0.24)
        for y in sorted({cell // width for cell in cells}):
            row = [cell for cell in cells if cell // width == y]
            side = 1 if self._counts_on_the_right else -1
            middle, at = self.centre(row[-1] if side > 0 else row[0])
            yield Axis(str(y + 1), middle + side * (0.5 + 0.28), at)

    def between(self, other: CellType) -> Iterator[tuple[int, Place]]:
        """Yield the cells of another board that lie on this one's cells, edges and corners, see `fits`."""
        wide, high = other.width - self.board.width, other.height - self.board.height
        is_points = (other.width, other.height) == (2 * self.board.width - 1, 2 * self.board.height - 1) and wide > 0
        for cell in range(other.width * other.height):
            x, y = cell % other.width, cell // other.width
            if is_points and (wide, high) != (1, 1):
                form = ("corner" if y % 2 else "upright") if x % 2 else ("flat" if y % 2 else "")
                if form:
                    yield cell, _place(other, cell, x / 2 + 0.5, self.board.height - y / 2 - 0.5, form)
            elif (wide, high) == (0, 1):
                yield cell, _place(other, cell, x + 0.5, self.board.height - y, "flat")
            elif (wide, high) == (1, 0):
                yield cell, _place(other, cell, x, self.board.height - y - 0.5, "upright")
            elif wide == high == 1:
                yield cell, _place(other, cell, x, self.board.height - y, "corner")
            else:
                yield cell, _place(other, cell, x + 1, self.board.height - y - 1, "corner")


def _place(board: CellType, cell: int, x: float, y: float, form: str) -> Place:
    return Place(scalar_text(board, cell), board.name, x, y, form)
