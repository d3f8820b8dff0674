"""RM: regret matching, coupled over joint actions; two players, constant sum.

Source: LLW13 section 3.3, eq. 5 and the updates below it; Lisý 2014 eq. 3.8, 3.10 and 3.11. Lisý's eq. 3.8 reads without
the factor 1 - gamma, and would sum to 1 + gamma; LLW13's form is used.

A joint action that has never been tried has no mean to be regretted: its regret is left as it is. LLW13 does not say
what its `reward` is; with EXPAND_JOINT it matters only until each was tried once.

Action numbers: field 0 cumulative regret, field 1 sum of strategies. Joint numbers: the mean scaled utility of player 0.
Joint counts: how often the joint action was chosen. Player 1's utility is 1 minus player 0's.
"""

from __future__ import annotations

from typing import NamedTuple

from ggp.model.generator_native import below, uniform
from ggp.model.jit import F64, kernel
from players.search.simulation import (
    LeafOptions,
    Model,
    Work,
    begin,
    choose_untried,
    follow,
    next_decision,
)
from players.search.tree import (
    ACTIONS,
    HEADER_HALVES,
    JOINT_ACTIONS,
    NO_NODE,
    NONE,
    SELECTIONS,
    STATISTICS,
    Tree,
    action_begin,
    counts_begin,
    joint_begin,
    record,
)

ACTION_NUMBERS, JOINT_NUMBERS, JOINT_COUNTS = 2, 1, 1


class Options(NamedTuple):
    """What the kernel needs of the settings."""

    gamma: float  # share of uniform exploration


@kernel
def positive_sum(numbers: F64, first: int, size: int) -> float:
    """Return the sum of the positive ones among `size` numbers."""
    total = 0.0
    for index in range(first, first + size):
        total += max(numbers[index], 0.0)
    return total


@kernel
def sample_positive(numbers: F64, first: int, size: int, total: float, work: Work) -> int:
    """Draw a position in proportion to the positive ones of `size` numbers, whose sum is `total`; 0 means uniformly."""
    if total <= 0.0:
        return below(work.rng, 0, size)
    left = uniform(work.rng, 0) * total
    last = 0
    for index in range(size):
        weight = numbers[first + index]
        if weight > 0.0:
            last = index
            left -= weight
            if left < 0.0:
                break
    return last


@kernel
def select(tree: Tree, work: Work, block: int, tried: bool, options: Options) -> None:
    """Add each player's strategy of eq. 5 to its sum, and sample its action from it with exploration gamma.

    Args:
        tree: the sums of strategies are changed.
        work: `path_choice` at the current depth is written, unless `tried` is false: then it holds the choice already.
        block: statistics of the node at the cursor.
        tried: whether expansion is over, so that the choice is this function's.
        options: gamma.
    """
    depth = work.cursor[2]
    sizes = 2 * block + HEADER_HALVES
    regrets = action_begin(tree, block)
    to_sum = tree.halves[2 * block + ACTIONS]
    for player in range(2):
        size = tree.halves[sizes + player]
        if size == 1:
            work.path_choice[depth, player] = 0
        else:
            total = positive_sum(tree.words, regrets, size)
            sums = regrets + to_sum
            if total > 0.0:
                share = 1.0 / total
                for action in range(size):
                    tree.words[sums + action] += max(tree.words[regrets + action], 0.0) * share
            else:
                share = 1.0 / size
                for action in range(size):
                    tree.words[sums + action] += share
            if tried:
                if uniform(work.rng, 0) < options.gamma:
                    choice = below(work.rng, 0, size)
                else:
                    choice = sample_positive(tree.words, regrets, size, total, work)
                work.path_choice[depth, player] = choice
        regrets += size


@kernel
def update(tree: Tree, work: Work, depth: int, utility: float) -> None:
    """Update means and regrets (LLW13 section 3.3) of the decision node at a depth of the path.

    Args:
        tree: changed.
        work: the path.
        depth: which node of the path.
        utility: player 0's scaled utility of the iteration.
    """
    block = tree.halves[record(tree, work.path_node[depth]) + STATISTICS]
    rows = tree.halves[2 * block + HEADER_HALVES]
    columns = tree.halves[2 * block + HEADER_HALVES + 1]
    row, column = work.path_choice[depth, 0], work.path_choice[depth, 1]
    means = joint_begin(tree, block)
    counts = counts_begin(tree, block)
    row_regrets = action_begin(tree, block)
    column_regrets = row_regrets + rows
    begin_row = row * columns
    chosen = begin_row + column
    # the chosen joint action itself has reward = utility, so regret 0; setting its mean below comes after
    if tree.halves[2 * block + SELECTIONS] >= tree.halves[2 * block + JOINT_ACTIONS]:
        before = tree.words[means + chosen]
        tree.words[means + chosen] = utility
        for action in range(rows):
            tree.words[row_regrets + action] += tree.words[means + action * columns + column] - utility
        for action in range(columns):
            tree.words[column_regrets + action] += utility - tree.words[means + begin_row + action]
        tree.words[means + chosen] = before
    else:
        for action in range(rows):
            joint = action * columns + column
            if tree.halves[counts + joint] and action != row:
                tree.words[row_regrets + action] += tree.words[means + joint] - utility
        for action in range(columns):
            joint = begin_row + action
            if tree.halves[counts + joint] and action != column:
                tree.words[column_regrets + action] += utility - tree.words[means + joint]
    count = tree.halves[counts + chosen] + 1
    tree.halves[counts + chosen] = count
    tree.words[means + chosen] += (utility - tree.words[means + chosen]) / count


@kernel
def search(model: Model, tree: Tree, work: Work, leaf: LeafOptions, options: Options, iterations: int) -> None:
    """Run iterations from the root: `work.states` holds its world state, `tree` is changed."""
    for _ in range(iterations):
        begin(tree, work)
        while True:
            node = next_decision(model, tree, work, leaf)
            if node == NO_NODE:
                break
            block = tree.halves[record(tree, node) + STATISTICS]
            tried = not choose_untried(tree, work, block, leaf.expansion)
            select(tree, work, block, tried, options)
            follow(model, tree, work, node, block)
        for depth in range(work.cursor[2] - 1, -1, -1):
            update(tree, work, depth, work.utility[0])


@kernel
def strategy(tree: Tree, node: int, player: int, _options: Options, out: F64) -> None:
    """Write a player's average strategy at a decision node.

    Args:
        tree: read.
        node: a decision node; without statistics it gives the uniform strategy.
        player: whose strategy.
        out: `[k]` for the player's k actions, overwritten; sums to 1.
    """
    block = tree.halves[record(tree, node) + STATISTICS]
    out[:] = 1.0 / out.size
    if block == NONE or out.size == 1:
        return
    sums = action_begin(tree, block) + tree.halves[2 * block + ACTIONS]
    if player == 1:
        sums += tree.halves[2 * block + HEADER_HALVES]
    total = 0.0
    for action in range(out.size):
        total += tree.words[sums + action]
    if total > 0.0:
        for action in range(out.size):
            out[action] = tree.words[sums + action] / total
