"""What a game looks like that does not say how it is drawn."""

from __future__ import annotations

import pytest

from ggp.cli.game_texts import drawing_text
from ggp.display.looks import labels
from ggp.display.scenes import Scenes
from ggp.interpreter.interpreter import Interpreter
from ggp.language import SourceFile, check
from ggp.scene.common import in_common
from ggp.scene.scene import Entry, Place, Scene
from ggp.scene.svg import svg_of
from ggp.scene.terminal import drawing_of, entry_text
from tests.support.library import game_of

PLAIN = """game plain "Anything"
players anna, boris
{types}
state
{state}
    turn: player = anna

phase play
    turn chooses {choice}
    next end

payoff[p] = 0
"""
CARDS = "type rank = {two, three}\ntype suit = {clubs, hearts}\ntype card = rank of suit"
BOARD = "board cell = grid(3, 2)"


def entries(types: str, state: str, choice: str = "what in bool") -> dict[str, Entry]:
    """Return the values beside the boards, by their labels."""
    scene = game_of(PLAIN.format(types=types, state=f"    {state}", choice=choice)).initial().scene()
    return {entry.label: entry for entry in scene.entries}


def places(types: str, *state: str) -> dict[str, Place]:
    """Return the cells of the board, by their names."""
    lines = "\n".join(f"    {line}" for line in state)
    scene = game_of(PLAIN.format(types=f"{BOARD}\n{types}", state=lines, choice="c in cell")).initial().scene()
    assert svg_of(scene)
    return {place.name: place for place in scene.boards[0].places}


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("lion leopard cat", "Li Le C"),
        ("ant ape wasp", "ant ape W"),
        ("unit_a unit_b", "A B"),
        ("light_blue light_red dark_blue", "LB LR D"),
        ("one two ten", "1 2 10"),
        ("king knight aaab aaac", "K N Ab Ac"),
    ],
)
def test_words_on_pieces_are_told_apart(words: str, shown: str) -> None:
    assert " ".join(labels(tuple(words.split())).values()) == shown


def test_things_of_two_variables_have_different_letters() -> None:
    found = places("", "thief: cell = a1", "tower_at: cell = b1", "treasury: cell = c1")
    assert [found[name].pieces[0].text for name in ("a1", "b1", "c1")] == ["Th", "TA", "Tr"]


def test_cards_in_order_are_no_map() -> None:
    rules = PLAIN.format(
        types=CARDS, state="    hand[player]: set of card = all", choice="c in {c in hand[turn]: c.rank == two}"
    )
    scene = game_of(rules).initial().scene()
    assert scene.boards == ()
    (hand,) = (entry for entry in scene.entries if entry.label == "hand")
    assert hand.kind == "cards"


def test_a_table_of_lands_is_the_ground() -> None:
    lands = (
        "type land = {plain, forest, river, bog}\n"
        "table what[c: cell]: land = {a1: forest, b1: river, c1: bog, else plain}"
    )
    found = places(lands, "at: cell = a1")
    grounds = {name: place.ground for name, place in found.items() if place.ground is not None}
    assert set(grounds) == {"a1", "b1", "c1"}
    assert (grounds["a1"].shape, grounds["a1"].text, grounds["a1"].colour) == ("ground", "forest", "green")
    assert grounds["b1"].shape == "water"
    assert found["a1"].pieces


def test_regions_that_a_let_names_are_the_ground() -> None:
    regions = "let lake = {b1}\nlet start = {a1, a2}\nlet land = cell - lake\nlet none_of_it = lake - lake\n"
    regions += "let next_to[c: cell] = {c}"
    found = places(regions, "at: cell = c2")
    grounds = {name: place.ground for name, place in found.items() if place.ground}
    assert set(grounds) == {"a1", "a2", "b1"}
    assert grounds["b1"].shape == "water"
    assert grounds["a1"] == grounds["a2"]
    assert (grounds["a1"].shape, grounds["a1"].text) == ("ground", "start")


