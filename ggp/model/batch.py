"""Many games at once, for those who train players: a transition of each in one call, on numpy arrays.

batch = ggp.load("connect_four").batch(4096, seed=1)
while batch.steps < 1000:
    batch.step(batch.random_actions())

n games, P players, W words of a state, A legal actions of one player at most, N action numbers, O words of an
observation at most.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from ggp.model.faults import IllegalAction, LimitExceeded
from ggp.model.native import batch_views
from ggp.model.native.batch_calls import CompiledPlay, KernelPlay, Play
from ggp.model.native.batch_play import BatchArrays, begin_games, find_illegal, seed_games
from ggp.model.native.interface import CHANCE, CUT, DEAD_END, ENDED, FAULT_WORD, FAULTED, GOES_ON
from ggp.model.native.rng import seed_word

if TYPE_CHECKING:
    from ggp.model.actions import PlayerName
    from ggp.model.features import Feature
    from ggp.model.game import Game
    from ggp.model.native.jit import F64, I64
    from ggp.model.state import State

__all__ = ["CUT", "DEAD_END", "ENDED", "FAULTED", "GOES_ON", "Batch"]

Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]
F32: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
U8: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

Kind = TypeVar("Kind", bound=np.generic)

MAX_BYTES = 1 << 34
"""What one array of a batch may take."""
MIN_GAMES_A_THREAD = 256
"""Fewer are not worth handing over to another thread."""
NO_LIMIT = 1 << 62


class Batch:
    """n games of one kind, each at a place of its own in its play.

    One `step` makes one transition in every game: by the actions given where players act, by a draw where chance does.
    A game that ends is begun anew in the same call: `states` and `acting` are those of its next game, `status`,
    `utilities` and what was observed those of the transition that ended it. Arrays that are handed out are overwritten
    by later calls; copy what is to be kept. The same seed and the same actions give the same games, on any number of
    threads.

    Attributes:
        game: what is played.
        steps: how often `step` was called.
    """

    def __init__(
        self, game: Game, n: int, *, seed: int = 0, limit: int | None = None, threads: int | None = None
    ) -> None:
        """Begin n games; `Game.batch` does it.

        Args:
            game: what is played.
            n: how many games.
            seed: of chance, and of `random_actions`.
            limit: transitions after which a game is cut; None: games that never end go on for ever.
            threads: that work at once; None: one for each processor that may be used.

        Raises:
            LimitExceeded: so many games take too much memory.
        """
        shape = game.shape
        if n < 1:
            raise ValueError("a batch has at least one game")
        self.game = game
        self.steps = 0
        self._n, self._players, self._words = n, shape.players, shape.state_words
        self._native = game.native()
        self._functions = self._native.functions
        self._limit = NO_LIMIT if limit is None else max(1, limit)
        self._width = shape.players if game.simultaneous else 1
        threads = len(os.sched_getaffinity(0)) if threads is None else threads
        parts = max(1, min(threads, n // MIN_GAMES_A_THREAD))
        bounds = [n * part // parts for part in range(parts + 1)]
        self._parts = list(itertools.pairwise(bounds))
        self._scratch = [np.zeros(shape.max_actions, np.int64) for _ in self._parts]
        before, states, ends = (self._room(shape.state_words, np.int64) for _ in range(3))
        self._arrays = BatchArrays(
            before=before,
            states=states,
            ends=ends,
            acted=np.zeros(n, np.int64),
            acting=np.zeros(n, np.int64),
            joint=self._room(shape.players + 1, np.int64),
            utilities=self._room(shape.players, np.float64),
            status=np.zeros(n, np.int64),
            lengths=np.zeros(n, np.int64),
            rng=np.zeros(n, np.uint64),
        )
        self._drawn = self._room(self._width, np.int64)
        functions, self._batch_code = game.maker.batch_machine
        self._play: Play
        if functions.step:
            self._play = CompiledPlay(functions, self._arrays, self._drawn)
        else:
            self._play = KernelPlay(self._functions, self._words)
        seed_games(np.array([seed_word(seed)], np.uint64), self._arrays.rng)
        self.reset()

    def __len__(self) -> int:
        return self._n

    # --- where the games are ------------------------------------------------------------------------------------------

    @property
    def states(self) -> I64:
        """`[n, W]` int64: the words of each state; `step` changes them in place."""
        return self._shown(self._arrays.states, self._words)

    @property
    def acting(self) -> I64:
        """`[n]` int64: a bit mask of the players who act; 0 where chance does."""
        return self._shown(self._arrays.acting)

    @property
    def player(self) -> I64:
        """`[n]` int64: the number of the player who acts, of several the first; -1 where chance does."""
        acting = self._arrays.acting
        first = np.log2(np.maximum(acting & -acting, 1)).astype(np.int64)
        return np.where(acting > 0, first, -1)

    @property
    def lengths(self) -> I64:
        """`[n]` int64: transitions made in the games that are going on."""
        return self._shown(self._arrays.lengths)

    def state(self, place: int) -> State:
        """Return one game's state."""
        return self.game.state(self.states[place].tolist())

    # --- the last transition ------------------------------------------------------------------------------------------

    @property
    def status(self) -> U8:
        """`[n]` uint8: what came of the last transition: GOES_ON 0, ENDED 1, FAULTED 2, CUT 3 by the limit.

        FAULTED: the rules failed, or a player had no legal action; `faults` says more.
        """
        return self._arrays.status.astype(np.uint8)

    @property
    def joint(self) -> I64:
        """`[n, P + 1]` int64: the actions in the last transitions, 0 for players who did not act; last the outcome."""
        acted, joint = self._arrays.acted[:, None], self._arrays.joint.reshape(self._n, -1)
        players = np.arange(self._players)
        return np.concatenate(
            [np.where(acted >> players & 1, joint[:, :-1], 0), np.where(acted == CHANCE, joint[:, -1:], 0)], axis=1
        )

    @property
    def utilities(self) -> F64:
        """`[n, P]` float64: each player's utility in the games that ended; 0 in all others."""
        ended = self._arrays.status == ENDED
        return np.where(ended[:, None], self._arrays.utilities.reshape(self._n, -1), 0.0)

    @property
    def reached(self) -> I64:
        """`[n, W]` int64: the states that the last transitions led to, those of games that ended too."""
        arrays = self._arrays
        ended = arrays.status != GOES_ON
        return np.where(ended[:, None], arrays.ends.reshape(self._n, -1), arrays.states.reshape(self._n, -1))

    def faults(self) -> dict[int, str]:
        """Return, by the places of the games whose last transition failed, where in the rules and why."""
        found = {}
        for place in np.flatnonzero(self._arrays.status == FAULTED).tolist():
            number = int(self.reached[place, FAULT_WORD])
            found[place] = self._native.faults[number - 1] if number else "a player had no legal action, or play failed"
        return found

    # --- playing ------------------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Begin all games anew."""
        self._run(lambda _, first, last: begin_games(self._functions, self._arrays, self._words, first, last))

    def step(self, actions: I64, check: bool = True) -> None:
        """Make a transition in every game.

        Args:
            actions: `[n]` integers: of the player who acts; or `[n, P]`, where several can act at once. What stands
                there for those who do not act is ignored.
            check: whether to make sure first that the actions are legal, which costs as much as listing them. Others
                must never be given otherwise: native code does not look.

        Raises:
            IllegalAction: an action is not legal; no game has been changed.
            ValueError: the array has another shape.
        """
        given = self._drawn if actions is self._shown_actions else self._flat(actions)
        if check:
            self._check(given)
        play, limit, arrays = self._play, self._limit, self._arrays
        if not play.in_place:
            arrays = self._arrays = arrays._replace(
                before=arrays.states, states=arrays.before, acted=arrays.acting, acting=arrays.acted
            )
        self._run(lambda _, first, last: play.step(arrays, given, limit, first, last))
        self.steps += 1

    def _flat(self, actions: I64) -> I64:
        """Return somebody's actions as kernels read them."""
        given = np.ascontiguousarray(actions, np.int64)
        wanted = (self._n,) if self._width == 1 else (self._n, self._players)
        if given.shape != wanted:
            raise ValueError(f"actions of shape {given.shape}; {self.game.name} takes {wanted}")
        return given.reshape(-1)

    def _check(self, actions: I64) -> None:
        functions, arrays, words = self._functions, self._arrays, self._words
        found = self._run(
            lambda scratch, first, last: find_illegal(functions, arrays, actions, scratch, words, first, last)
        )
        for place in found:
            if place >= 0:
                game, player = divmod(place, self._players)
                action = actions[game * self._width + (player if self._width > 1 else 0)]
                name = self.game.players[player]
                raise IllegalAction(f"game {game}: action {action} is not legal for {name}")

    def random_actions(self) -> I64:
        """Return uniformly random legal actions of all who act, as `step` takes them: `[n]` or `[n, P]` int64."""
        play, arrays, out = self._play, self._arrays, self._drawn
        self._run(lambda scratch, first, last: play.draw(arrays, out, scratch, first, last))
        return self._shown_actions

    @cached_property
    def _shown_actions(self) -> I64:
        return self._drawn if self._width == 1 else self._drawn.reshape(self._n, self._players)

    # --- what is legal ------------------------------------------------------------------------------------------------

    def legal(self, player: PlayerName | None = None) -> tuple[I64, I64]:
        """Return the legal actions of a player in every game.

        Args:
            player: whose; None: the player who acts, the first of several.

        Returns:
            `[n]` int64, how many there are, 0 where the player does not act; and `[n, A]` int64, the numbers of the
            actions in ascending order, followed by anything.
        """
        functions, arrays, words, number = self._functions, self._arrays, self._words, self._number(player)
        counts, out = self._legal
        self._run(
            lambda _, first, last: batch_views.write_legal(functions, arrays, number, counts, out, words, first, last)
        )
        return counts, out.reshape(self._n, -1)

    @cached_property
    def _legal(self) -> tuple[I64, I64]:
        return np.zeros(self._n, np.int64), self._room(self.game.shape.max_actions, np.int64)

    def legal_mask(self, player: PlayerName | None = None) -> Bools:
        """Return which actions are legal for a player in every game: `[n, N]` bool, all False where it does not act.

        Args:
            player: whose; None: the player who acts, the first of several.

        Raises:
            LimitExceeded: there are too many action numbers.
        """
        functions, arrays, words, number = self._functions, self._arrays, self._words, self._number(player)
        mask, write = self._mask, batch_views.write_legal_mask
        self._run(lambda scratch, first, last: write(functions, arrays, number, mask, scratch, words, first, last))
        return mask.reshape(self._n, -1)

    @cached_property
    def _mask(self) -> Bools:
        return self._room(self.game.codec.action_count, np.bool_)

    # --- what was observed --------------------------------------------------------------------------------------------

    def observations(self, player: PlayerName) -> tuple[I64, I64]:
        """Return what the last transition of each game told a player.

        Returns:
            `[n]` int64, how many words, 0 where telling them is a fault of the rules; and `[n, O]` int64, the words,
            followed by anything. `Game.readable_observation` says what they mean.
        """
        functions, arrays, words, number = self._functions, self._arrays, self._words, self._number(player)
        (counts, out), write = self._observed, batch_views.write_observations
        self._run(lambda _, first, last: write(functions, arrays, number, counts, out, words, first, last))
        return counts, out.reshape(self._n, -1)

    @cached_property
    def _observed(self) -> tuple[I64, I64]:
        return np.zeros(self._n, np.int64), self._room(self.game.shape.max_observation_words, np.int64)

    def observation_tensor(self, player: PlayerName, out: F32 | None = None) -> F32:
        """Return what the last transition of each game told a player, as numbers: `[n, T]` float32.

        `Game.observation_features` says what each entry means. What was not told is 0. `out` is as for `state_tensor`.
        """
        counts, observed = self.observations(player)
        headings, features, width = self._observation_layout
        tensor = self._tensor(width, out)
        flat, words, write = tensor.reshape(-1), observed.reshape(-1), batch_views.write_observation_tensor
        self._run(lambda _, first, last: write(counts, words, headings, features, flat, first, last))
        return tensor

    @cached_property
    def _observation_layout(self) -> tuple[I64, I64, int]:
        seen = self.game.observation_features
        headings = np.zeros((1 + max((value.heading for value in seen), default=0), 4), np.int64)
        rows: list[Feature] = []
        for value in seen:
            headings[value.heading] = value.words, value.at, len(rows), len(rows) + len(value.features)
            rows += value.features
        width = max((value.at + 1 + sum(part.width for part in value.features) for value in seen), default=0)
        return headings.reshape(-1), batch_views.feature_table(rows), width

    def state_tensor(self, out: F32 | None = None) -> F32:
        """Return the states as numbers: `[n, T]` float32; `Game.state_features` says what each entry means.

        It holds everything, also what players do not know. In a game of perfect information that is what they see.
        `out` is written and returned if given: a new array costs more than what is written to it.

        Raises:
            ValueError: `out` has another form.
        """
        features, sets, width = self._state_layout
        tensor, states, words = self._tensor(width, out), self._arrays.states, self._words
        flat = tensor.reshape(-1)
        self._run(lambda _, first, last: batch_views.write_state_tensor(states, features, flat, words, first, last))
        if sets.size:
            self._run(lambda _, first, last: batch_views.write_sets(states, sets, flat, words, first, last))
        return tensor

    def _tensor(self, width: int, out: F32 | None) -> F32:
        """Return a tensor to write to, which may hold anything."""
        if out is None:
            return self._room(width, np.float32).reshape(self._n, width)
        if out.shape != (self._n, width) or out.dtype != np.float32 or not out.flags.c_contiguous:
            raise ValueError(f"`out` must be an array of {self._n} x {width} float32 without gaps")
        return out

    @cached_property
    def _state_layout(self) -> tuple[I64, I64, int]:
        """Tables of the features other than sets and of the sets, which a kernel of their own writes faster; T."""
        features = self.game.state_features
        tables = [[one for one in features if (one.kind == "bits") == sets] for sets in (False, True)]
        others, sets = map(batch_views.feature_table, tables)
        return others, sets, sum(feature.width for feature in features)

    # --- arrays and threads -------------------------------------------------------------------------------------------

    def _number(self, player: PlayerName | None) -> int:
        return -1 if player is None else self.game.player(player)

    def _room(self, width: int, kind: type[Kind]) -> np.ndarray[Any, np.dtype[Kind]]:
        """Return an array of zeros, `width` for each game."""
        needed = self._n * width * np.dtype(kind).itemsize
        if needed > MAX_BYTES:
            raise LimitExceeded("bytes for an array of a batch", needed, MAX_BYTES)
        return np.zeros(self._n * width, kind)

    def _shown(
        self, array: np.ndarray[Any, np.dtype[Kind]], width: int | None = None
    ) -> np.ndarray[Any, np.dtype[Kind]]:
        """Return an array as others may see it."""
        view = array.view() if width is None else array.reshape(self._n, width)
        view.flags.writeable = False
        return view

    def _run(self, work: Callable[[I64, int, int], Any]) -> list[Any]:
        """Run work on all games, in threads; it gets scratch, the first game and the one behind the last."""
        if len(self._parts) == 1:
            return [work(self._scratch[0], 0, self._n)]
        others: list[Future[Any]] = [
            self._pool.submit(work, scratch, first, last)
            for scratch, (first, last) in zip(self._scratch[1:], self._parts[1:], strict=True)
        ]
        results = [work(self._scratch[0], *self._parts[0])]
        return results + [other.result() for other in others]

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(max(1, len(self._parts) - 1), thread_name_prefix="batch")

    def __repr__(self) -> str:
        return f"<batch of {self._n} games of {self.game.name}, {self.steps} steps made>"
