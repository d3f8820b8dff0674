"""Threads for long calls: loading games and making transitions, so that neither blocks the event loop.

Native code releases the GIL while it computes, and always ends, since the work of a transition is
bounded when rules are loaded. Plain Python shares the GIL with the event loop, and can be interrupted.
"""

from __future__ import annotations

import asyncio
import ctypes
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")

LOOK_S = 0.05
"""How often, at least, the processor time of a call that may be over its limit is checked."""
BACKGROUND_NICENESS = 10


class OverLimit(Exception):
    """A call took more processor time than its limit. Native code in it may run on; nothing waits for it."""


class _Interrupted(BaseException):
    """Raised within a call that nothing waits for any more; not an `Exception`, so that nothing catches it."""


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
        self._in_background = in_background
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()

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
        place = _Place(self._places)
        worker = self._idle.pop() if self._idle else _Worker(in_background=self._in_background)
        self._busy.add(worker)
        answer = worker.begin(call)
        answer.add_done_callback(lambda _: self._ended(worker, place))
        try:
            await asyncio.wait([answer], timeout=_timeout(min(limit_s, self._patience_s)))
            while not answer.done():
                if self._patience_s < math.inf:
                    place.leave()
                left_s = limit_s - worker.spent_s()
                if left_s <= 0:
                    raise OverLimit
                await asyncio.wait([answer], timeout=_timeout(max(LOOK_S, left_s)))
            result: tuple[T, float] = answer.result()
            return result
        finally:
            if not answer.done():
                worker.interrupt()

    def close(self) -> None:
        """End all threads; native code is left to end by itself."""
        for worker in self._busy:
            worker.interrupt()
        for worker in self._idle:
            worker.end()
        self._idle.clear()

    def _ended(self, worker: _Worker, place: _Place) -> None:
        place.leave()
        self._busy.discard(worker)
        if not worker.is_interrupted:
            self._idle.append(worker)


class _Place:
    """One place of a semaphore, left once."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places: asyncio.Semaphore | None = places

    def leave(self) -> None:
        if self._places is not None:
            self._places.release()
            self._places = None


class _Worker:
    """A thread; makes one call at a time."""

    def __init__(self, *, in_background: bool) -> None:
        self.is_interrupted = False
        self._in_background = in_background
        self._loop = asyncio.get_running_loop()
        self._calls: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._clock: int | None = None
        self._began_s: float | None = None
        """When the running call began, by the thread's clock; None: it has not begun."""
        # A daemon: a call that never ends does not keep the process from exiting.
        self._thread = threading.Thread(target=self._work, name="worker", daemon=True)
        self._thread.start()

    def begin(self, call: Callable[[], T]) -> asyncio.Future[tuple[T, float]]:
        """Begin a call; return a future of its result and its processor time."""
        answer: asyncio.Future[tuple[T, float]] = self._loop.create_future()
        self._began_s = None
        self._calls.put((call, answer))
        return answer

    def spent_s(self) -> float:
        """Return the processor time of the running call; on systems that do not record it, the elapsed time."""
        began_s, clock = self._began_s, self._clock
        return 0.0 if began_s is None or clock is None else time.clock_gettime(clock) - began_s

    def interrupt(self) -> None:
        """Interrupt the running call as soon as it runs in Python; the thread makes no more calls."""
        self.is_interrupted = True
        identity = ctypes.c_ulong(self._thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(_Interrupted))

    def end(self) -> None:
        """Let the thread end when it has nothing to do."""
        self._calls.put(None)

    def _work(self) -> None:
        self._clock = _clock_of_this_thread()
        if self._in_background and sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BACKGROUND_NICENESS)
        answer = None
        try:
            while (work := self._calls.get()) is not None:
                call, answer = work
                self._make(call, answer)
        except _Interrupted:
            if answer is not None:
                self._tell(answer, None, None)

    def _make(self, call: Callable[[], Any], answer: asyncio.Future[Any]) -> None:
        assert self._clock is not None
        self._began_s = began_s = time.clock_gettime(self._clock)
        result, error = None, None
        try:
            result = call()
        except Exception as raised:  # passed to the caller
            error = raised
        self._tell(answer, (result, time.clock_gettime(self._clock) - began_s), error)

    def _tell(self, answer: asyncio.Future[Any], result: object, error: Exception | None) -> None:
        with suppress(RuntimeError):  # the loop is closed: nothing waits any more
            self._loop.call_soon_threadsafe(_settle, answer, result, error)


def _timeout(seconds: float) -> float | None:
    return seconds if seconds < math.inf else None


def _clock_of_this_thread() -> int:
    if hasattr(time, "pthread_getcpuclockid"):
        return time.pthread_getcpuclockid(threading.get_ident())
    return time.CLOCK_MONOTONIC


def _settle(answer: asyncio.Future[Any], result: object, error: Exception | None) -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(result)
    else:
        answer.set_exception(error)