def test_regions_that_functions_name_are_the_ground() -> None:
    regions = "def camp(p: player) = if p == anna then {a1} else {c2}\ndef is_lake(c: cell) = c.x == 2 and c.y == 1\n"
    regions += "def near(c: cell) = {c}\ndef most(c: cell) = c.y < 9"
    found = places(regions, "at: cell = c2")
    grounds = {name: place.ground for name, place in found.items() if place.ground}
    assert {name: (ground.shape, ground.text, ground.player) for name, ground in grounds.items()} == {
        "a1": ("ground", "camp", 0),
        "b1": ("water", "", None),
        "c2": ("ground", "camp", 1),
    }


def test_a_table_of_walls_is_drawn_and_one_of_anything_else_is_not() -> None:
    walls = "table wall[c: cell]: bool = {a1: yes, else no}\ntable even[c: cell]: bool = {b1: yes, else no}"
    found = places(walls, "at: cell = c2")
    assert [name for name, place in found.items() if place.ground is not None] == ["a1"]


@pytest.mark.parametrize(
    "state",
    [
        "closed: set of gate = {gate(b1, east)}",
        "wall[cell]: set of direction = {b1: {east}, else {}}",
        "wall[direction]: set of cell = {east: {b1}, else {}}",
        "fence_east: set of cell = {b1}",
        "barrier[cell, direction]: bool = no",
        "open[direction]: set of cell = {east: all - {b1}, west: all, north: all, south: all, else {}}",
    ],
)
def test_walls_stand_between_cells(state: str) -> None:
    lines = f"    at: cell = a1\n    {state}"
    rules = PLAIN.format(types=f"{BOARD}\ntype gate = cell of direction", state=lines, choice="c in cell")
    scene = game_of(rules).initial().scene()
    places = {place.name: place for place in scene.boards[0].places if place.name}
    edges = [place for place in scene.boards[0].places if place.ground is not None]
    assert [(edge.form, edge.x - places["b1"].x, edge.y - places["b1"].y) for edge in edges] == [
        ("upright", 0.5, 0.0)
    ] * (0 if "barrier" in state else 1)
    assert [entry.label for entry in scene.entries] == ["turn"]


def test_a_number_stays_beside_what_stands_on_it() -> None:
    found = places(
        "", "level[cell]: 0..4 = 2", "man[player, 1..2]: cell or none = {anna: [a1, b1], boris: [none, none]}"
    )
    assert [(piece.player, piece.text) for piece in found["a1"].pieces] == [(None, "2"), (0, "1")]
    assert [(piece.player, piece.text) for piece in found["c2"].pieces] == [(None, "2")]


def test_whose_stack_it_is_and_how_high_are_one_piece() -> None:
    found = places("", "owner[cell]: player or none = boris", "height[cell]: 0..9 = 3")
    assert [(piece.shape, piece.player, piece.text) for piece in found["a1"].pieces] == [("disc", 1, "3")]


def test_pits_tracks_and_scores_by_their_names() -> None:
    assert entries("type house = 1..6", "seeds[player, house]: 0..48 = 4")["seeds"].kind == "pits"
    track = entries("", "place[player]: 0..28 = 0")["place"]
    assert (track.kind, track.low, track.high) == ("track", 0, 28)
    assert entries("", "place[player]: 0..999 = 0")["place"].kind == "score"
    assert entries("", "won[player]: 0..28 = 0")["won"].kind == "score"


def test_counts_of_cards_are_cards() -> None:
    held = entries("type card = {rice, fish, tea}", "hand[player, card]: 0..9 = {anna: [2, 0, 1], boris: [0, 0, 0]}")[
        "hand"
    ]
    assert held.kind == "cards"
    assert [[(item.text, item.number) for item in row.items] for row in held.rows] == [[("rice", 2), ("tea", 1)], []]


def test_men_on_numbered_points_are_a_race_where_nobody_meets_at_the_beginning() -> None:
    men = "men[player, 1..8]: 0..5 = [[2, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, {}, 0, 0, 0, 2]]"
    assert entries("", men.format(0), "h in 1..4")["men"].kind == "race"
    assert entries("", men.format(1), "h in 1..4")["men"].kind == "table"
    assert entries("", "held[player, 1..8]: 0..4 = 0", "h in 1..4")["held"].kind == "table"


