"""Every experiment's quick form ends well, from any working directory, and says what it is."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import experiments

HERE = Path(next(iter(experiments.__path__)))
NAMES = sorted(path.stem for path in HERE.glob("*.py") if "run_experiment(main)" in path.read_text())


@pytest.mark.parametrize("name", NAMES)
def test_the_quick_form_ends_well(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    import_module(f"experiments.{name}").main(["--quick"])
    page = capsys.readouterr().out
    assert re.match(r"# .* \(quick form\)\n", page)
    # what follows is headings and tables: nothing that the full run has shown
    assert all(block.startswith(("#", "|")) for block in page.strip().split("\n\n")[2:])
    assert "\n| " in page


def test_there_are_some() -> None:
    assert "l14_convergence" in NAMES
    assert len(NAMES) > 15


NEEDS_OPENSPIEL = ("openspiel_duel", "openspiel_hidden_duel", "openspiel_strength")


@pytest.mark.parametrize("module", [*(f"experiments.{name}" for name in NEEDS_OPENSPIEL), "benchmarks"])
def test_a_missing_open_spiel_is_told_in_one_line(module: str) -> None:
    # None in place of a module: importing it fails as if it were not installed
    without = f"import runpy, sys; sys.modules['pyspiel'] = None; runpy.run_module({module!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", without, "--quick"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert re.fullmatch(r"error: .*OpenSpiel.*pip install open_spiel\n", done.stderr)
