"""Many games at once, for those who train players: a transition of each in one call, on numpy arrays.

batch = ggp.load("connect_four").batch(4096, seed=1)
while batch.steps < 1000:
    batch.step(batch.random_actions())

n games, P players, W words of a state, A legal actions of one player at most, N action numbers, O words of an
observation at most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import cached_property, wraps
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeAlias, TypeVar

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.game import batch_views
from ggp.game.actions import integer
from ggp.game.batch_calls import CompiledPlay
from ggp.game.batch_legal import LegalActions
from ggp.game.batch_play import BatchArrays, begin_games, seed_games
from ggp.game.batch_selection import BatchSelection, play_of
from ggp.game.batch_tensors import BatchTensors
from ggp.game.batch_threads import BatchThreads
from ggp.game.row_memory import RowMemory
from ggp.game.state import State
from ggp.game.tensors import F32, Bools, integers, new_array
from ggp.native.interface import CHANCE, CUT, DEAD_END, ENDED, FAULT_WORD, FAULTED, GOES_ON

if TYPE_CHECKING:
    from ggp.codegen.kernels import F64, I64
    from ggp.game.actions import PlayerName
    from ggp.game.game import Game

__all__ = ["CUT", "DEAD_END", "ENDED", "FAULTED", "GOES_ON", "Batch"]

U8: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]

Kind = TypeVar("Kind", bound=np.generic)

NO_LIMIT = 1 << 62

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _alone(method: Callable[Concatenate[Batch, Arguments], Result]) -> Callable[Concatenate[Batch, Arguments], Result]:
    """Let a method wait until no other thread is in one: native code must not meet states that are half written."""

    @wraps(method)
    def waiting(batch: Batch, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        with batch.lock:
            return method(batch, *arguments, **named)

    return waiting


class Batch:
    """n games of one kind, each at a place of its own in its play.

    One `step` makes one transition in every game: by the actions given where players act, by a draw where chance does.
    A game that ends is begun anew in the same call: `states` and `acting` are those of its next game, `status`,
    `utilities` and what was observed those of the transition that ended it. Arrays that are handed out are overwritten
    by later calls; copy what is to be kept. The same seed and the same actions give the same games, on any number of
    threads. Where several threads of Python use one batch, their calls wait for each other.

    Attributes:
        game: what is played.
        steps: how often `step` was called.
        lock: is held while arrays are read or written.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        seed: int = 0,
        limit: int | None = None,
        threads: int | None = None,
        remember: int = 0,
        through_chance: bool = False,
        show: bool = False,
    ) -> None:
        """Begin n games; see `Game.batch`, which does it, for the arguments.

        Raises:
            LimitExceeded: so many games take too much memory.
            ValueError: a number is less than 1, `remember` less than 0.
            TypeError: one is no integer.
        """
        shape = game.shape
        n, remember = integer(n, "n"), integer(remember, "remember")
        for name, number in {"n": n, "limit": limit, "threads": threads, "remember": remember + 1}.items():
            if number is not None and integer(number, name) < 1:
                raise ValueError(f"`{name}` is too small: a batch has at least one game, transition and thread")
        self.game = game
        self.lock = RLock()
        self.steps = 0
        self._n, self._players, self._words = n, shape.players, shape.state_words
        self._native = game.native()
        self._functions = self._native.functions
        self._options = {
            "limit": limit,
            "threads": threads,
            "remember": remember,
            "through_chance": through_chance,
            "show": show,
        }
        self._limit = NO_LIMIT if limit is None else limit
        self._through_chance = through_chance
        self._width = shape.players if game.simultaneous else 1
        self._threads = BatchThreads(n, threads, shape.max_actions)
        self._run = self._threads.run
        before, states, ends = (new_array(n, shape.state_words, np.int64) for _ in range(3))
        self._arrays = BatchArrays(
            before=before,
            states=states,
            ends=ends,
            acted=np.zeros(n, np.int64),
            acting=np.zeros(n, np.int64),
            joint=new_array(n, shape.players + 1, np.int64),
            utilities=new_array(n, shape.players, np.float64),
            status=np.zeros(n, np.int64),
            lengths=np.zeros(n, np.int64),
            rng=np.zeros(n, np.uint64),
        )
        self._drawn = new_array(n, self._width, np.int64)
        self._play = play_of(game, self._arrays, self._threads)
        self._legal = LegalActions(game, n, self._threads)
        self._tensors = BatchTensors(game, n, self._play)
        self._shown: tuple[np.ndarray[Any, Any], ...] = ()
        self._shows = False
        if show and isinstance(self._play, CompiledPlay):
            self._shown = self._show(self._play)
        self._memory: RowMemory | None = None
        if remember:
            self._memory = RowMemory(n, shape.players, remember, shape.max_observation_words)
        self.reset(seed=integer(seed, "seed"))

    @_alone
    def copy(self) -> Batch:
        """Return a batch of the same games, which goes on by the same draws of chance."""
        again = Batch(self.game, self._n, **self._options)  # type: ignore[arg-type]
        again.__setstate__(self.__getstate__())
        return again

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Batch:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _batch_again, (self.game, self._n, self._options), self.__getstate__()

    @_alone
    def __getstate__(self) -> tuple[object, ...]:
        return self.steps, self._arrays, self._memory

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.steps, arrays, memory = state
        for ours, theirs in zip(self._arrays, arrays, strict=True):
            ours[:] = theirs
        self._shows = False
        self._memory = deepcopy(memory)

    def __len__(self) -> int:
        return self._n

    # --- where the games are ------------------------------------------------------------------------------------------

    @property
    def states(self) -> I64:
        """`[n, W]` int64: the words of each state; `step` changes them in place."""
        return self._read_only(self._arrays.states, self._words)

    @property
    def acting(self) -> I64:
        """`[n]` int64: a bit mask of the players who act; 0 where chance does."""
        return self._read_only(self._arrays.acting)

    @property
    def player(self) -> I64:
        """`[n]` int64: the number of the player who acts, of several the first; -1 where chance does."""
        acting = self._arrays.acting
        first = np.log2(np.maximum(acting & -acting, 1)).astype(np.int64)
        return np.where(acting > 0, first, -1)

    @property
    def lengths(self) -> I64:
        """`[n]` int64: transitions made in the games that are going on."""
        return self._read_only(self._arrays.lengths)

    def state(self, place: int) -> State:
        """Return one game's state."""
        return State(self.game, (self.states[integer(place, "place")].tobytes(), None, ()))

    # --- the last transition ------------------------------------------------------------------------------------------

    @property
    def status(self) -> U8:
        """`[n]` uint8: what came of the last transition: GOES_ON 0, ENDED 1, FAULTED 2, CUT 3 by the limit.

        FAULTED: the rules failed, or a player had no legal action; `faults` says more.
        """
        return self._arrays.status.astype(np.uint8)

    @property
    def acted(self) -> I64:
        """`[n]` int64: a bit mask of the players who acted in the last transitions; 0 where chance did."""
        return self._read_only(self._arrays.acted)

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

    @_alone
    def reset(self, places: Sequence[int] | I64 | None = None, seed: int | None = None) -> None:
        """Begin games anew.

        Args:
            places: `[m]` which; None: all.
            seed: of chance and of `random_actions` in these games from now on; None: they go on drawing as before.
        """
        chosen = np.arange(self._n) if places is None else self._places(places)
        if seed is not None:
            words = np.zeros(len(chosen), np.uint64)
            seed_games(np.array([seed_word(integer(seed, "seed"))], np.uint64), words)
            self._arrays.rng[chosen] = words
        if places is None:
            self._run(lambda _, first, last: begin_games(self._functions, self._arrays, self._words, first, last))
            self._forget(chosen)
        else:
            self.set_states(np.tile(np.array(self.game.initial().words, np.int64), (len(chosen), 1)), chosen)

    @_alone
    def set_states(self, words: I64, places: Sequence[int] | I64 | None = None) -> None:
        """Go on from other states, which no transition led to: nothing is observed or remembered of how they came.

        Args:
            words: `[m, W]` the words of each state, as `states` and `State.words` give them. Each word is looked at
                alone, as by `Game.state`.
            places: `[m]` the places of the games; None: all.

        Raises:
            ValueError: the arrays have other shapes, a word is none of a state at its place, or a state is terminal.
            RulesFault: the rules fail in finding who acts.
        """
        chosen = np.arange(self._n) if places is None else self._places(places)
        given = np.ascontiguousarray(integers(words, "words"))
        if given.shape != (len(chosen), self._words):
            raise ValueError(f"words of shape {given.shape}; {len(chosen)} states have {(len(chosen), self._words)}")
        low, high = np.array(self.game.word_ranges)
        if (wrong := ((given < low) | (given > high)).any(axis=1)).any():
            self.game.fail_by_words(given[wrong.argmax()].tolist())
        acting = [self.game.steps.actors(row.tobytes()) for row in given]
        if min(acting, default=0) < 0:
            raise ValueError("a batch cannot hold a terminal state")
        arrays = self._arrays
        arrays.states.reshape(self._n, -1)[chosen] = given
        arrays.acting[chosen] = acting
        arrays.status[chosen], arrays.lengths[chosen] = GOES_ON, 0
        self._forget(chosen)

    def _places(self, places: Sequence[int] | I64) -> I64:
        chosen = np.asarray(places)
        if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
            raise ValueError("places are a list of numbers of games")
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < self._n:
            raise ValueError(f"places are from 0 to {self._n - 1}")
        return chosen.astype(np.int64)

    def _forget(self, places: I64) -> None:
        self._shows = False
        if self._memory is not None:
            self._memory.forget(places)

    @_alone
    def step(self, actions: I64, check: bool = True, where: Bools | None = None) -> None:
        """Make a transition in every game; in a batch `through_chance`, then chance's until players act or it is over.

        Args:
            actions: `[n]` integers: of the player who acts; or `[n, P]`, where several can act at once. What stands
                there for those who do not act is ignored.
            check: whether to make sure first that the actions are legal. Others must never be given otherwise: native
                code does not look.
            where: `[n]` bool, in which games; the others, and all that is said of them, stay as they are. None: in all.

        Raises:
            IllegalAction: an action is not legal; no game has been changed.
            RulesFault: nor has any where the rules fail to say what is legal.
            ValueError: an array has another shape, or actions are not integers.
        """
        given = self._drawn if actions is self._shown_actions else self._flat(actions)
        if where is None:
            self._step_all(given, check)
        else:
            where = np.asarray(where)
            if where.shape != (self._n,) or where.dtype != np.bool_:
                raise ValueError(f"`where` must be an array of {self._n} truth values")
            self._step_some(np.flatnonzero(where), given, check)
        self.steps += 1
        if self._through_chance:
            self._go_through_chance(np.ones(self._n, np.bool_) if where is None else where)

    def _step_all(self, given: I64, check: bool) -> None:
        if check and not self._play.check(given, self._n):
            self._legal.check(self._arrays, given, None)
        self._play.step(given, self._limit, self._n)
        self._shows = bool(self._shown)
        if self._memory is not None:
            self._record(np.arange(self._n))

    def _step_some(self, places: I64, given: I64, check: bool) -> None:
        some = self._selection
        loaded = some.load(self._arrays, given, places)
        if check and not some.check(places):
            self._legal.check(loaded, some.actions, places)
        some.step(self._arrays, places, self._limit)
        self._shows = False
        if self._memory is not None:
            self._record(places)

    def _go_through_chance(self, stepped: Bools) -> None:
        arrays = self._arrays
        while (waiting := stepped & (arrays.status == GOES_ON) & (arrays.acting == CHANCE)).any():
            self._step_some(np.flatnonzero(waiting), self._drawn, check=False)

    def _record(self, places: I64) -> None:
        assert self._memory is not None
        for player in range(self._players):
            counts, words = self.observations(player)
            self._memory.record(self._arrays, player, places, counts, words)

    @cached_property
    def _selection(self) -> BatchSelection:
        return BatchSelection(self.game, self._arrays, self._drawn)

    def _flat(self, actions: I64) -> I64:
        """Return somebody's actions as kernels read them."""
        given = np.ascontiguousarray(integers(actions, "actions"))
        wanted = (self._n,) if self._width == 1 else (self._n, self._players)
        if given.shape != wanted:
            raise ValueError(f"actions of shape {given.shape}; {self.game.name} takes {wanted}")
        return given.reshape(-1)

    @_alone
    def random_actions(self) -> I64:
        """Return uniformly random legal actions of all who act, as `step` takes them: `[n]` or `[n, P]` int64."""
        self._play.draw(self._drawn)
        return self._shown_actions

    @cached_property
    def _shown_actions(self) -> I64:
        return self._drawn if self._width == 1 else self._drawn.reshape(self._n, self._players)

    # --- what is legal ------------------------------------------------------------------------------------------------

    @_alone
    def legal(self, player: PlayerName | None = None) -> tuple[I64, I64]:
        """Return the legal actions of a player in every game.

        Args:
            player: whose; None: the player who acts, the first of several.

        Returns:
            `[n]` int64, how many there are, 0 where the player does not act; and `[n, A]` int64, the numbers of the
            actions in ascending order, followed by anything.
        """
        return self._legal.table(self._arrays, self._number(player))

    @_alone
    def legal_lists(self, player: PlayerName | None = None) -> tuple[I64, I64]:
        """Return the legal actions of a player in every game, one list behind the other, as `scipy.sparse` has rows.

        For games in which `legal` and `legal_mask` would take much memory.

        Args:
            player: whose; None: the player who acts, the first of several.

        Returns:
            `[n + 1]` int64: the list of game g begins at entry g and ends before entry g + 1 of this; and all lists.
        """
        return self._legal.lists(self._arrays, self._number(player))

    @_alone
    def legal_mask(self, player: PlayerName | None = None) -> Bools:
        """Return which actions are legal for a player in every game: `[n, N]` bool, all False where it does not act.

        Args:
            player: whose; None: the player who acts, the first of several.

        Raises:
            LimitExceeded: there are too many action numbers.
        """
        if player is None and self._shows:
            return self._shown[0]
        return self._legal.mask(self._play, self._number(player))

    # --- what was observed --------------------------------------------------------------------------------------------

    @_alone
    def observations(self, player: PlayerName) -> tuple[I64, I64]:
        """Return what the last transition of each game told a player.

        Returns:
            `[n]` int64, how many words, 0 where telling them is a fault of the rules; and `[n, O]` int64, the words,
            followed by anything. `Game.readable_observation` says what they mean.
        """
        functions, arrays, words, number = self._functions, self._arrays, self._words, self.game.player(player)
        (counts, out), write = self._observed, batch_views.write_observations
        self._run(lambda _, first, last: write(functions, arrays, number, counts, out, words, first, last))
        return counts, out.reshape(self._n, -1)

    @cached_property
    def _observed(self) -> tuple[I64, I64]:
        return np.zeros(self._n, np.int64), new_array(self._n, self.game.shape.max_observation_words, np.int64)

    @_alone
    def observation_tensor(self, player: PlayerName, out: F32 | None = None) -> F32:
        """Return what the last transition of each game told a player, as numbers: `[n, T]` float32.

        `Game.observation_features` says what each entry means. What was not told is 0. `out` is as for `state_tensor`.
        """
        number = self.game.player(player)
        if out is None and self._shows and not self.game.perfect_information:
            return self._shown[1 + number]
        return self._tensors.of_observations(number, out)

    def information_tensor(self, player: PlayerName, stack: int | None = None) -> F32:
        """Return the last rows of what a player knows in each game: `[n, stack, R]` float32.

        They are those of `History.information_tensor`; `Game.information_features` says what each entry means. Of a
        game that has just been begun anew, nothing is known.

        Args:
            player: whose.
            stack: how many rows; None: all that are remembered.

        Raises:
            ValueError: the batch does not remember as many; `Game.batch` takes how many.
        """
        return self._rows(player, stack, final=False)

    def final_information_tensor(self, player: PlayerName, stack: int | None = None) -> F32:
        """Return what `information_tensor` does behind the last transitions: where a game ended, of all that was."""
        return self._rows(player, stack, final=True)

    @_alone
    def _rows(self, player: PlayerName, stack: int | None, final: bool) -> F32:
        memory = self._memory
        kept = 0 if memory is None else memory.kept
        rows = kept if stack is None else stack
        if memory is None or not 0 < rows <= kept:
            raise ValueError(f"the batch remembers {kept} rows: begin it with `remember`")
        return self._tensors.of_memory(memory, self.game.player(player), rows, final)

    def state_tensor(self, out: F32 | None = None, player: PlayerName | None = None) -> F32:
        """Return the states as numbers: `[n, T]` float32; `Game.state_features` says what each entry means.

        It holds everything, also what players do not know. In a game of perfect information that is what they see.

        Args:
            out: written and returned if given: a new array costs more than what is written to it.
            player: from whose seat, see `State.tensor`.

        Raises:
            ValueError: `out` has another form.
        """
        if out is None and player is None and self._shows and self.game.perfect_information:
            return self._shown[1]
        return self._state_tensor(self._arrays.states, out, player)

    def final_tensor(self, out: F32 | None = None, player: PlayerName | None = None) -> F32:
        """Return what `state_tensor` does of the states in `reached`: where a game ended, of its last state."""
        return self._state_tensor(self.reached.reshape(-1), out, player)

    @_alone
    def _state_tensor(self, states: I64, out: F32 | None, player: PlayerName | None) -> F32:
        return self._tensors.of_states(states, 0 if player is None else self._number(player), out)

    def _show(self, play: CompiledPlay) -> tuple[np.ndarray[Any, Any], ...]:
        """Let each step write the mask and the tensors that are shown; return these, to be read only."""
        mask = new_array(self._n, self.game.num_actions, np.bool_).reshape(self._n, -1)
        shown = [mask, *self._tensors.shown()]
        play.show(shown)
        return tuple(self._read_only(array) for array in shown)

    # --- arrays and threads -------------------------------------------------------------------------------------------

    def _number(self, player: PlayerName | None) -> int:
        return -1 if player is None else self.game.player(player)

    def _read_only(
        self, array: np.ndarray[Any, np.dtype[Kind]], width: int | None = None
    ) -> np.ndarray[Any, np.dtype[Kind]]:
        """Return an array as others may see it."""
        view = array.view() if width is None else array.reshape(self._n, width)
        view.flags.writeable = False
        return view

    def __repr__(self) -> str:
        return f"<batch of {self._n} games of {self.game.name}, {self.steps} steps made>"


def _batch_again(game: Game, n: int, options: Mapping[str, Any]) -> Batch:
    """Return a batch for the state of one that was pickled."""
    return Batch(game, n, **options)