def test_of_a_record_of_guesses_only_elements_are_clicked() -> None:
    guessed = entries("type hue = {red, blue}", "guess[1..3, 1..2]: hue or none = red", "h in hue")["guess"]
    assert [item.means for item in guessed.rows[2].items] == [("1..3:3 1..2:1",), ("1..3:3 1..2:2",)]  # and not a hue
    counted = entries("", "left[1..3, 1..2]: 0..4 = 2", "h in 1..4")["left"]
    assert counted.rows[0].items[1].means == ("1..3:1 1..2:2",)
    code = entries("type hue = {red, blue}", "offer: hue = red", "h in hue")["offer"]
    assert code.rows[0].items[0].means == ("hue:red",)


TILES = """game duel "Each lays tiles on a plot of its own"
players one, two, three
board plot = grid(2, 2)
type tile = {{wheat, sheep}}

state
    laid[player, plot]: tile or none = none
    turn: player = one
    lays: 0..4 = 0

phase lay
    turn chooses c in {{d in plot: ({whose}) is none}}, t in tile
    {row} := t
    turn := after(turn, player)
    lays := lays + 1
    next end if lays == 3 else lay

payoff[p] = 0
"""


def tiles(whose: str, row: str, moves: int = 2) -> Scene:
    """Return a scene after one or two moves on the same cell."""
    state = game_of(TILES.format(whose=whose, row=row)).initial()
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


def test_an_owner_tints_a_cell_on_which_players_have_other_things() -> None:
    held = places("", "owner[cell]: player or none = {a1: anna, b1: boris, else none}", "at[player]: cell = c1")
    grounds = {name: place.ground for name, place in held.items() if place.ground is not None}
    assert {name: (ground.shape, ground.player) for name, ground in grounds.items()} == {
        "a1": ("ground", 0),
        "b1": ("ground", 1),
    }
    assert [piece.player for piece in held["a1"].pieces] == []
    alone = places("", "owner[cell]: player or none = {a1: anna, else none}")
    assert [piece.player for piece in alone["a1"].pieces] == [0]


def test_players_on_one_cell_stand_beside_each_other() -> None:
    held = places("", "at[player]: cell = a1")["a1"].pieces
    assert [(piece.shape, piece.player) for piece in held] == [("disc", 0), ("disc", 1)]


LEVELS = """game cube "Two levels"
players ex, oh
board cell = grid(2, 2)
type level = 1..2

state
    {state}
    turn: player = ex
    laid: 0..8 = 0

phase lay
    turn chooses l in level, c in {{c in cell: {free}}}
    {update}
    turn := other(turn)
    laid := laid + 1
    next end if laid == 8 else lay

payoff[p] = 0
"""


@pytest.mark.parametrize(
    ("state", "free", "update"),
    [
        ("mark[level, cell]: player or none = none", "mark[l, c] is none", "mark[l, c] := turn"),
        (
            "men[player, level]: set of cell = {}",
            "c not in men[ex, l] + men[oh, l]",
            "men[turn, l] := men[turn, l] + {c}",
        ),
    ],
)
def test_each_level_has_a_board_where_cells_hold_things_on_several(state: str, free: str, update: str) -> None:
    position = game_of(LEVELS.format(state=state, free=free, update=update)).initial()
    for player, action in (("ex", "2 a1"), ("oh", "1 b2"), ("ex", "1 a1")):
        position = position.apply({player: action})
    scene = position.scene()
    assert [board.level for board in scene.boards] == ["level 1", "level 2"]
    low, high = ({place.name: place for place in board.places} for board in scene.boards)
    assert [piece.player for piece in low["b2"].pieces] == [1]
    assert [piece.player for piece in high["a1"].pieces] == [0]
    assert high["b2"].pieces == ()
    assert (low["a1"].on, high["a1"].on) == ("1..2:1", "1..2:2")
    assert ">level 2</text>" in svg_of(scene)
    assert "level 2:" in str(drawing_of(scene))


def test_ships_that_are_numbered_lie_on_one_board() -> None:
    (board,) = (
        game_of(PLAIN.format(types=BOARD, state="    ship[1..2]: set of cell = {1: {a1}, 2: {b1}}", choice="c in cell"))
        .initial()
        .scene()
        .boards
    )
    assert board.level == ""


