"""Losses of behavioural strategies to best responses, in games with hidden information.

The strategies of all players are one array `[S]`: for each sequence, the probability of its last action given its
information state, and 1 for empty sequences.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import F64
from ggp.errors import GgpError
from ggp.solvers.sequence_form.plan_kernels import (
    best_response_strategy,
    best_response_value,
    expected_utility,
    set_reach,
    strategy_of_plan,
    uniform_strategies,
)
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree

PROBABILITY_TOLERANCE = 1e-6
"""Probabilities at an information state may sum to 1 within this."""


class BadProbabilities(GgpError):
    """The numbers given are not a distribution over the legal actions."""


class Response(Struct, frozen=True):
    """Expected utilities of strategies, and of best responses to them.

    Attributes:
        expected: each player's utility if all play the strategies.
        best: each player's utility if it plays a best response and the others their strategies.
    """

    expected: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player gains by a best response."""
        return tuple(best - expected for best, expected in zip(self.best, self.expected, strict=True))

    @property
    def nash_conv(self) -> float:
        """The sum of these; 0 exactly in an equilibrium."""
        return sum(self.gains)


def realization_plans(tree: SequenceFormTree, strategies: F64) -> F64:
    """Return the realization plans of all players, `[S]`."""
    reach = np.empty(tree.sequences)
    for player in range(tree.players):
        set_reach(tree.form, player, strategies, reach)
    return reach


def responses(tree: SequenceFormTree, strategies: F64) -> Response:
    """Return the utilities of strategies against each other, and of best responses to them."""
    return responses_to_plans(tree, realization_plans(tree, strategies))


def responses_to_plans(tree: SequenceFormTree, reach: F64) -> Response:
    """Return the utilities of realization plans against each other, and of best responses to them."""
    value = np.empty(tree.sequences)
    players = range(tree.players)
    return Response(
        expected=tuple(float(expected_utility(tree.form, player, reach, value)) for player in players),
        best=tuple(float(best_response_value(tree.form, player, reach, value)) for player in players),
    )


def best_response(tree: SequenceFormTree, strategies: F64, player: int) -> tuple[float, F64]:
    """Return the value of a player's best response, and the strategies with the player's replaced by it.

    Among actions of equal value the first is played; where the others' strategies never lead, any action may be.
    """
    value, answer = np.empty(tree.sequences), strategies.copy()
    best = float(best_response_value(tree.form, player, realization_plans(tree, strategies), value))
    best_response_strategy(tree.form, player, value, answer)
    return best, answer


# --- making strategies ------------------------------------------------------------------------------------------------


def uniform(tree: SequenceFormTree) -> F64:
    """Return the strategies that take every legal action with the same probability."""
    strategies = np.empty(tree.sequences)
    uniform_strategies(tree.form.parent, tree.form.first, strategies)
    return strategies


def strategies_of_plans(tree: SequenceFormTree, plans: F64) -> F64:
    """Return the strategies of realization plans, uniform where the plans never go."""
    strategies = np.empty(tree.sequences)
    for player in range(tree.players):
        strategy_of_plan(tree.form, player, plans, strategies)
    return strategies


def distribution(given: F64, count: int) -> F64:
    """Return the probabilities of `count` actions, scaled to sum to 1.

    Raises:
        BadProbabilities: they are negative, do not sum to 1, or differ in number from the actions.
    """
    if given.shape != (count,):
        raise BadProbabilities(f"{given.size} probabilities for {count} legal actions")
    if not (given.min() >= 0 and abs(given.sum() - 1) <= PROBABILITY_TOLERANCE):
        raise BadProbabilities(f"{given.tolist()} are not a distribution over {given.size} actions")
    scaled: F64 = given / given.sum()
    return scaled
