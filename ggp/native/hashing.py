"""Hashes of rows of words, and comparisons of rows, for the tables of what searches and solvers have met."""

from __future__ import annotations

from typing import Any

import numpy as np

from ggp.codegen.kernels import inline_kernel

START, FACTOR = np.uint64(0x9E3779B97F4A7C15), np.uint64(0x9FB21C651E98DF25)
SHIFT = np.uint64(29)


@inline_kernel
def extended(total: np.uint64, word: np.uint64) -> np.uint64:
    """Return a hash extended by one more word."""
    total = np.uint64((total ^ word) * FACTOR)
    return np.uint64(total ^ (total >> SHIFT))


@inline_kernel
def hash_of(words: Any, begin: int, end: int, total: np.uint64) -> np.uint64:
    """Return a hash extended by `words[begin:end]`, signed or unsigned words; the first one begins with START."""
    for place in range(begin, end):
        total = extended(total, np.uint64(words[place]))
    return np.uint64(total)


@inline_kernel
def same_words(words: Any, at: int, others: Any, other_at: int, count: int) -> bool:
    """Return whether two rows of `count` words are equal."""
    place = 0
    while place < count and words[at + place] == others[other_at + place]:
        place += 1
    return place == count


@inline_kernel
def state_key(states: Any, at: int, length: int) -> int:
    """Return a hash of a world state as a signed word, by which searches look up states that they visited before."""
    return int(np.int64(hash_of(states, at, at + length, START)))
