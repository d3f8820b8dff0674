"""How much memory a search takes, and how long it runs before interrupts are noticed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import numpy as np

MEGABYTE = 1 << 20
MAX_BY_DEFAULT = 1024 * MEGABYTE
TOUCHED_WORDS = 2 * MEGABYTE
"""Memory touched before a match, for the first moves."""
PAGE_WORDS = 512
"""Words of the smallest page that systems use."""
ITERATIONS_A_CALL = 1 << 16
"""Iterations of one call of a kernel: some hundredths of a second in small games, some seconds in large ones."""


def memory_bytes(megabytes: int) -> int:
    """Return the memory of a search by its settings; 0 gives a sixteenth of the machine's memory, at most 1 GiB."""
    if megabytes:
        return megabytes * MEGABYTE
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return MAX_BY_DEFAULT // 4
    return min(MAX_BY_DEFAULT, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 16)


def calls(iterations: int, most: int = 0) -> Iterator[int]:
    """Divide iterations into calls of a kernel, which interrupts wait for; yield the iterations of each."""
    size = most or ITERATIONS_A_CALL
    for begin in range(0, iterations, size):
        yield min(size, iterations - begin)


def touch(array: np.ndarray[Any, Any], end: int) -> None:
    """Touch the words before `end`, which keep their values, so that the system provides their memory.

    Args:
        array: contiguous, of 64-bit words, in any shape; nothing else may use it meanwhile.
        end: counted through all dimensions; may lie beyond the array.
    """
    words = array.reshape(-1).view(np.int64)[:end:PAGE_WORDS]
    words |= 0