def test_a_stack_lies_in_its_order_with_its_top_last() -> None:
    pile = "anna, boris, anna, anna, anna, anna, anna, boris"
    held = places("", f"tower[cell]: sequence of player, at most 9 = {{a1: [boris], b1: [{pile}], else []}}")
    assert [(piece.shape, piece.text, piece.player) for piece in held["a1"].pieces] == [("disc", "", 1)]
    assert [piece.player for piece in held["b1"].pieces] == [0, 0, 0, 0, 0, 1]
    assert held["c1"].pieces == ()


@pytest.mark.parametrize(
    ("types", "rook", "scout"),
    [
        ("type man = {rook, scout}\ntype piece = man of player", "rook_of_anna", "scout_of_boris"),
        ("type piece = {anna_rook, anna_scout, boris_scout}", "anna_rook", "boris_scout"),
    ],
)
def test_pieces_whose_names_say_whose_they_are(types: str, rook: str, scout: str) -> None:
    held = places(types, f"held[cell]: piece or none = {{a1: {rook}, b1: {scout}, else none}}")
    looks = [(piece.shape, piece.text, piece.player) for name in ("a1", "b1") for piece in held[name].pieces]
    assert looks == [("rook", "", 0), ("disc", "S", 1)]


def test_a_number_in_hand_is_no_card() -> None:
    assert entries("", "in_hand[player]: 0..6 = 6")["in hand"].kind == "score"
    assert entries("", "hand[player]: 0..6 = 6")["hand"].kind == "score"
    assert entries("", "hand[player]: 1..6 = 6")["hand"].kind == "cards"


def test_hedges_that_never_change_stand_between_cells_and_single_cells_of_tables_are_named() -> None:
    types = (
        f"{BOARD}\ntype lever = {{red, left}}\nlet hedge_east = {{a1, a2}}\n"
        "table door[lever]: cell = {red: c1, left: c2}\ntable home[player]: cell = {anna: b1, boris: b2}"
    )
    scene = (
        game_of(PLAIN.format(types=types, state="    at: cell = a1", choice="c in cell - hedge_east")).initial().scene()
    )
    (board,) = scene.boards
    walls = [(place.form, place.x, place.y) for place in board.places if place.ground and place.ground.shape == "wall"]
    assert sorted(walls) == [("upright", 1.0, 0.5), ("upright", 1.0, 1.5)]
    held = {place.name: place.ground for place in board.places if place.ground and place.name}
    grounds = {name: (ground.text, ground.player) for name, ground in held.items()}
    assert grounds == {"c1": ("door red", None), "c2": ("door left", None), "b1": ("home", 0), "b2": ("home", 1)}
    assert held["c1"].colour == "red"


def test_several_pawns_of_each_player_are_on_one_track() -> None:
    told = entries("", "sheet[player, 1..2]: 0..20 = 2\n    progress[player, 1..2]: 0..20 = 3")
    assert told["sheet"].kind == "table"
    assert (told["progress"].kind, told["progress"].high) == ("track", 20)
    assert told["progress"].rows[0].items[1].means == ("player:anna", "1..2:2")


def test_walls_stand_between_hexagons_and_edges_that_actions_name_have_all_their_names() -> None:
    types = (
        f"{BOARD}\nlet six = {{north, east, southeast, south, west, northwest}}\nlet hedge_east = {{b1}}\n"
        "type side = cell of direction"
    )
    state = "    at: cell = a1\n    last: side or none = none\n"
    state += "    owner[side]: player or none = {a1_of_north: boris, else none}"
    rules = PLAIN.format(types=types, state=state, choice="c in {at + d for d in six}, s in side")
    scene = game_of(rules).initial().scene()
    edges = {place.name: place for place in scene.boards[0].places if place.form in ("upright", "rising", "falling")}
    drawn = {name: (place.form, place.ground.player) for name, place in edges.items() if place.ground}
    assert drawn == {"a1_of_north": ("falling", 1), "b1_of_east": ("upright", None)}
    assert [edges[name].also for name in drawn] == [("side:a2_of_south",), ("side:c1_of_west",)]
    assert len(edges) == 6 * 6 - 9  # of these between two cells, each counts once
    assert [entry.label for entry in scene.entries] == ["last", "turn"]
    lines = drawing_text(drawing_of(scene)).plain.split("\n")
    assert lines[:5] == ["2     .   .   .", "     \\", "1   A   . | .", "    a   b   c", "last: none"]


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
    rules = PLAIN.format(types=f"{BOARD}\ntype car = {{red, van}}", state=f"    {state}", choice="c in car")
    (board,) = game_of(rules).initial().scene().boards
    assert board.long == long
    over = {key: [place.name for place in places] for key, places in board.long_things().items()}
    assert over == ({"car:red": ["a1", "b1"]} if long else {})


