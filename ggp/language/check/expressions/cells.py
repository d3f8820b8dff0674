"""Cells written as they print, such as `b3`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ggp.language.check.checking import Checking
from ggp.language.check.scope import Meant
from ggp.language.typed.types import CellType, Type, scalar_text

CELL = re.compile("([a-z]+)([1-9][0-9]*)")


def cell_named(checking: Checking, text: str, wanted: Type | None = None) -> tuple[CellType, int] | None:
    """Return the board and the code of the cell written as `b3`; None if several boards have it and none is wanted."""
    found = cells_named(checking, text)
    return next((cell for cell in found if cell[0] == wanted), found[0] if len(found) == 1 else None)


def cells_named(checking: Checking, text: str) -> list[tuple[CellType, int]]:
    """Return each board that has the cell written as `b3`, with the code of that cell."""
    return [(board, code) for board, code in cells_as_written(checking, text) if code is not None]


def cells_as_written(checking: Checking, text: str) -> Iterator[tuple[CellType, int | None]]:
    """Give each board with the code of the cell that is written so, None where the board is too small for it."""
    written = CELL.fullmatch(text)
    if written is None:
        return
    column, row = 0, int(written[2])
    for letter in written[1]:
        column = 26 * column + ord(letter) - ord("a") + 1
    for entry in checking.names.visible():
        if isinstance(entry.meaning, Meant) and isinstance(entry.meaning.type, CellType):
            board = entry.meaning.type
            fits = column <= board.width and row <= board.height
            yield board, (row - 1) * board.width + column - 1 if fits else None


def cells_meant(checking: Checking, text: str) -> str | None:
    """Return a hint for what would be a cell if the board were larger."""
    boards = [*cells_as_written(checking, text)]
    if len(boards) != 1:
        return None
    ((board, _),) = boards
    last = scalar_text(board, board.width * board.height - 1)
    return f"the cells of `{board.name}` are a1 to {last}"
