"""`ggp match` and `ggp bench`: the keys and numbers that scripts rely on, and mistakes told before the match."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from ggp.cli.main import app
from ggp.errors import GgpError

KEYS = ["games", "wins", "draws", "win_rate", "ci95", "mean_payoff", "errors"]


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments, catch_exceptions=True)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_match_gives_the_same_results_in_any_number_of_processes(jobs: str) -> None:
    arguments = ["match", "goofspiel", "duct", "random", "-p", "n=4", "--games", "6", "--iterations", "40", "--swap"]
    facts = json.loads(run(*arguments, "--seed", "3", "--jobs", jobs, "--json"))
    assert list(facts) == KEYS
    assert facts["games"] == [6, 6]
    assert facts["wins"][0] + facts["wins"][1] + facts["draws"][0] == 6
    assert facts["errors"] == [0, 0]
    assert facts == json.loads(run(*arguments, "--seed", "3", "--jobs", "1", "--json"))


def test_match_prints_a_table() -> None:
    text = run("match", "matching_pennies", "random", "random", "--games", "4", "--play-clock", "0.5", "--jobs", "1")
    assert "win rate" in text
    assert text.count("random") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["goofspiel", "rm"], "goofspiel has 2 roles"),
        (["goofspiel", "rm", "rm", "--play-clock", "1", "--iterations", "5"], "not both"),
        (["goofspiel", "rm", "rm", "-p", "bids=hidden"], "`rm` plays games of perfect information only"),
        (["goofspiel", "rm", "rmm"], "did you mean `rm`"),
    ],
)
def test_mistakes_are_told_before_the_match(arguments: list[str], message: str) -> None:
    with pytest.raises(GgpError, match=message):
        run("match", *arguments)


def test_bench_measures() -> None:
    facts = json.loads(run("bench", "goofspiel", "-p", "n=4", "--player", "duct", "--seconds", "0.05", "--json"))
    assert list(facts) == ["compile_cold_s", "compile_cached_s", "playouts_per_s", "steps_per_s", "iterations_per_s"]
    assert all(value > 0 for value in facts.values())
    # a playout of goofspiel(4) has eight transitions: four prizes, four bids
    assert facts["steps_per_s"] == pytest.approx(8 * facts["playouts_per_s"])
    with pytest.raises(GgpError, match="nothing to measure"):
        run("bench", "goofspiel", "--player", "random", "--seconds", "0.05")
