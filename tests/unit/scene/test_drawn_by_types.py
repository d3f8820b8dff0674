"""Boards, men and grounds in games that do not say how they are drawn."""

from __future__ import annotations

import pytest

from ggp.cli.game_texts import drawing_text
from ggp.display.looks import labels
from ggp.scene.common import in_common
from ggp.scene.scene import Board, Scene
from ggp.scene.svg import svg_of
from ggp.scene.terminal import drawing_of
from tests.support.plain_scenes import BOARD, entries, first_scene, places, plain

ROADS = "type town = {york, bath, ely}\ntable road[town]: set of town = {york: {bath}, bath: {york, ely}, ely: {bath}}"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("lion leopard cat", "Li Le C"),
        ("ant ape wasp", "ant ape W"),
        ("unit_a unit_b", "A B"),
        ("light_blue light_red dark_blue", "LB LR D"),
        ("one two ten", "1 2 10"),
        ("king knight aaab aaac", "K N Ab Ac"),
        ("tall_of_dark_of_round tall_of_dark_of_square short_of_light_of_round", "TDR TDS S"),
    ],
)
def test_words_on_pieces_are_told_apart(words: str, shown: str) -> None:
    assert " ".join(labels(tuple(words.split())).values()) == shown


def test_things_of_two_variables_have_different_letters() -> None:
    found = places("", "thief: cell = a1", "tower_at: cell = b1", "treasury: cell = c1")
    assert [found[name].pieces[0].text for name in ("a1", "b1", "c1")] == ["Th", "TA", "Tr"]


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


def test_cells_that_two_variables_tint_have_a_colour_and_a_name_of_their_own() -> None:
    def grounds(*state: str) -> dict[str, tuple[str, str, str | None]]:
        found = places("", "at: cell = c2", *state)
        return {name: (one.text, one.letter, one.colour) for name, place in found.items() if (one := place.ground)}

    both = grounds("ours: set of cell = {a1, b1}", "open: set of cell = {b1, c1}")
    assert both == {"a1": ("ours", "ou", None), "b1": ("ours, open", "ouop", "pink"), "c1": ("open", "op", "cyan")}
    later = grounds("ours: set of cell = {}", "open: set of cell = {c1}")
    assert later == {"c1": ("open", "op", "cyan")}, "a colour does not change when another variable has cells, too"
    three = grounds("a: set of cell = {a1}", "b[cell]: bool = {a1: yes, else no}", "d: set of cell = {a1}")
    assert three["a1"][0] == "a, b, d"


def test_things_of_several_variables_on_a_cell_are_all_drawn() -> None:
    def shown(*state: str) -> list[tuple[str, str, int | None]]:
        return [(piece.shape, piece.text, piece.player) for piece in places("", *state)["a1"].pieces]

    def of_anna(name: str) -> str:
        return f"{name}[player]: set of cell = {{anna: {{a1}}, boris: {{}}}}"

    gems, bombs = "gems: set of cell = {a1}", "bombs: set of cell = {a1}"
    assert shown(gems, bombs) == [("gem", "", None), ("bomb", "", None)]
    assert shown(gems, of_anna("knights")) == [("gem", "", None), ("knight", "", 0)]
    assert shown(of_anna("knights"), of_anna("flags")) == [("knight", "", 0), ("flag", "", 0)]
    for state in ((of_anna("men"), of_anna("kings")), (of_anna("kings"), of_anna("men"))):
        assert shown(*state) == [("king", "", 0)], "a king is one of the men"
    numbers = "lies[cell]: 1..8 or none = 3", "turned[cell]: 0..3 = 3"
    assert shown(*numbers) == [("", "3", None), ("", "3", None)]
    scene = first_scene(plain(BOARD, *numbers, choice="c in cell"))
    assert "3:3" in str(drawing_of(scene))


