"""Several iterations on their way down at once, one step of each in turn.

A step ends where the next one needs memory that the caches may not have: it is requested, and arrives while the others
make their steps. How often an edge was chosen is counted on the way down, and its mean is kept, as if the mean came
back: so an iteration sees where the others are (Liu et al. 2020, WU-UCT). On the way up the difference is added, so
means are exact once all have come back.

Dimensions: F iterations at once, D longest path, P players, W words of a world state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, F64_2D, I64, I64_2D, U64, inline_kernel, prefetch_line
from ggp.model.native.calls import call_step
from ggp.model.native.interface import GameShape
from players.search.trees.prefetch import LINE_WORDS, prefetch
from players.search.trees.tree import TERMINAL
from players.search.uct.descent import NO_NODE, NO_PLAY, Options, Outcomes, best_edge, draw_outcome, node_of
from players.search.uct.graph import (
    CHANCE,
    CHILD,
    COUNT,
    FIRST_NODE,
    KIND,
    LABEL,
    LEAF,
    MAX_COUNT,
    MEAN,
    MOVER,
    NO_EDGE,
    NONE,
    ROOT,
    SOLVED,
    Graph,
    edge_of,
    first_slot,
    number_of,
    state_of,
)
from players.search.walk.kernel_arguments import LONGEST_PATH, Model, Work
from players.search.walk.leaf_values import kind_of
from players.search.walk.state_keys import state_key

MAX_FLIGHTS = 8
VISITS_A_FLIGHT = 32
"""Visits of the root for each further iteration at once: early ones need to know what the earlier have found."""
FIRST_SLOT = 3
"""Of the world states in `work.states`, the first one of these iterations; the others are the walk's."""
LINES_AHEAD = 3
"""Cache lines of a node that are requested at once."""
MAX_STATE_LINES = 4
"""Cache lines of a world state that are requested at once."""
AT_NODE, AT_EDGE, AT_STATE = 0, 1, 2
"""At a node; at an edge whose transition is to be made; at a state whose node is to be found."""
PROVEN, NEW, OVER, UNKNOWN = 3, 4, 5, 6
"""Down: at a proven node; at a state to value; at an end without a node; where the rules fail."""


class Flights(NamedTuple):
    """Where the iterations are; each has a row."""

    under_way: I64  # [F] those that are not down yet, in the first places
    stage: I64  # [F] one of the constants above
    node: I64  # [F] the last one
    edge: I64  # [F] number of the edge chosen there, or NO_EDGE
    action: I64  # [F] chosen there, or outcome
    key: I64  # [F] hash of the world state
    depth: I64  # [F] nodes on the path
    path_node: I64_2D  # [F, D]
    path_edge: I64_2D  # [F, D] numbers, or NO_EDGE: edges move where another iteration adds one
    path_mean: F64_2D  # [F, D] of the edge when it was chosen
    made: I64  # [F] what the playout returned
    utility: F64  # [F * P] of the playout
    rngs: U64  # [F]


def new_flights(shape: GameShape, flights: int = MAX_FLIGHTS) -> Flights:
    """Return room for some iterations at once."""
    row, path = np.zeros(flights, np.int64), np.zeros((flights, LONGEST_PATH), np.int64)
    return Flights(
        under_way=row,
        stage=row.copy(),
        node=row.copy(),
        edge=row.copy(),
        action=row.copy(),
        key=row.copy(),
        depth=row.copy(),
        path_node=path,
        path_edge=path.copy(),
        path_mean=np.zeros(path.shape),
        made=row.copy(),
        utility=np.zeros(flights * shape.players),
        rngs=np.ones(flights, np.uint64),
    )


@inline_kernel
def slot_of(model: Model, flight: int) -> int:
    """Return where in `work.states` the world state of an iteration begins."""
    return int((FIRST_SLOT + flight) * model.shape.state_words)


