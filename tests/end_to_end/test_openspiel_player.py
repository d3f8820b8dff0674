"""The example player that wraps OpenSpiel's MCTS bot: it follows our games, answers in time, and is met by `rm`."""

from __future__ import annotations

import importlib.util
import random
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest

import ggp
from ggp.protocol.messages import Observe, Observed, Start
from players.client import Turn
from tests.support.processes import manager, process, running_command, stored_matches

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "openspiel_mcts.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("openspiel_mcts", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def seated(example: ModuleType, game: ggp.Game, role: int):
    player = example.OpenSpielPlayer(seed=1)
    roles = list(game.players)
    start = Start(
        match="m", number=0, game=game.name, rules="", files={}, parameters=game.parameters, roles=roles,
        role=roles[role], start_clock_ms=1000, play_clock_ms=30, allowance_ms=0, remaining_ms=1000, seed_hash="",
    )  # fmt: skip
    player.start(start, 0.0)
    return player


@pytest.mark.parametrize("role", [0, 1])
@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("goofspiel", {"n": 4}),
        ("goofspiel", {"n": 4, "prizes": "descending", "winner": "point_difference"}),
        ("oshi_zumo", {"coins": 6, "half": 1}),
        ("rock_paper_scissors", {"payoffs": "biased", "rounds": 2}),
    ],
)
def test_it_follows_a_game_to_its_end(example: ModuleType, name: str, parameters: dict, role: int) -> None:
    game = ggp.load(name, **parameters)
    generator = random.Random(5)
    player = seated(example, game, role)
    state, step = game.initial(), 0
    while not state.is_terminal():
        taken = None
        if state.is_chance():
            state = state.apply_outcome(generator.choice(state.chance_outcomes())[0])
        else:
            joint = {actor: str(generator.choice(state.legal(actor))) for actor in state.actors()}
            legal = [str(action) for action in state.legal(role)]
            # what OpenSpiel holds legal for the first mover is the same, unless it has played the last round by itself
            if role == 0 and not player._state.is_terminal():
                theirs = player._state.legal_actions()
                assert [player._translation.code(text) for text in legal] == theirs
            taken = joint[role] = player.choose(Turn(step, legal, time.monotonic() + 0.03, 0.0))
            assert taken in legal
            step += 1
            state = state.apply({actor: state.parse_action(actor, text) for actor, text in joint.items()})
        seen = [Observed(label, value) for label, value in state.readable_observation(role)]
        player.observe(Observe("m", 0, taken, None, seen))
    if not player._translation.is_repeated:
        assert player._state.is_terminal()
        theirs = player._state.returns()
        scale = 2 if game.parameters.get("winner") == "point_difference" else 1  # theirs is from the mean of both
        assert state.utilities() == pytest.approx([scale * utility for utility in theirs])


def test_its_throws_are_those_of_a_game_of_turns(example: ModuleType) -> None:
    # paper loses least when it is read (45 against 25 and 0); scissors beat the paper that is expected
    game = ggp.load("rock_paper_scissors", payoffs="biased")
    for role, throw in enumerate(("paper", "scissors")):
        player = seated(example, game, role)
        assert player.choose(Turn(0, ["rock", "paper", "scissors"], time.monotonic() + 5, 0.0)) == throw


def test_without_time_it_plays_something_legal(example: ModuleType) -> None:
    player = seated(example, ggp.load("oshi_zumo"), 1)
    assert player.choose(Turn(0, ["7", "9"], time.monotonic(), 0.0)) in ("7", "9")


def test_games_it_does_not_know_are_refused(example: ModuleType) -> None:
    for name, parameters in (("tron", {}), ("goofspiel", {"bids": "hidden"})):
        with pytest.raises(example.UnknownGame):
            seated(example, ggp.load(name, **parameters), 0)


@pytest.mark.long
def test_a_small_duel_over_the_network(tmp_path: Path) -> None:
    options = ["--param", "n=4", "--common-chance", "--start-clock", "20", "--play-clock", "0.05", "--seed", "3"]
    with manager(tmp_path / "store", "--tournament", "goofspiel", "--players", "2", *options) as host:
        ours = process("join", host.url, "rm", "--name", "rm", "--seed", "3")
        with ours, running_command(sys.executable, str(EXAMPLE), host.url, "--name", "bot"):
            host.results()
    rows = stored_matches(tmp_path / "store")
    assert [sorted(row.names) for row in rows] == [["bot", "rm"]] * 2
    assert all(row.outcome is not None and row.outcome.utilities is not None for row in rows)
    assert all(row.errors[row.names.index("bot")] == 0 for row in rows)
