"""Board games of the library against OpenSpiel's: same legal actions, same returns, on random games."""

from __future__ import annotations

import pyspiel
import pytest
from library import load_typed
from side_by_side import by_text, compare


def mirrored(cell: str, height: int) -> str:
    """Return the cell in the same column as many rows from the top as `cell` is from the bottom."""
    return f"{cell[0]}{height + 1 - int(cell[1:])}"


@pytest.mark.parametrize(("columns", "rows"), [(7, 6), (5, 4)])
def test_connect_four(columns: int, rows: int) -> None:
    compare(
        load_typed("connect_four", {"width": columns, "height": rows}),
        pyspiel.load_game("connect_four", {"rows": rows, "columns": columns}),
        action=lambda state, text: ord(text[0]) - ord("a"),
        games=100,
        seed=4,
    )


@pytest.mark.parametrize(("columns", "rows"), [(8, 8), (5, 6)])
def test_breakthrough(columns: int, rows: int) -> None:
    steps = {"north": (0, 1), "northeast": (1, 1), "northwest": (-1, 1)}
    steps |= {"south": (0, -1), "southeast": (1, -1), "southwest": (-1, -1)}

    def action(state: pyspiel.State, text: str) -> int:
        way, start = text.split()
        dx, dy = steps[way]
        end = f"{chr(ord(start[0]) + dx)}{int(start[1:]) + dy}"
        # Theirs moves down first, and marks captures by a star.
        texts = {text.rstrip("*"): number for text, number in by_text(state).items()}
        return texts[mirrored(start, rows) + mirrored(end, rows)]

    compare(
        load_typed("breakthrough", {"width": columns, "height": rows}),
        pyspiel.load_game("breakthrough", {"rows": rows, "columns": columns}),
        action=action,
        games=40,
        seed=8,
    )


@pytest.mark.parametrize("size", [11, 4])
def test_hex(size: int) -> None:
    compare(
        load_typed("hex", {"width": size, "height": size}),
        pyspiel.load_game("hex", {"board_size": size}),
        action=lambda state, text: (int(text[1:]) - 1) * size + ord(text[0]) - ord("a"),
        games=30,
        seed=11,
    )


def test_reversi() -> None:
    compare(
        load_typed("reversi"),
        pyspiel.load_game("othello"),
        action=lambda state, text: (8 - int(text[1])) * 8 + ord(text[0]) - ord("a"),
        passing=64,
        games=60,
        seed=64,
    )


@pytest.mark.parametrize("last", ["loses", "wins"])
def test_nim(last: str) -> None:
    def action(state: pyspiel.State, text: str) -> int:
        heap, number = text.split()
        return by_text(state)[f"pile:{heap}, take:{number};"]

    compare(
        load_typed("nim", {"last": last}),
        pyspiel.load_game("nim", {"is_misere": last == "loses"}),
        action=action,
        games=200,
        seed=3,
    )
