"""CFR: counterfactual regret minimisation over a whole partial tree, all players and nodes in each sweep.

Source: SSS09 section 4, figures 3 to 6; convergence: Zinkevich, Johanson, Bowling, Piccione 2007. Two players, constant
sum. Figure 3 makes three passes; here they are two: reach probabilities from the root down (figure 5), then values
from the leaves up (figure 4), where each node's regrets and strategies are updated once its value is known (figure 6;
nothing above it reads the changed values).

The reaching probability of figure 5 is that of the others, chance among them, who "played based on their probability
settings". Kept here is each player's own, times chance's: the other's counterfactual weight. Figure 6, line 16 adds
strategies to their sum unweighted; the average that converges weighs each by the player's own probability of reaching
the node (Zinkevich et al., eq. 4). `average=plain` is the figure, `average=reach` the proof, and the default.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.codegen.kernels import F64, inline_kernel
from players.search.cfr.partial_tree import (
    CUMULATIVE_REGRET,
    CURRENT,
    NONE,
    STRATEGY_SUM,
    PartialTree,
    action_numbers,
    block_kind,
    child_values,
    column_count,
    outcome_probabilities,
    parent_of,
    place_in_parent,
    reach_probabilities,
)
from players.search.foundation.node_kinds import CHANCE
from players.search.foundation.regret_strategies import matched, positive_sum


class SweepOptions(NamedTuple):
    """The settings that sweeps need."""

    plain: int  # 1: strategies are added to their sum as they are, 0: weighted by the player's own reach probability
    kept: float  # what regrets and sums of strategies are multiplied by before anything is added
    role: int  # restricted Nash: who plays against the fixed opponent
    confidence: float  # restricted Nash: the probability that the opponent is the fixed one


@inline_kernel
def write_reach(tree: PartialTree, block: int) -> None:
    """Write each player's probability of reaching a node, times chance's, from those of its parent (figure 5).

    Args:
        tree: the two probabilities of the block are overwritten; the parent's must be those of this sweep.
        block: a node; the root has 1 and 1 since it is the root.
    """
    parent, place = parent_of(tree, block), place_in_parent(tree, block)
    if parent == NONE:
        return
    own, above = reach_probabilities(tree, block), reach_probabilities(tree, parent)
    if block_kind(tree, parent) == CHANCE:
        probability = outcome_probabilities(tree, parent)[place]
        own[0], own[1] = above[0] * probability, above[1] * probability
        return
    columns = column_count(tree, parent)
    row, column = place // columns, place % columns
    own[0] = above[0] * action_numbers(tree, parent, CURRENT, 0)[row]
    own[1] = above[1] * action_numbers(tree, parent, CURRENT, 1)[column]


@inline_kernel
def chance_value(tree: PartialTree, block: int, copy: int) -> float:
    """Return the value of a chance node in a copy."""
    probabilities, values = outcome_probabilities(tree, block), child_values(tree, block, copy)
    total = 0.0
    for outcome in range(values.size):
        total += probabilities[outcome] * values[outcome]
    return total


@inline_kernel
def expect(tree: PartialTree, block: int, copy: int, column_field: int, row_field: int, expected: F64) -> float:
    """Write the value of each action against the other's strategy, for the first player (figure 4, lines 3 to 10).

    Args:
        tree: read.
        block: a decision.
        copy: whose values.
        column_field: CURRENT or FIXED: the strategy of the second player.
        row_field: likewise of the first.
        expected: `[R + C]` at least, overwritten: the first player's actions, then the second's.

    Returns:
        The value of the node for the first player (lines 11 and 12).
    """
    first, second = action_numbers(tree, block, row_field, 0), action_numbers(tree, block, column_field, 1)
    rows, columns = first.size, second.size
    values, child = child_values(tree, block, copy), 0
    expected[rows : rows + columns] = 0.0
    value = 0.0
    for row in range(rows):
        total = 0.0
        for column in range(columns):
            total += second[column] * values[child]
            expected[rows + column] += first[row] * values[child]
            child += 1
        expected[row] = total
        value += first[row] * total
    return value


@inline_kernel
def match_regrets(tree: PartialTree, block: int, player: int, kept: float, weight: float) -> None:
    """Add a player's current strategy to its sum, and make it that of its new cumulative regrets (figure 6, 7 to 16).

    Args:
        tree: changed. The strategy that is added is the one whose regrets were just added, as in the proof; figure 6
            adds the next one, which is the same sum but for its ends.
        block: a decision.
        player: whose.
        kept: share of the sum that is kept.
        weight: of the strategy in the sum.
    """
    regrets = action_numbers(tree, block, CUMULATIVE_REGRET, player)
    current = action_numbers(tree, block, CURRENT, player)
    sums = action_numbers(tree, block, STRATEGY_SUM, player)
    for action in range(sums.size):
        sums[action] = kept * sums[action] + weight * current[action]
    total = positive_sum(regrets)
    for action in range(current.size):
        current[action] = matched(regrets[action], total, current.size)


@inline_kernel
def update(tree: PartialTree, block: int, options: SweepOptions, expected: F64) -> float:
    """Update a node whose children's values are those of this sweep, and return its value (figures 4 and 6).

    Args:
        tree: changed.
        block: a node, with the reach probabilities of this sweep.
        options: `plain` and `kept`.
        expected: `[R + C]` at least, overwritten.
    """
    if block_kind(tree, block) == CHANCE:
        return chance_value(tree, block, 0)
    value = expect(tree, block, 0, CURRENT, CURRENT, expected)
    reach = reach_probabilities(tree, block)
    first, second = reach[0], reach[1]
    rows = action_numbers(tree, block, CUMULATIVE_REGRET, 0)
    columns, kept = action_numbers(tree, block, CUMULATIVE_REGRET, 1), options.kept
    for row in range(rows.size):
        rows[row] = kept * rows[row] + second * (expected[row] - value)
    for column in range(columns.size):
        columns[column] = kept * columns[column] + first * (value - expected[rows.size + column])
    match_regrets(tree, block, 0, kept, 1.0 if options.plain else first)
    match_regrets(tree, block, 1, kept, 1.0 if options.plain else second)
    return value
