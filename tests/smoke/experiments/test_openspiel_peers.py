"""Our games and OpenSpiel's go the same way, and its bot chooses what is legal."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

import ggp
from experiments import openspiel_strength
from experiments.openspiel_peers import PEERS
from ggp.arithmetic.rng import seed_word

MAX_DECISIONS = 80
"""Then a game is long enough to have shown what it can show."""


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_follows_a_game_and_its_bot_plays_a_role(name: str) -> None:
    peer = PEERS[name]()
    game = ggp.load(name, **peer.parameters)
    state, rng, choice = game.initial(), [seed_word(7)], random.Random(3)
    for decision in range(MAX_DECISIONS):
        while state.is_chance():
            state = peer.draw(state, rng)
        if state.is_terminal():
            break
        chosen = {}
        for role in state.actors():
            legal = [str(action) for action in state.legal(role)]
            chosen[role] = peer.choose(state, role, 0.0001, decision + 1) if role == 0 else choice.choice(legal)
            assert chosen[role] in legal
        state = peer.follow(state, chosen)
    if state.is_terminal() and peer.state.is_terminal():
        sign = -1 if name == "einstein" else 1  # its players are the other way round
        assert peer.state.returns() == pytest.approx([sign * utility for utility in state.utilities()])


def test_the_bot_chooses_beside_a_player_who_has_no_choice() -> None:
    peer = PEERS["oshi_zumo"]()
    game = ggp.load("oshi_zumo", **peer.parameters)
    broke = peer.follow(game.initial(), {0: "50", 1: "1"})
    assert [str(action) for action in broke.legal(0)] == ["0"]
    after = peer.follow(broke, {0: "0", 1: peer.choose(broke, 1, 0.0001, 1)})
    assert not after.is_terminal()


def test_the_bot_thinks_no_longer_where_an_earlier_game_ended_with_quick_simulations() -> None:
    """The simulations from the end of a game are ten times as quick as those from its beginning."""
    peer = PEERS["goofspiel"]()
    game = ggp.load("goofspiel", **peer.parameters)
    seconds, spent = 0.01, []
    for number in range(3):
        state, rng, choice = game.initial(), [seed_word(7, number)], random.Random(number)
        peer.begin()
        while not state.is_terminal():
            if state.is_chance():
                state = peer.draw(state, rng)
                continue
            began = time.process_time()
            chosen = {0: peer.choose(state, 0, seconds, number + 1)}
            spent.append(time.process_time() - began)
            chosen[1] = choice.choice([str(action) for action in state.legal(1)])
            state = peer.follow(state, chosen)
    assert max(spent) < 3 * seconds


def test_the_bot_meets_auto(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--quick", "--jobs", "1", "--only", "tic_tac_toe", "--store", str(tmp_path)]
    openspiel_strength.main([*words, "--json"])
    (result,) = json.loads(capsys.readouterr().out)
    assert result["games"] == 2
    assert result["choice"] == "the solution"
    assert result["rate"]["estimate"] >= 0.5  # what is solved is not lost
    assert result["optimal"]["estimate"] >= 0.5  # nothing can be won by losing value
    openspiel_strength.main([*words, "--so-far"])
    assert "| tic_tac_toe | `the solution` |" in capsys.readouterr().out
    with pytest.raises(openspiel_strength.UnknownGame, match="`ra` is not a game"):
        openspiel_strength.main([*words[:4], "ra", "--store", str(tmp_path)])
