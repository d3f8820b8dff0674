"""The hash table from information states to statistics: everything entered is found, and only what is visited stays."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import I64, I64_2D, kernel
from ggp.native.infoset_table import (
    EPOCH,
    NO_NODE,
    NODES,
    OLD_SLOTS,
    SLOTS,
    WORDS,
    InfosetTable,
    add,
    drop_unvisited,
    find,
    find_node,
    new_infoset_table,
    next_epoch,
    numbers_of,
    visit,
)


@kernel
def add_all(tree: InfosetTable, keys: I64_2D, counts: I64, nodes: I64) -> None:
    for place in range(counts.size):
        first, second = np.uint64(keys[place, 0]), np.uint64(keys[place, 1])
        nodes[place] = add(tree, first, second, place % 3, counts[place])
        if nodes[place] != NO_NODE:
            tree.words[numbers_of(nodes[place])] = place


@kernel
def find_all(tree: InfosetTable, keys: I64_2D, nodes: I64) -> None:
    for place in range(nodes.size):
        nodes[place] = find(tree, np.uint64(keys[place, 0]), np.uint64(keys[place, 1]))


@kernel
def visit_all(tree: InfosetTable, nodes: I64) -> None:
    for node in nodes:
        visit(tree, node)


def filled(size: int, memory: int = 1 << 24) -> tuple[InfosetTable, I64, I64]:
    rng = np.random.default_rng(1)
    tree = new_infoset_table(memory, 2)
    # some share the first word: only both words together are a key
    keys = rng.integers(0, 1 << 62, (size, 2))
    keys[1::4, 0] = keys[: keys[1::4].shape[0], 0]
    nodes = np.zeros(size, np.int64)
    add_all(tree, keys, rng.integers(1, 9, size), nodes)
    return tree, keys, nodes


def test_everything_is_found_also_after_the_table_grew() -> None:
    tree, keys, nodes = filled(60_000)
    assert tree.counters[NODES] == 60_000
    assert tree.counters[SLOTS] > 60_000
    again = np.zeros_like(nodes)
    find_all(tree, keys, again)
    assert np.array_equal(nodes, again)
    assert np.array_equal(tree.words[nodes + 4], np.arange(nodes.size))
    find_all(tree, keys + 1, again)
    assert not again.any()


def test_everything_is_found_while_the_table_grows() -> None:
    growing = 0
    for size in range(8100, 8800, 7):
        tree, keys, nodes = filled(size)
        growing += int(tree.counters[OLD_SLOTS] > 0)
        again = np.zeros_like(nodes)
        find_all(tree, keys, again)
        assert np.array_equal(nodes, again)
    assert growing > 50


def test_a_full_tree_takes_no_more() -> None:
    tree, keys, nodes = filled(60_000, memory=1 << 20)
    kept = nodes[nodes != NO_NODE]
    assert 0 < kept.size < nodes.size
    assert tree.counters[WORDS] <= tree.words.size
    again = np.zeros_like(nodes)
    find_all(tree, keys, again)
    assert np.array_equal(nodes, again)


def test_what_was_not_visited_is_dropped() -> None:
    tree, keys, nodes = filled(1000)
    visit_all(tree, nodes)
    next_epoch(tree)
    visit_all(tree, nodes[::3].copy())
    assert drop_unvisited(tree) == 1000 - nodes[::3].size
    again = np.zeros_like(nodes)
    find_all(tree, keys, again)
    assert (again[::3] != NO_NODE).all()
    assert not again[1::3].any()
    assert np.array_equal(tree.words[again[::3] + 4], np.arange(1000)[::3])
    assert (tree.ints[2 * again[::3] + EPOCH] == 1).all()


def test_legal_actions_are_part_of_what_a_player_knows() -> None:
    tree = new_infoset_table(1 << 20, 1)
    keys = np.array([3, 4], np.uint64)
    actions = np.array([1, 2, 3], np.int64)
    assert find_node(tree, keys, 0, 0, actions, 3) == NO_NODE
