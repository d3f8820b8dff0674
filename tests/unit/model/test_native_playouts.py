"""Random playouts by the hundred: interleaved ones are the same games as single ones."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
from ggp.model.native.calls import call_init, call_playout, call_playouts, call_step
from ggp.model.native.playouts import ENDED, MANY, TRANSITIONS, UTILITIES, random_playouts, totals_size
from ggp.model.native.rng import next_word, seed_word


@pytest.mark.parametrize(("name", "interleaved"), [("kalah", True), ("tic_tac_toe", False)])
def test_totals_are_those_of_single_games(name: str, interleaved: bool) -> None:
    native = ggp.load(name).native()
    assert bool(native.playouts) == interleaved
    state, count = np.zeros(native.shape.state_words, np.int64), MANY + 45
    call_init(native.functions.init, state, 0)
    rng, totals, fault = np.array([seed_word(7)], np.uint64), np.zeros(totals_size(2)), np.zeros(1, np.uint64)
    random_playouts(native, state, rng, count, totals, fault)

    seeds, word, utilities = [seed_word(7)], np.array([seed_word(7)], np.uint64), np.zeros(2)
    transitions, first = 0, 0.0
    for _ in range(count):
        if interleaved:
            word[0] = next_word(seeds)
        transitions += call_playout(native.functions.playout, state, 0, word, 0, utilities, 0, 1000)
        first += utilities[0]
    assert (totals[ENDED], totals[TRANSITIONS], totals[UTILITIES]) == (count, transitions, first)
    assert rng[0] == (seeds[0] if interleaved else word[0])


@pytest.mark.parametrize("count", [1, 2, 5])
def test_each_game_begins_with_the_state_in_its_row(count: int) -> None:
    native = ggp.load("kalah").native()
    words, before = native.shape.state_words, 7
    states = np.full(before + count * words, -1, np.int64)
    state, joint = np.zeros(words, np.int64), np.zeros(3, np.int64)
    call_init(native.functions.init, state, 0)
    for row in range(count):  # its own opening move
        joint[0] = 1 + row
        call_step(native.functions.step, state, 0, states, before + row * words, joint, 0)
    rngs, utilities, made = np.arange(1, count + 1, dtype=np.uint64), np.zeros((count, 2)), np.zeros(count, np.int64)
    call_playouts(native.playouts, states, before, words, rngs, utilities.ravel(), made, count, 1000)

    for row in range(count):
        word, out = np.array([row + 1], np.uint64), np.zeros(2)
        at = before + row * words
        assert made[row] == call_playout(native.functions.playout, states, at, word, 0, out, 0, 1000)
        assert utilities[row].tolist() == out.tolist()
