"""Keeping the tree from move to move: the child that play reached becomes the root, and memory is reclaimed.

Making another node the root costs nothing; what is no longer below it stays in memory, dead. Once more than a quarter
of the memory is in use, the live part is slid together: nodes are visited in ascending order (a child has a larger
number than its parent, so one pass marks all that live), then blocks are moved to the front in the order in which they
lie.
"""

from __future__ import annotations

import numpy as np

from ggp.model.jit import I32, kernel, part
from players.search.tree import (
    ABANDONED,
    CAPACITY,
    CHILDREN,
    DENSE,
    LENGTH,
    NO_NODE,
    NODES,
    NONE,
    OWNER,
    RECORD_HALVES,
    ROOT,
    STATISTICS,
    TABLE_HALVES,
    WORDS,
    Tree,
    child_of,
    free_words,
    record,
)


def make_root(tree: Tree, key: int) -> bool:
    """Make the root's child by a joint action or chance outcome the root, if the tree has it.

    Returns:
        False when the tree has no such child; then nothing is changed, and the caller clears the tree.
    """
    child = child_of(tree, int(tree.counters[ROOT]), key)
    if child == NO_NODE:
        return False
    tree.counters[ROOT] = child
    return True


def reclaim(tree: Tree) -> None:
    """Slide the part below the root together, if more than a quarter of the memory is in use."""
    if 4 * free_words(tree) < 3 * tree.words.size:
        slide_together(tree, np.full(int(tree.counters[NODES]), NO_NODE, np.int32))


@part
def first_child_slot(tree: Tree, table: int) -> int:
    """Return where in `halves` the first child of a table stands."""
    return int(2 * table + TABLE_HALVES + (tree.halves[2 * table + CAPACITY] != DENSE))


@part
def child_slot_step(tree: Tree, table: int) -> int:
    """Return how far apart the children of a table stand."""
    return 1 if tree.halves[2 * table + CAPACITY] == DENSE else 2


@part
def table_end(tree: Tree, table: int) -> int:
    """Return where in `halves` a table ends. The padding of a dense one reads as a node 0: never a child."""
    return int(2 * (table + tree.halves[2 * table + LENGTH]))


@kernel
def slide_together(tree: Tree, new_number: I32) -> None:
    """Move all that lives below the root to the front of the memory, and the root to number 0.

    Args:
        tree: changed.
        new_number: `[nodes in use]`, all NO_NODE; overwritten with the new number of each node that lives.
    """
    root = tree.counters[ROOT]
    new_number[root] = 0
    live = 0
    for node in range(root, tree.counters[NODES]):
        if new_number[node] != NO_NODE:
            new_number[node] = live
            live += 1
            table = tree.halves[record(tree, node) + CHILDREN]
            if table != NONE:
                step = child_slot_step(tree, table)
                for at in range(first_child_slot(tree, table), table_end(tree, table), step):
                    if tree.halves[at] > 0:
                        new_number[tree.halves[at]] = 0
    move_blocks(tree, new_number)
    for node in range(root, tree.counters[NODES]):
        if new_number[node] != NO_NODE:
            source, target = record(tree, node), record(tree, new_number[node])
            for field in range(RECORD_HALVES):
                tree.halves[target + field] = tree.halves[source + field]
    tree.counters[NODES] = live
    tree.counters[ROOT] = 0


@kernel
def move_blocks(tree: Tree, new_number: I32) -> None:
    """Move the blocks of the nodes that have a new number to the front, and give owners and children their numbers."""
    source, target = 1, 1
    while source < tree.counters[WORDS]:
        length = tree.halves[2 * source + LENGTH]
        owner = tree.halves[2 * source + OWNER]
        is_table = owner < 0
        node = ~owner if is_table else owner
        if owner != ABANDONED and new_number[node] != NO_NODE:
            for half in range(2 * length):  # target <= source: ascending order is safe
                tree.halves[2 * target + half] = tree.halves[2 * source + half]
            number = new_number[node]
            tree.halves[2 * target + OWNER] = ~number if is_table else number
            tree.halves[record(tree, node) + (CHILDREN if is_table else STATISTICS)] = target
            if is_table:
                for at in range(first_child_slot(tree, target), table_end(tree, target), child_slot_step(tree, target)):
                    if tree.halves[at] > 0:
                        tree.halves[at] = new_number[tree.halves[at]]
            target += length
        source += length
    tree.counters[WORDS] = target
