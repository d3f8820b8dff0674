"""What makes a game: its native functions, and a codec between their numbers and texts. The seam of the system.

`ggp.game.game.Game` is made of a `GameBackend` and adds nothing that depends on where the game came from; players,
solvers, server and commands see only that. Rules files are one backend (`RulesBackend`). Another needs the functions of
docs/architecture.md, "Native functions", the facts and the codec below, and no rules.

A *state* is a row of W words here as everywhere, as `bytes` of 8 W where it is kept. Two of its words are fixed: word 0
is the phase, a number that the codec understands; word 1 the fault, 0 where there is none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ggp.encoding.features import Feature, SeenFeatures
from ggp.encoding.readable import Readable
from ggp.errors import GgpError
from ggp.game.actions import Action, ActionPart
from ggp.native.interface import BatchFunctions, GameShape, NativeFunctions
from ggp.scene.scene import Scene


class Codec(Protocol):
    """Turns the numbers of a game into texts and data, and texts into numbers."""

    def phase_name(self, phase: int) -> str | None:
        """Return the name of a phase; None of the number that stands in a state in which the game has ended."""

    def action_text(self, action: int) -> str:
        """Return an action's text.

        Raises:
            KeyError: the game has no such action.
        """

    def parse_action(self, text: str, phase: int) -> Sequence[int]:
        """Return the actions of a phase that a text names: none, one, or one for each player that has its own."""

    def action_parts(self, action: int, phase: int) -> Sequence[ActionPart]:
        """Return what an action of a phase consists of, in the order of its text; nothing where that is not known."""

    def actions_called(self, text: str) -> Collection[int]:
        """Return the actions of all phases that a text names."""

    def outcome_text(self, outcome: int, phase: int) -> str:
        """Return the text of a chance outcome of a phase.

        Raises:
            LookupError: chance has no such outcome there.
        """

    def parse_outcome(self, text: str, phase: int) -> int | None:
        """Return the chance outcome of a phase that a text names; None: there is none."""

    def choice_labels(self, phase: int) -> frozenset[str]:
        """Return the labels under which observations of a phase's transitions tell what was chosen."""

    def readable_observation(self, words: Sequence[int]) -> list[tuple[str, Readable]]:
        """Return what the words of an observation say, as `observe` gives them: labels and values."""

    def observation_words(self, observation: Sequence[tuple[str, Readable]]) -> Sequence[Sequence[int]]:
        """Return all words of observations that say this, as labels and values."""

    @property
    def action_count(self) -> int:
        """N: actions are numbered from 0 to N - 1."""

    @property
    def possible_actions(self) -> Sequence[int]:
        """Ascending numbers that hold those of all actions that are legal in any state; `range(N)` will do."""

    def number_parts(self) -> Sequence[tuple[int | None, int, Sequence[int]]]:
        """Return how actions and chance outcomes that have parts are numbered, as six dice thrown at once.

        Returns:
            For each block of mixed-radix numbers: the phase whose outcomes they are, None for actions; the first
            number; the sizes of the parts, the first part the most significant. May be empty.
        """

    def word_ranges(self) -> Sequence[tuple[int, int]]:
        """Return the lowest and the highest number that each word of a state can be."""

    def state_features(self) -> tuple[Feature, ...]:
        """Return how a state is written as a flat tensor, without gaps."""

    def observation_features(self) -> tuple[SeenFeatures, ...]:
        """Return how an observation is written as a flat tensor, without gaps.

        For this an observation has to be a sequence of headings from 0 on, each followed by as many words as it says.
        """

    def values(self, words: Sequence[int]) -> Mapping[str, object]:
        """Return what a state holds, by name."""

    @property
    def has_views(self) -> bool:
        """Whether states are drawn differently for each player, who must not see all."""

    def scene(self, words: Sequence[int], player: int | None = None) -> Scene:
        """Return how a state is drawn for people; with a player, what that one may see, where `has_views`."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Loaded native functions.

    Attributes:
        functions: their addresses.
        owner: keeps them alive.
    """

    functions: NativeFunctions
    owner: object


TransitionResult: TypeAlias = "tuple[bytes, int | None, tuple[tuple[Action, ...], ...]]"
"""What comes of a transition: the next state; the mask of who acts there, None where that was not found out; the legal
actions of each player, nothing at all where they were not found."""


