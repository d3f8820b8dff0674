"""Strategies by information state: drawn at random, carried from one tree to another, and in a frozen tree."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64
from ggp.native.infoset_table import InfosetTable, new_infoset_table, room_for
from ggp.solvers.sequence_form.best_responses import strategies_of_plans
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from players.search.information_sets.information_search import add_node, write_tag


def random_strategies(tree: SequenceFormTree, rng: np.random.Generator) -> F64:
    """Return strategies drawn uniformly from the simplex at each information state."""
    return strategies_of_plans(tree, rng.exponential(size=tree.sequences))


def frozen_strategies(tree: SequenceFormTree, strategies: F64) -> InfosetTable:
    """Return strategies in a frozen tree."""
    count = tree.information_states
    frozen, node = new_infoset_table(room_for(count, 4 * count + tree.sequences), 1), np.zeros(2, np.int64)
    for player in range(tree.players):
        for number in tree.own_sets(player):
            place = tree.sequences_at(number)
            write_tag(tree.key[number], player, tree.action[place], node)
            add_node(frozen, node, player, strategies[place])
    return frozen


def carried_over(strategies: F64, source: SequenceFormTree, target: SequenceFormTree) -> F64:
    """Return strategies of one tree as those of another tree of the same game, by information-state keys."""
    carried = np.ones(target.sequences)
    for number, key in enumerate(target.key.tolist()):
        same = source.find(target.player_of(number), tuple(key))
        assert same is not None
        assert source.action[source.sequences_at(same)].tolist() == target.action[target.sequences_at(number)].tolist()
        carried[target.sequences_at(number)] = strategies[source.sequences_at(same)]
    return carried
