"""Our games and OpenSpiel's go the same way, and its bot chooses what is legal."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

import ggp
from benchmarks.openspiel import pyspiel
from experiments.duels import Clocks, Side, play
from experiments.openspiel_peers import PEERS
from ggp.game.state import State


@dataclass
class Random(Side):
    """Chooses at random; the bot beside it may only choose what is legal, and its clock is read."""

    spent: list[float] = field(default_factory=list)

    def begin(self, role: int, seed: int) -> None:
        self.random = random.Random(seed)

    def choose(self, state: State, role: int, seconds: float) -> str:
        return self.random.choice([str(action) for action in state.legal(role)])


@dataclass
class Simulating:
    """The time that OpenSpiel's bot would take, and a choice at random: who measures processor time needs it quiet."""

    decisions_left: int = 0
    now: float = 0.0
    spent: list[float] = field(default_factory=list)

    def bot(self, simulations: int, seed: int) -> Simulating:
        self.simulations = simulations
        return self

    def mcts_search(self, state: pyspiel.State) -> SimpleNamespace:
        self.spent.append(self.simulations * 1e-6 * self.decisions_left)
        self.now += self.spent[-1]
        self.decisions_left -= 1
        best = SimpleNamespace(action=state.legal_actions()[0])
        return SimpleNamespace(explore_count=self.simulations, children=[best], best_child=lambda: best)


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_follows_a_game_and_its_bot_plays_a_role(name: str) -> None:
    peer = PEERS[name]()
    clocks = Clocks([0.0, 0.0], [0, 0])
    state = play(ggp.load(name, **peer.parameters), [peer, Random()], (0, 1), 7, 0.0001, clocks)
    assert min(clocks.decisions) > 0
    assert peer.state.is_terminal()
    sign = -1 if name == "einstein" else 1  # its players are the other way round
    assert peer.state.returns() == pytest.approx([sign * utility for utility in state.utilities()])


def test_the_bot_chooses_beside_a_player_who_has_no_choice() -> None:
    peer = PEERS["oshi_zumo"]()
    state = ggp.load("oshi_zumo", **peer.parameters).initial()
    for taken in ({0: "50", 1: "1"}, {0: "0"}):
        if 1 not in taken:
            assert [str(action) for action in state.legal(0)] == ["0"]
            taken[1] = peer.choose(state, 1, 0.0001)
        after = state.apply({role: state.parse_action(role, text) for role, text in taken.items()})
        peer.follow(state, taken, after)
        state = after
    assert not state.is_terminal()


def test_the_bot_thinks_no_longer_where_an_earlier_game_ended_with_quick_simulations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The simulations from the end of a game are ten times as quick as those from its beginning."""
    peer, seconds, simulating = PEERS["goofspiel"](), 0.01, Simulating()
    monkeypatch.setattr(peer, "_bot", simulating.bot)
    monkeypatch.setattr("experiments.openspiel_peers.time", SimpleNamespace(process_time=lambda: simulating.now))
    for number in range(3):
        simulating.decisions_left = 12
        play(ggp.load("goofspiel", **peer.parameters), [peer, Random()], (0, 1), number, seconds)
    assert len(simulating.spent) == 3 * 12
    assert max(simulating.spent) < 1.3 * seconds
