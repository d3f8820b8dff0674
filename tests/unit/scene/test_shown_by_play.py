"""What random play shows of a game that does not say how it is drawn: whose boards, men and rings there are."""

from __future__ import annotations

import pytest

from ggp.scene.scene import Scene
from ggp.scene.svg import svg_of
from ggp.scene.terminal import drawing_of, entry_text
from tests.support.library import game_of, one_phase
from tests.support.plain_scenes import BOARD, first_scene, plain


def tiles(whose: str, row: str, moves: int = 2) -> Scene:
    """Return a scene after one or two moves on the same cell, where each lays tiles on a plot of its own."""
    rules = plain(
        "board plot = grid(2, 2)\ntype tile = {wheat, sheep}",
        *("laid[player, plot]: tile or none = none", "lays: 0..4 = 0"),
        choice=f"c in {{d in plot: ({whose}) is none}}, t in tile",
        update=f"{row} := t\nturn := after(turn, player)\nlays := lays + 1\nnext end if lays == 3 else go",
        players="one, two, three",
    )
    state = game_of(rules).initial()
    for player, action in (("one", "a1 wheat"), ("two", "a1 sheep"))[:moves]:
        state = state.apply({player: action})
    return state.scene()


def test_each_player_has_a_board_where_cells_hold_things_of_several() -> None:
    scene = tiles("laid[turn, d]", "laid[turn, c]")
    assert [(board.player, board.by_others) for board in scene.boards] == [(0, False), (1, False), (2, False)]
    first, second, third = ({place.name: place.pieces for place in board.places} for board in scene.boards)
    assert [piece.text for piece in first["a1"]] == ["W"]
    assert [piece.text for piece in second["a1"]] == ["S"]
    assert third["a1"] == ()
    drawn = svg_of(scene)
    assert all(f">{name}</text>" in drawn for name in ("one", "two", "three"))
    assert "plot of three" in str(drawing_of(scene))


def test_others_act_on_boards_of_players_where_the_rules_let_them() -> None:
    scene = tiles("laid[after(turn, player), d]", "laid[after(turn, player), c]")
    assert [(board.player, board.by_others) for board in scene.boards] == [(0, True), (1, True), (2, True)]


def test_a_board_is_for_all_where_no_cell_holds_things_of_several() -> None:
    (board,) = tiles(
        "if laid[one, d] is some then laid[one, d] else if laid[two, d] is some then laid[two, d] else laid[three, d]",
        "laid[turn, c]",
        moves=1,
    ).boards
    assert board.player is None


@pytest.mark.parametrize(
    ("state", "free", "update"),
    [
        ("mark[level, cell]: player or none = none", "mark[l, c] is none", "mark[l, c] := turn"),
        (
            "men[player, level]: set of cell = {}",
            "c not in men[anna, l] + men[boris, l]",
            "men[turn, l] := men[turn, l] + {c}",
        ),
    ],
)
def test_each_level_has_a_board_where_cells_hold_things_on_several(state: str, free: str, update: str) -> None:
    rules = plain(
        "board cell = grid(2, 2)\ntype level = 1..2",
        *(state, "laid: 0..8 = 0"),
        choice=f"l in level, c in {{c in cell: {free}}}",
        update=f"{update}\nturn := other(turn)\nlaid := laid + 1\nnext end if laid == 8 else go",
    )
    position = game_of(rules).initial()
    for action in ("2 a1", "1 b2", "1 a1"):
        position = position.apply(action)
    scene = position.scene()
    assert [board.level for board in scene.boards] == ["level 1", "level 2"]
    low, high = ({place.name: place for place in board.places} for board in scene.boards)
    assert [piece.player for piece in low["b2"].pieces] == [1]
    assert [piece.player for piece in high["a1"].pieces] == [0]
    assert high["b2"].pieces == ()
    assert (low["a1"].on, high["a1"].on) == ("1..2:1", "1..2:2")
    assert ">level 2</text>" in svg_of(scene)
    assert "level 2:" in str(drawing_of(scene))


@pytest.mark.parametrize(
    ("state", "long"),
    [
        ("parked[car]: set of cell = {red: {a1, b1}, van: {c2}}", ("car",)),
        ("standing[cell]: car or none = {a1: red, b1: red, c2: van, else none}", ("car",)),
        ("parked[car]: set of cell = {red: {a1, c1}, van: {c2}}", ()),
        ("parked[car]: set of cell = {red: {a1}, van: {c2}}", ()),
    ],
)
def test_things_that_lie_over_several_cells_in_a_row_are_one(state: str, long: tuple[str, ...]) -> None:
    (board,) = first_scene(plain(f"{BOARD}\ntype car = {{red, van}}", state, choice="c in car")).boards
    assert board.long == long
    over = {key: [place.name for place in places] for key, places in board.long_things().items()}
    assert over == ({"car:red": ["a1", "b1"]} if long else {})