def test_what_a_function_says_that_things_cover_is_theirs() -> None:
    covers = "def covers(k: car) = {c in cell: c.y == at[k].y and c.x in at[k].x..at[k].x + long[k] - 1}"
    types = f"{BOARD}\ntype car = {{red, van}}\ntable long[car]: 1..2 = {{red: 2, van: 1}}"
    rules = PLAIN.format(
        types=types, state="    at[car]: cell = {red: a1, van: c2}", choice="k in car where a1 in covers(k)"
    )
    rules = rules.replace("\nphase play", f"\n{covers}\nphase play")
    (board,) = game_of(rules).initial().scene().boards
    assert [place.name for place in board.long_things()["car:red"]] == ["a1", "b1"]
    assert [place.name for place in board.places if place.pieces] == ["a1", "b1", "c2"]
    (board,) = game_of(rules.replace("van: c2", "van: b1")).initial().scene().boards
    assert board.long == (), "two would lie over b1"


def test_directions_are_arrows_and_things_look_where_they_face() -> None:
    found = places(
        "", "robot[player]: cell = {anna: a1, boris: c2}", "facing[player]: direction = north", "q: bool = no"
    )
    assert [(piece.player, piece.text) for name in ("a1", "c2") for piece in found[name].pieces] == [(0, "↑"), (1, "↑")]
    found = places("", "turned[cell]: direction = southwest")
    assert found["a1"].pieces[0].text == "↙"
    found = places("", "robot: cell = a1", "prize: cell = b1", "wind: direction = north")
    assert [found[name].pieces[0].text for name in ("a1", "b1")] == ["R", "P"]


def test_the_numbers_of_one_table_are_noted_in_the_corners() -> None:
    worth = "table worth[c: cell]: 0..9 = if c.y == 1 then 3 else 0\ntable same[cell]: 0..9 = 1\n"
    found = places(worth, "at: cell = c2")
    assert {name: place.note for name, place in found.items() if place.note} == {"a1": "3", "b1": "3", "c1": "3"}
    assert found == places(f"{worth}table x[c: cell]: 1..3 = c.x", "at: cell = c2"), (
        "numbers of columns are for the rules"
    )
    other = "table age[c: cell]: 0..9 = c.x * c.y\n"
    assert not any(place.note for place in places(worth + other, "at: cell = c2").values())


def test_a_thing_that_is_called_by_a_colour_has_it() -> None:
    found = places("type car = {red, lorry}", "at[car]: cell = {red: a1, lorry: c2}")
    assert [found[name].pieces[0].colour for name in ("a1", "c2")] == ["red", None]


@pytest.mark.parametrize(
    "state",
    [
        "flat_walls: set of gap = {a1}",
        "walls[lie]: set of gap = {flat: {a1}, upright: {}}",
        "wall[gap]: lie or none = {a1: flat, else none}",
        "fences: set of beam = {beam(a1, flat)}",
        "closed[gap, lie]: bool = [[yes, no], [no, no]]",
    ],
)
def test_walls_of_the_length_of_two_cells_lie_on_corners(state: str) -> None:
    types = f"{BOARD}\nboard gap = grid(2, 1)\ntype lie = {{flat, upright}}\ntype beam = gap of lie"
    rules = PLAIN.format(types=types, state=f"    at: cell = c1\n    {state}", choice="g in gap")
    (board,) = game_of(rules).initial().scene().boards
    walls = [(place.form, place.x, place.y) for place in board.places if place.ground]
    assert sorted(walls) == [("flat", 0.5, 1.0), ("flat", 1.5, 1.0)]
    assert [place.name for place in board.places if place.form == "corner"] == ["a1", "b1"]


