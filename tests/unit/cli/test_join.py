"""`ggp join`: what it tells before it is ready."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

import ggp
from ggp import Game
from ggp.cli.commands import join
from ggp.cli.commands.join import _once_for_each_game, _warm_up
from ggp.cli.manager_client import manager_address
from players.agents import warmup
from players.agents.registry import PlayerSpec, read_player


@pytest.mark.parametrize("new", [True, False])
def test_without_a_terminal_it_says_once_what_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], new: bool
) -> None:
    nim = ggp.load("nim")

    def told(
        players: Sequence[PlayerSpec], progress: Callable[[int, int, str], None], games: Sequence[Game], load: bool
    ) -> None:
        assert [player.kind.name for player in players] == ["auto"]
        assert games == [nim]
        if new:
            progress(0, 2, warmup.COMPILED + "mcts (only once on this machine)")
            progress(1, 2, warmup.COMPILED + "mcts (only once on this machine)")
        progress(0, 1, "mcts")
        progress(1, 1, "")

    monkeypatch.setattr(warmup, "warm_up", told)
    _warm_up(read_player("auto"), nim)
    error = capsys.readouterr().err
    assert error.count("\n") == (1 if new else 0)
    assert ("compiling kernels of mcts (only once on this machine)" in error) == new


def test_a_game_that_is_ready_does_not_wait_for_another_one_to_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    go_on, begun = Event(), Event()

    def compile_slowly(_: PlayerSpec, game: Game) -> None:
        compiled.append(game.name)
        if game.name == "nim":
            begun.set()
            assert go_on.wait(10)

    monkeypatch.setattr(join, "_warm_up", compile_slowly)
    get_ready = _once_for_each_game(read_player("rm"))
    small, slow = ggp.load("rock_paper_scissors"), ggp.load("nim")
    get_ready(small)
    with ThreadPoolExecutor() as threads:
        compiling = [threads.submit(get_ready, slow) for _ in range(2)]
        assert begun.wait(10)
        get_ready(small)
        go_on.set()
        for one in compiling:
            one.result()
    assert compiled == ["rock_paper_scissors", "nim"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("localhost:8000", "ws://localhost:8000"),
        ("http://localhost:8000/", "ws://localhost:8000"),
        ("wss://example.org/games/play", "wss://example.org/games"),
        ("https://example.org/games", "wss://example.org/games"),
    ],
)
def test_addresses_of_managers(written: str, meant: str) -> None:
    assert manager_address(written, "ws") == meant
