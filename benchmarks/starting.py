"""How long it takes until a game can be played: compiling its rules, and `ggp check` from the shell."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass

import ggp
from ggp.cli.commands.bench import compile_times

COMMAND = "from ggp.cli.main import main; main()"


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
