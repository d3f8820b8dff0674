"""Comparisons in a process of their own: wrong machine code may end it, or never return."""

from __future__ import annotations

import gc
import linecache
import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Iterable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import cast

import highspy  # noqa: F401 - before processes are forked: it cannot be imported where the time ends meanwhile

from ggp.cache import cache_root

from .comparisons import CHECKER, COMPARISONS, THOROUGH, TOO_LARGE, Effort, Failure, TimeOver, compared

TIMEOUT_S, CPU_S = 1200.0, 120
"""How long an answer may take, and how much processor time: a busy machine does not make a find."""


def compared_apart(text: str, seed: int, names: Iterable[str] = tuple(COMPARISONS)) -> Failure | str:
    """Return what `compared` does; a process that dies or takes too long is a failure, too."""
    worker = Worker(texts=1)
    try:
        return worker.compared(text, seed, names)
    finally:
        worker.close()


class Worker:
    """A process that compares one text after the other, and makes way for a new one after some of them."""

    def __init__(self, texts: int) -> None:
        self.texts, self.left = texts, 0
        self._process: ForkProcess | None = None

    def compared(
        self, text: str, seed: int, names: Iterable[str] = tuple(COMPARISONS), effort: Effort = THOROUGH
    ) -> Failure | str:
        """Return what `compared` does; see `compared_apart`."""
        if not self.left:
            self._start()
        self.left -= 1
        name = CHECKER
        try:
            self._pipe.send((text, seed, tuple(names), effort))
            while self._pipe.poll(TIMEOUT_S):
                name, result = self._pipe.recv()
                if result is not None:
                    return cast("Failure | str", result)
            failure = Failure(name, "timeout", "", f"no answer within {TIMEOUT_S:g} s")
        except (EOFError, ConnectionError):
            assert self._process is not None
            self._process.join()
            code = self._process.exitcode or 0
            if code == -signal.SIGXCPU:
                failure = Failure(name, "timeout", "", f"no answer within {CPU_S} s of processor time")
            else:
                error = signal.Signals(-code).name if code < 0 else f"status {code}"
                failure = Failure(name, error, "", f"the process ended by {error}")
        self.close()
        return failure

    def _start(self) -> None:
        self.close()
        context = multiprocessing.get_context("fork")  # what was imported and compiled is there at once
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_compare, args=(theirs, self._pipe))
        self._process.start()
        theirs.close()
        self.left = self.texts

    def close(self) -> None:
        """End the process, whatever it does."""
        self.left = 0
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._pipe.close()
            self._process = None
            _clear_cache()


def _end_comparing(*_: object) -> None:
    raise TimeOver


def _clear_cache() -> None:
    for kept in (cache_root() / "games").glob("*"):
        kept.unlink()  # of a game that nobody will play again


def _compare(pipe: Connection, parents: Connection) -> None:
    parents.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    signal.signal(signal.SIGPROF, _end_comparing)
    sys.stdout = sys.stderr = Path("/dev/null").open("w")  # noqa: SIM115 - until the process ends
    gc.disable()  # a process ends before it has collected much
    while True:
        try:
            text, seed, names, effort = pipe.recv()
        except EOFError:
            return
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + CPU_S, resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, effort.cpu_s)
        try:
            result = compared(text, names, seed, lambda name: pipe.send((name, None)), effort)
            if signal.setitimer(signal.ITIMER_PROF, 0) == (0.0, 0.0):
                result = TOO_LARGE  # also where the clock made something else fail
        except TimeOver:  # between two comparisons
            result = TOO_LARGE
        _clear_cache()
        linecache.clearcache()
        pipe.send(("", result))
