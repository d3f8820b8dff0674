"""Small versions of the experiments: they run, continue after an interruption, and report their results."""

from __future__ import annotations

import json
import sqlite3
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from experiments import (
    auger_figures_2_3,
    depth_tables,
    l14_convergence,
    l14_hidden_convergence,
    l14_tables,
    llw13_figure_4,
    llw13_table_1,
    mcms13_figure_1,
    model_confidence,
    openspiel_strength,
    strength,
)
from experiments.curves import Curve, MeasuredCurve, measured_curves
from experiments.experiment import READINGS, Experiment
from experiments.options import PRINTED, NotKnown
from experiments.records import recorded_parts
from experiments.tables import NotWritable
from ggp.competition.run_store import RecordUnusable
from ggp.competition.statistics import Interval
from players.evaluation.matches import GameResult
from players.evaluation.measuring import Course
from players.player_options import NotApplicable

CURVES = [
    Curve("pennies", player, Course("matching_pennies", (), player, (10.0, 100.0)))
    for player in ("rm", "exp3", "random")
]


def measure(runs: int, seed: int, jobs: int, record: Path, so_far: bool = False) -> list[MeasuredCurve]:
    options = Namespace(runs=runs, seed=seed, jobs=jobs, record=record, so_far=so_far, plan={"seed": seed})
    return measured_curves(options, CURVES)


def losses(measured: list[MeasuredCurve]) -> list[list[float]]:
    return [one.nash_conv(point) for one in measured for point in range(2)]


def test_curves_go_on_from_a_record(tmp_path: Path) -> None:
    whole = measure(3, 7, 1, tmp_path / "whole.sqlite")
    assert [len(one.runs) for one in whole] == [3, 3, 3]
    record = tmp_path / "stopped.sqlite"
    measure(1, 7, 1, record)
    with sqlite3.connect(record) as connection:
        connection.execute("delete from records where number = 3")  # when the run was stopped it had not come so far
    connection.close()
    assert len(measure(3, 7, 1, record, so_far=True)) == 2
    assert losses(measure(3, 7, 2, record)) == losses(whole)
    assert losses(measure(3, 7, 1, record, so_far=True)) == losses(whole)
    with pytest.raises(RecordUnusable, match="seed"):
        measure(3, 8, 1, record)


def test_uniform_play_loses_nothing_in_matching_pennies(tmp_path: Path) -> None:
    random = measure(2, 0, 1, tmp_path / "record.sqlite")[2]
    assert random.mean(0).estimate == pytest.approx(0, abs=1e-12)


def test_a_figure_of_wins_is_played_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--quick", "--jobs", "1", "--pair-seconds", "0.01", "--store", str(tmp_path), "--json"]
    titles = [panel.title for panel in mcms13_figure_1.PANELS if not panel.solved]  # solving takes long
    mcms13_figure_1.EXPERIMENT.main([*words, "--matches", "1", "--pairs", "expss-exp", "--only", *titles])
    bars = json.loads(capsys.readouterr().out)
    assert [(bar["panel"], bar["pair"]) for bar in bars] == [(title, "expss - exp") for title in titles]
    assert all(bar["matches"] == 1 for bar in bars)
    mcms13_figure_1.EXPERIMENT.main([*words, "--so-far"])
    assert json.loads(capsys.readouterr().out) == bars
    more = ["--only", "EinStein", "--pair-seconds", "60", "--matches", "3"]
    mcms13_figure_1.EXPERIMENT.main([*words, *more, "--pairs", "expss-exp"])
    assert [bar["matches"] for bar in json.loads(capsys.readouterr().out)] == [3]


def test_players_meet_on_every_game_and_are_rated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["rock_paper_scissors", "kuhn_poker_three", "twenty_one"]
    words = ["auto", "duct", "random", "--quick", "--jobs", "1", "--store", str(tmp_path), "--only", *names]
    strength.EXPERIMENT.main([*words, "--json"])
    printed = capsys.readouterr().out
    facts = json.loads(printed)
    met = {(match["game"], match["opponent"]) for match in facts["matches"]}
    assert met == {(name, one) for name in names for one in ("duct", "random")} - {("kuhn_poker_three", "duct")}
    assert {match["games"] for match in facts["matches"] if match["game"] == "kuhn_poker_three"} == {3}
    strength.EXPERIMENT.main([*words, "--json"])
    assert capsys.readouterr().out == printed  # recorded matches are not played again
    strength.EXPERIMENT.main([*words, "--rounds", "1", "--markdown", str(tmp_path / "page.md")])
    assert "| `random` | " in (tmp_path / "page.md").read_text()
    again = {line.split("|")[1].strip() for line in (tmp_path / "page.md").read_text().splitlines() if "±" in line}
    assert again == {"`auto`", "`duct`", "`random`"}


@pytest.mark.parametrize(("elo", "verdict"), [(0.0, "not stronger"), (100.0, "stronger")])
def test_the_test_of_a_pair_errs_as_rarely_as_it_says(elo: float, verdict: str) -> None:
    random, wrong = Random(3), 0
    for _ in range(200):
        matches: list[strength.Match] = []
        while (pair := strength.pair_of("other", matches, (0.0, 100.0))).verdict == "open":
            drawn = random.random() < 0.3
            score = 0.5 if drawn else float(random.random() < (strength.expected(elo) - 0.15) / 0.7)
            matches.append(strength.Match("game", "other", score, 2, (0, 0)))
        wrong += pair.verdict != verdict
    assert wrong <= 20  # 5 %, and three standard errors


