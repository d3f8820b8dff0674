"""Every experiment's quick form ends well, from any working directory, says what it is, and continues its record."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import experiments
import ggp
from experiments.experiment import Experiment

HERE = Path(next(iter(experiments.__path__)))
NAMES = sorted(path.stem for path in HERE.glob("*.py") if "EXPERIMENT.run()" in path.read_text())


def experiment(name: str) -> Experiment:
    found = import_module(f"experiments.{name}").EXPERIMENT
    assert isinstance(found, Experiment)
    assert found.module == name
    return found


def equilibria(rows: Any) -> None:
    assert [row["value"] for row in rows] == pytest.approx([-1 / 18, -0.0856064], abs=1e-6)


def evolving(curves: Any) -> None:
    # 59 % to 28 % where both play at random; then the opponent learns
    assert curves[0]["difference"][0] > curves[0]["difference"][1]
    assert curves[1]["difference"][0] < curves[1]["difference"][1]


def depths(tables: Any) -> None:
    rows = tables["goofspiel(5)"]
    assert [row["pure"] + row["mixed"] for row in rows] == [1, 25, 400, 3600, 14400]


def pig(found: Any) -> None:
    # with so little to go the horizon is the end of the game: what is searched through is exact
    assert len(found) == 8
    for row in found.values():
        assert row["MSE"] >= row["variance"] >= 0
        assert row["regret"] >= -1e-6


def solved(found: Any) -> None:
    result = found["tic_tac_toe"]
    assert result["choice"] == "the solution"
    assert result["duel"]["rate"]["estimate"] >= 0.5, "what is solved is not lost"
    assert result["optimal"]["estimate"] >= 0.5, "nothing can be won by losing value"


def side_by_side(told: Any) -> None:
    assert len(told) == 6
    assert all(one["result"]["games"] == 2 and all(one["result"]["seconds"]) for one in told)


def learned(found: Any) -> None:
    assert len(found) == 10
    assert all(pair["won"] + pair["lost"] <= pair["games"] == 1 for pair in found.values())


def pursued(told: Any) -> None:
    for pair in told:
        (game,) = pair["games"]
        assert 1 <= game["mean_size"] <= 465
        assert 0 <= game["seen"] <= 3


def sizes(facts: Any) -> None:
    # three cards: the second player does not see the first's, so its sets have all that may have been played
    assert facts["hidden goofspiel(3)"]["sizes"]["1"] == [3]
    assert sum(facts["hidden goofspiel(3)"]["sizes"]["3"]) == 3 * 3 * 2
    assert sum(len(own) for own in facts["hidden goofspiel(3)"]["sizes"].values()) == 16


def same_walked(curves: Any) -> None:
    means = {
        panel: [one["means"] for one in curves if one["panel"] == panel]
        for panel in ("Kuhn poker, from the root", "Kuhn poker, walked, from the root")
    }
    held, walked = ([[at["nash_conv"] for at in one] for one in own] for own in means.values())
    for one, other in zip(held, walked, strict=True):
        assert one == pytest.approx(other, abs=1e-9), "best responses of the unfolded game, and by a walk through it"


CHECKS: dict[str, Callable[[Any], None]] = {
    "auger_figures_2_3": evolving,
    "auger_table_1": learned,
    "depth_tables": depths,
    "hidden_equilibria": equilibria,
    "l14_hidden_convergence": same_walked,
    "l14_information_sets": sizes,
    "l14_visibility": pursued,
    "mcms13_table_1": pig,
    "openspiel_hidden_duel": side_by_side,
    "openspiel_strength": solved,
}


@pytest.mark.parametrize("name", NAMES)
def test_the_quick_form_ends_well_and_is_recorded(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    one, markdown = experiment(name), tmp_path / "page.md"
    one.main(["--quick", "--json", "--markdown", str(markdown)])
    facts, page = json.loads(capsys.readouterr().out), markdown.read_text()
    assert facts
    CHECKS.get(name, lambda _: None)(facts)
    assert re.match(r"# .* \(quick form\)\n", page)
    # what follows is headings and tables: nothing that the full run has shown
    assert all(block.startswith(("#", "|")) for block in page.strip().split("\n\n")[2:])
    assert "\n| " in page
    if "so_far" not in one.without and name != "llw13_table_2":  # which measures speeds besides
        one.main(["--quick", "--so-far"])
        assert capsys.readouterr().out == page + "\n"


def test_there_are_some_and_their_checks_are_theirs() -> None:
    assert len(NAMES) > 15
    assert CHECKS.keys() <= set(NAMES)


RULES = sorted(HERE.glob("*.rules"))


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_payoffs_of_rules_files_have_a_known_sum(path: Path) -> None:
    # what solves or measures them refuses games of two players without one
    assert ggp.load(str(path)).utility_sum is not None


NEEDS_OPENSPIEL = ("openspiel_hidden_duel", "openspiel_strength")


@pytest.mark.parametrize("module", [*(f"experiments.{name}" for name in NEEDS_OPENSPIEL), "benchmarks"])
def test_a_missing_open_spiel_is_told_in_one_line(module: str) -> None:
    # None in place of a module: importing it fails as if it were not installed
    without = f"import runpy, sys; sys.modules['pyspiel'] = None; runpy.run_module({module!r}, run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", without, "--quick"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert re.fullmatch(r"error: .*OpenSpiel.*pip install open_spiel\n", done.stderr)
