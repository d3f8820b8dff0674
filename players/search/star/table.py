"""The transposition table of a *-Minimax search: the result for each state at the last depth to which it was searched.

An entry is four words, so it fills half of a cache line and is read with one access to memory:

    int64    MARK      the state's hash with the table's salt; 0: nothing
    int32    DEPTH     twice the number of decisions looked ahead; 1 more where no state was valued at a horizon
             BEST      position of the best action
    float64  LOWEST    the interval in which the value lies
             HIGHEST

With a new salt no state matches any entry, so clearing the table does not touch the memory.

Dimension: T entries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, inline_kernel

ENTRY_WORDS = 4
MARK, DEPTHS, LOWEST, HIGHEST = range(ENTRY_WORDS)
CACHE_LINE = 64
SALT_STEP = 0x9E3779B97F4A7C15
NOT_FOUND = -1


class Table(NamedTuple):
    """The same memory as words of three types, and the salt."""

    keys: I64  # [4 * T]
    ints: I32  # [8 * T]
    reals: F64  # [4 * T]
    salt: I64  # [1]


def new_table(memory_bytes: int) -> Table:
    """Return an empty table; the number of entries is a power of 2, 0 bytes make one."""
    entries = 1 << max(0, (memory_bytes // (8 * ENTRY_WORDS)).bit_length() - 1)
    memory = np.zeros(8 * ENTRY_WORDS * entries + CACHE_LINE, np.uint8)
    begin = -memory.ctypes.data % CACHE_LINE
    aligned = memory[begin : begin + 8 * ENTRY_WORDS * entries]
    return Table(aligned.view(np.int64), aligned.view(np.int32), aligned.view(np.float64), np.ones(1, np.int64))


def forget_all(table: Table) -> None:
    """Invalidate all entries."""
    table.salt[:] = np.array([(int(table.salt[0]) + SALT_STEP) % (1 << 64)], np.uint64).astype(np.int64)


@inline_kernel
def slot_of(table: Table, mark: int) -> int:
    """Return the first word of the entry in which a marked state is, or would be."""
    return int(((mark ^ (mark >> np.int64(31))) & (table.keys.size // ENTRY_WORDS - 1)) * ENTRY_WORDS)


@inline_kernel
def find(table: Table, key: int) -> int:
    """Return the first word of the entry of a state, by its hash; NOT_FOUND if there is none."""
    mark = key ^ table.salt[0]
    slot = slot_of(table, mark)
    return slot if table.keys[slot] == mark else NOT_FOUND


@inline_kernel
def depth_of(table: Table, slot: int) -> int:
    """Return how many decisions an entry's search has looked ahead."""
    return int(table.ints[2 * (slot + DEPTHS)] >> 1)


@inline_kernel
def is_whole(table: Table, slot: int) -> bool:
    """Return whether an entry's search has seen all that can follow, so that a deeper one would find the same."""
    return bool(table.ints[2 * (slot + DEPTHS)] & 1)


@inline_kernel
def best_of(table: Table, slot: int) -> int:
    """Return the position of the best action in an entry."""
    return int(table.ints[2 * (slot + DEPTHS) + 1])


@inline_kernel
def store(table: Table, key: int, depth: int, whole: bool, best: int, low: float, high: float) -> None:
    """Write the result for a state, replacing the entry in its place.

    An existing entry for the same state and depth narrows it, unless the two disagree: then outcomes were drawn with
    another seed.
    """
    mark = key ^ table.salt[0]
    slot = slot_of(table, mark)
    if table.keys[slot] == mark and depth_of(table, slot) == depth:
        both_low, both_high = max(low, table.reals[slot + LOWEST]), min(high, table.reals[slot + HIGHEST])
        if both_low <= both_high:
            low, high = both_low, both_high
            whole = whole and is_whole(table, slot)
    table.keys[slot] = mark
    table.ints[2 * (slot + DEPTHS)] = 2 * depth + (1 if whole else 0)
    table.ints[2 * (slot + DEPTHS) + 1] = best
    table.reals[slot + LOWEST] = low
    table.reals[slot + HIGHEST] = high
