"""The transposition table of *-Minimax: what is found again, what narrows it, and that forgetting is complete."""

from __future__ import annotations

from players.search.star.table import (
    CACHE_LINE,
    ENTRY_WORDS,
    HIGHEST,
    LOWEST,
    NOT_FOUND,
    Table,
    best_of,
    depth_of,
    find,
    forget_all,
    new_table,
    store,
)

KEY, KIB = -0x1234_5678_9ABC_DEF1, 1024


def interval(table: Table, key: int) -> tuple[float, float]:
    entry = find(table, key)
    assert entry != NOT_FOUND
    return float(table.reals[entry + LOWEST]), float(table.reals[entry + HIGHEST])


def test_an_entry_is_found_until_all_is_forgotten() -> None:
    table = new_table(64 * KIB)
    assert find(table, KEY) == NOT_FOUND
    store(table, KEY, 5, False, 3, 0.25, 0.75)
    assert interval(table, KEY) == (0.25, 0.75)
    entry = find(table, KEY)
    assert (depth_of(table, entry), best_of(table, entry)) == (5, 3)
    for _ in range(3):
        forget_all(table)
        assert find(table, KEY) == NOT_FOUND
    assert table.keys.any()  # by another salt: the memory was not touched


def test_another_state_of_the_same_entry_replaces_it() -> None:
    table = new_table(0)
    assert table.keys.size == ENTRY_WORDS
    store(table, KEY, 5, False, 3, 0.25, 0.75)
    assert find(table, KEY + 1) == NOT_FOUND
    store(table, KEY + 1, 4, False, 0, 0.0, 0.5)
    assert find(table, KEY) == NOT_FOUND
    assert interval(table, KEY + 1) == (0.0, 0.5)


def test_results_of_one_depth_narrow_each_other_unless_they_disagree() -> None:
    table = new_table(KIB)
    store(table, KEY, 5, False, 3, 0.25, 1.0)
    store(table, KEY, 5, False, 2, 0.0, 0.5)
    assert interval(table, KEY) == (0.25, 0.5)
    assert best_of(table, find(table, KEY)) == 2
    store(table, KEY, 5, False, 2, 0.75, 1.0)  # not with the same outcomes drawn
    assert interval(table, KEY) == (0.75, 1.0)
    store(table, KEY, 6, False, 2, 0.0, 1.0)
    assert interval(table, KEY) == (0.0, 1.0)


def test_no_entry_lies_across_two_cache_lines() -> None:
    for size in (0, KIB, 1024 * KIB):
        table = new_table(size)
        assert table.keys.ctypes.data % CACHE_LINE == 0
        assert table.keys.size == table.reals.size == table.ints.size // 2
