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
    """The functions that play and show the games of a batch, all that its arrays hold."""

    def draw(self, out: I64) -> None:
        """Do what `ggp.game.batch_play.draw_actions` does."""

    def step(self, actions: I64, limit: int, games: int) -> None:
        """Do what `ggp.game.batch_play.step_games` does, in the first games of all."""

    def mask(self, player: int, out: Bools) -> None:
        """Write to `[n, N]` which actions are legal for a player; -1: for the first who acts."""

    def tensor(self, states: I64, out: F32) -> None:
        """Write states as `[n, T]`."""

    def told(self, player: int, out: F32) -> None:
        """Write what the last transitions told a player as `[n, T]`."""


class KernelPlay:
    """Play by a game's native functions for single states."""

    def __init__(self, game: Game, arrays: BatchArrays, threads: BatchThreads) -> None:
        self._game, self._arrays, self._run = game, arrays, threads.run
        self._functions = game.native().functions
        self._words = game.shape.state_words

    def draw(self, out: I64) -> None:
        """Write random actions."""
        functions, arrays, words = self._functions, self._arrays, self._words
        self._run(
            lambda scratch, first, last: batch_play.draw_actions(functions, arrays, out, scratch, words, first, last)
        )

    def step(self, actions: I64, limit: int, games: int) -> None:
        """Make transitions."""
        functions, arrays, words = self._functions, self._arrays, self._words
        self._run(
            lambda _, first, last: batch_play.step_games(
                functions, arrays, actions, limit, words, first, min(last, games)
            )
        )

    def mask(self, player: int, out: Bools) -> None:
        """Write masks."""
        functions, arrays, words, flat = self._functions, self._arrays, self._words, out.reshape(-1)
        write = batch_views.write_legal_mask
        self._run(lambda scratch, first, last: write(functions, arrays, player, flat, scratch, words, first, last))

    def tensor(self, states: I64, out: F32) -> None:
        """Write states."""
        table, words, flat = self._state_table, self._words, out.reshape(-1)
        self._run(lambda _, first, last: batch_views.write_state_tensor(states, table, flat, words, first, last))

    def told(self, player: int, out: F32) -> None:
        """Write observations."""
        functions, arrays, words, flat = self._functions, self._arrays, self._words, out.reshape(-1)
        (counts, told), tables = self._observed, self._observation_tables

        def write(_: I64, first: int, last: int) -> None:
            batch_views.write_observations(functions, arrays, player, counts, told, words, first, last)
            batch_views.write_observation_tensor(counts, told, *tables, flat, first, last)

        self._run(write)

    @cached_property
    def _observed(self) -> tuple[I64, I64]:
        games = len(self._arrays.acting)
        return np.zeros(games, np.int64), new_array(games, self._game.shape.max_observation_words, np.int64)

    @cached_property
    def _state_table(self) -> I64:
        return batch_views.feature_table(self._game.state_features)

    @cached_property
    def _observation_tables(self) -> tuple[I64, I64]:
        return batch_views.observation_tables(self._game.observation_features)


class CompiledPlay:
    """Play by a game's functions for batches. Making a call's arguments takes as long as many transitions."""

    def __init__(self, functions: BatchFunctions, arrays: BatchArrays, threads: BatchThreads) -> None:
        """Prepare the calls.

        Args:
            functions: of the game.
            arrays: those that will be passed.
            threads: that share a call for all games.
        """
        self._functions: dict[str, int] = functions._asdict()
        self._threads = threads
        self._games = len(arrays.acting)
        at = BatchArrays(*(int(array.ctypes.data) for array in arrays))  # type: ignore[arg-type]
        self._fixed: dict[str, tuple[Any, ...]] = {
            "draw": (at.states, at.acting, at.rng),
            "step": tuple(at),
            "mask": (at.states, at.acting),
            "tensor": (),
            "told": (at.before, at.states, at.ends, at.joint, at.status, at.lengths),
        }
        self._calls: dict[tuple[Any, ...], tuple[weakref.ref[Any], weakref.ref[Any], Callable[[], object]]] = {}

    def draw(self, out: I64) -> None:
        """Write random actions."""
        self._call("draw", out, out, 0, self._games)

    def step(self, actions: I64, limit: int, games: int) -> None:
        """Make transitions."""
        self._call("step", actions, actions, limit, 0, games)

    def mask(self, player: int, out: Bools) -> None:
        """Write masks."""
        self._call("mask", out, out, player, 0, self._games)

    def tensor(self, states: I64, out: F32) -> None:
        """Write states."""
        self._call("tensor", states, out, 0, self._games)

    def told(self, player: int, out: F32) -> None:
        """Write observations."""
        self._call("told", out, out, player, 0, self._games)

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
        if len(threads.parts) > 1 and arguments[-2:] == (0, threads.parts[-1][1]):
            rows = np.array([(*arguments[:-2], *part) for part in threads.parts], np.int64)
            return partial(threads.call, function, rows)
        return partial(FUNCTION(function), *map(ctypes.c_int64, arguments))
