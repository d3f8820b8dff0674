"""OOS: outcome sampling for games with simultaneous moves (SM-OOS); two players, constant sum.

Source: Lisý 2014, section 3.1.3, figure 3.2; LLW13 section 3.4. Converges to an equilibrium of the subgame at the root.

Each iteration updates the regrets of one player `i` and the average strategy of the other, in turn. Figure 3.2 carries
four probabilities through the recursion; only the exploring player's matter, since the other player and chance are
sampled by their own strategies and cancel:

    pi_-i / s on the way down (line 24) is 1 / s_i,           s_i: the product of sigma'_i of the choices above
    W = u pi_-i / q times x or c (lines 19 to 23) is u x_i / s_i(z),   x_i: the product of sigma_i of the choices below

with s_i(z) at the end of the iteration. A playout below the tree is uniform for both and cancels as well.

This departs from figure 3.2 as printed, whose x lacks chance's probability: q has it, so that it would not cancel, and
NashConv stays at 6.6. With it in both, as the derivation has it, chance cancels as said above.

Action numbers: REGRETS, cumulative, sampled and counterfactual; SUMS of strategies, weighted.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.codegen.kernels import inline_kernel, kernel
from players.search.foundation.kernel_arguments import (
    DEPTH,
    ITERATION,
    SAMPLED,
    WEIGHT,
    LeafOptions,
    Model,
    Work,
)
from players.search.foundation.regret_strategies import (
    REGRETS,
    SUMS,
    add_strategy,
    matched,
    positive_sum,
    sample_positive,
    sample_with_exploration,
)
from players.search.foundation.settings import OutcomeSamplingSettings
from players.search.simultaneous.simulation import iterate
from players.search.simultaneous.tree import Tree, action_numbers
from players.search.simultaneous.tree_search import Family, TreeSizes, average_strategy

DEFAULT_GAMMA = 0.6
OWN = 0
"""Column of `path_probability` for the exploring player's probability without exploration."""


class Options(NamedTuple):
    """The settings that the kernel needs."""

    gamma: float  # share of uniform exploration of the exploring player
    least: float = 0.0  # of the average strategy, actions less probable than this share of the best are not played


@inline_kernel
def explorer_of(work: Work) -> int:
    """Return the player whose regrets this iteration updates."""
    return int(work.cursor[ITERATION] & 1)


@inline_kernel
def select(tree: Tree, work: Work, node: int, tried: bool, options: Options) -> None:
    """Choose both actions and add the other player's strategy to its sum (figure 3.2, lines 5 to 10 and 24).

    Args:
        tree: the sum of the strategies of the player who does not explore is changed.
        work: `path_choice` at the current depth is written if `tried`; `path_probability[depth, OWN]` always; s_i, with
            which the explorer's choices led here, is multiplied with the probability of this one.
        node: the decision node at the cursor.
        tried: whether expansion is over, so that the choice is this function's.
        options: gamma.
    """
    depth, explorer = work.cursor[DEPTH], explorer_of(work)
    other = 1 - explorer
    regrets = action_numbers(tree, node, other, REGRETS)
    total = positive_sum(regrets)
    add_strategy(regrets, action_numbers(tree, node, other, SUMS), total, 1.0 / work.sampling[SAMPLED])
    if tried:
        work.path_choice[depth, other] = sample_positive(regrets, total, work)
    regrets = action_numbers(tree, node, explorer, REGRETS)
    size, total = regrets.size, positive_sum(regrets)
    if tried:
        work.path_choice[depth, explorer] = sample_with_exploration(regrets, total, options.gamma, work)
    own = matched(regrets[work.path_choice[depth, explorer]], total, size)
    work.path_probability[depth, OWN] = own
    work.sampling[SAMPLED] *= (1.0 - options.gamma) * own + options.gamma / size if tried else 1.0 / size


@inline_kernel
def note_weight(work: Work) -> None:
    """Write u / s_i(z), the weight with which updates begin.

    Utilities around 0: regrets are differences, but single samples vary less this way.
    """
    work.sampling[WEIGHT] = (2.0 * work.utility[explorer_of(work)] - 1.0) / work.sampling[SAMPLED]


@inline_kernel
def update(tree: Tree, work: Work, node: int, depth: int, options: Options) -> None:  # noqa: ARG001
    """Update the explorer's regrets at a node of the path (figure 3.2, lines 19 to 23).

    Args:
        tree: changed.
        work: the path, and u x_i / s_i(z) below this node, W c; it becomes W x, which includes this node's choice.
        node: the decision node.
        depth: which node of the path.
        options: not needed.
    """
    explorer, weight = explorer_of(work), work.sampling[WEIGHT]
    regrets = action_numbers(tree, node, explorer, REGRETS)
    reached = weight * work.path_probability[depth, OWN]
    for action in range(regrets.size):
        regrets[action] -= reached
    regrets[work.path_choice[depth, explorer]] += weight
    work.sampling[WEIGHT] = reached


@kernel
def search(model: Model, tree: Tree, work: Work, leaf: LeafOptions, options: Options, iterations: int) -> None:
    """Run iterations; see `iterate`."""
    iterate(model, tree, work, leaf, options, iterations, select, note_weight, update)


def kernel_options(settings: OutcomeSamplingSettings) -> Options:
    """Return the settings in the form the kernels take."""
    return Options(gamma=settings.gamma or DEFAULT_GAMMA, least=float(settings.final == "max"))


FAMILY = Family(search, average_strategy, TreeSizes(action_numbers=2), kernel_options)
