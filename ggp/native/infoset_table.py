"""The tree of searches with hidden information: a hash table from a player's information state to its statistics.

Dimensions: P players, k legal actions of a node, F numbers of an action, S slots of the table, M words of memory.

There are no edges: a walk goes from world state to world state, updates every player's information-state key, and looks
up each decision. Keys cover play from the beginning of the game, so the tree can be kept from move to move.

A player is told its legal actions when it has to move, so they are part of its information: nodes are found by the key
and a hash of the player and its legal actions. In most games the key alone determines these.

Block of a node, from word `b` of the memory, read as 64-bit integers, pairs of 32-bit integers, or reals:

    word 0, 1   the key
    word 2      int32 k, int32 player
    word 3      int32 visits (saturating), int32 epoch of the last visit
    then        the numbers of the actions, field by field, each k long

A slot of the table is two words: the first word of the key, and the node. When the table gets too full, a larger one
begins at the other end of the memory for slots, and each node added from then on moves some of the old ones, until all
are moved. Moving them at once took a third of a second in the middle of a move. When memory is full, nodes that have
not been visited since an earlier move are dropped (`drop_unvisited`): what play can still reach has mostly been visited
since.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, U64, inline_kernel, kernel

NO_NODE = 0
NEW = 1
HEADER_WORDS = 4
ACTIONS, PLAYER, VISITS, EPOCH = 4, 5, 6, 7
"""Places in the 32-bit view of a block."""
NODES, WORDS, SLOTS, NOW, DROPPED, BASE, OLD_SLOTS, OLD_BASE, MOVED, COUNTERS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
FIRST_NODE = 1
FIRST_SLOTS = 1 << 14
SLOT_GROWTH = 2
MOVED_AT_ONCE = 4
"""Old nodes that are moved with each one added."""
SHARE_OF_TABLE = 8
"""The table takes at most one part in this many of the memory."""
MAX_VISITS = 2**31 - 1

K1, K3 = np.uint64(0x9FB21C651E98DF25), np.uint64(0x8CB92BA72F3D8DD7)
S28, S32 = np.uint64(28), np.uint64(32)


class InfosetTable(NamedTuple):
    """Statistics by information state; see the module's text for the layout."""

    words: F64  # [M]
    longs: I64  # [M], the same memory
    ints: I32  # [2 * M], the same memory
    slots: I64  # [3 * S], tables: the first word of a key and its node; NO_NODE if there is none. S slots at most
    counters: I64  # [COUNTERS] nodes, words and slots in use, the present epoch, nodes dropped so far; where the table
    #     begins in `slots`; while it replaces another one: the slots of that, 0 if none, where it begins, and the first
    #     node that has not been brought along
    action_numbers: int  # F


