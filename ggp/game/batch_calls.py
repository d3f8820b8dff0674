"""How a batch draws actions, makes transitions and shows itself: by its game's functions for batches, or by kernels.

n games, N action numbers, T entries of a tensor.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ggp.codegen.kernels import I64
from ggp.game import batch_play, batch_views
from ggp.game.batch_play import BatchArrays
from ggp.game.tensors import F32, Bools, new_array
from ggp.native.interface import BatchFunctions

if TYPE_CHECKING:
    from ggp.game.batch_threads import BatchThreads
    from ggp.game.game import Game

FUNCTION = ctypes.CFUNCTYPE(None)
"""What `BatchFunctions` are. They are called with addresses and integers that were made ready before."""

REMEMBERED = 64
"""Calls whose arguments are kept."""


class Play(Protocol):
    """The functions that play and show the games from `first` to `last - 1` of a batch.

    Attributes:
        in_place: whether `step` finds the states in `states` and changes them there; otherwise the batch exchanges the
            arrays first, and `step` finds them in `before`, and who acts in `acted`. Such play shares calls for all
            games among the batch's threads by itself.
    """

    in_place: bool

    def draw(self, arrays: BatchArrays, out: I64, scratch: I64, first: int, last: int) -> None:
        """Do what `ggp.game.batch_play.draw_actions` does."""

    def step(self, arrays: BatchArrays, actions: I64, limit: int, first: int, last: int) -> None:
        """Do what `ggp.game.batch_play.step_games` does."""

    def mask(self, arrays: BatchArrays, player: int, out: Bools, scratch: I64, first: int, last: int) -> None:
        """Write to `[n, N]` which actions are legal for a player; -1: for the first who acts."""

    def tensor(self, states: I64, out: F32, first: int, last: int) -> None:
        """Write states as `[n, T]`."""

    def told(self, arrays: BatchArrays, player: int, out: F32, first: int, last: int) -> None:
        """Write what the last transitions told a player as `[n, T]`."""


class KernelPlay:
    """Play by a game's native functions for single states."""

    in_place = False

    def __init__(self, game: Game, games: int) -> None:
        self._game, self._games = game, games
        self._functions = game.native().functions
        self._words = game.shape.state_words

    def draw(self, arrays: BatchArrays, out: I64, scratch: I64, first: int, last: int) -> None:
        """Write random actions."""
        batch_play.draw_actions(self._functions, arrays, out, scratch, self._words, first, last)

    def step(self, arrays: BatchArrays, actions: I64, limit: int, first: int, last: int) -> None:
        """Make transitions."""
        batch_play.step_games(self._functions, arrays, actions, limit, self._words, first, last)

    def mask(self, arrays: BatchArrays, player: int, out: Bools, scratch: I64, first: int, last: int) -> None:
        """Write masks."""
        batch_views.write_legal_mask(
            self._functions, arrays, player, out.reshape(-1), scratch, self._words, first, last
        )

    def tensor(self, states: I64, out: F32, first: int, last: int) -> None:
        """Write states."""
        batch_views.write_state_tensor(states, self._state_table, out.reshape(-1), self._words, first, last)

    def told(self, arrays: BatchArrays, player: int, out: F32, first: int, last: int) -> None:
        """Write observations."""
        counts, words = self._observed
        batch_views.write_observations(self._functions, arrays, player, counts, words, self._words, first, last)
        batch_views.write_observation_tensor(counts, words, *self._observation_tables, out.reshape(-1), first, last)

    @cached_property
    def _observed(self) -> tuple[I64, I64]:
        return np.zeros(self._games, np.int64), new_array(self._games, self._game.shape.max_observation_words, np.int64)

    @cached_property
    def _state_table(self) -> I64:
        return batch_views.feature_table(self._game.state_features)

    @cached_property
    def _observation_tables(self) -> tuple[I64, I64]:
        return batch_views.observation_tables(self._game.observation_features)


class CompiledPlay:
    """Play by a game's functions for batches. Making a call's arguments takes as long as many transitions."""

    in_place = True

    def __init__(self, functions: BatchFunctions, arrays: BatchArrays, threads: BatchThreads | None) -> None:
        """Prepare the calls.

        Args:
            functions: of the game.
            arrays: those that will be passed.
            threads: that share a call for all games; None: all calls are made in the thread that asks for them.
        """
        self._functions: dict[str, int] = functions._asdict()
        self._threads = threads
        at = BatchArrays(*(int(array.ctypes.data) for array in arrays))  # type: ignore[arg-type]
        self._fixed: dict[str, tuple[Any, ...]] = {
            "draw": (at.states, at.acting, at.rng),
            "step": tuple(at),
            "mask": (at.states, at.acting),
            "tensor": (),
            "told": (at.before, at.states, at.ends, at.joint, at.status, at.lengths),
        }
        self._calls: dict[tuple[Any, ...], tuple[weakref.ref[Any], weakref.ref[Any], Callable[[], object]]] = {}

    def draw(self, arrays: BatchArrays, out: I64, scratch: I64, first: int, last: int) -> None:  # noqa: ARG002
        """Write random actions."""
        self._call("draw", out, out, first, last)

    def step(self, arrays: BatchArrays, actions: I64, limit: int, first: int, last: int) -> None:  # noqa: ARG002
        """Make transitions."""
        self._call("step", actions, actions, limit, first, last)

    def mask(
        self,
        arrays: BatchArrays,  # noqa: ARG002
        player: int,
        out: Bools,
        scratch: I64,  # noqa: ARG002
        first: int,
        last: int,
    ) -> None:
        """Write masks."""
        self._call("mask", out, out, player, first, last)

    def tensor(self, states: I64, out: F32, first: int, last: int) -> None:
        """Write states."""
        self._call("tensor", states, out, first, last)

    def told(self, arrays: BatchArrays, player: int, out: F32, first: int, last: int) -> None:  # noqa: ARG002
        """Write observations."""
        self._call("told", out, out, player, first, last)

    def show(self, shown: Sequence[np.ndarray[Any, Any]]) -> None:
        """Let transitions write the mask of who acts and the tensors of `BatchFunctions.show` too."""
        at = (int(array.ctypes.data) for array in shown)
        self._fixed["step"] = *self._fixed["step"], *at
        self._functions["step"] = self._functions["show"]

    def _call(self, name: str, source: np.ndarray[Any, Any], out: np.ndarray[Any, Any], *numbers: int) -> None:
        """Call a function: with its arrays, with those that vary, once if they are the same, and with numbers."""
        key = name, id(source), id(out), numbers
        known = self._calls.get(key)
        if known is None or known[0]() is not source or known[1]() is not out:
            if len(self._calls) >= REMEMBERED:
                self._calls.clear()
            given = (out,) if source is out else (source, out)
            arguments = *self._fixed[name], *(int(array.ctypes.data) for array in given), *numbers
            known = self._calls[key] = weakref.ref(source), weakref.ref(out), self._prepared(name, arguments)
        known[2]()

    def _prepared(self, name: str, arguments: tuple[int, ...]) -> Callable[[], object]:
        """Return the call of a function, in parts if it is for all games and threads share them."""
        function, threads = self._functions[name], self._threads
        if threads is not None and len(threads.parts) > 1 and arguments[-2:] == (0, threads.parts[-1][1]):
            rows = np.array([(*arguments[:-2], *part) for part in threads.parts], np.int64)
            return partial(threads.call, function, rows)
        return partial(FUNCTION(function), *map(ctypes.c_int64, arguments))
