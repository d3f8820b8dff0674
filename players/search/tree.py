"""The search tree that all tree searches share: nodes and blocks of numbers in one piece of memory.

Dimensions: P players, K actions of all players of a node together, J joint actions of a node, M words of memory.

Memory is one array of M 64-bit words, read as float64 (`words`) or as pairs of int32 (`halves`). Blocks grow from its
front, node records from its end; the tree is full when they meet. A full tree takes no more nodes: searches go on,
with playouts from its frontier. Memory that is never used is never touched, so a large M costs nothing by itself.

Record of node `n`: four int32 at `halves[record(tree, n)]`:

    KIND        DECISION, CHANCE or TERMINAL
    VISITS      iterations that came through this node
    STATISTICS  first word of its statistics block, or NONE before it is expanded (decision nodes)
    CHILDREN    first word of its table of children, or NONE before it has one

A node is added when it is first reached, and expanded when it is reached again. A child has a larger number than its
parent. Statistics block, from word `b`:

    int32    owner, length in words, K, J, selections made so far, k_0 .. k_(P-1) actions of each player,
             the K actions themselves, player by player                               (padded to whole words)
    float64  node numbers, then action numbers: field by field, each K long, then joint numbers: field by field, J long
    int32    joint counts, J long, for searches that keep them                        (padded to whole words)

How many numbers of each sort a node has, the search says in the tree's sizes. Joint actions are numbered row-major over
the positions of the players' actions, the first player's slowest; a player who does not act has one action, 0. Table of
children, from word `c`:

    int32    ~owner, length in words, capacity, children held; then if `capacity` is DENSE: child or NO_NODE for each
             joint action; else a hash table of `capacity` pairs (key, child), by linear probing
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.model.jit import F64, I32, I64, kernel, part

DECISION, CHANCE, TERMINAL = 0, 1, 2
KIND, VISITS, STATISTICS, CHILDREN = 0, 1, 2, 3
RECORD_HALVES = 4
OWNER, LENGTH, ACTIONS, JOINT_ACTIONS, SELECTIONS, HEADER_HALVES = 0, 1, 2, 3, 4, 5
CAPACITY, HELD, TABLE_HALVES = 2, 3, 4
NODES, WORDS, ROOT, COUNTERS = 0, 1, 2, 3
NONE = 0
NO_NODE = -1
ABANDONED = -(2**31)
DENSE = 0
DENSE_LIMIT = 4096
FIRST_CAPACITY = 4


class Tree(NamedTuple):
    """A search tree; see the module's text for the layout."""

    words: F64  # [M]
    halves: I32  # [2 * M], the same memory
    counters: I64  # [COUNTERS] nodes in use, words of blocks in use, number of the root
    players: int
    node_numbers: int  # float64 numbers of a node
    action_numbers: int  # float64 numbers of each action
    joint_numbers: int  # float64 numbers of each joint action
    joint_counts: int  # 1 where joint actions are counted, else 0


