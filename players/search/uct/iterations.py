"""UCT for turns: iterations from the root to a new state, and back up the graph with means, visits and proofs.

Source: Kocsis, Szepesvári 2006 (UCT); Lanctot et al. 2013 (MCMS13), section 2.2 (chance nodes in the graph, whose
outcomes are drawn; double progressive widening); Winands, Björnsson, Saito 2008 (proven values). Each mover maximises
its own utility, so any number of players can take turns.

What is proven goes up too (MCTS-Solver: Winands, Björnsson, Saito 2008): a node is proven once one of its mover's
actions leads to the greatest utility that there is, or all of them to proven ones; a chance node whose outcomes are all
edges, once all of these are.
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
    MAX_COUNT,
    MEAN,
    MOVER,
    NO_EDGE,
    NODES,
    NONE,
    ROOT,
    SHARED,
    SOLVED,
    UNSOLVED,
    VALUE_WORD,
    VISITS,
    Graph,
    edge_of,
    number_of,
    state_of,
)
from players.search.uct.played_actions import Played, note_node, note_playout, value_new
from players.search.uct.playout_policy import Policy, begin, strength

WIN = 1.0 - 1e-6
"""A proven utility, scaled to [0, 1], that cannot be beaten; probabilities of outcomes are kept in single precision."""


@inline_kernel
def pass_up(graph: Graph, work: Work, node: int, number: int) -> None:
    """Add the utilities of an iteration to a node and to the edge that the iteration took there.

    A shared child has statistics from other edges too, so the edge takes over the child's mean.

    Args:
        graph: changed.
        work: `utility` is read; it becomes the proven utilities where the node is proven now.
        node: on the path.
        number: of the edge; NO_EDGE where the outcome of chance has none.
    """
    half, edge = 2 * node, edge_of(graph, node, number)
    graph.ints[half + VISITS] = min(graph.ints[half + VISITS] + 1, MAX_COUNT)
    if graph.ints[half + KIND] == CHANCE:
        if number != NO_EDGE:
            settle_edge(graph, node, edge)
            if graph.ints[half + UNSOLVED] == 0 and graph.ints[half + SOLVED] == 0:
                prove_chance(graph, node)
    else:
        mover = graph.ints[half + MOVER]
        count = graph.ints[edge + COUNT]
        if count >= 0:
            count = min(count + 1, MAX_COUNT)
            graph.ints[edge + COUNT] = count
            graph.reals[edge + MEAN] += (work.utility[mover] - graph.reals[edge + MEAN]) / count
            child = graph.ints[edge + CHILD]
            if child >= FIRST_NODE:
                settle_edge(graph, node, edge)
                visits = graph.ints[2 * child + VISITS]
                if graph.ints[2 * child + SOLVED]:
                    graph.reals[edge + MEAN] = graph.words[child + VALUE_WORD + mover]
                    prove_decision(graph, node, edge, child)
                elif graph.ints[2 * child + SHARED] and visits > count:
                    graph.reals[edge + MEAN] = graph.words[child + VALUE_WORD + mover] / visits
    if graph.ints[half + SOLVED]:
        for player in range(graph.players):
            work.utility[player] = graph.words[node + VALUE_WORD + player]
    else:
        for player in range(graph.players):
            graph.words[node + VALUE_WORD + player] += work.utility[player]


@inline_kernel
def settle_edge(graph: Graph, node: int, edge: int) -> None:
    """Mark an edge whose child is proven."""
    child = graph.ints[edge + CHILD]
    if child >= FIRST_NODE and graph.ints[2 * child + SOLVED] and graph.ints[edge + COUNT] >= 0:
        graph.ints[edge + COUNT] = -max(graph.ints[edge + COUNT], 1)
        graph.ints[2 * node + UNSOLVED] -= 1


@inline_kernel
def prove_chance(graph: Graph, node: int) -> None:
    """Make the expectation over proven outcomes the proven utilities of a chance node."""
    value = node + VALUE_WORD
    total = 0.0
    for player in range(graph.players):
        graph.words[value + player] = 0.0
    for number in range(graph.ints[2 * node + EDGES]):
        edge = edge_of(graph, node, number)
        child = graph.ints[edge + CHILD]
        probability = float(graph.reals[edge + MEAN])
        total += probability
        for player in range(graph.players):
            graph.words[value + player] += probability * graph.words[child + VALUE_WORD + player]
    for player in range(graph.players):
        graph.words[value + player] /= total
    graph.ints[2 * node + SOLVED] = 1


@inline_kernel
def prove_decision(graph: Graph, node: int, edge: int, child: int) -> None:
    """Make a decision node proven, if the child that an edge leads to, which is proven, makes it so."""
    half = 2 * node
    mover = graph.ints[half + MOVER]
    if graph.reals[edge + MEAN] < WIN:
        if graph.ints[half + UNSOLVED]:
            return
        first = edge_of(graph, node, 0)
        for other in range(first, first + EDGE_HALVES * graph.ints[half + EDGES], EDGE_HALVES):
            candidate = graph.ints[other + CHILD]
            if graph.words[candidate + VALUE_WORD + mover] > graph.words[child + VALUE_WORD + mover]:
                child = candidate
    for player in range(graph.players):
        graph.words[node + VALUE_WORD + player] = graph.words[child + VALUE_WORD + player]
    graph.ints[half + SOLVED] = 1


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
