"""How much behavioural strategies lose to best responses over the whole game, with hidden information.

Strategies of all players are one array `[S]`: to each sequence the probability of its last action where its information
state is reached, and 1 to empty sequences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ggp.analysis.sequence_form.information_tree import InformationTree
from ggp.analysis.sequence_form.plan_kernels import (
    best_response_strategy,
    best_response_value,
    expected_utility,
    strategy_of_plan,
    uniform_strategies,
    write_reach,
)
from ggp.errors import GgpError
from ggp.model.native.jit import F64

PROBABILITY_TOLERANCE = 1e-6
"""Probabilities at an information state may sum to 1 within this."""

Choice = Callable[[int], F64 | None]
"""Gives the probabilities of the actions at the information state of a number, None for uniform."""


class BadProbabilities(GgpError):
    """What is given as a strategy is none."""


@dataclass(frozen=True, slots=True)
class Response:
    """What strategies get, and what best responses to them get, in units of utility.

    Attributes:
        expected: of each player, when all play the strategies.
        best: of each player, when it plays a best response and the others their strategies.
    """

    expected: tuple[float, ...]
    best: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """What each player gains by responding best."""
        return tuple(best - expected for best, expected in zip(self.best, self.expected, strict=True))

    @property
    def nash_conv(self) -> float:
        """The sum of these; 0 exactly in an equilibrium."""
        return sum(self.gains)


def realization_plans(tree: InformationTree, strategies: F64) -> F64:
    """Return the realization plans of all players, `[S]`."""
    reach = np.empty(tree.sequences)
    for player in range(tree.players):
        write_reach(tree.form, player, strategies, reach)
    return reach


def responses(tree: InformationTree, strategies: F64) -> Response:
    """Return what strategies get against each other and against best responses."""
    return responses_to_plans(tree, realization_plans(tree, strategies))


def responses_to_plans(tree: InformationTree, reach: F64) -> Response:
    """Return what realization plans get against each other and against best responses."""
    value = np.empty(tree.sequences)
    players = range(tree.players)
    return Response(
        expected=tuple(float(expected_utility(tree.form, player, reach)) for player in players),
        best=tuple(float(best_response_value(tree.form, player, reach, value)) for player in players),
    )


def best_response(tree: InformationTree, strategies: F64, player: int) -> tuple[float, F64]:
    """Return a player's greatest expected utility against the others' strategies, and all strategies with its own so.

    Of actions of equal value the first is taken; at information states that the others never let it reach, any.
    """
    value, answer = np.empty(tree.sequences), strategies.copy()
    best = float(best_response_value(tree.form, player, realization_plans(tree, strategies), value))
    best_response_strategy(tree.form, player, value, answer)
    return best, answer


# --- making strategies ------------------------------------------------------------------------------------------------


def uniform(tree: InformationTree) -> F64:
    """Return the strategies that take every legal action with the same probability."""
    strategies = np.empty(tree.sequences)
    uniform_strategies(tree.form.parent, tree.form.first, strategies)
    return strategies


def random_strategies(tree: InformationTree, rng: np.random.Generator) -> F64:
    """Return strategies drawn uniformly from the simplex at each information state."""
    return strategies_of_plans(tree, rng.exponential(size=tree.sequences))[0]


def strategies_of_plans(tree: InformationTree, plans: F64) -> tuple[F64, int]:
    """Return the strategies of realization plans, uniform where these never go, and at how many states that is."""
    strategies = np.empty(tree.sequences)
    undefined = sum(int(strategy_of_plan(tree.form, player, plans, strategies)) for player in range(tree.players))
    return strategies, undefined


def strategies_from(tree: InformationTree, choice: Choice) -> F64:
    """Return the strategies that a function gives, uniform where it gives none.

    Raises:
        BadProbabilities: what it gives are no probabilities of the actions there.
    """
    strategies = uniform(tree)
    for number in range(tree.information_states):
        given = choice(number)
        if given is not None:
            set_choice(tree, strategies, number, given)
    return strategies


def set_choice(tree: InformationTree, strategies: F64, number: int, given: F64) -> None:
    """Enter the probabilities of the actions at one information state, scaled to sum to 1.

    Raises:
        BadProbabilities: they are negative, do not sum to 1, or are not as many as there are actions.
    """
    place = tree.sequences_at(number)
    probabilities = np.asarray(given, np.float64)
    if probabilities.shape != (place.stop - place.start,):
        raise BadProbabilities(f"{probabilities.size} probabilities for {place.stop - place.start} legal actions")
    if not (probabilities.min() >= 0 and abs(probabilities.sum() - 1) <= PROBABILITY_TOLERANCE):
        raise BadProbabilities(f"{probabilities.tolist()} are no probabilities of {probabilities.size} actions")
    strategies[place] = probabilities / probabilities.sum()
