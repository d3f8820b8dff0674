"""CFR: counterfactual regret minimisation over a whole partial tree, all players and nodes in each sweep.

Each sweep is an iteration (figure 3), and can be interrupted at any node.

Source: SSS09 section 4, figures 3 to 6; convergence: Zinkevich, Johanson, Bowling, Piccione 2007. Two players, constant
sum. Figure 3 makes three passes; here they are two: reach probabilities from the root down (figure 5), then values
from the leaves up (figure 4), where each node's regrets and strategies are updated once its value is known (figure 6;
nothing above it reads the changed values).

The reaching probability of figure 5 is that of the others, chance among them, who "played based on their probability
settings". Kept here is each player's own, times chance's: the other's counterfactual weight. Figure 6, line 16 adds
strategies to their sum unweighted; the average that converges weighs each by the player's own probability of reaching
the node (Zinkevich et al., eq. 4). `average=plain` is the figure, `average=reach` the proof, and the default.

Restricted Nash is CFR against an opponent who plays a fixed strategy with a given probability, and else is free.

Source: SSS09 section 6; Johanson, Zinkevich, Bowling 2007, "Computing robust counter-strategies": a coin of probability
p, tossed once for the whole game and seen by the opponent alone, decides whether it is bound to the strategy of a
model. So each history of the tree stands for two, which the player cannot tell apart. Each node has two values, in two
copies: against the free opponent and against the fixed one. With p = 1 the player finds a best response to the model,
with p = 0 this is CFR. Reach probabilities of its blocks, times chance's: the
first player's, the second's (the free opponent among them), and the fixed opponent's.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.codegen.kernels import F64, inline_kernel, kernel
from players.search.cfr.frontier import CELLS_A_UNIT, Progress
from players.search.cfr.partial_tree import (
    CUMULATIVE_REGRET,
    CURRENT,
    FIRST,
    FIXED,
    LAST,
    NONE,
    STRATEGY_SUM,
    WORDS,
    PartialTree,
    action_numbers,
    block_kind,
    block_length,
    child_values,
    children,
    column_count,
    outcome_probabilities,
    parent_of,
    place_in_parent,
    previous_block,
    reach_probabilities,
    row_count,
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


FREE_COPY, FIXED_COPY = 0, 1
FIXED_REACH = 2


@inline_kernel
def write_restricted_reach(tree: PartialTree, block: int, options: SweepOptions) -> None:
    """Write the three reach probabilities of a node from those of its parent; see `write_reach`."""
    write_reach(tree, block)
    parent, place = parent_of(tree, block), place_in_parent(tree, block)
    if parent == NONE:
        return
    if block_kind(tree, parent) == CHANCE:
        share = outcome_probabilities(tree, parent)[place]
    else:
        columns = column_count(tree, parent)
        action = place // columns if options.role == 1 else place % columns
        share = action_numbers(tree, parent, FIXED, 1 - options.role)[action]
    own = reach_probabilities(tree, block)
    own[FIXED_REACH] = reach_probabilities(tree, parent)[FIXED_REACH] * share


@inline_kernel
def update_restricted(tree: PartialTree, block: int, options: SweepOptions, expected: F64, value_out: F64) -> None:
    """Update a node whose children's values are those of this sweep.

    Our regrets weigh the utility against the fixed opponent with p and its reach probability, the utility against the
    free one with 1 - p and its own; the free opponent's regrets are those of CFR.

    Args:
        tree: changed.
        block: a node, with the reach probabilities of this sweep.
        options: `role` is ours, `confidence` is p; and `plain` and `kept`.
        expected: `[2 (R + C)]` at least, overwritten.
        value_out: `[2]` overwritten: the values of the node against the free and the fixed opponent.
    """
    if block_kind(tree, block) == CHANCE:
        value_out[FREE_COPY] = chance_value(tree, block, FREE_COPY)
        value_out[FIXED_COPY] = chance_value(tree, block, FIXED_COPY)
        return
    ours, opponent = options.role, 1 - options.role
    rows, columns = row_count(tree, block), column_count(tree, block)
    against_fixed = expected[rows + columns :]
    if ours == 0:
        fixed_value = expect(tree, block, FIXED_COPY, FIXED, CURRENT, against_fixed)
    else:
        fixed_value = expect(tree, block, FIXED_COPY, CURRENT, FIXED, against_fixed)
    free_value = expect(tree, block, FREE_COPY, CURRENT, CURRENT, expected)
    reach = reach_probabilities(tree, block)
    free_weight = (1.0 - options.confidence) * reach[opponent]
    fixed_weight = options.confidence * reach[FIXED_REACH]
    sign, kept = (1.0 if ours == 0 else -1.0), options.kept
    our_begin, their_begin = (0, rows) if ours == 0 else (rows, 0)
    regrets = action_numbers(tree, block, CUMULATIVE_REGRET, ours)
    for action in range(regrets.size):
        free_gain = expected[our_begin + action] - free_value
        fixed_gain = against_fixed[our_begin + action] - fixed_value
        gain = sign * (free_weight * free_gain + fixed_weight * fixed_gain)
        regrets[action] = kept * regrets[action] + gain
    regrets = action_numbers(tree, block, CUMULATIVE_REGRET, opponent)
    for action in range(regrets.size):
        gain = sign * (free_value - expected[their_begin + action])
        regrets[action] = kept * regrets[action] + reach[ours] * gain
    for player in range(2):
        match_regrets(tree, block, player, kept, 1.0 if options.plain else reach[player])
    value_out[FREE_COPY], value_out[FIXED_COPY] = free_value, fixed_value


DOWN, UP = 0, 1
BLOCKS_A_UNIT = 4
"""Number of blocks that the pass down the tree handles in the time of a unit."""


@kernel
def sweep(tree: PartialTree, progress: Progress, options: SweepOptions, until: int, units: int) -> int:
    """Sweep until `until` sweeps have been made in all, or the units are used up.

    Args:
        tree: changed; not empty, and every leaf has a value. With two copies, it is a restricted Nash search.
        progress: where to continue; its `sweeps` counts them.
        options: for `update`.
        until: the number of sweeps to stop at.
        units: of work, as in `grow`.

    Returns:
        The units that are left; 0 or less if they were used up first.
    """
    while units > 0 and progress.sweeps[0] < until:
        block = progress.sweep_block[0]
        if progress.sweep_stage[0] == DOWN:
            passed = 0
            while block != tree.counters[WORDS] and passed < BLOCKS_A_UNIT:
                if tree.copies == 1:
                    write_reach(tree, block)
                else:
                    write_restricted_reach(tree, block, options)
                block += block_length(tree, block)
                passed += 1
            units -= 1
            if block == tree.counters[WORDS]:
                progress.sweep_stage[0] = UP
                block = tree.counters[LAST]
        else:
            units -= 1 + children(tree, block) * tree.copies // CELLS_A_UNIT
            pass_up(tree, progress, options, block)
            block = previous_block(tree, block)
            if block == NONE:
                progress.sweeps[0] += 1
                progress.sweep_stage[0] = DOWN
                block = FIRST
        progress.sweep_block[0] = block
    return units


@inline_kernel
def pass_up(tree: PartialTree, progress: Progress, options: SweepOptions, block: int) -> None:
    """Update a node, and write its values to its parent."""
    parent, place = parent_of(tree, block), place_in_parent(tree, block)
    values = progress.node_value
    if tree.copies == 1:
        values[0] = update(tree, block, options, progress.expected)
    else:
        update_restricted(tree, block, options, progress.expected, values)
    if parent != NONE:
        for copy in range(tree.copies):
            seen = child_values(tree, parent, copy)
            seen[place] = values[copy]
