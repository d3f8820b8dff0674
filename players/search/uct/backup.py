"""Going back up the graph: means, visits, and proofs.

What is proven goes up too (MCTS-Solver: Winands, Björnsson, Saito 2008): a node is proven once one of its mover's
actions leads to the greatest utility that there is, or all of them to proven ones; a chance node whose outcomes are all
edges, once all of these are.
"""

from __future__ import annotations

from ggp.codegen.kernels import inline_kernel
from players.search.foundation.kernel_arguments import Work
from players.search.uct.graph import (
    CHANCE,
    CHILD,
    COUNT,
    EDGE_HALVES,
    EDGES,
    FIRST_NODE,
    KIND,
    MAX_COUNT,
    MEAN,
    MOVER,
    NO_EDGE,
    SHARED,
    SOLVED,
    UNSOLVED,
    VALUE_WORD,
    VISITS,
    Graph,
    edge_of,
)

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
