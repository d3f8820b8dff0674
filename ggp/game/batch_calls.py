"""How a batch draws actions, makes transitions and shows itself: by its game's functions for batches, or one by one.

n games, N action numbers, T entries of a tensor.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ggp.arithmetic.rng import below
from ggp.codegen.kernels import I64
from ggp.game import batch_views
from ggp.game.batch_play import BatchArrays
from ggp.game.tensors import F32, Bools, new_array
from ggp.native.calls import call_actors, call_init, call_legal, call_sample_chance, call_step, call_utility
from ggp.native.interface import CHANCE, CUT, DEAD_END, ENDED, FAULTED, GOES_ON

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
        """Do what `OneByOne.draw` does."""

    def step(self, actions: I64, limit: int, games: int) -> None:
        """Do what `OneByOne.step` does."""

    def check(self, actions: I64, games: int) -> bool:
        """Return whether it is certain that the actions of all who act in the first games are legal."""

    def mask(self, player: int, out: Bools) -> None:
        """Write to `[n, N]` which actions are legal for a player; -1: for the first who acts."""

    def tensor(self, states: I64, out: F32, player: int) -> None:
        """Write states as `[n, T]`, from the seat of a player; that of the first is what everybody has."""

    def told(self, player: int, out: F32) -> None:
        """Write what the last transitions told a player as `[n, T]`."""


class OneByOne:
    """Play by a game's native functions for single states, one game after the other: slow, and obvious."""

    def __init__(self, game: Game, arrays: BatchArrays) -> None:
        self._game, self._arrays, self._games = game, arrays, len(arrays.acting)
        self._functions = game.native().functions
        self._players, self._words = game.shape.players, game.shape.state_words
        self._actions = np.zeros(game.shape.max_actions, np.int64)

    def draw(self, out: I64) -> None:
        """Write a uniformly random legal action of every player who acts, DEAD_END where it has none."""
        rows, rng = out.reshape(self._games, -1), self._arrays.rng
        for game in range(self._games):
            for player in self._acting(game, self._arrays.acting):
                legal, word = self._legal(game, player), [int(rng[game])]
                rows[game, player % rows.shape[1]] = legal[below(word, len(legal))] if len(legal) else DEAD_END
                rng[game] = word[0]

    def step(self, actions: I64, limit: int, games: int) -> None:
        """Make a transition in each of the first games, and begin those anew that ended.

        Args:
            actions: `[n P]`, or `[n]` where never two act at once; legal for those who act, or DEAD_END.
            limit: transitions after which a game is cut.
            games: how many.
        """
        arrays, functions, words = self._arrays, self._functions, self._words
        before, states, ends, joint = (
            one.reshape(self._games, -1) for one in (arrays.before, arrays.states, arrays.ends, arrays.joint)
        )
        before[:games], arrays.acted[:games] = states[:games], arrays.acting[:games]
        joint[:games, :-1] = actions.reshape(self._games, -1)[:games]
        for game in range(games):
            arrays.lengths[game] += 1
            status, at = FAULTED, game * words
            acting = self._after(game, joint[game])
            if acting is not None and acting >= 0:
                arrays.acting[game] = acting
                status = GOES_ON if arrays.lengths[game] < limit else CUT
            elif acting is not None:
                fault = call_utility(functions.utility, arrays.states, at, arrays.utilities, game * self._players)
                status = FAULTED if fault else ENDED
            arrays.status[game] = status
            if status != GOES_ON:
                ends[game], arrays.lengths[game] = states[game], 0
                call_init(functions.init, arrays.states, at)
                arrays.acting[game] = call_actors(functions.actors, arrays.states, at)

    def _after(self, game: int, joint: I64) -> int | None:
        """Make the transition of a game; return who acts then, None where there is none."""
        arrays, functions, at = self._arrays, self._functions, game * self._words
        if arrays.acted[game] < 0 or any(joint[player] == DEAD_END for player in self._acting(game, arrays.acted)):
            return None
        if arrays.acted[game] == CHANCE:
            joint[-1] = call_sample_chance(functions.sample_chance, arrays.before, at, arrays.rng, game)
            if joint[-1] < 0:
                return None
        call_step(functions.step, arrays.before, at, arrays.states, at, arrays.joint, game * len(joint))
        return call_actors(functions.actors, arrays.states, at)

    def _acting(self, game: int, masks: I64) -> list[int]:
        mask = int(masks[game])
        return [player for player in range(self._players) if mask > 0 and mask >> player & 1]

    def _legal(self, game: int, player: int) -> I64:
        at = game * self._words
        count = call_legal(self._functions.legal, self._arrays.states, at, player, self._actions, 0)
        return self._actions[: max(0, count)]

    def check(self, actions: I64, games: int) -> bool:  # noqa: ARG002
        """Leave it to `find_illegal`, which looks at the same functions."""
        return False

    def mask(self, player: int, out: Bools) -> None:
        """Write masks."""
        rows = out.reshape(self._games, -1)
        rows[:] = False
        for game in range(self._games):
            for who in self._acting(game, self._arrays.acting)[: 1 if player < 0 else None]:
                if player in (who, -1):
                    rows[game, self._legal(game, who)] = True

    def tensor(self, states: I64, out: F32, player: int) -> None:
        """Write states."""
        for words, row in zip(states.reshape(-1, self._words).tolist(), out.reshape(self._games, -1), strict=True):
            row[:] = self._game.state(tuple(words)).tensor(player)

    def told(self, player: int, out: F32) -> None:
        """Write observations."""
        functions, arrays, words, games = self._functions, self._arrays, self._words, self._games
        counts, told = np.zeros(games, np.int64), new_array(games, self._game.shape.max_observation_words, np.int64)
        batch_views.write_observations(functions, arrays, player, counts, told, words, 0, games)
        batch_views.write_observation_tensor(counts, told, *self._observation_tables, out.reshape(-1), 0, games)

    @cached_property
    def _observation_tables(self) -> tuple[I64, I64]:
        return batch_views.observation_tables(self._game.observation_features)


