"""Tensors of all games of a batch.

n games, W words of a state, T entries of a tensor, R of a row of an information state.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ggp.encoding.features import tensor_width
from ggp.game import batch_views
from ggp.game.information_tensors import write_actions
from ggp.game.row_memory import RowMemory
from ggp.game.tensors import F32, I64, new_array

if TYPE_CHECKING:
    from ggp.game.batch_calls import Play
    from ggp.game.game import Game


class BatchTensors:
    """Writes the tensors of a batch.

    Args:
        game: what is played.
        games: n.
        play: writes states, and what was told.
    """

    def __init__(self, game: Game, games: int, play: Play) -> None:
        self._game = game
        self._games = games
        self._play = play

    def of_states(self, states: I64, player: int, out: F32 | None) -> F32:
        """Write states, `[n * W]`, as `[n, T]`, from the seat of a player; that of the first is what everybody has."""
        tensor = self._tensor(self._state_width, out)
        self._play.tensor(states, tensor, player)
        return tensor

    def of_observations(self, player: int, out: F32 | None) -> F32:
        """Write what the last transitions told a player as `[n, T]`."""
        tensor = self._tensor(self._observation_width, out)
        self._play.told(player, tensor)
        return tensor

    def shown(self) -> list[F32]:
        """Return room for the states, or for what each player was told where something is hidden."""
        if self._game.perfect_information:
            return [self._tensor(self._state_width, None)]
        return [self._tensor(self._observation_width, None) for _ in self._game.players]

    def of_memory(self, memory: RowMemory, player: int, stack: int, final: bool) -> F32:
        """Write the last rows of what a player knows, as `[n, stack, R]`."""
        there, actions, counts, words = memory.last(player, stack, final)
        headings, features, width = self._row_layout
        rows = new_array(counts.size, width, np.float32).reshape(counts.size, width)
        write = batch_views.write_observation_tensor
        write(counts.reshape(-1), words.reshape(-1), headings, features, rows.reshape(-1), 0, counts.size)
        rows[:, 0] = there.reshape(-1)
        write_actions(self._game.information_features.action, actions.reshape(-1), rows)
        rows[~there.reshape(-1)] = 0.0
        return rows.reshape(self._games, stack, width)

    def _tensor(self, width: int, out: F32 | None) -> F32:
        """Return a tensor to write to, which may hold anything."""
        if out is None:
            return new_array(self._games, width, np.float32).reshape(self._games, width)
        form = getattr(out, "shape", None), getattr(out, "dtype", None)
        if form != ((self._games, width), np.dtype(np.float32)):
            raise ValueError(f"`out` must be an array of {self._games} x {width} float32")
        if not (out.flags.c_contiguous and out.flags.writeable):
            raise ValueError("`out` must be an array without gaps that may be written")
        return out

    @cached_property
    def _state_width(self) -> int:
        return sum(feature.width for feature in self._game.state_features)

    @cached_property
    def _observation_width(self) -> int:
        return tensor_width(self._game.observation_features)

    @cached_property
    def _row_layout(self) -> tuple[I64, I64, int]:
        layout = self._game.information_features
        return *batch_views.observation_tables(layout.observation), layout.width