def new_tree(
    memory_bytes: int, players: int, node_numbers: int, action_numbers: int, joint_numbers: int, joint_counts: int
) -> Tree:
    """Return an empty tree; `clear` gives it its root."""
    words = np.zeros(max(1024, min(memory_bytes // 8, 2**31 - 1)), np.float64)
    counters = np.zeros(COUNTERS, np.int64)
    sizes = players, node_numbers, action_numbers, joint_numbers, joint_counts
    return Tree(words, words.view(np.int32), counters, *sizes)


@part
def record(tree: Tree, node: int) -> int:
    """Return where in `halves` the record of a node begins."""
    return tree.halves.size - RECORD_HALVES * (node + 1)


@part
def free_words(tree: Tree) -> int:
    """Return how many words lie between the blocks and the node records."""
    return int(tree.words.size - tree.counters[WORDS] - tree.counters[NODES] * (RECORD_HALVES // 2))


@part
def add_node(tree: Tree, kind: int) -> int:
    """Append a node that has never been visited and return its number, or NO_NODE when the tree is full."""
    if free_words(tree) < RECORD_HALVES // 2:
        return NO_NODE
    node = tree.counters[NODES]
    tree.counters[NODES] = node + 1
    at = record(tree, node)
    tree.halves[at + KIND] = kind
    tree.halves[at + VISITS] = 0
    tree.halves[at + STATISTICS] = NONE
    tree.halves[at + CHILDREN] = NONE
    return int(node)


@kernel
def clear(tree: Tree, kind: int) -> None:
    """Forget everything and begin with a root of the given kind."""
    tree.counters[NODES] = 0
    tree.counters[WORDS] = 1  # word 0 stays unused: block number 0 means none
    tree.counters[ROOT] = add_node(tree, kind)


@part
def allocate(tree: Tree, length: int, owner: int) -> int:
    """Append a block of `length` words, all zero but its owner and length; return its first word or NONE if full."""
    if free_words(tree) < length:
        return NONE
    block = tree.counters[WORDS]
    tree.counters[WORDS] = block + length
    tree.words[block : block + length] = 0.0
    tree.halves[2 * block + OWNER] = owner
    tree.halves[2 * block + LENGTH] = length
    return int(block)


# --- statistics -------------------------------------------------------------------------------------------------------


@part
def numbers_begin(tree: Tree, block: int) -> int:
    """Return the word where the numbers of a statistics block begin: those of the node itself."""
    return int(block + (HEADER_HALVES + tree.players + tree.halves[2 * block + ACTIONS] + 1) // 2)


@part
def action_begin(tree: Tree, block: int) -> int:
    """Return the word where the action numbers of a statistics block begin."""
    return numbers_begin(tree, block) + tree.node_numbers


@part
def joint_begin(tree: Tree, block: int) -> int:
    """Return the word where the joint numbers of a statistics block begin."""
    return int(action_begin(tree, block) + tree.action_numbers * tree.halves[2 * block + ACTIONS])


@part
def counts_begin(tree: Tree, block: int) -> int:
    """Return where in `halves` the joint counts of a statistics block begin."""
    return int(2 * (joint_begin(tree, block) + tree.joint_numbers * tree.halves[2 * block + JOINT_ACTIONS]))


@part
def first_action(tree: Tree, block: int, player: int) -> int:
    """Return the position of a player's first action among the actions of all players."""
    first = 0
    for earlier in range(player):
        first += tree.halves[2 * block + HEADER_HALVES + earlier]
    return first


@part
def add_statistics(tree: Tree, node: int, action_counts: I64, actions: I64) -> int:
    """Give a decision node its statistics, all zero, and its table of children.

    Args:
        tree: changed.
        node: a decision node without statistics.
        action_counts: `[P]` how many actions each player has, 1 where it does not act.
        actions: `[K]` the actions, player by player.

    Returns:
        The block, or NONE when the tree is full; then nothing is changed.
    """
    all_actions, joint_actions = 0, 1
    for player in range(tree.players):
        all_actions += action_counts[player]
        joint_actions *= action_counts[player]
    numbers = tree.node_numbers + tree.action_numbers * all_actions + tree.joint_numbers * joint_actions
    header = (HEADER_HALVES + tree.players + all_actions + 1) // 2
    length = header + numbers + (tree.joint_counts * joint_actions + 1) // 2
    dense = joint_actions <= DENSE_LIMIT
    table_halves = TABLE_HALVES + (joint_actions if dense else 2 * FIRST_CAPACITY)
    if free_words(tree) < length + (table_halves + 1) // 2:
        return NONE
    block = allocate(tree, length, node)
    at = 2 * block
    tree.halves[at + ACTIONS] = all_actions
    tree.halves[at + JOINT_ACTIONS] = joint_actions
    for player in range(tree.players):
        tree.halves[at + HEADER_HALVES + player] = action_counts[player]
    for index in range(all_actions):
        tree.halves[at + HEADER_HALVES + tree.players + index] = actions[index]
    table = allocate(tree, (table_halves + 1) // 2, ~node)
    first = 2 * table + TABLE_HALVES
    tree.halves[2 * table + CAPACITY] = DENSE if dense else FIRST_CAPACITY
    tree.halves[first : 2 * table + table_halves] = NO_NODE
    tree.halves[record(tree, node) + STATISTICS] = block
    tree.halves[record(tree, node) + CHILDREN] = table
    return block


# --- children ---------------------------------------------------------------------------------------------------------


@part
def slot_of(tree: Tree, table: int, key: int) -> int:
    """Return where in `halves` a hash table holds a key, or the free pair where it would go."""
    capacity = tree.halves[2 * table + CAPACITY]
    first = 2 * table + TABLE_HALVES
    position = ((key * 2654435761) >> 15) & (capacity - 1)
    while True:
        at = first + 2 * position
        if tree.halves[at] == key or tree.halves[at] == NO_NODE:
            return int(at)
        position = (position + 1) & (capacity - 1)


@part
def child_of(tree: Tree, node: int, key: int) -> int:
    """Return the child reached by a joint action (its number) or chance outcome, or NO_NODE."""
    table = tree.halves[record(tree, node) + CHILDREN]
    if table == NONE:
        return NO_NODE
    if tree.halves[2 * table + CAPACITY] == DENSE:
        return int(tree.halves[2 * table + TABLE_HALVES + key])
    at = slot_of(tree, table, key)
    return tree.halves[at + 1] if tree.halves[at] == key else NO_NODE


@kernel
def grow_table(tree: Tree, node: int, old: int) -> int:
    """Give a node an empty hash table, or one of twice the size of `old`; return it, or NONE when the tree is full."""
    capacity = FIRST_CAPACITY if old == NONE else 2 * tree.halves[2 * old + CAPACITY]
    table = allocate(tree, TABLE_HALVES // 2 + capacity, ~node)
    if table == NONE:
        return NONE
    first = 2 * table + TABLE_HALVES
    tree.halves[2 * table + CAPACITY] = capacity
    tree.halves[first : first + 2 * capacity] = NO_NODE
    if old != NONE:
        begin = 2 * old + TABLE_HALVES
        for at in range(begin, begin + capacity, 2):
            if tree.halves[at] != NO_NODE:
                to = slot_of(tree, table, tree.halves[at])
                tree.halves[to] = tree.halves[at]
                tree.halves[to + 1] = tree.halves[at + 1]
        tree.halves[2 * table + HELD] = tree.halves[2 * old + HELD]
        tree.halves[2 * old + OWNER] = ABANDONED
    tree.halves[record(tree, node) + CHILDREN] = table
    return table


@part
def add_child(tree: Tree, node: int, key: int, kind: int) -> int:
    """Append a node as the child that a joint action or chance outcome leads to; NO_NODE when the tree is full."""
    table = tree.halves[record(tree, node) + CHILDREN]
    hashed = table == NONE or tree.halves[2 * table + CAPACITY] != DENSE
    if hashed and (table == NONE or 4 * tree.halves[2 * table + HELD] >= 3 * tree.halves[2 * table + CAPACITY]):
        table = grow_table(tree, node, table)
        if table == NONE:
            return NO_NODE
    child = add_node(tree, kind)
    if child == NO_NODE:
        return NO_NODE
    if hashed:
        at = slot_of(tree, table, key)
        tree.halves[at] = key
        tree.halves[at + 1] = child
    else:
        tree.halves[2 * table + TABLE_HALVES + key] = child
    tree.halves[2 * table + HELD] += 1
    return child
