"""Scenes of states: what `display` says, and what the types of the variables say without one."""

from __future__ import annotations

import math

import pytest

from ggp.scene.scene import Board, Place, Scene
from ggp.scene.terminal import drawing_of
from tests.support.library import game_of

HEAD = """game g "g"
players row, col
board cell = grid(3, 2)
"""
TAIL = """
phase p
    row chooses c in cell, d in {steps}
    next end

payoff[p] = 0
"""
SIX = "{north, east, southeast, south, west, northwest}"


def scene_of(state: str, display: str = "", steps: str = "{north, east}", player: int | None = None) -> Scene:
    return game_of(HEAD + state + TAIL.format(steps=steps) + display).initial().scene(player)


def place(board: Board, name: str, type_: str = "cell") -> Place:
    return next(one for one in board.places if one.name == name and one.type == type_)


def shown(board: Board, name: str) -> list[tuple[str, str, int | None]]:
    return [(piece.shape, piece.text, piece.player) for piece in place(board, name).pieces]


SETS = """
state
    men[p: player]: set of cell = if p == row then {cell(1, 1)} else {cell(2, 1)}
    walls: set of cell = {cell(3, 2)}
    turn: player = row
"""


def test_without_a_display_sets_of_cells_are_pieces_of_their_players_and_grounds() -> None:
    (board,) = (scene := scene_of(SETS)).boards
    assert shown(board, "a1") == [("disc", "", 0)]
    assert shown(board, "b1") == [("disc", "", 1)]
    assert place(board, "c2").ground is not None
    assert [entry.label for entry in scene.entries] == ["turn"]


def test_without_a_display_arrays_over_cells_are_put_together() -> None:
    state = """
type man = {pawn, guard, archer}

state
    owner[c: cell]: player or none = if c == cell(1, 1) then col else none
    kind[c: cell]: man or none = if c == cell(1, 1) then pawn else if c == cell(2, 1) then guard else none
    height[c: cell]: 0..9 = if c == cell(3, 1) then 4 else 0
"""
    (board,) = scene_of(state).boards
    assert shown(board, "a1") == [("pawn", "", 1)]
    assert shown(board, "b1") == [("disc", "G", None)]
    assert shown(board, "c1") == [("", "4", None)]


def test_boards_played_in_six_directions_have_hexagons() -> None:
    (board,) = scene_of(SETS, steps=SIX).boards
    assert {one.form for one in board.places} == {"hexagon"}
    a1, a2, b1 = place(board, "a1"), place(board, "a2"), place(board, "b1")
    assert (a2.x - a1.x, b1.x - a1.x) == (0.5, 1)  # north leans to the east, so that northwest is a neighbour
    (other,) = scene_of(SETS, steps="{north, northeast, east, south, southwest, west}").boards
    assert place(other, "a2").x - place(other, "a1").x == -0.5
    (square,) = scene_of(SETS, steps="direction").boards
    assert {one.form for one in square.places} == {"square"}


def test_shapes_owners_labels_counts_and_bindings() -> None:
    state = """
type unit = 1..2

state
    at[player, u: unit]: cell or none = if u == 1 then cell(1, 1) else cell(2, 2)
    size[u: unit]: 0..9 = 3 * u - 3
"""
    display = """
display grid cell checkered
    at[p, u]: tower red of p label u count size[u]         for p in player, u in unit if p == col
"""
    (board,) = scene_of(state, display).boards
    assert board.style == "checkered"
    assert not place(board, "a1").pieces  # a count of 0
    (tower,) = place(board, "b2").pieces
    assert (tower.shape, tower.text, tower.player, tower.colour, tower.count) == ("tower", "2", 1, "red", 3)
    assert tower.means == ("player:col", "1..2:2")


def test_layers_are_drawn_each_by_the_first_line_that_fits() -> None:
    display = """
display grid cell
    men[p]: stone of p                                     for p in player
    all: "x"
    walls: water
    all: ground
    walls: dot
"""
    (board,) = scene_of(SETS, display).boards
    assert shown(board, "a1") == [("stone", "", 0)]
    assert shown(board, "c2") == [("", "x", None)]
    lake = place(board, "c2")
    assert lake.ground is not None
    assert lake.mark is not None
    assert (lake.ground.shape, lake.mark.shape) == ("water", "dot")