def new_infoset_table(memory_bytes: int, action_numbers: int) -> InfosetTable:
    """Return an empty tree."""
    slots = FIRST_SLOTS
    while 16 * slots * 2 <= memory_bytes // SHARE_OF_TABLE:
        slots *= 2
    words = np.zeros(max(4096, memory_bytes // 8 - 3 * slots), np.float64)
    counters = np.zeros(COUNTERS, np.int64)
    table = np.zeros(3 * slots, np.int64)
    tree = InfosetTable(words, words.view(np.int64), words.view(np.int32), table, counters, action_numbers)
    clear(tree)
    return tree


def room_for(nodes: int, words: int) -> int:
    """Return the memory in bytes in which a tree of so many nodes and words has room."""
    slots = FIRST_SLOTS
    while 3 * slots < 4 * nodes:
        slots *= 2
    return max(16 * slots * SHARE_OF_TABLE, 10 * words)


def clear(tree: InfosetTable) -> None:
    """Forget everything."""
    for base, slots in ((BASE, SLOTS), (OLD_BASE, OLD_SLOTS)):
        begin = int(tree.counters[base])
        tree.slots[begin : begin + 2 * int(tree.counters[slots])] = 0
    tree.counters[:] = 0
    tree.counters[WORDS], tree.counters[SLOTS] = FIRST_NODE, FIRST_SLOTS


def most_slots(tree: InfosetTable) -> int:
    """Return S, the slots of the largest table there is room for."""
    return int(tree.slots.size // 3)


def next_epoch(tree: InfosetTable) -> None:
    """Begin a new move: nodes not visited from now on can be dropped."""
    tree.counters[NOW] += 1


@inline_kernel
def action_count(tree: InfosetTable, node: int) -> int:
    """Return k, the number of actions of a node."""
    return int(tree.ints[2 * node + ACTIONS])


@inline_kernel
def player_at(tree: InfosetTable, node: int) -> int:
    """Return who acts at a node."""
    return int(tree.ints[2 * node + PLAYER])


@inline_kernel
def visit_count(tree: InfosetTable, node: int) -> int:
    """Return how often a node was visited."""
    return int(tree.ints[2 * node + VISITS])


@inline_kernel
def state_tag(keys: U64, at: int, player: int, actions: I64, begin: int, count: int) -> np.uint64:
    """Return a 64-bit hash of the player at `keys[at]` and its `count` legal actions from `begin` on."""
    total = np.uint64(player) * K3 + np.uint64(count)
    for position in range(begin, begin + count):
        total = total * K1 + np.uint64(actions[position])
    total = (total ^ (total >> S28)) * K1
    return np.uint64(keys[at + 1] ^ total ^ (total >> S32))


@inline_kernel
def place_of(first: np.uint64, mask: int) -> int:
    """Return the slot at which the search for a key begins; it does not depend on the legal actions."""
    return int(np.int64(first >> S28)) & mask


@inline_kernel
def find_in(tree: InfosetTable, base: int, slots: int, first: np.uint64, second: np.uint64) -> int:
    """Return the node of a key in the table of `slots` slots at `base`, or NO_NODE."""
    mask = slots - 1
    place = place_of(first, mask)
    while True:
        node = tree.slots[base + 2 * place + 1]
        if node == NO_NODE:
            return NO_NODE
        if np.uint64(tree.slots[base + 2 * place]) == first and np.uint64(tree.longs[node + 1]) == second:
            return int(node)
        place = (place + 1) & mask


@inline_kernel
def find(tree: InfosetTable, first: np.uint64, second: np.uint64) -> int:
    """Return the node of a key, or NO_NODE."""
    node = find_in(tree, tree.counters[BASE], tree.counters[SLOTS], first, second)
    if node == NO_NODE and tree.counters[OLD_SLOTS] > 0:
        node = find_in(tree, tree.counters[OLD_BASE], tree.counters[OLD_SLOTS], first, second)
    return node


@inline_kernel
def insert_slot(tree: InfosetTable, node: int) -> None:
    """Insert a node that the table does not have."""
    base, mask = tree.counters[BASE], tree.counters[SLOTS] - 1
    first = np.uint64(tree.longs[node])
    place = place_of(first, mask)
    while tree.slots[base + 2 * place + 1] != NO_NODE:
        place = (place + 1) & mask
    tree.slots[base + 2 * place] = tree.longs[node]
    tree.slots[base + 2 * place + 1] = node


@inline_kernel
def block_words(tree: InfosetTable, count: int) -> int:
    """Return the length in words of the block of a node with `count` actions."""
    return int(HEADER_WORDS + tree.action_numbers * count)


@inline_kernel
def empty_slots(tree: InfosetTable, base: int, slots: int) -> None:
    """Empty a table."""
    tree.slots[base : base + 2 * slots] = 0


@kernel
def rebuild_table(tree: InfosetTable, slots: int) -> None:
    """Insert all nodes into a new table of `slots` slots."""
    empty_slots(tree, tree.counters[BASE], tree.counters[SLOTS])
    empty_slots(tree, tree.counters[OLD_BASE], tree.counters[OLD_SLOTS])
    tree.counters[SLOTS], tree.counters[BASE], tree.counters[OLD_SLOTS] = slots, 0, 0
    node = FIRST_NODE
    while node < tree.counters[WORDS]:
        insert_slot(tree, node)
        node += block_words(tree, action_count(tree, node))


@inline_kernel
def next_base(tree: InfosetTable) -> int:
    """Return where the next table will begin: at the other end of the memory for slots."""
    return int(0 if tree.counters[BASE] > 0 else tree.slots.size - 2 * SLOT_GROWTH * tree.counters[SLOTS])


@inline_kernel
def begin_larger_table(tree: InfosetTable) -> None:
    """Begin to use a larger table, into which the nodes of the old one are moved little by little."""
    base = next_base(tree)
    tree.counters[OLD_SLOTS], tree.counters[OLD_BASE] = tree.counters[SLOTS], tree.counters[BASE]
    tree.counters[SLOTS] *= SLOT_GROWTH
    tree.counters[BASE], tree.counters[MOVED] = base, FIRST_NODE


@inline_kernel
def bring_along(tree: InfosetTable, nodes: int) -> None:
    """Move some nodes of the old table into the new one; empty the old one when all are moved.

    Nodes are in the order in which they were added, so the first node that is already in the new table ends the move.
    """
    node = tree.counters[MOVED]
    for _ in range(nodes):
        if node >= tree.counters[WORDS] or find_in(
            tree,
            tree.counters[BASE],
            tree.counters[SLOTS],
            np.uint64(tree.longs[node]),
            np.uint64(tree.longs[node + 1]),
        ):
            empty_slots(tree, tree.counters[OLD_BASE], tree.counters[OLD_SLOTS])
            tree.counters[OLD_SLOTS] = 0
            break
        insert_slot(tree, node)
        node += block_words(tree, action_count(tree, node))
    tree.counters[MOVED] = node


@inline_kernel
def add(tree: InfosetTable, first: np.uint64, second: np.uint64, player: int, count: int) -> int:
    """Add a node that the tree does not have, with all numbers 0; return it, or NO_NODE if memory is full."""
    length = block_words(tree, count)
    node = tree.counters[WORDS]
    if node + length > tree.words.size or 4 * tree.counters[NODES] > 3 * tree.counters[SLOTS]:
        return NO_NODE
    tree.longs[node] = np.int64(first)
    tree.longs[node + 1] = np.int64(second)
    tree.ints[2 * node + ACTIONS] = count
    tree.ints[2 * node + PLAYER] = player
    tree.ints[2 * node + VISITS] = 0
    tree.words[node + HEADER_WORDS : node + length] = 0.0
    tree.counters[WORDS] = node + length
    tree.counters[NODES] += 1
    insert_slot(tree, node)
    if tree.counters[OLD_SLOTS] > 0:
        bring_along(tree, MOVED_AT_ONCE)
    elif 2 * tree.counters[NODES] > tree.counters[SLOTS] and SLOT_GROWTH * tree.counters[SLOTS] <= tree.slots.size // 3:
        begin_larger_table(tree)
    return int(node)


@inline_kernel
def visit(tree: InfosetTable, node: int) -> None:
    """Count a visit of a node."""
    tree.ints[2 * node + VISITS] = min(visit_count(tree, node), MAX_VISITS - 1) + 1
    tree.ints[2 * node + EPOCH] = tree.counters[NOW]


@inline_kernel
def numbers_of(node: int) -> int:
    """Return the word at which the numbers of a node's actions begin."""
    return node + HEADER_WORDS


@inline_kernel
def action_numbers(tree: InfosetTable, node: int, field: int, count: int) -> F64:
    """Return `[count]` a field of the numbers of a node's `count` actions: a view."""
    begin = node + HEADER_WORDS + field * count
    return tree.words[begin : begin + count]


@kernel
def drop_unvisited(tree: InfosetTable) -> int:
    """Drop the nodes that have not been visited in the present epoch; return their number."""
    before = tree.counters[NODES]
    node, to = FIRST_NODE, FIRST_NODE
    kept = 0
    while node < tree.counters[WORDS]:
        length = block_words(tree, action_count(tree, node))
        if tree.ints[2 * node + EPOCH] >= tree.counters[NOW]:
            if to != node:
                tree.longs[to : to + length] = tree.longs[node : node + length]
            to += length
            kept += 1
        node += length
    tree.counters[WORDS] = to
    tree.counters[NODES] = kept
    tree.counters[DROPPED] += before - kept
    rebuild_table(tree, tree.counters[SLOTS])
    return int(before - kept)


@kernel
def find_node(tree: InfosetTable, keys: U64, at: int, player: int, actions: I64, count: int) -> int:
    """Return the node of a player's information state, for callers outside of kernels; NO_NODE if there is none."""
    return find(tree, keys[at], state_tag(keys, at, player, actions, 0, count))
