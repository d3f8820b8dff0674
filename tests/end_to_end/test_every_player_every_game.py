"""Every player plays every library game that it accepts, from the first to the last transition."""

from __future__ import annotations

import pytest

import ggp
from ggp.language.library import library_names
from players.matches import Thinking, play_game
from players.player_options import NotApplicable
from players.registry import PLAYERS, PlayerSpec, read_player

SMALL: dict[str, dict[str, int]] = {
    "breakthrough": {"width": 4, "height": 5},
    "cant_stop": {"columns_to_win": 1},
    "connect_four": {"width": 4, "height": 4},
    "gomoku": {"size": 5},
    "goofspiel": {"n": 4},
    "hex": {"width": 3, "height": 3},
    "los_alamos": {"quiet_moves": 4},
    "oshi_zumo": {"coins": 8},
    "pig": {"goal": 20},
    "reversi": {"width": 4, "height": 4},
    "tron": {"width": 5, "height": 5},
    "visibility_pursuit": {"moves": 4},
}
"""Parameters that keep long games short."""
QUICK = {"cfr": "cfr:nodes=64,rollouts=1", "rnr": "rnr:nodes=64,rollouts=1,model_iterations=2"}


def accepted(game: ggp.Game) -> list[PlayerSpec]:
    specs = []
    for name in PLAYERS:
        spec = read_player(QUICK.get(name, name))
        try:
            spec.kind.check(game)
        except NotApplicable:
            continue
        specs.append(spec)
    return specs


@pytest.mark.parametrize("name", library_names())
def test_all_who_accept_a_game_play_it_to_the_end(name: str) -> None:
    game = ggp.load(name, **SMALL.get(name, {}))
    specs = accepted(game)
    assert "random" in {spec.kind.name for spec in specs}
    seats = len(game.players)
    waiting = [specs[number % len(specs)] for number in range(len(specs) + -len(specs) % seats)]
    for number in range(0, len(waiting), seats):
        agents = [spec.make_agent() for spec in waiting[number : number + seats]]
        result = play_game(game, agents, number, seed=1, swap=False, thinking=Thinking(iterations=2))
        assert result.errors == (0,) * seats
