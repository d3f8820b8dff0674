"""Strategies from files play and are measured; what a search has learned can be saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ggp
from players.agents.agent import Budget
from players.agents.registry import read_player
from players.player_options import NotApplicable
from players.saved_strategy import saved_shares
from tests.support.command_line import told


def pure(tmp_path: Path, game: ggp.Game) -> Path:
    """Save a strategy that always takes the last action."""
    path = tmp_path / "last.json"
    ggp.strategy_of(game, lambda history, player: [0.0] * (len(history.state.legal(player)) - 1) + [1.0]).save(path)
    return path


def test_a_file_plays_what_it_says(tmp_path: Path) -> None:
    game = ggp.load("kuhn_poker")
    spec = read_player(str(pure(tmp_path, game)))
    assert str(spec) == str(tmp_path / "last.json")
    spec.check(game)
    for role in range(2):
        agent = spec.make_agent()
        agent.start(game, role, 7)
        history = game.history().apply_outcome(3)
        agent.observe(None, history.state.readable_observation(role))
        if role == 1:
            history = history.apply("pass")
            agent.observe(None, history.state.readable_observation(role))
        assert agent.choose(["pass", "bet"], Budget(lambda: 0.0)) == "bet"
    with pytest.raises(NotApplicable, match="kuhn_poker"):
        spec.check(ggp.load("poker"))
    with pytest.raises(NotApplicable, match="missing"):
        read_player("missing.json").check(game)


def test_a_file_is_read_once_for_several_matches_and_again_when_it_has_changed(tmp_path: Path) -> None:
    game = ggp.load("kuhn_poker")
    path = pure(tmp_path, game)
    read = saved_shares(str(path), game)
    assert saved_shares(str(path), ggp.load("kuhn_poker")) is read
    ggp.strategy_of(game, lambda history, player: [0.5] * len(history.state.legal(player))).save(path)
    assert {probability for one in saved_shares(str(path), game).values() for probability in one.values()} == {0.5}


def test_a_file_plays_matches_and_is_measured_by_commands(tmp_path: Path) -> None:
    game = ggp.load("kuhn_poker")
    path = pure(tmp_path, game)
    result = told("match", "kuhn_poker", str(path), "random", "--games", "200", "--iterations", "1", "--seed", "3")
    assert result["errors"] == [0, 0]
    expected = ggp.exploitability(game, path)
    (measured,) = told("exploit", "kuhn_poker", str(path))
    assert measured["nash_conv"] == pytest.approx(expected.nash_conv)


def test_what_a_search_learned_is_measured_and_saved(tmp_path: Path) -> None:
    game = ggp.load("kuhn_poker")
    little, much = (ggp.search_strategy(game, "oos", iterations, seed=1) for iterations in (10, 20_000))
    before, after = (ggp.exploitability(game, one).nash_conv for one in (little, much))
    assert after < 0.2 < before
    much.save(tmp_path / "oos.json")
    assert ggp.exploitability(game, tmp_path / "oos.json").nash_conv == pytest.approx(after, abs=1e-12)
    assert json.loads((tmp_path / "oos.json").read_text())["game"] == "kuhn_poker"
    with pytest.raises(NotApplicable):
        ggp.search_strategy(game, "rm", 10)
