"""Self-play by a search that learns: `star1` plays both sides, and what it finds of each state is learned.

One action ahead, captures that will be taken back look like gains, and whatever can be captured like a loss. A search
sees these through, so what is left for the evaluation is what a search of a few decisions does not see.

Source: Veness, Silver, Uther, Blair 2009 (RootStrap), with the returns of TD(lambda) in place of the root's value.
"""

from __future__ import annotations

import numpy as np

from ggp.arithmetic.rng import below
from ggp.codegen.kernels import I64_2D, inline_kernel, kernel_of_long_loops
from ggp.game.game import Game
from ggp.native.interface import NativeFunctions
from players.learning.evaluation import Evaluation
from players.learning.game_memory import CHOSEN, GAMES, MAX_LENGTH, POSITIONS, STRAYED, Table
from players.learning.native_estimate import with_estimate
from players.learning.one_ahead import value_after
from players.learning.temporal_differences import Rates, learn_game, record
from players.search.foundation.settings import StarSettings
from players.search.star.options import STAR1
from players.search.star.star_search import StarSearch

TABLE_MB = 16
WHOLE = 1 << 30
"""What chances are counted in."""


def search_and_learn(game: Game, e: Evaluation, table: Table, rates: Rates, games: int) -> None:
    """Play games by a search with an evaluation as it is now, then learn from each; `counters` are added to.

    Args:
        game: of two players who take turns, of constant sum; it is played with open cards.
        e: changed.
        table: changed; its generator draws random actions.
        rates: `search` is how many states are visited for a decision.
        games: how many.

    Raises:
        RulesFault: play runs into an error of the rules.
    """
    native = game.native()
    search = StarSearch(with_estimate(native, e), STAR1, StarSettings(table=TABLE_MB))
    for _ in range(games):
        states, kinds, ahead = searched_game(game, search, table, rates)
        table.kinds[: len(kinds)] = kinds
        table.ahead[: len(kinds), 0] = np.clip((np.array(ahead) - e.scale[0, 0]) / e.scale[0, 1], -1.0, 1.0)
        learn_played(native.functions, e, table, rates, np.array(states, np.int64))


def searched_game(
    game: Game, search: StarSearch, table: Table, rates: Rates
) -> tuple[list[tuple[int, ...]], list[int], list[float]]:
    """Play a game.

    Returns:
        The words of the states with a decision, and of the last one; what came after each but the last; and what each
        but the last is worth to the first player by the search, in utilities.
    """
    rng = [int(table.rng[0])]
    state, states, kinds, ahead = game.initial(), list[tuple[int, ...]](), list[int](), list[float]()
    opening = below(rng, rates.opening + 1)
    low, high = game.utility_bounds[0]
    search.seed(rng[0])
    search.set_root(np.array(state.words, np.int64))
    while not state.is_terminal() and len(states) < MAX_LENGTH - 1:
        if state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
            continue
        player = state.actors()[0]
        legal = state.legal(player)
        strays = len(legal) > 1 and (len(states) < opening or below(rng, WHOLE) < rates.strays * WHOLE)
        search.advance(0, np.array(state.words, np.int64))
        search.run(rates.search)
        while not search.found:
            search.run(rates.search)
        actions, strategy = search.strategy(player)
        states.append(state.words)
        kinds.append(STRAYED if strays else CHOSEN)
        ahead.append(low + (high - low) * search.value())
        state = state.apply({player: legal[below(rng, len(legal))] if strays else int(actions[strategy.argmax()])})
    states.append(state.words)
    table.rng[0] = rng[0]
    return states, kinds, ahead


@inline_kernel
def place_state(table: Table, states: I64_2D, number: int) -> None:
    """Make one of the states the present one."""
    for word in range(states.shape[1]):
        table.states[word] = states[number, word]


@kernel_of_long_loops
def learn_played(functions: NativeFunctions, e: Evaluation, table: Table, rates: Rates, states: I64_2D) -> None:
    """Learn from a game that was played; `counters` are added to.

    Args:
        functions: of the game.
        e: changed.
        table: changed; `kinds` and `ahead` say what came after each state but the last, and what it is worth.
        rates: how to learn.
        states: `[n, W]`, the last one where the game ended or was cut.
    """
    length = states.shape[0] - 1
    for at in range(length):
        place_state(table, states, at)
        record(e, table, at)
    place_state(table, states, length)
    value_after(functions, e, table, 0, table.values)
    learn_game(e, table, rates, length)
    table.counters[GAMES] += 1
    table.counters[POSITIONS] += length
