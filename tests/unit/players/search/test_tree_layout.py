"""The memory of a search tree: what is written is found again, at any size, until it is full."""

from __future__ import annotations

import numpy as np
import pytest

from players.search.foundation.node_kinds import CHANCE
from players.search.simultaneous.reroot import make_root, slide_together
from players.search.simultaneous.tree import (
    DENSE_LIMIT,
    END,
    FIRST_NODE,
    KIND,
    LEAF,
    NO_SLOT,
    NODES,
    NONE,
    ROOT_ENTRY,
    TABLE,
    TABLE_OF_CHILDREN,
    VISITS,
    WORDS,
    Tree,
    action_numbers,
    add_chance,
    add_decision,
    child_of,
    clear,
    counts_begin,
    entries_begin,
    free_words,
    joint_counts,
    joint_numbers,
    new_tree,
    root_of,
    slot_of,
    visits_of,
)


def small_tree(memory_bytes: int = 1 << 20) -> Tree:
    return new_tree(memory_bytes, players=2, node_numbers=0, action_numbers=2, joint_numbers=1, joint_counts=1)


def add_matrix(tree: Tree, slot: int, rows: int, columns: int) -> int:
    actions = np.arange(rows + columns, dtype=np.int64) + 100
    return int(add_decision(tree, slot, np.array([rows, columns]), actions))


def reach(tree: Tree, node: int, key: int, entry: int = LEAF) -> int:
    """Write the entry of a child as a search does, and return where it stands."""
    slot = int(slot_of(tree, node, key))
    if slot != NO_SLOT:
        tree.ints[slot] = entry
        tree.counters[NODES] += 1
    return slot


def test_what_a_node_holds_does_not_overlap() -> None:
    tree = small_tree()
    node = add_matrix(tree, ROOT_ENTRY, 3, 4)
    assert root_of(tree) == node == FIRST_NODE
    # header 8 + 2 + 7 ints, 12 entries, 12 counts = 41 ints = 21 words; 2 * 7 action numbers, 12 joint numbers
    assert tree.counters[WORDS] == node + 21 + 14 + 12
    assert [entries_begin(tree, node) - 2 * node, counts_begin(tree, node) - 2 * node] == [17, 29]
    for player, field in ((0, 0), (1, 0), (0, 1), (1, 1)):
        action_numbers(tree, node, player, field)[:] += 1.0
    joint_numbers(tree, node)[:] += 1.0
    assert (tree.words[node + 21 : tree.counters[WORDS]] == 1.0).all()
    joint_counts(tree, node)[:] = 7
    assert all(child_of(tree, node, key) == NONE for key in range(12))
    assert tree.ints[2 * node + 10 : 2 * node + 17].tolist() == list(range(100, 107))


