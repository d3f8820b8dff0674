"""Memory is touched ahead of a tree and of its table, keeps what it holds, and takes no more time than there is."""

from __future__ import annotations

import resource

import numpy as np

from players.search.information_sets.infoset_table import (
    BASE,
    NODES,
    SLOTS,
    WORDS,
    InfosetTable,
    new_infoset_table,
)
from players.search.information_sets.memory_ahead import CHUNK_WORDS, PAGE_WORDS, MemoryAhead, touch


def faults() -> int:
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt


def test_touching_keeps_what_is_there() -> None:
    numbers = np.random.default_rng(1).random((300, 40))
    before = numbers.copy()
    touch(numbers, 0, numbers.size + 1000)
    assert np.array_equal(numbers, before)


def grown(tree: InfosetTable, words: int, nodes: int) -> None:
    tree.counters[WORDS], tree.counters[NODES] = words, nodes


def test_what_a_tree_grows_into_has_been_provided() -> None:
    tree = new_infoset_table(1 << 29, 2)
    ahead = MemoryAhead(tree)
    ahead.begin()
    ahead.touch(8 * CHUNK_WORDS)
    grown(tree, 6 * CHUNK_WORDS, 6 * CHUNK_WORDS // 16)
    ahead.touch()
    for array, begin, end in (
        (tree.words, 6 * CHUNK_WORDS, 18 * CHUNK_WORDS),  # twice what the last decision took
        (tree.slots, 0, 4 * int(tree.counters[NODES])),
        (tree.slots, tree.slots.size - 4 * int(tree.counters[NODES]), tree.slots.size),
    ):
        before = faults()
        array[begin:end:PAGE_WORDS] = 1
        assert faults() - before <= 4, "of the interpreter's own"
    assert tree.counters[BASE] == 0
    assert tree.counters[SLOTS] < 4 * tree.counters[NODES]


def test_it_stops_in_time_and_goes_on_later() -> None:
    tree = new_infoset_table(1 << 27, 2)
    ahead = MemoryAhead(tree)
    reads = [0.0]

    def clock() -> float:
        reads[0] += 1.0
        return reads[0]

    ahead.touch(8 * CHUNK_WORDS, clock, 5.0)
    assert ahead._words == 4 * CHUNK_WORDS
    ahead.touch(8 * CHUNK_WORDS, clock, 1000.0)
    assert ahead._words == 8 * CHUNK_WORDS + CHUNK_WORDS, "a chunk for the first word of the tree"
    assert ahead._slots >= 4 * 8 * CHUNK_WORDS // 8
