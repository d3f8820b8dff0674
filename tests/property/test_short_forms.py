"""Forms of the language that are short for others: what they mean, in all three implementations."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from ggp.language import SourceFile
from ggp.language.typed.types import scalar_text
from ggp.rules_compiler.loading import game_from_source
from tests.support.comparison import compare_all, compare_plays
from tests.support.implementations import Interpreted, Plain
from tests.support.library import game_of, typed_game

TEXT = (Path(__file__).parent / "short_forms.rules").read_text(encoding="utf-8")
SEVERAL = (Path(__file__).parent / "several_choices.rules").read_text(encoding="utf-8")
SOURCE = SourceFile("short_forms.rules", TEXT)


@pytest.mark.parametrize("seats", [2, 4])
def test_all_implementations_agree(seats: int) -> None:
    assert "fault" not in compare_all(typed_game(TEXT, seats=seats), games=20)


def test_what_is_drawn_for_each_index_is_told_whole() -> None:
    text = """game g "t"
players row, col
param dice: 1..4 = 3
state
    n: 0..9 = 0
phase deal
    chance draws a[i in 1..dice] in 1..2
    sees row: a
    sees col: dealt = a
    next choose
phase choose
    each p chooses b[i in 1..2] in 1..2
    sees all: b
    next end
payoff[p] = n
"""
    game = game_of(text)
    dealt = game.history().apply_outcome(0)
    assert dealt.information_state("row").lines() == ("saw a[1]: 1, a[2]: 1, a[3]: 1",)
    assert dealt.information_state("col").lines() == ("saw dealt[1]: 1, dealt[2]: 1, dealt[3]: 1",)
    chosen = dealt.apply({0: "1 2", 1: "2 2"})
    assert chosen.information_state("row").lines()[1:] == ("chose 1 2", "saw b[1]: row 1, col 2, b[2]: row 2, col 2")


def test_each_kind_of_move_may_say_what_comes_next() -> None:
    text = (Path(__file__).parent / "next_of_kinds.rules").read_text(encoding="utf-8")
    assert set(compare_all(typed_game(text), games=30, playouts=80)) == {"end"}
    start = game_of(text).initial()
    assert start.apply({0: "up 1"}).phase == "first"
    at_two = start.apply({0: "up 2"})
    assert at_two.phase == "first"
    assert at_two.apply({0: "stay"}).phase == "both"
    assert at_two.apply({0: "up 2"}).phase == "both"  # `high` reads the new state
    assert at_two.apply({0: "up 1"}).apply({0: "up 1"}).phase == "alone"
    both = at_two.apply({0: "stay"})
    assert both.apply({0: "cut", 1: "halve"}).is_terminal()
    assert both.apply({0: "keep 2", 1: "halve"}).phase == "first"


@pytest.mark.sweep
@pytest.mark.parametrize(("fields", "coins"), [(2, 4), (4, 3)])
def test_choices_and_draws_for_each_value_of_an_index(fields: int, coins: int) -> None:
    assert "fault" not in compare_all(typed_game(SEVERAL, fields=fields, coins=coins), games=10, limit=20)
    state = game_of(SEVERAL).initial()
    state = state.apply_outcome(215)
    assert state.values()["rolled"] == 18
    assert "1 1 3" in [str(action) for action in state.legal(0)]
    state = state.apply({0: "1 1 3", 1: "0 5 0"})
    assert state.values()["mine"] == (1, 1, 3, 0, 5, 0)
    assert state.readable_observation(0) == [
        (f"a[{field}]", {"left": left, "right": right}) for field, left, right in ((1, 1, 0), (2, 1, 5), (3, 3, 0))
    ]


PAIRS = """game pairs "Draws and choices for each pair of two values"
players row, col
state
    total[player]: 0..9 = 0
    best: 0..9 = 0
    given: 0..99 = 0
def best_of(d[player, 1..2]: 1..3) = max p in player, i in 1..2: d[p, i]
phase roll
    chance draws d[p in player, i in 1..2] in 1..3{weight}
    total[p] := sum i in 1..2: d[p, i]                     for p in player
    best := best_of(d)
    sees each p: d[p]
    next give