def test_every_game_weighs_the_same_in_the_ratings() -> None:
    one = [strength.Match("chess", "b", 1.0, 2, (0, 0))] * 2
    other = [strength.Match("nim", "b", 0.0, 2, (0, 0))] * 20
    rated = strength.ratings(["a", "b"], one + other)
    assert rated["a"].estimate == pytest.approx(0.0, abs=1e-6)
    assert strength.ratings(["a", "b"], one + other[:0])["a"].estimate > 0


def test_two_games_with_one_shuffle_are_one_observation() -> None:
    # in each game the first role wins, whoever has it
    results = [GameResult(number, seats, (3.0, -3.0), (0, 0), 10) for number, seats in enumerate([(0, 1), (1, 0)] * 2)]
    cell = llw13_table_1.cell_of("WL", 2, 1, results)
    assert (cell.games, cell.ours) == (4, Interval(50.0, 50.0, 50.0))


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


REFUSED = [
    (llw13_table_1, ["--runs", "2"], "unrecognized arguments: --runs"),
    (depth_tables, ["--seed", "2"], "unrecognized arguments: --seed"),
    (l14_convergence, ["--runs", "0"], "`0` is not a positive whole number"),
    (l14_convergence, ["--jobs", "no"], "`no` is not a positive whole number"),
    (l14_convergence, ["--run", "1"], "unrecognized arguments: --run"),
]


@pytest.mark.parametrize(("module", "words", "told"), REFUSED)
def test_options_that_mean_nothing_are_refused(
    module: ModuleType, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        module.EXPERIMENT.main(words)
    assert stopped.value.code == 2
    assert told in capsys.readouterr().err


UNKNOWN = [
    (depth_tables, ["goofspiel"], "did you mean `goofspiel"),
    (l14_tables, ["4.13"], r"no `4\.13` here"),
    (openspiel_strength, ["--only", "ra"], "no `ra` here"),
]


@pytest.mark.parametrize(("module", "words", "told"), UNKNOWN)
def test_parts_that_are_not_there_are_refused(module: ModuleType, words: list[str], told: str) -> None:
    with pytest.raises(NotKnown, match=told):
        module.EXPERIMENT.main(words)


def test_who_has_no_strategies_by_information_state_is_refused() -> None:
    with pytest.raises(NotApplicable):
        auger_figures_2_3.EXPERIMENT.main(["--quick", "rm"])


def part(name: str, log: str, fails: bool) -> Iterator[list[str]]:
    with open(log, "a") as file:
        file.write(name)
    if fails:
        raise KeyboardInterrupt
    yield [name, name]


def test_parts_are_done_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = Namespace(record=tmp_path / "new" / "record.sqlite", plan={"seed": 1}, so_far=False)

    def done(names: str, fails: str = "", so_far: bool = False) -> dict[str, list[str]]:
        options.so_far = so_far
        wanted = {name: (name, str(log), name in fails) for name in names}
        return recorded_parts(options, wanted, part, list[str], "parts")

    with pytest.raises(KeyboardInterrupt):
        done("abc", fails="c")
    assert done("bac", so_far=True) == {"b": ["b", "b"], "a": ["a", "a"]}
    assert list(done("ca").items()) == [("c", ["c", "c"]), ("a", ["a", "a"])]
    assert log.read_text() == "abcc"
    options.plan = {"seed": 2}
    with pytest.raises(RecordUnusable, match="with seed 1 instead of 2"):
        done("a")


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [(KeyboardInterrupt(), 130, "continues"), (NotWritable("no file"), 2, "error: no file")],
)
def test_an_experiment_ends_with_a_status(
    error: BaseException,
    status: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    def measure(_: Namespace) -> None:
        raise error

    monkeypatch.setattr("sys.argv", ["tried", "--store", str(tmp_path)])
    with pytest.raises(SystemExit) as stopped:
        Experiment("tried", "Tried", "Tried.", measure).run()
    assert stopped.value.code == status
    assert told in capsys.readouterr().err


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    for words in (["--markdown", str(tmp_path)], ["--plot", str(tmp_path / "figure.no")]):
        words += ["--quick", "--runs", "1", "--jobs", "1", "--store", str(tmp_path / "here")]
        with pytest.raises(NotWritable, match="cannot"):
            model_confidence.EXPERIMENT.main(words)


@pytest.mark.parametrize(
    "curves",
    [
        l14_convergence.planned(Namespace(quick=False)),
        l14_hidden_convergence.planned(Namespace(quick=False, panels=None)),
        llw13_figure_4.planned("shuffled", llw13_figure_4.POINTS, ""),
    ],
)
def test_all_curves_are_different(curves: Sequence[Curve]) -> None:
    assert len({curve.course for curve in curves}) == len(curves)
    assert len({(curve.panel, curve.name) for curve in curves}) == len(curves)


def test_every_reading_is_of_an_experiment_and_stands_in_its_page() -> None:
    files = list(READINGS.glob("*.md"))
    assert files
    for file in files:
        assert (READINGS.parent / f"{file.stem}.py").exists(), file
        page = READINGS.parents[1] / "docs" / "experiments" / file.name
        assert file.read_text(encoding="utf-8") in page.read_text(encoding="utf-8"), file


def test_a_page_has_what_its_tables_have_shown_before_them(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    experiment = Experiment("llw13_table_2", "Title", "About.\n\nText.", lambda _: (["table"], None), without=PRINTED)
    experiment.main(["--markdown", str(page)])
    *_, text, reading, table = page.read_text().strip().split("\n\n")
    assert (text, table) == ("Text.", "table")
    assert reading == (READINGS / "llw13_table_2.md").read_text().strip()
