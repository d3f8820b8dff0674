"""Drawings of states: edges between cells, and what a player is shown."""

from __future__ import annotations

from tests.support.library import game_of, one_phase


def drawn(display: str, player: int | None = None) -> str:
    state = "walls: set of cell = {cell(1, 1)}\ncard[player]: 1..9 = {row: 4, col: 7}"
    rules = one_phase("row chooses x in 1..2", state, "board cell = grid(3, 2)", players="row, col")
    return str(game_of(rules + display).initial().drawing(player))


def test_edges_are_drawn_between_cells_and_around_the_board() -> None:
    display = """display grid cell
    walls: "x"
    east of walls: "|" red
    north of walls: "="
    south of walls: "-"
    west of {cell(3, 2)}: "!"
    east of {cell(2, 2)}: "?"
"""
    assert drawn(display).split("\n") == [
        " . .!.",
        " =",
        " x|. .",
        " -",
    ]


def test_each_player_is_shown_its_own_view() -> None:
    display = """display
    line "cards" card

display for p
    line "yours" card[p]
"""
    assert drawn(display) == "cards: [row: 4, col: 7]"
    assert drawn(display, 0) == "yours: 4"
    assert drawn(display, 1) == "yours: 7"


def test_without_a_display_boards_are_drawn_from_the_types_of_the_variables() -> None:
    assert drawn("", 1) == drawn("") == ". . .\n# . .\ncard: [row: 4, col: 7]"