@inline_kernel
def go_down(
    model: Model, graph: Graph, work: Work, outcomes: Outcomes, options: Options, flights: Flights, count: int
) -> None:
    """Take iterations from the root, which has a node, to a state that is new, proven, or beyond what memory holds."""
    for flight in range(count):
        flights.under_way[flight] = flight
        flights.stage[flight] = AT_NODE
        flights.node[flight] = graph.counters[ROOT]
        flights.depth[flight] = 0
    left = count
    while left > 0:
        place = 0
        while place < left:
            flight = flights.under_way[place]
            stage = flights.stage[flight]
            if stage == AT_NODE:
                stage = choose(model, graph, work, options, flights, flight)
            elif stage == AT_EDGE:
                stage = make_transition(model, graph, work, flights, flight)
            else:
                stage = find_node(model, graph, work, outcomes, options, flights, flight)
            flights.stage[flight] = stage
            if stage >= PROVEN:
                left -= 1
                flights.under_way[place] = flights.under_way[left]
            else:
                place += 1


@inline_kernel
def choose(model: Model, graph: Graph, work: Work, options: Options, flights: Flights, flight: int) -> int:
    """Choose an action or an outcome at a node, and return the next stage."""
    node, depth = flights.node[flight], flights.depth[flight]
    if graph.ints[2 * node + SOLVED]:
        return PROVEN
    if depth == flights.path_node.shape[1]:
        to, at = slot_of(model, flight), state_of(graph, node)
        for word in range(model.shape.state_words):
            work.states[to + word] = graph.keys[at + word]
        return NEW
    if graph.ints[2 * node + KIND] == CHANCE:
        edge = draw_outcome(model, graph, work, node, options)
        if edge == NO_PLAY:
            return UNKNOWN
        flights.action[flight] = work.joint[model.shape.players]
    else:
        edge = best_edge(graph, work, node, options)
        flights.action[flight] = graph.ints[edge + LABEL]
        flights.path_mean[flight, depth] = graph.reals[edge + MEAN]
        tried = graph.ints[edge + COUNT]
        if tried >= 0:
            graph.ints[edge + COUNT] = min(tried + 1, MAX_COUNT)
    flights.path_node[flight, depth] = node
    number = number_of(graph, node, edge)
    flights.path_edge[flight, depth] = number
    flights.depth[flight] = depth + 1
    flights.edge[flight] = number
    child = LEAF if edge == NONE else int(graph.ints[edge + CHILD])
    if child >= FIRST_NODE:
        prefetch(graph.words, child, LINES_AHEAD)
        flights.node[flight] = child
        return AT_NODE
    lines = min(model.shape.state_words // LINE_WORDS + 1, MAX_STATE_LINES)
    prefetch(graph.words, state_of(graph, node), lines)
    return AT_EDGE


@inline_kernel
def make_transition(model: Model, graph: Graph, work: Work, flights: Flights, flight: int) -> int:
    """Make the transition that an edge stands for, and return the next stage."""
    node, number = flights.node[flight], flights.edge[flight]
    edge = edge_of(graph, node, number)
    child = LEAF if number == NO_EDGE else int(graph.ints[edge + CHILD])
    if child >= FIRST_NODE:  # another iteration has made it in the meantime
        flights.node[flight] = child
        return AT_NODE
    if graph.ints[2 * node + KIND] == CHANCE:
        work.joint[model.shape.players] = flights.action[flight]
    else:
        work.joint[graph.ints[2 * node + MOVER]] = flights.action[flight]
    to = slot_of(model, flight)
    call_step(model.functions.step, graph.keys, state_of(graph, node), work.states, to, work.joint, 0)
    if child == NONE and kind_of(model, work.states, to) != TERMINAL:
        graph.ints[edge + CHILD] = LEAF
        return NEW
    key = state_key(work.states, to, model.shape.state_words)
    flights.key[flight] = key
    prefetch_line(graph.table, first_slot(graph, key))
    return AT_STATE


@inline_kernel
def find_node(
    model: Model, graph: Graph, work: Work, outcomes: Outcomes, options: Options, flights: Flights, flight: int
) -> int:
    """Find or make the node of a state, and return the next stage."""
    at, number = slot_of(model, flight), flights.edge[flight]
    node = node_of(model, graph, work, outcomes, options, at, flights.key[flight])
    if node == NO_PLAY:
        return UNKNOWN
    if node == NO_NODE:
        return OVER if kind_of(model, work.states, at) == TERMINAL else NEW
    if number != NO_EDGE:
        graph.ints[edge_of(graph, flights.node[flight], number) + CHILD] = node
    flights.node[flight] = node
    return AT_NODE