def test_what_a_function_says_that_things_cover_is_theirs() -> None:
    covers = "def covers(k: car) = {c in cell: c.y == at[k].y and c.x in at[k].x..at[k].x + long[k] - 1}"
    types = f"{BOARD}\ntype car = {{red, van}}\ntable long[car]: 1..2 = {{red: 2, van: 1}}"
    at = "at[car]: cell = {red: a1, van: c2}"
    rules = plain(types, at, choice="k in car where a1 in covers(k)").replace("\nphase", f"\n{covers}\nphase")
    (board,) = first_scene(rules).boards
    assert [place.name for place in board.long_things()["car:red"]] == ["a1", "b1"]
    assert [place.name for place in board.places if place.pieces] == ["a1", "b1", "c2"]
    (board,) = first_scene(rules.replace("van: c2", "van: b1")).boards
    assert board.long == (), "two would lie over b1"


SHOWN_BY_PLAY = """game shown "What only play shows"
players hunters, wolves
board cell = grid(5, 5)
type race = {hunter, dog, wolf}
type soil = {swamp, plain, tent, free}
let cross = {c in cell: c.x in 2..4 or c.y in 2..4}
let six = {north, northeast, east, south, southwest, west}
state
    man[c: cell]: race or none = {b1: hunter, c1: dog, d5: wolf, else none}
    traps: set of cell = {c2, c3}
    ground[c: cell]: soil = {b3: swamp, c5: plain, d3: tent, else free}
    tracks: set of cell = {}
    thief: cell = b4
    cart: cell = b4
    turn: player = hunters
    n: 0..60 = 0
def mine(c: cell) = man[c] is some and (man[c] == wolf) == (turn == wolves)
phase move
    turn chooses a in {c in cell: mine(c)}, b in {c in cross: man[c] is none}
    man[c] := if c == b then man[a] else none              for c in cell if c in {a, b}
    traps := traps - {a, min(traps)} + {b}
    tracks := tracks + {b}
    turn := other(turn)
    n := n + 1
    next end if n == 60 else move
payoff[p] = 0
"""


@pytest.mark.parametrize("hexagons", [False, True])
def test_play_shows_whose_men_are_what_moves_and_which_cells_belong_to_the_board(*, hexagons: bool) -> None:
    rules = SHOWN_BY_PLAY if hexagons else SHOWN_BY_PLAY.replace("let six = {north, northeast", "let four = {north")
    (board,) = game_of(rules.replace(", southwest" * (not hexagons), "")).initial().scene().boards
    found = {place.name: place for place in board.places}
    assert [(found[name].pieces[0].text, found[name].pieces[0].player) for name in ("b1", "c1", "d5")] == [
        ("H", 0), ("D", 0), ("W", 1),
    ]  # fmt: skip
    assert [piece.text for piece in found["c2"].pieces] == ["Tp"], "a set that moves is men, one that grows a ground"
    assert [piece.text for piece in found["b4"].pieces] == ["Th", "C"]
    grounds = {name: (place.ground.shape, place.ground.text) for name, place in found.items() if place.ground}
    corners = ["a1", "e1", "a5", "e5"]
    assert [grounds.pop(corner)[0] for corner in corners] == ["nothing"] * 4
    assert grounds == {"b3": ("ground", "swamp"), "c5": ("ground", "plain")}
    assert [piece.text for piece in found["d3"].pieces] == ["T"]


def test_ships_lie_over_hexagons() -> None:
    rules = one_phase(
        "ann chooses s in ship, d in six where bow[s] + 3*d is some\nbow[s] := bow[s] + d",
        "bow[ship]: hex = {cutter: a1, galley: d2}",
        "board hex = grid(5, 5)\ntype ship = {cutter, galley}\n"
        "let six = {north, northeast, east, south, southwest, west}\n"
        "table heading[ship]: direction = {cutter: northeast, galley: north}",
        defs="def covers(s: ship) = {bow[s] + k*heading[s] for k in 0..2}",
        players="ann",
    )
    scene = first_scene(rules)
    over = {key: [place.name for place in places] for key, places in scene.boards[0].long_things().items()}
    assert over == {"ship:cutter": ["a1", "b2", "c3"], "ship:galley": ["d2", "d3", "d4"]}
    assert [f"rotate({turn} " in svg_of(scene) for turn in (-60, 60)] == [True, True]


def test_plays_show_much_with_little_work() -> None:
    rules = SHOWN_BY_PLAY.replace(", southwest", "").replace("northeast, ", "")
    apart = rules.replace("c.x in 2..4 or c.y in 2..4", "(c.x + c.y) mod 2 == 1")
    (board,) = first_scene(apart).boards
    assert all(place.ground is None or place.ground.shape != "nothing" for place in board.places), "squares of a colour"
    draws = "phase deal\n    chance draws few in 4 of 1..40\n    gems := few\n    next move\nphase move"
    slow = rules.replace("in cross", "in {x in cross: any y in cell, z in cell: y != x and z == y}")
    slow = slow.replace("    n: 0..60", "    gems: set of 1..40 = {}\n    n: 0..60")
    (board,) = first_scene(slow.replace("phase move", draws)).boards
    found = {place.name: place for place in board.places}
    assert [found[name].pieces[0].player for name in ("b1", "c1", "d5")] == [0, 0, 1]


