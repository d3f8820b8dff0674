"""Calls by address, from kernels and plain Python; the generator as kernels draws what the plain one draws."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.arithmetic import rng
from ggp.native import rng_kernels
from ggp.native.calls import call_actors, call_init, call_legal, call_observe, call_playout, call_step, call_utility
from ggp.native.interface import NativeGame
from tests.support.kernel_forms import compiled, form
from tests.support.native_games import BIASED_RPS, matrix_game


@pytest.fixture(scope="module")
def game() -> NativeGame:
    return matrix_game(BIASED_RPS, 100)


@pytest.mark.parametrize("seed", [1, 0xFFFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0001])
def test_generator_draws_the_same(seed: int) -> None:
    plain, native = [seed], np.array([0, seed], np.uint64)
    for bound in (1, 2, 13, 1 << 31):
        assert rng.below(plain, bound) == compiled(rng_kernels.below)(native, 1, bound)
        assert rng.uniform(plain) == compiled(rng_kernels.uniform)(native, 1)
        assert rng.next_word(plain) == int(compiled(rng_kernels.next_word)(native, 1))
    assert int(native[1]) == plain[0]
    assert native[0] == 0


def test_places_are_drawn_by_their_weights() -> None:
    sums, plain, native = np.array([0.0, 0.5, 0.5, 2.0]), [9], np.array([9], np.uint64)
    places = [compiled(rng_kernels.drawn_place)(native, 0, sums, 4) for _ in range(200)]
    assert places == [int(np.searchsorted(sums, rng.uniform(plain) * 2.0, side="right")) for _ in range(200)]
    assert set(places) == {1, 3}


@pytest.mark.parametrize("plain", [False, True])
def test_calls_reach_the_function_with_the_right_arguments(game: NativeGame, plain: bool) -> None:
    functions, words = game.functions, game.shape.state_words
    states = np.full(3 * words, 7, np.int64)
    form(call_init, plain)(functions.init, states, words)
    assert states.tolist() == [7] * words + states[words : 2 * words].tolist() + [7] * words
    assert form(call_actors, plain)(functions.actors, states, words) == 3
    actions = np.zeros(game.shape.max_actions + 2, np.int64)
    assert form(call_legal, plain)(functions.legal, states, words, 1, actions, 1) == 3
    assert actions.tolist() == [0, 3, 4, 5, 0, 0, 0, 0]
    joint = np.array([9, 2, 4, 0], np.int64)
    form(call_step, plain)(functions.step, states, words, states, 2 * words, joint, 1)
    assert states[:words].tolist() == [7] * words
    assert form(call_actors, plain)(functions.actors, states, 2 * words) == -1
    told = np.zeros(game.shape.max_observation_words + 1, np.int64)
    count = form(call_observe, plain)(functions.observe, states, words, states, 2 * words, joint, 1, 0, told, 1)
    assert told[[0, *range(count - 1, count + 1)]].tolist() == [0, 2, 4]
    utilities = np.zeros(3)
    form(call_utility, plain)(functions.utility, states, 2 * words, utilities, 1)
    assert utilities.tolist() == [0, 55, 45]
    rng = np.array([5, 6], np.uint64)
    assert form(call_playout, plain)(functions.playout, states, words, rng, 1, utilities, 0, 10) == 1
    assert rng[0] == 5
    assert rng[1] != 6
    assert utilities[0] + utilities[1] == 100


def test_a_place_is_drawn_by_its_probability() -> None:
    word = [rng.seed_word(7)]
    probabilities = [0.0, 0.5, 0.0, 0.125, 0.375, 0.0]
    drawn = [rng.draw(word, probabilities) for _ in range(20_000)]
    for place, probability in enumerate(probabilities):
        spread = (probability * (1 - probability) / len(drawn)) ** 0.5
        assert abs(drawn.count(place) / len(drawn) - probability) <= 4 * spread
    # probabilities that do not quite add up never give a place that has none
    assert {rng.draw(word, [0.3, 0.3, 0.0]) for _ in range(200)} == {0, 1}
