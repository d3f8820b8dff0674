"""A short tournament of a player's possible settings in a game, to find out which is the strongest there.

Whether the rules' estimate is worth more than random playouts cannot be known from the rules: the same setting won 84 %
in one game of the library and 13 % in another. So it is tried, with little thinking and from positions drawn at random.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ggp.model.native.rng import below, draw, seed_word

if TYPE_CHECKING:
    from ggp.model.game import Game, State
    from players.search.trees.searches import Search

GAMES = 8
RANDOM_DECISIONS = 2
"""Made at the beginning of each game, so that no two are alike."""
TRANSITIONS_A_MOVE = 10_000
MIN_UNITS, MAX_UNITS = 20, 300
"""Iterations for a move of a search by playouts: as many as make so many transitions, within these limits."""
MAX_TRANSITIONS = 400
MIN_GAMES = 3
NEEDED = 0.6
"""Points a game that a challenger needs to replace the current choice: a tie keeps the safe default."""


def playout_length(game: Game, plays: int = 8, seed: int = 1) -> float:
    """Return the mean number of transitions of some random plays; at least 1."""
    from ggp.model.native.calls import call_init, call_playout

    native = game.native()
    state = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, state, 0)
    rng, out = np.array([seed_word(seed, 1)], np.uint64), np.zeros(native.shape.players)
    made = [call_playout(native.functions.playout, state, 0, rng, 0, out, 0, MAX_TRANSITIONS) for _ in range(plays)]
    return max(sum(length if length >= 0 else MAX_TRANSITIONS for length in made) / plays, 1.0)


def units_for(length: float, with_playouts: bool) -> int:
    """Return the iterations for a move, of about the same time with playouts and without.

    Args:
        length: of a playout.
        with_playouts: whether an iteration ends with one.
    """
    units = int(min(max(TRANSITIONS_A_MOVE / length, MIN_UNITS), MAX_UNITS))
    return units if with_playouts else int(units * (1 + length / 4))


def strongest(
    game: Game,
    searches: Sequence[tuple[Search, int]],
    seconds: float,
    seed: int = 1,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[int, list[str]]:
    """Return which of some searches plays a game best: each challenges the best one before it.

    Args:
        game: of two players, of perfect information but for simultaneous moves.
        searches: prepared ones, each with the units of work that it has for a move; the first is the one to beat.
        seconds: for all games together, shared evenly among the challengers; unfinished games do not count.
        seed: of chance and of the random beginnings.
        clock: reads a monotonic clock in seconds.

    Returns:
        The place of the best, and the results in words.
    """
    best, told = 0, []
    for challenger in range(1, len(searches)):
        end = clock() + seconds / (len(searches) - 1)
        points, played = 0.0, 0
        for number in range(GAMES):
            result = _play(game, (searches[best], searches[challenger]), number, seed, end, clock)
            if result is None:
                break
            points += result
            played += 1
        told.append(f"{points:g} of {played}")
        if played >= MIN_GAMES and points >= NEEDED * played:
            best = challenger
    return best, told


def _play(
    game: Game,
    pair: Sequence[tuple[Search, int]],
    number: int,
    seed: int,
    end: float,
    clock: Callable[[], float],
) -> float | None:
    """Return the points of the second of two searches in a game; None where there was no time to finish it."""
    rng = [seed_word(seed, number // 2)]
    challenger = number % 2
    state: State = game.initial()
    decisions = 0
    for _ in range(MAX_TRANSITIONS):
        if state.is_terminal():
            utilities = state.utilities()
            difference = utilities[challenger] - utilities[1 - challenger]
            return 0.5 if difference == 0 else float(difference > 0)
        if clock() > end:
            return None
        if state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
            continue
        chosen = {}
        for role in state.actors():
            legal = state.legal(role)
            if decisions < RANDOM_DECISIONS or len(legal) == 1:
                chosen[role] = int(legal[below(rng, len(legal))])
            else:
                search, units = pair[int(role == challenger)]
                chosen[role] = _choose(search, units, state, role, seed_word(seed, number, decisions), rng)
        decisions += 1
        state = state.apply(chosen)
    return 0.5


def _choose(search: Search, units: int, state: State, role: int, seed: int, rng: list[int]) -> int:
    search.take_role(role)
    search.seed(seed)
    search.set_root(np.array(state.words, np.int64))
    search.run_units(units)
    actions, strategy = search.strategy(role)
    return int(actions[draw(rng, strategy.tolist())])