def test_numbers_called_by_pawns_and_throws_are_on_a_track_and_dice() -> None:
    told = entries("", "pawn[player]: 0..36 = 0\n    thrown: 1..6 = 1\n    throws: 0..6 = 0")
    assert {label: one.kind for label, one in told.items()} == {
        "pawn": "track", "thrown": "dice", "throws": "line", "turn": "line",
    }  # fmt: skip


def test_what_joins_cells_is_drawn_as_lines() -> None:
    lines = "    at: cell = a1\n    bridges[cell]: set of cell = {a1: {b2}, b2: {a1}, c1: {a2}, else {}}"
    rules = PLAIN.format(types=BOARD, state=lines, choice="c in cell")
    (board,) = game_of(rules).initial().scene().boards
    assert sorted(board.lines) == [(0.5, 1.5, 1.5, 0.5), (2.5, 1.5, 0.5, 0.5)]
    (other,) = game_of(rules.replace("c1: {a2}", "c1: {}")).initial().scene().boards
    assert in_common(Scene((), (board,), ()), Scene((), (other,), ())).boards[0].lines == other.lines
    (unnamed,) = game_of(rules.replace("bridges", "near")).initial().scene().boards
    assert unnamed.lines == ()


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
    rules = """game ships "Ships among hexagons"
players captain
board hex = grid(5, 5)
type ship = {cutter, galley}
let six = {north, northeast, east, south, southwest, west}
table heading[ship]: direction = {cutter: northeast, galley: north}
state
    bow[ship]: hex = {cutter: a1, galley: d2}
def covers(s: ship) = {bow[s] + k*heading[s] for k in 0..2}
phase sail
    captain chooses s in ship, d in six where bow[s] + 3*d is some
    bow[s] := bow[s] + d
    next end
payoff[p] = 0
"""
    scene = game_of(rules).initial().scene()
    over = {key: [place.name for place in places] for key, places in scene.boards[0].long_things().items()}
    assert over == {"ship:cutter": ["a1", "b2", "c3"], "ship:galley": ["d2", "d3", "d4"]}
    assert [f"rotate({turn} " in svg_of(scene) for turn in (-60, 60)] == [True, True]


def test_plays_show_much_with_little_work() -> None:
    rules = SHOWN_BY_PLAY.replace(", southwest", "").replace("northeast, ", "")
    apart = rules.replace("c.x in 2..4 or c.y in 2..4", "(c.x + c.y) mod 2 == 1")
    (board,) = _first_scene(apart).boards
    assert all(place.ground is None or place.ground.shape != "nothing" for place in board.places), "squares of a colour"
    draws = "phase deal\n    chance draws few in 4 of 1..40\n    gems := few\n    next move\nphase move"
    slow = rules.replace("in cross", "in {x in cross: any y in cell, z in cell: y != x and z == y}")
    slow = slow.replace("    n: 0..60", "    gems: set of 1..40 = {}\n    n: 0..60")
    (board,) = _first_scene(slow.replace("phase move", draws)).boards
    found = {place.name: place for place in board.places}
    assert [found[name].pieces[0].player for name in ("b1", "c1", "d5")] == [0, 0, 1]


def _first_scene(rules: str) -> Scene:
    game = check(SourceFile("test.rules", rules)).game
    assert game is not None
    interpreter = Interpreter(game)
    return Scenes(interpreter).scene(interpreter.initial())


SOWN = """game sown "Sow around"
players south, north
type house = 1..6
type spot = {a, b, c, d, e, f, g, h}
state
    STATE
    turn: player = south
    n: 0..9 = 0
phase sow
    turn chooses CHOICE
    UPDATE
    turn := other(turn)
    n := n + 1
    next end if n == 9 else sow
payoff[p] = 0
"""


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
    rules = SOWN.replace("STATE", state).replace("CHOICE", choice).replace("UPDATE", step)
    entry = next(one for one in _first_scene(rules).entries if one.label == "held")
    assert ["".join(item.name for item in row.items) for row in entry.rows] == rows
    assert entry.kind == ("pits" if len(rows) > 1 else "table")
    heads = [line.split() for line in entry_text(entry).split("\n")[1::2]]
    assert len(rows) == 1 or heads == [list(row) for row in rows]


