"""What the pages make of scenes: what can be clicked, and values that are drawn together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import ggp
from ggp.game.state import State
from tests.support.clicked_games import UNDRAWN
from tests.support.library import one_phase
from tests.support.page_plays import needs_node, run_script

SIGNED = one_phase(
    "ann chooses k in {k in point: men[k] > 0}",
    "men[point]: -3..3 = {1: 2, 8: -3, else 0}",
    "type point = 1..8",
)
"""Men of two players as numbers above and below 0."""
WALLED = one_phase(
    """ann chooses
    build by c in cell, d in {d in {north, east, south, west}: c + d is some and d not in walls[c]}
    walk by c in {a1}, d in {north, east}
on build: walls[c] := walls[c] + {d}
next end if count(walls[c2]) == 2 else go""",
    "walls[cell]: set of direction = {}",
    "board cell = grid(3, 2)",
)
"""Walls are named by a cell and a side of it."""
PASSED = one_phase(
    "ann chooses away in 2 of hand[ann]",
    "hand[player]: set of card = {ann: all, bob: {}}",
    "type card = {ace_of_heart, spades_of_ten, qd, red}",
)
STRIDES = one_phase(
    """ann chooses
    slide by m in {rook}, d in {north, east}, n in 1..2 where beyond(at[ann, m], d, n) is some
    take by m in {fool}, d in {north, west}, k in 1..2 where at[ann, m] + d is some
on slide: at[ann, rook] := (the c in cell: c == beyond(at[ann, rook], d, n))
on take: left[a1] := left[a1] - k""",
    "at[player, man]: cell = {ann: {rook: a1, fool: c1}, bob: {rook: c3, fool: b3}}\nleft[cell]: 0..9 = 5",
    "board cell = grid(3, 3)\ntype man = {rook, fool}",
    defs="def beyond(c: cell, d: direction, k: 1..2) = c + k*d",
)
"""A rook slides by a direction and a number, others take so many from beside them."""
RIDES = one_phase(
    """ann chooses t in ticket, s in (if t == cab then cabs[at[ann]] else buses[at[ann]])
at[ann] := s
tickets[ann, t] := tickets[ann, t] - 1""",
    "at[player]: stop = inn\ntickets[player, ticket]: 0..9 = 5",
    """type stop = {inn, mill, pier, wood}
type ticket = {cab, bus}
table cabs[stop]: set of stop = {inn: {mill, pier}, mill: {inn, wood}, pier: {inn}, wood: {mill}}
table buses[stop]: set of stop = {inn: {pier, wood}, wood: {inn}, else {}}""",
)
COLUMNS = one_phase(
    """ann chooses
    lay by c in hand[ann], to in column
    name by who in {bob}
on lay: row[ann, to] := row[ann, to] + {c}""",
    "hand[player]: set of card = {ann: {1, 2}, bob: {3}}\nrow[player, c: column]: set of card = {}",
    "type card = 1..9\ntype column = {left, right}",
)
"""Cards are laid in columns of one's own, and a player is named."""


def position(state: State, *clicks: list[str]) -> dict[str, Any]:
    """Return a position as the pages get it, with clicks on things that stand for these values."""
    game = state.game
    parts = [game.codec.action_parts(action, state.words[0]) for action in state.legal(0)]
    legal = [{"text": str(action), "parts": part} for action, part in zip(state.legal(0), parts, strict=True)]
    return {"scene": msgspec.to_builtins(state.scene()), "turn": 0, "legal": legal, "clicks": clicks}