def test_terminals_tell_what_letters_stand_for_and_what_tints_they_hide() -> None:
    state = "ours: set of cell = {a1, c1}", "open: set of cell = {a1}", "bombs: set of cell = {a1, b1}"
    words = "type animal = {lion, leopard, bear}\n"
    animals = "who[cell]: animal or none = {a2: leopard, else none}"
    lines = str(drawing_of(first_scene(plain(words + BOARD, *state, animals, choice="c in cell")))).split("\n")
    assert "below: ours, open a1" in lines
    assert any(line.startswith("letters: ") and "ou ours" in line and "Le leopard" in line for line in lines)


def test_of_a_cell_that_perhaps_two_variables_tint_the_certain_one_is_shown() -> None:
    both, one, other = (
        first_scene(plain(BOARD, "at: cell = c2", f"ours: set of cell = {ours}", f"open: set of cell = {opened}"))
        for ours, opened in (("{a1}", "{a1}"), ("{}", "{a1}"), ("{a1}", "{}"))
    )
    for left, right, known in ((both, one, "open"), (one, both, "open"), (both, other, "ours"), (one, other, None)):
        place = in_common(left, right).boards[0].places[0]
        assert (place.ground.text if place.ground else None) == known
        assert place.mark is not None


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
    types = f"{BOARD}\ntype gate = cell of direction"
    scene = first_scene(plain(types, "at: cell = a1", state, choice="c in cell"))
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


def test_of_a_record_of_guesses_only_elements_are_clicked() -> None:
    guessed = entries("type hue = {red, blue}", "guess[1..3, 1..2]: hue or none = red", "h in hue")["guess"]
    assert [item.means for item in guessed.rows[2].items] == [("1..3:3 1..2:1",), ("1..3:3 1..2:2",)]  # and not a hue
    counted = entries("", "left[1..3, 1..2]: 0..4 = 2", "h in 1..4")["left"]
    assert counted.rows[0].items[1].means == ("1..3:1 1..2:2",)
    code = entries("type hue = {red, blue}", "offer: hue = red", "h in hue")["offer"]
    assert code.rows[0].items[0].means == ("hue:red",)


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


def test_ships_that_are_numbered_lie_on_one_board() -> None:
    rules = plain(BOARD, "ship[1..2]: set of cell = {1: {a1}, 2: {b1}}", choice="c in cell")
    (board,) = first_scene(rules).boards
    assert board.level == ""


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


def test_a_word_that_names_a_shape_is_drawn_among_shapes_only() -> None:
    types = "type word = {king, river, song, oak}\ntype man = {king, queen, mage}"
    shown = entries(types, "said: set of word = {king}\ntaken: set of man = {king}")
    assert [shown[label].rows[0].items[0].shape for label in ("said", "taken")] == ["", "king"]


def test_many_words_are_written_on_the_board_and_colours_in_names_are_seen() -> None:
    words = "king, " + ", ".join(f"word_{letter}" for letter in "abcdefghijklmno")
    held = places(
        f"type word = {{{words}}}\ntype card = {{red_agent, blue_agent, killer}}",
        "said[cell]: word = {a1: king, else word_b}",
        "key[cell]: card or none = {a1: red_agent, b1: killer, else none}",
    )
    looks = [[(piece.shape, piece.text, piece.colour) for piece in held[name].pieces] for name in ("a1", "b1")]
    assert looks[0] == [("tile", "king", None), ("disc", "R", "red")]
    assert looks[1] == [("tile", "word b", None), ("disc", "K", None)]
    scene = Scene((), (Board("cell", "squares", 1, 1, (held["a1"],)),), ())
    assert drawing_of(scene).rows[0][0].text == "king:R"


def test_the_cell_of_the_only_player_is_where_it_is_and_ways_lead_from_there() -> None:
    rules = plain(BOARD, "me: cell = a1", "crate: cell or none = b1", choice="way in direction", players="anna")
    alone = first_scene(rules)
    held = [(piece.player, piece.letter) for place in alone.boards[0].places for piece in place.pieces]
    assert held == [(0, "A"), (None, "C")]


