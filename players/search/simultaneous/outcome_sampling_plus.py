"""OOS+: outcome sampling with estimated values of unsampled actions; two players, constant sum.

Source: LLW13 section 3.4. Biased, because the estimates are those of another strategy; stronger in matches than OOS.
A node passes on the value of the explorer's strategy, as in the generalised sampling with probing on which OOS+ is
based (Gibson et al. 2012). The estimates are then of play without exploration below the node. With `backup=sample` it
passes on the utility of the iteration, as in LLW13's algorithm 1; but then the bias is far greater, and it does not
converge in goofspiel(4), although OOS+ does in LLW13 section 4.3. In matches they are equally strong.
A joint action that was never tried has no estimate; the utility of the iteration is used instead, so it adds no regret.
With EXPAND_JOINT this matters only until each was tried once.

Action numbers: REGRETS, cumulative; SUMS of strategies, weighted. Joint numbers: the mean scaled utility of
player 0. Joint counts: how often the joint action was chosen.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.codegen.kernels import F64, inline_kernel, kernel
from players.search.foundation.kernel_arguments import DEPTH, SAMPLED, LeafOptions, Model, Work
from players.search.foundation.regret_strategies import REGRETS, matched, positive_sum
from players.search.foundation.settings import OutcomeSamplingPlusSettings
from players.search.simultaneous import outcome_sampling
from players.search.simultaneous.simulation import iterate, note_nothing
from players.search.simultaneous.tree import (
    Tree,
    action_count,
    action_numbers,
    count_one,
    joint_counts,
    joint_numbers,
)
from players.search.simultaneous.tree_search import Family, TreeSizes, average_strategy

ABOVE = 1
"""Column of `path_probability` for pi: the product of the explorer's sampling probabilities above the node."""


class Options(NamedTuple):
    """The settings that the kernels need."""

    gamma: float  # share of uniform exploration of the exploring player
    expected: int  # 1: nodes pass on the value of the explorer's strategy, 0: the utility of the iteration
    least: float = 0.0  # of the average strategy, actions less probable than this share of the best are not played


@inline_kernel
def select(tree: Tree, work: Work, node: int, tried: bool, options: Options) -> None:
    """Choose both actions as outcome sampling does, and write pi."""
    work.path_probability[work.cursor[DEPTH], ABOVE] = work.sampling[SAMPLED]
    outcome_sampling.select(tree, work, node, tried, outcome_sampling.Options(options.gamma))


@inline_kernel
def add_values(tree: Tree, work: Work, node: int, depth: int, explorer: int, values: F64) -> float:
    """Write the value of each of the explorer's actions against the other player's strategy: v of LLW13 section 3.4.

    Args:
        tree: read.
        work: `utility` of the iteration is read, and the path.
        node: the decision node.
        depth: which node of the path.
        explorer: whose values.
        values: `[k]` or longer, overwritten from the front, in scaled utility.

    Returns:
        The value of the explorer's strategy.
    """
    own_regrets = action_numbers(tree, node, explorer, REGRETS)
    other_regrets = action_numbers(tree, node, 1 - explorer, REGRETS)
    own_total, other_total = positive_sum(own_regrets), positive_sum(other_regrets)
    columns = action_count(tree, node, 1)
    own_stride, other_stride = (columns, 1) if explorer == 0 else (1, columns)
    means, counts = joint_numbers(tree, node), joint_counts(tree, node)
    # not the other's own scaled utility: the two players' estimates need not add up to 1
    utility = work.utility[0] if explorer == 0 else 1.0 - work.utility[0]
    chosen = work.path_joint[depth]
    values[: own_regrets.size] = 0.0
    for against in range(other_regrets.size):
        probability = matched(other_regrets[against], other_total, other_regrets.size)
        if probability > 0.0:
            for action in range(own_regrets.size):
                joint = action * own_stride + against * other_stride
                value = utility
                if joint != chosen and counts[joint] > 0:
                    value = means[joint] if explorer == 0 else 1.0 - means[joint]
                values[action] += probability * value
    expected = 0.0
    for action in range(own_regrets.size):
        expected += matched(own_regrets[action], own_total, own_regrets.size) * values[action]
    return expected


@inline_kernel
def update(tree: Tree, work: Work, node: int, depth: int, options: Options) -> None:
    """Update the explorer's regrets and the mean of the joint action at a node of the path.

    With `expected`, `utility` becomes the value of the explorer's strategy there.
    """
    explorer = outcome_sampling.explorer_of(work)
    expected = add_values(tree, work, node, depth, explorer, work.strategy)
    regrets = action_numbers(tree, node, explorer, REGRETS)
    weight = 1.0 / work.path_probability[depth, ABOVE]
    for action in range(regrets.size):
        regrets[action] += weight * (work.strategy[action] - expected)
    chosen, means = work.path_joint[depth], joint_numbers(tree, node)
    means[chosen] += (work.utility[0] - means[chosen]) / count_one(joint_counts(tree, node), chosen)
    if options.expected:
        work.utility[explorer] = expected
        work.utility[1 - explorer] = 1.0 - expected


@kernel
def search(model: Model, tree: Tree, work: Work, leaf: LeafOptions, options: Options, iterations: int) -> None:
    """Run iterations; see `iterate`."""
    iterate(model, tree, work, leaf, options, iterations, select, note_nothing, update)


def kernel_options(settings: OutcomeSamplingPlusSettings) -> Options:
    """Return the settings in the form the kernels take."""
    return Options(
        gamma=settings.gamma, expected=int(settings.backup == "expected"), least=float(settings.final == "max")
    )


FAMILY = Family(search, average_strategy, TreeSizes(action_numbers=2, joint_numbers=1, joint_counts=1), kernel_options)
