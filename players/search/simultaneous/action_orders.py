"""The order of the actions of a decision node, for code outside the kernels.

A node keeps each player's actions in ascending order, as the game lists the legal actions, or in a random order (see
`players.search.simultaneous.expansion.expand`). Everything that a search returns is in the order of the legal actions.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import I32, I64
from players.search.foundation.node_kinds import DECISION
from players.search.simultaneous.tree import FIRST_NODE, Tree, actions_begin, block_kind


def action_counts(tree: Tree, node: int) -> I32:
    """Return `[P]` the number of actions of each player at a decision node; a view."""
    end = actions_begin(tree, node)
    return tree.ints[end - tree.players : end]


def positions_of_legal(tree: Tree, node: int, player: int) -> I64:
    """Return `[k]` the position in a decision node of each legal action of a player, these in ascending order."""
    counts = action_counts(tree, node)
    begin = actions_begin(tree, node) + int(counts[:player].sum())
    return np.argsort(tree.ints[begin : begin + int(counts[player])])


def keys_in_node(tree: Tree, node: int, keys: I64) -> I64:
    """Return the numbers that joint actions have in a node.

    Args:
        tree: read.
        node: any entry; numbers are translated only at decision nodes.
        keys: numbers of joint actions over the positions of the legal actions; or chance outcomes.
    """
    if node < FIRST_NODE or block_kind(tree, node) != DECISION:
        return keys
    numbers, stride = np.zeros_like(keys), 1
    for player in range(tree.players - 1, -1, -1):
        count = int(action_counts(tree, node)[player])
        numbers += stride * positions_of_legal(tree, node, player)[keys % count]
        keys = keys // count
        stride *= count
    return numbers
