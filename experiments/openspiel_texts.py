"""Our texts of the actions of OpenSpiel's games, for its bots, and for tests that compare games side by side."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks.openspiel import pyspiel

TextOf = Callable[[pyspiel.State, int], str]
"""Our text of the action, or of the outcome, with a number in theirs."""


def cell_text(column: int, row: int) -> str:
    """Return our text of a cell; columns and rows count from 0."""
    return f"{chr(ord('a') + column)}{row + 1}"


def numbered(*texts: str) -> TextOf:
    """Return the text of actions that theirs numbers in the order of these texts."""
    return lambda _, number: texts[number]


def less(offset: int) -> TextOf:
    """Return the text of actions that are numbers, in theirs less by an offset."""
    return lambda _, number: str(number + offset)


def from_first_row(width: int) -> TextOf:
    """Return the text of cells that theirs numbers row by row, from our first row."""
    return lambda _, number: cell_text(number % width, number // width)


def from_last_row(size: int) -> TextOf:
    """Return the text of cells of a square board that theirs numbers row by row, from our last row."""
    return lambda _, number: cell_text(number % size, size - 1 - number // size)


def dropped(state: pyspiel.State, number: int) -> str:
    """Return the cell where a disc of connect four comes to lie in a column."""
    return cell_text(number, sum(row[number] != "." for row in str(state).split()))


WAYS = {(0, 1): "north", (1, 1): "northeast", (-1, 1): "northwest"}
WAYS |= {(0, -1): "south", (1, -1): "southeast", (-1, -1): "southwest"}


def piece_and_step(state: pyspiel.State, number: int) -> str:
    """Return a move of breakthrough: theirs moves down first, and marks captures by a star."""
    column, row, to, end = state.action_to_string(number).rstrip("*")
    way = WAYS[ord(to) - ord(column), int(row) - int(end)]
    return f"{way} {column}{state.get_game().get_parameters()['rows'] + 1 - int(row)}"


def step_or_wall(size: int) -> TextOf:
    """Return the text of moves of Quoridor: their rows count from the top."""

    def text_of(state: pyspiel.State, number: int) -> str:
        text = state.action_to_string(number)
        column, row = text[0], int(text[1:].rstrip("hv"))
        if text[-1] in "hv":
            return f"wall {column}{size - row} {'flat' if text[-1] == 'h' else 'upright'}"
        return f"move {column}{size + 1 - row}"

    return text_of


def edge(state: pyspiel.State, number: int) -> str:
    """Return an edge of dots and boxes."""
    matched = re.fullmatch(r"P[12]\(([hv]),(\d+),(\d+)\)", state.action_to_string(number))
    assert matched is not None
    kind, row, column = matched.groups()
    return f"{'flat' if kind == 'h' else 'upright'} {cell_text(int(column), int(row))}"


def heap_and_number(state: pyspiel.State, number: int) -> str:
    """Return a move of nim."""
    return " ".join(re.findall(r"\d+", state.action_to_string(number)))


def pit(_: pyspiel.State, number: int) -> str:
    """Return a pit of kalah, which each player counts from 1."""
    return str(number if number < 7 else number - 7)


def stone_or_pass(_: pyspiel.State, number: int) -> str:
    """Return a move of Go 9x9."""
    return "pass" if number == 81 else f"play {cell_text(number % 9, number // 9)}"


def two_squares(state: pyspiel.State, number: int) -> str:
    """Return a move of checkers, from a square to another."""
    text = state.action_to_string(number)
    return f"{text[:2]} {text[2:]}"


def betting(state: pyspiel.State, number: int) -> str:
    """Return a bet of limit poker, where a check of ours is a call of theirs."""
    return ("fold", "call" if 0 in state.legal_actions() else "check", "raise 1")[number]


def liars_action(state: pyspiel.State, number: int) -> str:
    """Return a bid at liar's dice, or a doubt."""
    text = str(state.action_to_string(state.current_player(), number))
    return "liar" if text == "Liar" else f"bid {text.replace('-', ' ')}"
