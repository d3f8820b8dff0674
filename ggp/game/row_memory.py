"""The last rows of what each player knows in the games of a batch; `ggp.game.information_tensors` says what rows are.

n games, P players, O words of an observation, K rows that are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import I64, kernel
from ggp.game.batch_play import BatchArrays
from ggp.game.information_tensors import NO_ACTION
from ggp.game.tensors import Bools, new_array
from ggp.native.interface import GOES_ON


class RowArrays(NamedTuple):
    """What is kept for one player, see `RowMemory`."""

    words: I64  # [n K O]
    rows: I64  # [n]
    final_rows: I64  # [n]
    actions: I64  # [n K]
    counts: I64  # [n K]


@kernel
def record_rows(
    memory: RowArrays, arrays: BatchArrays, player: int, kept: int, places: I64, counts: I64, words: I64
) -> None:
    """Take in the last transition of the games at some places; see `RowMemory.record`."""
    games = memory.rows.size
    width, players = words.size // games, arrays.joint.size // games - 1
    for number in range(places.size):
        game = places[number]
        rows = memory.rows[game]
        last = game * kept + (rows - 1) % kept
        acted, observed = bool(arrays.acted[game] >> player & 1), counts[game] > 0
        unanswered = rows > 0 and memory.actions[last] != NO_ACTION and memory.counts[last] == 0
        if acted or (observed and not unanswered):
            last = game * kept + rows % kept
            rows += 1
            memory.actions[last] = arrays.joint[game * (players + 1) + player] if acted else NO_ACTION
            memory.counts[last] = 0
        if observed:
            memory.counts[last] = counts[game]
            memory.words[last * width : (last + 1) * width] = words[game * width : (game + 1) * width]
        memory.final_rows[game] = rows
        memory.rows[game] = rows if arrays.status[game] == GOES_ON else 0


class RowMemory:
    """The last rows of every player in every game of a batch.

    Args:
        games: n.
        players: P.
        kept: rows that are kept for each.
        observation_words: O.

    Raises:
        LimitExceeded: they take too much memory.
    """

    def __init__(self, games: int, players: int, kept: int, observation_words: int) -> None:
        self.kept = kept
        self.words: I64 = new_array(games, players * kept * observation_words, np.int64).reshape(
            players, games, kept, observation_words
        )
        self.rows: I64 = np.zeros((players, games), np.int64)
        """So far in the game that is going on; row r is kept at place r modulo `kept`."""
        self.final_rows: I64 = np.zeros((players, games), np.int64)
        """The same behind the last transition, of games that ended in it too."""
        self.actions: I64 = np.full((players, games, kept), NO_ACTION, np.int64)
        self.counts: I64 = np.zeros((players, games, kept), np.int64)
        """Words observed; none: 0."""

    def record(self, arrays: BatchArrays, player: int, places: I64, counts: I64, words: I64) -> None:
        """Take in the last transition of some games.

        Args:
            arrays: of the batch.
            player: who has acted or observed.
            places: `[m]` the games.
            counts: `[n]` how many words it observed.
            words: `[n, O]` these words.
        """
        flat = RowArrays(
            *(one[player].reshape(-1) for one in (self.words, self.rows, self.final_rows, self.actions, self.counts))
        )
        record_rows(flat, arrays, player, self.kept, places, counts, words.reshape(-1))

    def forget(self, places: I64) -> None:
        """Forget what was known in some games."""
        self.rows[:, places] = self.final_rows[:, places] = 0

    def last(self, player: int, stack: int, final: bool) -> tuple[Bools, I64, I64, I64]:
        """Return the last rows of a player in their order; where there are fewer, nothing stands behind them.

        Args:
            player: whose.
            stack: how many.
            final: whether those behind the last transition are meant, also where it ended the game.

        Returns:
            `[n, stack]` whether there is such a row; the actions; how many words were observed; `[n, stack, O]` which.
        """
        rows = (self.final_rows if final else self.rows)[player][:, None]
        number = np.maximum(rows - stack, 0) + np.arange(stack)
        there = number < rows
        at = number % self.kept
        games = np.arange(len(rows))[:, None]
        return (
            there,
            np.where(there, self.actions[player][games, at], NO_ACTION),
            np.where(there, self.counts[player][games, at], 0),
            self.words[player][games, at],
        )
