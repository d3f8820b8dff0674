"""The part of an iteration that all tree searches share: walking down the tree, adding a leaf, valuing it.

A search is a loop: `begin`, then `next_decision` gives each decision node in turn, for which the search chooses a joint
action and calls `follow`; NONE from `next_decision` means that a leaf was reached and valued, and the search updates
the nodes of the path with `work.utility`.

Source: Lanctot, Lisý, Winands 2013 (LLW13), algorithm 1; Lisý 2014, figure 3.1.

Dimensions: P players, A largest number of actions of one player, W words of a world state, D longest path.
"""

from __future__ import annotations

import math
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
from players.search.prefetch import prefetch
from players.search.tree import CHANCE as CHANCE_NODE
from players.search.tree import (
    DECISION,
    END,
    HEADER_HALVES,
    JOINT_ACTIONS,
    KIND,
    LEAF,
    NO_SLOT,
    NODES,
    NONE,
    ORDER,
    ROOT_ENTRY,
    TERMINAL,
    VISITS,
    Tree,
    add_chance,
    add_decision,
    numbers_begin,
    slot_of,
)

ENTRY, SLOT, STATE, DEPTH, ITERATION, CURSOR = 0, 1, 2, 3, 4, 5
LONGEST_PATH = 1024
LINES_AHEAD = 5
"""Cache lines of a node that are asked for while the game makes its step: whole nodes of small games."""
GOLDEN_SECTION = 0.6180339887498949
EXPAND_JOINT, EXPAND_COVER, EXPAND_NONE, EXPAND_WIDEN = 0, 1, 2, 3
ALL_ACTIONS = 2**31 - 1
"""In `path_limit`: nothing is left out."""


class Model(NamedTuple):
    """A game as the search kernels see it."""

    functions: NativeFunctions
    shape: GameShape
    low: F64  # [P] least utility
    scale: F64  # [P] 1 / (greatest - least utility)


class LeafOptions(NamedTuple):
    """How new leaves are expanded and valued."""

    expansion: int  # what comes before the search's own choices: one of EXPAND_...
    widen_c: float  # C and alpha of progressive widening, see `widened`; read with EXPAND_WIDEN only
    widen_alpha: float
    estimate: int  # 1: the value is the rules' estimate, after `moves` random transitions; 0: a random playout
    moves: int
    playout_limit: int  # transitions of a playout; one that is stopped is valued by the estimate, without one at 1/2
    mean: int  # 1: nodes pass on the mean of their values (SM-MCTS-A), 0: the value of the iteration


class Work(NamedTuple):
    """The scratch memory of one searching thread."""

    states: I64  # [3 * W] the root's world state, and two that take turns on the way down
    cursor: I64  # [CURSOR] entry in the tree, where it stands, index of its state in `states`, decision nodes on the
    #     path; iterations so far
    path_node: I64  # [D] decision nodes on the path, root first
    path_joint: I64  # [D] the joint action chosen there
    path_choice: I64  # [D, P] the position of each player's action
    path_probability: F64  # [D, P] the probability with which it was sampled
    path_limit: I64  # [D] of each player only so many actions are considered; ALL_ACTIONS but with EXPAND_WIDEN
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
        path_limit=np.full(depth, ALL_ACTIONS, np.int64),
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
    return CHANCE_NODE if actors == CHANCE_ACTS else DECISION


@part
def scale_utility(model: Model, work: Work) -> None:
    """Bring utilities to [0, 1]."""
    for player in range(model.shape.players):
        work.utility[player] = (work.utility[player] - model.low[player]) * model.scale[player]


@part
def value_end(model: Model, work: Work, at: int) -> None:
    """Write the scaled utilities of a terminal state; a fault of the rules, which ends play, is no player's gain."""
    if call_utility(model.functions.utility, work.states, at, work.utility, 0) < 0:
        work.utility[:] = 0.5
    else:
        scale_utility(model, work)


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
                value_end(model, work, at)
                return step + 1
    if functions.estimate and call_estimate(functions.estimate, work.states, at, work.utility, 0) >= 0:
        scale_utility(model, work)
        for player in range(model.shape.players):  # an estimate is a guess: it may lie beyond every utility
            work.utility[player] = min(max(work.utility[player], 0.0), 1.0)
    else:
        work.utility[:] = 0.5
    return int(made)


@part
def widened(options: LeafOptions, visits: int) -> int:
    """Return how many actions of each player progressive widening considers at a node: k = ceil(C v^alpha).

    The formula is that of Lanctot et al. 2013 (Monte Carlo *-minimax search), section 2.2, for nodes where one player
    acts. Here each player's own actions are widened, so that what is considered is a matrix: a smaller game of the same
    kind, which every selection rule can be used on. Leaving out joint actions would tie the players' choices together.

    Args:
        options: C and alpha.
        visits: v, iterations that went on below the node, the present one included.
    """
    return int(min(math.ceil(options.widen_c * visits**options.widen_alpha), ALL_ACTIONS))


@part
def shuffle(work: Work, first: int, count: int) -> None:
    """Put `count` actions from `first` on in a random order."""
    for left in range(count, 1, -1):
        at, other = first + left - 1, first + below(work.rng, 0, left)
        action = work.actions[at]
        work.actions[at] = work.actions[other]
        work.actions[other] = action


