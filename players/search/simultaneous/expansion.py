"""Expansion: how a leaf becomes a node, and what a new node tries before the search selects actions."""

from __future__ import annotations

from ggp.codegen.kernels import inline_kernel
from ggp.native.calls import call_actors
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.rng_kernels import coprime_stride
from players.search.foundation.kernel_arguments import (
    DEPTH,
    EXPAND_JOINT,
    EXPAND_NONE,
    LeafOptions,
    Model,
    Work,
)
from players.search.foundation.leaf_values import NO_PLAY, legal_of_all
from players.search.simultaneous.tree import (
    Tree,
    action_count,
    add_chance,
    add_decision,
    joint_action_count,
    order_of,
    visit_count,
)


@inline_kernel
def expand(model: Model, tree: Tree, work: Work, slot: int, at: int) -> int:
    """Make a leaf a node, and write it at `slot`.

    A node keeps the actions of each player in ascending order.

    Returns:
        The node; NONE if the tree is full, NO_PLAY if the rules give no actions. Then nothing is changed.
    """
    actors = call_actors(model.functions.actors, work.states, at)
    if actors == CHANCE_ACTS:
        return add_chance(tree, slot)
    if legal_of_all(model, work, work.states, at, actors) == NO_PLAY:
        return NO_PLAY
    return add_decision(tree, slot, work.counts, work.actions)


@inline_kernel
def choose_untried(tree: Tree, work: Work, node: int, options: LeafOptions) -> bool:
    """Choose the next joint action that expansion tries before the search selects any, if there is one.

    EXPAND_JOINT tries each of the J joint actions (LLW13, algorithm 1, lines 9 and 10), in an order that mixes rows
    and columns. EXPAND_COVER tries just enough of them to contain every action of every player. EXPAND_NONE tries none
    (Lisý 2014, figure 3.1).

    Args:
        tree: read.
        work: `path_choice` at the current depth is written if there is one.
        node: the decision node at the cursor.
        options: of the expansion.

    Returns:
        Whether there was one.
    """
    if options.expansion == EXPAND_NONE:
        return False
    depth = work.cursor[DEPTH]
    made = visit_count(tree, node)
    order = order_of(tree, node)
    joint_actions = joint_action_count(tree, node)
    if options.expansion == EXPAND_JOINT:
        if made >= joint_actions:
            return False
        key = (order + made * coprime_stride(joint_actions)) % joint_actions
        for player in range(tree.players - 1, -1, -1):
            actions = action_count(tree, node, player)
            work.path_choice[depth, player] = key % actions
            key //= actions
        return True
    most = 0
    for player in range(tree.players):
        most = max(most, action_count(tree, node, player))
    if made >= most:
        return False
    for player in range(tree.players):
        size = action_count(tree, node, player)
        work.path_choice[depth, player] = ((order >> player) + made * coprime_stride(size)) % size
    return True
