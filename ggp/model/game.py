"""Games and their states, for people who write Python.

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

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ggp.language import typed
from ggp.language.typed.types import scalar_text
from ggp.model.actions import Action, ActionGiven, JointGiven, PlayerName, actions_by_player, player_number
from ggp.model.backends.plain import PlainGame
from ggp.model.drawing import Drawing, draw
from ggp.model.faults import IllegalAction, RulesFault
from ggp.model.history import History
from ggp.model.native.interface import GameShape, NativeGame
from ggp.model.payoffs import check_sum, known_sum, within_sum
from ggp.model.readable import Readable, readable_observation
from ggp.model.reference.interpreter import Interpreter, WorldState
from ggp.model.state_layout import FAULT_WORD, PHASE_WORD, Layout
from ggp.model.traits import has_chance, has_simultaneous_actions, is_of_perfect_information, static_traits

if TYPE_CHECKING:
    from ggp.model.native.loading import Compilation


class Game:
    """A game with its parameters bound."""

    def __init__(self, rules: typed.Game) -> None:
        """Make the game of checked rules.

        Raises:
            LimitExceeded: the game needs more words, actions or code than this implementation allows.
        """
        self.rules = rules
        self.layout = Layout(rules)
        self.shape = GameShape(
            players=len(rules.players.members),
            state_words=self.layout.state_words,
            max_actions=self.layout.action_limit,
            max_outcomes=self.layout.outcome_limit,
            max_observation_words=self.layout.observation_limit,
        )
        self.plain = PlainGame(rules, self.layout)
        """The generated code as plain Python, on words."""

    # --- facts --------------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    @property
    def title(self) -> str:
        """What the rules say of the game in one line."""
        return self.rules.title

    @property
    def parameters(self) -> dict[str, str]:
        """The bound parameters, as a caller would write them."""
        return {parameter.name: scalar_text(parameter.type, parameter.value) for parameter in self.rules.parameters}

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names; a player's number is its position here."""
        return self.rules.players.members

    @property
    def source_text(self) -> str:
        """The rules, as they are sent to players."""
        return self.rules.source_text

    @property
    def utility_bounds(self) -> tuple[tuple[float, float], ...]:
        """The lowest and highest utility of each player."""
        return self.rules.utility_bounds

    @cached_property
    def perfect_information(self) -> bool:
        """Whether every transition tells every player all that was chosen or drawn."""
        return is_of_perfect_information(self.rules)

    @cached_property
    def simultaneous(self) -> bool:
        """Whether several players may act at once."""
        return has_simultaneous_actions(self.rules)

    @cached_property
    def chance(self) -> bool:
        """Whether chance acts."""
        return has_chance(self.rules)

    @cached_property
    def utility_sum(self) -> float | None:
        """What the utilities add up to in every terminal state, proven or stated in the rules; None otherwise."""
        return known_sum(self.rules)

    @property
    def constant_sum(self) -> bool:
        """Whether the utilities add up to one number in every terminal state."""
        return self.utility_sum is not None

    @cached_property
    def traits(self) -> tuple[str, ...]:
        """Words for what kind of game it is."""
        return (*static_traits(self.rules), *(["constant sum"] if self.constant_sum else []))

    # --- playing ------------------------------------------------------------------------------------------------------

    def initial(self) -> State:
        """Return the state in which play begins."""
        return State(self, tuple(self.plain.initial()))

    def history(self) -> History:
        """Return the history in which nothing has happened yet; it knows what every player knows."""
        return History(self.initial(), ((),) * len(self.players))

    def state(self, words: Sequence[int]) -> State:
        """Return the state with these words, such as native code gives them."""
        return State(self, tuple(words))

    def player(self, player: PlayerName) -> int:
        """Return a player's number.

        Raises:
            UnknownPlayer: the game has no such player.
        """
        return player_number(player, self.players, self.name)

    def action_text(self, action: int) -> str:
        """Return an action's text."""
        return self.layout.action_text(action)

    def outcome_text(self, outcome: int, phase: int) -> str:
        """Return a chance outcome's text; `phase` is the number of the phase that draws it."""
        return self.layout.outcome_text(outcome, phase)

    def readable_observation(self, words: Sequence[int]) -> list[tuple[str, Readable]]:
        """Return what the words of an observation say: labels and values."""
        return readable_observation(self.layout, words)

    # --- native -------------------------------------------------------------------------------------------------------

    @cached_property
    def compilation(self) -> Compilation:
        """The machine code, compiled or loaded from the cache at the first use."""
        # LLVM takes a tenth of a second to import, and who only plays by the rules does not need it
        from ggp.model.native.loading import load_native

        return load_native(self.plain.source, self.rules.estimate is not None)

    def native(self) -> NativeGame:
        """Return the game as search sees it: addresses, sizes, facts."""
        bounds = within_sum(self.utility_bounds, self.utility_sum)
        return NativeGame(
            functions=self.compilation.functions,
            shape=self.shape,
            utility_low=tuple(low for low, _ in bounds),
            utility_high=tuple(high for _, high in bounds),
            utility_sum=self.utility_sum,
            perfect_information=self.perfect_information,
            faults=tuple(self.plain.fault_texts()),
            owner=self.compilation.code,
        )

    @cached_property
    def interpreter(self) -> Interpreter:
        """The reference interpreter of the same rules."""
        return Interpreter(self.rules)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"<game {self.name}({parameters})>"


