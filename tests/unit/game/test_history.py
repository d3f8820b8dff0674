"""Histories know what each player knows, and say it so that it can be read, compared and hashed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from ggp.arithmetic.rng import seed_word
from ggp.check_play.play_account import HIDDEN
from ggp.check_play.sampling import Sampler
from ggp.faults import UnknownPlayer
from ggp.game.history import History, is_unmistakable, plain_label, plain_parts
from ggp.rules_compiler.loading import load, load_text
from ggp.rules_compiler.rules_backend import rules_of
from tests.support.random_histories import random_histories

MASK = (1 << 64) - 1


def test_what_a_player_knows_reads_as_its_actions_and_what_it_saw() -> None:
    history = load("phantom_tic_tac_toe").history().apply("b2").apply("b2").apply("a1")
    assert str(history.information_state("cross")) == "chose b2; saw settled: yes; saw your move"
    assert history.information_state(1).lines() == (
        "saw your move", "chose b2", "saw settled: no", "chose a1", "saw settled: yes",
    )  # fmt: skip
    assert str(load("nim").history().information_state(0)) == "nothing yet"
    with pytest.raises(UnknownPlayer):
        history.information_state("circle")


def test_equal_knowledge_is_equal_and_hashes_alike_other_knowledge_is_not() -> None:
    start = load("phantom_tic_tac_toe").history()
    left, right = start.apply("a1").apply("c3"), start.apply("b1").apply("c3")
    assert left.information_state("nought") == right.information_state("nought")
    assert hash(left.information_state("nought")) == hash(right.information_state("nought"))
    assert left.information_state("nought").key == right.information_state("nought").key
    assert left.information_state("cross") != right.information_state("cross")
    assert left.information_state("cross").key != right.information_state("cross").key
    assert left.information_state("cross") != left.information_state("nought")


def reference_key(known: Sequence[int | tuple[int, ...]]) -> tuple[int, int]:
    """The key as Python's integers have it."""
    first, second = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
    for one in known:
        if isinstance(one, int):
            told = one + 0x2545F4914F6CDD1D, one + 0x9FB21C651E98DF25
        else:
            mixed = [word & MASK ^ (word & MASK) >> 29 for word in one]
            told = _polynomial(mixed, 0xD1342543DE82EF95), _polynomial(mixed, 0xAF251AF3B0F025B5)
        first = ((first ^ told[0] & MASK) * 0x94D049BB133111EB) & MASK
        first ^= first >> 32
        second = ((second + told[1]) * 0xD6E8FEB86659FD93) & MASK
        second = ((second ^ second >> 31) + first) & MASK
    return first, second


def _polynomial(words: Sequence[int], factor: int) -> int:
    value = len(words)
    for word in words:
        value = value * factor + word & MASK
    return value


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("kuhn_poker_three", {}),
        ("liars_dice", {"dice": 2}),
        ("phantom_tic_tac_toe", {}),
        ("goofspiel", {"bids": "hidden"}),
    ],
)
def test_native_keys_along_random_games_are_those_of_the_histories(name: str, parameters: dict[str, int | str]) -> None:
    game = load(name, **parameters)
    sampler = Sampler(game.native(), len(rules_of(game).rules.phases), HIDDEN, step_limit=1000)
    for number in range(20):
        game_seed = seed_word(3, number)
        history = replayed(game.history(), sampler.play(game_seed)[:-1])
        assert history.state.is_terminal()
        keys = [history.information_state(player).key for player in range(len(game.players))]
        assert keys == [tuple(map(int, pair)) for pair in sampler._buffers.keys.reshape(-1, 2)]
        known = [history.information_state(player).known for player in range(len(game.players))]
        assert keys == [reference_key(one) for one in known]
        assert len(set(keys)) == len(keys)


def replayed(history: History, trace: np.ndarray) -> History:
    """Return the history in which positions among the legal actions, or outcomes, are chosen as traced."""
    for row in trace:
        state = history.state
        if state.is_chance():
            history = history.apply_outcome(int(row[-1]))
        else:
            history = history.apply({player: state.legal(player)[row[player]] for player in state.actors()})
    return history


TWINS = """game twins "Observations that read alike and are not"
players one, two
type word = {a, b}
state
    shown[word, 1..2]: 0..3 = 0
phase draw
    chance draws n in 0..7
    shown[a, 1] := n mod 3
    sees one: n == 0                  if n <= 1
    sees one: "n == 2: 1"             if n == 2
    sees one: n, n                    if n == 3
    sees one: "b", n                  if n == 4
    sees one: "b, n: 5"               if n == 5
    next end
payoff[p] = 0
"""


def test_texts_of_different_information_states_differ() -> None:
    game = load_text(TWINS)
    texts: dict[str, object] = {}
    for outcome in range(8):
        known = game.history().apply_outcome(outcome).information_state(0)
        assert texts.setdefault(str(known), known) == known
    assert len(texts) == 7
    assert "nothing yet" in texts


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["hanabi", "love_letter", "ra", "kuhn_poker_three", "visibility_pursuit"])
def test_texts_in_random_games_differ_and_are_no_json(name: str) -> None:
    game, rng, texts = load(name), Random(4), {}
    for _ in range(20):
        for history in random_histories(game.history(), rng, 12):
            for player in range(len(game.players)):
                known = history.information_state(player)
                assert texts.setdefault((player, str(known)), known) == known
    assert not any("saw [" in text for _, text in texts)


@pytest.mark.parametrize(
    ("observation", "plain"),
    [
        ([("move", "2 east"), ("f(a, b)[c]", 3)], True),
        ([('"your move"', "your move"), ("{j in slot: hue[j] == c}", [1, 2])], True),
        ([("bids", {"row": 1, "col": 2})], True),
        ([("bids", {"row": 1, "col": 2}), ('"x 1"', "x 1")], False),
        ([("word", "yes")], False),
        ([("number", "17")], False),
        ([('"a: 1, b"', "a: 1, b")], False),
        ([("f(a), g(b)", 1)], False),
        ([("bids", {"row": {"a": 1}})], False),
    ],
)
def test_what_reads_in_one_way_only(observation: list[tuple[str, object]], plain: bool) -> None:
    assert is_unmistakable(observation) is plain


def test_elements_of_one_array_are_told_apart() -> None:
    told = [("worth[p, apple]", 3), ("worth[p, pear]", 1), ("hand[turn]", ["ace"]), ("die", 2), ('"lost"', "lost")]
    assert plain_parts(told) == ["worth apple: 3", "worth pear: 1", "hand: {ace}", "die: 2", "lost"]
    assert plain_parts([("held", [2, 0])], {"held": ["ann ace:", "bob ace:"]}) == ["held: ann ace: 2, bob ace: 0"]


@pytest.mark.parametrize(
    ("label", "shown"),
    [("bid", "bid"), ("hand[p]", "hand"), ('"lost"', '"lost"'), ("count(hand[p])", ""), ("pile[turn].top", "")],
)
def test_people_read_the_name_of_an_array_for_its_elements(label: str, shown: str) -> None:
    assert plain_label(label) == shown


def test_an_element_that_is_told_alone_is_told_with_its_index_where_that_is_a_value() -> None:
    told = [("word_at[b2]", "oak"), ("die[2]", 6), ("hand[turn]", ["ace"])]
    assert plain_parts(told, indices={"b2"}) == ["word_at b2: oak", "die 2: 6", "hand: {ace}"]


def test_yes_and_no_are_told_with_what_they_answer() -> None:
    assert plain_parts([("p == wolf", False), ("role[q] == wolf", True)]) == ["p == wolf: no", "role[q] == wolf: yes"]
