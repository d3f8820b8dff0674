"""Games, for people who write Python.

game = ggp.load("goofspiel", n=4)
state = game.initial()
while not state.is_terminal():
    if state.is_chance():
        state = state.apply_outcome(state.chance_outcomes()[0][0])
    else:
        state = state.apply({player: state.legal(player)[0] for player in state.actors()})
print(state, state.utilities())
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import ge, le
from typing import TYPE_CHECKING, Literal, NoReturn

from ggp.encoding.readable import Readable
from ggp.faults import IllegalAction
from ggp.game.actions import MAX_KEPT, Action, Actions, PlayerName, player_number
from ggp.game.backend import Codec, GameBackend, NativeCalls
from ggp.game.history import History
from ggp.game.state import State
from ggp.native.interface import PHASE_WORD, GameShape, NativeGame
from ggp.static_analysis.payoffs import within_sum

if TYPE_CHECKING:
    from ggp.encoding.features import Feature, SeenFeatures
    from ggp.game.batch import Batch
    from ggp.game.information_tensors import RowFeatures

__all__ = ["Game", "State"]


def check_is_game(given: Game) -> None:
    """Make sure that something is a game, and not the name of one.

    Raises:
        TypeError: it is not.
    """
    if not isinstance(given, Game):
        raise TypeError(f"{given!r} is no game; `ggp.load` gives one, by its name")


class Game:
    """A game with its parameters bound. Equal to another of equal rules and parameters; then their states are, too.

    Attributes:
        backend: what it was made of; nothing outside of `ggp.game` and its backend looks into it.
        codec: between its numbers and texts.
    """

    def __init__(
        self, backend: GameBackend, *, runs: Literal["natively", "in_python", "releasing_gil"] = "natively"
    ) -> None:
        """Make the game of a backend; see `in_python` and `releasing_gil` for what these are."""
        self.backend = backend
        self.codec: Codec = backend.codec
        self.words_of: Callable[[bytes], tuple[int, ...]] = struct.Struct(f"{backend.shape.state_words}q").unpack
        self._row_of: Callable[..., bytes] = struct.Struct(f"{backend.shape.state_words}q").pack
        self._joint_row: Callable[..., bytes] = struct.Struct(f"{len(backend.players) + 1}q").pack
        self._runs = runs
        self.players: tuple[str, ...] = backend.players
        """The players' names; a player's number is its position here."""
        self._actions = Actions(backend.codec)
        self.action: Callable[[int], Action] = self._actions.__getitem__
        """Returns the action of a number."""
        self.lone_row = lru_cache(MAX_KEPT)(self._lone_row)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Game) and self._runs == other._runs and bool(self.backend == other.backend)
        )

    def __hash__(self) -> int:
        return hash((self._runs, self.backend))

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, _: object) -> Game:
        return self

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[object, ...]]:
        return _game_again, (self.backend, self._runs)

    # --- facts --------------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The game's name."""
        return self.backend.name

    @property
    def title(self) -> str:
        """The game in one line."""
        return self.backend.title

    @property
    def parameters(self) -> dict[str, str]:
        """The bound parameters, as a caller would write them."""
        return self.backend.parameters

    @property
    def shape(self) -> GameShape:
        """The sizes that callers of native functions allocate by."""
        return self.backend.shape

    @property
    def utility_bounds(self) -> tuple[tuple[float, float], ...]:
        """The lowest and highest utility of each player."""
        return self.backend.utility_bounds

    @property
    def num_actions(self) -> int:
        """N: the players' actions are numbered from 0 to N - 1."""
        return self.codec.action_count

    @property
    def possible_actions(self) -> Sequence[int]:
        """The numbers of the actions that can be legal in some state, ascending; a few more, where that is not plain.

        Found out from the rules at the first use, in at most some seconds. Equal games have equal ones.
        """
        return self.codec.possible_actions

    @cached_property
    def max_length(self) -> int | None:
        """A number of transitions, those of chance counted, that no play exceeds; None where none is known.

        That of the longest play where all states can be looked at (`ggp.game.play_length`), else what follows from the
        rules alone (`ggp.static_analysis.play_bounds`): often the longest play, too, and never less. Found out at the
        first use, in a second or two.
        """
        from ggp.game.play_length import longest_play

        longest = longest_play(self)
        return self.backend.length_bound if longest is None else longest

    @property
    def perfect_information(self) -> bool:
        """Whether every transition tells every player all that was chosen or drawn."""
        return self.backend.perfect_information

    @property
    def revealed_actions(self) -> Sequence[Sequence[bool]]:
        """By phase and player, whether the player is always told all that the others, or chance, chose there."""
        return self.backend.revealed_actions

    @property
    def simultaneous(self) -> bool:
        """Whether several players may act at once."""
        return self.backend.simultaneous

    @property
    def chance(self) -> bool:
        """Whether chance acts."""
        return self.backend.chance

    @property
    def utility_sum(self) -> float | None:
        """What the utilities add up to in every terminal state; None where that differs."""
        return self.backend.utility_sum

    @property
    def teams(self) -> tuple[int, ...]:
        """The number of each player's team, whose utilities are always the same; each alone where that is not known."""
        return self.backend.teams

    @property
    def constant_sum(self) -> bool:
        """Whether the utilities add up to one number in every terminal state."""
        return self.utility_sum is not None

    @property
    def traits(self) -> tuple[str, ...]:
        """Words for what kind of game it is."""
        return self.backend.traits

    # --- playing ------------------------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> NativeCalls:
        """What its states run on: native code, or plain Python; see `in_python`."""
        if self._runs == "in_python":
            steps = self.backend.calls_in_python()
            assert steps is not None, "in_python has seen to it"
            return steps
        # LLVM takes a tenth of a second to import
        from ggp.game.steps import NativeSteps, ReleasingSteps

        kind = NativeSteps if self._runs == "natively" else ReleasingSteps
        return kind(self.backend, self._actions)

    def in_python(self) -> Game:
        """Return the same game run by plain Python instead of native code, where there is such an implementation.

        It is some hundred times slower, needs no compilation, can be interrupted within a transition and looked at in a
        debugger. Its states are not equal to those of this game. Without such an implementation: this game.
        """
        return self if self.backend.calls_in_python() is None else Game(self.backend, runs="in_python")

    def releasing_gil(self) -> Game:
        """Return the same game; other Python threads run on while its native functions compute. It costs microseconds.

        For programs that must answer while a transition takes long. Its states are not equal to those of this game.
        """
        return Game(self.backend, runs="releasing_gil")

    def initial(self) -> State:
        """Return the state in which play begins."""
        return self._initial

    def batch(
        self,
        n: int,
        *,
        seed: int = 0,
        limit: int | None = None,
        threads: int | None = None,
        remember: int = 0,
        through_chance: bool = False,
        show: bool = False,
    ) -> Batch:
        """Begin n games that are played at once, on numpy arrays.

        Args:
            n: how many games.
            seed: of chance, and of `Batch.random_actions`.
            limit: transitions after which a game is cut; None: games that never end go on for ever.
            threads: that work at once; None: one for each processor that may be used.
            remember: rows of `Batch.information_tensor` that are kept for each player.
            through_chance: whether a step goes on, in games that are not over, until players act.
            show: whether a step also writes what `legal_mask()` shows and what `state_tensor()` does, or
                `observation_tensor` of every player where something is hidden, in one pass with the transitions:
                faster, if these are read after each step. The arrays are then read only.

        Raises:
            LimitExceeded: so many games take too much memory.
        """
        # numpy takes a tenth of a second to import
        from ggp.game.batch import Batch

        return Batch(
            self,
            n,
            seed=seed,
            limit=limit,
            threads=threads,
            remember=remember,
            through_chance=through_chance,
            show=show,
        )

    def history(self) -> History:
        """Return the history in which nothing has happened yet; it knows what every player knows."""
        return History(self.initial(), ((),) * len(self.players))

    @cached_property
    def _initial(self) -> State:
        return State(self, (self.steps.initial(), None, ()))

    def state(self, words: Sequence[int]) -> State:
        """Return the state with these words, such as `State.words` and native code give them.

        Each word is looked at alone: whether play can lead to such a state is not asked.

        Raises:
            TypeError: a word is no integer.
            ValueError: a state of this game has another number of words, or never has such a word at its place.
        """
        if len(words) != self.shape.state_words:
            raise ValueError(f"{len(words)} words; a state of {self.name} has {self.shape.state_words}")
        low, high = self.word_ranges
        if not (all(map(le, low, words)) and all(map(ge, high, words))):
            self.fail_by_words(words)
        try:
            return State(self, (self._row_of(*words), None, ()))
        except struct.error as error:
            raise TypeError(f"the words of a state are integers: {error}") from error

    def state_again(self, row: bytes, joint: bytes, before: bytes | None) -> State:
        """Return a state that was pickled: its row of words, the joint action that led to it, and where from.

        Raises:
            ValueError: it has words of another game, or of another version of `ggp`.
        """
        for one in (row, *([] if before is None else [before])):
            self.state(struct.unpack(f"{len(one) // 8}q", one))
        return State(self, (row, None, ()), before, joint)

    @cached_property
    def word_ranges(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The lowest number that each word of a state can be, and the highest."""
        low, high = zip(*self.codec.word_ranges(), strict=True)
        return low, high

    def fail_by_words(self, words: Sequence[int]) -> NoReturn:
        """Raise `ValueError` for words of which one is not in the range of its place."""
        for place, (low, word, high) in enumerate(zip(self.word_ranges[0], words, self.word_ranges[1], strict=True)):
            if not low <= word <= high:
                raise ValueError(f"no state of {self.name} has {word} as word {place}, which is from {low} to {high}")
        raise AssertionError("all words are in range")

    def player(self, player: PlayerName) -> int:
        """Return a player's number.

        Raises:
            UnknownPlayer: the game has no such player.
        """
        return player_number(player, self.players, self.name)

    def action_text(self, action: int) -> str:
        """Return an action's text.

        Raises:
            IllegalAction: the number is no action's.
        """
        if not 0 <= action < self.num_actions:
            raise IllegalAction(f"{self.name} numbers actions from 0 to {self.num_actions - 1}, and this is {action}")
        return self.action(action).text

    def outcome_text(self, outcome: int, phase: str) -> str:
        """Return the text of a chance outcome, which a phase numbers from 0; `State.outcome_text` knows the phase.

        Raises:
            IllegalAction: chance draws nothing in such a phase, or no such outcome.
        """
        for number in range(self.word_ranges[1][PHASE_WORD]):
            if self.codec.phase_name(number) == phase:
                try:
                    return self.codec.outcome_text(outcome, number)
                except LookupError as error:
                    raise IllegalAction(f"phase `{phase}` of {self.name} has no chance outcome {outcome}") from error
        raise IllegalAction(f"{self.name} has no phase `{phase}`")

    def readable_observation(self, words: Sequence[int]) -> list[tuple[str, Readable]]:
        """Return what the words of an observation say: labels and values."""
        return self.codec.readable_observation(words)

    def joint_of(self, row: bytes) -> tuple[int, ...]:
        """Return the joint action that a row of words holds."""
        return struct.unpack(f"{len(self.players) + 1}q", row)

    def joint_row(self, joint: Sequence[int]) -> bytes:
        """Return a joint action, with the chance outcome as its last entry, as a row of words."""
        return self._joint_row(*joint)

    def _lone_row(self, place: int, value: int) -> bytes:
        """Return the joint action in which one player acts, or chance, whose place is behind the players'."""
        words = [0] * (len(self.players) + 1)
        words[place] = value
        return self._joint_row(*words)

    # --- tensors ------------------------------------------------------------------------------------------------------

    @cached_property
    def state_features(self) -> tuple[Feature, ...]:
        """What the entries of `Batch.state_tensor` mean, in order."""
        return self.codec.state_features()

    @cached_property
    def observation_features(self) -> tuple[SeenFeatures, ...]:
        """What the entries of `Batch.observation_tensor` mean, in order."""
        return self.codec.observation_features()

    @cached_property
    def information_features(self) -> RowFeatures:
        """What the entries of each row of `History.information_tensor` mean."""
        from ggp.game.information_tensors import row_features

        return row_features(self)

    # --- native -------------------------------------------------------------------------------------------------------

    def native(self) -> NativeGame:
        """Return the game as search sees it: addresses, sizes, facts."""
        return self._native

    @cached_property
    def _native(self) -> NativeGame:
        machine = self.backend.machine
        bounds = within_sum(self.utility_bounds, self.utility_sum)
        return NativeGame(
            functions=machine.functions,
            shape=self.shape,
            utility_low=tuple(low for low, _ in bounds),
            utility_high=tuple(high for _, high in bounds),
            utility_sum=self.utility_sum,
            perfect_information=self.perfect_information,
            faults=tuple(self.backend.fault_texts()),
            owner=machine.owner,
            action_count=self.backend.codec.action_count,
            legality_words=tuple(self.backend.legality_words),
            history_words=self.backend.history_words,
            action_parts=tuple(
                (base, tuple(sizes)) for phase, base, sizes in self.backend.codec.number_parts() if phase is None
            ),
            sets=tuple(_sets(self.state_features)),
        )

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"<game {self.name}({parameters})>"


def _sets(features: Iterable[Feature]) -> Iterator[tuple[int, int]]:
    """Yield the first word of each set of a state, and how many elements it may have."""
    apart: dict[str, list[Feature]] = {}
    for feature in features:
        if feature.kind == "bits":
            yield feature.word, feature.size
        elif feature.sets:
            apart.setdefault(feature.variable, []).append(feature)
    for first, *others in apart.values():
        for place in range(first.sets):
            yield first.word + place * first.apart, 1 + len(others)


@lru_cache(64)
def _game_again(backend: GameBackend, runs: Literal["natively", "in_python", "releasing_gil"]) -> Game:
    """Return a game that was pickled; the same one each time, as its code is loaded once a game."""
    return Game(backend, runs=runs)