@pytest.mark.long
@needs_node
def test_men_are_put_together_edges_are_clicked_and_dice_are_toggled() -> None:
    named = {Path(file).stem: file for file in UNDRAWN}
    states = [ggp.load(named[name]).initial() for name in ("narde", "rooms", "of_a_kind", "parking")]
    of_race, of_edges, of_signs, of_dice, of_cars, of_cards, of_walls, of_wall = run_script(
        "page_clicks.ts",
        [
            position(states[0].apply_outcome(0)),
            position(states[1], ["line:a2_of_south", "line:a1_of_north"]),
            position(ggp.load_text(SIGNED).initial()),
            position(states[2].apply_outcome(0)),
            position(states[3], ["car:truck"]),
            position(ggp.load_text(PASSED).initial()),
            position(ggp.load_text(WALLED).initial()),
            position(ggp.load_text(WALLED).initial(), ["build cell:a1 direction:east", "build cell:b1 direction:west"]),
        ],
    )
    (men,) = [entry for entry in of_race["entries"] if entry["kind"] == "race"]
    assert "owner" not in [entry["label"] for entry in of_race["entries"]]
    counts = [[(item["name"], item["number"]) for item in row["items"] if item["number"]] for row in men["rows"]]
    assert counts[0] == [("1", 2), ("12", 5), ("17", 3), ("19", 5)]
    assert counts[1] == [("6", 5), ("8", 3), ("13", 5), ("24", 2)]
    assert "1..24:1" in of_race["keys"]
    assert of_edges["left"] == ["a1_of_north"]
    rows = of_signs["entries"][0]["rows"]
    assert [[item["number"] for item in row["items"]] for row in rows] == [[2, 0, 0, 0, 0, 0, 0, 0], [0] * 7 + [3]]
    assert of_signs["keys"] == ["1..8:1"]
    assert of_dice["things"] == [f"dice {die}" for die in range(1, 6)]
    assert of_dice["values"] == [["no", "yes"]] * 5
    assert "things" not in of_race
    assert sorted(of_cars["keys"]) == ["spot:d5"], "past the cells over which it lies"
    assert sorted(of_cards["keys"]) == ["card:ace_of_heart", "card:qd", "card:red", "card:spades_of_ten"], (
        "the last may be chosen first"
    )
    built = [key.split(" ")[1:] for key in of_walls["keys"] if key.startswith("build")]
    assert len(built) == 14, "each of the seven edges, from both sides"
    assert {"cell:a2", "cell:b1"} <= {*of_walls["keys"]}, "where one walks to"
    assert of_wall["left"] == ["build a1 east"]
    assert of_cards["held"] == ["A♥", "10♠", "Q♦", "red"]


@needs_node
def test_a_number_of_steps_is_chosen_with_its_direction_and_other_numbers_are_not() -> None:
    initial = ggp.load_text(STRIDES).initial()
    parts = [initial.game.codec.action_parts(action, initial.words[0]) for action in initial.legal(0)]
    assert {part.type for action in parts for part in action} == {"direction", "1..2 along d", "man", "1..2"}
    slide, take = [["man:rook"], ["cell:a3"]], [["man:fool"], ["cell:b1"]]
    rook, slid, taken = run_script(
        "page_clicks.ts", [position(initial, *clicks) for clicks in (slide[:1], slide, take)]
    )
    assert sorted(rook["keys"]) == ["cell:a2", "cell:a3", "cell:b1", "cell:c1"]
    assert slid["left"] == ["slide rook north 2"]
    assert taken["left"] == ["take fool west 1", "take fool west 2"]


ARRAYS = """game arrays "Men on an array, which go from a row and a column to others"
players ann, bob
type line = 1..4
state
    owner[line, line]: player or none = {1: {2: ann, else none}, 3: {3: ann, else none}, else none}
def goes(r: line, c: line, r2: line, c2: line) = r2 == r + 1 and abs(c - c2) == 1
phase move
    ann chooses r in line, c in line, r2 in line, c2 in line where owner[r, c] == ann and goes(r, c, r2, c2)
    owner[r2, c2] := ann
    next end
payoff[p] = 0
"""


@needs_node
def test_rows_and_columns_are_clicked_as_squares() -> None:
    initial = ggp.load_text(ARRAYS).initial()
    clicks = [["1..4:3 1..4:3"], ["1..4:4 1..4:2"]]
    first, then, last = run_script("page_clicks.ts", [position(initial, *clicks[:number]) for number in range(3)])
    assert {"1..4:1 1..4:2", "1..4:3 1..4:3"} <= {*first["keys"]}
    assert sorted(then["keys"]) == ["1..4:4 1..4:2", "1..4:4 1..4:4"]
    assert last["left"] == ["3 3 4 2"]


