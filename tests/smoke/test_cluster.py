"""A tournament on a Dask cluster of real processes, one of which is killed in the middle."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from ggp.cli.main import app
from tests.support.processes import GGP, PATIENCE_S, free_port, records_of, run_ggp, running_command, wait_until

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="no Dask here: nothing runs on a cluster")

TOURNAMENT = (
    "tournament", "goofspiel", "--players", "duct", "duct:c=0.5", "random", "-p", "n=5", "--games", "32",
    "--iterations", "60", "--seed", "3", "--json",
)  # fmt: skip


@contextlib.contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Start a scheduler and workers without nannies: one that is killed does not come back."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    dask = (sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--no-dashboard")
    worker = (
        sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny",
        "--no-dashboard", "--local-directory", str(folder),
    )  # fmt: skip
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(folder / "cluster.log", "w"))
        started = []
        for command in ((*dask, "--port", str(port)), *(worker for _ in range(workers))):
            process = subprocess.Popen(command, stdout=log, stderr=log, text=True)
            stack.callback(process.wait)
            stack.callback(process.kill)
            started.append(process)
        wait_until(lambda: (folder / "cluster.log").read_text().count("Registered to:") == workers)
        yield address, started[1:]


def test_a_killed_worker_costs_no_game_and_the_results_are_those_of_one_machine(tmp_path: Path) -> None:
    record = tmp_path / "record.sqlite"
    expected = CliRunner().invoke(app, [*TOURNAMENT, "--jobs", "1"])
    assert expected.exit_code == 0, expected.stderr
    with cluster(tmp_path, 2) as (address, workers):
        command = (*GGP, *TOURNAMENT, "--executor", address, "--store", str(record))
        with running_command(*command) as playing:
            wait_until(lambda: len(records_of(record, "tournament")) > 2)
            assert playing.poll() is None
            workers[0].kill()
            output, errors = playing.communicate(timeout=PATIENCE_S)
        assert playing.returncode == 0, errors
        assert "2 workers" in errors
    assert json.loads(output) == json.loads(expected.stdout)
    records = records_of(record, "tournament")
    games = [(found["game"], *found["players"], one["number"]) for found in records for one in found["results"]]
    assert len(games) == len(set(games)) == 96


def test_a_cluster_that_is_not_there_is_told_in_one_line() -> None:
    outcome = run_ggp("tournament", "goofspiel", "--players", "random", "rm", "-p", "n=3", "--executor", "nowhere")
    assert outcome.returncode == 2
    assert outcome.stderr.splitlines()[-1].startswith("ggp: error: `nowhere` is not an address of a scheduler")