@pytest.mark.parametrize(
    ("board", "name", "at", "form"),
    [
        ("grid(3, 3)", "b1", (1.5, 2), "flat"),
        ("grid(4, 2)", "b1", (1, 1.5), "upright"),
        ("grid(2, 1)", "b1", (2, 1), "corner"),
        ("grid(4, 3)", "b1", (1, 2), "corner"),
        ("grid(5, 3)", "b1", (1, 1.5), "upright"),
        ("grid(5, 3)", "a2", (0.5, 1), "flat"),
        ("grid(5, 3)", "d2", (2, 1), "corner"),
    ],
)
def test_cells_of_other_boards_lie_on_edges_and_corners(
    board: str, name: str, at: tuple[float, float], form: str
) -> None:
    state = f"""board wire = {board}

state
    built: set of wire = {{wire({ord(name[0]) - 96}, {name[1]})}}
    men: set of cell = {{}}
"""
    (drawn,) = scene_of(state, "display grid cell\n    built: wall\n").boards
    built = place(drawn, name, "wire")
    assert (built.x, built.y, built.form) == (*at, form)
    assert built.ground is not None


def test_walls_between_hexagons_stand_between_the_cells_beside_them() -> None:
    display = "display grid cell hexagons\n    men[row]: man\n    east of {b2}: wall\n"
    assert str(drawing_of(scene_of(SETS, display))).splitlines() == ["    .   . | .", "  m   .   ."]


def test_a_board_cut_out_of_hexagons_is_as_wide_as_its_cells() -> None:
    display = "display grid cell hexagons\n    {a1}: nothing\n    men[row]: man\n"
    (board,) = scene_of(SETS, display).boards
    near = {axis.text: min(math.dist((axis.x, axis.y), (one.x, one.y)) for one in board.places) for axis in board.axes}
    assert near.keys() == {"1", "2", "a", "b", "c"}
    assert max(near.values()) < 0.8, "a letter or number stands away from its cells"
    drawn = [one for one in board.places if one.name != "a1"]
    assert min(one.x for one in drawn) == 0.5
    assert max(one.x for one in drawn) + 0.5 < board.width


def test_lines_join_cells() -> None:
    (board,) = scene_of(SETS, "display grid cell\n    men[row]: stone of row\n    lines by {north, east}\n").boards
    assert board.style == "points"
    assert len(board.lines) == 2 * 2 + 3
    state = SETS.replace("state\n", "table near[c: cell]: set of cell = {c + east, c + west}\n\nstate\n", 1)
    (board,) = scene_of(state, "display grid cell\n    men[row]: stone of row\n    lines by near\n").boards
    assert len(board.lines) == 2 * 2


def test_values_are_rows_of_items() -> None:
    state = """
type rank = 1..3

state
    hand[player]: set of rank = {1, 3}
    left[player, rank]: 0..5 = 5
    top: rank or none = none
"""
    display = """
display
    cards "hands" hand
    line "left" left
    line "top" top
    score "points" top
"""
    hands, left, top, _ = scene_of(state, display).entries
    assert [(row.name, row.player) for row in hands.rows] == [("row", 0), ("col", 1)]
    assert [item.means for item in hands.rows[0].items] == [("1..3:1",), ("1..3:3",)]
    # a number that counts stands for what it is the number of, not for itself
    assert [item.means for item in left.rows[1].items] == [("player:col", f"1..3:{n}") for n in (1, 2, 3)]
    assert (left.kind, top.text, top.rows[0].items[0].text) == ("table", "none", "")


def test_rows_of_arrays_and_lets_with_indices_are_shown_whole() -> None:
    state = """
type rank = 1..3

table bonus[player, rank]: 0..9 = [[1, 2, 3], [4, 5, 6]]

state
    left[player, rank]: 0..5 = 5

let lead[p: player, k: rank] = left[p, k] - left[other(p), k] + bonus[p, k]
let near[k: rank] = {k, min(3, k + 1)}
"""
    display = """
display for p
    line "left" left[p]
    line "bonus" bonus[p]
    line "lead" lead
    line "yours" lead[other(p)]
    line "near" near
"""
    texts = {one.label: one.text for one in scene_of(state, display, player=1).entries}
    assert texts["left"] == "[1: 5, 2: 5, 3: 5]"
    assert texts["bonus"] == "[1: 4, 2: 5, 3: 6]"
    assert texts["lead"] == "[row,1: 1, row,2: 2, row,3: 3, col,1: 4, col,2: 5, col,3: 6]"
    assert texts["yours"] == "[1: 1, 2: 2, 3: 3]"
    assert texts["near"] == "[1: {1, 2}, 2: {2, 3}, 3: {3}]"


def test_a_value_of_many_elements_is_a_text() -> None:
    state = "\ntype many = 1..500\n\nstate\n    at[many]: 0..1 = 0\n"
    (entry,) = scene_of(state).entries
    assert len(entry.rows[0].items) == 1
