"""Strategies from files play and are measured; what a search has learned can be saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ggp
from ggp.errors import GgpError
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
    by_states, read = saved_shares(str(path), game)
    assert not by_states
    assert saved_shares(str(path), ggp.load("kuhn_poker"))[1] is read
    ggp.strategy_of(game, lambda history, player: [0.5] * len(history.state.legal(player))).save(path)
    assert {probability for one in saved_shares(str(path), game)[1].values() for probability in one.values()} == {0.5}


def test_a_file_plays_matches_and_is_measured_by_commands(tmp_path: Path) -> None:
    game = ggp.load("kuhn_poker")
    path = pure(tmp_path, game)
    result = told("match", "kuhn_poker", str(path), "random", "--games", "200", "--iterations", "1", "--seed", "3")
    assert result["errors"] == [0, 0]
    expected = ggp.exploitability(game, path)
    (measured,) = told("exploit", "kuhn_poker", str(path))
    assert measured["nash_conv"] == pytest.approx(expected.nash_conv)


@pytest.mark.parametrize(("name", "parameters"), [("tic_tac_toe", ()), ("goofspiel", ("-p", "n=3"))])
def test_optimal_play_over_states_is_saved_played_and_measured(
    tmp_path: Path, name: str, parameters: tuple[str, ...]
) -> None:
    """As the command saves it and as Python does; of games in turns with a pure file, of others with a mixed one."""
    game = ggp.load(name, **dict(one.split("=") for one in parameters[1::2]))
    optimal = ggp.solve(game).strategy
    command, python = tmp_path / "command.json", tmp_path / "python.json"
    told("solve", name, *parameters, "--save", str(command))
    optimal.save(python)
    saved, again = (json.loads(path.read_text()) for path in (command, python))
    assert saved["states"] == again["states"]
    assert (saved["method"], saved["game"]) == ("backward induction", name)
    (measured,) = told("exploit", name, *parameters, str(command))
    assert measured["nash_conv"] == pytest.approx(0, abs=1e-9)
    assert ggp.exploitability(game, python).nash_conv == pytest.approx(0, abs=1e-9)
    value, answer = ggp.best_response(game, python, 0)
    assert value == pytest.approx(ggp.solve(game).value[0], abs=1e-9)
    assert isinstance(answer, ggp.StateStrategy)
    played = told("match", name, *parameters, str(command), "random", "--games", "100", "--iterations", "1", "--swap")
    assert played["errors"] == [0, 0]
    assert played["win_rate"][0] > 0.7
    assert (played["wins"][1] == 0) == (name == "tic_tac_toe")  # who never errs never loses


def test_a_file_over_states_plays_what_it_says(tmp_path: Path) -> None:
    game, path = ggp.load("tic_tac_toe"), tmp_path / "centre.json"
    ggp.solve(game).strategy.save(path)
    saved = json.loads(path.read_text())
    (opening,) = (one for one in saved["states"] if tuple(one["state"]) == game.initial().words)
    assert sum(opening["strategy"].values()) == pytest.approx(1)
    opening["strategy"] = {"c1": 1.0}
    path.write_text(json.dumps({**saved, "states": [opening]}))
    for seed in range(5):
        agent = read_player(str(path)).make_agent()
        agent.start(game, 0, seed)
        assert agent.choose([str(action) for action in game.initial().legal(0)], Budget(lambda: 0.0)) == "c1"


def test_a_file_over_states_is_a_strategy_over_information_states_too(tmp_path: Path) -> None:
    """Half of its decisions are known, all others are uniform."""
    game, path = ggp.load("nim", heaps=3), tmp_path / "nim.json"
    ggp.solve(game).strategy.save(path)
    saved = json.loads(path.read_text())
    path.write_text(json.dumps({**saved, "states": saved["states"][::2]}))
    unfolded = ggp.strategy_of(game, path)
    measured = ggp.exploitability(game, path)
    assert 0 < measured.nash_conv < ggp.exploitability(game, None).nash_conv
    other = ggp.exploitability(game, unfolded)
    assert (*other.expected, other.nash_conv) == pytest.approx((*measured.expected, measured.nash_conv))
    small = ggp.load("nim", heaps=2)
    ggp.solve(small).strategy.save(path)
    assert ggp.walked_exploitability(small, path).nash_conv == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"state": [0]}, "no decision of cross in the state"),
        ({"state": "x"}, "not the strategy of a state"),
        ({"player": "nobody"}, "not the strategy of a state"),
        ({"strategy": {"z9": 1.0}}, "not legal in the state"),
        ({"strategy": {"a1": 0.4}}, "are not a distribution over 9 actions"),
    ],
)
def test_a_damaged_file_over_states_is_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    game, path = ggp.load("tic_tac_toe"), tmp_path / "damaged.json"
    ggp.solve(game).strategy.save(path)
    saved = json.loads(path.read_text())
    path.write_text(json.dumps({**saved, "states": [{**saved["states"][0], **change}]}))
    with pytest.raises(GgpError, match=message):
        ggp.exploitability(game, path)


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
