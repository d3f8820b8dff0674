"""Places that the rules only number are drawn as rings, rows and columns; boxes with numbered sides as boxes."""

from __future__ import annotations

from collections import Counter

import pytest

from ggp.cli.game_texts import drawing_text
from ggp.scene.scene import Board, Scene
from studio.table import Table
from tests.support.library import game_of
from tests.support.plain_scenes import first_scene, plain

FUNCTIONS = """def top(b: box) = b
def bottom(b: box) = b + 2
def left(b: box) = 7 + 3 * ((b - 1) div 2) + (b - 1) mod 2
def right(b: box) = left(b) + 1
"""
OF_SETS = "table around[box]: set of side = [{1, 3, 7, 8}, {2, 4, 8, 9}, {3, 5, 10, 11}, {4, 6, 11, 12}]"
IN_ORDER = "table around[box, 1..4]: side = [[7, 3, 8, 1], [8, 4, 9, 2], [10, 5, 11, 3], [11, 6, 12, 4]]"


def boxes(sides: str, use: str) -> Scene:
    """Return a scene of boxes whose sides are numbered."""
    return first_scene(
        plain(
            f"type side = 1..12\ntype box = 1..4\n{sides}",
            *("drawn: set of side = {2, 5}", "won[box]: player or none = {3: boris, else none}"),
            choice="s in all - drawn",
            update="drawn := drawn + {s}",
            payoff=f"count b in box: won[b] == p and {use}",
        )
    )


def numbered(count: int, *state: str, update: str, choice: str = "to in place") -> Scene:
    """Return a scene of things at numbered places."""
    update += "\nturn := other(turn)"
    return first_scene(plain(f"type place = 1..{count}", *state, choice=choice, update=update))


def board_of(scene: Scene) -> Board:
    (board,) = scene.boards
    return board


@pytest.mark.parametrize(
    ("sides", "use"),
    [
        (FUNCTIONS, "top(b) + bottom(b) + left(b) + right(b) > 0"),
        (OF_SETS, "drawn >= around[b]"),
        (IN_ORDER, "around[b, 1] in drawn"),
    ],
)
def test_numbered_sides_lie_around_boxes(sides: str, use: str) -> None:
    board = board_of(boxes(sides, use))
    assert (board.style, board.width, board.height) == ("squares", 2, 2)
    at = {(place.type, place.name): (place.x, place.y, place.form) for place in board.places}
    assert at["1..4", "3"] == (0.5, 1.5, "square")
    sides_at = [(0.5, 0), (1.5, 0), (0.5, 1), (1.5, 1), (0.5, 2), (1.5, 2)]
    sides_at += [(x, y) for y in (0.5, 1.5) for x in (0, 1, 2)]
    for number, (x, y) in enumerate(sides_at, 1):
        assert at["1..12", str(number)] == (x, y, "flat" if number <= 6 else "upright")
    held = {place.name: [piece.player for piece in place.pieces] for place in board.places if place.pieces}
    assert held == {"3": [1]}
    assert {place.name for place in board.places if place.ground} == {"2", "5"}


def test_sides_of_boxes_that_share_none_are_no_board() -> None:
    apart = "table around[box]: set of side = [{1, 2, 3, 4}, {4, 5, 6, 7}, {7, 8, 9, 10}, {10, 11, 12, 1}]"
    for sides in (
        apart,
        "table around[box]: set of side = [{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {9, 10, 11, 12}]",
    ):
        drawn = boxes(sides, "drawn >= around[b]").boards
        assert all(place.form not in ("flat", "upright") for board in drawn for place in board.places)


def test_places_counted_around_lie_in_a_ring() -> None:
    step = "stands[turn] := (stands[turn] + 2) mod 16 + 1"
    board = board_of(numbered(16, "stands[player]: place = 1", update=step, choice="far in 1..2"))
    assert len(board.lines) == 16
    sides = {place.x for place in board.places}, {place.y for place in board.places}
    assert [len(each) for each in sides] == [5, 5]
    assert [piece.player for piece in board.places[0].pieces] == [0, 1]


def test_towers_on_numbers_stand_in_a_row() -> None:
    tower = "tower[place]: sequence of player, at most 3 = {2: [anna, boris], else []}"
    board = board_of(numbered(6, tower, update="tower[to] := [turn]"))
    assert len({place.y for place in board.places}) == 1
    assert [piece.player for piece in board.places[1].pieces] == [0, 1]


def test_numbers_in_columns_lie_in_columns() -> None:
    lights = "lit[q] := yes  for q in place if (q - 1) mod 4 == (to - 1) mod 4"
    board = board_of(numbered(12, "lit[place]: bool = no", update=lights))
    assert (board.width, board.height) == (4, 3)
    assert [place.note for place in board.places] == [str(number) for number in range(1, 13)]


