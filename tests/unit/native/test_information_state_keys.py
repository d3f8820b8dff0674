"""Keys of information states: different ones where what was known differs, in either half and in any bit.

Extended by transitions they are those of the whole sequence, whether players are told the same or not.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.native.calls import call_observe_for_all
from ggp.native.information_states import extend_keys_by_transition, key_of, start_key
from ggp.native.interface import SAME_FOR_ALL
from players.agents.candidate_trial import random_play
from tests.support.kernel_forms import compiled

Known = tuple[int | tuple[int, ...], ...]


def halves_differ(known: list[Known]) -> bool:
    keys = [key_of(one) for one in known]
    return all(len({key[half] for key in keys}) == len(known) for half in range(2))


def test_short_sequences_have_keys_of_their_own() -> None:
    steps: list[int | tuple[int, ...]] = list(range(-1, 6))
    steps += [words for length in (1, 2, 3) for words in product(range(-1, 4), repeat=length)]
    assert halves_differ([(one,) for one in steps])
    assert halves_differ([(one, other) for one in steps[:40] for other in steps[:40]])


@pytest.mark.parametrize("length", [2, 3, 5])
def test_every_bit_of_every_word_counts(length: int) -> None:
    # the highest bits of a board's sets fill the highest bits of words: they must not cancel out
    single = [1 << bit if bit < 63 else -(1 << 63) for bit in range(64)]
    observations = [tuple(0 for _ in range(length))]
    for word in range(length):
        observations += [tuple(bits if place == word else 0 for place in range(length)) for bits in single]
    for bits, others in product(single[40:], repeat=2):
        observations.append((bits, others, *(0 for _ in range(length - 2))))
    assert halves_differ([(one,) for one in observations])


@pytest.mark.parametrize(
    ("name", "parameters", "alike"),
    [("goofspiel", {"n": 4, "bids": "hidden"}, {True}), ("phantom_tic_tac_toe", {}, {False}), ("poker", {}, None)],
)
def test_keys_extended_by_transitions_are_those_of_all_that_was_known(name, parameters, alike) -> None:
    game = ggp.load(name, **parameters)
    observe, players, words, found = game.native().functions.observe, len(game.players), np.zeros(64, np.int64), set()
    extend, look = compiled(extend_keys_by_transition), compiled(call_observe_for_all)
    for seed in range(3):
        keys, known, before = np.zeros(2 * players, np.uint64), [[] for _ in range(players)], game.initial()
        for player in range(players):
            start_key(keys, 2 * player)
        for state in random_play(game, seed_word(seed)):
            if state.words == before.words:
                continue
            acting = 0 if before.is_chance() else sum(1 << game.player(player) for player in before.actors())
            rows = [np.frombuffer(row, np.int64).copy() for row in (before._row, state._row, state._joint)]
            assert extend(observe, players, acting, rows[0], 0, rows[1], 0, rows[2], words, keys) == 0
            found.add(look(observe, rows[0], 0, rows[1], 0, rows[2], 0, 0, words, 0) >= SAME_FOR_ALL)
            for player, seen in enumerate(known):
                seen += [int(rows[2][player])] if acting >> player & 1 else []
                seen += [told] if (told := state.observation(player)) else []
            assert [tuple(keys[2 * player : 2 * player + 2]) for player in range(players)] == list(map(key_of, known))
            before = state
    assert found == (alike or {True, False})
