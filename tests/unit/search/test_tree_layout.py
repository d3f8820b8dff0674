"""The memory of a search tree: what is written is found again, at any size, until it is full."""

from __future__ import annotations

import numpy as np
import pytest

from players.search.reroot import make_root, slide_together
from players.search.tree import (
    ABANDONED,
    CHANCE,
    CHILDREN,
    DECISION,
    DENSE_LIMIT,
    KIND,
    NO_NODE,
    NODES,
    NONE,
    OWNER,
    ROOT,
    STATISTICS,
    TERMINAL,
    WORDS,
    Tree,
    add_child,
    add_node,
    add_statistics,
    child_of,
    clear,
    free_words,
    new_tree,
    record,
)


def small_tree(memory_bytes: int = 1 << 20) -> Tree:
    tree = new_tree(memory_bytes, players=2, node_numbers=0, action_numbers=2, joint_numbers=1, joint_counts=1)
    clear(tree, DECISION)
    return tree


def give_statistics(tree: Tree, node: int, rows: int, columns: int) -> int:
    actions = np.arange(rows + columns, dtype=np.int64) + 100
    return int(add_statistics(tree, node, np.array([rows, columns]), actions))


def test_blocks_do_not_overlap() -> None:
    tree = small_tree()
    block = give_statistics(tree, 0, 3, 4)
    table = tree.halves[record(tree, 0) + CHILDREN]
    # header 5 + 2 + 7 halves = 7 words, 2 * 7 action numbers, 12 joint numbers, 12 counts = 6 words
    assert table - block == 7 + 14 + 12 + 6
    tree.words[block + 7 : table] = 1.0
    assert all(child_of(tree, 0, key) == NO_NODE for key in range(12))
    assert tree.counters[WORDS] == table + (4 + 12) // 2


@pytest.mark.parametrize("rows", [3, DENSE_LIMIT // 4 + 1])
def test_children_of_joint_actions_are_found_again(rows: int) -> None:
    tree = small_tree(1 << 24)
    assert give_statistics(tree, 0, rows, 4) != NONE
    keys = [0, 1, 4 * rows - 1, 7, 2 * rows]
    children = [int(add_child(tree, 0, key, TERMINAL)) for key in keys]
    assert children == [1, 2, 3, 4, 5]
    assert [child_of(tree, 0, key) for key in keys] == children
    assert child_of(tree, 0, 3) == NO_NODE


def test_chance_children_survive_growth_of_their_table() -> None:
    tree = small_tree()
    clear(tree, CHANCE)
    outcomes = [17 * n + 5 for n in range(200)]
    children = [int(add_child(tree, 0, outcome, DECISION)) for outcome in outcomes]
    assert [int(child_of(tree, 0, outcome)) for outcome in outcomes] == children
    assert child_of(tree, 0, 6) == NO_NODE
    assert tree.halves[2 * 1 + OWNER] == ABANDONED


def test_full_tree_takes_nothing_and_keeps_what_it_has() -> None:
    tree = small_tree(0)  # the least memory there is
    assert give_statistics(tree, 0, 20, 20) != NONE
    children = []
    for key in range(400):
        child = int(add_child(tree, 0, key, DECISION))
        if child == NO_NODE:
            break
        children.append(child)
    assert 0 < len(children) < 400
    assert free_words(tree) < 2
    assert add_node(tree, DECISION) == NO_NODE
    before = tree.words.copy()
    assert give_statistics(tree, children[0], 2, 2) == NONE
    assert np.array_equal(before.view(np.int64), tree.words.view(np.int64))
    assert [int(child_of(tree, 0, key)) for key in range(len(children))] == children


def test_sliding_together_keeps_exactly_what_lies_below_the_root() -> None:
    tree = small_tree()
    give_statistics(tree, 0, 2, 2)
    left, right = int(add_child(tree, 0, 0, CHANCE)), int(add_child(tree, 0, 3, CHANCE))
    deeper = {}
    for outcome in range(9):  # the tables grow by turns: blocks of both sides lie between each other
        for side in (left, right):
            child = int(add_child(tree, side, outcome, DECISION))
            block = give_statistics(tree, child, 2, 3)
            tree.words[block + 6] = 1000 * side + outcome
            deeper[side, outcome] = int(add_child(tree, child, 5, TERMINAL))
    assert make_root(tree, 3)
    assert tree.counters[ROOT] == right
    slide_together(tree, np.full(int(tree.counters[NODES]), NO_NODE, np.int32))
    assert tree.counters[ROOT] == 0
    assert tree.counters[NODES] == 1 + 9 + 9
    assert tree.halves[record(tree, 0) + KIND] == CHANCE
    seen = {0}
    for outcome in range(9):
        child = int(child_of(tree, 0, outcome))
        block = tree.halves[record(tree, child) + STATISTICS]
        assert tree.words[block + 6] == 1000 * right + outcome
        terminal = int(child_of(tree, child, 5))
        assert tree.halves[record(tree, terminal) + KIND] == TERMINAL
        assert child_of(tree, child, 4) == NO_NODE
        seen |= {child, terminal}
    assert len(seen) == 19
    assert add_child(tree, 0, 9, DECISION) == 19


def test_unknown_child_changes_nothing() -> None:
    tree = small_tree()
    give_statistics(tree, 0, 2, 2)
    assert not make_root(tree, 1)
    assert tree.counters[ROOT] == 0
