"""How a subgame grows: one-sided growing-tree CFR, in which a walk expands one leaf and values all its children.

On a walk one player explores: half of its actions are drawn from its current strategy, the others are those of the
greatest upper bound (PUCT with an even prior). The other player and chance keep to their strategies, so no walk leaves
the support of what the other one would play. Players explore by turns.

Source: Zhang, Sandholm (arXiv 2506.01242), section 4; Schmid et al. 2023 (GT-CFR).
"""

from __future__ import annotations

import math

from ggp.codegen.kernels import I64_2D, U64_2D, inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_sample_chance, call_step
from ggp.native.information_states import KEY_WORDS, extend_keys_by_transition
from ggp.native.infoset_table import (
    ACTIONS,
    EPOCH,
    NOW,
    InfosetTable,
    action_numbers,
    add,
    find,
    state_tag,
)
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.rng_kernels import drawn_by, uniform
from players.search.foundation.kernel_arguments import LeafOptions, Model
from players.search.foundation.leaf_values import NO_PLAY, NOTHING_KNOWN, legal_of_all
from players.search.obscuro.new_nodes import MOST_OUTCOMES, Growth, WalkOptions, finish_block, value_node
from players.search.obscuro.subgame import (
    CHANCE,
    CHILDREN,
    COLUMNS,
    CURRENT,
    DECISION,
    DECISIONS,
    KIND,
    LINKS,
    MEAN,
    NONE,
    STATE_OF,
    TERMINAL,
    TRIED,
    UNEXPANDED,
    Subgame,
    add_nodes,
    bring_infoset,
    children_of,
    columns_of,
    first_child,
    infoset_of,
    kind_of,
)

MOST_STEPS = 64
"""Chance events and forced moves that one walk expands behind a leaf."""
BOTH_ACT = 3
"""The mask of players at a decision of simultaneous moves."""
EXPLORED_SHARE = 0.5
"""Share of the explorer's actions that are those of the greatest upper bound."""


@inline_kernel
def enter_infoset(game: Subgame, table: InfosetTable, work: Growth, node: int, player: int, begin: int) -> bool:
    """Find or make the information state of a player who acts at a node; False if there is no room.

    Args:
        game: the subgame.
        table: of information states.
        work: `base.actions` has the legal actions from `begin` on, `base.counts` their number.
        node: where the player acts.
        player: who.
        begin: see `work`.
    """
    at, count = 2 * KEY_WORDS * node + KEY_WORDS * player, work.base.counts[player]
    tag = state_tag(game.keys, at, player, work.base.actions, begin, count)
    infoset = find(table, game.keys[at], tag)
    if infoset == 0:
        infoset = add(table, game.keys[at], tag, player, count)
        if infoset == 0:
            return False
        current = action_numbers(table, infoset, CURRENT, count)
        means = action_numbers(table, infoset, MEAN, count)
        for action in range(count):
            current[action] = 1.0 / count
            means[action] = NOTHING_KNOWN
        table.ints[2 * infoset + EPOCH] = table.counters[NOW] - 1
    bring_infoset(game, table, infoset)
    game.links[LINKS * node + STATE_OF + player] = infoset
    return True


@inline_kernel
def make_child(model: Model, game: Subgame, work: Growth, node: int, child: int, actors: int) -> bool:
    """Write the state and the keys of a child, after the transition in `base.joint`; False after a fault."""
    words, keys = model.shape.state_words, 2 * KEY_WORDS
    call_step(model.functions.step, game.states, node * words, game.states, child * words, work.base.joint, 0)
    for word in range(keys):
        work.keys[word] = game.keys[keys * node + word]
    fault = extend_keys_by_transition(
        model.functions.observe,
        2,
        actors,
        game.states,
        node * words,
        game.states,
        child * words,
        work.base.joint,
        work.observation,
        work.keys,
    )
    for word in range(keys):
        game.keys[keys * child + word] = work.keys[word]
    return fault == 0


@inline_kernel
def expand_chance(
    model: Model, game: Subgame, work: Growth, leaf: LeafOptions, options: WalkOptions, node: int
) -> bool:
    """Give a node at which chance acts its children; False if there is no room, or the rules give no outcomes."""
    words, base = model.shape.state_words, work.base
    count = call_chance(model.functions.chance, game.states, node * words, work.outcomes, 0, work.chances, 0)
    if count < 1:
        return False
    if count > MOST_OUTCOMES:
        count = MOST_OUTCOMES
        for place in range(count):
            work.outcomes[place] = call_sample_chance(
                model.functions.sample_chance, game.states, node * words, base.rng, 0
            )
            work.chances[place] = 1.0 / count
    first = add_nodes(game, node, count)
    if first == NONE:
        return False
    at = LINKS * node
    game.links[at + COLUMNS] = 1
    game.links[at + CHILDREN] = count
    game.links[at + KIND] = CHANCE
    base.joint[0] = base.joint[1] = 0
    for place in range(count):
        base.joint[2] = work.outcomes[place]
        game.chance[first + place] = work.chances[place]
        make_child(model, game, work, node, first + place, 0)
    finish_block(model, game, work, leaf, options, node, first, NONE)
    return True