def sown(state: str, choice: str, update: str) -> Scene:
    """Return a scene of a game in which seeds are sown around."""
    types = "type house = 1..6\ntype spot = {a, b, c, d, e, f, g, h}"
    update += "\nturn := other(turn)\nn := n + 1\nnext end if n == 9 else go"
    return first_scene(plain(types, state, "n: 0..9 = 0", choice=choice, update=update))


@pytest.mark.parametrize(
    ("state", "choice", "update", "rows"),
    [
        ("held[spot]: 0..24 = 3", "x in spot", "(k.number - x.number + 8) mod 8", ["hgfe", "abcd"]),
        ("held[spot]: 0..24 = 3", "x in spot", "(x.number - k.number + 8) mod 8", ["hgfe", "abcd"]),
        ("held[spot]: 0..24 = 3", "x in spot", "(3*(k.number - x.number + 8)) mod 8", ["abcdefgh"]),  # not in order
        ("held[player, house]: 0..36 = 3", "x in house", "", ["654321", "123456"]),
    ],
)
def test_what_is_sown_lies_in_a_ring(state: str, choice: str, update: str, rows: list[str]) -> None:
    if update:
        step = f"held[k] := if k == x then 0 else held[k] + (if {update} <= held[x] then 1 else 0)  for k in spot"
    else:
        away = "(k - x + (if q == turn then 0 else 6) + 12) mod 12"
        new = f"if q == turn and k == x then 0 else held[q, k] + (if {away} <= held[turn, x] then 1 else 0)"
        step = f"held[q, k] := {new}  for q in player, k in house"
    entry = next(one for one in sown(state, choice, step).entries if one.label == "held")
    assert ["".join(item.name for item in row.items) for row in entry.rows] == rows
    assert entry.kind == ("pits" if len(rows) > 1 else "table")
    heads = [line.split() for line in entry_text(entry).split("\n")[1::2]]
    assert len(rows) == 1 or heads == [list(row) for row in rows]


def test_what_is_traded_lies_in_no_ring() -> None:
    step = (
        "held[k] := if k == x then 0 else if abs(k.number - x.number) < 3 then held[k] + 2 else held[k]  for k in spot"
    )
    assert sown("held[spot]: 0..99 = 3", "x in spot", step).entries[0].kind == "table"


@pytest.mark.parametrize(("to", "number"), [("gap", 0), ("a1", 1)])
def test_a_gap_that_tiles_slide_into_is_nothing(to: str, number: int) -> None:
    rules = one_phase(
        "ann chooses t in {t in tile: at[t] + east == gap or at[t] + west == gap}\n"
        f"at[t] := {to}\ngap := at[t]\nn := n + 1\nnext end if n == 9 else go",
        "at[tile]: cell = [a1, b1]\ngap: cell = c1\nn: 0..9 = 0",
        "board cell = grid(3, 1)\ntype tile = 1..2",
        players="ann",
    )
    (board,) = first_scene(rules).boards
    assert [len(place.pieces) for place in board.places] == [1, 1, number]


def test_what_is_sown_step_by_step_lies_in_a_ring() -> None:
    rules = """game sown "Sow one by one"
players south, north
type pit = 1..6
state
    stones[pit]: 0..18 = 3
    at: pit = 1
    left: 0..18 = 0
phase choose_pit
    south chooses i in {i in pit: stones[i] > 0}
    left := stones[i]
    stones[i] := 0
    at := i
    next sow
phase sow
    let to = at mod 6 + 1
    stones[to] := stones[to] + 1
    at := to
    left := left - 1
    next sow if left > 0 else choose_pit if stones[1] < 9 else end
payoff[p] = 0
"""
    assert [[item.name for item in row.items] for row in first_scene(rules).entries[0].rows] == [
        ["6", "5", "4"],
        ["1", "2", "3"],
    ]


@pytest.mark.parametrize(
    ("places", "choice", "to", "kind"),
    [
        ("{left, right}", "d in disk, to in way", "to", "places"),
        ("{near_bank, far_bank}", "d in disk", "if stands[d] == near_bank then far_bank else near_bank", "table"),
        ("{red, green}", "d in disk, to in way", "to", "table"),
    ],
)
def test_things_stand_where_moves_bring_them(places: str, choice: str, to: str, kind: str) -> None:
    rules = one_phase(
        f"ann chooses {choice}\nstands[d] := {to}\nn := n + 1\nnext end if n == 9 else go",
        "stands[disk]: way = way(1)\nn: 0..9 = 0",
        f"type disk = 1..3\ntype way = {places}",
        players="ann",
    )
    for named in (rules, rules.replace("stands", "bank_of")):
        entry = first_scene(named).entries[0]
        is_place = kind == "places" or (named != rules and "bank" in places)
        assert entry.kind == ("places" if is_place else "table")
        if is_place:
            assert [[item.text for item in row.items[1:]] for row in entry.rows] == [["1", "2", "3"], []]