phase give
    each p chooses g[i in 1..2, j in 1..i] in 0..1 where (sum i in 1..2, j in 1..i: g[i, j]) == 1
    given := sum i in 1..2: 3 * g[row, i, i] + 10 * g[col, i, i]
    sees each p: g[other(p), 2, 1]
    next end
payoff[p] = given
"""


@pytest.mark.sweep
@pytest.mark.parametrize("weight", ["", " weight d[row, 1] + d[row, 2] * d[col, 1] * d[col, 2]"])
def test_draws_and_choices_for_each_pair_of_values(weight: str) -> None:
    text = PAIRS.format(weight=weight)
    assert set(compare_all(typed_game(text), games=10, limit=9)) == {"end"}
    start = game_of(text).history()
    rolls = list(itertools.product((1, 2, 3), repeat=4))
    weights = [a + b * c * d if weight else 1 for a, b, c, d in rolls]
    outcomes = start.state.chance_outcomes()
    assert len(outcomes) == len(rolls)
    for (outcome, probability), (a, b, c, d), of_this in zip(outcomes, rolls, weights, strict=True):
        rolled = start.apply_outcome(outcome)
        assert probability == pytest.approx(of_this / sum(weights))
        assert rolled.state.values()["total"] == (a + b, c + d)
        assert rolled.state.values()["best"] == max(a, b, c, d)
        assert rolled.information_state("row").lines() == (f"saw d[p, 1]: {a}, d[p, 2]: {b}",)
        assert rolled.information_state("col").lines() == (f"saw d[p, 1]: {c}, d[p, 2]: {d}",)
    assert [str(action) for action in rolled.state.legal(0)] == ["0 0 1", "0 1 0", "1 0 0"]
    given = rolled.apply({0: "1 0 0", 1: "0 1 0"})
    assert given.state.utilities() == (3, 3)
    assert given.information_state("row").lines()[1:] == ("chose 1 0 0", "saw g[other(p), 2, 1]: 1")


def test_what_was_not_drawn_for_an_index_is_a_fault() -> None:
    """It was once what had been drawn for another index."""
    text = PAIRS.format(weight="").replace("i in 1..2] in 1..3", "i in 1..p.number] in 1..3")
    assert set(compare_all(typed_game(text), games=3, limit=9)) == {"fault"}


def test_as_many_players_as_a_parameter_says() -> None:
    assert typed_game(TEXT, seats=3).players.members == ("seat1", "seat2", "seat3")


def test_pairs_are_numbered_by_their_first_part() -> None:
    game = typed_game(TEXT)
    card = next(phase.chance.components[0].type for phase in game.phases if phase.chance)
    assert [scalar_text(card, code) for code in range(3)] == ["2_of_clubs", "2_of_hearts", "3_of_clubs"]
    tables = {table.name: table.values for table in game.tables}
    assert tables["card.rank"] == (2, 2, 3, 3, 4, 4, 5, 5)
    assert tables["card.suit"] == (0, 1) * 4
    assert tables["card"] == tuple(range(8))


def test_the_values_of_a_table_by_index_and_all_others() -> None:
    tables = {table.name: table.values for table in typed_game(TEXT).tables}
    assert tables["worth"] == (1, 2, 1, 9)
    assert tables["face"] == (0, 4, 1, 2, 0, 4, 0, 4)


def test_labels() -> None:
    state = game_from_source(SOURCE).initial()
    state = state.apply_outcome(5)
    assert state.readable_observation(0) == [("drawn", "4_of_hearts"), ("turn", "seat1")]
    assert state.readable_observation(1) == [("turn", "seat1")]
    state = state.apply({0: "hop east"})
    assert state.readable_observation(1) == [("where_to", "east")]
    assert state.values()["facing"] == 6  # west


def test_hashes_depend_on_every_kind_of_value() -> None:
    text = """game g "t"
players row, col
board cell = grid(3, 3)
state
    n: 0..999999 = 0
    s: set of cell = {}
    at: cell or none = none
phase p
    n := hash(1000000, VALUE)
    next end
