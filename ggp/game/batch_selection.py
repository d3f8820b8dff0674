"""Transitions in some games of a batch: their rows are copied to arrays of their own, stepped there and copied back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ggp.game.batch_calls import CompiledPlay, OneByOne, Play
from ggp.game.batch_play import BatchArrays, load_games, store_games
from ggp.game.batch_threads import BatchThreads

if TYPE_CHECKING:
    from ggp.codegen.kernels import I64
    from ggp.game.game import Game


def play_of(game: Game, arrays: BatchArrays, threads: BatchThreads) -> Play:
    """Return what plays a game on some arrays: its functions for batches, else those for single states."""
    functions, _ = game.backend.batch_machine
    if functions.step:
        return CompiledPlay(game, arrays, threads)
    return OneByOne(game, arrays)


class BatchSelection:
    """Room for transitions in some games of a batch.

    Args:
        game: what is played.
        arrays: of the batch.
        actions: `[n]` or `[n * P]`, of the form that the batch takes.
    """

    def __init__(self, game: Game, arrays: BatchArrays, actions: I64) -> None:
        self._games = len(arrays.acting)
        self._arrays = arrays._replace(**{name: np.zeros_like(array) for name, array in arrays._asdict().items()})
        self.actions = np.zeros_like(actions)
        self._play = play_of(game, self._arrays, BatchThreads(self._games, 1, 0))

    def load(self, arrays: BatchArrays, actions: I64, places: I64) -> BatchArrays:
        """Copy the games at `[m]` places and their actions; return the arrays, of which the first m rows count."""
        load_games(arrays, self._arrays, places)
        self.actions.reshape(self._games, -1)[: len(places)] = actions.reshape(self._games, -1)[places]
        return self._arrays

    def check(self, places: I64) -> bool:
        """Return whether it is certain that the actions of the games that were loaded are legal."""
        return self._play.check(self.actions, len(places))

    def step(self, arrays: BatchArrays, places: I64, limit: int) -> None:
        """Make a transition in each game that was loaded, and copy the games back."""
        self._play.step(self.actions, limit, len(places))
        store_games(arrays, self._arrays, places)
