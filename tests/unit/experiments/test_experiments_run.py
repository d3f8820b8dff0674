"""The experiments in small: they run by one command, go on where they were stopped, and tell what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments import convergence_questions, goofspiel_orders, l14_convergence, llw13_figure_4, llw13_table_1
from experiments.curves import Curve, MeasuredCurve, measure
from experiments.perturbed_equilibria import perturbed_profile
from ggp.analysis.statistics import Interval
from ggp.cli.record_file import RecordUnusable
from players.measuring import Course, measured_game

CURVES = [
    Curve("pennies", player, Course("matching_pennies", (), player, (10.0, 100.0)))
    for player in ("rm", "exp3", "random")
]


def losses(measured: list[MeasuredCurve]) -> list[list[float]]:
    return [one.nash_conv(point) for one in measured for point in range(2)]


def test_curves_go_on_from_a_record(tmp_path: Path) -> None:
    whole = measure(CURVES, 3, 7, 1, tmp_path / "whole.jsonl")
    assert [len(one.runs) for one in whole] == [3, 3, 3]
    record = tmp_path / "stopped.jsonl"
    measure(CURVES, 1, 7, 1, record)
    # the last line was being written when the run was stopped
    record.write_bytes(record.read_bytes()[:-20])
    assert len(measure(CURVES, 3, 7, 1, record, so_far=True)) == 2
    assert losses(measure(CURVES, 3, 7, 2, record)) == losses(whole)
    assert losses(measure(CURVES, 3, 7, 1, record, so_far=True)) == losses(whole)
    with pytest.raises(RecordUnusable, match="seed"):
        measure(CURVES, 3, 8, 1, record)


def test_uniform_play_loses_nothing_in_matching_pennies(tmp_path: Path) -> None:
    random = measure(CURVES, 2, 0, 1, tmp_path / "record.jsonl")[2]
    assert random.mean(0).estimate == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("experiment", [goofspiel_orders, convergence_questions], ids=lambda module: module.__name__)
def test_quick_experiments(experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts, markdown = tmp_path / "facts.json", tmp_path / "page.md"
    words = ["--quick", "--runs", "1", "--jobs", "1", "--records", str(tmp_path)]
    assert experiment.main([*words, "--json", str(facts), "--markdown", str(markdown)]) == 0
    assert json.loads(facts.read_text())
    assert "| `rm:gamma=0.1` |" in markdown.read_text() or "Java" in markdown.read_text()


def test_all_curves_are_different() -> None:
    for curves in (
        l14_convergence.planned(l14_convergence.POINTS),
        goofspiel_orders.planned(6, goofspiel_orders.POINTS),
        convergence_questions.planned(False),
        llw13_figure_4.planned("shuffled", llw13_figure_4.POINTS, ""),
    ):
        assert len({curve.course for curve in curves}) == len(curves)
        assert len({(curve.panel, curve.name) for curve in curves}) == len(curves)


@pytest.mark.parametrize("gamma", [0.1, 0.025])
def test_exploration_shifts_a_mixed_equilibrium(gamma: float) -> None:
    game = convergence_questions.RPS
    graph, _ = measured_game(game.game, game.parameters, None)
    # what is played is the equilibrium, so the rest of it is this
    expected = [(share - gamma / 3) / (1 - gamma) for share in (0.0625, 0.625, 0.3125)]
    for player in range(2):
        assert perturbed_profile(graph, gamma).of(player, 0) == pytest.approx(expected)
    # 10 / 13 for 0.025, by hand: scissors get 50.3846 of 100 against it
    assert convergence_questions.predicted(game, gamma) == pytest.approx({0.1: 10 / 3, 0.025: 10 / 13}[gamma])


def test_the_verdict_on_a_cell() -> None:
    def verdict(ours: Interval, row: int = 2, column: int = 1) -> str:
        return llw13_table_1.Cell("WL", row, column, 2000, ours).verdict

    # the paper: DUCT(mix) wins 57.5 % against DUCT(max)
    assert verdict(Interval(55, 53, 57)) == "agrees"
    assert verdict(Interval(45, 43, 47)) == "**differs**"
    assert verdict(Interval(51, 49, 53)) == "ours is even"
    assert verdict(Interval(55, 45, 65)) == "too close in the paper"
    # RM wins 50.4 % against OOS+
    assert verdict(Interval(60, 59, 61), 6, 5) == "too close in the paper"
