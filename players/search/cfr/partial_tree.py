"""The tree of the full-width searches: an expanded node has all its children, and they lie in one block with it.

Dimensions: R, C actions of the two players at a node (1 for one who does not act; at a chance node R outcomes, C = 1),
J = R C children, K = R + C actions of both (at a chance node none), V copies, F action fields, M words of memory.

Memory is one array of M 64-bit words, read as float64 (`words`) or as pairs of int32 (`ints`). A block is an expanded
node together with its children; a child without a block of its own is a leaf. Blocks lie in breadth-first order without
gaps: a sweep from the front meets parents before children, a sweep from the end children before parents, without any
look-up. A leaf costs 12 bytes (20 with two copies). Block from word `b`:

    int32    LENGTH in words, PARENT block or NONE, PLACE among the parent's children, PREVIOUS block or NONE,
             ROWS R, COLUMNS C, KIND, WAS (the parent's link before), BORN (sweeps made before), DEPTH below the root
    float64  reach probabilities, 1 + V; then at a decision F fields of numbers, each K long (the first player's
             actions, then the second's); at a chance node the probability of each outcome
    float64  values of the children to the first player, scaled to [0, 1]: V times J
    int32    labels: the K actions, or the J outcomes; then J links: a block, or NEW, VALUED, ENDED
             (padded to whole words)

Children are numbered row-major by joint action, the first player's slowest, or by the position of the outcome.
With one copy V = 1 there is one opponent; with two, the values in the second are those against a second, fixed one
(`counterfactual_regret.py`). Why not the tree of the sampling searches: docs/architecture.md, "Trees and kernels".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, inline_kernel, kernel
from players.search.foundation.node_kinds import CHANCE, DECISION

LENGTH, PARENT, PLACE, PREVIOUS, ROWS, COLUMNS, KIND, WAS, BORN, DEPTH, HEADER_INTS = range(11)
NONE = 0
NEW, VALUED, ENDED = 0, -1, -2
"""Links of leaves: nothing known yet; valued, not the end of the game; the end of the game."""
WORDS, NODES, LAST, BLOCKS, COUNTERS = range(5)
FIRST = 1
"""The root's block. Word 0 stays unused: block number 0 means none."""


class PartialTree(NamedTuple):
    """A tree of blocks; see the module's text for the layout."""

    words: F64  # [M]
    ints: I32  # [2 * M], the same memory
    counters: I64  # [COUNTERS] words in use, nodes, last block, blocks
    copies: int  # V
    fields: int  # F
    most_nodes: int  # the tree takes no more


