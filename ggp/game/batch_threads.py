"""Threads that share the games of a batch. They outlive neither a fork nor the batch."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ggp.codegen.kernels import I64
    from ggp.game.batch_team import Team

MIN_GAMES_A_THREAD = 256
"""Fewer are not worth handing over to another thread."""
MOST_THREADS = 64


class BatchThreads:
    """Runs work on all games of a batch, each thread on games of its own.

    Args:
        games: how many.
        threads: that work at once; None: one for each processor that may be used.
        max_actions: legal actions at most, for which each thread has room.

    Attributes:
        parts: the first game of each thread, and the one behind its last.
        scratch: room for each thread.
    """

    def __init__(self, games: int, threads: int | None, max_actions: int) -> None:
        parts = max(
            1, min(usable_processors() if threads is None else threads, games // MIN_GAMES_A_THREAD, MOST_THREADS)
        )
        bounds = [games * part // parts for part in range(parts + 1)]
        self.parts = list(itertools.pairwise(bounds))
        self.scratch: list[I64] = [np.zeros(max_actions, np.int64) for _ in self.parts]
        self._pool: ThreadPoolExecutor | None = None
        self._team: Team | None = None
        self._process = 0

    def prepared(self, function: int, arguments: Sequence[Sequence[int]]) -> Callable[[], None]:
        """Return the call of a native function with arguments for each part, see `call_rows`."""
        from ggp.game.batch_team import Team, call_rows  # only here is LLVM needed

        rows = call_rows(function, arguments)

        def call() -> None:
            self._leave_the_fork()
            if self._team is None:
                self._team = Team(len(self.parts))
            self._team.call(rows)

        return call

    def run(self, work: Callable[[I64, int, int], Any]) -> list[Any]:
        """Run work on all games; it gets scratch, the first game and the one behind the last."""
        if len(self.parts) == 1:
            return [work(self.scratch[0], 0, self.parts[-1][1])]
        self._leave_the_fork()
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self.parts) - 1, thread_name_prefix="batch")
        others: list[Future[Any]] = [
            self._pool.submit(work, scratch, first, last)
            for scratch, (first, last) in zip(self.scratch[1:], self.parts[1:], strict=True)
        ]
        results = [work(self.scratch[0], *self.parts[0])]
        return results + [other.result() for other in others]

    def _leave_the_fork(self) -> None:
        """Forget threads that a fork left behind: whoever waits for them waits for ever."""
        if self._process != os.getpid():
            self._pool = self._team = None
            self._process = os.getpid()


def usable_processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):  # not on Windows and macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
