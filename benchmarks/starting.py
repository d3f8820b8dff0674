"""The time until a game can be played: compiling its rules, `ggp check`, and the first commands on a machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass

import ggp
from ggp.cli.commands.bench import compile_times

COMMAND = "from ggp.cli.main import main; main()"
FIRST_COMMANDS = (
    "match goofspiel rm duct -p n=5 --games 4 --iterations 300",
    "match poker ismcts oos --games 2 --iterations 300",
    "exploit goofspiel rm -p n=3 --iterations 1000",
    "exploit kuhn_poker oos --iterations 1000",
    "match pig mcts star1 --games 2 --iterations 300",
    "match pig auto random --games 2",
    "tournament goofspiel -p n=4 --players rm duct --games 4 --iterations 300",
    "solve kuhn_poker",
)
"""Typical first commands on a machine; each compiles other kernels."""


@dataclass(frozen=True, slots=True)
class Starting:
    """Seconds.

    Attributes:
        cold: to compile, nothing cached.
        cached: to load the native code from the cache.
        check: processor time of `ggp check` in a process of its own, random games included.
    """

    cold: float
    cached: float
    check: float


def starting(name: str) -> Starting:
    """Measure a library game with its default parameters."""
    times = compile_times(ggp.load(name))
    return Starting(times["compile_cold_s"], times["compile_cached_s"], check_time(name))


@dataclass(frozen=True, slots=True)
class FirstMinute:
    """Seconds that a command takes.

    Attributes:
        first: on the clock, nothing cached.
        first_cpu: of processor time, in all processes.
        again: on the clock, when all code is cached.
    """

    first: float
    first_cpu: float
    again: float


def first_minute(commands: Sequence[str] = FIRST_COMMANDS) -> dict[str, FirstMinute]:
    """Measure commands, each with its own cache folder, empty at first."""
    found = {}
    for command in commands:
        with tempfile.TemporaryDirectory() as cache:
            (first, first_cpu), (again, _) = _run(command, cache), _run(command, cache)
        found[command] = FirstMinute(first, first_cpu, again)
    return found


def _run(command: str, cache: str) -> tuple[float, float]:
    before, began = _children_time(), time.perf_counter()
    arguments = [sys.executable, "-c", COMMAND, *command.split()]
    subprocess.run(arguments, check=True, capture_output=True, env={**os.environ, "GGP_CACHE": cache})
    return time.perf_counter() - began, _children_time() - before


def check_time(name: str) -> float:
    """Return the seconds of processor time that `ggp check` takes."""
    before = _children_time()
    subprocess.run([sys.executable, "-c", COMMAND, "check", name], check=True, capture_output=True)
    return _children_time() - before


def _children_time() -> float:
    times = os.times()
    return times.children_user + times.children_system


def measure(names: tuple[str, ...]) -> dict[str, Starting]:
    """Return the measurements of some library games, by name."""
    return {name: starting(name) for name in names}