@part
def expand(model: Model, tree: Tree, work: Work, options: LeafOptions, slot: int, at: int) -> int:
    """Make a leaf a node, and write it at `slot`; return it, or NONE when the tree is full.

    A node keeps the actions of each player in ascending order; with EXPAND_WIDEN, where not all of them are considered
    from the first visit on, in a random one, for the order of the rules would have the same actions come last always.
    """
    actors = call_actors(model.functions.actors, work.states, at)
    if actors == CHANCE_ACTS:
        return add_chance(tree, slot)
    total = 0
    for player in range(model.shape.players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, work.states, at, player, work.actions, total)
            if options.expansion == EXPAND_WIDEN and count > widened(options, 1):
                shuffle(work, total, count)
        else:
            count = 1
            work.actions[total] = 0
        work.counts[player] = count
        total += count
    return add_decision(tree, slot, work.counts, work.actions)


@part
def begin(tree: Tree, work: Work) -> None:
    """Set the cursor to the root, for a new iteration."""
    work.cursor[ITERATION] += 1
    work.cursor[ENTRY] = tree.halves[ROOT_ENTRY]
    work.cursor[SLOT] = ROOT_ENTRY
    work.cursor[STATE] = 0
    work.cursor[DEPTH] = 0


@part
def walk(model: Model, tree: Tree, work: Work, node: int, key: int) -> None:
    """Make the transition in `work.joint` and move the cursor to where it leads.

    The entry at the cursor becomes NONE where the iteration is the first to come, or the tree is full: a leaf to value.
    """
    at = work.cursor[STATE]
    to = other_state(model, at)
    slot = slot_of(tree, node, key)
    entry = NONE if slot == NO_SLOT else tree.halves[slot]
    prefetch(tree.words, entry, LINES_AHEAD)
    call_step(model.functions.step, work.states, at, work.states, to, work.joint, 0)
    if entry == NONE:
        over = kind_of(model, work.states, to) == TERMINAL
        if over:
            entry = END
        if slot != NO_SLOT:
            tree.halves[slot] = END if over else LEAF
            tree.counters[NODES] += 1
    work.cursor[ENTRY] = entry
    work.cursor[SLOT] = slot
    work.cursor[STATE] = to


@part
def next_decision(model: Model, tree: Tree, work: Work, options: LeafOptions) -> int:
    """Go on to the next decision node and return it, or value the leaf or end of the game and return NONE.

    Draws chance outcomes on the way. Leaves are expanded when they are reached for the second time; the root at once,
    because its strategy is what is looked for.
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
            node = expand(model, tree, work, options, work.cursor[SLOT], at)
        if node == NONE:
            value_leaf(model, work, options, at)
            return NONE
        if tree.halves[2 * node + KIND] == DECISION:
            return int(node)
        tree.halves[2 * node + VISITS] += 1
        outcome = call_sample_chance(model.functions.sample_chance, work.states, at, work.rng, 0)
        work.joint[model.shape.players] = outcome
        walk(model, tree, work, node, outcome)


@part
def follow(model: Model, tree: Tree, work: Work, node: int) -> None:
    """Play the joint action whose positions stand in `work.path_choice` at the current depth.

    Args:
        model: the game.
        tree: changed.
        work: `path_choice[depth]` is read; `path_node` and `path_joint` are written, the cursor moves on.
        node: the decision node at the cursor.
    """
    depth = work.cursor[DEPTH]
    sizes = 2 * node + HEADER_HALVES
    first = sizes + tree.players
    key = 0
    for player in range(tree.players):
        choice = work.path_choice[depth, player]
        size = tree.halves[sizes + player]
        key = key * size + choice
        work.joint[player] = tree.halves[first + choice]
        first += size
    tree.halves[2 * node + VISITS] += 1
    work.path_node[depth] = node
    work.path_joint[depth] = key
    work.cursor[DEPTH] = depth + 1
    walk(model, tree, work, node, key)


@part
def choose_untried(tree: Tree, work: Work, node: int, options: LeafOptions) -> bool:
    """Choose the next joint action that expansion wants tried before any is preferred, if there is one.

    EXPAND_JOINT tries each of the J joint actions (LLW13, algorithm 1, lines 9 and 10), in an order that mixes rows
    and columns; EXPAND_COVER as many as the player with most actions has, which try every action of every player;
    EXPAND_NONE none (Lisý 2014, figure 3.1). EXPAND_WIDEN none either, but limits what is chosen from.

    Args:
        tree: read.
        work: `path_choice` at the current depth is written if there is one; with EXPAND_WIDEN, `path_limit`.
        node: the decision node at the cursor.
        options: how to expand.

    Returns:
        Whether there was one.
    """
    if options.expansion == EXPAND_NONE:
        return False
    depth = work.cursor[DEPTH]
    sizes = 2 * node + HEADER_HALVES
    made = tree.halves[2 * node + VISITS]
    if options.expansion == EXPAND_WIDEN:
        work.path_limit[depth] = widened(options, made + 1)
        return False
    order = tree.halves[2 * node + ORDER]
    joint_actions = tree.halves[2 * node + JOINT_ACTIONS]
    if options.expansion == EXPAND_JOINT:
        if made >= joint_actions:
            return False
        key = (order + made * coprime_stride(joint_actions)) % joint_actions
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
        work.path_choice[depth, player] = ((order >> player) + made * coprime_stride(size)) % size
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
def pass_on(tree: Tree, work: Work, node: int, mean: int) -> None:
    """Make what a node passes on to its parent, with `mean`, the mean of all values that came back to it.

    Source: Lisý 2014, section 3.1.2 (SM-MCTS-A). Node numbers: the sum of each player's values, then their count.

    Args:
        tree: changed where `mean` is set.
        work: `utility` is read, and overwritten where `mean` is set.
        node: the decision node.
        mean: 1 or 0.
    """
    if mean:
        sums = numbers_begin(tree, node)
        tree.words[sums + tree.players] += 1.0
        for player in range(tree.players):
            tree.words[sums + player] += work.utility[player]
            work.utility[player] = tree.words[sums + player] / tree.words[sums + tree.players]
