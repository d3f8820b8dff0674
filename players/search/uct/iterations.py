"""UCT for turns: iterations from the root to a new state and back.

Source: Kocsis, Szepesvári 2006 (UCT); Lanctot et al. 2013 (MCMS13), section 2.2 (chance nodes in the graph, whose
outcomes are drawn; double progressive widening); Winands, Björnsson, Saito 2008 (proven values). Each mover maximises
its own utility, so any number of players can take turns.
"""

from __future__ import annotations

import math

import numpy as np

from ggp.codegen.kernels import F64, I64, inline_kernel, kernel
from ggp.native.calls import call_step
from players.search.foundation.kernel_arguments import DEPTH, ITERATION, LeafOptions, Model, Work
from players.search.foundation.leaf_values import (
    kind_of,
    note_utilities,
    spread_seen,
    value_end,
    value_unknown,
)
from players.search.foundation.node_kinds import TERMINAL
from players.search.uct.backup import pass_up
from players.search.uct.descent import NO_NODE, NO_PLAY, Options, Outcomes, best_edge, draw_outcome, node_of
from players.search.uct.graph import (
    CHANCE,
    CHILD,
    COUNT,
    DECISION,
    EDGE_HALVES,
    EDGES,
    FIRST_NODE,
    KIND,
    LABEL,
    LEAF,
    MEAN,
    MOVER,
    NO_EDGE,
    NODES,
    NONE,
    ROOT,
    SOLVED,
    VALUE_WORD,
    Graph,
    edge_of,
    number_of,
    state_of,
)
from players.search.uct.played_actions import Played, note_node, note_playout, value_new
from players.search.uct.playout_policy import Policy, begin, strength

PRIOR = 20.0
"""Plays that what a policy says of an action is worth at a new node."""


@inline_kernel
def descend(
    model: Model,
    graph: Graph,
    work: Work,
    outcomes: Outcomes,
    played: Played,
    leaf: LeafOptions,
    options: Options,
) -> None:
    """Go down from the root to a state that is new, proven, or beyond what memory holds; write its `work.utility`."""
    work.cursor[DEPTH] = 0
    for player in range(graph.players):
        work.strategy[player] = options.exploration * spread_seen(work, player)
    node, to = int(graph.counters[ROOT]), model.shape.state_words
    while True:
        if node == NO_PLAY:
            value_unknown(work)
            return
        if node == NO_NODE:
            value_state(model, work, played, leaf, to)
            return
        if graph.ints[2 * node + SOLVED]:
            for player in range(graph.players):
                work.utility[player] = graph.words[node + VALUE_WORD + player]
            return
        at, depth = state_of(graph, node), work.cursor[DEPTH]
        if depth == work.path_node.size:
            for word in range(to):
                work.states[to + word] = graph.keys[at + word]
            node = NO_NODE
            continue
        if graph.ints[2 * node + KIND] == CHANCE:
            edge = draw_outcome(model, graph, work, node, options)
            if edge == NO_PLAY:
                value_unknown(work)
                return
        else:
            edge = best_edge(graph, work, node, options)
            work.joint[graph.ints[2 * node + MOVER]] = graph.ints[edge + LABEL]
        work.path_node[depth] = node
        number = number_of(graph, node, edge)
        work.path_joint[depth] = number
        work.cursor[DEPTH] = depth + 1
        child = LEAF if edge == NONE else int(graph.ints[edge + CHILD])
        if child >= FIRST_NODE:
            node = child
            continue
        call_step(model.functions.step, graph.keys, at, work.states, to, work.joint, 0)
        if child == NONE and kind_of(model, work.states, to) != TERMINAL:
            graph.ints[edge + CHILD] = LEAF
            value_new(model, work, leaf, played, graph.keys, at, to)
            return
        made = graph.counters[NODES]
        child_node = node_of(model, graph, work, outcomes, options, to)
        if options.rave > 0.0 and played.policy.cells.size > 0 and graph.counters[NODES] > made:
            note_prior(graph, played.policy, child_node, at)
        if number != NO_EDGE and child_node >= FIRST_NODE:
            graph.ints[edge_of(graph, node, number) + CHILD] = child_node
        node = child_node


