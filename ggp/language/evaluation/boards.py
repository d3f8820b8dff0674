"""Boards and graphs: steps of cells and sets, breadth-first search."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ggp.language.typed.types import DIRECTIONS, CellType


def stepped_cell(board: CellType, cell: int, direction: int, times: int) -> int | None:
    """Return the cell `times` steps away from `cell` (backwards where negative), or None beyond the edge."""
    _, step_x, step_y = DIRECTIONS[direction]
    x = cell % board.width + times * step_x
    y = cell // board.width + times * step_y
    if 0 <= x < board.width and 0 <= y < board.height:
        return y * board.width + x
    return None


def stepped_set(board: CellType, cells: frozenset[int], direction: int, times: int) -> frozenset[int]:
    """Return the cells that the members of a set come to; those that would leave the board drop out."""
    moved = (stepped_cell(board, cell, direction, times) for cell in cells)
    return frozenset(cell for cell in moved if cell is not None)


def distances(
    sources: frozenset[int], through: frozenset[int], neighbours: Callable[[int], Iterable[int]]
) -> dict[int, int]:
    """Return how many steps away from the nearest source each reached value is.

    Sources count whether or not they are in `through`; every further value must be in it.
    """
    found = dict.fromkeys(sources, 0)
    frontier = sorted(sources)
    while frontier:
        reached = []
        for value in frontier:
            for neighbour in neighbours(value):
                if neighbour in through and neighbour not in found:
                    found[neighbour] = found[value] + 1
                    reached.append(neighbour)
        frontier = sorted(reached)
    return found