def test_hedges_that_never_change_stand_between_cells_and_single_cells_of_tables_are_named() -> None:
    types = (
        f"{BOARD}\ntype lever = {{red, left}}\nlet hedge_east = {{a1, a2}}\n"
        "table door[lever]: cell = {red: c1, left: c2}\ntable home[player]: cell = {anna: b1, boris: b2}"
    )
    (board,) = first_scene(plain(types, "at: cell = a1", choice="c in cell - hedge_east")).boards
    walls = [(place.form, place.x, place.y) for place in board.places if place.ground and place.ground.shape == "wall"]
    assert sorted(walls) == [("upright", 1.0, 0.5), ("upright", 1.0, 1.5)]
    held = {place.name: place.ground for place in board.places if place.ground and place.name}
    grounds = {name: (ground.text, ground.player) for name, ground in held.items()}
    assert grounds == {"c1": ("door red", None), "c2": ("door left", None), "b1": ("home", 0), "b2": ("home", 1)}
    assert held["c1"].colour == "red"


def test_walls_stand_between_hexagons_and_edges_that_actions_name_have_all_their_names() -> None:
    types = (
        f"{BOARD}\nlet six = {{north, east, southeast, south, west, northwest}}\nlet hedge_east = {{b1}}\n"
        "type side = cell of direction"
    )
    state = (
        "at: cell = a1",
        "last: side or none = none",
        "owner[side]: player or none = {a1_of_north: boris, else none}",
    )
    scene = first_scene(plain(types, *state, choice="c in {at + d for d in six}, s in side"))
    edges = {place.name: place for place in scene.boards[0].places if place.form in ("upright", "rising", "falling")}
    drawn = {name: (place.form, place.ground.player) for name, place in edges.items() if place.ground}
    assert drawn == {"a1_of_north": ("falling", 1), "b1_of_east": ("upright", None)}
    assert [edges[name].also for name in drawn] == [("side:a2_of_south",), ("side:c1_of_west",)]
    assert len(edges) == 6 * 6 - 9  # of these between two cells, each counts once
    assert [entry.label for entry in scene.entries] == ["last", "turn"]
    lines = drawing_text(drawing_of(scene)).plain.split("\n")
    assert lines[:5] == ["2     .   .   .", "     \\", "1   A   . | .", "    a   b   c", "last: none"]


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


def test_a_thing_with_a_colour_of_its_own_shows_whose_it_is() -> None:
    types, state = "type hue = {purple, red}", "tower[player, hue]: cell = [[a1, b1], [a2, c2]]"
    found = places(types, state)
    of_both = [(found[name].pieces[0].colour, found[name].pieces[0].player) for name in ("a1", "b1", "a2", "c2")]
    assert of_both == [("magenta", 0), ("red", 0), ("magenta", 1), ("red", 1)]
    rules = plain(f"{BOARD}\n{types}", state, choice="c in cell")
    assert svg_of(first_scene(rules)).count('<circle r="43"') == 8, "a ring for each, and its edge"
    uncoloured = places("type thing = {rose, skull}", "at[player, thing]: cell = [[a1, b1], [a2, c2]]")
    assert uncoloured["a1"].pieces[0].colour is None, "not all are colours"


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
    (board,) = first_scene(plain(types, "at: cell = c1", state, choice="g in gap")).boards
    walls = [(place.form, place.x, place.y) for place in board.places if place.ground]
    assert sorted(walls) == [("flat", 0.5, 1.0), ("flat", 1.5, 1.0)]
    assert [place.name for place in board.places if place.form == "corner"] == ["a1", "b1"]


def test_what_joins_cells_is_drawn_as_lines() -> None:
    bridges = "bridges[cell]: set of cell = {a1: {b2}, b2: {a1}, c1: {a2}, else {}}"
    rules = plain(BOARD, "at: cell = a1", bridges, choice="c in cell")
    (board,) = first_scene(rules).boards
    assert sorted(board.lines) == [(0.5, 1.5, 1.5, 0.5), (2.5, 1.5, 0.5, 0.5)]
    (other,) = first_scene(rules.replace("c1: {a2}", "c1: {}")).boards
    assert in_common(Scene((), (board,), ()), Scene((), (other,), ())).boards[0].lines == other.lines
    (unnamed,) = first_scene(rules.replace("bridges", "near")).boards
    assert unnamed.lines == ()


