"""Cards, dice, tracks, dominoes and stacks in games that do not say how they are drawn."""

from __future__ import annotations

import pytest

import ggp
from ggp.scene.svg import svg_of
from ggp.scene.terminal import drawing_of, entry_text
from tests.support.clicked_games import UNDRAWN
from tests.support.library import game_of
from tests.support.plain_scenes import BOARD, entries, first_scene, places, plain

CARDS = "type rank = {two, three}\ntype suit = {clubs, hearts}\ntype card = rank of suit"
ROADS = "type town = {york, bath, ely}\ntable road[town]: set of town = {york: {bath}, bath: {york, ely}, ely: {bath}}"


def test_cards_in_order_are_no_map() -> None:
    choice = "c in {c in hand[turn]: c.rank == two}"
    scene = first_scene(plain(CARDS, "hand[player]: set of card = all", choice=choice))
    assert scene.boards == ()
    (hand,) = (entry for entry in scene.entries if entry.label == "hand")
    assert hand.kind == "cards"


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


def test_dice_that_are_named_by_numbers_of_the_same_range_are_clicked_by_their_place() -> None:
    found = entries("", "die[1..6]: 1..6 = [3, 3, 6, 1, 2, 2]", "k in 1..6")["die"]
    assert found.kind == "dice"
    assert [(item.text, item.means) for item in found.rows[0].items[:2]] == [("3", ("1..6:1",)), ("3", ("1..6:2",))]


def test_whose_the_places_of_a_track_are_and_what_they_cost_stands_there() -> None:
    types = "type square = 0..9\ntable price[s: square]: 0..3 = s mod 4"
    state = "at[player]: square = 0\nowner[square]: player or none = {2: boris, else none}"
    found = entries(types, state)
    assert set(found) == {"at", "turn"}
    assert (found["at"].marks, found["at"].note) == (((2, "boris", "blue"),), "price")
    assert found["at"].notes[:4] == ("", "1", "2", "3")


def test_cards_that_are_numbers_have_on_them_what_tables_and_functions_say() -> None:
    types = (
        "type card = 1..4\ntype hue = {red, blue}\n"
        "table colour_of[card]: hue = [red, red, blue, blue]\n"
        "table price[c: card, h: hue]: 0..9 = if h == red then c else 0\n"
        "def is_wild(c: card) = c == 3\nlet double[c: card] = 2*c"
    )
    rules = plain(types, "hand[player]: set of card = all", choice="c in hand[turn]")
    faces = dict(first_scene(rules).faces)
    assert faces["1..4:1"] == ("red", "1 red", "double 2")
    assert faces["1..4:3"] == ("blue", "3 red", "wild", "double 6")
    assert ">red<" in svg_of(first_scene(rules))
    assert first_scene(rules.replace("hand", "bids")).faces == ()


DOMINOES = """type bone = 1..6
table low[bone]: 0..2 = [0, 0, 0, 1, 1, 2]
table high[bone]: 0..2 = [0, 1, 2, 1, 2, 2]"""


def test_numbers_whose_two_halves_are_all_pairs_are_dominoes_and_what_was_laid_is_a_card_too() -> None:
    state = "hand[player]: set of bone = all", "open: bone = 1", "left: 1..6 = 6"
    rules = plain(DOMINOES, *state, choice="b in hand[turn]", update="open := b")
    scene = first_scene(rules)
    pairs = [(low, high) for low in range(3) for high in range(low, 3)]
    assert [face for _, face in scene.faces] == [(f"{low}_of_{high}",) for low, high in pairs]
    assert [entry.label for entry in scene.entries if entry.kind == "cards"] == ["hand", "open"]
    others = first_scene(rules.replace("1, 2, 2]", "1, 2, 0]"))
    assert dict(others.faces)["1..6:5"] == ("low 1", "high 2")


def test_a_number_in_hand_is_no_card() -> None:
    assert entries("", "in_hand[player]: 0..6 = 6")["in hand"].kind == "score"
    assert entries("", "hand[player]: 0..6 = 6")["hand"].kind == "score"
    assert entries("", "hand[player]: 1..6 = 6")["hand"].kind == "cards"


def test_several_pawns_of_each_player_are_on_one_track() -> None:
    told = entries("", "sheet[player, 1..2]: 0..20 = 2\nprogress[player, 1..2]: 0..20 = 3")
    assert told["sheet"].kind == "table"
    assert (told["progress"].kind, told["progress"].high) == ("track", 20)
    assert told["progress"].rows[0].items[1].means == ("player:anna", "1..2:2")


