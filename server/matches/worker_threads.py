"""Threads for long calls: loading games and making transitions, so that neither blocks the event loop.

Native code releases the GIL while it computes, and always ends, since the work of a transition is bounded when rules
are loaded.
"""

from __future__ import annotations

import asyncio
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

T = TypeVar("T")

LOOK_S = 0.05
"""How often, at least, the processor time of a call that may be over its limit is checked."""
BACKGROUND_NICENESS = 10
MAX_THREADS = 256
"""Of one pool: calls that gave their place away go on in theirs."""


class OverLimit(Exception):
    """A call took more processor time than its limit. It runs on to its end; nothing waits for it."""


class WorkerThreads:
    """Runs calls in threads, which are started when needed; belongs to one event loop.

    Args:
        places: calls that run at the same time; others wait.
        patience_s: a call that runs for longer gives its place to the next one.
        in_background: whether the threads have lower priority than the event loop, where the system supports that.
    """

    def __init__(self, places: int, *, patience_s: float = math.inf, in_background: bool = False) -> None:
        self._places = asyncio.Semaphore(places)
        self._patience_s = patience_s
        begin = _lower_priority if in_background and sys.platform == "linux" else None
        self._threads = ThreadPoolExecutor(MAX_THREADS, "worker", begin)

    async def run(self, call: Callable[[], T], limit_s: float = math.inf) -> tuple[T, float]:
        """Run a call, after waiting for a place.

        Args:
            call: what to run.
            limit_s: processor time that it may take, in seconds.

        Returns:
            Its result, and the processor time that it took, in seconds.

        Raises:
            OverLimit: it took longer.
            Exception: whatever it raised.
        """
        await self._places.acquire()
        has_place, timed = True, _Timed(call)
        answer = asyncio.get_running_loop().run_in_executor(self._threads, timed)
        try:
            await asyncio.wait([answer], timeout=_timeout(min(limit_s, self._patience_s)))
            while not answer.done():
                if has_place and self._patience_s < math.inf:
                    self._places.release()
                    has_place = False
                left_s = limit_s - timed.spent_s()
                if left_s <= 0:
                    raise OverLimit
                await asyncio.wait([answer], timeout=_timeout(max(LOOK_S, left_s)))
            return answer.result(), timed.took_s
        finally:
            answer.cancel()
            if has_place:
                self._places.release()

    def close(self) -> None:
        """End all threads that have nothing to do; the others end with their calls."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Timed(Generic[T]):
    """A call whose processor time is measured; on systems that do not record it, the elapsed time."""

    def __init__(self, call: Callable[[], T]) -> None:
        self.took_s = 0.0
        self._call = call
        self._began: tuple[int, float] | None = None
        """The thread's clock, and when the call began by it; None: it has not begun."""

    def __call__(self) -> T:
        clock = _clock_of_this_thread()
        self._began = clock, time.clock_gettime(clock)
        try:
            return self._call()
        finally:
            self.took_s = self.spent_s()

    def spent_s(self) -> float:
        """Return the processor time of the running call so far."""
        return 0.0 if self._began is None else time.clock_gettime(self._began[0]) - self._began[1]


def _lower_priority() -> None:
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BACKGROUND_NICENESS)


def _timeout(seconds: float) -> float | None:
    return seconds if seconds < math.inf else None


def _clock_of_this_thread() -> int:
    if hasattr(time, "pthread_getcpuclockid"):
        return time.pthread_getcpuclockid(threading.get_ident())
    return time.CLOCK_MONOTONIC
