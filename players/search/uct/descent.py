"""Going down the graph: how a state becomes a node, and which action or outcome an iteration takes there."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_sample_chance, call_utility, mover_of
from ggp.native.hashing import state_key
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.interface import TERMINAL as NOBODY_ACTS
from ggp.native.rng_kernels import below
from players.search.foundation.kernel_arguments import Model, Work
from players.search.uct.graph import (
    CAPACITY,
    CHANCE,
    COUNT,
    DECISION,
    EDGE_HALVES,
    EDGES,
    END,
    LABEL,
    MEAN,
    MOVER,
    NONE,
    ROOTS,
    SHARED,
    SOLVED,
    TRIED,
    UNSOLVED,
    VALUE_WORD,
    VISITS,
    WIDTHS,
    Graph,
    add_edge,
    add_node,
    edge_of,
    find,
    find_edge,
    state_of,
)

MAX_LISTED = 64
"""Outcomes of a chance event that become edges all at once; where there are more, they are found by their states."""
MAX_COUNTED = 1024
"""Where a game has chance events of more outcomes than this, it is not even tried to list them."""
FIRST_CAPACITY = 4
MAX_REDRAWS = 64
"""Draws until one is among the outcomes that a widening chance node keeps; after these any of them is taken."""
ALL_ACTIONS = 2**31 - 1
PROVING = 4
"""Where a proven action is the best, one in so many iterations searches another one."""
ONE, BELOW_ALL = np.float32(1.0), np.float32(2.0)
"""In single precision, like means: bounds are compared at every step down. Utilities are scaled to [0, 1]."""
NO_NODE, NO_PLAY = 0, -1
"""Instead of a node: the graph is full; the rules fail to say what can be done."""


class Options(NamedTuple):
    """The settings that the kernel needs."""

    exploration: float  # C of UCB1, in units of the spread of the utilities seen
    widen_c: float  # of double progressive widening, C and
    widen_alpha: float  # alpha of k = ceil(C v^alpha); C is 0 without it
    rave: float = 0.0  # visits of an edge at which its mean counts as much as that of its action played later; 0: none


class Outcomes(NamedTuple):
    """Scratch memory for the outcomes of a chance event."""

    labels: I64  # [C]
    probabilities: F64  # [C]


@inline_kernel
def widened(options: Options, visits: int) -> int:
    """Return how many actions or outcomes are considered at visit `visits` (MCMS13 2.2), the present one included."""
    if options.widen_c == 0.0:
        return ALL_ACTIONS
    return int(min(math.ceil(options.widen_c * visits**options.widen_alpha), ALL_ACTIONS))


@kernel
def node_of(model: Model, graph: Graph, work: Work, outcomes: Outcomes, options: Options, at: int) -> int:
    """Return the node of a state, which is made if there is none yet; NO_NODE or NO_PLAY where none can be made.

    A state that has a node already is reached in a second way, which makes the node a shared one.
    """
    key = state_key(work.states, at, model.shape.state_words)
    slot = find(graph, key)
    node = int(graph.table[slot])
    if node != NONE:
        graph.ints[2 * node + SHARED] = 1
        return node
    functions = model.functions
    actors = call_actors(functions.actors, work.states, at)
    if actors == NOBODY_ACTS:
        return add_end(model, graph, work, slot, key, at)
    if actors == CHANCE_ACTS:
        if options.widen_c > 0.0:
            node = add_node(graph, slot, key, CHANCE, 0, FIRST_CAPACITY, work.states, at)
            if node != NONE:
                graph.ints[2 * node + UNSOLVED] = 1  # for all outcomes that it does not keep: it is never proven
            return node
        if model.shape.max_outcomes > MAX_COUNTED:
            return add_node(graph, slot, key, CHANCE, 0, 0, work.states, at)
        count = call_chance(functions.chance, work.states, at, outcomes.labels, 0, outcomes.probabilities, 0)
        if count < 1:
            return NO_PLAY
        if count > MAX_LISTED:
            return add_node(graph, slot, key, CHANCE, 0, 0, work.states, at)
        node = add_node(graph, slot, key, CHANCE, count, count, work.states, at)
        if node != NONE:
            for number in range(count):
                edge = edge_of(graph, node, number)
                graph.ints[edge + LABEL] = outcomes.labels[number]
                graph.reals[edge + MEAN] = outcomes.probabilities[number]
        return node
    mover = mover_of(actors)
    count = call_legal(functions.legal, work.states, at, mover, work.actions, 0)
    if count < 1:
        return NO_PLAY
    node = add_node(graph, slot, key, DECISION, count, count, work.states, at)
    if node == NONE:
        return NO_NODE
    graph.ints[2 * node + MOVER] = mover
    edge = edge_of(graph, node, 0)
    for left in range(count, 0, -1):  # in a random order: the one in which they are tried first
        drawn = below(work.rng, 0, left)
        graph.ints[edge + LABEL] = work.actions[drawn]
        work.actions[drawn] = work.actions[left - 1]
        edge += EDGE_HALVES
    return node


@inline_kernel
def add_end(model: Model, graph: Graph, work: Work, slot: int, key: int, at: int) -> int:
    """Make the node of a terminal state: its utilities, scaled to [0, 1], are proven."""
    node = add_node(graph, slot, key, END, 0, 0, work.states, at)
    if node == NONE:
        return NO_NODE
    value = node + VALUE_WORD
    graph.ints[2 * node + SOLVED] = 1
    if call_utility(model.functions.utility, work.states, at, graph.words, value) < 0:
        for player in range(graph.players):
            graph.words[value + player] = 0.5
    else:
        for player in range(graph.players):
            graph.words[value + player] = (graph.words[value + player] - model.low[player]) * model.scale[player]
    return node


@inline_kernel
def best_edge(graph: Graph, work: Work, node: int, options: Options) -> int:
    """Return the edge that UCB1 chooses at a decision node: untried ones first, in their order, then the best bound.

    What is proven has no bound to explore: its mean is its value. Where it is chosen, some iterations go to the best of
    what is not proven instead, or a drawn position would never be proven to be one. `work.strategy` holds the constant
    of exploration of each player.
    """
    half = 2 * node
    visits = graph.ints[half + VISITS]
    tried = graph.ints[half + TRIED]
    if options.rave > 0.0:
        tried = min(graph.ints[half + EDGES], widened(options, visits + 1))
        graph.ints[half + TRIED] = tried
    elif tried < graph.ints[half + EDGES] and tried < widened(options, visits + 1):
        graph.ints[half + TRIED] = tried + 1
        return edge_of(graph, node, tried)
    width = graph.widths[visits] if visits < WIDTHS else np.float32(math.sqrt(math.log(visits)))
    width *= np.float32(work.strategy[graph.ints[half + MOVER]])
    edge = greatest_bound(graph, node, tried, width, 0, options.rave)
    if graph.ints[edge + COUNT] < 0 and below(work.rng, 0, PROVING) == 0:
        return greatest_bound(graph, node, tried, width, 1, options.rave)
    return edge


@inline_kernel
def mean_with_later(graph: Graph, edge: int, rave: float) -> np.float32:
    """Return the mean of an edge, mixed with that of its action played later, which counts less with every visit.

    The weight is that of the least squared error if the bias of the latter has a variance of 1 / `rave` (Silver 2009).
    An edge that was never played at all comes first.
    """
    own, later = np.float32(graph.ints[edge + COUNT]), graph.later[edge]
    if later == 0.0:
        return graph.reals[edge + MEAN] if own > 0.0 else ONE
    share = later / (own + later + own * later / np.float32(rave))
    return np.float32((ONE - share) * graph.reals[edge + MEAN] + share * graph.later[edge + 1])


@inline_kernel
def greatest_bound(graph: Graph, node: int, tried: int, width: np.float32, only_open: int, rave: float) -> int:
    """Return the edge with the greatest bound among a node's first ones, or among the open ones if there are any."""
    first = edge = edge_of(graph, node, 0)
    best = np.float32(-np.inf)
    for candidate in range(first, first + EDGE_HALVES * tried, EDGE_HALVES):
        count = graph.ints[candidate + COUNT]
        bound = graph.reals[candidate + MEAN]
        if count >= 0:
            if rave > 0.0:
                bound = mean_with_later(graph, candidate, rave)
                count = max(count, 1)
            bound += width * (graph.roots[count] if count < ROOTS else ONE / np.float32(math.sqrt(np.float32(count))))
        elif only_open:
            bound -= BELOW_ALL
        if bound > best:
            best = bound
            edge = candidate
    return int(edge)