class CompiledPlay:
    """Play by a game's functions for batches. Making a call's arguments takes as long as many transitions."""

    def __init__(self, game: Game, arrays: BatchArrays, threads: BatchThreads) -> None:
        """Prepare the calls.

        Args:
            game: which has such functions.
            arrays: those that will be passed.
            threads: that share a call for all games.
        """
        functions, owner = game.backend.batch_machine
        self._game, self._owners = game, [owner]
        self._functions: dict[str, int] = functions._asdict()
        self._threads = threads
        self._games = len(arrays.acting)
        at = BatchArrays(*(int(array.ctypes.data) for array in arrays))  # type: ignore[arg-type]
        self._fixed: dict[str, tuple[Any, ...]] = {
            "draw": (at.states, at.acting, at.rng),
            "step": tuple(at),
            "check": (at.states, at.acting),
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

    def check(self, actions: I64, games: int) -> bool:
        """Look for actions that are not legal."""
        self._call("check", actions, self._doubtful, 0, games)
        return not any(self._doubtful[first] for first, _ in self._threads.parts if first < games)

    @cached_property
    def _doubtful(self) -> I64:
        return np.zeros(self._games, np.int64)

    def mask(self, player: int, out: Bools) -> None:
        """Write masks."""
        self._call("mask", out, out, player, 0, self._games)

    def tensor(self, states: I64, out: F32, player: int) -> None:
        """Write states."""
        name = f"tensor {player}" if player else "tensor"
        if name not in self._functions:
            # most who train ask for one seat or none, and a large game's takes a while to compile
            self._functions[name], owner = self._game.backend.seat_tensor(player)
            self._fixed[name], self._owners = (), [*self._owners, owner]
        self._call(name, states, out, 0, self._games)

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
            return threads.prepared(function, [(*arguments[:-2], *part) for part in threads.parts])
        return partial(FUNCTION(function), *map(ctypes.c_int64, arguments))
