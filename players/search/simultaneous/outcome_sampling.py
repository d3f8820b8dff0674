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

Action numbers: field 0 cumulative sampled counterfactual regret, field 1 weighted sum of strategies.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.codegen.kernels import inline_kernel, kernel
from players.search.foundation.kernel_arguments import DEPTH, ITERATION, LeafOptions, Model, Work
from players.search.foundation.regret_strategies import (
    add_strategy,
    matched,
    positive_sum,
    sample_positive,
    sample_with_exploration,
)
from players.search.foundation.settings import OutcomeSamplingSettings
from players.search.simultaneous.expansion import choose_untried
from players.search.simultaneous.simulation import begin, follow, next_decision
from players.search.simultaneous.tree import NONE, Tree, action_begin, action_count, first_action, total_actions
from players.search.simultaneous.tree_search import Family, TreeSizes
from players.search.simultaneous.tree_strategies import average_strategy

DEFAULT_GAMMA = 0.6
OWN = 0
"""Column of `path_probability` for the exploring player's probability without exploration."""


class Options(NamedTuple):
    """The settings that the kernel needs."""

    gamma: float  # share of uniform exploration of the exploring player
    least: float = 0.0  # of the average strategy, actions less probable than this share of the best are not played


@inline_kernel
def select(tree: Tree, work: Work, node: int, tried: bool, explorer: int, sampled: float, options: Options) -> float:
    """Choose both actions and add the other player's strategy to its sum (figure 3.2, lines 5 to 10 and 24).

    Args:
        tree: the sum of the strategies of the player who does not explore is changed.
        work: `path_choice` at the current depth is written if `tried`; `path_probability[depth, OWN]` always.
        node: the decision node at the cursor.
        tried: whether expansion is over, so that the choice is this function's.
        explorer: the player whose regrets this iteration updates.
        sampled: s_i, with which the explorer's choices led here.
        options: gamma.

    Returns:
        The probability with which the explorer's action was sampled.
    """
    depth = work.cursor[DEPTH]
    to_sums = total_actions(tree, node)
    other = 1 - explorer
    limit = work.path_limit[depth]
    size = min(action_count(tree, node, other), limit)
    regrets = action_begin(tree, node) + first_action(tree, node, other)
    total = positive_sum(tree.words, regrets, size)
    add_strategy(tree.words, regrets, regrets + to_sums, size, total, 1.0 / sampled)
    if tried:
        work.path_choice[depth, other] = sample_positive(tree.words, regrets, size, total, work)
    size = min(action_count(tree, node, explorer), limit)
    regrets = action_begin(tree, node) + first_action(tree, node, explorer)
    total = positive_sum(tree.words, regrets, size)
    if tried:
        work.path_choice[depth, explorer] = sample_with_exploration(
            tree.words, regrets, size, total, options.gamma, work
        )
    own = matched(tree.words[regrets + work.path_choice[depth, explorer]], total, size)
    work.path_probability[depth, OWN] = own
    return float((1.0 - options.gamma) * own + options.gamma / size if tried else 1.0 / size)


@inline_kernel
def update(tree: Tree, work: Work, node: int, depth: int, explorer: int, weight: float) -> float:
    """Update the explorer's regrets at a node of the path (figure 3.2, lines 19 to 23).

    Args:
        tree: changed.
        work: the path.
        node: the decision node.
        depth: which node of the path.
        explorer: whose regrets.
        weight: u x_i / s_i(z) below this node: W c.

    Returns:
        The same including this node's choice: W x.
    """
    size = min(action_count(tree, node, explorer), work.path_limit[depth])
    regrets = action_begin(tree, node) + first_action(tree, node, explorer)
    reached = weight * work.path_probability[depth, OWN]
    for action in range(size):
        tree.words[regrets + action] -= reached
    tree.words[regrets + work.path_choice[depth, explorer]] += weight
    return float(reached)


@kernel
def search(model: Model, tree: Tree, work: Work, leaf: LeafOptions, options: Options, iterations: int) -> None:
    """Run iterations from the root: `work.states` holds its world state, `tree` is changed."""
    for _ in range(iterations):
        begin(tree, work)
        explorer = work.cursor[ITERATION] & 1
        sampled = 1.0
        while True:
            node = next_decision(model, tree, work, leaf)
            if node == NONE:
                break
            tried = not choose_untried(tree, work, node, leaf)
            sampled *= select(tree, work, node, tried, explorer, sampled, options)
            follow(model, tree, work, node)
        # utilities around 0: regrets are differences, but single samples vary less this way
        weight = (2.0 * work.utility[explorer] - 1.0) / sampled
        for depth in range(work.cursor[DEPTH] - 1, -1, -1):
            node = work.path_node[depth]
            weight = update(tree, work, node, depth, explorer, weight)


def kernel_options(settings: OutcomeSamplingSettings) -> Options:
    """Return the settings in the form the kernels take."""
    return Options(gamma=settings.gamma or DEFAULT_GAMMA, least=float(settings.final == "max"))


FAMILY = Family(search, average_strategy, TreeSizes(action_numbers=2), kernel_options)
