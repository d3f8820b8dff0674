"""Comparisons in a process of their own: wrong machine code may end it, or never return."""

from __future__ import annotations

import multiprocessing
import resource
import signal
import sys
from collections.abc import Iterable
from multiprocessing.connection import Connection
from pathlib import Path

from ggp.cache import cache_root

from .comparisons import CHECKER, COMPARISONS, Failure, compared

TIMEOUT_S, CPU_S = 1200.0, 120
"""How long an answer may take, and how much processor time: a busy machine does not make a find."""


def compared_apart(text: str, seed: int, names: Iterable[str] = tuple(COMPARISONS)) -> Failure | str:
    """Return what `compared` does; a process that dies or takes too long is a failure, too."""
    context = multiprocessing.get_context("fork")  # what was imported and compiled is there at once
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_compare, args=(theirs, text, seed, tuple(names)))
    process.start()
    theirs.close()
    name = CHECKER
    try:
        while ours.poll(TIMEOUT_S):
            name, result = ours.recv()
            if result is not None:
                return result
        return Failure(name, "timeout", "", f"no answer within {TIMEOUT_S:g} s")
    except EOFError:
        process.join()
        code = process.exitcode or 0
        if code == -signal.SIGXCPU:
            return Failure(name, "timeout", "", f"no answer within {CPU_S} s of processor time")
        error = signal.Signals(-code).name if code < 0 else f"status {code}"
        return Failure(name, error, "", f"the process ended by {error}")
    finally:
        process.kill()
        process.join()
        for kept in (cache_root() / "games").glob("*"):
            kept.unlink()  # of a game that nobody will play again


def _compare(answers: Connection, text: str, seed: int, names: tuple[str, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 5))
    sys.stdout = sys.stderr = Path("/dev/null").open("w")  # noqa: SIM115 - until the process ends
    result = compared(text, names, seed, lambda name: answers.send((name, None)))
    answers.send(("", result))
