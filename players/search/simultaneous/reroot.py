"""Keeping the tree from move to move: the child that play reached becomes the root, and memory is reclaimed.

Making another node the root costs nothing; blocks that are no longer below it stay in memory, dead. Once more than a
quarter of the memory is in use, the live blocks are compacted in two passes. The blocks of a node's children, and its
table, lie after the node's own block. So one ascending pass finds the live blocks and their new places, and a second
ascending pass can move them without overwriting a block that is still to be moved.
"""

from __future__ import annotations

from ggp.codegen.kernels import inline_kernel, kernel
from players.search.simultaneous.tree import (
    FIRST_NODE,
    FORWARD,
    NODES,
    NONE,
    ROOT_ENTRY,
    TABLE,
    TABLE_OF_CHILDREN,
    TABLE_WORDS,
    WORDS,
    Tree,
    block_kind,
    block_length,
    child_of,
    clear,
    entries_begin,
    free_words,
    joint_action_count,
    root_of,
    table_of,
)

LIVES = 1
"""In FORWARD: the block is live, and its new place is not known yet."""


def make_root(tree: Tree, key: int) -> bool:
    """Make the root's child by a joint action or chance outcome the root, if it was ever reached.

    Returns:
        False if it was not; then nothing is changed, and the caller clears the tree.
    """
    root = root_of(tree)
    child = child_of(tree, root, key)
    if child == NONE:
        return False
    tree.ints[ROOT_ENTRY] = child
    return True


def reclaim(tree: Tree) -> None:
    """Compact the part below the root if more than a quarter of the memory is in use."""
    if 4 * free_words(tree) < 3 * tree.words.size:
        slide_together(tree)


def slide_together(tree: Tree) -> None:
    """Move all blocks below the root to the front of the memory, and forget the rest."""
    root = root_of(tree)
    if root < FIRST_NODE:
        clear(tree, root)
    else:
        find_live(tree)
        move_live(tree)


@inline_kernel
def first_entry(tree: Tree, node: int) -> int:
    """Return the index in `ints` of the first child's entry of a node."""
    table = table_of(tree, node)
    return entries_begin(tree, node) if table == NONE else 2 * (table + TABLE_WORDS) + 1


@inline_kernel
def entry_step(tree: Tree, node: int) -> int:
    """Return the distance between the entries of a node's children."""
    return 1 if table_of(tree, node) == NONE else 2


@inline_kernel
def entries_end(tree: Tree, node: int) -> int:
    """Return the index in `ints` at which the entries of a node's children end."""
    table = table_of(tree, node)
    if table == NONE:
        return int(entries_begin(tree, node) + joint_action_count(tree, node))
    return int(2 * (table + block_length(tree, table)))


@kernel
def find_live(tree: Tree) -> None:
    """Write the new place of each block below the root to its FORWARD, and count the nodes."""
    root = tree.ints[ROOT_ENTRY]
    tree.ints[2 * root + FORWARD] = LIVES
    block, target, nodes = root, FIRST_NODE, 1
    while block < tree.counters[WORDS]:
        length = block_length(tree, block)
        if tree.ints[2 * block + FORWARD] == LIVES:
            tree.ints[2 * block + FORWARD] = target
            target += length
            if block_kind(tree, block) != TABLE_OF_CHILDREN:
                table = table_of(tree, block)
                if table != NONE:
                    tree.ints[2 * table + FORWARD] = LIVES
                for at in range(first_entry(tree, block), entries_end(tree, block), entry_step(tree, block)):
                    child = tree.ints[at]
                    nodes += child != NONE
                    if child >= FIRST_NODE:
                        tree.ints[2 * child + FORWARD] = LIVES
        block += length
    tree.counters[NODES] = nodes


@kernel
def move_live(tree: Tree) -> None:
    """Move the blocks that have a new place, after `find_live`."""
    block, end = tree.ints[ROOT_ENTRY], tree.counters[WORDS]
    tree.ints[ROOT_ENTRY] = tree.ints[2 * block + FORWARD]
    while block < end:
        length = block_length(tree, block)
        target = tree.ints[2 * block + FORWARD]
        if target != NONE:
            if block_kind(tree, block) != TABLE_OF_CHILDREN:
                for at in range(first_entry(tree, block), entries_end(tree, block), entry_step(tree, block)):
                    child = tree.ints[at]
                    if child >= FIRST_NODE:
                        tree.ints[at] = tree.ints[2 * child + FORWARD]
                table = table_of(tree, block)
                if table != NONE:
                    tree.ints[2 * block + TABLE] = tree.ints[2 * table + FORWARD]
            tree.ints[2 * block + FORWARD] = NONE
            for half in range(2 * length):  # target <= block: ascending order is safe
                tree.ints[2 * target + half] = tree.ints[2 * block + half]
            tree.counters[WORDS] = target + length
        block += length
