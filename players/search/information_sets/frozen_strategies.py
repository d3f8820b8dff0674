"""Strategies of all players that no longer change, found by information state in a tree of probabilities.

They come from a search; without a node a player plays uniformly. Action numbers of the tree: the probability.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, kernel
from ggp.native.infoset_table import (
    FIRST_NODE,
    NODES,
    WORDS,
    InfosetTable,
    action_count,
    action_numbers,
    add,
    block_words,
    new_infoset_table,
    player_at,
    room_for,
    state_tag,
)
from players.search.information_sets.information_search import InformationSearch


@kernel
def add_node(frozen: InfosetTable, node: I64, player: int, probability: F64) -> None:
    """Add a node to a frozen tree, which has room for it.

    Args:
        frozen: changed.
        node: `[2]` the two words of its key, the second with the tag of `state_tag`.
        player: who acts there.
        probability: of each of its actions.
    """
    added = add(frozen, np.uint64(node[0]), np.uint64(node[1]), player, probability.size)
    action_numbers(frozen, added, 0, probability.size)[:] = probability


@kernel
def write_tag(keys: U64, player: int, actions: I64, node: I64) -> None:
    """Write the words by which trees know a player's information state with the key `keys[:2]` to `node[:2]`."""
    node[0] = np.int64(keys[0])
    node[1] = np.int64(state_tag(keys, 0, player, actions, 0, actions.size))


def frozen_search(search: InformationSearch) -> InfosetTable:
    """Return the final strategies of a search."""
    tree, node = search.tree, FIRST_NODE
    frozen = new_infoset_table(room_for(int(tree.counters[NODES]), int(tree.counters[WORDS])), 1)
    while node < tree.counters[WORDS]:
        actions, player = action_count(tree, node), player_at(tree, node)
        add_node(frozen, tree.longs[node : node + 2], player, search.strategy_at(node, actions))
        node += block_words(tree, actions)
    return frozen