@inline_kernel
def note_prior(graph: Graph, policy: Policy, node: int, before: int) -> None:
    """Let the actions of a new node begin as if they had been played later, worth what the policy says of them.

    An action that is as probable as the mean one is worth a half; the state before the node's is where `before` says.
    """
    half = 2 * node
    if node < FIRST_NODE or graph.ints[half + KIND] != DECISION:
        return
    begin(policy, graph.keys, before, graph.keys, state_of(graph, node))
    mover, edges = int(graph.ints[half + MOVER]), graph.ints[half + EDGES]
    first, total = edge_of(graph, node, 0), 0.0
    for edge in range(first, first + EDGE_HALVES * edges, EDGE_HALVES):
        total += float(strength(policy, mover, int(graph.ints[edge + LABEL])))
    for edge in range(first, first + EDGE_HALVES * edges, EDGE_HALVES):
        odds = math.sqrt(float(strength(policy, mover, int(graph.ints[edge + LABEL]))) * edges / total)
        graph.later[edge] = np.float32(PRIOR)
        graph.later[edge + 1] = np.float32(odds / (1.0 + odds))


@inline_kernel
def value_state(model: Model, work: Work, played: Played, leaf: LeafOptions, at: int) -> None:
    """Write the value of a state that gets no node."""
    if kind_of(model, work.states, at) == TERMINAL:
        value_end(model, work, at)
    else:
        value_new(model, work, leaf, played, work.states, at, at)


@kernel
def search(
    model: Model,
    graph: Graph,
    work: Work,
    outcomes: Outcomes,
    played: Played,
    leaf: LeafOptions,
    options: Options,
    iterations: int,
) -> int:
    """Run iterations from the root, whose world state `work.states` begins with; return how many were made.

    Fewer than asked for are made where the root is proven: more would change nothing.
    """
    if graph.counters[ROOT] == LEAF:
        node = node_of(model, graph, work, outcomes, options, 0)
        if node < FIRST_NODE:
            work.cursor[ITERATION] += iterations
            return iterations
        graph.counters[ROOT] = node
    root, made = graph.counters[ROOT], 0
    while made < iterations and not graph.ints[2 * root + SOLVED]:
        made += 1
        played.length[0] = 0
        descend(model, graph, work, outcomes, played, leaf, options)
        note_utilities(work)
        if options.rave > 0.0:
            note_playout(work, played)
        for depth in range(work.cursor[DEPTH] - 1, -1, -1):
            if options.rave > 0.0:
                note_node(graph, work, played, depth)
            pass_up(graph, work, int(work.path_node[depth]), int(work.path_joint[depth]))
        work.cursor[ITERATION] += 1
    return made


@kernel
def root_statistics(graph: Graph, actions: I64, visits: F64, means: F64) -> None:
    """Write the statistics of each action at the root.

    Args:
        graph: read.
        actions: `[k]` the legal actions of the root's mover.
        visits: `[k]` overwritten: how often each was chosen; minus that, and less than 0, where its value is proven.
        means: `[k]` overwritten: the mean of the mover's utilities, scaled to [0, 1].
    """
    visits[:] = 0.0
    means[:] = 0.0
    root = graph.counters[ROOT]
    if root < FIRST_NODE or graph.ints[2 * root + KIND] == CHANCE:
        return
    first = edge_of(graph, root, 0)
    for edge in range(first, first + EDGE_HALVES * graph.ints[2 * root + EDGES], EDGE_HALVES):
        for place in range(actions.size):
            if actions[place] == graph.ints[edge + LABEL]:
                visits[place] = graph.ints[edge + COUNT]
                means[place] = graph.reals[edge + MEAN]