def test_how_many_men_stand_on_points_and_whose_is_no_row() -> None:
    state = "men[place]: 0..9 = 1", "owner[place]: player or none = none"
    assert not numbered(24, *state, update="owner[to] := turn").boards


def test_sets_of_what_is_called_a_card_are_cards() -> None:
    state = "card: place = 4", "taken[player]: set of place = {anna: {1, 2}, boris: {}}"
    entries = numbered(9, *state, update="taken[turn] := taken[turn] + {to}").entries
    assert {entry.label: entry.kind for entry in entries} == {"card": "cards", "taken": "cards", "turn": "line"}


def test_a_set_of_numbers_in_columns_lies_on_them() -> None:
    lights = "lit := lit + {q in place: (q - 1) mod 4 == (to - 1) mod 4}"
    board = board_of(numbered(12, "lit: set of place = {3}", update=lights))
    assert [place.name for place in board.places if place.ground or place.pieces] == ["3"]


def test_pairs_that_are_called_squares_are_a_board() -> None:
    rules = plain(
        "type file = {a, b, c}\ntype rank = 1..2\ntype square = file of rank\ntype man = {anna_king, boris_rook}",
        "at[man]: square = {anna_king: square(b, 1), boris_rook: square(c, 2)}",
        choice="m in man, to in square where to.rank == 2 or to.file == a",
        update="at[m] := to",
    )
    board = board_of(first_scene(rules))
    assert (board.style, board.width, board.height) == ("squares", 3, 2)
    held = {place.name: place for place in board.places if place.pieces}
    assert {name: (place.x, place.y) for name, place in held.items()} == {"b_of_1": (1.5, 1.5), "c_of_2": (2.5, 0.5)}
    assert [(one.shape, one.player) for place in held.values() for one in place.pieces] == [("king", 0), ("rook", 1)]
    assert not any(place.ground or place.note for place in board.places)
    assert [axis.text for axis in board.axes] == ["a", "b", "c", "1", "2"]
    assert first_scene(rules.replace("square", "card")).boards == ()


def nested(types: str, big: str, small: str) -> str:
    """Return the rules of a game on boards in the cells of a board."""
    return plain(
        types,
        *(f"mark[{big}, {small}]: player or none = none", f"won[{big}]: player or none = none"),
        *(f"forced: {big} or none = none", f"full: set of {big} = {{}}"),
        choice=f"b in {big}, s in {small} where mark[b, s] is none",
        update=f"mark[b, s] := turn\nwon[b] := turn\nforced := min(all - {{b}})\nfull := full + {{b}} + {{max({big})}}",
    )


@pytest.mark.parametrize(
    ("types", "big", "small", "put"),
    [
        ("board big = grid(2, 2)\nboard small = grid(3, 3)", "big", "small", ("b1 a2", "big:b1", "a2", 3.9, 4.9)),
        ("board cell = grid(3, 3)", "cell", "cell", ("b1 a2", "cell:b1", "a2", 3.9, 8.3)),
        ("type place = 1..9", "place", "place", ("2 4", "1..9:2", "4", 3.9, 1.5)),
    ],
)
def test_boards_in_the_cells_of_a_board_are_one(
    types: str, big: str, small: str, put: tuple[str, str, str, float, float]
) -> None:
    action, *wanted = put
    table = Table(game_of(nested(types, big, small)), 1)
    table.choose(0, action)
    (nest,) = table.history.state.scene().boards
    (held,) = [place for place in nest.places if place.pieces]
    assert [held.on, held.name, held.x, held.y] == wanted
    assert [place.on for place in nest.places if place.ground and place.ground.player == 0] == [held.on] * 9
    named = Counter(place.ground.text for place in nest.places if place.ground and place.ground.player is None)
    assert named == {"forced": 9, "full": 9}


def test_a_column_and_a_row_that_are_numbers_are_one_board() -> None:
    rules = nested("type place = 1..9", "place", "place")
    rules = rules.replace("won[place]", "won[player]").replace("won[b]", "won[turn]")
    rules = rules.replace("forced := min(all - {b})", "forced := b")
    table = Table(game_of(rules), 1)
    table.choose(0, "2 4")
    board = table.history.state.scene().boards[0]
    (held,) = [place for place in board.places if place.pieces]
    assert (board.width, board.height, held.on, held.name, held.x, held.y) == (9, 9, "1..9:2", "4", 3.5, 1.5)
    lines = drawing_text(table.history.state.drawing()).plain.split("\n")
    assert [lines[1].split(), lines[9].split()] == [["2", ".", ".", ".", "A", *"....."], [*"123456789"]]
    assert lines[9].index("4") == lines[1].index("A")
