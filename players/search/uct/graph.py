"""The memory of a UCT search: nodes for world states, found again by a hash of the state, so that play can come
together again after different moves.

Dimensions: P players, W words of a world state, M words of memory, T slots of the hash table.

Nodes keep their world states, so that on the way down only the last transition is made.

Memory is one array of M 64-bit words, read as float64 (`words`), int64 (`keys`), pairs of int32 (`ints`) or of
float32 (`reals`). Blocks are appended to it until it is full. What is not said to be otherwise begins as 0. A node's
block, from word `b`:

    int32    KIND      DECISION, CHANCE or END
             LENGTH    of the block, in words
             VISITS    iterations that came through
             FORWARD   where the block moves to; 0 but while the graph is reclaimed
             EDGES     how many edges it has: actions of the player who acts, or outcomes of chance
             TRIED     how many of them, from the first on, have been chosen
             UNSOLVED  how many of them do not lead to a proven value
             MOVER     who acts
             SOLVED    1 where the values are proven, which those of an END are
             SHARED    1 where more than one edge leads here
             FIRST     word of the first edge
             CAPACITY  room for edges
    int64    hash of the world state
    float64  P numbers: the sums of the utilities that came back, or the proven utilities
    edges    two words each
    int64    W words: the world state; not in an END

An edge, from half `e`: int32 LABEL, the action or outcome; int32 COUNT, how often it was chosen, negative where what
it leads to is proven; float32 MEAN, of the mover's utilities, or the probability of an outcome; int32 CHILD: NONE where
it was never chosen, LEAF where it was chosen once, else a node. Edges of chance nodes that grow are a block of their
own.

Where a search asks for it, `later` is as large as `reals`, and holds from half `e` on for an edge of a decision: how
often its action was played there or later, and the mean of the mover's utilities then.

Keeping the graph from move to move: what the new root does not lead to is forgotten, the rest slides together.

Edges lead to blocks before and behind a node's own, so what lives is found along the edges, by a list that is threaded
through the blocks themselves; then one pass in the order of memory says where each goes, and another moves it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F32, F64, I32, I64, inline_kernel, kernel
from ggp.native.hashing import state_key

DECISION, CHANCE, END, LIST_OF_EDGES = 1, 2, 3, 4
KIND, LENGTH, VISITS, FORWARD, EDGES, TRIED, UNSOLVED, MOVER, SOLVED, SHARED, FIRST, CAPACITY = range(12)
KEY_WORD, VALUE_WORD = 6, 7
LABEL, COUNT, MEAN, CHILD, EDGE_HALVES = 0, 1, 2, 3, 4
EDGE_WORDS = 2
LIST_HEADER_WORDS = 2
NONE, LEAF, FIRST_NODE = 0, 1, 2
NO_EDGE = -1
"""Instead of the number of an edge."""
ROOT, WORDS, NODES, COUNTERS = 0, 1, 2, 3
NO_LATER = 2
"""The size of `later` where nothing is kept there."""
MAX_COUNT = 2**31 - 1
ROOTS, WIDTHS = 1024, 4096
"""Sizes of tables of roots; a larger one of what every edge needs would drive the tree out of the first cache."""
BYTES_A_SLOT = 64
"""Memory for blocks that comes with each slot of the hash table; nodes are seldom smaller."""


class Graph(NamedTuple):
    """The memory of a search; see the module's text for the layout."""

    words: F64  # [M]
    keys: I64  # [M] the same memory
    ints: I32  # [2 * M] the same memory
    reals: F32  # [2 * M] the same memory
    later: F32  # [2 * M], or NO_LATER
    table: I32  # [T] nodes by the hash of their state; T is a power of 2
    counters: I64  # [COUNTERS] the root's node or LEAF; words in use; nodes
    roots: F32  # [ROOTS] 1 / sqrt(n)
    widths: F32  # [WIDTHS] sqrt(log(n))
    players: int
    state_words: int


