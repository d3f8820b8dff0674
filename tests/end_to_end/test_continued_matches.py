"""`ggp match` and `ggp tournament`, interrupted and killed in the middle: the same command continues the record."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ggp.cli.main import app
from tests.support.processes import PATIENCE_S, process, records_of, wait_until

MATCH = [
    "match", "goofspiel", "rm", "duct", "-p", "n=8", "--swap", "--games", "40", "--iterations", "3000", "--seed", "4",
]  # fmt: skip
TOURNAMENT = [
    "tournament", "goofspiel", "--players", "rm", "duct", "random", "-p", "n=8", "--games", "14",
    "--iterations", "3000", "--seed", "4",
]  # fmt: skip

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def children_of(process_id: int) -> list[int]:
    listing = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    pairs = [tuple(map(int, line.split())) for line in listing.splitlines()]
    return [child for child, parent in pairs if parent == process_id]


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    # what has ended and was not waited for yet (where nobody is the parent of orphans) does not run
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process_id)], capture_output=True, text=True, check=False)
    return not state.stdout.startswith("Z") and bool(state.stdout)


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "stop"),
    [(MATCH, signal.SIGKILL), (TOURNAMENT, signal.SIGINT)],
    ids=["match, killed", "tournament, interrupted"],
)
def test_a_stopped_run_is_continued_to_the_same_end(tmp_path: Path, command: list[str], stop: signal.Signals) -> None:
    store = tmp_path / "record.sqlite"
    with process(*command, "--jobs", "2", "--store", str(store)) as running:
        wait_until(lambda: bool(records_of(store, command[0])))
        workers = children_of(running.pid)
        assert len(workers) >= 2
        running.send_signal(stop)
        _, errors = running.communicate(timeout=PATIENCE_S)
    wait_until(lambda: not any(map(is_running, workers)))
    recorded = records_of(store, command[0])
    if stop == signal.SIGINT:
        assert running.returncode == 130
        assert f"the same command continues {store}" in errors
        assert "Traceback" not in errors
    continued = CliRunner().invoke(app, [*command, "--jobs", "1", "--store", str(store), "--json"])
    assert "continuing" in continued.stderr
    after = records_of(store, command[0])
    assert after[: len(recorded)] == recorded
    assert len(after) > len(recorded)
    assert json.loads(continued.stdout) == json.loads(
        CliRunner().invoke(app, [*command, "--jobs", "1", "--json"]).stdout
    )