def test_numbers_called_by_pawns_and_throws_are_on_a_track_and_dice() -> None:
    told = entries("", "pawn[player]: 0..36 = 0\nthrown: 1..6 = 1\nthrows: 0..6 = 0")
    assert {label: one.kind for label, one in told.items()} == {
        "pawn": "track", "thrown": "dice", "throws": "line", "turn": "line",
    }  # fmt: skip


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
    track = first_scene(plain(f"type square = 1..12\n{leads}", "token[player]: square = 1")).entries[0]
    assert (track.kind, track.jumps) == ("track", jumps)
    assert entry_text(track) == ", ".join(["[anna: 1, boris: 1]", *(f"{one} → {other}" for one, other in jumps)])


def test_camels_run_on_a_track() -> None:
    found = entries("type camel = {red, humpy}", "place[camel]: 1..12 = 1")
    assert (found["place"].kind, found["place"].low, found["place"].high) == ("track", 1, 12)


def test_places_of_a_track_that_the_rules_name_are_marked() -> None:
    types = "type step = 0..9\nlet rosettes = {4, 8}\nlet most = {1, 2, 3, 4, 5, 6}\ndef is_safe(s: step) = s == 5"
    scene = first_scene(plain(types, "at[player]: step = {anna: 4, boris: 1}"))
    track = scene.entries[0]
    assert [(place, name) for place, name, _ in track.marks] == [(4, "rosettes"), (8, "rosettes"), (5, "safe")]
    assert entry_text(track) == "[anna: 4, boris: 1], rosettes 4 8, safe 5"
    drawn = svg_of(scene)
    assert all(f">{shown}</text>" in drawn for shown in (*range(10), "rosettes", "safe")), "a track, not numbers"


def test_pieces_in_hand_are_shown_by_their_shapes() -> None:
    held = entries("type man = {pawn, rook}", "hand[player, man]: 0..9 = 1")["hand"]
    assert [(item.text, item.shape) for item in held.rows[0].items] == [("pawn", "pawn"), ("rook", "rook")]


def test_what_a_hand_holds_is_not_on_the_map_and_its_numbers_are_cards_elsewhere_too() -> None:
    found = entries(ROADS, "hand[player]: set of town = [{york}, {}]\nat[player]: town = ely", "t in town")
    assert found["hand"].kind == "cards"
    numbered = entries(
        "type row = 1..2",
        "hand[player]: set of 1..40 = {}\nlying[row]: sequence of 1..40, at most 5 = []"
        "\nplayed[player]: 1..40 or none = none\ndeck: set of 1..40 = all\nage: 1..40 = 1",
    )
    assert [numbered[label].kind for label in ("hand", "lying", "played", "deck")] == ["cards"] * 4
    assert numbered["age"].kind == "line"


COURSE = """game course "Two pawns each run around from a start of their own"
players red, blue
type pawn = 1..2
{more}
state
    gone[player, pawn]: {gone} = {initial}
def square({arguments}) = {square}
phase go
    red chooses k in pawn
    gone[red, k] := gone[red, k] + 1  if gone[red, k] < 10
    next end if gone[red, 1] == gone[blue, 1] and square({call}) == 1 else go
payoff[p] = 0
"""
FROM_ONE = {
    "gone": "0..22", "more": "table start[player]: 0..19 = {red: 0, blue: 10}", "arguments": "p: player, k: 0..22",
    "square": "if k == 0 or k > 20 then 0 else (k - 1 + start[p]) mod 20 + 1", "call": "red, 1",
}  # fmt: skip
SHORT = {
    "gone": "-1..20", "more": "", "arguments": "k: 0..18, p: player",
    "square": "(k + 10*(p.number - 1)) mod 20", "call": "1, red",
}  # fmt: skip


