"""`ggp match` and `ggp bench`: the keys and numbers of `--json`, and mistakes reported before the match."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from ggp.errors import GgpError
from tests.support.command_line import run, told
from tests.support.faulty_rules import RARE_FAULT

KEYS = ["games", "wins", "draws", "win_rate", "ci95", "mean_payoff", "errors"]


def test_match_gives_the_same_results_in_any_number_of_processes() -> None:
    arguments = ["match", "goofspiel", "duct", "random", "-p", "n=4", "--games", "6", "--iterations", "40", "--swap"]
    facts = told(*arguments, "--seed", "3", "--jobs", "2")
    assert list(facts)[: len(KEYS)] == KEYS
    assert facts["faulted"] == 0
    assert facts["games"] == [6, 6]
    assert facts["wins"][0] + facts["wins"][1] + facts["draws"][0] == 6
    assert facts["errors"] == [0, 0]
    assert facts["first_error"] is None
    assert facts == told(*arguments, "--seed", "3", "--jobs", "1")


def test_match_prints_a_table() -> None:
    text = run("match", "matching_pennies", "random", "random", "--games", "4", "--play-clock", "0.5", "--jobs", "1")
    assert "win rate" in text
    assert text.count("random") == 2


def test_match_without_players_is_between_as_many_autos_as_there_are_roles() -> None:
    arguments = ["match", "kuhn_poker_three", "--games", "2", "--iterations", "5", "--jobs", "1"]
    assert run(*arguments).count("auto") == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["goofspiel", "rm"], "goofspiel has 2 roles"),
        (["goofspiel", "rm", "rm", "--play-clock", "1", "--iterations", "5"], "not both"),
        (["goofspiel", "rm", "rm", "-p", "bids=hidden"], "`rm` plays games of perfect information only"),
        (["goofspiel", "rm", "rmm"], "did you mean `rm`"),
        (["auto", "random", "mine.rules"], "the game comes first: `ggp match mine.rules ...`"),
    ],
)
def test_mistakes_are_told_before_the_match(arguments: list[str], message: str) -> None:
    with pytest.raises(GgpError, match=message):
        run("match", *arguments)


def test_bench_measures() -> None:
    facts = told("bench", "goofspiel", "-p", "n=4", "--player", "duct", "--seconds", "0.05")
    assert list(facts) == [
        "compile_cold_s",
        "compile_cached_s",
        "playouts_per_s",
        "steps_per_s",
        "mean_length",
        "mean_utilities",
        "faulted_share",
        "cut_share",
        "iterations_per_s",
    ]
    assert all(facts[key] > 0 for key in facts if key.endswith("_s"))
    # a playout of goofspiel(4) has eight transitions: four prizes, four bids
    assert facts["steps_per_s"] == pytest.approx(8 * facts["playouts_per_s"])
    assert facts["mean_length"] == 8
    assert facts["mean_utilities"] == [pytest.approx(0, abs=0.2)] * 2
    assert facts["faulted_share"] == facts["cut_share"] == 0
    with pytest.raises(GgpError, match="nothing to measure"):
        run("bench", "goofspiel", "--player", "random", "--seconds", "0.05")


def test_bench_tells_play_that_ends_by_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "rare_fault.rules"
    path.write_text(RARE_FAULT)
    facts = told("bench", str(path), "--python", "--batch", "256", "--seconds", "0.1")
    # all ten bits are 1 in one play of 1024, and then the sum does not fit
    assert facts["faulted_share"] == pytest.approx(1 / 1024, rel=0.5)
    assert facts["mean_length"] == 10
    assert facts["steps_per_s"] == pytest.approx(10 * facts["playouts_per_s"])
    assert 0 < facts["python_games_per_s"] < facts["playouts_per_s"] < 1e8
    assert facts["python_games_per_s"] < facts["batch_steps_per_s"] < 1e9
    text = run("bench", str(path), "--seconds", "0.1")
    assert "ran into a fault of the rules" in text
    assert "rare_fault.rules:11:14: " in text


def test_bench_tells_play_that_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "endless.rules"
    path.write_text(RARE_FAULT.replace("next end if tosses == 10 else toss", "next toss").replace("s + ", "s + 0 * "))
    facts = told("bench", str(path), "--seconds", "0.1")
    assert (facts["cut_share"], facts["playouts_per_s"]) == (1.0, 0.0)
    assert facts["steps_per_s"] > 1000
    assert "were cut after 100,000 transitions" in run("bench", str(path), "--seconds", "0.1")


def test_a_report_leaves_out_that_beliefs_were_found_anew(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def report(*_: object) -> None:
        logging.getLogger("players.beliefs.belief").warning("another world state was found")
        raise GgpError("that is enough")

    monkeypatch.setattr("players.evaluation.game_report.report", report)
    logging.getLogger("players.beliefs").setLevel(logging.NOTSET)
    with pytest.raises(GgpError, match="that is enough"):
        run("report", "kuhn_poker")
    assert not caplog.records
