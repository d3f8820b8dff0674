"""Keeping the graph from move to move: what the new root does not lead to is forgotten, the rest slides together.

Edges lead to blocks before and behind a node's own, so what lives is found along the edges, by a list that is threaded
through the blocks themselves; then one pass in the order of memory says where each goes, and another moves it.
"""

from __future__ import annotations

from ggp.codegen.kernels import inline_kernel, kernel
from players.search.uct.graph import (
    CHILD,
    EDGE_HALVES,
    EDGES,
    FIRST,
    FIRST_NODE,
    FORWARD,
    KEY_WORD,
    KIND,
    LENGTH,
    LIST_HEADER_WORDS,
    LIST_OF_EDGES,
    NO_LATER,
    NODES,
    NONE,
    ROOT,
    VALUE_WORD,
    WORDS,
    Graph,
    edge_of,
    find,
)

LAST, LIVES = -1, 1
"""In FORWARD: the end of the list of nodes to look at; lives, and its new place is not known yet."""


@inline_kernel
def list_of(graph: Graph, node: int) -> int:
    """Return the block of its own in which a node's edges are, or NONE where they are in the node's."""
    first = graph.ints[2 * node + FIRST]
    return NONE if first == node + VALUE_WORD + graph.players else int(first - LIST_HEADER_WORDS)


@inline_kernel
def mark(graph: Graph, root: int) -> None:
    """Mark all blocks that a root leads to."""
    waiting = root
    graph.ints[2 * root + FORWARD] = LAST
    while waiting != LAST:
        node = waiting
        waiting = graph.ints[2 * node + FORWARD]
        graph.ints[2 * node + FORWARD] = LIVES
        edges = list_of(graph, node)
        if edges != NONE:
            graph.ints[2 * edges + FORWARD] = LIVES
        first = edge_of(graph, node, 0)
        for edge in range(first, first + EDGE_HALVES * graph.ints[2 * node + EDGES], EDGE_HALVES):
            child = graph.ints[edge + CHILD]
            if child >= FIRST_NODE and graph.ints[2 * child + FORWARD] == 0:
                graph.ints[2 * child + FORWARD] = waiting
                waiting = child


@kernel
def slide_together(graph: Graph) -> None:
    """Forget all blocks that the root does not lead to, and move the others to the front; the table must be empty."""
    root = graph.counters[ROOT]
    end = graph.counters[WORDS]
    mark(graph, root)
    target, block = FIRST_NODE, FIRST_NODE
    while block < end:
        if graph.ints[2 * block + FORWARD] == LIVES:
            graph.ints[2 * block + FORWARD] = target
            target += graph.ints[2 * block + LENGTH]
        block += graph.ints[2 * block + LENGTH]
    graph.counters[ROOT] = graph.ints[2 * root + FORWARD]
    block = FIRST_NODE
    while block < end:  # while no block has moved, each still says where it goes
        if graph.ints[2 * block + FORWARD] != 0 and graph.ints[2 * block + KIND] != LIST_OF_EDGES:
            first = edge_of(graph, block, 0)
            for edge in range(first, first + EDGE_HALVES * graph.ints[2 * block + EDGES], EDGE_HALVES):
                child = graph.ints[edge + CHILD]
                if child >= FIRST_NODE:
                    graph.ints[edge + CHILD] = graph.ints[2 * child + FORWARD]
            edges = list_of(graph, block)
            if edges == NONE:
                graph.ints[2 * block + FIRST] += graph.ints[2 * block + FORWARD] - block
            else:
                graph.ints[2 * block + FIRST] = graph.ints[2 * edges + FORWARD] + LIST_HEADER_WORDS
        block += graph.ints[2 * block + LENGTH]
    graph.counters[NODES] = 0
    graph.counters[WORDS] = FIRST_NODE
    block = FIRST_NODE
    while block < end:
        length = graph.ints[2 * block + LENGTH]
        target = graph.ints[2 * block + FORWARD]
        if target != 0:
            graph.ints[2 * block + FORWARD] = 0
            for word in range(length):  # target <= block: ascending order is safe
                graph.keys[target + word] = graph.keys[block + word]
            if graph.later.size > NO_LATER:
                for half in range(2 * length):
                    graph.later[2 * target + half] = graph.later[2 * block + half]
            graph.counters[WORDS] = target + length
            if graph.ints[2 * target + KIND] != LIST_OF_EDGES:
                graph.counters[NODES] += 1
                graph.table[find(graph, graph.keys[target + KEY_WORD])] = target
        block += length
