"""Our players behind the client: the manager's messages become what an agent is told."""

from __future__ import annotations

import json
import time

import pytest

import ggp
from ggp.language import load_rules
from ggp.protocol.messages import Observe, Observed, Start
from players.client import Turn
from players.network_player import make_match_player
from players.registry import read_player


def start_message(game: ggp.Game, role: str) -> Start:
    source, _ = load_rules("goofspiel")
    return Start(
        match="m", number=0, game=game.name, rules=source.text, files={}, parameters=game.parameters,
        roles=list(game.players), role=role, start_clock_ms=1000, play_clock_ms=100, allowance_ms=50,
        remaining_ms=1000, seed_hash="00",
    )  # fmt: skip


@pytest.mark.parametrize("player", ["random", "rm", "duct:think=0.5"])
def test_plays_a_match_of_messages_in_time(player: str) -> None:
    game = ggp.load("goofspiel", n=4)
    make = make_match_player(read_player(player), 5)
    players = [make(), make()]
    for number, role in enumerate(game.players):
        players[number].start(start_message(game, role), time.monotonic() + 1)
    state = game.initial()
    rng = [77]
    while not state.is_terminal():
        chosen: dict[int, str] = {}
        if state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
        else:
            for role in state.actors():
                legal = [str(action) for action in state.legal(role)]
                turn = Turn(step=0, legal=legal, deadline=time.monotonic() + 0.05, round_trip_s=0.02)
                chosen[role] = players[role].choose(turn)
                assert chosen[role] in legal
            state = state.apply({role: state.parse_action(role, text) for role, text in chosen.items()})
        for role in range(2):
            # values as they come off the wire
            seen = [Observed(label, json.loads(json.dumps(value))) for label, value in state.readable_observation(role)]
            players[role].observe(Observe("m", 1, chosen.get(role), None, seen))
    assert make() is not make()
