"""The experiments on hidden information in small, and OpenSpiel's bots as our opponents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments import l14_tables, l14_visibility, openspiel_hidden_duel
from experiments.duels import summary
from ggp.competition.statistics import Interval


def test_a_duel_in_a_game_of_simultaneous_choices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    openspiel_hidden_duel.EXPERIMENT.main(["--quick", "--store", str(tmp_path), "goofspiel"])
    assert "| hidden goofspiel(13) | `ismcts` | `openspiel-oos` | 2 |" in capsys.readouterr().out


def test_the_summary_of_a_duel_pairs_games_with_the_same_chance() -> None:
    # two pairs, in which who moves first always wins 3
    found = summary([(3.0, -3.0), (-3.0, 3.0)] * 2, (0.1, 0.2))
    assert found.payoff == Interval(0, 0, 0)
    assert found.rate.estimate == 0.5


def test_tables_of_the_thesis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--games", "2", "--iterations", "3", "--store", str(tmp_path), "4.10"]
    l14_tables.EXPERIMENT.main([*words, "--json"])
    first = capsys.readouterr().out
    told = json.loads(first)
    assert len(told) == 2 * 6 * 6
    assert {one["table"] for one in told} == {"4.10"}
    l14_tables.EXPERIMENT.main([*words, "--so-far"])
    page = capsys.readouterr().out
    assert "The 16 pairs of variants of IS-MCTS together" in page
    assert "2 games each: mean payoff less the game's value" in page


def test_pursuits_from_the_same_places_are_compared() -> None:
    def games(*sizes: float) -> dict[int, l14_visibility.Hunt]:
        return {number: l14_visibility.Hunt(size, 10 - size, 1) for number, size in enumerate(sizes)}

    found = {"maze: SO after MO": games(9, 5, 7), "maze: SO after SO": games(6, 1, 5, 40)}
    (row,) = l14_visibility.comparisons(found, "maze")
    # 3, 4 and 2; the game that only one of them has does not count
    assert row == ["evaders: SO after MO, less SO after SO", "3.0 ± 2.5", "-3.0 ± 2.5", "0.0 ± 0.0"]
    assert l14_visibility.comparisons(found, "streets") == []
    order = [
        number for _, number in l14_visibility.parts(["maze: SO after MO", "maze: MM after SO", "maze: MO after SO"], 2)
    ]
    assert order == [0, 0, 1, 1, 0, 1]


def test_decisions_by_minimax_to_a_depth_are_timed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--games", "1", "--moves", "4", "--pairs", "of depth 3", "--store", str(tmp_path), "maze"]
    l14_visibility.EXPERIMENT.main(words)
    (row,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| minimax of depth 3 |")]
    _, _, decisions, *seconds, stopped, _ = (cell.strip() for cell in row.split("|"))
    assert (decisions, stopped) == ("4", "0 %")
    assert 0 < float(seconds[0]) <= float(seconds[1]) <= float(seconds[2]) < 9
