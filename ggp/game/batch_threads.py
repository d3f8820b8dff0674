"""Threads that share the games of a batch. They outlive neither a fork nor the batch."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ggp.codegen.kernels import I64

MIN_GAMES_A_THREAD = 256
"""Fewer are not worth handing over to another thread."""


class BatchThreads:
    """Runs work on all games of a batch, each thread on games of its own.

    Args:
        games: how many.
        threads: that work at once; None: one for each processor that may be used.
        max_actions: legal actions at most, for which each thread has room.
    """

    def __init__(self, games: int, threads: int | None, max_actions: int) -> None:
        parts = max(1, min(usable_processors() if threads is None else threads, games // MIN_GAMES_A_THREAD))
        bounds = [games * part // parts for part in range(parts + 1)]
        self._parts = list(itertools.pairwise(bounds))
        self.scratch: list[I64] = [np.zeros(max_actions, np.int64) for _ in self._parts]
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def run(self, work: Callable[[I64, int, int], Any]) -> list[Any]:
        """Run work on all games; it gets scratch, the first game and the one behind the last."""
        if len(self._parts) == 1:
            return [work(self.scratch[0], *self._parts[0])]
        if self._pool is None or self._process != os.getpid():
            # a fork leaves its threads behind: a pool that was copied waits for them for ever
            self._pool = ThreadPoolExecutor(len(self._parts) - 1, thread_name_prefix="batch")
            self._process = os.getpid()
        others: list[Future[Any]] = [
            self._pool.submit(work, scratch, first, last)
            for scratch, (first, last) in zip(self.scratch[1:], self._parts[1:], strict=True)
        ]
        results = [work(self.scratch[0], *self._parts[0])]
        return results + [other.result() for other in others]


def usable_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on Windows and macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