class NativeCalls(Protocol):
    """The native functions for callers in Python, who give and get rows of words as `bytes`; rules that fail raise."""

    def initial(self) -> bytes:
        """Return the initial state."""

    def actors(self, state: bytes) -> int:
        """Return -1 in a terminal state, 0 where chance acts, else the mask of the players who act."""

    def legal(self, state: bytes, player: int) -> tuple[int, ...]:
        """Return a player's legal actions in ascending order; none for one who does not act."""

    def chance(self, state: bytes) -> list[tuple[int, float]]:
        """Return the outcomes of positive probability in ascending order, with their probabilities."""

    def sample_chance(self, state: bytes, rng: list[int]) -> int:
        """Draw a chance outcome; `rng` is a generator of `ggp.arithmetic.rng`."""

    def outcome_probability(self, state: bytes, outcome: int) -> float | None:
        """Return the probability of a chance outcome, 0 of any other number; None where outcomes are to be listed."""

    def advance(self, old: bytes, joint: bytes, /) -> TransitionResult:
        """Make a transition by a joint action, whose last entry is the chance outcome; it is not checked."""

    def observe(self, old: bytes, new: bytes, joint: bytes, player: int) -> tuple[int, ...]:
        """Return the words of what a transition tells a player."""

    def utility(self, state: bytes) -> tuple[float, ...]:
        """Return the utilities of a terminal state."""

    def estimate(self, state: bytes) -> tuple[float, ...] | None:
        """Return the heuristic evaluation of a state that is not terminal; None where the game has none."""


class GameBackend(Protocol):
    """A game as its backend knows it, with the parameters bound. Facts may be computed when they are asked for."""

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def title(self) -> str:
        """The game in one line."""

    @property
    def parameters(self) -> dict[str, str]:
        """The bound parameters, as a caller would write them."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names; a player's number is its position here."""

    @property
    def shape(self) -> GameShape:
        """The sizes that callers of native functions allocate by."""

    @property
    def codec(self) -> Codec:
        """Between numbers and texts."""

    @property
    def utility_bounds(self) -> tuple[tuple[float, float], ...]:
        """The lowest and highest utility of each player."""

    @property
    def utility_sum(self) -> float | None:
        """What the utilities add up to in every terminal state; None where that differs."""

    @property
    def teams(self) -> tuple[int, ...]:
        """The number of each player's team, whose utilities are always the same; each alone where that is not known."""

    @property
    def perfect_information(self) -> bool:
        """Whether every transition tells every player all that was chosen or drawn."""

    @property
    def revealed_actions(self) -> Sequence[Sequence[bool]]:
        """By phase and player, whether the observation of each transition tells the player what all others chose.

        That of chance, too. Where it is not known: False.
        """

    @property
    def simultaneous(self) -> bool:
        """Whether several players may act at once."""

    @property
    def chance(self) -> bool:
        """Whether chance acts."""

    @property
    def traits(self) -> tuple[str, ...]:
        """Words for what kind of game it is."""

    @property
    def machine(self) -> Machine:
        """The native functions, compiled or loaded at the first use."""

    @property
    def batch_machine(self) -> tuple[BatchFunctions, object]:
        """The extra functions of batches, compiled or loaded at first use, and the object that keeps them alive."""

    def seat_tensor(self, player: int) -> tuple[int, object]:
        """Return the address of a function that is `tensor` but from a player's seat, and what keeps it alive.

        0: there is none, as there is no `tensor`.
        """

    @property
    def legality_words(self) -> Sequence[int]:
        """Words of a state on which nothing depends but which actions are legal; none where that is not known."""

    @property
    def transitions_looked_at(self) -> int:
        """How many transitions between states can be looked at in a second or two."""

    @property
    def length_bound(self) -> int | None:
        """A number of transitions that no play exceeds, those of chance counted; None where none is known."""

    @property
    def history_words(self) -> int:
        """How many words at the end of a state keep which states were met before."""

    def fault_texts(self) -> Sequence[str]:
        """Return, for each fault that can be met, number 1 first, where it is and what fails there."""

    def fault(self, number: int) -> GgpError:
        """Return the exception for a fault of this number."""

    def check_utilities(self, utilities: Sequence[float]) -> None:
        """Compare utilities at the end with what is stated about them.

        Raises:
            GameError: they are others.
        """

    def dead_end(self, words: Sequence[int], player: int) -> GgpError:
        """Return the exception for a player who is to act in a state and has no legal action."""

    def calls_in_python(self) -> NativeCalls | None:
        """Return the game in plain Python, slow and interruptible; None where there is no such implementation.

        Faults met natively are met again there, for a message that names the value.
        """
