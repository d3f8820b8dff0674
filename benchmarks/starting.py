"""The time that the first commands on a machine take; of a single game, `ggp bench` tells how long it is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.tables import table

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


def _children_time() -> float:
    times = os.times()
    return times.children_user + times.children_system


def section(figures: Mapping[str, FirstMinute]) -> str:
    """Return the table of first commands on a new machine."""
    rows = [
        [f"`ggp {command}`", f"{measured.first:.1f}", f"{measured.first_cpu:.1f}", f"{measured.again:.1f}"]
        for command, measured in figures.items()
    ]
    heading = ["command", "first time, s", "of CPU, s", "again, s"]
    return "## The first minute\n\nSeconds on the clock, with an empty cache and again.\n\n" + table(heading, rows)


def part(quick: bool) -> tuple[Any, str]:
    """Measure the first commands on a machine; return the figures, and the section of the page."""
    figures = first_minute(FIRST_COMMANDS[-1:] if quick else FIRST_COMMANDS)
    return figures, section(figures)