@pytest.mark.parametrize(("rules", "zero"), [(FROM_ONE, 1), (SHORT, 0)])
def test_who_runs_from_a_start_of_its_own_is_on_a_ring_with_its_yard_and_its_way_home(
    rules: dict[str, str], zero: int
) -> None:
    low, high = rules["gone"].split("..")
    at = f"[[{low}, {zero + 3}], [{zero}, {high}]]"
    scene = game_of(COURSE.format(initial=at, **rules)).initial().scene()
    (board,) = scene.boards
    assert [entry.label for entry in scene.entries] == []
    assert [place.name for place in board.places[:20]] == [str(zero + number) for number in range(20)]
    held = {(piece.player, piece.text): place for place in board.places for piece in place.pieces}
    names = {key: place.name for key, place in held.items()}
    assert names == {(0, "1"): "", (0, "2"): str(zero + 3), (1, "1"): str(zero + 10), (1, "2"): ""}
    grounds = [place.ground.player for place in board.places if place.ground]
    assert (grounds.count(0), grounds.count(1), len(board.places)) == (5, 5, 28)
    yard, home, start = held[0, "1"], held[1, "2"], held[1, "1"]
    assert yard.y < board.places[0].y, "outside"
    assert abs(home.y - start.y) + abs(home.x - start.x) < 5
    assert home.y < start.y, "inside"
    assert svg_of(scene)
    assert str(drawing_of(scene)).split("\n")[0].split() == ["R1", "."]


def test_a_ring_on_which_all_run_from_one_start_is_none() -> None:
    same = FROM_ONE | {"more": "table start[player]: 0..19 = {red: 4, blue: 4}"}
    scene = game_of(COURSE.format(initial="0", **same)).initial().scene()
    assert not scene.boards
    assert [entry.label for entry in scene.entries] == ["gone"]


DICE = """game dice "Numbers that grow"
players anna, boris
type pawn = 1..2
state
    made[player, pawn]: 0..30 = 0
    goods[player, pawn]: 0..30 = 0
    gained[player]: 0..30 = 0
    die: 1..6 = 1
phase roll
    chance draws d in 1..6
    die := d
    next go
phase go
    anna chooses n in pawn, k in 1..3
    made[anna, n] := min(30, made[anna, n] + die)
    goods[anna, n] := min(30, goods[anna, n] + k)
    gained[anna] := min(30, gained[anna] + die)
    next end if made[anna, 1] == 30 else roll
payoff[p] = 0
"""


def test_what_runs_by_dice_is_on_a_track_whatever_it_is_called() -> None:
    kinds = {entry.label: entry.kind for entry in game_of(DICE).initial().scene().entries}
    assert kinds == {"made": "track", "goods": "table", "gained": "score", "die": "dice"}


THROWN = """game thrown "Numbers that are drawn"
players anna, boris
type one = 1..2
state
    face[one]: 1..6 or none = none
    fate: 1..6 = 1
    prize: 1..6 = 1
    left: set of 1..6 = all
    sum_of_both: 1..12 = 1
phase roll
    chance draws f[d in one] in 1..6, c in 1..6, k in left
    face[d] := f[d]  for d in one if face[d] is none
    fate := if c == 1 then 2 else c
    prize := k
    sum_of_both := f[1] + f[2]
    next end
payoff[p] = 0
"""


def test_what_is_thrown_is_dice_whatever_it_is_called() -> None:
    kinds = {entry.label: entry.kind for entry in game_of(THROWN).initial().scene().entries}
    assert {label for label, kind in kinds.items() if kind == "dice"} == {"face", "fate"}


def test_letters_of_nobody_are_tiles() -> None:
    put = "put[cell]: letter or none = {cell(1, 1): e, else none}"
    (tile,) = places("type letter = {a, b, e, l, n, o, r, _blank}", put)["a1"].pieces
    (few,) = places("type letter = {a, b, e}", put)["a1"].pieces
    assert [(one.shape, one.text) for one in (tile, few)] == [("tile", "E"), ("disc", "e")]


def test_numbers_of_cards_in_hand_are_counted_where_one_comes_or_goes() -> None:
    held = "hand[player, 1..4]: 0..3 = [[0, 2, 0, 1], [1, 0, 0, 0]]"
    counted = plain("", held, choice="k in 1..4", update="hand[anna, k] := hand[anna, k] - 1")
    (hand,) = (entry for entry in first_scene(counted).entries if entry.label == "hand")
    assert hand.kind == "cards"
    assert [[item.text for item in row.items] for row in hand.rows] == [["2", "2", "4"], ["1"]]
    assert hand.rows[0].items[0].means == ("player:anna", "1..4:2")
    slots = first_scene(plain("", held, choice="k in 1..4", update="hand[anna, k] := 0")).entries
    assert [len(row.items) for entry in slots if entry.label == "hand" for row in entry.rows] == [4, 4]


