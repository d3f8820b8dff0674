"""Finds the possible world states from a player's own actions and observations.

The same mechanism for all games (docs/architecture.md, "Information states"): from every world state held possible, try
all joint actions and chance outcomes, and keep those that would have given the player this observation. Transitions in
which the player neither acts nor observes anything are not reported, so any number of them may lie between two that
are.

World states are tuples of words here, as in `ggp.game.game.State.words`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from ggp.errors import GgpError
from ggp.faults import GameError

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.actions import Action
    from ggp.game.game import Game, State
    from players.beliefs.native_transitions import TransitionFinder

Words: TypeAlias = tuple[int, ...]

MAX_AUTOMATIC = 10_000
"""Automatic transitions followed at once; stopping rules whose phases cycle for ever is the manager's task."""

NO_ACTION = (0, 0)
"""Place and number of what a player does who does not act."""


class Transition(Struct, frozen=True):
    """One transition.

    Attributes:
        before: the words of the state it begins in.
        joint: the action of each player (0 where it does not act), and last the chance outcome, as `step` reads them.
        key: numbers a joint action row-major over the positions of the players' legal actions (a player who does not
            act counts as one with a single action); for chance the outcome itself.
        reached: the state it leads to.
    """

    before: Words
    joint: tuple[int, ...]
    key: int
    reached: State

    @property
    def after(self) -> Words:
        """The words of the state it leads to."""
        return self.reached.words


class Inconsistent(GgpError):
    """A player's observations fit no world state: its rules are not those of the match."""

    def __init__(self) -> None:
        super().__init__("what the player was told fits no world state of these rules")


class NothingTold(GgpError):
    """A player was handed a transition that it can know nothing of; it would look for one that it noticed."""

    def __init__(self) -> None:
        super().__init__("a player is told only of transitions in which it acts or observes something")


def check_told(action: str | None, observation: Sequence[object]) -> None:
    """Refuse a transition in which the player neither acts nor observes anything.

    Raises:
        NothingTold: it is one.
    """
    if action is None and not observation:
        raise NothingTold


def transitions(game: Game, state: Words, role: int | None = None, action: str | None = None) -> Iterator[Transition]:
    """Yield all transitions from a state, or those in which a role takes the action with a text.

    Args:
        game: the game.
        state: not terminal.
        role: whose action is known, if it acts; None: nobody's.
        action: the text of its action.
    """
    at = game.state(state)
    idle = (0,) * len(game.players)
    if at.is_chance():
        for outcome, _ in at.chance_outcomes():
            joint = (*idle, outcome)
            yield Transition(state, joint, outcome, at.successor(joint))
        return
    actors = at.actors()
    legal = [
        list(enumerate(_legal_or_none(at, player))) if player in actors else [NO_ACTION] for player in range(len(idle))
    ]
    choices = list(legal)
    if role is not None and role in actors:
        choices[role] = [(place, number) for place, number in legal[role] if game.action_text(number) == action]
    for combination in itertools.product(*choices):
        key = 0
        for player, (place, _) in enumerate(combination):
            key = key * len(legal[player]) + place
        joint = (*(number for _, number in combination), 0)
        yield Transition(state, joint, key, at.successor(joint))


def _legal_or_none(state: State, player: int) -> tuple[Action, ...]:
    """Return a player's legal actions; none in a dead end, which play need not have reached."""
    try:
        return state.legal(player)
    except GameError:
        return ()


class Tracker:
    """The world states consistent with one player's actions and observations.

    Attributes:
        possible: states that are possible right after the last transition reported to the player.
    """

    def __init__(self, game: Game, role: int) -> None:
        self._game = game
        self._role = role
        self.possible: frozenset[Words] = frozenset({game.initial().words})

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> Transition | None:
        """Process a transition: the player's own action (None if it had none), and its observation.

        Returns:
            The transition if only one is consistent, else None.

        Raises:
            Inconsistent: nothing fits.
            NothingTold: it neither acted nor observed anything.
        """
        fitting = self.narrowed(action, observation)
        return fitting[0] if len(fitting) == 1 else None

    def narrowed(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> list[Transition]:
        """Process a transition as `tell` does, and return all that are consistent."""
        check_told(action, observation)
        told = list(observation)
        if self._game.perfect_information:  # no two transitions look alike, and none but automatic ones are silent
            self.follow_automatic()
            fitting = self._only_fitting(action, told)
        else:
            fitting = list(self._fitting(self._with_silent(self.possible), action, told))
        if not fitting:
            raise Inconsistent
        self.possible = frozenset(transition.after for transition in fitting)
        return fitting

    def _only_fitting(self, action: str | None, told: list[tuple[str, Readable]]) -> list[Transition]:
        """Return the transition from the only possible state that the player was told of, found by native code."""
        (state,) = self.possible
        codec = self._game.codec
        own = [] if action is None else [int(number) for number in codec.actions_called(action)]
        found = self._finder.find(state, own, codec.observation_words(told) if told else [()])
        if found is None or (action is not None and not own):
            return []
        key, joint = found
        return [Transition(state, joint, key, self._game.state(state).successor(joint))]

    @cached_property
    def _finder(self) -> TransitionFinder:
        from players.beliefs.native_transitions import TransitionFinder

        return TransitionFinder(self._game.native(), self._role)

    def _transitions(self, state: Words, role: int | None = None, action: str | None = None) -> Iterator[Transition]:
        return transitions(self._game, state, role, action)

    def _fitting(
        self, states: frozenset[Words], action: str | None, told: list[tuple[str, Readable]]
    ) -> Iterator[Transition]:
        """Yield the transitions from some states in which the player does and sees what it did and saw."""
        for state in states:
            at = self._game.state(state)
            if not at.is_terminal() and (self._role in at.actors()) == (action is not None):
                for transition in self._transitions(state, self._role, action):
                    if transition.reached.readable_observation(self._role) == told:
                        yield transition

    def follow_automatic(self) -> list[Transition]:
        """Continue through phases in which nobody acts and chance draws nothing, if the player is told nothing of them.

        Such a transition is certain, so the state behind it is as well known as the state before.

        Returns:
            The transitions made, in their order; none where several states are possible.
        """
        made: list[Transition] = []
        while len(self.possible) == 1 and len(made) < MAX_AUTOMATIC:
            (state,) = self.possible
            if not self._game.state(state).is_chance():
                break
            following = list(itertools.islice(transitions(self._game, state), 2))
            if len(following) != 1 or following[0].reached.observation(self._role):
                break
            made.append(following[0])
            self.possible = frozenset({following[0].after})
        return made

    def deciding(self, legal: Sequence[str]) -> frozenset[Words]:
        """Return the possible states in which the player has to act, with the legal actions that it was told.

        Raises:
            Inconsistent: there is none.
        """
        told = set(legal)
        states = frozenset(state for state in self._with_silent(self.possible) if self._legal_texts(state) == told)
        if not states:
            raise Inconsistent
        return states

    def _legal_texts(self, state: Words) -> set[str]:
        return {str(action) for action in _legal_or_none(self._game.state(state), self._role)}

    def _with_silent(self, states: frozenset[Words]) -> frozenset[Words]:
        """Return the states and all their successors by transitions that are not reported to the player."""
        found = set(states)
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            at = self._game.state(state)
            if at.is_terminal() or self._role in at.actors():
                continue
            for transition in self._transitions(state):
                if not transition.reached.observation(self._role) and transition.after not in found:
                    found.add(transition.after)
                    waiting.append(transition.after)
        return frozenset(found)
