"""RM: regret matching, coupled over joint actions; two players, constant sum.

Source: LLW13 section 3.3, eq. 5 and the updates below it; Lisý 2014 eq. 3.8, 3.10 and 3.11. Lisý's eq. 3.8 reads
without the factor 1 - gamma, and would sum to 1 + gamma; LLW13's form is used.

A joint action that has never been tried has no mean; its regret is left unchanged. LLW13 does not say
what its `reward` is; with EXPAND_JOINT it matters only until each was tried once.

Action numbers: REGRETS, cumulative; SUMS of strategies. Joint numbers: the mean scaled utility of player
0. Joint counts: how often the joint action was chosen. Player 1's utility is 1 minus player 0's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ggp.codegen.kernels import inline_kernel, kernel
from players.search.foundation.kernel_arguments import DEPTH, EXPAND_JOINT, LeafOptions, Model, Work
from players.search.foundation.regret_strategies import (
    REGRETS,
    SUMS,
    add_strategy,
    positive_sum,
    sample_with_exploration,
)
from players.search.foundation.settings import RegretMatchingSettings
from players.search.simultaneous.simulation import iterate, note_nothing
from players.search.simultaneous.tree import (
    Tree,
    action_count,
    action_numbers,
    count_one,
    joint_action_count,
    joint_counts,
    joint_numbers,
    visit_count,
)
from players.search.simultaneous.tree_search import EXPANSIONS, Family, TreeSizes, average_strategy


class Options(NamedTuple):
    """The settings that the kernel needs."""

    gamma: float  # share of uniform exploration
    least: float = 0.0  # of the average strategy, actions less probable than this share of the best are not played
    floor: float = -math.inf  # cumulative regrets are kept from falling below: 0 makes it regret matching+
    linear: int = 0  # 1: the strategy of a node's visit v counts v times in its average, 0: all count alike
    expansion: int = EXPAND_JOINT  # with it, every joint action was tried after as many visits: no need to look


@inline_kernel
def select(tree: Tree, work: Work, node: int, tried: bool, options: Options) -> None:
    """Add each player's strategy of eq. 5 to its sum, and sample its action from it with exploration gamma.

    Args:
        tree: the sums of strategies are changed.
        work: `path_choice` at the current depth is written, unless `tried` is false: then it holds the choice already.
        node: the decision node at the cursor.
        tried: whether expansion is over, so that the choice is this function's.
        options: gamma.
    """
    depth = work.cursor[DEPTH]
    for player in range(2):
        if action_count(tree, node, player) == 1:
            work.path_choice[depth, player] = 0
        else:
            regrets = action_numbers(tree, node, player, REGRETS)
            total = positive_sum(regrets)
            weight = visit_count(tree, node) + 1.0 if options.linear else 1.0
            add_strategy(regrets, action_numbers(tree, node, player, SUMS), total, weight)
            if tried:
                work.path_choice[depth, player] = sample_with_exploration(regrets, total, options.gamma, work)


@inline_kernel
def update(tree: Tree, work: Work, node: int, depth: int, options: Options) -> None:
    """Update means and regrets (LLW13 section 3.3) of the decision node at a depth of the path."""
    utility, floor = work.utility[0], options.floor
    means, counts = joint_numbers(tree, node), joint_counts(tree, node)
    rows, columns = action_numbers(tree, node, 0, REGRETS), action_numbers(tree, node, 1, REGRETS)
    width = action_count(tree, node, 1)
    row, column = work.path_choice[depth, 0], work.path_choice[depth, 1]
    begin_row = row * width
    chosen = begin_row + column
    # the chosen joint action itself has reward = utility, so regret 0; setting its mean below comes after
    if options.expansion == EXPAND_JOINT and visit_count(tree, node) >= joint_action_count(tree, node):
        before = means[chosen]
        means[chosen] = utility
        for action in range(rows.size):
            rows[action] = max(rows[action] + (means[action * width + column] - utility), floor)
        for action in range(columns.size):
            columns[action] = max(columns[action] + (utility - means[begin_row + action]), floor)
        means[chosen] = before
    else:
        for action in range(rows.size):
            joint = action * width + column
            if counts[joint] and action != row:
                rows[action] = max(rows[action] + (means[joint] - utility), floor)
        for action in range(columns.size):
            joint = begin_row + action
            if counts[joint] and action != column:
                columns[action] = max(columns[action] + (utility - means[joint]), floor)
    means[chosen] += (utility - means[chosen]) / count_one(counts, chosen)


@kernel
def search(model: Model, tree: Tree, work: Work, leaf: LeafOptions, options: Options, iterations: int) -> None:
    """Run iterations; see `iterate`."""
    iterate(model, tree, work, leaf, options, iterations, select, note_nothing, update)


def kernel_options(settings: RegretMatchingSettings) -> Options:
    """Return the settings in the form the kernels take."""
    return Options(
        gamma=settings.gamma,
        least=1.0 if settings.final == "max" else settings.least,
        floor=0.0 if settings.plus else -math.inf,
        linear=int(settings.average == "linear"),
        expansion=EXPANSIONS[settings.expansion],
    )


FAMILY = Family(search, average_strategy, TreeSizes(action_numbers=2, joint_numbers=1, joint_counts=1), kernel_options)