def test_parts_of_cards_that_lie_by_the_other_part_are_cards() -> None:
    state = (
        "hand[player]: set of card = {}",
        "route[player, suit]: sequence of rank, at most 3 = [two, three]",
        "top[suit]: rank or none = three",
        "wanted[player]: rank or none = none",
    )
    kinds = {entry.label: entry.kind for entry in first_scene(plain(CARDS, *state, choice="c in card")).entries}
    assert kinds == {"hand": "cards", "route": "cards", "top": "cards", "wanted": "line", "turn": "line"}


def test_cards_that_the_rules_make_of_their_parts_are_no_map() -> None:
    types = "type rank = 1..3\ntype suit = {clubs, hearts, spades}\ntype card = rank of suit"
    rules = plain(types, "hand[player]: set of card = {card(2, clubs)}", choice="c in card")
    assert first_scene(rules).boards == ()


def test_how_many_of_the_cards_that_are_drawn_somebody_has_put_away_is_no_track() -> None:
    (file,) = (file for file in UNDRAWN if file.endswith("hamlet.rules"))
    kinds = {entry.label: entry.kind for entry in ggp.load(file).initial().scene().entries}
    assert (kinds["hand"], kinds["discard"], kinds["deck"]) == ("cards", "cards", "table")


def test_whose_stack_it_is_and_how_high_are_one_piece() -> None:
    found = places("", "owner[cell]: player or none = boris", "height[cell]: 0..9 = 3")
    assert [(piece.shape, piece.player, piece.text) for piece in found["a1"].pieces] == [("disc", 1, "3")]


def test_a_stack_lies_in_its_order_with_its_top_last() -> None:
    pile = "anna, boris, anna, anna, anna, anna, anna, boris"
    held = places("", f"tower[cell]: sequence of player, at most 9 = {{a1: [boris], b1: [{pile}], else []}}")
    assert [(piece.shape, piece.text, piece.player) for piece in held["a1"].pieces] == [("disc", "", 1)]
    assert [piece.player for piece in held["b1"].pieces] == [0, 0, 0, 0, 0, 1]
    assert held["c1"].pieces == ()


def test_the_items_of_a_short_stack_of_pairs_lie_on_each_other_and_pairs_are_no_map() -> None:
    types = f"{BOARD}\ntype size = {{small, large}}\ntype cup = size of player"
    stack = "stack[cell]: sequence of cup, at most 2 = {a1: [small_of_anna, large_of_boris], else []}"
    (board,) = first_scene(plain(types, "left[player, size]: 0..2 = 2", stack, choice="c in cell")).boards
    assert [(piece.text, piece.player) for piece in board.places[0].pieces] == [("S", 0), ("L", 1)]


def test_what_tables_say_of_numbered_things_stands_beside_them() -> None:
    types = "type casino = 1..4\ntable money[casino]: 1..9 = [3, 5, 4, 6]"
    shown = entries(types, "put[player, casino]: 0..6 = 0", choice="c in casino")
    assert [(item.name, item.text) for item in shown["money"].rows[0].items] == [
        ("1", "3"), ("2", "5"), ("3", "4"), ("4", "6"),
    ]  # fmt: skip
    assert not any(item.means for item in shown["money"].rows[0].items), "what is put there is clicked"
    assert "money" not in entries(types, "put: casino = 1", choice="c in casino"), "other numbers of the same range"


def test_what_is_said_of_numbered_things_on_a_board_stands_beside_it() -> None:
    types = (
        f"{BOARD}\ntype piece = 1..4\ntable tall[p: piece]: bool = p > 2\ntable form[piece]: {{round, square}} = "
        "[round, square, round, square]"
    )
    scene = first_scene(plain(types, "piece_at[cell]: piece or none = none", choice="c in cell"))
    (said,) = (entry for entry in scene.entries if entry.kind == "table")
    rows = [(row.name, [item.text for item in row.items]) for row in said.rows]
    assert rows == [("1", ["round"]), ("2", ["square"]), ("3", ["round", "tall"]), ("4", ["square", "tall"])]
    sides = f"{BOARD}\ntype tile = 1..2\ntable paint[tile, 1..3]: {{red, blue}} = [[red, red, blue], [blue, red, red]]"
    scene = first_scene(plain(sides, "lies[cell]: tile or none = none", choice="c in cell"))
    (said,) = (entry for entry in scene.entries if entry.kind == "table")
    assert said.text == "1: red red blue; 2: blue red red"
    heights = first_scene(plain(types, "height[cell]: 0..4 = 0", choice="c in cell"))
    assert all(entry.kind != "table" for entry in heights.entries), "numbers that count are no things"
