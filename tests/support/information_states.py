"""What players know in random plays: keys of information states, held against what the interpreter says was told."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ggp.arithmetic.rng import below, seed_word
from ggp.faults import LimitExceeded, RulesFault
from ggp.game.game import Game
from ggp.game.history import History
from ggp.game.state import State
from ggp.interpreter.random_play import Transition, action_number, life_texts, outcome_number, play_randomly
from ggp.native.information_states import extend_keys_by_transition, start_key
from tests.support.implementations import Interpreted
from tests.support.kernel_forms import compiled

Key = tuple[int, int]


def compare_information_states(interpreted: Interpreted, game: Game, seed: int, plays: int, limit: int) -> int:
    """Walk random plays: two keys are equal if and only if all that the player did and was told reads the same.

    The keys of histories are held against those that native code extends transition by transition, too.

    Returns:
        How many information states were met more than once.
    """
    key_of: dict[tuple[int, tuple[str, ...]], Key] = {}
    known_at: dict[tuple[int, Key], tuple[str, ...]] = {}
    met = 0
    for number in range(plays):
        for player, known, key in _walk(interpreted, game, [seed_word(seed, number)], limit):
            met += (player, known) in key_of
            assert key_of.setdefault((player, known), key) == key, "the same was told, under different keys"
            assert known_at.setdefault((player, key), known) == known, "something else was told, under the same key"
    return met


def _walk(
    interpreted: Interpreted, game: Game, rng: list[int], limit: int
) -> Iterator[tuple[int, tuple[str, ...], Key]]:
    """Yield what each player knows after each transition of a play, until it ends or fails: as texts, and its key."""
    interpreter, players = interpreted.interpreter, len(game.players)
    lived: list[tuple[str, ...]] = [()] * players
    history, keys = game.history(), np.zeros(2 * players, np.uint64)
    for player in range(players):
        start_key(keys, 2 * player)
    shortened = below(rng, 4)  # plays of few transitions meet the same information states
    try:
        for made in play_randomly(interpreter, rng, 2 if shortened else limit):
            history = _applied(interpreted, history, made)
            _extend(game, history.state, made, keys)
            for player in range(players):
                lived[player] += tuple(life_texts(interpreter, interpreted.layout, made.old, made.chosen, player))
                key = history.information_state(player).key
                assert key == tuple(int(half) for half in keys[2 * player : 2 * player + 2])
                yield player, lived[player], key
    except (RulesFault, LimitExceeded):
        return


def _applied(interpreted: Interpreted, history: History, made: Transition) -> History:
    assert made.old.phase is not None
    if isinstance(made.chosen, tuple):
        return history.apply_outcome(outcome_number(interpreted.layout, made.old.phase, made.chosen))
    numbers = {
        player: action_number(interpreted.layout, made.old.phase, action) for player, action in made.chosen.items()
    }
    return history.apply(numbers)


def _extend(game: Game, state: State, made: Transition, keys: NDArray[np.uint64]) -> None:
    """Extend each player's key by the transition that led to a state, natively."""
    native = game.native()
    acting = 0 if isinstance(made.chosen, tuple) else sum(1 << player for player in made.chosen)
    old, new, joint = (np.frombuffer(row, np.int64).copy() for row in (state._before, state._row, state._joint))
    words = np.zeros(max(1, native.shape.max_observation_words), np.int64)
    extend = compiled(extend_keys_by_transition)
    assert extend(native.functions.observe, len(game.players), acting, old, 0, new, 0, joint, words, keys) == 0
