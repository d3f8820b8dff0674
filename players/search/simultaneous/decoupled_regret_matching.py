"""DRM: each player matches regrets estimated from its own utilities only; for any number of players.

Source: Lisý 2014, section 3.1.1, eq. 3.8 and 3.9, after the bandit algorithm of figure 2.6. Two misprints: eq. 3.8
reads without the factor 1 - gamma, and would sum to 1 + gamma; eq. 3.9 does not subtract the utility from the regret
of the chosen action, as line 9 of figure 2.6 does and an unbiased estimate needs. The final strategy is the average of
the strategies without their exploration, as eq. 3.7 leaves it of eq. 3.6.

Action numbers: REGRETS, cumulative and estimated; SUMS of strategies.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.codegen.kernels import inline_kernel, kernel
from players.search.foundation.kernel_arguments import DEPTH, LeafOptions, Model, Work
from players.search.foundation.regret_strategies import (
    REGRETS,
    SUMS,
    add_strategy,
    matched,
    positive_sum,
    sample_with_exploration,
)
from players.search.foundation.settings import DecoupledRegretMatchingSettings
from players.search.simultaneous.simulation import iterate, note_nothing
from players.search.simultaneous.tree import Tree, action_numbers
from players.search.simultaneous.tree_search import Family, TreeSizes, average_strategy


class Options(NamedTuple):
    """The settings that the kernel needs."""

    gamma: float  # share of uniform exploration
    least: float = 0.0  # of the average strategy, actions less probable than this share of the best are not played


@inline_kernel
def select(tree: Tree, work: Work, node: int, tried: bool, options: Options) -> None:
    """Add each player's strategy to its sum, and sample its action from it with exploration (eq. 3.8).

    Args:
        tree: the sums of strategies are changed.
        work: `path_choice` and `path_probability` at the current depth are written, the choice only if `tried`.
        node: the decision node at the cursor.
        tried: whether expansion is over, so that the choice is this function's; before, each action comes as often as
            under the uniform strategy, which is what its updates assume.
        options: gamma.
    """
    depth = work.cursor[DEPTH]
    for player in range(tree.players):
        sums = action_numbers(tree, node, player, SUMS)
        regrets = action_numbers(tree, node, player, REGRETS)
        size = regrets.size
        if sums.size == 1:
            work.path_choice[depth, player] = 0
            work.path_probability[depth, player] = 1.0
        else:
            total = positive_sum(regrets)
            add_strategy(regrets, sums, total, 1.0)
            if tried:
                choice = sample_with_exploration(regrets, total, options.gamma, work)
                probability = matched(regrets[choice], total, size)
                work.path_choice[depth, player] = choice
                work.path_probability[depth, player] = (1.0 - options.gamma) * probability + options.gamma / size
            else:
                work.path_probability[depth, player] = 1.0 / size


@inline_kernel
def update(tree: Tree, work: Work, node: int, depth: int, options: Options) -> None:  # noqa: ARG001
    """Add the estimated regrets of the iteration (figure 2.6, lines 9 and 10; eq. 3.9).

    Utilities are taken in [-1, 1]: regrets of numbers around 0 vary less than those of numbers in [0, 1].
    """
    for player in range(tree.players):
        regrets = action_numbers(tree, node, player, REGRETS)
        if regrets.size > 1:
            utility = 2.0 * work.utility[player] - 1.0
            for action in range(regrets.size):
                regrets[action] -= utility
            regrets[work.path_choice[depth, player]] += utility / work.path_probability[depth, player]


@kernel
def search(model: Model, tree: Tree, work: Work, leaf: LeafOptions, options: Options, iterations: int) -> None:
    """Run iterations; see `iterate`."""
    iterate(model, tree, work, leaf, options, iterations, select, note_nothing, update)


def kernel_options(settings: DecoupledRegretMatchingSettings) -> Options:
    """Return the settings in the form the kernels take."""
    return Options(gamma=settings.gamma, least=float(settings.final == "max"))


FAMILY = Family(search, average_strategy, TreeSizes(action_numbers=2), kernel_options)
