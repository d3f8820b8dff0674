"""Luck in games of chance, to be subtracted from results: the same mean, estimated from fewer games.

The luck of a chance event is the value of the outcome drawn minus the expected value over all outcomes. Its mean is 0
for any value function, so subtracting a multiple of a game's luck from its result leaves the mean unchanged, and the
better the values, the less the rest varies (Zinkevich, Bowling, Bard, Kan, Billings 2006, "Optimal unbiased estimators
for evaluating agent performance"). Given exact values, only the cost of the players' errors is left. Without them, the
value is the rules' estimate of what the best action leads to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ggp.codegen.kernels import F64, I64, kernel
from ggp.competition.statistics import Interval, mean_interval, student_95, win_rate
from ggp.game.game import Game
from ggp.native.calls import call_actors, call_chance, call_estimate, call_legal, call_step, call_utility
from ggp.native.interface import CHANCE, TERMINAL, GameShape, NativeFunctions
from ggp.solvers.worlds.backward_induction import StateValues

MIN_FOR_LUCK = 10
"""Results from which the multiple can be estimated."""
CHAIN = 32
"""Automatic transitions in a row that are followed, at most."""


@kernel
def standing(functions: NativeFunctions, states: I64, at: int, utility: F64) -> float:
    """Return the first player's utility in a terminal state, else the estimate."""
    if call_actors(functions.actors, states, at) == TERMINAL:
        call_utility(functions.utility, states, at, utility, 0)
    else:
        call_estimate(functions.estimate, states, at, utility, 0)
    return float(utility[0])


@kernel
def value_after(
    functions: NativeFunctions,
    shape: GameShape,
    states: I64,
    at: int,
    joint: I64,
    utility: F64,
    labels: I64,
    probability: F64,
) -> float:
    """Return what the best action leads to from the next decision or event; overwrites the states behind `at`."""
    words, first = shape.state_words, shape.max_outcomes
    joint[:] = 0
    actors = call_actors(functions.actors, states, at)
    while (
        actors == CHANCE
        and at < CHAIN * words
        and call_chance(functions.chance, states, at, labels, first, probability, first) == 1
    ):
        joint[shape.players] = labels[first]
        call_step(functions.step, states, at, states, at + words, joint, 0)
        at += words
        actors = call_actors(functions.actors, states, at)
    if actors <= 0:
        return standing(functions, states, at, utility)
    player = 0 if actors & 1 else 1
    best = -np.inf
    for place in range(first, first + call_legal(functions.legal, states, at, player, labels, first)):
        joint[:] = 0
        joint[player] = labels[place]
        call_step(functions.step, states, at, states, at + words, joint, 0)
        value = standing(functions, states, at + words, utility)
        best = max(best, -value if player else value)
    return -best if player else best


@kernel
def event_luck(
    functions: NativeFunctions, shape: GameShape, states: I64, joint: I64, utility: F64, labels: I64, probability: F64
) -> float:
    """Return the first player's luck in a chance event: `states` begins with the state before and the one after it."""
    words = shape.state_words
    drawn = value_after(functions, shape, states, words, joint, utility, labels, probability)
    expected = 0.0
    for place in range(call_chance(functions.chance, states, 0, labels, 0, probability, 0)):
        joint[:] = 0
        joint[shape.players] = labels[place]
        call_step(functions.step, states, 0, states, words, joint, 0)
        expected += probability[place] * value_after(
            functions, shape, states, words, joint, utility, labels, probability
        )
    return drawn - expected


def luck_in(game: Game, values: StateValues | None = None) -> Callable[[Sequence[Sequence[int]]], float]:
    """Return a function from a game's states, as words, to the first player's luck in all events, in units of utility.

    Args:
        game: of two players who take turns, of constant sum, with an estimate if there are no values.
        values: exact ones.
    """
    if values is not None:
        return partial(_exact_luck, game, values)
    native = game.native()
    shape, words = native.shape, native.shape.state_words
    states, joint = np.zeros((CHAIN + 3) * words, np.int64), np.zeros(shape.players + 1, np.int64)
    utility, probability = np.zeros(shape.players), np.zeros(2 * shape.max_outcomes)
    labels = np.zeros(shape.max_outcomes + max(shape.max_outcomes, shape.max_actions), np.int64)

    def luck(history: Sequence[Sequence[int]]) -> float:
        total = 0.0
        for place in range(len(history) - 1):
            states[: 2 * words] = (*history[place], *history[place + 1])
            if call_actors(native.functions.actors, states, 0) == CHANCE:
                total += event_luck(native.functions, shape, states, joint, utility, labels, probability)
        return total

    return luck


def _exact_luck(game: Game, values: StateValues, history: Sequence[Sequence[int]]) -> float:
    states = [game.state(words) for words in history]
    worth = [
        state.utilities()[0] if state.is_terminal() else float(values.value[values.game.find(state.words)])
        for state in states
    ]
    events = (place for place, state in enumerate(states) if not state.is_terminal() and state.is_chance())
    return math.fsum(worth[place + 1] - worth[place] for place in events)


def share_won(won: Sequence[float]) -> Interval:
    """Return the mean share of matches; if all are equal, with the interval of as many games."""
    found = mean_interval(won)
    return found if len(set(won)) > 1 else win_rate(round(sum(won)), 0, round(len(won) - sum(won)))


def without_luck(won: Sequence[float], luck: Sequence[float], multiple: float | None = None) -> Interval | None:
    """Return the mean result with a multiple of the luck subtracted; None if there are too few results.

    Args:
        won: `[N]` results.
        luck: `[N]` what was luck in each, in any unit.
        multiple: None: the one that leaves the least variance, estimated from these results.
    """
    known, results = np.asarray(luck), np.asarray(won)
    if multiple is not None:
        return mean_interval(results - multiple * known) if len(won) > 1 else None
    if len(won) < MIN_FOR_LUCK or len(set(won)) == 1:
        return None
    matrix = np.stack([np.ones(len(won)), known], axis=1)
    solution, *_ = np.linalg.lstsq(matrix, results, rcond=None)
    rest = results - matrix @ solution
    variance = (rest @ rest) / (len(won) - 2) * np.linalg.inv(matrix.T @ matrix)[0, 0]
    mean, reach = float(solution[0]), student_95(len(won) - 2) * math.sqrt(variance)
    return Interval(mean, mean - reach, mean + reach)
