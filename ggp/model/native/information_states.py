"""Information-state keys: 128-bit hashes of what one player knows, updated along a path.

An information state is the sequence of a player's own actions and of its observations that were not empty. A key is two
uint64 words of an array. After each transition, for every player: if it acted, extend the key by its action; then, if
its observation of the transition is not empty, extend the key by the words of that observation. Two paths with the same
key are, for that player, the same information state: among 2^32 different ones, the chance of any collision is about
2^-65.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ggp.model.native.jit import I64, U64, inline_kernel, kernel

KEY_WORDS = 2
"""How many uint64 words a key takes."""

START_FIRST, START_SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
ACTION_HEADING = -1
"""Stands before an action; an observation is headed by how many words it has, at least 1."""

# constants of the same type as the words: numba turns mixed signed and unsigned arithmetic into floats
FIRST_1, FIRST_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SECOND_1, SECOND_2 = np.uint64(0xD6E8FEB86659FD93), np.uint64(0xFF51AFD7ED558CCD)
S29, S31, S32 = np.uint64(29), np.uint64(31), np.uint64(32)


@inline_kernel
def start_key(keys: U64, at: int) -> None:
    """Write the key of a player who has neither acted nor observed anything to `keys[at : at + KEY_WORDS]`."""
    keys[at] = START_FIRST
    keys[at + 1] = START_SECOND


@inline_kernel
def extend_key(keys: U64, at: int, word: int) -> None:
    """Extend the key at `at` by one word."""
    # each half is mixed by a bijection of 64 bits (as in the finaliser of MurmurHash3), so no word is lost; the second
    # half also takes in the first, so that two keys do not fall together in both
    value = np.uint64(word)
    first = (keys[at] ^ value) * FIRST_1
    first = (first ^ (first >> S29)) * FIRST_2
    first ^= first >> S32
    second = (keys[at + 1] + value) * SECOND_1
    second = (second ^ (second >> S31)) * SECOND_2
    keys[at] = first
    keys[at + 1] = (second ^ (second >> S29)) + first


@inline_kernel
def extend_key_by_action(keys: U64, at: int, action: int) -> None:
    """Extend the key at `at` by an action of its player."""
    extend_key(keys, at, ACTION_HEADING)
    extend_key(keys, at, action)


@inline_kernel
def extend_key_by_observation(keys: U64, at: int, words: I64, first: int, count: int) -> None:
    """Extend the key at `at` by an observation: `words[first : first + count]`, `count` at least 1."""
    extend_key(keys, at, count)
    for position in range(count):
        extend_key(keys, at, words[first + position])


@kernel
def _write_key(keys: U64, words: I64, counts: I64) -> None:
    """Write the key of a sequence of actions and observations, which lie one after the other in `words`.

    Args:
        keys: `[2]`, overwritten.
        words: of all actions and observations.
        counts: how many words each has; 0 for an action, which has one.
    """
    start_key(keys, 0)
    at = 0
    for position in range(counts.shape[0]):
        count = counts[position]
        if count == 0:
            extend_key_by_action(keys, 0, words[at])
            at += 1
        else:
            extend_key_by_observation(keys, 0, words, at, count)
            at += count


def key_kernels() -> Iterator[tuple[Any, tuple[object, ...]]]:
    """Yield the kernel behind `key_of` with arguments of its types, for players that compile it before a clock runs."""
    yield _write_key, (np.zeros(KEY_WORDS, dtype=np.uint64), np.zeros(1, np.int64), np.zeros(1, np.int64))


def key_of(known: Sequence[int | tuple[int, ...]]) -> tuple[int, int]:
    """Return the key of a sequence of actions and observations, for callers outside of kernels.

    Args:
        known: an action as its number, an observation as its words, at least one.
    """
    keys = np.zeros(KEY_WORDS, dtype=np.uint64)
    words = [word for one in known for word in ((one,) if isinstance(one, int) else one)]
    counts = [0 if isinstance(one, int) else len(one) for one in known]
    _write_key(keys, np.array(words, dtype=np.int64), np.array(counts, dtype=np.int64))
    return int(keys[0]), int(keys[1])
