"""A scene as text: the cells of a board with letters and colours, and labelled lines; `str` gives it plain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from ggp.scene.scene import SEVERAL, Board, Entry, Item, Piece, Place, Scene, is_word

WIDE = 100
"""Values of more characters are shown in several lines, if they are of several things."""
LONG = 72
"""Several rows of more characters together are shown each in its own line."""
LEAST_HEXAGON = 4
"""Characters from a hexagon to the next, at least, where there are edges between them."""
LABELLED = re.compile("[a-z]+[0-9]+")
"""Names of cells by column and row."""
OFF = 0.05
"""How far a point may lie beside its row."""
SIGNS = {"flat": "-", "rising": "/", "falling": "\\"}
"""How what stands on an edge is drawn; upright: `|`."""

ARMS = {(0, -0.5): "n", (0.5, 0): "e", (0, 0.5): "s", (-0.5, 0): "w"}
"""Lines from the middle of a square to its sides."""
BOXES = {
    "n": "╵", "e": "╶", "s": "╷", "w": "╴", "en": "└", "ns": "│", "nw": "┘", "es": "┌", "ew": "─", "sw": "┐",
    "ens": "├", "nsw": "┤", "esw": "┬", "enw": "┴", "ensw": "┼",
}  # fmt: skip
"""How several of these are drawn."""


class DrawnCell(Struct, frozen=True):
    """One cell of a drawn board; `text` is empty where no rule draws anything, `color` None where none is asked for."""

    text: str
    color: str | None


class Drawing(Struct, frozen=True):
    """A drawn state.

    Attributes:
        rows: the board from its top row (the largest y) down, each row from west to east; empty without a board.
        lines: label and value of each line below the board.
        upright: what is drawn on the edges between the cells of each row and at its ends, `[height][width + 1]`; empty
            where the rules draw no edges.
        flat: on the edges above the rows and below the last, `[height + 1][width]`; empty likewise.
        slanted: of hexagons with edges instead of that, the characters of these lines, from the left of all rows.
        has_labels: whether cells are named by the letters of columns and the numbers of rows.
        named: what the rows, from the top, and the columns are called else; empty: nothing.
        shifts: by how many cells each row is shifted to the right, those of hexagons by halves; empty: none is.
    """

    rows: tuple[tuple[DrawnCell, ...], ...]
    lines: tuple[tuple[str, str], ...]
    upright: tuple[tuple[DrawnCell, ...], ...] = ()
    flat: tuple[tuple[DrawnCell, ...], ...] = ()
    shifts: tuple[float, ...] = ()
    slanted: tuple[tuple[DrawnCell, ...], ...] = ()
    has_labels: bool = True
    named: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def indent(self, place: int | None) -> str:
        """Return the spaces before the cells of a row, counted from the top; none before a line of edges."""
        if place is None or not self.shifts:
            return ""
        across = _across(self.rows) if self.slanted else _width(self.rows, self.flat) + 1
        return " " * round(self.shifts[place] * across)

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
            if self.slanted:
                yield from self._slanted_above(place)
                wide = _across(self.rows) - 1
                middle = (DrawnCell((cell.text or ".").center(wide), cell.color) for cell in row)
                pairs = zip(middle, edges[1:], strict=True)
                yield place, (_padded(edges[0], 1), *(one for cell, edge in pairs for one in (cell, _padded(edge, 1))))
                continue
            yield from self._edges_above(place, width, gap)
            cells = zip(row, edges[1:], strict=True)
            parts = (part for cell, edge in cells for part in (_padded(cell, width, "."), _padded(edge, gap)))
            yield place, (_padded(edges[0], gap), *parts)
        yield from (
            self._slanted_above(len(self.rows)) if self.slanted else self._edges_above(len(self.rows), width, gap)
        )

    def _slanted_above(self, place: int) -> Iterator[tuple[None, tuple[DrawnCell, ...]]]:
        if any(edge.text.strip() for edge in self.slanted[place]):
            yield None, self.slanted[place]

    def _edges_above(self, place: int, width: int, gap: int) -> Iterator[tuple[None, tuple[DrawnCell, ...]]]:
        edges = self.flat[place]
        if 0 < place < len(self.rows) or any(edge.text for edge in edges):
            parts = (part for edge in edges for part in (_padded(edge, width), _padded(NOTHING, gap)))
            yield None, (_padded(NOTHING, gap), *parts)

    def __str__(self) -> str:
        rows = [(self.indent(row) + "".join(cell.text for cell in cells)).rstrip() for row, cells in self.board()]
        return "\n".join([*rows, *(labelled(label, value) for label, value in self.lines)])


NOTHING, BLANK = DrawnCell("", None), DrawnCell(" ", None)


def _width(*grids: tuple[tuple[DrawnCell, ...], ...]) -> int:
    return max((len(cell.text) for rows in grids for row in rows for cell in row), default=1) or 1


def _across(rows: tuple[tuple[DrawnCell, ...], ...]) -> int:
    """Return how many characters there are from a hexagon to the next, where there are edges: an even number."""
    return max(LEAST_HEXAGON, 2 * (_width(rows) // 2 + 1))


def _padded(cell: DrawnCell, width: int, blank: str = " ") -> DrawnCell:
    return DrawnCell((cell.text or blank).ljust(width), cell.color)


def drawing_of(scene: Scene) -> Drawing:
    """Return a scene for a terminal: its first board in rows, further ones and values as lines."""
    grids = [board for board in scene.boards if board.style != "graph"]
    held = []
    for board in scene.boards:
        if board.style == "graph":
            lattice = _lattice(board)
            ways = _ways(board)
            told = [
                (place.name, _told(place) + (ways[place.x, place.y] if place.pieces else "")) for place in board.places
            ]
            name = board.name if board.name.isidentifier() else "map"
            held += [(name, "\n" + lattice)] if lattice else [(name, text) for name, text in told if text]
    legend = (("below", "; ".join(_below(scene))), ("letters", ", ".join(_letters(scene))))
    lines = [
        *held,
        *((entry.label, entry_text(entry)) for entry in scene.entries),
        *((name, text) for name, text in legend if text),
    ]
    if not grids:
        return Drawing((), tuple(lines))
    first, *others = [_Grid(board, scene).drawing() for board in grids]
    names = [
        board.level or (board.name if board.player is None else f"{board.name} of {scene.players[board.player].name}")
        for board in grids
    ]
    more = [(name, "\n" + str(other)) for name, other in zip(names[1:], others, strict=True)]
    return replace(first, lines=(*first.lines, *more, *lines))


def _below(scene: Scene) -> list[str]:
    """Return the tints of cells that the letters of what stands there hide, and which cells these are."""
    found: dict[str, list[str]] = {}
    for board in scene.boards:
        for place in board.places if board.style != "graph" else ():
            if place.pieces and _is_tint(place.ground):
                found.setdefault(place.ground.text, []).append(place.name)
    return [f"{text} {' '.join(names)}" for text, names in found.items()]


def _letters(scene: Scene) -> list[str]:
    """Return what letters on boards stand for, where the rules have names for it: tints, and words on pieces."""
    found: dict[str, str] = {}
    for place in (place for board in scene.boards for place in board.places):
        shown = [(piece.letter, piece.word) for piece in place.pieces]
        if _is_tint(place.ground) and SEVERAL not in place.ground.text and not place.pieces:
            shown.append((place.ground.letter, place.ground.text))
        found |= {letter: word for letter, word in shown if letter and word and word.lower() != letter.lower()}
    return [f"{letter} {word}" for letter, word in found.items()]


def _is_tint(ground: Piece | None) -> TypeGuard[Piece]:
    return ground is not None and ground.shape == "ground" and bool(ground.text)


def _told(place: Place) -> str:
    """Return what is at a point of a map."""
    letters = (piece.letter for piece in (*place.pieces, place.mark, place.ground) if piece)
    return " ".join([*letters, place.note]).strip()


def _ways(board: Board) -> dict[tuple[float, float], str]:
    """Return where lines lead from each point of a map, ` – paris, rome`; empty: nowhere."""
    names = {(round(place.x, 3), round(place.y, 3)): place.name for place in board.places}
    found = {(place.x, place.y): "" for place in board.places}
    for kind, lines in (("", board.lines), *((f" {name}", lines) for name, lines in board.other_lines)):
        near: dict[tuple[float, float], list[str]] = {}
        for x1, y1, x2, y2 in lines:
            ends = (round(x1, 3), round(y1, 3)), (round(x2, 3), round(y2, 3))
            for one, other in (ends, ends[::-1]):
                near.setdefault(one, []).extend([names[other]] if other in names else [])
        for x, y in found:
            others = near.get((round(x, 3), round(y, 3)))
            found[x, y] += f"{kind} – {', '.join(others)}" if others else ""
    return found


def _lattice(board: Board) -> str:
    """Return a map whose points lie in rows, and whose lines run along these or diagonally; empty: it is none."""
    places = {(place.x, place.y): place for place in board.places}
    rows, columns = (sorted({at[axis] for at in places}) for axis in (1, 0))
    gaps = [round(b - a, 3) for coordinates in (rows, columns) for a, b in pairwise(coordinates)]
    unit = min(gaps, default=0.0)
    if not unit or any(place.form != "point" for place in board.places):
        return ""
    texts = {at: ":".join(filter(None, (place.name, _told(place)))) for at, place in places.items()}
    across = max(map(len, texts.values())) // 2 * 2 + 4

    def spot(x: float, y: float) -> tuple[float, float]:
        return (y - rows[0]) / unit * 2, (x - columns[0]) / unit * across

    drawn: dict[tuple[int, int], str] = {}
    for x1, y1, x2, y2 in board.lines:
        (top, left), (bottom, right) = sorted((spot(x1, y1), spot(x2, y2)))
        down, along = round(bottom - top), round(right - left)
        if down and along and abs(along) * 2 != down * across:
            return ""
        for step in range(1, down or abs(along)):
            at = round(top) + (step if down else 0), round(left + along * step / (down or abs(along)))
            sign = "│" if not along else "─" if not down else "╲" if along > 0 else "╱"
            drawn[at] = "╳" if drawn.get(at, sign) != sign else sign
    for point, text in texts.items():
        row, middle = spot(*point)
        if abs(row - round(row)) > OFF or abs(middle - round(middle)) > OFF * across:
            return ""
        drawn |= {(round(row), round(middle) - len(text) // 2 + place): letter for place, letter in enumerate(text)}
    left, right = min(column for _, column in drawn), max(column for _, column in drawn)
    bottom = max(row for row, _ in drawn)
    if right - left >= WIDE:
        return ""
    return "\n".join(
        "".join(drawn.get((row, column), " ") for column in range(left, right + 1)).rstrip()
        for row in range(bottom + 1)
    )


def labelled(label: str, value: str) -> str:
    """Return a value behind its label, or below it, if it has several lines."""
    return f"{label}:{'' if value.startswith(chr(10)) else ' '}{value}"


def entry_text(entry: Entry) -> str:
    """Return a value beside the boards as text: of two indices as a table, long rows of several things line by line."""
    rows = entry.rows
    if entry.jumps or entry.marks:
        named: dict[str, list[str]] = {}
        for place, name, _ in entry.marks:
            named.setdefault(name, []).append(str(place))
        told = [f"{name} {' '.join(places)}" for name, places in named.items()]
        told += [f"{one} → {other}" for one, other in entry.jumps]
        plain = entry_text(replace(entry, jumps=(), marks=()))
        return ("\n  " if "\n" in plain else ", ").join((plain, *told))
    if len(rows) > 1 and all(len(row.items) > 1 and row.items[0].name for row in rows):
        heads = [["", *(item.name for item in row.items)] for row in rows]
        table = []
        for place, row in enumerate(rows):
            table += heads[place : place + 1] if not place or heads[place] != heads[place - 1] else []
            table.append([row.name, *(item.text or "." for item in row.items)])
        for cells in (table, list(zip(*table, strict=True))):
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            if sum(widths) + 2 * len(widths) <= WIDE:
                lines = ((line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])) for line in cells)
                return "".join("\n  " + "  ".join(line) for line in lines)
    if len(rows) > 1 and len(entry.text) > LONG and not any(item.name for row in rows for item in row.items):
        return "".join(f"\n  {row.name}: {', '.join(map(_counted, row.items))}" for row in rows)
    return entry.text


def _counted(item: Item) -> str:
    return f"{item.text} ×{item.number}" if item.copies > 1 else item.text or "."


def _is_lettered(ground: Piece | None) -> TypeGuard[Piece]:
    return ground is not None and ground.shape == "ground" and bool(ground.letter)


class _Grid:
    """A board as rows of letters."""

    def __init__(self, board: Board, scene: Scene) -> None:
        self.scene = scene
        cells = [place for place in board.places if place.type == board.name]
        self.rows: dict[float, dict[float, Place]] = {}
        for place in cells:
            self.rows.setdefault(place.y, {})[place.x] = place
        edges = [place for place in board.places if place.form in ("flat", "upright", "rising", "falling")]
        self.is_of_hexagons = board.style == "hexagons"
        held = (place for place in edges if place.pieces or place.ground or place.mark)
        self.edges = {(round(place.x, 3), round(place.y, 3)): place for place in held}
        self.arms: dict[tuple[float, float], str] = {}
        """To which sides lines lead from the middle of a place."""
        for x1, y1, x2, y2 in board.lines:
            self.arms[x1, y1] = self.arms.get((x1, y1), "") + ARMS.get((x2 - x1, y2 - y1), "")
        standing = {piece.letter.lower() for place in cells for piece in place.pieces}
        self.has_like_grounds = any(_is_lettered(place.ground) and place.ground.letter in standing for place in cells)
        """Whether letters of grounds could be taken for what stands there."""
        self.has_labels = (
            all(map(LABELLED.fullmatch, (place.name for place in cells))) and len({place.on for place in cells}) < 2
        )
        beside = [axis for axis in board.axes if axis.x < 0 and not self.has_labels]
        below = [axis for axis in board.axes if axis.x > 0 and not self.has_labels]
        self.named = tuple(axis.text for axis in beside), tuple(axis.text for axis in below)
        self.has_edges = bool(self.edges) if self.is_of_hexagons else bool(edges)

    def drawing(self) -> Drawing:
        """Return the rows, with edges where there are any."""
        lines = [(y, sorted(row)) for y, row in sorted(self.rows.items())]
        rows = tuple(tuple(self._drawn(self.rows[y][x]) for x in xs) for y, xs in lines)
        if any(b - a > 1 for _, xs in lines for a, b in pairwise(xs)) and not (self.has_edges or self.is_of_hexagons):
            columns = sorted({x for _, xs in lines for x in xs})
            filled = (
                tuple(self._drawn(row[x]) if x in row else BLANK for x in columns)
                for _, row in sorted(self.rows.items())
            )
            return Drawing(tuple(filled), (), has_labels=self.has_labels)
        left = min(xs[0] for _, xs in lines)
        shifts = tuple(xs[0] - left for _, xs in lines)
        shifts = shifts if any(shifts) else ()
        if not self.has_edges:
            return Drawing(rows, (), shifts=shifts, has_labels=self.has_labels, named=self.named)
        upright = tuple(tuple(self._edge(x, y) for x in (*(x - 0.5 for x in xs), xs[-1] + 0.5)) for y, xs in lines)
        if self.is_of_hexagons:
            return Drawing(rows, (), upright, shifts=shifts, slanted=tuple(self._slanted(lines, _across(rows))))
        above = [(y - 0.5, xs) for y, xs in lines]
        below = (lines[-1][0] + 0.5, lines[-1][1])
        flat = tuple(tuple(self._edge(x, y) for x in xs) for y, xs in (*above, below))
        return Drawing(rows, (), upright, flat)

    def _slanted(self, lines: list[tuple[float, list[float]]], across: int) -> Iterator[tuple[DrawnCell, ...]]:
        """Yield the characters of the lines between the rows of hexagons."""
        left = min(xs[0] for _, xs in lines) - 0.5
        for y in (lines[0][0] - 1, *(y for y, _ in lines)):
            found = {
                round((place.x - left) * across): self._edge(*at)
                for at, place in self.edges.items()
                if place.form in SIGNS and y < place.y < y + 1 - 1e-6
            }
            yield tuple(found.get(column, BLANK) for column in range(max(found, default=0) + 1))

    def _edge(self, x: float, y: float) -> DrawnCell:
        place = self.edges.get((round(x, 3), round(y, 3)))
        if place is None:
            return NOTHING
        drawn = self._drawn(place)
        return DrawnCell(SIGNS.get(place.form, "|"), drawn.color) if drawn.text in "#" else drawn

    def _drawn(self, place: Place) -> DrawnCell:
        arms = "".join(sorted(self.arms.get((place.x, place.y), "")))
        shown = (*reversed(place.pieces), place.mark, None if arms else place.ground)
        words = [piece for piece in place.pieces if is_word(piece)]
        if words:  # with the letters of what else is there
            others = [piece for piece in place.pieces if piece not in words]
            return DrawnCell(":".join(each.letter for each in (*words, *others)), self._colour((others or words)[-1]))
        numbers = [piece.letter for piece in place.pieces if not piece.shape and piece.letter]
        if len(numbers) > 1:  # of several variables, none of which says what the others do
            return DrawnCell(":".join(numbers), self._colour(place.pieces[-1]))
        for piece in shown:
            if piece is not None and piece.letter:
                letter = piece.letter if piece.count == 1 else f"{piece.letter}{piece.count}"
                lead = "." if self.has_like_grounds and piece is place.ground and _is_lettered(piece) else ""
                return DrawnCell(lead + letter, self._colour(piece))
        return DrawnCell(BOXES.get(arms, place.note), self._colour(place.ground) if place.ground else None)

    def _colour(self, piece: Piece) -> str | None:
        if piece.colour is not None or piece.player is None:
            return piece.colour
        return self.scene.players[piece.player].colour
