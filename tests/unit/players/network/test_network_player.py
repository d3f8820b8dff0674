"""Our players behind the client: the manager's messages become calls of an agent."""

from __future__ import annotations

import json
import time

import pytest

import ggp
from ggp.errors import GgpError
from ggp.language import load_rules
from ggp.protocol.messages import End, Observe, Observed, Prepare, Start
from players.agents import auto
from players.agents.agent import SearchAgent
from players.agents.auto import AutoAgent, Choice
from players.agents.registry import read_player
from players.network.client import Turn
from players.network.network_player import AgentPlayer, Pondering, game_of, make_match_player


def start_message(game: ggp.Game, role: str) -> Start:
    source, _ = load_rules(game.name)
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


def test_pondering_goes_on_until_it_is_stopped_or_settled() -> None:
    units: list[int] = []
    pondering = Pondering()
    pondering.stop()  # nothing to stop
    pondering.start(lambda count: units.append(count) or time.sleep(0.001), lambda: False)
    while len(units) < 3:
        time.sleep(0.001)
    pondering.stop()
    done = len(units)
    time.sleep(0.01)
    assert len(units) == done
    pondering.start(units.append, lambda: len(units) > done)
    while len(units) == done:
        time.sleep(0.001)
    pondering.stop()
    assert len(units) == done + 1


@pytest.mark.parametrize("ponder", [True, False])
def test_auto_thinks_on_while_the_other_does(ponder: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "choose_player", lambda *_: Choice("mcts:memory=64", "it is told to"))
    monkeypatch.setattr(auto, "MAX_STUDY_S", 0.01)
    game = ggp.load("connect_four")
    agent = AutoAgent(ponder=ponder)
    player = AgentPlayer(agent, 3)
    player.start(start_message(game, "red"), time.monotonic() + 1)
    search = agent._agent.search if isinstance(agent._agent, SearchAgent) else None
    assert search is not None
    state = game.initial()

    def told(text: str) -> None:
        nonlocal state
        (role,) = state.actors()
        state = state.apply({role: state.parse_action(role, text)})
        seen = [Observed(label, value) for label, value in state.readable_observation(0)]
        player.observe(Observe("m", 1, text if role == 0 else None, None, seen))

    told(player.choose(Turn(0, [str(one) for one in state.legal(0)], time.monotonic() + 0.05, 0.0)))
    before, deadline = search.iterations, time.monotonic() + 10
    while ponder and search.iterations == before and time.monotonic() < deadline:
        time.sleep(0.002)
    told("a1")
    assert (search.iterations > before) == ponder
    legal = [str(one) for one in state.legal(0)]
    deadline = time.monotonic() + 0.1
    assert player.choose(Turn(1, legal, deadline, 0.0)) in legal
    thinking = search.iterations
    time.sleep(0.01)
    assert search.iterations == thinking  # not after the move, before anything was told
    told(legal[0])
    player.end(End("m", 9, "finished", None, {}, []))
    thinking = search.iterations
    time.sleep(0.01)
    assert search.iterations == thinking


def test_rules_that_are_too_long_are_not_read() -> None:
    message = Prepare(0, "endless", "game endless\n" + "1 + " * 50_000, {}, {})
    with pytest.raises(GgpError, match="200,013 characters"):
        game_of(message)
