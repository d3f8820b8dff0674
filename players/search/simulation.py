"""The part of an iteration that all tree searches share: walking down the tree, adding a leaf, valuing it.

A search is a loop: `begin`, then `next_decision` gives each decision node in turn, for which the search chooses a joint
action and calls `follow`; NO_NODE from `next_decision` means that a leaf was reached and valued, and the search updates
the nodes of the path with `work.utility`.

Source: Lanctot, Lisý, Winands 2013 (LLW13), algorithm 1; Lisý 2014, figure 3.1.

Dimensions: P players, A largest number of actions of one player, W words of a world state, D longest path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.model.calls import (
    call_actors,
    call_estimate,
    call_legal,
    call_playout,
    call_sample_chance,
    call_step,
    call_utility,
)
from ggp.model.generator_native import below
from ggp.model.interface import CHANCE as CHANCE_ACTS
from ggp.model.interface import TERMINAL as NOBODY_ACTS
from ggp.model.interface import GameShape, NativeFunctions, NativeGame
from ggp.model.jit import F64, I64, U64, kernel, part
from players.search.tree import (
    CHANCE,
    DECISION,
    HEADER_HALVES,
    JOINT_ACTIONS,
    KIND,
    NO_NODE,
    NONE,
    ROOT,
    SELECTIONS,
    STATISTICS,
    TERMINAL,
    VISITS,
    Tree,
    add_child,
    add_statistics,
    child_of,
    numbers_begin,
    record,
)

NODE, STATE, DEPTH, ITERATION, CURSOR = 0, 1, 2, 3, 4
LONGEST_PATH = 1024
GOLDEN_SECTION = 0.6180339887498949
EXPAND_JOINT, EXPAND_COVER, EXPAND_NONE = 0, 1, 2


class Model(NamedTuple):
    """A game as the search kernels see it."""

    functions: NativeFunctions
    shape: GameShape
    low: F64  # [P] least utility
    scale: F64  # [P] 1 / (greatest - least utility)


class LeafOptions(NamedTuple):
    """How new leaves are expanded and valued."""

    expansion: int  # what comes before the search's own choices: EXPAND_JOINT, EXPAND_COVER or EXPAND_NONE
    estimate: int  # 1: the value is the rules' estimate, after `moves` random transitions; 0: a random playout
    moves: int
    playout_limit: int  # transitions of a playout; one that is stopped is valued by the estimate, without one at 1/2
    mean: int  # 1: nodes pass on the mean of their values (SM-MCTS-A), 0: the value of the iteration


class Work(NamedTuple):
    """The scratch memory of one searching thread."""

    states: I64  # [3 * W] the root's world state, and two that take turns on the way down
    cursor: I64  # [CURSOR] node, index of its state in `states`, decision nodes on the path; iterations so far
    path_node: I64  # [D] decision nodes on the path, root first
    path_joint: I64  # [D] the joint action chosen there
    path_choice: I64  # [D, P] the position of each player's action
    path_probability: F64  # [D, P] the probability with which it was sampled
    joint: I64  # [P + 1] actions and chance outcome, as `step` reads them
    counts: I64  # [P]
    actions: I64  # [P * A]
    strategy: F64  # [P * A]
    utility: F64  # [P] of the leaf, scaled to [0, 1]
    rng: U64  # [1]


def new_model(native: NativeGame) -> Model:
    """Return a compiled game in the form that kernels take; a player whose utility is constant has scale 0."""
    low = np.array(native.utility_low, np.float64)
    reach = np.array(native.utility_high, np.float64) - low
    scale = np.divide(1.0, reach, out=np.zeros_like(reach), where=reach > 0)
    return Model(native.functions, native.shape, low, scale)


def new_work(shape: GameShape) -> Work:
    """Return scratch memory for one thread."""
    players, actions, depth = shape.players, shape.players * shape.max_actions, LONGEST_PATH
    return Work(
        states=np.zeros(3 * shape.state_words, np.int64),
        cursor=np.zeros(CURSOR, np.int64),
        path_node=np.zeros(depth, np.int64),
        path_joint=np.zeros(depth, np.int64),
        path_choice=np.zeros((depth, players), np.int64),
        path_probability=np.zeros((depth, players), np.float64),
        joint=np.zeros(players + 1, np.int64),
        counts=np.zeros(players, np.int64),
        actions=np.zeros(actions, np.int64),
        strategy=np.zeros(actions, np.float64),
        utility=np.zeros(players, np.float64),
        rng=np.ones(1, np.uint64),
    )


@part
def kind_of(model: Model, states: I64, at: int) -> int:
    """Return the kind of node a world state makes."""
    actors = call_actors(model.functions.actors, states, at)
    if actors == NOBODY_ACTS:
        return TERMINAL
    return CHANCE if actors == CHANCE_ACTS else DECISION


@part
def scale_utility(model: Model, work: Work) -> None:
    """Bring utilities to [0, 1]."""
    for player in range(model.shape.players):
        work.utility[player] = (work.utility[player] - model.low[player]) * model.scale[player]


@kernel
def random_transition(model: Model, work: Work, at: int, to: int) -> None:
    """Write the state after a random transition; the state at `at` must not be terminal."""
    players = model.shape.players
    actors = call_actors(model.functions.actors, work.states, at)
    if actors == CHANCE_ACTS:
        work.joint[players] = call_sample_chance(model.functions.sample_chance, work.states, at, work.rng, 0)
    for player in range(players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, work.states, at, player, work.actions, 0)
            work.joint[player] = work.actions[below(work.rng, 0, count)]
    call_step(model.functions.step, work.states, at, work.states, to, work.joint, 0)


@part
def other_state(model: Model, at: int) -> int:
    """Return which of the two changing states is not at `at`."""
    return 2 * model.shape.state_words if at == model.shape.state_words else model.shape.state_words


@part
def value_leaf(model: Model, work: Work, options: LeafOptions, at: int) -> int:
    """Write to `work.utility` the scaled value of a state that is not terminal, as the options say.

    Returns:
        How many transitions that took.
    """
    functions = model.functions
    if not options.estimate:
        made = call_playout(functions.playout, work.states, at, work.rng, 0, work.utility, 0, options.playout_limit)
        if made >= 0:
            scale_utility(model, work)
            return int(made)
        made = options.playout_limit
    else:
        made = options.moves
        for step in range(options.moves):
            to = other_state(model, at)
            random_transition(model, work, at, to)
            at = to
            if kind_of(model, work.states, at) == TERMINAL:
                call_utility(functions.utility, work.states, at, work.utility, 0)
                scale_utility(model, work)
                return step + 1
    if functions.estimate:
        call_estimate(functions.estimate, work.states, at, work.utility, 0)
        scale_utility(model, work)
    else:
        work.utility[:] = 0.5
    return int(made)


@part
def expand(model: Model, tree: Tree, work: Work, node: int, at: int) -> int:
    """Give a decision node its statistics; return their block, or NONE when the tree is full."""
    actors = call_actors(model.functions.actors, work.states, at)
    total = 0
    for player in range(model.shape.players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, work.states, at, player, work.actions, total)
        else:
            count = 1
            work.actions[total] = 0
        work.counts[player] = count
        total += count
    return add_statistics(tree, node, work.counts, work.actions)


@part
def begin(tree: Tree, work: Work) -> None:
    """Set the cursor to the root, for a new iteration."""
    work.cursor[ITERATION] += 1
    work.cursor[NODE] = tree.counters[ROOT]
    work.cursor[STATE] = 0
    work.cursor[DEPTH] = 0


@part
def walk(model: Model, tree: Tree, work: Work, key: int) -> bool:
    """Make the transition in `work.joint` and move the cursor to the child, which is added where it is missing.

    Returns False when the tree is full; the cursor then has the new state, but no node.
    """
    node = work.cursor[NODE]
    at = work.cursor[STATE]
    to = other_state(model, at)
    call_step(model.functions.step, work.states, at, work.states, to, work.joint, 0)
    child = child_of(tree, node, key)
    if child == NO_NODE:
        child = add_child(tree, node, key, kind_of(model, work.states, to))
    work.cursor[NODE] = child
    work.cursor[STATE] = to
    return child != NO_NODE


@part
def next_decision(model: Model, tree: Tree, work: Work, options: LeafOptions) -> int:
    """Go on to the next decision node with statistics and return it, or value the leaf and return NO_NODE.

    Draws chance outcomes on the way. Counts a visit of every node it passes: before what happens below it.
    """
    while True:
        node = work.cursor[NODE]
        at = work.cursor[STATE]
        if node == NO_NODE:  # the tree is full: the state is a leaf outside it
            if kind_of(model, work.states, at) == TERMINAL:
                call_utility(model.functions.utility, work.states, at, work.utility, 0)
                scale_utility(model, work)
            else:
                value_leaf(model, work, options, at)
            return NO_NODE
        place = record(tree, node)
        kind = tree.halves[place + KIND]
        visits = tree.halves[place + VISITS]
        tree.halves[place + VISITS] = visits + 1
        if kind == TERMINAL:
            call_utility(model.functions.utility, work.states, at, work.utility, 0)
            scale_utility(model, work)
            return NO_NODE
        # the root is chosen at from the first iteration on: what is looked for is its strategy
        if (visits == 0 and node != tree.counters[ROOT]) or work.cursor[DEPTH] == work.path_node.size:
            value_leaf(model, work, options, at)
            return NO_NODE
        if kind == DECISION:
            if tree.halves[place + STATISTICS] == NONE and expand(model, tree, work, node, at) == NONE:
                value_leaf(model, work, options, at)
                return NO_NODE
            return int(node)
        outcome = call_sample_chance(model.functions.sample_chance, work.states, at, work.rng, 0)
        work.joint[model.shape.players] = outcome
        walk(model, tree, work, outcome)


@part
def follow(model: Model, tree: Tree, work: Work, node: int, block: int) -> None:
    """Play the joint action whose positions stand in `work.path_choice` at the current depth.

    Args:
        model: the game.
        tree: changed.
        work: `path_choice[depth]` is read; `path_node` and `path_joint` are written, the cursor moves on.
        node: the decision node at the cursor.
        block: its statistics.
    """
    depth = work.cursor[DEPTH]
    sizes = 2 * block + HEADER_HALVES
    first = sizes + tree.players
    key = 0
    for player in range(tree.players):
        choice = work.path_choice[depth, player]
        size = tree.halves[sizes + player]
        key = key * size + choice
        work.joint[player] = tree.halves[first + choice]
        first += size
    tree.halves[2 * block + SELECTIONS] += 1
    work.path_node[depth] = node
    work.path_joint[depth] = key
    work.cursor[DEPTH] = depth + 1
    walk(model, tree, work, key)


@part
def choose_untried(tree: Tree, work: Work, block: int, expansion: int) -> bool:
    """Choose the next joint action that expansion wants tried before any is preferred, if there is one.

    EXPAND_JOINT tries each of the J joint actions (LLW13, algorithm 1, lines 9 and 10), in an order that mixes rows
    and columns; EXPAND_COVER as many as the player with most actions has, which try every action of every player;
    EXPAND_NONE none (Lisý 2014, figure 3.1).

    Args:
        tree: read.
        work: `path_choice` at the current depth is written.
        block: statistics of the node at the cursor.
        expansion: EXPAND_JOINT, EXPAND_COVER or EXPAND_NONE.

    Returns:
        Whether there was one.
    """
    if expansion == EXPAND_NONE:
        return False
    depth = work.cursor[DEPTH]
    sizes = 2 * block + HEADER_HALVES
    made = tree.halves[2 * block + SELECTIONS]
    joint_actions = tree.halves[2 * block + JOINT_ACTIONS]
    if expansion == EXPAND_JOINT:
        if made >= joint_actions:
            return False
        key = (block + made * coprime_stride(joint_actions)) % joint_actions
        for player in range(tree.players - 1, -1, -1):
            work.path_choice[depth, player] = key % tree.halves[sizes + player]
            key //= tree.halves[sizes + player]
        return True
    most = 0
    for player in range(tree.players):
        most = max(most, tree.halves[sizes + player])
    if made >= most:
        return False
    for player in range(tree.players):
        size = tree.halves[sizes + player]
        work.path_choice[depth, player] = ((block >> player) + made * coprime_stride(size)) % size
    return True


@part
def coprime_stride(size: int) -> int:
    """Return a step that goes round 0..size-1 without repeating, near the golden section of `size`."""
    stride = int(size * GOLDEN_SECTION) + 1
    while True:
        a, b = size, stride
        while b:
            a, b = b, a % b
        if a == 1:
            return stride
        stride += 1


@part
def pass_on(tree: Tree, work: Work, block: int, mean: int) -> None:
    """Make what a node passes on to its parent, with `mean`, the mean of all values that came back to it.

    Source: Lisý 2014, section 3.1.2 (SM-MCTS-A). Node numbers: the sum of each player's values, then their count.

    Args:
        tree: changed where `mean` is set.
        work: `utility` is read, and overwritten where `mean` is set.
        block: statistics of the node.
        mean: 1 or 0.
    """
    if mean:
        sums = numbers_begin(tree, block)
        tree.words[sums + tree.players] += 1.0
        for player in range(tree.players):
            tree.words[sums + player] += work.utility[player]
            work.utility[player] = tree.words[sums + player] / tree.words[sums + tree.players]
