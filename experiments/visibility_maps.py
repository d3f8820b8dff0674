"""Draws the two maps of `rules/visibility_pursuit.rules`.

Run by `python -m experiments.visibility_maps`. It writes `rules/NAME_wall.map`, a picture, and `rules/NAME_sight.map`,
the cells visible from each cell of the floor.

The maps of the source (Lisý 2014, 5.5.1) are not published; these have their sizes and character: a maze of 50 x 49
cells with sight over 10 cells, and the streets of a small town, 465 cells of 5 m each, with sight over 25 m.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]
"""Column and row, from 0; row 0 is the southernmost."""

WIDTH, HEIGHT = 50, 49
MAPS = Path(__file__).resolve().parent.parent / "rules"


def maze(rng: random.Random) -> set[Cell]:
    """Return the floor of a maze: rooms of 2 x 2 cells, walls of one cell, doors as in a spanning tree and 60 more."""
    rooms = [(column, row) for column in range(16) for row in range(16)]
    doors = [
        (room, other)
        for room in rooms
        for other in ((room[0] + 1, room[1]), (room[0], room[1] + 1))
        if other[0] < 16 and other[1] < 16
    ]
    rng.shuffle(doors)
    group = {room: room for room in rooms}

    def leader(room: Cell) -> Cell:
        while group[room] != room:
            room = group[room]
        return room

    spare = 60
    floor = {(3 * column + 1 + i, 3 * row + 1 + j) for column, row in rooms for i in range(2) for j in range(2)}
    for (column, row), other in doors:
        first, second = leader((column, row)), leader(other)
        if first == second and spare == 0:
            continue
        spare -= first == second
        group[first] = second
        if other[0] > column:
            floor |= {(3 * column + 3, 3 * row + 1 + j) for j in range(2)}
        else:
            floor |= {(3 * column + 1 + i, 3 * row + 3) for i in range(2)}
    return floor


def streets(rng: random.Random, size: int) -> set[Cell]:
    """Return the streets of a town: a grid of crossings, in which stretches are closed until `size` cells remain."""
    columns, rows = [1, 8, 14, 23, 31, 38, 48], [1, 7, 16, 22, 30, 39, 47]
    stretches = [[(x, y) for y in range(a + 1, b)] for x in columns for a, b in pairwise(rows)]
    stretches += [[(x, y) for x in range(a + 1, b)] for y in rows for a, b in pairwise(columns)]
    floor = {cell for stretch in stretches for cell in stretch} | {(x, y) for x in columns for y in rows}
    rng.shuffle(stretches)
    for stretch in stretches:
        if len(floor) - len(stretch) >= size and connected(floor - set(stretch)):
            floor -= set(stretch)
    # The remaining surplus is removed from dead ends, cell by cell.
    for cell in sorted(floor, key=lambda _: rng.random()):
        if len(floor) > size and connected(floor - {cell}):
            floor.discard(cell)
    return floor


def connected(floor: set[Cell]) -> bool:
    """Return whether every cell can be reached from every other one."""
    start = min(floor)
    reached, front = {start}, [start]
    while front:
        x, y = front.pop()
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if cell in floor and cell not in reached:
                reached.add(cell)
                front.append(cell)
    return len(reached) == len(floor)


def crossed(dx: int, dy: int) -> list[Cell]:
    """Return the cells, relative to the first, whose interior the line between two cells' centres crosses."""
    cells = []
    for x in range(min(0, dx), max(0, dx) + 1):
        for y in range(min(0, dy), max(0, dy) + 1):
            # On which side of the line each corner lies, in half cells.
            sides = [dx * (2 * y + j) - dy * (2 * x + i) for i in (-1, 1) for j in (-1, 1)]
            if min(sides) < 0 < max(sides):
                cells.append((x, y))
    return cells


def sight(floor: set[Cell], reach: int) -> dict[Cell, list[Cell]]:
    """Return the cells visible from each cell: at most `reach` away, with only floor on the line between."""
    offsets = [
        ((dx, dy), crossed(dx, dy))
        for dy in range(-reach, reach + 1)
        for dx in range(-reach, reach + 1)
        if dx * dx + dy * dy <= reach * reach
    ]
    return {
        (x, y): [
            (x + dx, y + dy)
            for (dx, dy), line in offsets
            if (x + dx, y + dy) in floor and all((x + i, y + j) in floor for i, j in line)
        ]
        for x, y in floor
    }


def name(cell: Cell) -> str:
    """Return a cell as rules files write it: column letters and row."""
    column, row = cell
    letters = "" if column < 26 else chr(ord("a") + column // 26 - 1)
    return f"{letters}{chr(ord('a') + column % 26)}{row + 1}"


def in_order(cells: Iterable[Cell]) -> list[Cell]:
    """Return cells row by row from the south."""
    return sorted(cells, key=lambda cell: (cell[1], cell[0]))


def draw(title: str, floor: set[Cell], reach: int) -> None:
    """Write the two files of a map."""
    rows = ("".join("." if (x, y) in floor else "#" for x in range(WIDTH)) for y in reversed(range(HEIGHT)))
    (MAPS / f"{title}_wall.map").write_text("\n".join(rows) + "\n")
    seen = sight(floor, reach)
    lines = (f"{name(cell)}: {' '.join(name(other) for other in in_order(seen[cell]))}" for cell in in_order(floor))
    (MAPS / f"{title}_sight.map").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    draw("maze", maze(random.Random(50)), reach=10)
    draw("streets", streets(random.Random(465), 465), reach=5)
