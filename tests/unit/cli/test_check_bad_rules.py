"""`ggp check` and related commands on bad rules: errors in play, wrong parameters, missing files; status and text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ggp.cli.main import app

HEAD = 'game g "G"\nplayers red, blue\nstate\n    s: 0..9 = 0\n'
END = "payoff[p] = 0\n"


def checked(tmp_path: Path, rules: str, *options: str, games: int = 50) -> Result:
    """Return the result of `ggp check` on rules that follow HEAD."""
    file = tmp_path / "g.rules"
    file.write_text(HEAD + rules, encoding="utf-8")
    return CliRunner().invoke(app, ["check", str(file), "--games", str(games), *options])


def ggp(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ggp.cli.main", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("red chooses x in 1..3\n    s := 1 if x > 1\n    s := 2 if x > 2\n    next end", "twice"),
        ("chance draws c in 1..3 weight s\n    next end", "weight"),
        ("chance draws c in 1..3 weight s - c + 2\n    next end", "weight"),
        ("red chooses x in 1..3\n    s := s + x\n    next go", "takes 0..9"),
        ("red chooses x in 1..3\n    s := 6 div (x - 1)\n    next end", "division by zero"),
        ("red chooses x in 1..s\n    next end", "no legal action"),
    ],
)
def test_what_only_play_shows_is_found(tmp_path: Path, phase: str, words: str) -> None:
    run = checked(tmp_path, f"phase go\n    {phase}\n{END}")
    assert (run.exit_code, type(run.exception)) == (1, SystemExit), run.stdout
    assert "g.rules:" in run.stdout
    assert "error" in run.stdout
    assert words in run.stdout, run.stdout


@pytest.mark.parametrize(("least", "told"), [(9, True), (3, False)])
def test_games_that_all_end_with_the_same_payoffs_are_told(tmp_path: Path, least: int, told: bool) -> None:
    rules = "phase go\n    red chooses x in 1..3\n    s := x\n    next end\n"
    run = checked(tmp_path, f"{rules}payoff[p] = if s >= {least} then 1 else 0\n")
    assert ("ended with the same payoffs" in run.stdout) == told, run.stdout


def test_the_choices_that_led_to_a_fault_are_shown_and_not_the_transitions_between(tmp_path: Path) -> None:
    tick = "phase tick\n    t := (t + 1) mod 12\n    next tick if t < 11 else go\n"
    go = "    t: 0..11 = 0\nphase go\n    red chooses x in 1..3\n    s := s + x\n    next tick\n"
    shown = checked(tmp_path, f"{go}{tick}{END}").stdout.partition("after the play\n")[2].partition("\n\n")[0]
    assert len(re.findall(r"^ +go: red \d$", shown, re.MULTILINE)) >= 4
    assert "tick" not in shown


@pytest.mark.parametrize(
    ("arguments", "status", "start", "words"),
    [
        (["check", "goofspiel", "-p", "n=99"], 1, "goofspiel.rules: error:", "parameter `n` takes 2..20"),
        (["check", "goofspiel", "-p", "m=1"], 1, "goofspiel.rules: error:", "no parameter `m`"),
        (["show", "goofspiel", "-p", "prizes=foo"], 2, "goofspiel.rules: error:", "parameter `prizes` takes"),
        (["check", "goofspil"], 2, "ggp: error:", "did you mean `goofspiel`?"),
        (["check", "zzzzzzzzz.rules"], 2, "ggp: error:", "`ggp games` lists the library"),
    ],
)
def test_wrong_arguments_get_one_clear_message(arguments: list[str], status: int, start: str, words: str) -> None:
    run = ggp(*arguments)
    text = run.stdout + run.stderr
    assert run.returncode == status
    assert text.startswith(start)
    assert words in text
    assert text.count("error:") == 1


def test_only_phases_with_choices_or_draws_have_numbers_of_them(tmp_path: Path) -> None:
    phases = """
phase roll
    chance draws c in 1..6
    next count_up

phase count_up
    s := s + 1
    next choose

phase choose
    red chooses x in 1..3
    next end if s == 3 else roll
"""
    run = checked(tmp_path, f"{phases}{END}", "--json", games=20)
    assert run.exit_code == 0, run.stdout
    branching = json.loads(run.stdout)["branching"]
    assert [(row["phase"], row["who"]) for row in branching] == [("roll", "chance"), ("choose", "red")]


@pytest.mark.parametrize(
    ("payoff", "proposed"),
    [("if s == 9 then 1 else 0", False), ("if p == red then s mod 3 else 5 - s + 3 * (s div 3)", True)],
)
def test_a_sum_of_payoffs_is_proposed_only_where_they_differ(tmp_path: Path, payoff: str, proposed: bool) -> None:
    phase = "red chooses x in 1..5000\n    s := if x == 1 then 9 else x mod 9\n    next end"
    run = checked(tmp_path, f"phase go\n    {phase}\npayoff[p] = {payoff}\n")
    assert run.exit_code == 0, run.stdout
    assert ("`payoff sum = 5` states" in run.stdout) == proposed
    assert ("payoff sum" in run.stdout) == proposed
    assert ("`ggp solve`" in run.stdout) == proposed
