"""Warming up compiles all that a player's search calls, so that no clock pays for it."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

import ggp
from players.matches import TimeControl, play_game
from players.player_options import NotApplicable
from players.registry import PLAYERS, read_player
from players.warmup import compiled_kernels

OPTIONS = {"cfr": "cfr:nodes=64,rollouts=1", "rnr": "rnr:model=rm,nodes=64,rollouts=1,model_iterations=2"}
GAMES = (("goofspiel", {"n": 3}), ("pig", {"goal": 10}), ("tic_tac_toe", {}), ("kuhn_poker", {}))
"""Of each kind one: a player plays the first that it accepts."""


def compiled() -> dict[str, int]:
    """Return how many versions every kernel of the players has been compiled in."""
    kernels: dict[str, int] = {}
    for module in [module for name, module in sys.modules.items() if name.startswith("players.search")]:
        for value in vars(module).values():
            if isinstance(value, Dispatcher):
                kernels[f"{value.__module__}.{value.__name__}"] = len(value.signatures)
    return kernels


@pytest.mark.parametrize("name", [name for name, kind in PLAYERS.items() if kind.searches and name != "auto"])
def test_play_compiles_nothing_that_warming_up_has_not(name: str) -> None:
    player = read_player(OPTIONS.get(name, name))
    loaded = [ggp.load(game, **parameters) for game, parameters in GAMES]
    game = next(game for game in loaded if _accepts(player, game))
    for _ in compiled_kernels(player):
        pass
    before = compiled()
    agents: list[Any] = [player.make_agent() for _ in game.players]
    result = play_game(game, agents, 0, seed=1, swap=False, time_control=TimeControl(iterations=20))
    assert sum(result.errors) == 0
    after = compiled()
    assert {kernel: count for kernel, count in after.items() if count != before.get(kernel, 0)} == {}


def _accepts(player: Any, game: ggp.Game) -> bool:
    try:
        player.kind.check(game)
    except NotApplicable:
        return False
    return True
