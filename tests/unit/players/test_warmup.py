"""Warming up compiles everything that a player's search calls, before any clock runs."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

import ggp
from ggp.codegen.kernels import kernel_cache_folder
from players import warmup
from players.matches import TimeControl, play_game
from players.player_options import NotApplicable
from players.registry import PLAYERS, read_player
from players.warmup import compile_kernels

OPTIONS = {"cfr": "cfr:nodes=64,rollouts=1", "rnr": "rnr:model=rm,nodes=64,rollouts=1,model_iterations=2"}
GAMES = (
    ("goofspiel", {"n": 3}),
    ("pig", {"goal": 10}),
    ("tic_tac_toe", {}),
    ("kuhn_poker", {}),
    ("visibility_pursuit", {"map": "maze", "moves": 2}),
)
"""Of each kind one: a player plays those that it accepts."""


@cache
def games() -> list[ggp.Game]:
    return [ggp.load(game, **parameters) for game, parameters in GAMES]


class Recorded:
    """A kernel that notes its name whenever it is called from Python."""

    def __init__(self, kernel: Any, called: set[str]) -> None:
        self._kernel = kernel
        self._called = called

    def __call__(self, *arguments: Any) -> Any:
        self._called.add(name_of(self._kernel))
        return self._kernel(*arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)


def name_of(kernel: Any) -> str:
    return f"{kernel.__module__}.{kernel.__name__}"


def kernels_by_place() -> list[tuple[Any, str, Any]]:
    """Return module, name there and kernel of everything of ours that numba compiles."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in {"players", "ggp"}]
    return [
        (module, name, value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, Dispatcher)
    ]


@pytest.mark.parametrize("name", [name for name, kind in PLAYERS.items() if kind.searches and name != "auto"])
def test_play_compiles_nothing_that_warming_up_has_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    player = read_player(OPTIONS.get(name, name))
    accepted = [game for game in games() if _accepts(player, game)]
    assert accepted
    # of each kind of games what it says it calls there
    kinds = {not game.perfect_information for game in accepted}
    warmed: dict[bool, set[str]] = {}
    for hidden in kinds:
        compile_kernels(player, hidden)
        warmed[hidden] = {name_of(kernel) for kernel, _ in player.kind.kernels(player.settings, hidden)}
    before = {name_of(kernel): len(kernel.signatures) for _, _, kernel in kernels_by_place()}
    # Counting versions is not enough: an earlier test may have compiled in this process what this player leaves out.
    called: set[str] = set()
    for module, place, kernel in kernels_by_place():
        monkeypatch.setattr(module, place, Recorded(kernel, called))
    for game in accepted:
        called.clear()
        agents: list[Any] = [player.make_agent() for _ in game.players]
        result = play_game(game, agents, 0, seed=1, swap=False, time_control=TimeControl(iterations=20))
        assert sum(result.errors) == 0
        assert called <= warmed[not game.perfect_information]
    monkeypatch.undo()
    after = {name_of(kernel): len(kernel.signatures) for _, _, kernel in kernels_by_place()}
    assert {kernel: count for kernel, count in after.items() if count != before.get(kernel, 0)} == {}


def _accepts(player: Any, game: ggp.Game) -> bool:
    try:
        player.kind.check(game)
    except NotApplicable:
        return False
    return True


def test_players_that_are_warmed_up_together_compile_a_kernel_once(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("GGP_CACHE", str(tmp_path))
    kernel_cache_folder.cache_clear()
    compiled_here: list[str] = []

    def record(_function: Any, arguments: Any, _processes: int) -> Any:
        for _, (player, hidden, number) in arguments:
            kernel, _ = list(player.kind.kernels(player.settings, hidden))[number]
            compiled_here.append(f"{kernel.__module__}.{kernel.__name__}")
        return iter(())

    monkeypatch.setattr(warmup, "yielded", record)
    monkeypatch.setattr(warmup, "compile_kernels", lambda _player, _hidden: None)
    told: list[tuple[int, int, str]] = []
    warmup.warm_up([read_player("rm"), read_player("duct"), read_player("random")], lambda *what: told.append(what))
    assert len(set(compiled_here)) == len(compiled_here)
    assert {name.split(".")[-1] for name in compiled_here} == {
        "average_strategy",
        "find_fitting",
        "find_live",
        "move_live",
        "search",
        "strategy",
    }
    # the largest first, and the others from the smallest on
    assert compiled_here[0].endswith("search")
    assert compiled_here[-1].endswith("search")
    assert "rm" in told[0][2]
    assert "duct" in told[0][2]
    kernel_cache_folder.cache_clear()