def test_ways_lead_from_the_middle_of_cells_and_what_all_cells_have_is_not_drawn() -> None:
    types = "board cell = grid(3, 2)\ntype lies = {face_up, tapped, turned}"
    pipe = "pipe[cell]: set of direction = {a1: {north, east}, b1: {west, southeast}, else {}}"
    laid = "state_of[cell]: lies = face_up", "laid[cell]: lies = {a1: tapped, else face_up}"
    (board,) = first_scene(plain(types, pipe, *laid)).boards
    assert board.lines == ((0.5, 1.5, 0.5, 1), (0.5, 1.5, 1, 1.5), (1.5, 1.5, 2, 2), (1.5, 1.5, 1, 1.5))
    assert [[piece.text for piece in place.pieces] for place in board.places] == [["Ta"], *[["F"]] * 5]
    assert str(drawing_of(first_scene(plain(types, pipe)))).split("\n")[1] == "└ ╴ ."


def test_letters_tell_whose_things_are_and_how_many() -> None:
    rules = plain(
        f"{BOARD}\ntype man = {{soldier, horse}}",
        "kind[cell]: man or none = {a1: soldier, b1: horse, c1: horse, else none}",
        "side[cell]: player or none = {a1: boris, b1: anna, c1: boris, a2: anna, else none}",
        "high[cell]: 0..9 = {a2: 3, else 0}",
    )
    assert str(drawing_of(first_scene(rules))).split("\n")[:2] == ["A3 .  .", "s  H  h"]


def test_where_a_player_is_nothing_else_is_theirs() -> None:
    state = (
        "good[cell]: ware or none = {a1: wool, c1: wine, else none}",
        "stands[player]: cell = {anna: a1, boris: b1}",
    )
    found = places("type ware = {wool, wine}", *state, "many[cell]: 0..9 = {b1: 3, else 0}")
    drawn = {name: [(piece.text, piece.player) for piece in found[name].pieces] for name in ("a1", "b1", "c1")}
    assert drawn == {"a1": [("Wo", None), ("", 0)], "b1": [("", 1), ("3", None)], "c1": [("Wi", None)]}
    met = places("", "anna_at: cell = a1", "dog[1..2]: cell = {1: a1, 2: b1}")["a1"].pieces
    assert [(piece.text, piece.player) for piece in met] == [("", 0), ("1", None)]


def test_a_cell_with_a_name_is_a_ground() -> None:
    found = places("let spring = a1", "wet: set of cell = {c2}")
    assert {name: place.ground.text for name, place in found.items() if place.ground} == {"a1": "spring", "c2": "wet"}


@pytest.mark.parametrize(
    ("open_", "lines", "walls"), [("{north, east}", 12, 0), ("if c.x == 1 then {east} else {west}", 0, 1)]
)
def test_what_is_open_on_one_side_only_are_pipes(open_: str, lines: int, walls: int) -> None:
    rules = plain("board cell = grid(2, 3)", f"open[c: cell]: set of direction = {open_}", choice="c in cell")
    (board,) = first_scene(rules).boards
    assert len(board.lines) == lines
    assert any(place.ground and place.ground.shape == "wall" for place in board.places) == bool(walls)


def test_what_a_player_has_on_a_cell_looks_as_it_is_called() -> None:
    found = places(
        "", "ring[cell]: player or none = {a1: anna, else none}", "mine[cell]: player or none = {b1: boris, else none}"
    )
    assert {name: [(piece.shape, piece.player) for piece in found[name].pieces] for name in ("a1", "b1")} == {
        "a1": [("ring", 0)],
        "b1": [("disc", 1)],
    }


def test_tables_that_players_look_up_are_shown() -> None:
    types = """type ware = {rice, silk, tea}
type rank = {low, high}
table price[ware]: 1..9 = {rice: 2, silk: 7, tea: 3}
table number[ware]: 1..3 = {rice: 1, silk: 2, tea: 3}
table after_it[ware]: ware = {rice: silk, silk: tea, tea: rice}
table worth[rank]: 1..9 = {low: 3, high: 9}"""
    shown = entries(types, "owner[ware]: player or none = none", "w in ware")
    assert [*shown] == ["owner", "turn", "price"]
    assert (shown["price"].kind, shown["price"].text) == ("table", "[rice: 2, silk: 7, tea: 3]")


