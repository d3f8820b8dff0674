"""Touches memory before it is needed, while no deadline is near, so that the system provides it.

The system provides memory when it is first written to, two megabytes at a time. On a virtual machine that can take five
milliseconds of processor time: more than twice a slice of a search, and enough to make a move late.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from players.search.information_sets.infoset_table import HEADER_WORDS, NODES, SLOTS, WORDS, InfosetTable

PAGE_WORDS = 512
"""Words of the smallest page that systems use."""
AHEAD_WORDS = 1 << 20
"""Words of the tree that are always touched ahead of a decision; of its table, what nodes of two actions need there."""
CHUNK_WORDS = 1 << 18
GROWTH = 2
"""If the last decisions took more, this many times as much is touched."""


def touch(array: np.ndarray[Any, Any], begin: int, end: int) -> None:
    """Touch some words, which keep their values, so that the system provides their memory.

    Args:
        array: contiguous, of 64-bit words, in any shape; nothing else may use it meanwhile.
        begin: first word to touch, counted through all dimensions; at least 0.
        end: the word after the last; may lie beyond the array.
    """
    words = array.reshape(-1).view(np.int64)[begin:end:PAGE_WORDS]
    words |= 0


class MemoryAhead:
    """Touches the memory that a tree will probably grow into."""

    def __init__(self, tree: InfosetTable) -> None:
        self._tree = tree
        self._words = 0
        self._slots = 0
        self._grown = 0
        self._before = 0

    def begin(self) -> None:
        """Note that the tree is empty."""
        self._before = 0

    def touch(
        self, words: int = AHEAD_WORDS, clock: Callable[[], float] = time.monotonic, until: float = math.inf
    ) -> None:
        """Touch what the next decision will probably take, somewhat more than the last ones did.

        What does not fit into the time is done before later decisions.

        Args:
            words: least number of words of the tree to touch.
            clock: reads a monotonic clock in seconds.
            until: when to stop, by that clock.
        """
        tree = self._tree
        now, nodes = int(tree.counters[WORDS]), int(tree.counters[NODES])
        self._grown = max(now - self._before, self._grown // 2)
        self._before = now
        ahead = max(words, GROWTH * self._grown)
        wanted = min(now + ahead, tree.words.size)
        while self._words < wanted and clock() < until:
            touch(tree.words, self._words, self._words + CHUNK_WORDS)
            self._words += CHUNK_WORDS
        # tables begin at both ends of the memory for slots, by turns; one half full is replaced by one twice as large
        size = max(now // max(nodes, 1), HEADER_WORDS + 2 * tree.action_numbers)
        slots = int(tree.counters[SLOTS])
        while slots < 4 * (nodes + ahead // size):
            slots *= 2
        wanted, end = min(2 * slots, tree.slots.size), tree.slots.size
        while self._slots < wanted and clock() < until:
            touch(tree.slots, self._slots, self._slots + CHUNK_WORDS)
            touch(tree.slots, max(0, end - self._slots - CHUNK_WORDS), end - self._slots)
            self._slots += CHUNK_WORDS