payoff[p] = n
"""
    values = {"s", "s + {cell(1, 1)}", "s + {cell(2, 1)}", "at", "cell(2, 1)", "row == col", "row"}
    hashes = {}
    for value in values:
        game = typed_game(text.replace("VALUE", value))
        compare_plays(Interpreted(game), [Plain(game)], seed=1, games=1, limit=5)
        state = game_of(text.replace("VALUE", value)).initial()
        hashes[value] = state.apply_outcome(0).utilities()[0]
    # the first player, `no` and the empty set are all 0; a set is hashed by its bits, and no other two are the same
    assert hashes["row"] == hashes["row == col"] == hashes["s"]
    assert hashes["s + {cell(1, 1)}"] == hashes["cell(2, 1)"]
    assert len(set(hashes.values())) == len(values) - 3


@pytest.mark.long
def test_old_values_in_next() -> None:
    text = (Path(__file__).parent / "old_values.rules").read_text(encoding="utf-8")
    game = typed_game(text)
    assert [len(phase.kept) for phase in game.phases] == [4, 3]
    assert "fault" not in compare_all(game, games=30, playouts=300, seed=3)
    state = game_of(text).initial()
    assert state.apply({0: "0"}).is_terminal()  # nothing changed
    assert state.apply({0: "1"}).phase == "draw"  # a better one than before


DEALT = """game dealt "What is dealt, and the same drawn"
players row, col
type card = 1..6
state
    hand[player]: set of card = {}
    top: card or none = none
    own[player]: card or none = none
phase hands
    FIRST
    sees each p: HAND, t
    top := t
    next cards
phase cards
    SECOND
    sees all: CARD
    next end if 1 in hand[row] else play
phase play
    each p chooses c in hand[p]
    next end
payoff[p] = (if 2 in hand[p] then 1 else 0) + (if own[p] is none or top is none then 5 else own[p] * top)
"""
DEALS = (
    "chance deals h[p in player] in 2 of card, t in card\n    hand[p] := h[p] for p in player",
    "chance deals a[p in player] in card - {top}\n    own[p] := a[p] for p in player",
    "h[p]",
    "a",
)
DRAWS = (
    """chance draws x in 2 of card, y in 2 of card - x, t in card - x - y
    hand[p] := (if p == row then x else y) for p in player""",
    """chance draws x in card - {top}, y in card - {top} - {x}
    own[p] := (if p == row then x else y) for p in player""",
    "h = if p == row then x else y",
    "x, y",
)


@pytest.mark.long
def test_each_is_dealt_from_what_those_before_it_left() -> None:
    made = []
    for first, second, hand, card in (DEALS, DRAWS):
        text = DEALT.replace("FIRST", first).replace("SECOND", second)
        made.append(text.replace("HAND", hand).replace("CARD", card))
    assert "fault" not in compare_all(typed_game(made[0]), games=20)
    dealt, drawn = (game_of(text).initial() for text in made)
    for _ in range(2):
        outcomes = dealt.chance_outcomes()
        assert [share for _, share in outcomes] == [share for _, share in drawn.chance_outcomes()]
        assert len(outcomes) in (15 * 6 * 2, 5 * 4)
        for one, other in zip(outcomes, drawn.chance_outcomes(), strict=True):
            after, same = dealt.apply_outcome(one[0]), drawn.apply_outcome(other[0])
            assert after.values() == same.values()
            for player in (0, 1):
                told = zip(after.readable_observation(player), same.readable_observation(player), strict=True)
                assert all(mine[1] == yours[1] for mine, yours in told)
        dealt, drawn = after, same


def test_hands_of_those_who_are_dealt_none_are_empty() -> None:
    text = DEALT.replace("FIRST", DEALS[0].replace("in player]", "in {col}]")).replace("SECOND", DEALS[1])
    game = game_of(text.replace("HAND", "h[p]").replace("CARD", "a[row]"))
    state = game.initial()
    hands = [state.apply_outcome(outcome).values()["hand"] for outcome, _ in state.chance_outcomes()]
    assert len(hands) == 15 * 4
    assert not any(of_row for of_row, _ in hands)
