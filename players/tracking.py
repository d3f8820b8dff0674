"""Finds out where a game can be, from a player's own actions and observations alone.

The same mechanism for all games (docs/architecture.md, "Information states"): from every world state held possible, try
all joint actions and chance outcomes, and keep those that would have given the player this observation. Transitions in
which the player has no part and sees nothing are not told at all, so any number of them may lie between two that are.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from ggp.errors import GgpError

Observation: TypeAlias = tuple[tuple[str, Any], ...]
"""Label and JSON value of each thing that a transition told a player; empty: nothing."""


class State(Protocol):
    """What tracking needs of a world state; two that are the same state are equal and have the same hash."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @property
    def is_chance(self) -> bool:
        """Whether chance acts."""

    @property
    def actors(self) -> Sequence[int]:
        """The players who act."""

    def legal(self, player: int) -> Sequence[Any]:
        """Return the legal actions of a player who acts; each prints as its text."""

    def chance_outcomes(self) -> Sequence[tuple[Any, float]]:
        """Return the chance outcomes with their probabilities."""

    def apply(self, joint: Mapping[int, Any]) -> State:
        """Return the state after the actions of all who act."""

    def apply_outcome(self, outcome: Any) -> State:
        """Return the state after a chance outcome."""

    def observation(self, player: int) -> Sequence[tuple[str, Any]]:
        """Return what the last transition told a player."""


@dataclass(frozen=True, slots=True)
class Transition:
    """One transition: where from, by which joint action or chance outcome, where to.

    `key` numbers a joint action row-major over the positions of the players' legal actions (a player who does not act
    counts as one with a single action); for chance it is the outcome's number.
    """

    before: State
    joint: Mapping[int, Any]
    outcome: Any
    key: int
    after: State


class Inconsistent(GgpError):
    """What a player was told fits no world state: the rules it has are not those that are played."""

    def __init__(self) -> None:
        super().__init__("the observations fit no world state of these rules")


def transitions(state: State, players: int, role: int | None = None, action: str | None = None) -> Iterator[Transition]:
    """Yield all transitions from a state, or those in which a role takes the action with a text.

    Args:
        state: not terminal.
        players: how many players the game has.
        role: whose action is known; None: nobody's.
        action: the text of its action.
    """
    if state.is_chance:
        for outcome, _ in state.chance_outcomes():
            yield Transition(state, {}, outcome, int(outcome), state.apply_outcome(outcome))
        return
    acting = set(state.actors)
    legal = [list(enumerate(state.legal(player))) if player in acting else [(0, None)] for player in range(players)]
    choices = list(legal)
    if role is not None and role in acting:
        choices[role] = [(place, own) for place, own in legal[role] if str(own) == action]
    for chosen in itertools.product(*choices):
        key = 0
        for player, (place, _) in enumerate(chosen):
            key = key * len(legal[player]) + place
        joint = {player: own for player, (_, own) in enumerate(chosen) if player in acting}
        yield Transition(state, joint, None, key, state.apply(joint))


class Tracker:
    """The world states that fit what one player did and saw.

    Args:
        initial: where the game begins.
        players: how many players the game has.
        role: the player's number.
    """

    def __init__(self, initial: State, players: int, role: int) -> None:
        self._players = players
        self._role = role
        self.possible: frozenset[State] = frozenset({initial})
        """States possible right after the last transition that the player was told of."""

    def tell(self, action: str | None, observation: Observation) -> Transition | None:
        """Learn of a transition: the player's own action (None if it had none), and what it saw.

        Returns:
            The transition, where there is only one that fits, else None.

        Raises:
            Inconsistent: nothing fits.
        """
        fitting = []
        for state in self._with_silent(self.possible):
            if not state.is_terminal and (self._role in state.actors) == (action is not None):
                for transition in transitions(state, self._players, self._role, action):
                    if tuple(transition.after.observation(self._role)) == observation:
                        fitting.append(transition)
        if not fitting:
            raise Inconsistent
        self.possible = frozenset(transition.after for transition in fitting)
        return fitting[0] if len(fitting) == 1 else None

    def deciding(self, legal: Sequence[str]) -> frozenset[State]:
        """Return the possible states in which the player has to act, with the legal actions that it was told.

        Raises:
            Inconsistent: there is none.
        """
        told = set(legal)
        states = frozenset(
            state
            for state in self._with_silent(self.possible)
            if self._role in state.actors and {str(action) for action in state.legal(self._role)} == told
        )
        if not states:
            raise Inconsistent
        return states

    def _with_silent(self, states: frozenset[State]) -> frozenset[State]:
        """Return the states with all that follow from them by transitions that the player is not told of."""
        found = set(states)
        open_states = list(states)
        while open_states:
            state = open_states.pop()
            if state.is_terminal or self._role in state.actors:
                continue
            for transition in transitions(state, self._players):
                if not transition.after.observation(self._role) and transition.after not in found:
                    found.add(transition.after)
                    open_states.append(transition.after)
        return frozenset(found)
