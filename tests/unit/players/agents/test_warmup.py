"""Warming up compiles everything that a player's search calls, before any clock runs."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import pytest

import ggp
from ggp.codegen.kernels import Kernel
from ggp.codegen.kernels.sources import signature_of
from players.agents import warmup
from players.agents.registry import PLAYERS, read_player
from players.evaluation.matches import TimeControl, play_game
from tests.support.players import QUICK, accepts

GAMES = (
    ("goofspiel", {"n": 3}),
    ("pig", {"goal": 10}),
    ("tic_tac_toe", {}),
    ("kuhn_poker", {}),
    ("visibility_pursuit", {"map": "streets", "moves": 2}),
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
    """Return module, name there and kernel of every kernel of ours."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in {"players", "ggp"}]
    return [
        (module, name, value) for module in modules for name, value in vars(module).items() if isinstance(value, Kernel)
    ]


def test_what_is_warmed_up_leaves_no_type_open() -> None:
    """Else nothing could be compiled before there are arguments."""
    players = [read_player(QUICK.get(name, name)) for name, kind in PLAYERS.items() if kind.searches]
    kernels = {
        kernel for one in players for hidden in (False, True) for kernel in one.kind.kernels(one.settings, hidden)
    }
    assert len(kernels) > 30
    open_ = {
        name_of(kernel)
        for kernel in kernels
        if any(parameter.type is None for parameter in signature_of(kernel.py_func).parameters)
    }
    assert not open_


@pytest.mark.sweep
@pytest.mark.parametrize("name", [name for name, kind in PLAYERS.items() if kind.searches and name != "auto"])
def test_play_compiles_nothing_that_warming_up_has_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    player = read_player(QUICK.get(name, name))
    accepted = [game for game in games() if accepts(player, game)]
    assert accepted
    # of each kind of games what it says it calls there
    kinds = {not game.perfect_information for game in accepted}
    warmed: dict[bool, set[str]] = {}
    for hidden in kinds:
        kernels = list(player.kind.kernels(player.settings, hidden))
        for kernel in kernels:
            kernel.load()
        warmed[hidden] = {name_of(kernel) for kernel in kernels}
    called: set[str] = set()
    for module, place, kernel in kernels_by_place():
        monkeypatch.setattr(module, place, Recorded(kernel, called))
    for game in accepted:
        called.clear()
        agents: list[Any] = [player.make_agent() for _ in game.players]
        result = play_game(game, agents, 0, seed=1, swap=False, time_control=TimeControl(iterations=20))
        assert sum(result.errors) == 0
        assert called <= warmed[not game.perfect_information]


def test_players_that_are_warmed_up_together_compile_a_kernel_once(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("GGP_CACHE", str(tmp_path))
    loaded: list[str] = []
    monkeypatch.setattr(Kernel, "load", lambda kernel: loaded.append(name_of(kernel)))
    told: list[tuple[int, int, str]] = []
    players = [read_player("rm"), read_player("duct"), read_player("random")]
    warmup.warm_up(players, lambda *what: told.append(what), load=False)
    assert len(set(loaded)) == len(loaded)
    assert {name.rpartition(".")[2] for name in loaded} == {
        "average_strategy",
        "find_fitting",
        "find_live",
        "move_live",
        "search",
        "strategy",
    }
    assert "rm" in told[0][2]
    assert "duct" in told[0][2]
    assert "random" not in told[0][2]
    assert told[0][:2] == (0, len(loaded))


@pytest.mark.parametrize("kept", [False, True])
def test_only_what_is_not_kept_is_said_to_be_compiled(kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "is_kept", lambda _kernel: kept)
    told: list[str] = []
    warmup.warm_up([read_player("duct")], lambda _done, _total, what: told.append(what), games()[:1])
    assert any(text.startswith(warmup.COMPILED) for text in told) != kept