def test_ways_lead_from_the_middle_of_cells_and_what_all_cells_have_is_not_drawn() -> None:
    types = "board cell = grid(3, 2)\ntype lies = {face_up, tapped, turned}"
    state = "    pipe[cell]: set of direction = {a1: {north, east}, b1: {west, southeast}, else {}}"
    state += "\n    state_of[cell]: lies = face_up\n    laid[cell]: lies = {a1: tapped, else face_up}"
    scene = game_of(PLAIN.format(types=types, state=state, choice="what in bool")).initial().scene()
    (board,) = scene.boards
    assert board.lines == ((0.5, 1.5, 0.5, 1), (0.5, 1.5, 1, 1.5), (1.5, 1.5, 2, 2), (1.5, 1.5, 1, 1.5))
    assert [[piece.text for piece in place.pieces] for place in board.places] == [["Ta"], *[["F"]] * 5]
    rules = PLAIN.format(types=types, state=state[: state.index("\n")], choice="what in bool")
    assert str(drawing_of(_first_scene(rules))).split("\n")[1] == "└ ╴ ."


def test_letters_tell_whose_things_are_and_how_many() -> None:
    state = "    kind[cell]: man or none = {a1: soldier, b1: horse, c1: horse, else none}"
    state += "\n    side[cell]: player or none = {a1: boris, b1: anna, c1: boris, a2: anna, else none}"
    state += "\n    high[cell]: 0..9 = {a2: 3, else 0}"
    rules = PLAIN.format(types=f"{BOARD}\ntype man = {{soldier, horse}}", state=state, choice="what in bool")
    assert str(drawing_of(_first_scene(rules))).split("\n")[:2] == ["A3 .  .", "s  H  h"]


@pytest.mark.parametrize(
    ("leads", "jumps"),
    [
        ("table leads[s: square]: square = {1: 9, 12: 2, 7: 7, 3: 3, else 5}", ()),  # most are left
        ("table leads[s: square]: square = if s == 1 then 9 else if s == 12 then 2 else s", ((1, 9), (12, 2))),
        ("def leads(s: square) = if s == 1 then 9 else s", ((1, 9),)),
        ("def leads(s: square) = s", ()),
    ],
)
def test_snakes_and_ladders_lead_along_a_track(leads: str, jumps: tuple[tuple[int, int], ...]) -> None:
    state = "    token[player]: square = 1"
    scene = _first_scene(PLAIN.format(types=f"type square = 1..12\n{leads}", state=state, choice="what in bool"))
    track = scene.entries[0]
    assert (track.kind, track.jumps) == ("track", jumps)
    assert entry_text(track) == ", ".join(["[anna: 1, boris: 1]", *(f"{one} → {other}" for one, other in jumps)])


def test_what_is_traded_lies_in_no_ring() -> None:
    step = (
        "held[k] := if k == x then 0 else if abs(k.number - x.number) < 3 then held[k] + 2 else held[k]  for k in spot"
    )
    rules = SOWN.replace("STATE", "held[spot]: 0..99 = 3").replace("CHOICE", "x in spot").replace("UPDATE", step)
    assert _first_scene(rules).entries[0].kind == "table"


def test_where_a_player_is_nothing_else_is_theirs() -> None:
    state = (
        "good[cell]: ware or none = {a1: wool, c1: wine, else none}",
        "stands[player]: cell = {anna: a1, boris: b1}",
    )
    found = places("type ware = {wool, wine}", *state, "many[cell]: 0..9 = {b1: 3, else 0}")
    drawn = {name: [(piece.text, piece.player) for piece in found[name].pieces] for name in ("a1", "b1", "c1")}
    assert drawn == {"a1": [("Wo", None), ("", 0)], "b1": [("", 1), ("3", None)], "c1": [("Wi", None)]}


def test_camels_run_on_a_track() -> None:
    found = entries("type camel = {red, humpy}", "place[camel]: 1..12 = 1")
    assert (found["place"].kind, found["place"].low, found["place"].high) == ("track", 1, 12)