PITS = """game pits "A pit is chosen from those of a player, which are some of all"
players ann, bob
type house = 0..11
state
    seeds[house]: 0..40 = {5: 0, 11: 0, else 4}
    taken: 0..40 = 0
def own(p: player) = if p == ann then 0..4 else 6..10
phase move
    ann chooses
        pick by h in {h in own(ann): seeds[h] > 0}
        take by n in 1..3
    on pick: taken := seeds[h]
    on take: taken := n
    next end
payoff[p] = 0
"""


@needs_node
def test_an_index_is_clicked_where_its_element_stands() -> None:
    initial = ggp.load_text(PITS).initial()
    first, last = run_script("page_clicks.ts", [position(initial, *clicks) for clicks in ([], [["0..11:3"]])])
    assert [key for key in first["keys"] if key.startswith("0..11:")] == [f"0..11:{house}" for house in range(5)]
    assert last["left"] == ["pick 3"]


PLACED = """game placed "A king and a rook, each in a variable of its own"
players ann, bob
board cell = grid(4, 4)
state
    king[player]: cell = {ann: a1, bob: d4}
    rook: cell or none = b2
    near: cell = c3
phase move
    ann chooses
        slide by d in {north, east}, n in 1..2             where rook is some and rook + n*d is some
        walk by e in {north, east}
        turn by f in {north, east}                         where near + f is some and king[ann] + f is some
    on slide: rook := rook + n*d
    on walk: king[ann] := king[ann] + e
    on turn: near := near + f
    next end
payoff[p] = 0
"""


@needs_node
def test_a_direction_is_clicked_from_what_goes_there() -> None:
    initial = ggp.load_text(PLACED).initial()
    parts = [initial.game.codec.action_parts(action, initial.words[0]) for action in initial.legal(0)]
    assert {part.type for action in parts for part in action} == {"direction from rook", "1..2 along d", "direction"}
    first, slid, walked = run_script(
        "page_clicks.ts", [position(initial), position(initial, ["cell:d2"]), position(initial, ["cell:a2"])]
    )
    assert sorted(first["keys"]) == ["cell:a2", "cell:b1", "cell:b3", "cell:b4", "cell:c2", "cell:d2"]
    assert slid["left"] == ["slide east 2"]
    assert walked["left"] == ["walk north", "turn north"]


@needs_node
def test_columns_of_ones_own_and_players_at_their_places_are_clicked() -> None:
    initial = ggp.load_text(COLUMNS).initial()
    first, second = run_script("page_clicks.ts", [position(initial), position(initial, ["1..9:1"])])
    assert sorted(first["keys"]) == ["1..9:1", "1..9:2", "player:bob"]
    assert sorted(second["keys"]) == ["column:left", "column:right"]


@needs_node
def test_a_thing_that_one_action_alone_names_is_clicked_at_once() -> None:
    initial = ggp.load_text(RIDES).initial()
    first, ridden = run_script("page_clicks.ts", [position(initial), position(initial, ["stop:mill"])])
    assert sorted(first["keys"]) == ["stop:mill", "stop:wood", "ticket:bus", "ticket:cab"], "both lead to the pier"
    assert ridden["left"] == ["cab mill"]


@needs_node
def test_actions_are_typed_as_they_are_shown_or_as_the_rules_have_them() -> None:
    here = position(ggp.load_text(PASSED).initial())
    texts = ["ace of heart qd", "ace_of_heart qd", "ace of heart s", "qd red", "aceofheartq"]
    wanted = [["ace_of_heart qd"], ["ace_of_heart qd"], ["ace_of_heart spades_of_ten"], ["qd red"], ["ace_of_heart qd"]]
    assert [one["typed"] for one in run_script("page_clicks.ts", [{**here, "text": text} for text in texts])] == wanted