def new_graph(memory_bytes: int, players: int, state_words: int, later: bool = False) -> Graph:
    """Return an empty graph; `later`: whether it has memory for actions that are played later."""
    slots = 1 << max(10, int(memory_bytes / BYTES_A_SLOT).bit_length() - 1)
    words = np.zeros(min(max(4096, (memory_bytes - 4 * slots) // (16 if later else 8)), 2**30), np.float64)
    counts = np.maximum(np.arange(WIDTHS), 1)
    graph = Graph(
        words=words,
        keys=words.view(np.int64),
        ints=words.view(np.int32),
        reals=words.view(np.float32),
        later=np.zeros(2 * words.size if later else NO_LATER, np.float32),
        table=np.zeros(slots, np.int32),
        counters=np.zeros(COUNTERS, np.int64),
        roots=(1.0 / np.sqrt(counts[:ROOTS])).astype(np.float32),
        widths=np.sqrt(np.log(counts)).astype(np.float32),
        players=players,
        state_words=state_words,
    )
    forget(graph)
    return graph


def forget(graph: Graph) -> None:
    """Make the graph empty, with a root that has no node."""
    if graph.counters[NODES]:
        graph.table[:] = NONE
    graph.counters[:] = LEAF, FIRST_NODE, 0


@inline_kernel
def find(graph: Graph, key: int) -> int:
    """Return the slot of the table where the node with a key stands, or the free one where it would."""
    mask = graph.table.size - 1
    slot = (key ^ (key >> np.int64(32))) & mask
    while True:
        node = graph.table[slot]
        if node == NONE or graph.keys[node + KEY_WORD] == key:
            return int(slot)
        slot = (slot + 1) & mask


@kernel
def node_at(graph: Graph, states: I64, length: int) -> int:
    """Return the node of the state that the first `length` words of `states` are, or NONE."""
    return int(graph.table[find(graph, state_key(states, 0, length))])


@inline_kernel
def allocate(graph: Graph, kind: int, length: int) -> int:
    """Append a block of words, zero but its kind and length; return its first word, or NONE if there is no room."""
    block = graph.counters[WORDS]
    if block + length > graph.words.size:
        return NONE
    graph.counters[WORDS] = block + length
    graph.keys[block : block + length] = 0
    if graph.later.size > NO_LATER:
        graph.later[2 * block : 2 * (block + length)] = np.float32(0.0)
    graph.ints[2 * block + KIND] = kind
    graph.ints[2 * block + LENGTH] = length
    return int(block)


@inline_kernel
def add_node(graph: Graph, slot: int, key: int, kind: int, edges: int, capacity: int, states: I64, at: int) -> int:
    """Append a node with edges that say nothing yet.

    Args:
        graph: changed.
        slot: of the table, as `find` returns it.
        key: of its state.
        kind: DECISION, CHANCE or END.
        edges: how many it has now.
        capacity: how many it can have.
        states: holds its world state.
        at: where that begins.

    Returns:
        The node, or NONE when the graph is full.
    """
    if 4 * graph.counters[NODES] >= 3 * graph.table.size:
        return NONE
    first = VALUE_WORD + graph.players
    kept = 0 if kind == END else graph.state_words
    length = first + EDGE_WORDS * capacity
    node = allocate(graph, kind, length + kept)
    if node == NONE:
        return NONE
    for word in range(kept):
        graph.keys[node + length + word] = states[at + word]
    graph.counters[NODES] += 1
    graph.table[slot] = node
    graph.keys[node + KEY_WORD] = key
    half = 2 * node
    graph.ints[half + EDGES] = edges
    graph.ints[half + UNSOLVED] = edges
    graph.ints[half + FIRST] = node + first
    graph.ints[half + CAPACITY] = capacity
    return node


@inline_kernel
def state_of(graph: Graph, node: int) -> int:
    """Return where in `graph.keys` the world state of a node begins; an END has none."""
    return int(node + graph.ints[2 * node + LENGTH] - graph.state_words)


@inline_kernel
def edge_of(graph: Graph, node: int, number: int) -> int:
    """Return the half where an edge of a node begins."""
    return int(2 * graph.ints[2 * node + FIRST] + EDGE_HALVES * number)


@inline_kernel
def number_of(graph: Graph, node: int, edge: int) -> int:
    """Return the number of an edge of a node, which stays when `add_edge` moves the edges; NO_EDGE for NONE."""
    return NO_EDGE if edge == NONE else int((edge - edge_of(graph, node, 0)) // EDGE_HALVES)


@inline_kernel
def add_edge(graph: Graph, node: int, label: int) -> int:
    """Give a node one more edge, and return it; NONE when the graph is full. All its edges may move."""
    half = 2 * node
    edges = graph.ints[half + EDGES]
    if edges == graph.ints[half + CAPACITY]:
        block = allocate(graph, LIST_OF_EDGES, LIST_HEADER_WORDS + 2 * EDGE_WORDS * edges)
        if block == NONE:
            return NONE
        old, new = graph.ints[half + FIRST], block + LIST_HEADER_WORDS
        for word in range(EDGE_WORDS * edges):
            graph.keys[new + word] = graph.keys[old + word]
        graph.ints[half + FIRST] = new
        graph.ints[half + CAPACITY] = 2 * edges
    graph.ints[half + EDGES] = edges + 1
    graph.ints[half + UNSOLVED] += 1
    edge = edge_of(graph, node, edges)
    graph.ints[edge + LABEL] = label
    return edge


@inline_kernel
def find_edge(graph: Graph, node: int, label: int) -> int:
    """Return the edge of a chance node with an outcome, or NONE."""
    for number in range(graph.ints[2 * node + EDGES]):
        edge = edge_of(graph, node, number)
        if graph.ints[edge + LABEL] == label:
            return edge
    return NONE


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