@pytest.mark.parametrize("rows", [3, DENSE_LIMIT // 4 + 1])
def test_children_of_joint_actions_are_found_again(rows: int) -> None:
    tree = small_tree(1 << 24)
    node = add_matrix(tree, ROOT_ENTRY, rows, 4)
    assert (tree.ints[2 * node + TABLE] != NONE) == (rows > 3)
    keys = [0, 1, 4 * rows - 1, 7, 2 * rows]
    entries = [LEAF, END, 1000, 1001, LEAF]
    for key, entry in zip(keys, entries, strict=True):
        reach(tree, node, key, entry)
    assert [child_of(tree, node, key) for key in keys] == entries
    assert child_of(tree, node, 3) == NONE


def test_chance_children_survive_growth_of_their_table() -> None:
    tree = small_tree()
    node = int(add_chance(tree, ROOT_ENTRY))
    first_table = tree.ints[2 * node + TABLE]
    outcomes = [17 * n + 5 for n in range(200)]
    for number, outcome in enumerate(outcomes):
        reach(tree, node, outcome, 1000 + number)
    assert [int(child_of(tree, node, outcome)) for outcome in outcomes] == [1000 + number for number in range(200)]
    assert child_of(tree, node, 6) == child_of(tree, node, 0) == NONE
    assert tree.ints[2 * node + TABLE] != first_table


def test_a_leaf_has_no_children_and_no_visits() -> None:
    tree = small_tree()
    assert root_of(tree) == LEAF
    assert child_of(tree, LEAF, 0) == NONE
    assert visits_of(tree, LEAF) == 0


def test_full_tree_takes_nothing_and_keeps_what_it_has() -> None:
    tree = small_tree(0)  # the least memory there is
    root = add_matrix(tree, ROOT_ENTRY, 10, 10)
    slots = [reach(tree, root, key) for key in range(100)]
    children = []
    for slot in slots:
        child = int(add_chance(tree, slot))
        if child == NONE:
            break
        children.append(child)
    assert 0 < len(children) < 100
    assert free_words(tree) < 9  # a chance node and its table
    before = tree.words.copy()
    assert add_matrix(tree, slots[-1], 2, 2) == NONE
    assert np.array_equal(before.view(np.int64), tree.words.view(np.int64))
    assert [int(child_of(tree, root, key)) for key in range(len(children))] == children
    assert child_of(tree, root, 99) == LEAF
    taken = [reach(tree, children[0], outcome) for outcome in range(9)]
    assert NO_SLOT not in taken[:3]
    assert taken[-1] == NO_SLOT
    assert [child_of(tree, children[0], outcome) for outcome in range(3)] == [LEAF] * 3


def test_sliding_together_keeps_exactly_what_lies_below_the_root() -> None:
    tree = small_tree()
    root = add_matrix(tree, ROOT_ENTRY, 2, 2)
    left, right = (int(add_chance(tree, reach(tree, root, key))) for key in (0, 3))
    for outcome in range(9):  # the tables grow by turns: blocks of both sides lie between each other
        for side in (left, right):
            child = add_matrix(tree, reach(tree, side, outcome), 2, 3)
            action_numbers(tree, child, 0, 0)[0] = 1000 * side + outcome
            tree.ints[2 * child + VISITS] = outcome
            reach(tree, child, 5, END)
            if outcome == 4:  # a hash table of joint actions, with a node in it that was there before it grew
                large = int(add_decision(tree, reach(tree, child, 2), np.array([99, 99]), np.arange(198)))
                deepest = add_matrix(tree, reach(tree, large, 9000), 1, 1)
                action_numbers(tree, deepest, 0, 0)[0] = -side
                for key in range(5):
                    reach(tree, large, key)
    assert make_root(tree, 3)
    assert root_of(tree) == right
    slide_together(tree)
    root = root_of(tree)
    assert root == FIRST_NODE
    assert tree.ints[2 * root + KIND] == CHANCE
    assert tree.counters[NODES] == 1 + 9 * 2 + 2 + 5
    for outcome in range(9):
        child = int(child_of(tree, root, outcome))
        assert action_numbers(tree, child, 0, 0)[0] == 1000 * right + outcome
        assert visits_of(tree, child) == outcome
        assert [child_of(tree, child, key) for key in (0, 4, 5)] == [NONE, NONE, END]
    large = int(child_of(tree, int(child_of(tree, root, 4)), 2))
    assert action_numbers(tree, int(child_of(tree, large, 9000)), 0, 0)[0] == -right
    assert [child_of(tree, large, key) for key in range(6)] == [LEAF] * 5 + [NONE]
    assert tree.counters[WORDS] == blocks_end(tree)
    used = int(tree.counters[WORDS])
    slide_together(tree)
    assert tree.counters[WORDS] == used
    assert reach(tree, root, 9) != NO_SLOT


def blocks_end(tree: Tree) -> int:
    """Walk over all blocks, each of which must be a node or the table of a node, and return where the last one ends."""
    at, tables = FIRST_NODE, set()
    while at < tree.counters[WORDS]:
        if tree.ints[2 * at + KIND] == TABLE_OF_CHILDREN:
            assert at in tables, "a table that no node has"
        else:
            tables.add(int(tree.ints[2 * at + TABLE]))
        assert tree.ints[2 * at + 3] == 0
        at += int(tree.ints[2 * at + 1])
    return at


@pytest.mark.parametrize("entry", [LEAF, END])
def test_a_leaf_as_root_leaves_an_empty_tree(entry: int) -> None:
    tree = small_tree()
    root = add_matrix(tree, ROOT_ENTRY, 2, 2)
    reach(tree, root, 1, entry)
    assert make_root(tree, 1)
    slide_together(tree)
    assert root_of(tree) == entry
    assert tree.counters.tolist() == [1, FIRST_NODE]


def test_unknown_child_changes_nothing() -> None:
    tree = small_tree()
    root = add_matrix(tree, ROOT_ENTRY, 2, 2)
    assert not make_root(tree, 1)
    assert root_of(tree) == root
    clear(tree, LEAF)
    assert not make_root(tree, 1)
