"""The part of an iteration that all tree searches share: walking down the tree, and backing up values.

A search is a selection and an update, with which it calls `iterate`. `next_decision` gives each decision node on the
way down in turn, for which the search selects a joint action; NONE: a leaf was reached and valued, and the search
updates the nodes of the path with `work.utility`. A leaf becomes a node in `expand`; how leaves are valued is in
`leaf_values.py`.

Source: Lanctot, Lisý, Winands 2013 (LLW13), algorithm 1; Lisý 2014, figure 3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ggp.codegen.kernels import inline_kernel
from ggp.native.calls import call_actors, call_sample_chance, call_step
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.rng_kernels import coprime_stride
from players.search.foundation.kernel_arguments import (
    DEPTH,
    ENTRY,
    EXPAND_JOINT,
    EXPAND_NONE,
    ITERATION,
    SAMPLED,
    SLOT,
    STATE,
    LeafOptions,
    Model,
    Work,
)
from players.search.foundation.leaf_values import (
    NO_PLAY,
    kind_of,
    legal_of_all,
    other_state,
    value_end,
    value_leaf,
    value_unknown,
)
from players.search.foundation.node_kinds import DECISION, TERMINAL
from players.search.simultaneous.tree import (
    END,
    LEAF,
    NO_SLOT,
    NODES,
    NONE,
    ROOT_ENTRY,
    Tree,
    action_count,
    actions_begin,
    add_chance,
    add_decision,
    block_kind,
    count_visit,
    joint_action_count,
    node_numbers,
    order_of,
    slot_of,
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


@inline_kernel
def iterate(
    model: Model,
    tree: Tree,
    work: Work,
    leaf: LeafOptions,
    options: Any,
    iterations: int,
    select: Callable[..., None],
    note: Callable[..., None],
    update: Callable[..., None],
) -> None:
    """Run iterations from the root: `work.states` holds its world state, `tree` is changed.

    Args:
        model: the game.
        tree: changed.
        work: overwritten.
        leaf: how nodes are expanded and leaves valued.
        options: of the search.
        iterations: how many.
        select: `select(tree, work, node, tried, options)` chooses a joint action at the cursor, unless `tried` is
            false: then `path_choice` holds what expansion tries.
        note: `note(work)` takes note of the utilities of an iteration.
        update: `update(tree, work, node, depth, options)` updates a node of the path; the last ones come first.
    """
    for _ in range(iterations):
        begin(tree, work)
        while True:
            node = next_decision(model, tree, work, leaf)
            if node == NONE:
                break
            tried = not choose_untried(tree, work, node, leaf)
            select(tree, work, node, tried, options)
            follow(model, tree, work, node)
        note(work)
        for depth in range(work.cursor[DEPTH] - 1, -1, -1):
            node = work.path_node[depth]
            update(tree, work, node, depth, options)
            pass_on(tree, work, node, leaf.mean)


@inline_kernel
def note_nothing(work: Work) -> None:
    """Leave the utilities of an iteration as they are."""


@inline_kernel
def begin(tree: Tree, work: Work) -> None:
    """Set the cursor to the root, for a new iteration."""
    work.cursor[ITERATION] += 1
    work.cursor[ENTRY] = tree.ints[ROOT_ENTRY]
    work.cursor[SLOT] = ROOT_ENTRY
    work.cursor[STATE] = 0
    work.cursor[DEPTH] = 0
    work.sampling[SAMPLED] = 1.0


@inline_kernel
def walk(model: Model, tree: Tree, work: Work, node: int, key: int) -> None:
    """Make the transition in `work.joint`, and move the cursor to the child.

    The entry at the cursor becomes NONE, a leaf to value, if this is the child's first iteration or the tree is full.
    """
    at = work.cursor[STATE]
    to = other_state(model, at)
    slot = slot_of(tree, node, key)
    entry = NONE if slot == NO_SLOT else tree.ints[slot]
    call_step(model.functions.step, work.states, at, work.states, to, work.joint, 0)
    if entry == NONE:
        over = kind_of(model, work.states, to) == TERMINAL
        if over:
            entry = END
        if slot != NO_SLOT:
            tree.ints[slot] = END if over else LEAF
            tree.counters[NODES] += 1
    work.cursor[ENTRY] = entry
    work.cursor[SLOT] = slot
    work.cursor[STATE] = to


@inline_kernel
def next_decision(model: Model, tree: Tree, work: Work, options: LeafOptions) -> int:
    """Return the next decision node, or value the leaf or terminal state and return NONE.

    Chance outcomes are drawn on the way. Leaves are expanded when they are reached for the second time, the root at
    once, because its strategy is needed. If the rules give no actions or outcomes, the iteration ends.
    """
    while True:
        node = work.cursor[ENTRY]
        at = work.cursor[STATE]
        if node == END:
            value_end(model, work, at)
            return NONE
        if node != NONE and work.cursor[DEPTH] == work.path_node.size:
            node = NONE
        if node == LEAF:
            node = expand(model, tree, work, work.cursor[SLOT], at)
            if node == NO_PLAY:
                value_unknown(work)
                return NONE
        if node == NONE:
            value_leaf(model, work, options, at)
            return NONE
        if block_kind(tree, node) == DECISION:
            return int(node)
        count_visit(tree, node)
        outcome = call_sample_chance(model.functions.sample_chance, work.states, at, work.rng, 0)
        if outcome < 0:
            value_unknown(work)
            return NONE
        work.joint[model.shape.players] = outcome
        walk(model, tree, work, node, outcome)


@inline_kernel
def follow(model: Model, tree: Tree, work: Work, node: int) -> None:
    """Play the joint action whose positions are in `work.path_choice` at the current depth.

    Args:
        model: the game.
        tree: changed.
        work: `path_choice[depth]` is read; `path_node` and `path_joint` are written, and the cursor moves.
        node: the decision node at the cursor.
    """
    depth = work.cursor[DEPTH]
    first = actions_begin(tree, node)
    key = 0
    for player in range(tree.players):
        choice = work.path_choice[depth, player]
        size = action_count(tree, node, player)
        key = key * size + choice
        work.joint[player] = tree.ints[first + choice]
        first += size
    count_visit(tree, node)
    work.path_node[depth] = node
    work.path_joint[depth] = key
    work.cursor[DEPTH] = depth + 1
    walk(model, tree, work, node, key)


@inline_kernel
def pass_on(tree: Tree, work: Work, node: int, mean: int) -> None:
    """With `mean`, let a node back up the mean of all values that it received.

    Source: Lisý 2014, section 3.1.2 (SM-MCTS-A). Node numbers: the sum of each player's values, then their count.

    Args:
        tree: changed if `mean` is set.
        work: `utility` is read, and overwritten if `mean` is set.
        node: the decision node.
        mean: 1 or 0.
    """
    if mean:
        sums = node_numbers(tree, node)
        sums[tree.players] += 1.0
        for player in range(tree.players):
            sums[player] += work.utility[player]
            work.utility[player] = sums[player] / sums[tree.players]
