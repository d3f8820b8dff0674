"""Every player plays every library game that it accepts, from the first to the last transition."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

import ggp
from ggp.encoding.readable import Readable
from ggp.language.library import library_names
from ggp.protocol.messages import MatchSettings
from players.agents import auto
from players.agents.agent import Agent, Budget, RandomAgent
from players.agents.registry import PLAYERS, PlayerSpec, read_player
from players.evaluation.matches import TimeControl, play_game
from players.network.network_player import make_match_player
from server.matches.manager import MatchOrder
from tests.support.arena import Arena
from tests.support.library import SHORT
from tests.support.players import accepts, small_player
from tests.support.sweeps import SAMPLED_GAMES, WANTED

LONG = {"amazons", "backgammon", "cant_stop", "chess", "dark_chess", "diplomacy", "stratego", "yacht"}
"""Games of seconds each, even between players who hardly think: only the first of these that accept them choose to the
end; the others choose FEW times, then at random, but follow the game to its last transition."""
REPRESENTING = ("auto", "star2ss", "ismcts")
FEW = 2
CLOCKS_MS = (1, 5, 50)
GAMES_A_CLOCK = int(os.environ.get("GGP_CLOCK_GAMES", "1"))
"""Games in which each player is tried with each clock, drawn anew for each; `GGP_CLOCK_GAMES=100` tries all."""


@pytest.fixture(autouse=True)
def short_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "TEST_S", 0.05)
    monkeypatch.setattr(auto, "MAX_SOLVE_S", 0.3)


class Seldom:
    """Plays as an agent at some decisions, as often in early as in late ones, else at random; it is told of all."""

    def __init__(self, agent: Agent, share: float = 1.0) -> None:
        self._agent, self._share, self._random = agent, share, RandomAgent()

    def start(self, game: ggp.Game, role: int, seed: int) -> None:
        self._drawn, self._left = Random(seed), FEW
        self._agent.start(game, role, seed)
        self._random.start(game, role, seed)

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        self._agent.observe(action, observation)

    def thinks(self, legal: Sequence[str]) -> bool:
        return self._drawn.random() < self._share

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        chosen = (self._agent if self.thinks(legal) else self._random).choose(legal, budget)
        assert chosen in legal
        return chosen


class Brief(Seldom):
    """Plays as an agent for its first decisions, then at random."""

    def thinks(self, legal: Sequence[str]) -> bool:
        self._left -= len(legal) > 1
        return self._left >= 0


def accepted(game: ggp.Game) -> list[PlayerSpec]:
    return [spec for spec in map(small_player, PLAYERS) if accepts(spec, game)]


@cache
def small_game(name: str) -> ggp.Game:
    return ggp.load(name, **SHORT.get(name, {}))


@cache
def share_of_few(game: ggp.Game) -> float:
    """Return the share of a player's decisions that makes FEW in a random play."""
    result = play_game(game, [RandomAgent() for _ in game.players], 0, 1, False, TimeControl(iterations=1))
    return min(1.0, FEW * len(game.players) / result.transitions)


@pytest.mark.sweep
@pytest.mark.parametrize("clock_ms", CLOCKS_MS)
@pytest.mark.parametrize("player", sorted(PLAYERS, key="auto".__eq__))  # `auto` takes longest: of the rest
def test_players_choose_by_any_clock(player: str, clock_ms: int) -> None:
    names, played = list(library_names()), 0
    Random(f"{player} at {clock_ms} ms").shuffle(names)
    if WANTED == "sample":  # which are compiled for other sweeps, too, and then the one that some players ask for
        names.sort(key=lambda name: (name not in SAMPLED_GAMES, name != "visibility_pursuit"))
    for name in names:
        game, spec = small_game(name), small_player(player)
        if not accepts(spec, game):
            continue
        agents = [Seldom(spec.make_agent(), share_of_few(game)) for _ in game.players]
        play_game(game, agents, 0, seed=clock_ms, swap=False, time_control=TimeControl(clock_ms / 1000))
        played += 1
        if played == GAMES_A_CLOCK:
            break
    assert played


@pytest.mark.sweep
@pytest.mark.parametrize("name", library_names())
def test_all_who_accept_a_game_play_it_to_the_end(name: str) -> None:
    game = small_game(name)
    specs = accepted(game)
    assert "random" in {spec.kind.name for spec in specs}
    seats = len(game.players)
    whole = [spec for spec in specs if spec.kind.name in REPRESENTING][:seats] if name in LONG else specs
    waiting: list[Agent] = [spec.make_agent() for spec in whole]
    waiting += [Brief(spec.make_agent()) for spec in specs if spec not in whole]
    waiting += [spec.make_agent() for spec in specs[: -len(waiting) % seats]]
    for number in range(0, len(waiting), seats):
        agents = waiting[number : number + seats]
        result = play_game(game, agents, number, seed=1, swap=False, time_control=TimeControl(iterations=2))
        assert result.errors == (0,) * seats


REPRESENTATIVE = [
    ("ra", {}, ("duct", "random")),
    ("goofspiel", {"n": 3}, ("rm", "oos")),
    ("goofspiel", {"n": 5}, ("auto", "cfr")),
    ("pig", {"goal": 10}, ("duct", "exp3")),
    ("einstein", {}, ("mcts", "star2ss")),
    ("sealed_auction", {}, ("random", "ismcts", "random", "pimc", "random")),
    ("kuhn_poker", {}, ("ismcts", "oos")),
    ("phantom_tic_tac_toe", {}, ("so", "belief-sampler")),
]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "parameters", "players"), REPRESENTATIVE, ids=lambda value: str(value))
async def test_they_play_over_the_network(
    here: Arena, name: str, parameters: dict[str, int], players: tuple[str, ...]
) -> None:
    for number, player in enumerate(players):
        spec = read_player(f"{player}:think=0.1" if player != "random" else player)
        here.join(make_match_player(spec, number), f"p{number}")
        members = await here.members(number + 1)
    source = await here.manager.games.find(name, {key: str(value) for key, value in parameters.items()})
    settings = MatchSettings(start_clock_ms=20_000, play_clock_ms=100, allowance_ms=2_000, hide_times=False)
    id_, task = await here.manager.start_match(MatchOrder(source, members, settings, "5eed", "group"))
    assert (await task).result == "finished"
    assert here.stored(id_)[2] == []
