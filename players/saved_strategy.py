"""Plays a strategy from a file, which `ggp solve --save` or `Strategy.save` wrote."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from players.agents.solved_hidden_agent import StrategyAgent
from players.player_options import NotApplicable

if TYPE_CHECKING:
    from ggp.game.game import Game

ENDING = ".json"
"""Of the names of files with strategies; a player of such a name is a file."""


class SavedStrategySettings(Struct, frozen=True):
    """Where the strategy is."""

    file: str


def saved_shares(file: str, game: Game) -> dict[tuple[str, str], dict[str, float]]:
    """Return the probabilities of actions by the name of the player and the key of its information state.

    A file that has not changed is read once for several matches: some take half a minute, and gigabytes.

    Raises:
        NotApplicable: the file cannot be read, or has strategies of another game.
    """
    try:
        changed = Path(file).stat().st_mtime_ns
    except OSError:
        changed = 0  # reading it tells why
    return _shares(Path(file), changed, game)


@lru_cache(2)
def _shares(path: Path, changed: int, game: Game) -> dict[tuple[str, str], dict[str, float]]:  # noqa: ARG001 - the key
    from ggp.solvers.sequence_form.strategy_files import StrategyFileUnusable, read_strategies

    try:
        records = read_strategies(path, game)
        return {(str(one["player"]), str(one["key"])): one["strategy"] for one in records}
    except StrategyFileUnusable as error:
        raise NotApplicable(str(error)) from error


class SavedStrategyAgent(StrategyAgent):
    """Plays by a file, uniformly at random where it says nothing."""

    def __init__(self, settings: SavedStrategySettings) -> None:
        self._settings = settings

    def start(self, game: Game, role: int, seed: int) -> None:
        """Read the file, and begin at the initial state.

        Raises:
            NotApplicable: the file cannot be read, or has strategies of another game.
        """
        self._shares = saved_shares(self._settings.file, game)
        super().start(game, role, seed)

    def _strategy(self, key: tuple[int, int], actions: Sequence[int]) -> list[float]:
        name = self._game.players[self._role]
        played = self._shares.get((name, f"{key[0]:016x}{key[1]:016x}"))
        if played is None:
            return [1.0 / len(actions)] * len(actions)
        return [float(played.get(self._game.action_text(action), 0.0)) for action in actions]
