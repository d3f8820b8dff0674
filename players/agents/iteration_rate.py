"""Measures how many iterations a second a search makes, from the first decision of a game."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.game.game import Game
from players.agents.registry import PlayerSpec
from players.search.foundation.searches import Search
from players.search.information_sets.hidden_search import HiddenSearch

FIRST_ITERATIONS = 16
SLICE_S = 0.02
"""Between readings of the clock."""


def iterations_a_second(
    run: Callable[[int], None], seconds: float, clock: Callable[[], float] = time.process_time
) -> float:
    """Return the iterations a second of a search.

    Args:
        run: searches for a number of iterations.
        seconds: of `clock`, how long to measure.
        clock: reads a monotonic clock in seconds; by default, of processor time.
    """
    done, count = 0, FIRST_ITERATIONS
    began = clock()
    while (spent := clock() - began) < seconds:
        run(count)
        done += count
        count = max(1, int(done / max(clock() - began, 1e-9) * SLICE_S))
    return done / spent


def search_at_first_decision(
    game: Game, player: PlayerSpec, seed: int, *, touch: bool = False
) -> Search | HiddenSearch:
    """Return a player's search, ready to run where somebody first decides; with hidden information, from the beginning.

    Args:
        game: any.
        player: it searches, and can play the game.
        seed: of the chance outcomes before, and of the search.
        touch: whether all memory of the search is touched now, as it would be after some moves of a match.
    """
    word = seed_word(seed)
    kind, native = player.kind, player.native(game)
    if kind.module and (game.perfect_information or not kind.hidden_module):
        state, rng = game.initial(), [word]
        while state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
        words = np.array(state.words, np.int64)
        search = kind.family.make_search(native, player.settings)
        if touch:
            search.touch_memory()
        search.prepare(words)
        search.seed(word)
        search.set_root(words)
        return search
    hidden = kind.hidden_family.make_hidden_search(native, player.settings)
    hidden.seed(word)
    hidden.prepare()
    hidden.seed(word)
    hidden.begin()
    return hidden
