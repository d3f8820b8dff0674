"""World states, for people who write Python.

What is asked of a state is computed then, by the native functions of its game or by plain Python (`Game.steps`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import index
from random import Random
from typing import TYPE_CHECKING

from ggp.errors import GgpError
from ggp.faults import IllegalAction
from ggp.game.actions import Action, ActionGiven, JointGiven, PlayerName, actions_by_player
from ggp.native.interface import PHASE_WORD

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.backend import TransitionResult
    from ggp.game.game import Game
    from ggp.game.tensors import F32, Bools
    from ggp.scene.scene import Scene
    from ggp.scene.terminal import Drawing

MAX_ACTIONS_SHOWN = 8
"""Legal actions that a message about an illegal one names."""


class State:
    """A world state; never changes. Equal to another of the same game with the same words.

    Attributes:
        game: that it belongs to.
    """

    __slots__ = ("_acting", "_before", "_drawn", "_joint", "_legal", "_row", "game")

    def __init__(self, game: Game, after: TransitionResult, before: bytes | None = None, joint: bytes = b"") -> None:
        """Make a state of its words; use `Game` and `State` to get one.

        Args:
            game: that it belongs to.
            after: its words, and what is already known of it.
            before: the words of the state before, if a transition led here; not that state, which would keep the whole
                history.
            joint: the words of the joint action of that transition.
        """
        self.game = game
        self._row, self._acting, self._legal = after
        self._before = before
        self._joint = joint
        self._drawn: int | None = None
        """An outcome known to be possible."""

    @property
    def words(self) -> tuple[int, ...]:
        """All that the state is. Layout: docs/architecture.md, "Layout of a state"."""
        return self.game.words_of(self._row)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._row == other._row and self.game == other.game

    def __hash__(self) -> int:
        return hash(self._row)

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, _: object) -> State:
        return self

    def __reduce__(self) -> tuple[Callable[..., State], tuple[object, ...]]:
        return self.game.state_again, (self._row, self._joint, self._before)

    # --- who acts -----------------------------------------------------------------------------------------------------

    @property
    def phase(self) -> str | None:
        """The name of the phase; None when the game has ended."""
        return self.game.codec.phase_name(self._phase)

    @property
    def _phase(self) -> int:
        return self.words[PHASE_WORD]

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        acting = self._acting
        return (self._find_acting() if acting is None else acting) < 0

    def is_chance(self) -> bool:
        """Return whether chance acts."""
        acting = self._acting
        return (self._find_acting() if acting is None else acting) == 0

    def actors(self) -> tuple[int, ...]:
        """Return the players who act; none where chance acts or the game has ended."""
        acting = self._acting
        return players_in(self._find_acting() if acting is None else acting)

    def _find_acting(self) -> int:
        self._acting = acting = self.game.steps.actors(self._row)
        return acting

    # --- what can happen ----------------------------------------------------------------------------------------------

    def legal(self, player: PlayerName) -> tuple[Action, ...]:
        """Return a player's legal actions in ascending order; none for a player who does not act.

        Raises:
            RulesFault: `dead_end` where the player acts and has no legal action; others where the rules fail.
            UnknownPlayer: there is no such player.
        """
        legal = self._legal
        if legal and type(player) is int and 0 <= player < len(legal):
            return legal[player]
        number = self.game.player(player)
        if number not in self.actors():
            return ()
        if not legal:
            try:
                self._legal = legal = tuple(map(self._ask_legal, range(len(self.game.players))))
            except GgpError:
                return self._ask_legal(number)  # whose fault it is, if it is not this player's, is told another time
        return legal[number]

    def _ask_legal(self, player: int) -> tuple[Action, ...]:
        if player not in self.actors():
            return ()
        actions = self.game.steps.legal(self._row, player)
        if not actions:
            raise self.game.backend.dead_end(self.words, player)
        return tuple(map(self.game.action, actions))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes of positive probability with their probabilities; none where players act."""
        return self.game.steps.chance(self._row) if self.is_chance() else []

    def forced_outcome(self) -> int | None:
        """Return the outcome of chance where it has a single one, as in phases of the rules in which nobody acts.

        `is_chance` is true in such a state, in games without chance too.
        """
        steps = self.game.steps
        if not self.is_chance():
            return None
        if steps.outcome_probability(self._row, 0) is not None:  # the list may be long
            outcome = steps.sample_chance(self._row, [1])
            return outcome if steps.outcome_probability(self._row, outcome) == 1.0 else None
        outcomes = self.chance_outcomes()
        return outcomes[0][0] if len(outcomes) == 1 else None

    def outcome_text(self, outcome: int) -> str:
        """Return the text of a chance outcome of this state.

        Raises:
            IllegalAction: chance does not act, or its phase has no such outcome.
        """
        return self.game.outcome_text(outcome, self.phase or "end")

    def parse_outcome(self, text: str) -> int:
        """Return the chance outcome of positive probability that a text names.

        Raises:
            IllegalAction: there is none.
        """
        named = self.game.codec.parse_outcome(text, self._phase) if self.is_chance() else None
        if named is None or all(outcome != named for outcome, _ in self.chance_outcomes()):
            raise IllegalAction(f"chance cannot draw `{text}`")
        return named

    def choice_labels(self) -> frozenset[str]:
        """Return the labels under which the observations of transitions from here tell what was chosen."""
        return self.game.codec.choice_labels(self._phase)

    def parse_action(self, player: PlayerName, text: str) -> Action:
        """Return the legal action of a player that a text names.

        Raises:
            IllegalAction: there is none.
            TypeError: it is no text.
        """
        if not isinstance(text, str):
            raise TypeError(f"{text!r} is no text of an action")
        legal = self.legal(player)
        named = self.game.codec.parse_action(text, self._phase)
        for action in legal:
            if action in named:
                return action
        some = ", ".join(f"`{action}`" for action in legal[:MAX_ACTIONS_SHOWN])
        more = ", ..." if len(legal) > MAX_ACTIONS_SHOWN else ""
        raise IllegalAction(f"`{text}` is not a legal action; legal: {some + more or 'none'}")

    # --- what happens -------------------------------------------------------------------------------------------------

    def apply(self, joint: JointGiven) -> State:
        """Return the state after a joint action.

        Args:
            joint: actions of all players who act, by number or by text: see `JointGiven`.

        Raises:
            IllegalAction: an action is missing, too many, or not legal here.
            TypeError: one is neither an integer nor a text.
            RulesFault: the rules fail in this transition.
            UnknownPlayer: an action is given for a player that the game does not have.
        """
        actors = self.actors()
        if isinstance(joint, int) and len(actors) == 1 and joint in self.legal(actors[0]):
            row = self.game.lone_row(actors[0], joint)
        else:
            row = self._joint_row(joint, actors)
        return self._apply_row(row)

    def successor(self, joint: Sequence[int]) -> State:
        """Return the state after a joint action that is not checked: it must be legal in this state.

        Args:
            joint: the action of each player, 0 where it does not act; last the chance outcome, 0 where players act.

        Raises:
            RulesFault: the rules fail in this transition.
        """
        return self._apply_row(self.game.joint_row(joint))

    def _apply_row(self, joint: bytes) -> State:
        return State(self.game, self.game.steps.advance(self._row, joint), self._row, joint)

    def _joint_row(self, joint: JointGiven, actors: tuple[int, ...]) -> bytes:
        game = self.game
        if not actors:
            raise IllegalAction("no player acts in this state")
        if isinstance(joint, dict) and tuple(joint) == actors:
            given = joint  # the usual form, taken as it is
        else:
            given = actions_by_player(joint, actors, game.players, game.name)
            if given.keys() != set(actors):
                names = ", ".join(game.players[player] for player in actors)
                raise IllegalAction(f"expected one action for each acting player: {names}")
        words = [0] * (len(game.players) + 1)
        for player, action in given.items():
            words[player] = self._legal_action(player, action)
        return game.joint_row(words)

    def _legal_action(self, player: int, action: ActionGiven) -> int:
        if isinstance(action, str):
            return self.parse_action(player, action)
        number = index(action)
        if number not in self.legal(player):
            raise IllegalAction(f"action {number} is not legal for {self.game.players[player]} here")
        return number

    def apply_outcome(self, outcome: int) -> State:
        """Return the state after a chance outcome.

        Raises:
            IllegalAction: chance does not act, or the outcome is not possible.
            RulesFault: the rules fail in this transition.
        """
        if not (outcome == self._drawn and outcome is not None) and not self._can_draw(outcome):
            raise IllegalAction(f"chance outcome {outcome} is not possible here")
        return self._apply_row(self.game.lone_row(len(self.game.players), outcome))

    def _can_draw(self, outcome: int) -> bool:
        if type(outcome) is int and 0 <= outcome < 1 << 63 and self.is_chance():
            probability = self.game.steps.outcome_probability(self._row, outcome)
            if probability is not None:
                return probability > 0
        return any(outcome == one for one, _ in self.chance_outcomes())

    def sample_outcome(self, rng: Random | list[int]) -> int:
        """Draw a chance outcome by the probabilities.

        Args:
            rng: draws; Python's, or the one word of `ggp.arithmetic.rng`.

        Raises:
            IllegalAction: chance does not act.
            RulesFault: the rules fail in drawing.
            TypeError: there is nothing to draw with.
        """
        if not self.is_chance():
            raise IllegalAction("chance does not act in this state")
        if not isinstance(rng, Random | list):
            raise TypeError(f"{rng!r} is no `random.Random`")
        word = rng if isinstance(rng, list) else [rng.getrandbits(64) or 1]
        self._drawn = self.game.steps.sample_chance(self._row, word)
        return self._drawn

    # --- what is known and won ----------------------------------------------------------------------------------------

    def action_taken(self, player: PlayerName) -> Action | None:
        """Return the action that a player took in the transition to this state; None where it did not act in it.

        Raises:
            UnknownPlayer: there is no such player.
        """
        number = self.game.player(player)
        if self._before is None or number not in players_in(self.game.steps.actors(self._before)):
            return None
        return self.game.action(self.game.joint_of(self._joint)[number])

    def observation(self, player: PlayerName) -> tuple[int, ...]:
        """Return the words of what the transition to this state told a player; empty: nothing.

        A state that did not come from `apply` or `apply_outcome` has no transition and no observations.

        Raises:
            RulesFault: the rules fail in finding it.
            UnknownPlayer: there is no such player.
        """
        if self._before is None:
            return ()
        return self.game.steps.observe(self._before, self._row, self._joint, self.game.player(player))

    def lived(self) -> list[tuple[int | tuple[int, ...], ...]]:
        """Return what the transition to this state adds to what each player knows: its action, and what it was told.

        Raises:
            RulesFault: the rules fail in finding it.
        """
        before, joint, steps, players = self._before, self._joint, self.game.steps, range(len(self.game.players))
        if before is None:
            return [() for _ in players]
        acted, actions = steps.actors(before), self.game.joint_of(joint)
        own = [(actions[player],) if acted >> player & 1 else () for player in players]
        told = [steps.observe(before, self._row, joint, player) for player in players]
        return [(*action, words) if words else action for action, words in zip(own, told, strict=True)]

    def readable_observation(self, player: PlayerName) -> list[tuple[str, Readable]]:
        """Return what the transition to this state told a player, as labels and values."""
        words = self.observation(player)
        return self.game.readable_observation(words) if words else []

    def utilities(self) -> tuple[float, ...]:
        """Return each player's utility.

        Raises:
            IllegalAction: the state is not terminal.
            RulesFault: the rules fail in computing them.
        """
        if not self.is_terminal():
            raise IllegalAction("utilities are known at the end of the game only")
        utilities = self.game.steps.utility(self._row)
        self.game.backend.check_utilities(utilities)
        return utilities

    def estimate(self) -> tuple[float, ...] | None:
        """Return the rules' estimate of the utilities in a state that is not terminal; None where they have none."""
        return None if self.is_terminal() else self.game.steps.estimate(self._row)

    # --- for learning -------------------------------------------------------------------------------------------------

    def tensor(self, player: PlayerName | None = None) -> F32:
        """Return the state as numbers: `[T]` float32; `Game.state_features` says what each entry means.

        Args:
            player: from whose seat: players are told by their distance behind it. None: by their numbers.

        Raises:
            UnknownPlayer: there is no such player.
        """
        # numpy takes a tenth of a second to import
        from ggp.game.tensors import state_tensor

        return state_tensor(self, None if player is None else self.game.player(player))

    def mask(self, player: PlayerName) -> Bools:
        """Return which actions are legal for a player: `[N]` bool, all False where it does not act.

        Raises:
            UnknownPlayer: there is no such player.
        """
        from ggp.game.tensors import legal_mask

        return legal_mask(self, self.game.player(player))

    # --- for people ---------------------------------------------------------------------------------------------------

    def values(self) -> Mapping[str, object]:
        """Return what the state holds, by name; of rules the variables, numbered as in `ggp.language.typed.types`."""
        return self.game.codec.values(self.words)

    def scene(self, player: PlayerName | None = None) -> Scene:
        """Return how this state is drawn, as data; with a player, as `display for` says, where the rules have it.

        Raises:
            UnknownPlayer: there is no such player.
        """
        return self.game.codec.scene(self.words, None if player is None else self.game.player(player))

    def drawing(self, player: PlayerName | None = None) -> Drawing:
        """Return the scene for a terminal."""
        from ggp.scene.terminal import drawing_of

        return drawing_of(self.scene(player))

    def __str__(self) -> str:
        return str(self.drawing())

    def __repr__(self) -> str:
        return f"<state of {self.game.name} in {self.phase or 'the end'}: {list(self.words)}>"


@cache
def players_in(mask: int) -> tuple[int, ...]:
    """Return the players of a mask as `actors` gives it; none for a negative one."""
    return tuple(player for player in range(mask.bit_length()) if mask > 0 and mask >> player & 1)
