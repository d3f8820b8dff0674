"""Experiments interrupted in the middle: recorded results are kept, and the same command continues from there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from experiments import llw13_figure_4, model_confidence
from tests.support.processes import PATIENCE_S, records_of, wait_until

CURVES = ["--quick", "--runs", "1"]
PARTS = ["--cards", "3", "--iterations", "500", "--sweeps", "2000", "--runs", "4"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def without_times(facts: Any) -> Any:
    if isinstance(facts, dict):
        return {key: without_times(value) for key, value in facts.items() if key != "seconds"}
    return [without_times(one) for one in facts] if isinstance(facts, list) else facts


@pytest.mark.parametrize(("experiment", "words"), [(llw13_figure_4, CURVES), (model_confidence, PARTS)])
def test_an_interrupted_experiment_goes_on(
    tmp_path: Path, experiment: ModuleType, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    words = [*words, "--seed", "5", "--store"]
    store = tmp_path / "stopped"

    def recorded() -> list[Any]:
        return [record for path in store.glob("*.sqlite") for record in records_of(path, "experiment")]

    def results(folder: Path, *more: str) -> Any:
        experiment.EXPERIMENT.main([*words, str(folder), "--jobs", "1", "--json", *more])
        return without_times(json.loads(capsys.readouterr().out))

    command = [sys.executable, "-m", experiment.__name__, *words, str(store), "--jobs", "2"]
    # a group of its own: a terminal interrupts all processes of one at once
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, process_group=0) as running:
        wait_until(lambda: bool(recorded()))
        os.killpg(running.pid, signal.SIGINT)
        _, errors = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    assert "the same command continues from there" in errors
    assert "Traceback" not in errors
    stopped = recorded()
    assert results(store, "--so-far")
    assert recorded() == stopped
    continued = results(store)
    assert recorded()[: len(stopped)] == stopped
    assert len(recorded()) > len(stopped)
    assert continued == results(tmp_path / "whole")
