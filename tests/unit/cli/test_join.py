"""`ggp join`: what it tells before it is ready."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

import ggp
from ggp import Game
from ggp.cli.commands.join import _warm_up
from players import warmup
from players.registry import PlayerSpec, read_player


@pytest.mark.parametrize("new", [True, False])
def test_without_a_terminal_it_says_once_what_is_compiled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], new: bool
) -> None:
    nim = ggp.load("nim")

    def told(players: Sequence[PlayerSpec], progress: Callable[[int, int, str], None], games: Sequence[Game]) -> None:
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
