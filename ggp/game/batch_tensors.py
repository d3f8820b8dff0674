"""Tensors of all games of a batch: tables of features, made once, and the kernels that read them.

n games, W words of a state, O words of an observation at most, T entries of a tensor, R of a row of an information
state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ggp.game import batch_views
from ggp.game.information_tensors import RowMemory, write_actions
from ggp.game.tensors import F32, I64, new_array, seat_order

if TYPE_CHECKING:
    from ggp.encoding.features import Feature, SeenFeatures
    from ggp.game.game import Game


class BatchTensors:
    """Writes the tensors of a batch.

    Args:
        game: what is played.
        games: n.
        run: runs work on all games, in threads: `BatchThreads.run`.
    """

    def __init__(self, game: Game, games: int, run: Callable[[Callable[[I64, int, int], Any]], list[Any]]) -> None:
        self._game = game
        self._games = games
        self._run = run
        self._orders: dict[int, I64] = {}

    def of_states(self, states: I64, player: int | None, out: F32 | None) -> F32:
        """Write states, `[n * W]`, as `[n, T]`; from the seat of a player, if one is given."""
        features, sets, width = self._state_layout
        tensor = self._tensor(width, out if player is None else None)
        flat, words = tensor.reshape(-1), self._game.shape.state_words
        self._run(lambda _, first, last: batch_views.write_state_tensor(states, features, flat, words, first, last))
        if sets.size:
            self._run(lambda _, first, last: batch_views.write_sets(states, sets, flat, words, first, last))
        if player is None:
            return tensor
        if player not in self._orders:
            self._orders[player] = seat_order(self._game, player)
        return np.take(tensor, self._orders[player], axis=1, out=self._tensor(width, out))

    def of_observations(self, counts: I64, words: I64, out: F32 | None) -> F32:
        """Write observations, `[n, O]` of which `[n]` words count, as `[n, T]`."""
        headings, features, width = self._observation_layout
        tensor = self._tensor(width, out)
        flat, told, write = tensor.reshape(-1), words.reshape(-1), batch_views.write_observation_tensor
        self._run(lambda _, first, last: write(counts, told, headings, features, flat, first, last))
        return tensor

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
        if out.shape != (self._games, width) or out.dtype != np.float32 or not out.flags.c_contiguous:
            raise ValueError(f"`out` must be an array of {self._games} x {width} float32 without gaps")
        return out

    @cached_property
    def _state_layout(self) -> tuple[I64, I64, int]:
        """Tables of the features other than sets and of the sets, which a kernel of their own writes faster; T."""
        features = self._game.state_features
        tables = [[one for one in features if (one.kind == "bits") == sets] for sets in (False, True)]
        others, sets = map(batch_views.feature_table, tables)
        return others, sets, sum(feature.width for feature in features)

    @cached_property
    def _observation_layout(self) -> tuple[I64, I64, int]:
        seen = self._game.observation_features
        width = max((value.at + 1 + sum(part.width for part in value.features) for value in seen), default=0)
        return *_observation_tables(seen), width

    @cached_property
    def _row_layout(self) -> tuple[I64, I64, int]:
        layout = self._game.information_features
        return *_observation_tables(layout.observation), layout.width


def _observation_tables(seen: Iterable[SeenFeatures]) -> tuple[I64, I64]:
    """Return the tables by which kernels write observations: of headings, and of features."""
    seen = tuple(seen)
    headings = np.zeros((1 + max((value.heading for value in seen), default=0), 4), np.int64)
    rows: list[Feature] = []
    for value in seen:
        headings[value.heading] = value.words, value.at, len(rows), len(rows) + len(value.features)
        rows += value.features
    return headings.reshape(-1), batch_views.feature_table(rows)
