"""Random playouts by the hundred are added up."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.native.calls import call_init, call_playout
from ggp.native.playouts import ENDED, TRANSITIONS, UTILITIES, random_playouts, totals_size


@pytest.mark.parametrize("name", ["kalah", "tic_tac_toe"])
def test_totals_are_those_of_single_games(name: str) -> None:
    native = ggp.load(name).native()
    state, count = np.zeros(native.shape.state_words, np.int64), 300
    call_init(native.functions.init, state, 0)
    rng, totals, fault = np.array([seed_word(7)], np.uint64), np.zeros(totals_size(2)), np.zeros(1, np.uint64)
    random_playouts(native, state, rng, count, totals, fault)

    word, utilities = np.array([seed_word(7)], np.uint64), np.zeros(2)
    transitions, first = 0, 0.0
    for _ in range(count):
        transitions += call_playout(native.functions.playout, state, 0, word, 0, utilities, 0, 1000)
        first += utilities[0]
    assert (totals[ENDED], totals[TRANSITIONS], totals[UTILITIES]) == (count, transitions, first)
    assert rng[0] == word[0]