def new_partial_tree(memory_bytes: int, copies: int, fields: int, most_nodes: int) -> PartialTree:
    """Return an empty tree."""
    words = np.zeros(max(1024, min(memory_bytes // 8, 2**31 - 1)), np.float64)
    counters = np.zeros(COUNTERS, np.int64)
    counters[WORDS] = FIRST
    return PartialTree(words, words.view(np.int32), counters, copies, fields, most_nodes)


@inline_kernel
def block_kind(tree: PartialTree, block: int) -> int:
    """Return DECISION or CHANCE."""
    return int(tree.ints[2 * block + KIND])


@inline_kernel
def block_length(tree: PartialTree, block: int) -> int:
    """Return the length of a block in words; the next block follows."""
    return int(tree.ints[2 * block + LENGTH])


@inline_kernel
def parent_of(tree: PartialTree, block: int) -> int:
    """Return the parent's block, or NONE."""
    return int(tree.ints[2 * block + PARENT])


@inline_kernel
def place_in_parent(tree: PartialTree, block: int) -> int:
    """Return the block's place among its parent's children."""
    return int(tree.ints[2 * block + PLACE])


@inline_kernel
def previous_block(tree: PartialTree, block: int) -> int:
    """Return the block before it in memory, or NONE."""
    return int(tree.ints[2 * block + PREVIOUS])


@inline_kernel
def depth_of(tree: PartialTree, block: int) -> int:
    """Return the depth of a block below the root."""
    return int(tree.ints[2 * block + DEPTH])


@inline_kernel
def row_count(tree: PartialTree, block: int) -> int:
    """Return R: the first player's actions, or the outcomes of chance."""
    return int(tree.ints[2 * block + ROWS])


@inline_kernel
def column_count(tree: PartialTree, block: int) -> int:
    """Return C: the second player's actions; 1 at a chance node."""
    return int(tree.ints[2 * block + COLUMNS])


@inline_kernel
def action_count(tree: PartialTree, block: int, player: int) -> int:
    """Return how many actions a player has at a decision: R or C."""
    return int(tree.ints[2 * block + ROWS + player])


@inline_kernel
def children(tree: PartialTree, block: int) -> int:
    """Return J."""
    return row_count(tree, block) * column_count(tree, block)


@inline_kernel
def labels(tree: PartialTree, block: int) -> int:
    """Return the number of labels of a block: K at a decision, J at a chance node."""
    rows = row_count(tree, block)
    return rows if block_kind(tree, block) == CHANCE else rows + column_count(tree, block)


@inline_kernel
def reach_begin(block: int) -> int:
    """Return the word of the first reach probability."""
    return block + HEADER_INTS // 2


@inline_kernel
def reach_probabilities(tree: PartialTree, block: int) -> F64:
    """Return `[1 + copies]` the reach probabilities of a block: a view."""
    first = reach_begin(block)
    return tree.words[first : first + 1 + tree.copies]


@inline_kernel
def numbers_begin(tree: PartialTree, block: int) -> int:
    """Return the word of the first number of an action, or of the first probability of chance."""
    return reach_begin(block) + 1 + tree.copies


@inline_kernel
def values_begin(tree: PartialTree, block: int) -> int:
    """Return the word of the first child's value in the first copy."""
    fields = 1 if block_kind(tree, block) == CHANCE else tree.fields
    return numbers_begin(tree, block) + fields * labels(tree, block)


@inline_kernel
def outcome_probabilities(tree: PartialTree, block: int) -> F64:
    """Return `[J]` the probabilities of a chance node's outcomes: a view."""
    first = numbers_begin(tree, block)
    return tree.words[first : first + row_count(tree, block)]


@inline_kernel
def child_values(tree: PartialTree, block: int, copy: int) -> F64:
    """Return `[children]` the values of a block's children in a copy: a view."""
    count = children(tree, block)
    first = values_begin(tree, block) + copy * count
    return tree.words[first : first + count]


@inline_kernel
def labels_begin(tree: PartialTree, block: int) -> int:
    """Return the index in `ints` at which the labels begin."""
    return 2 * (values_begin(tree, block) + tree.copies * children(tree, block))


@inline_kernel
def links_begin(tree: PartialTree, block: int) -> int:
    """Return the index in `ints` at which the links begin."""
    return labels_begin(tree, block) + labels(tree, block)


@inline_kernel
def set_value(tree: PartialTree, block: int, place: int, value: float, link: int) -> None:
    """Give a leaf its value, in all copies, and its link."""
    for copy in range(tree.copies):
        values = child_values(tree, block, copy)
        values[place] = value
    tree.ints[links_begin(tree, block) + place] = link


@inline_kernel
def add_block(tree: PartialTree, kind: int, rows: int, columns: int, parent: int, place: int, born: int) -> int:
    """Append a block as the child of another; all is 0 except the header, reach probabilities and current strategies.

    Args:
        tree: changed.
        kind: DECISION or CHANCE.
        rows: R.
        columns: C.
        parent: block, or NONE for the root.
        place: among the parent's children.
        born: sweeps made before.

    Returns:
        The block, or NONE if there is no room for it; then nothing is changed.
    """
    count = rows * columns
    names = rows if kind == CHANCE else rows + columns
    numbers = (1 if kind == CHANCE else tree.fields) * names
    length = HEADER_INTS // 2 + 1 + tree.copies + numbers + tree.copies * count + (names + count + 1) // 2
    block = tree.counters[WORDS]
    if block + length > tree.words.size or tree.counters[NODES] + count > tree.most_nodes:
        return NONE
    tree.words[block : block + length] = 0.0
    at = 2 * block
    tree.ints[at + LENGTH] = length
    tree.ints[at + PARENT] = parent
    tree.ints[at + PLACE] = place
    tree.ints[at + PREVIOUS] = tree.counters[LAST]
    tree.ints[at + ROWS] = rows
    tree.ints[at + COLUMNS] = columns
    tree.ints[at + KIND] = kind
    tree.ints[at + BORN] = born
    if parent != NONE:
        link = links_begin(tree, parent) + place
        tree.ints[at + WAS] = tree.ints[link]
        tree.ints[at + DEPTH] = depth_of(tree, parent) + 1
        tree.ints[link] = block
    reach_probabilities(tree, block)[:] = 1.0
    if kind == DECISION:
        write_uniform(tree, block)
    tree.counters[WORDS] = block + length
    tree.counters[NODES] += count
    tree.counters[LAST] = block
    tree.counters[BLOCKS] += 1
    return int(block)


CUMULATIVE_REGRET, CURRENT, STRATEGY_SUM, FIXED = range(4)
"""The fields of numbers of an action: all searches keep three; the strategy of a fixed opponent is the fourth."""


@inline_kernel
def action_numbers(tree: PartialTree, block: int, field: int, player: int) -> F64:
    """Return `[k]` a field of the numbers of a player's k actions at a decision: a view."""
    rows, columns = row_count(tree, block), column_count(tree, block)
    first = numbers_begin(tree, block) + field * (rows + columns)
    return tree.words[first + rows : first + rows + columns] if player else tree.words[first : first + rows]


@inline_kernel
def write_uniform(tree: PartialTree, block: int) -> None:
    """Make the current strategies, and those of a fixed opponent, uniform."""
    for field in (CURRENT, FIXED):
        if field < tree.fields:
            for player in range(2):
                action_numbers(tree, block, field, player)[:] = 1.0 / action_count(tree, block, player)


@kernel
def clear(tree: PartialTree) -> None:
    """Forget everything, the root too."""
    tree.counters[WORDS] = FIRST
    tree.counters[NODES] = 1
    tree.counters[LAST] = NONE
    tree.counters[BLOCKS] = 0


@kernel
def cut_back(tree: PartialTree, nodes: int) -> None:
    """Undo the latest expansions, except the root's, while more than `nodes` nodes remain without them.

    No sweep may have passed the blocks concerned: the leaves get their links back, and have kept their values.
    """
    while tree.counters[LAST] != FIRST:
        block = tree.counters[LAST]
        left = tree.counters[NODES] - children(tree, block)
        if left < nodes:
            return
        parent, place = parent_of(tree, block), place_in_parent(tree, block)
        tree.ints[links_begin(tree, parent) + place] = tree.ints[2 * block + WAS]
        tree.counters[NODES] = left
        tree.counters[LAST] = previous_block(tree, block)
        tree.counters[WORDS] = block
        tree.counters[BLOCKS] -= 1


@inline_kernel
def place_of(tree: PartialTree, block: int, key: int) -> int:
    """Return the position of a child by the number of its joint action or by its chance outcome; J if there is none."""
    count = children(tree, block)
    if block_kind(tree, block) == DECISION:
        return min(key, count)
    first = labels_begin(tree, block)
    for place in range(count):
        if tree.ints[first + place] == key:
            return place
    return count


@kernel
def child_block(tree: PartialTree, block: int, key: int) -> int:
    """Return the block of the child that a joint action (its number) or chance outcome leads to; NONE for a leaf."""
    place = place_of(tree, block, key)
    if place == children(tree, block):
        return NONE
    return max(NONE, int(tree.ints[links_begin(tree, block) + place]))


@kernel
def keep_below(tree: PartialTree, root: int) -> None:
    """Make a block the root's, move all blocks below it to the front, and forget everything else.

    Blocks lie in breadth-first order, and so do those below any of them: they are copied in the order in which the
    copies link to them, each to a place before its old one. The work is proportional to what is kept (Cheney 1970). The
    new root gets reach probability 1: with its old one, nothing could be learned if that was 0.
    """
    tree.ints[2 * root + PARENT] = NONE
    tree.counters[NODES] = 1
    tree.counters[BLOCKS] = 0
    depth = depth_of(tree, root)
    copied, end, last = FIRST, move(tree, root, FIRST, NONE, depth), FIRST
    reach_probabilities(tree, FIRST)[:] = 1.0
    while copied < end:
        count, links = children(tree, copied), links_begin(tree, copied)
        for place in range(count):
            child = tree.ints[links + place]
            if child > NONE:
                tree.ints[2 * child + PARENT] = copied
                tree.ints[links + place] = end
                start = end
                end = move(tree, child, end, last, depth)
                last = start
        copied += block_length(tree, copied)
    tree.counters[WORDS] = end
    tree.counters[LAST] = last


@inline_kernel
def move(tree: PartialTree, block: int, target: int, previous: int, depth: int) -> int:
    """Copy a block to `target`, not after its old place, `depth` less deep; return the word after the copy."""
    length = block_length(tree, block)
    tree.words[target : target + length] = tree.words[block : block + length]
    tree.ints[2 * target + PREVIOUS] = previous
    tree.ints[2 * target + DEPTH] -= depth
    tree.counters[NODES] += children(tree, target)
    tree.counters[BLOCKS] += 1
    return int(target + length)