class State:
    """A world state; never changes. Equal to another of the same game with the same words."""

    __slots__ = ("_actors", "_transition", "game", "words")

    def __init__(
        self, game: Game, words: tuple[int, ...], transition: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    ) -> None:
        self.game = game
        self.words = words
        """Layout: docs/architecture.md, "Layout of a state"."""
        self._transition = transition
        """The words of the state before and the joint action; not that state, which would keep the whole history."""
        self._actors: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.game is other.game and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _: object) -> State:
        return self

    # --- who acts -----------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str | None:
        """The name of the phase; None when the game has ended."""
        number = self.words[PHASE_WORD]
        return self.game.rules.phases[number].name if number < self.game.layout.end else None

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return self._acting() < 0

    def is_chance(self) -> bool:
        """Return whether chance acts."""
        return self._acting() == 0

    def actors(self) -> tuple[int, ...]:
        """Return the players who act; none where chance acts or the game has ended."""
        acting = max(self._acting(), 0)
        return tuple(player for player in range(len(self.game.players)) if acting >> player & 1)

    def _acting(self) -> int:
        if self._actors is None:
            if self.words[FAULT_WORD]:
                self.game.plain.raise_fault(self.words[FAULT_WORD])
            self._actors = self.game.plain.actors(self.words)
        return self._actors

    # --- what can happen ----------------------------------------------------------------------------------------------

    def legal(self, player: PlayerName) -> tuple[Action, ...]:
        """Return a player's legal actions in ascending order; none for a player who does not act.

        Raises:
            RulesFault: `dead_end` where the player acts and has no legal action; others where the rules fail.
            UnknownPlayer: there is no such player.
        """
        number = self.game.player(player)
        if number not in self.actors():
            return ()
        actions = self.game.plain.legal(self.words, number)
        if not actions:
            self._raise_dead_end(number)
        return tuple(Action(action, self.game.action_text(action)) for action in actions)

    def _raise_dead_end(self, player: int) -> None:
        phase = self.game.rules.phases[self.words[PHASE_WORD]]
        reason = f"`{self.game.players[player]}` is to act in phase `{phase.name}` and has no legal action"
        raise RulesFault("dead_end", phase.choosers[0].span, reason, None, self.game.rules.source_name)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes of positive probability with their probabilities; none where players act."""
        return self.game.plain.chance(self.words) if self.is_chance() else []

    def outcome_text(self, outcome: int) -> str:
        """Return the text of a chance outcome of this state."""
        return self.game.outcome_text(outcome, self.words[PHASE_WORD])

    def parse_action(self, player: PlayerName, text: str) -> Action:
        """Return the legal action of a player that a text names.

        Raises:
            IllegalAction: there is none.
        """
        legal = self.legal(player)
        named = self.game.layout.parse_action(text, self.words[PHASE_WORD]) if self.phase else ()
        for action in legal:
            if action in named:
                return action
        some = ", ".join(f"`{action}`" for action in legal[:8]) + (", ..." if len(legal) > 8 else "")
        raise IllegalAction(f"`{text}` is no legal action; legal: {some or 'none'}")

    # --- what happens -------------------------------------------------------------------------------------------------

    def apply(self, joint: JointGiven) -> State:
        """Return the state after a joint action.

        Args:
            joint: actions of all players who act, by number or by text: see `JointGiven`.

        Raises:
            IllegalAction: an action is missing, too many, or not legal here.
            RulesFault: the rules fail in this transition.
            UnknownPlayer: an action is given for a player that the game does not have.
        """
        actors = self.actors()
        if not actors:
            raise IllegalAction("no player acts in this state")
        given = actions_by_player(joint, actors, self.game.players, self.game.name)
        if set(given) != set(actors):
            names = ", ".join(self.game.players[player] for player in actors)
            raise IllegalAction(f"an action is wanted of each who acts, and of nobody else: {names}")
        words = [0] * (len(self.game.players) + 1)
        for player, action in given.items():
            words[player] = int(self._legal_action(player, action))
        return self._after(tuple(words))

    def _legal_action(self, player: int, action: ActionGiven) -> int:
        if isinstance(action, str):
            return self.parse_action(player, action)
        if action not in self.legal(player):
            name = self.game.players[player]
            raise IllegalAction(f"action {int(action)} is not legal for {name} here")
        return int(action)

    def apply_outcome(self, outcome: int) -> State:
        """Return the state after a chance outcome.

        Raises:
            IllegalAction: chance does not act, or the outcome is not possible.
            RulesFault: the rules fail in this transition.
        """
        if not self.is_chance() or all(outcome != possible for possible, _ in self.chance_outcomes()):
            raise IllegalAction(f"chance outcome {outcome} is not possible here")
        return self._after((*[0] * len(self.game.players), outcome))

    def sample_outcome(self, rng: list[int]) -> int:
        """Draw a chance outcome by the probabilities; `rng` is a generator of `ggp.model.native.rng`.

        Raises:
            IllegalAction: chance does not act.
            RulesFault: the rules fail in drawing.
        """
        if not self.is_chance():
            raise IllegalAction("chance does not act in this state")
        return self.game.plain.sample_chance(self.words, rng)

    def _after(self, joint: tuple[int, ...]) -> State:
        return State(self.game, tuple(self.game.plain.step(self.words, joint)), (self.words, joint))

    # --- what is known and won ----------------------------------------------------------------------------------------

    def action_taken(self, player: PlayerName) -> Action | None:
        """Return the action that a player took in the transition to this state; None where it did not act in it.

        Raises:
            UnknownPlayer: there is no such player.
        """
        number = self.game.player(player)
        if self._transition is None or not max(self.game.plain.actors(self._transition[0]), 0) >> number & 1:
            return None
        action = self._transition[1][number]
        return Action(action, self.game.action_text(action))

    def observation(self, player: PlayerName) -> tuple[int, ...]:
        """Return the words of what the transition to this state told a player; empty: nothing.

        A state that did not come from `apply` or `apply_outcome` has no transition, and nobody was told anything.

        Raises:
            RulesFault: the rules fail in finding it.
            UnknownPlayer: there is no such player.
        """
        if self._transition is None:
            return ()
        old, joint = self._transition
        return tuple(self.game.plain.observe(old, self.words, joint, self.game.player(player)))

    def readable_observation(self, player: PlayerName) -> list[tuple[str, Readable]]:
        """Return what the transition to this state told a player, as labels and values."""
        if self._transition is None:
            return []
        return self.game.readable_observation(self.observation(player))

    def utilities(self) -> tuple[float, ...]:
        """Return each player's utility.

        Raises:
            IllegalAction: the state is not terminal.
            RulesFault: the rules fail in computing them.
        """
        if not self.is_terminal():
            raise IllegalAction("utilities are known at the end of the game only")
        utilities = tuple(self.game.plain.utility(self.words))
        check_sum(self.game.rules, utilities)
        return utilities

    def estimate(self) -> tuple[float, ...] | None:
        """Return the rules' estimate of the utilities in a state that is not terminal; None where they have none."""
        estimate = None if self.is_terminal() else self.game.plain.estimate(self.words)
        return None if estimate is None else tuple(estimate)

    # --- for people ---------------------------------------------------------------------------------------------------

    def values(self) -> dict[str, typed.Value]:
        """Return the value of each state variable, numbered as in `ggp.language.typed.types`."""
        variables = self.game.rules.variables
        return {variable.name: self.game.layout.variable_value(self.words, variable) for variable in variables}

    def drawing(self) -> Drawing:
        """Return how the rules draw this state, as data."""
        return draw(self.game.interpreter, WorldState(self.phase, tuple(self.values().values())))

    def __str__(self) -> str:
        return str(self.drawing())

    def __repr__(self) -> str:
        return f"<state of {self.game.name} in {self.phase or 'the end'}: {list(self.words)}>"
