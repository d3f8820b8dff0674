"""How a batch draws actions and makes transitions: with its game's functions for batches, or with kernels."""

from __future__ import annotations

import ctypes
from typing import Protocol

from ggp.codegen.kernels import I64
from ggp.game import batch_play
from ggp.game.batch_play import BatchArrays
from ggp.native.interface import BatchFunctions, NativeFunctions

ADDRESS, INTEGER = ctypes.c_void_p, ctypes.c_int64
DRAW = ctypes.CFUNCTYPE(None, *[ADDRESS] * 4, *[INTEGER] * 2)
STEP = ctypes.CFUNCTYPE(None, *[ADDRESS] * 11, *[INTEGER] * 3)
"""What `BatchFunctions` are."""


class Play(Protocol):
    """The two functions that play the games from `first` to `last - 1` of a batch.

    Attributes:
        in_place: whether `step` finds the states in `states` and changes them there; otherwise the batch exchanges the
            arrays first, and `step` finds them in `before`, and who acts in `acted`.
    """

    in_place: bool

    def draw(self, arrays: BatchArrays, out: I64, scratch: I64, first: int, last: int) -> None:
        """Do what `ggp.game.batch_play.draw_actions` does."""

    def step(self, arrays: BatchArrays, actions: I64, limit: int, first: int, last: int) -> None:
        """Do what `ggp.game.batch_play.step_games` does."""


class KernelPlay:
    """Play by a game's native functions for single states."""

    in_place = False

    def __init__(self, functions: NativeFunctions, words: int) -> None:
        self._functions = functions
        self._words = words

    def draw(self, arrays: BatchArrays, out: I64, scratch: I64, first: int, last: int) -> None:
        """Write random actions."""
        batch_play.draw_actions(self._functions, arrays, out, scratch, self._words, first, last)

    def step(self, arrays: BatchArrays, actions: I64, limit: int, first: int, last: int) -> None:
        """Make transitions."""
        batch_play.step_games(self._functions, arrays, actions, limit, self._words, first, last)


class CompiledPlay:
    """Play by a game's functions for batches. Looking up an array's address takes as long as a hundred transitions."""

    in_place = True

    def __init__(self, functions: BatchFunctions, arrays: BatchArrays, drawn: I64) -> None:
        """Prepare the calls.

        Args:
            functions: of the game.
            arrays: those that will be passed.
            drawn: where random actions are written.
        """
        self._draw = DRAW(functions.draw)
        self._step = STEP(functions.step)
        self._drawn, self._drawn_at = drawn, int(drawn.ctypes.data)
        self._places = [int(array.ctypes.data) for array in arrays]
        self._draws = [int(array.ctypes.data) for array in (arrays.states, arrays.acting, arrays.rng)]

    def draw(self, arrays: BatchArrays, out: I64, scratch: I64, first: int, last: int) -> None:  # noqa: ARG002
        """Write random actions."""
        self._draw(*self._draws, self._address(out), first, last)

    def step(self, arrays: BatchArrays, actions: I64, limit: int, first: int, last: int) -> None:  # noqa: ARG002
        """Make transitions."""
        self._step(*self._places, self._address(actions), limit, first, last)

    def _address(self, actions: I64) -> int:
        return self._drawn_at if actions is self._drawn else int(actions.ctypes.data)