def test_what_each_of_a_few_things_has_is_shown() -> None:
    types = (
        "type person = {alma, bruno}\ntype trait = {hat, beard, wig}\n"
        "table has[person]: set of trait = {alma: {hat}, bruno: {hat, beard}}\n"
        "table knows[person]: set of person = {alma: {bruno}, bruno: {}}"
    )
    shown = entries(types, "open: set of person = all")
    assert shown["has"].text == "[alma: {hat}, bruno: {hat, beard}]"
    assert "knows" not in shown


def test_playing_cards_on_a_board_are_written_as_on_their_corners() -> None:
    types = "type suit = {hearts, spades}\ntype rank = {seven, ten, king}\ntype card = rank of suit"
    found = places(types, "laid[cell]: card or none = {a1: seven_of_hearts, b1: king_of_spades, else none}")
    assert [found[name].pieces[0].text for name in ("a1", "b1")] == ["7♥", "K♠"]


def test_men_of_nobody_stand_on_the_board() -> None:
    found = places("", "men: set of cell = {a1}", "mud: set of cell = {b1}")
    assert found["a1"].pieces
    assert (found["b1"].pieces, found["b1"].ground and found["b1"].ground.text) == ((), "mud")


def test_a_region_whose_name_says_whose_it_is_has_its_colour() -> None:
    found = places("let den_of_anna = a1\nlet boris_home = {c1, c2}\nlet lake = {b1}", "at: cell = b2")
    grounds = {name: (place.ground.text, place.ground.player) for name, place in found.items() if place.ground}
    assert grounds == {"a1": ("den", 0), "c1": ("home", 1), "c2": ("home", 1), "b1": ("", None)}


def test_things_of_one_player_are_told_apart_and_names_say_whose_they_are() -> None:
    found = places("", "pupils[player]: set of cell = [{a1}, {c1}]", "teacher[player]: cell = [b1, b2]")
    assert [found[name].pieces[0].text for name in ("a1", "b1", "c1", "b2")] == ["", "T", "", "T"]
    found = places("", "at[player]: cell = [a1, c1]", "trap[player]: set of cell = [{b1}, {b2}]")
    assert [found[name].pieces[0].text for name in ("a1", "b1")] == ["", "T"]
    named = ("anna_at: cell = a1", "boris_king: cell = b1", "anna_guard: cell = c1", "fox: cell = a2")
    pieces = [found.pieces[0] for name, found in places("", *named).items() if name in ("a1", "b1", "c1", "a2")]
    assert [(one.player, one.shape, one.text) for one in pieces] == [
        (0, "disc", ""), (1, "king", ""), (0, "disc", "G"), (None, "disc", "F"),
    ]  # fmt: skip


def test_a_way_that_stays_on_a_cell_has_no_line_there() -> None:
    way = "type step = 1..6\ntable way[step]: cell = {1: a1, 2: b1, 3: c1, 4: c2, else b2}"
    (board,) = first_scene(plain(f"{BOARD}\n{way}", "at: cell = a1", choice="c in cell")).boards
    assert len(board.lines) == 4


def test_a_set_of_points_of_a_map_is_seen_on_it() -> None:
    rules = plain(ROADS, "visited: set of town = {bath}", choice="t in town")
    assert svg_of(first_scene(rules)).count('<circle class="ground"') == 1


def test_where_each_of_a_few_things_goes_is_told_by_arrows() -> None:
    types = f"{BOARD}\ntype card = {{crab, crane, stone}}\ntable steps[card]: set of direction = "
    types += "{crab: {north, east, west}, crane: {southwest}, stone: {}}"
    found = entries(types, "held[player]: set of card = {}\nat: cell = a1")
    assert found["steps"].text == "crab: ↑ → ←, crane: ↙, stone: –"
    (row,) = found["steps"].rows
    assert (row.items[0].name, row.items[0].means) == ("crab", ("card:crab",))
