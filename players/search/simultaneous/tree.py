"""The search tree that all tree searches share: nodes and tables of children in one piece of memory.

Dimensions: P players, K actions of all players of a node together, J joint actions of a node, M words of memory.

Memory is one array of M 64-bit words, read as float64 (`words`) or as pairs of int32 (`ints`). Blocks are appended to
it until it is full; a full tree expands no more nodes, and searches continue with playouts from its frontier. Memory
that is not used is not touched, so a large M costs nothing by itself. Fields begin as 0 unless stated otherwise.

Children in tables, and the root in `ints[ROOT_ENTRY]`, are represented by entries:

    NONE               never reached
    LEAF               reached, not expanded
    END                reached, and terminal
    FIRST_NODE or more a node: the first word of its block

A node is expanded, and gets its block, when it is reached for the second time; so nodes that are reached only once,
most of the tree, take no memory but their entry. A child's block lies after its
parent's. Block of a node, from word `b`:

    int32    KIND      DECISION or CHANCE
             LENGTH    of the block, in words
             VISITS    iterations that continued below this node
             FORWARD   the new place of the block in `players.search.simultaneous.reroot`; otherwise 0
             TABLE     first word of its hash table of children, or NONE
    of decision nodes also
             ORDER     a constant number by which the node orders its untried actions
             ACTIONS   K
             JOINT_ACTIONS  J
             k_0 .. k_(P-1) actions of each player
             the K actions themselves, player by player
             entries of the children, J long, where J is at most DENSE_LIMIT
             joint counts, J long, for searches that keep them                        (padded to whole words)
    float64  node numbers, then action numbers: field by field, each K long, then joint numbers: field by field, J long

The search gives the tree the number of fields of each sort. Joint actions are numbered row-major over
the positions of the players' actions, the first player's slowest; a player who does not act has one action, 0. Other
nodes hold their children in a hash table, by linear probing:

    int32    KIND (TABLE_OF_CHILDREN), LENGTH, HELD children, FORWARD; then LENGTH - 2 pairs (key, entry)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, inline_kernel, kernel
from players.search.foundation.node_kinds import CHANCE, DECISION

NONE, LEAF, END, FIRST_NODE = 0, 1, 2, 3
ROOT_ENTRY = 0
NO_SLOT = -1
TABLE_OF_CHILDREN = 3
"""The kind of a table; those of nodes come before it."""
KIND, LENGTH, VISITS, FORWARD, TABLE, CHANCE_INTS = 0, 1, 2, 3, 4, 5
ORDER, ACTIONS, JOINT_ACTIONS, HEADER_INTS = 5, 6, 7, 8
HELD, TABLE_WORDS = 2, 2
NODES, WORDS, COUNTERS = 0, 1, 2
DENSE_LIMIT = 4096
MAX_COUNT = 2**31 - 1
"""Largest 32-bit count: visits stop there, and a node with more joint actions is not expanded."""
FIRST_CAPACITY = 4


class Tree(NamedTuple):
    """A search tree; see the module's text for the layout."""

    words: F64  # [M]
    ints: I32  # [2 * M], the same memory
    counters: I64  # [COUNTERS] nodes reached, leaves and ends of the game among them; words in use
    players: int
    node_numbers: int  # float64 numbers of a node
    action_numbers: int  # float64 numbers of each action
    joint_numbers: int  # float64 numbers of each joint action
    joint_counts: int  # 1 where joint actions are counted, else 0


