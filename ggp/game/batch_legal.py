"""Legal actions in all games of a batch: as lists, as masks, and as a check of what was chosen.

n games, P players, W words of a state, A legal actions of one player at most, N action numbers.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ggp.faults import IllegalAction
from ggp.game import batch_views
from ggp.game.batch_play import BatchArrays, find_illegal
from ggp.game.tensors import Bools, new_array

if TYPE_CHECKING:
    from ggp.codegen.kernels import I64
    from ggp.game.batch_calls import Play
    from ggp.game.batch_threads import BatchThreads
    from ggp.game.game import Game

LISTED_AT_ONCE = 1 << 20
"""Room for legal actions while they are listed without gaps."""


class LegalActions:
    """Finds the legal actions of a batch. A player of -1 is the one who acts, of several the first.

    Args:
        game: what is played.
        games: n.
        threads: that share the games.
    """

    def __init__(self, game: Game, games: int, threads: BatchThreads) -> None:
        self._game = game
        self._games = games
        self._threads = threads
        self._functions = game.native().functions
        self._words = game.shape.state_words

    def table(self, arrays: BatchArrays, player: int) -> tuple[I64, I64]:
        """Return `[n]` how many, and `[n, A]` which."""
        functions, words, (counts, out) = self._functions, self._words, self._room
        self._threads.run(
            lambda _, first, last: batch_views.write_legal(functions, arrays, player, counts, out, words, first, last)
        )
        return counts, out.reshape(self._games, -1)

    def mask(self, play: Play, player: int) -> Bools:
        """Return `[n, N]` whether each action is legal."""
        play.mask(player, self._mask)
        return self._mask.reshape(self._games, -1)

    def lists(self, arrays: BatchArrays, player: int) -> tuple[I64, I64]:
        """Return `[n + 1]` where each list begins, and one list behind the other."""
        functions, words, most = self._functions, self._words, self._game.shape.max_actions
        counts, found = np.zeros(self._games, np.int64), []
        at_once = max(1, LISTED_AT_ONCE // most)
        room = np.zeros(min(at_once, self._games) * most, np.int64)
        for first in range(0, self._games, at_once):
            last = min(first + at_once, self._games)
            some = arrays._replace(states=arrays.states[first * words : last * words], acting=arrays.acting[first:last])
            out, lengths = room[: (last - first) * most], counts[first:last]
            batch_views.write_legal(functions, some, player, lengths, out, words, 0, last - first)
            found.append(out.reshape(last - first, most)[np.arange(most) < lengths[:, None]])
        return np.concatenate([[0], np.cumsum(counts)]), np.concatenate(found)

    def check(self, arrays: BatchArrays, actions: I64, places: I64 | None) -> None:
        """Refuse actions that are not legal, of all games, or of the first m in arrays loaded from `[m]` places.

        Raises:
            IllegalAction: there is one.
            RulesFault: the rules fail to say what is legal in its game.
        """
        functions, words, players = self._functions, self._words, len(self._game.players)
        if places is None:
            found = self._threads.run(
                lambda scratch, first, last: find_illegal(functions, arrays, actions, scratch, words, first, last)
            )
        else:
            scratch = self._threads.scratch[0]
            found = [find_illegal(functions, arrays, actions, scratch, words, 0, len(places))]
        width = len(actions) // self._games
        for place in found:
            if place >= 0:
                game, player = divmod(place, players)
                action = actions[game * width + (player if width > 1 else 0)]
                number = game if places is None else places[game]
                state = self._game.state(arrays.states[game * words : (game + 1) * words].tolist())
                state.legal(player)  # or it is a fault
                raise IllegalAction(f"game {number}: action {action} is not legal for {self._game.players[player]}")

    @cached_property
    def _room(self) -> tuple[I64, I64]:
        return np.zeros(self._games, np.int64), new_array(self._games, self._game.shape.max_actions, np.int64)

    @cached_property
    def _mask(self) -> Bools:
        return new_array(self._games, self._game.num_actions, np.bool_)
