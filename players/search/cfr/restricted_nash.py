"""Restricted Nash: CFR against an opponent who plays a fixed strategy with a given probability, and else is free.

Source: SSS09 section 6; Johanson, Zinkevich, Bowling 2007, "Computing robust counter-strategies": a coin of probability
p, tossed once for the whole game and seen by the opponent alone, decides whether it is bound to the strategy of a
model. So each history of the tree stands for two, which the player cannot tell apart. Each node has two values, in two
copies: against the free opponent and against the fixed one. With p = 1 the player finds a best response to the model,
with p = 0 this is CFR.

Reach probabilities of a block, times chance's: the first player's, the second's (the free opponent among them), and
the fixed opponent's.
"""

from __future__ import annotations

from ggp.codegen.kernels import F64, inline_kernel
from players.search.cfr.counterfactual_regret import SweepOptions, chance_value, expect, match_regrets, write_reach
from players.search.cfr.partial_tree import (
    CUMULATIVE_REGRET,
    CURRENT,
    FIXED,
    NONE,
    PartialTree,
    action_numbers,
    block_kind,
    column_count,
    outcome_probabilities,
    parent_of,
    place_in_parent,
    reach_probabilities,
    row_count,
)
from players.search.foundation.node_kinds import CHANCE

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