@inline_kernel
def expand_decision(
    model: Model,
    game: Subgame,
    table: InfosetTable,
    work: Growth,
    leaf: LeafOptions,
    options: WalkOptions,
    node: int,
    actors: int,
) -> bool:
    """Give a decision its children, one a joint action; False if there is no room, or the rules give no actions."""
    words, base = model.shape.state_words, work.base
    if legal_of_all(model, base, game.states, node * words, actors) == NO_PLAY:
        return False
    rows, columns = base.counts[0], base.counts[1]
    count = rows * columns
    if game.listed[0] + 2 > game.live.size or game.expansions[0] >= game.expanded.size:
        game.full[0] = 1
        return False
    for player in range(2):
        if actors >> player & 1 and not enter_infoset(game, table, work, node, player, rows * player):
            game.full[0] = 1
            return False
    first = add_nodes(game, node, count)
    if first == NONE:
        return False
    at = LINKS * node
    game.links[at + COLUMNS] = columns
    game.links[at + CHILDREN] = count
    game.links[at + KIND] = DECISION
    for place in range(count):
        base.joint[0] = base.actions[place // columns]
        base.joint[1] = base.actions[rows + place % columns]
        make_child(model, game, work, node, first + place, actors)
    finish_block(model, game, work, leaf, options, node, first, actors - 1 if actors < BOTH_ACT else NONE)
    return True


@inline_kernel
def explored_action(table: InfosetTable, infoset: int, options: WalkOptions) -> int:
    """Return the position of an action with the greatest upper bound."""
    count = table.ints[2 * infoset + ACTIONS]
    means, tried = action_numbers(table, infoset, MEAN, count), action_numbers(table, infoset, TRIED, count)
    total = 1.0
    for action in range(count):
        total += tried[action]
    explored = options.c * math.sqrt(total) / count
    best, chosen = -math.inf, 0
    for action in range(count):
        bound = means[action] + explored / (1.0 + tried[action])
        if bound > best:
            best, chosen = bound, action
    return chosen


@inline_kernel
def drawn_action(table: InfosetTable, work: Growth, infoset: int) -> int:
    """Draw an action from the current strategy."""
    current = action_numbers(table, infoset, CURRENT, table.ints[2 * infoset + ACTIONS])
    return drawn_by(work.base.rng, current)


@inline_kernel
def chosen_place(
    game: Subgame, table: InfosetTable, work: Growth, options: WalkOptions, node: int, explorer: int
) -> int:
    """Return the place of the child to which a walk goes on."""
    if kind_of(game, node) == CHANCE:
        first = first_child(game, node)
        return drawn_by(work.base.rng, game.chance[first : first + children_of(game, node)])
    place = 0
    for player in range(2):
        action = 0
        infoset = infoset_of(game, node, player)
        if infoset > 0:
            if player == explorer and uniform(work.base.rng, 0) < EXPLORED_SHARE:
                action = explored_action(table, infoset, options)
            else:
                action = drawn_action(table, work, infoset)
            if player == explorer:
                tried = action_numbers(table, infoset, TRIED, table.ints[2 * infoset + ACTIONS])
                tried[action] += 1.0
        place = place * columns_of(game, node) + action if player else action
    return place


@inline_kernel
def walk(
    model: Model,
    game: Subgame,
    table: InfosetTable,
    work: Growth,
    leaf: LeafOptions,
    options: WalkOptions,
    root: int,
    explorer: int,
) -> None:
    """Go down from a root to a leaf and expand it; go on through chance and forced moves to the next decision."""
    node, steps = root, 0
    while steps < MOST_STEPS and kind_of(game, node) != TERMINAL:
        if kind_of(game, node) == UNEXPANDED:
            if game.full[0]:
                return
            actors = call_actors(model.functions.actors, game.states, node * model.shape.state_words)
            if actors == CHANCE_ACTS:
                if not expand_chance(model, game, work, leaf, options, node):
                    return
            elif not expand_decision(model, game, table, work, leaf, options, node, actors):
                return
            if kind_of(game, node) == DECISION and children_of(game, node) > 1:
                return
            steps += 1
        node = first_child(game, node) + chosen_place(game, table, work, options, node, explorer)


@kernel
def plant(
    model: Model,
    game: Subgame,
    work: Growth,
    leaf: LeafOptions,
    options: WalkOptions,
    states: I64_2D,
    keys: U64_2D,
    played: int,
) -> int:
    """Add positions as roots, and value them.

    Args:
        model: the game.
        game: changed.
        work: scratch memory.
        leaf: how they are valued.
        options: the same.
        states: `[R, W]` world states.
        keys: `[R, 4]` both players' keys.
        played: how often the searching player has acted.

    Returns:
        The first of the new nodes, NONE if there is no room.
    """
    first = add_nodes(game, NONE, states.shape[0])
    if first == NONE:
        return first
    for root in range(states.shape[0]):
        node = first + root
        for word in range(states.shape[1]):
            game.states[node * states.shape[1] + word] = states[root, word]
        for word in range(keys.shape[1]):
            game.keys[node * keys.shape[1] + word] = keys[root, word]
        for player in range(2):
            game.links[LINKS * node + DECISIONS + player] = played
        value_node(model, game, work, leaf, options, node)
    return first