def new_tree(
    memory_bytes: int, players: int, node_numbers: int, action_numbers: int, joint_numbers: int, joint_counts: int
) -> Tree:
    """Return an empty tree."""
    words = np.zeros(max(1024, min(memory_bytes // 8, 2**31 - 1)), np.float64)
    sizes = players, node_numbers, action_numbers, joint_numbers, joint_counts
    tree = Tree(words, words.view(np.int32), np.zeros(COUNTERS, np.int64), *sizes)
    clear(tree, LEAF)
    return tree


def clear(tree: Tree, root: int) -> None:
    """Forget everything and begin with a root that is not expanded: LEAF or END."""
    tree.ints[ROOT_ENTRY] = root
    tree.counters[NODES] = 1
    tree.counters[WORDS] = FIRST_NODE  # the words before are no node's, so that their numbers can mean something else


def root_of(tree: Tree) -> int:
    """Return the root: a node, or LEAF or END."""
    return int(tree.ints[ROOT_ENTRY])


def visits_of(tree: Tree, node: int) -> int:
    """Return the number of iterations that continued below a node; 0 for a leaf."""
    return visit_count(tree, node) if node >= FIRST_NODE else 0


# --- headers ----------------------------------------------------------------------------------------------------------


@inline_kernel
def block_kind(tree: Tree, block: int) -> int:
    """Return DECISION or CHANCE, or TABLE_OF_CHILDREN."""
    return int(tree.ints[2 * block + KIND])


@inline_kernel
def block_length(tree: Tree, block: int) -> int:
    """Return the length of a block in words."""
    return int(tree.ints[2 * block + LENGTH])


@inline_kernel
def visit_count(tree: Tree, node: int) -> int:
    """Return the number of iterations that continued below a node."""
    return int(tree.ints[2 * node + VISITS])


@inline_kernel
def count_visit(tree: Tree, node: int) -> None:
    """Count an iteration that continues below a node."""
    count_one(tree.ints, 2 * node + VISITS)


@inline_kernel
def table_of(tree: Tree, node: int) -> int:
    """Return the hash table of a node's children, or NONE."""
    return int(tree.ints[2 * node + TABLE])


@inline_kernel
def order_of(tree: Tree, node: int) -> int:
    """Return the number by which a decision node orders the actions it has not tried."""
    return int(tree.ints[2 * node + ORDER])


@inline_kernel
def action_count(tree: Tree, node: int, player: int) -> int:
    """Return the number of actions of a player at a decision node."""
    return int(tree.ints[2 * node + HEADER_INTS + player])


@inline_kernel
def total_actions(tree: Tree, node: int) -> int:
    """Return K, the number of actions of all players together at a decision node."""
    return int(tree.ints[2 * node + ACTIONS])


@inline_kernel
def joint_action_count(tree: Tree, node: int) -> int:
    """Return J, the number of joint actions of a decision node."""
    return int(tree.ints[2 * node + JOINT_ACTIONS])


@inline_kernel
def actions_begin(tree: Tree, node: int) -> int:
    """Return the index in `ints` at which the actions of a decision node begin, player by player."""
    return int(2 * node + HEADER_INTS + tree.players)


@inline_kernel
def count_one(counts: I32, at: int) -> int:
    """Add 1 to a count, unless it is MAX_COUNT, and return it."""
    count = min(int(counts[at]) + 1, MAX_COUNT)
    counts[at] = count
    return count


@inline_kernel
def free_words(tree: Tree) -> int:
    """Return the number of unused words."""
    return int(tree.words.size - tree.counters[WORDS])


@inline_kernel
def allocate(tree: Tree, kind: int, length: int) -> int:
    """Append a block of `length` words, all 0 except its kind and length; return its first word, or NONE if full."""
    if free_words(tree) < length:
        return NONE
    block = tree.counters[WORDS]
    tree.counters[WORDS] = block + length
    tree.words[block : block + length] = 0.0
    tree.ints[2 * block + KIND] = kind
    tree.ints[2 * block + LENGTH] = length
    return int(block)


# --- nodes ------------------------------------------------------------------------------------------------------------


@inline_kernel
def entries_begin(tree: Tree, node: int) -> int:
    """Return the index in `ints` of the first entry of a decision node's children, if it has no hash table."""
    return actions_begin(tree, node) + total_actions(tree, node)


@inline_kernel
def counts_begin(tree: Tree, node: int) -> int:
    """Return the index in `ints` at which the joint counts of a decision node begin."""
    dense = table_of(tree, node) == NONE
    return int(entries_begin(tree, node) + (joint_action_count(tree, node) if dense else 0))


@inline_kernel
def numbers_begin(tree: Tree, node: int) -> int:
    """Return the word where the numbers of a decision node begin: those of the node itself."""
    ints = counts_begin(tree, node) + tree.joint_counts * joint_action_count(tree, node)
    return int((ints + 1) // 2)


@inline_kernel
def first_action(tree: Tree, node: int, player: int) -> int:
    """Return the position of a player's first action among the actions of all players."""
    first = 0
    for earlier in range(player):
        first += action_count(tree, node, earlier)
    return first


@inline_kernel
def node_numbers(tree: Tree, node: int) -> F64:
    """Return the numbers of a decision node itself: a view, as of all fields."""
    begin = numbers_begin(tree, node)
    return tree.words[begin : begin + tree.node_numbers]


@inline_kernel
def action_numbers(tree: Tree, node: int, player: int, field: int) -> F64:
    """Return `[k]` a field of the action numbers: those of a player's k actions at a decision node."""
    begin = numbers_begin(tree, node) + tree.node_numbers + field * total_actions(tree, node)
    begin += first_action(tree, node, player)
    return tree.words[begin : begin + action_count(tree, node, player)]


@inline_kernel
def joint_numbers(tree: Tree, node: int) -> F64:
    """Return `[J]` the first field of the joint numbers of a decision node."""
    begin = numbers_begin(tree, node) + tree.node_numbers + tree.action_numbers * total_actions(tree, node)
    return tree.words[begin : begin + joint_action_count(tree, node)]


@inline_kernel
def joint_counts(tree: Tree, node: int) -> I32:
    """Return `[J]` how often each joint action of a decision node was chosen."""
    begin = counts_begin(tree, node)
    return tree.ints[begin : begin + joint_action_count(tree, node)]


@inline_kernel
def add_decision(tree: Tree, slot: int, action_counts: I64, actions: I64) -> int:
    """Append a decision node whose numbers are all 0.

    Args:
        tree: changed.
        slot: index in `ints` of its entry, which is overwritten.
        action_counts: `[P]` the number of actions of each player, 1 if it does not act.
        actions: `[K]` the actions, player by player.

    Returns:
        The node, or NONE if the tree is full or J too large; then nothing is changed.
    """
    all_actions, joint_actions = 0, 1
    for player in range(tree.players):
        all_actions += action_counts[player]
        joint_actions *= action_counts[player]
        if joint_actions > MAX_COUNT:
            return NONE
    dense = joint_actions <= DENSE_LIMIT
    numbers = tree.node_numbers + tree.action_numbers * all_actions + tree.joint_numbers * joint_actions
    ints = HEADER_INTS + tree.players + all_actions + joint_actions * (tree.joint_counts + (1 if dense else 0))
    length = (ints + 1) // 2 + numbers
    if not dense and free_words(tree) < length + TABLE_WORDS + FIRST_CAPACITY:
        return NONE
    node = allocate(tree, DECISION, length)
    if node == NONE:
        return NONE
    at = 2 * node
    tree.ints[at + ORDER] = node
    tree.ints[at + ACTIONS] = all_actions
    tree.ints[at + JOINT_ACTIONS] = joint_actions
    for player in range(tree.players):
        tree.ints[at + HEADER_INTS + player] = action_counts[player]
    for index in range(all_actions):
        tree.ints[at + HEADER_INTS + tree.players + index] = actions[index]
    if not dense:
        tree.ints[at + TABLE] = allocate(tree, TABLE_OF_CHILDREN, TABLE_WORDS + FIRST_CAPACITY)
    tree.ints[slot] = node
    return node


@inline_kernel
def add_chance(tree: Tree, slot: int) -> int:
    """Append a chance node, and write it at `slot`; return NONE if the tree is full."""
    length = (CHANCE_INTS + 1) // 2
    if free_words(tree) < length + TABLE_WORDS + FIRST_CAPACITY:
        return NONE
    node = allocate(tree, CHANCE, length)
    tree.ints[2 * node + TABLE] = allocate(tree, TABLE_OF_CHILDREN, TABLE_WORDS + FIRST_CAPACITY)
    tree.ints[slot] = node
    return node


# --- children ---------------------------------------------------------------------------------------------------------


@inline_kernel
def find_pair(tree: Tree, table: int, key: int) -> int:
    """Return the index in `ints` of a key's pair in a hash table, or of the free pair for it."""
    capacity = block_length(tree, table) - TABLE_WORDS
    first = 2 * (table + TABLE_WORDS)
    position = ((int(key) * 2654435761) >> 15) & (capacity - 1)
    while True:
        at = first + 2 * position
        if tree.ints[at] == key or tree.ints[at + 1] == NONE:
            return int(at)
        position = (position + 1) & (capacity - 1)


@inline_kernel
def child_of(tree: Tree, node: int, key: int) -> int:
    """Return the entry of the child reached by a joint action (its number) or chance outcome."""
    if node < FIRST_NODE:
        return NONE
    table = table_of(tree, node)
    if table == NONE:
        return int(tree.ints[entries_begin(tree, node) + key])
    return int(tree.ints[find_pair(tree, table, key) + 1])


@kernel
def grow_table(tree: Tree, node: int) -> int:
    """Give a node a hash table of twice the size; return it, or NONE if the tree is full."""
    old = table_of(tree, node)
    capacity = block_length(tree, old) - TABLE_WORDS
    table = allocate(tree, TABLE_OF_CHILDREN, TABLE_WORDS + 2 * capacity)
    if table == NONE:
        return NONE
    first = 2 * (old + TABLE_WORDS)
    for at in range(first, first + 2 * capacity, 2):
        if tree.ints[at + 1] != NONE:
            to = find_pair(tree, table, tree.ints[at])
            tree.ints[to] = tree.ints[at]
            tree.ints[to + 1] = tree.ints[at + 1]
    tree.ints[2 * table + HELD] = tree.ints[2 * old + HELD]
    tree.ints[2 * node + TABLE] = table
    return table


@inline_kernel
def slot_of(tree: Tree, node: int, key: int) -> int:
    """Return the index in `ints` of a child's entry, which may be new; NO_SLOT if the tree is full."""
    table = table_of(tree, node)
    if table == NONE:
        return entries_begin(tree, node) + key
    at = find_pair(tree, table, key)
    if tree.ints[at + 1] == NONE:
        capacity = block_length(tree, table) - TABLE_WORDS
        if 4 * tree.ints[2 * table + HELD] >= 3 * capacity:
            table = grow_table(tree, node)
            if table == NONE:
                return NO_SLOT
            at = find_pair(tree, table, key)
        tree.ints[at] = key
        tree.ints[2 * table + HELD] += 1
    return at + 1