@inline_kernel
def draw_outcome(model: Model, graph: Graph, work: Work, node: int, options: Options) -> int:
    """Draw the outcome of a chance node into `work.joint`.

    Returns:
        Its edge; NONE where the node keeps none for it; NO_PLAY where the rules fail to draw.
    """
    players, at = model.shape.players, state_of(graph, node)
    outcome = call_sample_chance(model.functions.sample_chance, graph.keys, at, work.rng, 0)
    if outcome < 0:
        return NO_PLAY
    work.joint[players] = outcome
    if graph.ints[2 * node + CAPACITY] == 0:
        return NONE
    edge = find_edge(graph, node, outcome)
    if edge != NONE or options.widen_c == 0.0:
        return edge
    edges = graph.ints[2 * node + EDGES]
    if edges < widened(options, graph.ints[2 * node + VISITS] + 1):
        return add_edge(graph, node, outcome)
    for _ in range(MAX_REDRAWS):
        outcome = call_sample_chance(model.functions.sample_chance, graph.keys, at, work.rng, 0)
        edge = find_edge(graph, node, outcome)
        if edge != NONE:
            work.joint[players] = outcome
            return edge
    edge = edge_of(graph, node, below(work.rng, 0, edges))
    work.joint[players] = graph.ints[edge + LABEL]
    return edge
