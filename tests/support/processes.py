"""Game managers and players as real processes on loopback sockets."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from ggp.cli.main import app
from ggp.competition.run_store import RecordUnusable, read_run
from server.store import records
from server.store.store import read_store

TIME_SCALE = float(os.environ.get("GGP_TEST_TIME_SCALE", "1"))
"""One factor for all deadlines of these tests, for slow machines."""

PATIENCE_S = 120.0 * TIME_SCALE
"""The first run on a machine compiles kernels, which may take most of this."""
GGP = (sys.executable, "-m", "ggp")


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def run_ggp(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*GGP, *arguments], capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def process(*arguments: str) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
    """Run `ggp` until the context ends."""
    return running_command(*GGP, *arguments)


@contextlib.contextmanager
def running_command(*command: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command until the context ends."""
    running = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        yield running
    finally:
        # The whole group: the node of PyPI is a script that starts node itself, which would keep the pipes open.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()


class ManagerProcess:
    """A `ggp serve --json` that has said where it listens."""

    def __init__(self, running: subprocess.Popen[str]) -> None:
        self.running = running
        assert running.stdout is not None
        line = running.stdout.readline()
        if not line:
            raise AssertionError(f"the manager did not start: {running.communicate()[1]}")
        self.url = json.loads(line)["url"]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2].partition("/")[0])

    def results(self) -> dict[str, object]:
        """Wait for the end of the tournament, and return what the manager prints then."""
        output, errors = self.running.communicate(timeout=PATIENCE_S)
        assert self.running.returncode == 0, errors
        assert "Traceback" not in errors
        (line,) = output.splitlines()
        return json.loads(line)


@contextlib.contextmanager
def manager(store: Path, *arguments: str, port: int = 0) -> Iterator[ManagerProcess]:
    with process("serve", "--json", "--port", str(port), "--store", str(store), *arguments) as running:
        yield ManagerProcess(running)


def goofspiel(players: int, rounds: int = 1, *, play_clock_s: float = 0.05, allowance_ms: int = 500) -> list[str]:
    """Return the options of a round robin of goofspiel(3)."""
    return [
        "--tournament", "goofspiel", "--param", "n=3", "--players", str(players), "--rounds", str(rounds),
        "--start-clock", "20", "--play-clock", str(play_clock_s), "--allowance", str(int(allowance_ms * TIME_SCALE)),
    ]  # fmt: skip


def stored_matches(store: Path) -> list[records.MatchRow]:
    with read_store(store) as connection:
        return records.matches(connection)


def assert_verified(store: Path) -> None:
    """Check every match of a store as `ggp replay --verify` does."""
    for row in stored_matches(store):
        outcome = CliRunner().invoke(app, ["replay", str(store), "--match", row.id, "--verify", "--json"])
        assert outcome.exit_code == 0, outcome.output
        assert json.loads(outcome.stdout) == {"ok": True, "first_difference": None}


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def records_of(store: Path, kind: str) -> list[Any]:
    """Return what a run has recorded so far; nothing before it has begun."""
    if not store.exists():
        return []
    try:
        return [record for _, record in read_run(store, kind)[1]]
    except RecordUnusable:
        return []
