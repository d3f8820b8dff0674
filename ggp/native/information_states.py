"""Information-state keys: 128-bit hashes of what one player knows, updated along a path.

An information state is the sequence of a player's own actions and of its observations that were not empty. A key is two
uint64 words of an array. After each transition, for every player: if it acted, extend the key by its action; then, if
its observation of the transition is not empty, extend the key by the words of that observation. Two paths with the same
key are, for that player, the same information state: among 2^32 different ones, the chance of any collision is about
2^-65.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from ggp.codegen.kernels import I64, U64, U64_2D, inline_kernel, kernel
from ggp.native.calls import call_observe_for_all
from ggp.native.interface import SAME_FOR_ALL

KEY_WORDS = 2
"""How many uint64 words a key takes."""

START_FIRST, START_SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
ACTION_FIRST, ACTION_SECOND = np.uint64(0x2545F4914F6CDD1D), np.uint64(0x9FB21C651E98DF25)
"""Added to an action; an observation is headed by how many words it has, at least 1."""

# constants of the same type as the words: signed and unsigned numbers do not mix
FIRST, SECOND = np.uint64(0x94D049BB133111EB), np.uint64(0xD6E8FEB86659FD93)
POLYNOMIAL_1, POLYNOMIAL_2 = np.uint64(0xD1342543DE82EF95), np.uint64(0xAF251AF3B0F025B5)
S29, S31, S32 = np.uint64(29), np.uint64(31), np.uint64(32)


@inline_kernel
def start_key(keys: U64, at: int) -> None:
    """Write the key of a player who has neither acted nor observed anything to `keys[at : at + KEY_WORDS]`."""
    keys[at] = START_FIRST
    keys[at + 1] = START_SECOND


@inline_kernel
def extend_key(keys: U64, at: int, for_first: np.uint64, for_second: np.uint64) -> None:
    """Extend the key at `at` by something that is given as two words, one for each half."""
    # each half is mixed by a bijection of 64 bits, so no word is lost: an odd factor spreads bits over the higher ones,
    # and the high half then goes into the low one. The second half also takes in the first, so that two keys do not
    # fall together in both
    first = (keys[at] ^ for_first) * FIRST
    first ^= first >> S32
    second = (keys[at + 1] + for_second) * SECOND
    keys[at] = first
    keys[at + 1] = (second ^ (second >> S31)) + first


@inline_kernel
def extend_key_by_action(keys: U64, at: int, action: int) -> None:
    """Extend the key at `at` by an action of its player."""
    extend_key(keys, at, np.uint64(action) + ACTION_FIRST, np.uint64(action) + ACTION_SECOND)


@inline_kernel
def extend_key_by_observation(keys: U64, at: int, words: I64, first: int, count: int) -> None:
    """Extend the key at `at` by an observation: `words[first : first + count]`, `count` at least 1."""
    for_first, for_second = digest_of(words, first, count)
    extend_key(keys, at, for_first, for_second)


@inline_kernel
def digest_of(words: I64, first: int, count: int) -> tuple[np.uint64, np.uint64]:
    """Return the two words by which an observation, `words[first : first + count]`, extends a key."""
    # a polynomial of the words for each half, so that the key is mixed once and not for each word. High bits are
    # brought down first: the highest bit of a product depends on nothing but the lowest one of the factor
    for_first = for_second = np.uint64(count)
    for position in range(first, first + count):
        word = np.uint64(words[position])
        word ^= word >> S29
        for_first = for_first * POLYNOMIAL_1 + word
        for_second = for_second * POLYNOMIAL_2 + word
    return for_first, for_second


@inline_kernel
def extend_keys_by_transition(
    observe: int,
    players: int,
    actors: int,
    before: I64,
    before_at: int,
    after: I64,
    after_at: int,
    joint: I64,
    observation: I64,
    keys: U64,
) -> int:
    """Extend the keys of all players by a transition; what all are told alike is found out once.

    Args:
        observe: the game's native function.
        players: how many.
        actors: bit mask of those who acted, 0 if chance did.
        before: holds the state before the transition, from `before_at` on.
        before_at: see `before`.
        after: holds the state after it, from `after_at` on.
        after_at: see `after`.
        joint: `[P + 1]` the transition.
        observation: `[O]` overwritten.
        keys: `[2 * P]` changed.

    Returns:
        0, or below 0 after a fault, which it is the number of.
    """
    told, count = 0, 0
    for_first = for_second = np.uint64(0)
    for player in range(players):
        if actors >> player & 1:
            extend_key_by_action(keys, KEY_WORDS * player, joint[player])
        if told < SAME_FOR_ALL:
            told = call_observe_for_all(observe, before, before_at, after, after_at, joint, 0, player, observation, 0)
            if told < 0:
                return told
            count = told & (SAME_FOR_ALL - 1)
            for_first, for_second = digest_of(observation, 0, count)
        if count > 0:
            extend_key(keys, KEY_WORDS * player, for_first, for_second)
    return 0


@kernel
def write_keys(keys: U64, words: I64, counts: I64) -> None:
    """Write the keys behind each of a sequence of actions and observations, which lie one after the other in `words`.

    Args:
        keys: `[2 * (n + 1)]`: first the key before all n of them; those behind each are overwritten.
        words: of all actions and observations.
        counts: `[n]` how many words each has; 0 for an action, which has one.
    """
    at = 0
    for position in range(counts.shape[0]):
        count, key = counts[position], KEY_WORDS * (position + 1)
        keys[key] = keys[key - KEY_WORDS]
        keys[key + 1] = keys[key - KEY_WORDS + 1]
        if count == 0:
            extend_key_by_action(keys, key, words[at])
            at += 1
        else:
            extend_key_by_observation(keys, key, words, at, count)
            at += count


START = int(START_FIRST), int(START_SECOND)
"""The key of a player who has neither acted nor observed anything."""

Known: TypeAlias = "tuple[int | tuple[int, ...], ...]"

_recent: dict[Known, tuple[int, int]] = {}
"""Keys found last: who plays on asks for the key of what is known now after the one of what was known before."""
RECENT = 4096
MOST_NEW = 6
"""Actions and observations since then, if there was one."""


def key_of(known: Sequence[int | tuple[int, ...]]) -> tuple[int, int]:
    """Return the key of a sequence of actions and observations, for callers outside of kernels.

    Args:
        known: an action as its number, an observation as its words, at least one.
    """
    whole = tuple(known)
    before, key = 0, START
    for length in range(len(whole), max(0, len(whole) - MOST_NEW), -1):
        if (found := _recent.get(whole[:length])) is not None:
            before, key = length, found
            break
    if before == len(whole):
        return key
    first, second = keys_of(whole[before:], key)[-1].tolist()
    if len(_recent) >= RECENT:
        _recent.clear()
    _recent[whole] = first, second
    return first, second


def keys_of(known: Sequence[int | tuple[int, ...]], before: tuple[int, int] = START) -> U64_2D:
    """Return `[n + 1, 2]` the keys before a sequence of n actions and observations, and behind each of them.

    Args:
        known: an action as its number, an observation as its words, at least one.
        before: the key before them.
    """
    keys = np.zeros((len(known) + 1, KEY_WORDS), dtype=np.uint64)
    keys[0] = before
    words = [word for one in known for word in ((one,) if isinstance(one, int) else one)]
    counts = [0 if isinstance(one, int) else len(one) for one in known]
    write_keys(keys.reshape(-1), np.array(words, dtype=np.int64), np.array(counts, dtype=np.int64))
    return keys
