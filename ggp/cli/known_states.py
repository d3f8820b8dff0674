"""Draws what one player knows of the world state: all that is the same in every state consistent with what it knows.

For people who play a game with hidden information. All consistent states are enumerated, so the drawing is certain; if
there are too many, nothing is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from ggp.model.drawing import Drawing, DrawnCell
from ggp.model.faults import GameError
from players.beliefs.tracker import Transition, transitions

if TYPE_CHECKING:
    from ggp.model.game import Game
    from ggp.model.readable import Readable

MAX_STATES = 4_000
"""Consistent states, at most."""
MAX_WORK = 20_000
"""Transitions tried per observation, at most: about half a second."""
UNKNOWN = "?"
TOKEN = re.compile(r"([\[\]{},: ]+)")
"""Separates the words of a value's text."""

Words: TypeAlias = "tuple[int, ...]"


class _TooMany(Exception):
    """There are too many states to enumerate."""


class KnownStates:
    """The world states consistent with one player's actions and observations."""

    def __init__(self, game: Game, role: int) -> None:
        self._game = game
        self._role = role
        self._work = 0
        self._states: frozenset[Words] | None = frozenset({game.initial().words})
        """None: too many."""

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> tuple[int, ...] | None:
        """Take note of a transition: the player's own action (None if it had none), and its observation.

        Returns:
            The players who acted in it, if the player knows that; else None.
        """
        if self._states is None:
            return None
        told, fitting, acted = list(observation), set(), set()
        try:
            for transition in self._from(self._with_silent(self._states), action):
                if transition.reached.readable_observation(self._role) == told:
                    fitting.add(transition.after)
                    acted.add(self._game.state(transition.before).actors())
                    if len(fitting) > MAX_STATES:
                        raise _TooMany
        except (_TooMany, GameError):
            # the rules may fail in a state that is possible but not the true one
            self._states = None
            return None
        self._states = frozenset(fitting)
        return acted.pop() if len(acted) == 1 else None

    def drawing(self, legal: Sequence[str]) -> Drawing | None:
        """Draw what the player knows when it has to act; None if that cannot be enumerated.

        Args:
            legal: the texts of its legal actions.
        """
        if self._states is None:
            return None
        told, common = set(legal), None
        try:
            for words in self._with_silent(self._states):
                state = self._game.state(words)
                if {str(action) for action in state.legal(self._role)} == told:
                    drawn = state.drawing(self._role)
                    common = drawn if common is None else in_common(common, drawn)
        except (_TooMany, GameError):
            return None
        return common

    def _from(self, states: frozenset[Words], action: str | None) -> Iterator[Transition]:
        """Yield the transitions from some states in which the player takes an action, or has no part."""
        for words in states:
            state = self._game.state(words)
            if not state.is_terminal() and (self._role in state.actors()) == (action is not None):
                for transition in transitions(self._game, words, self._role, action):
                    self._count()
                    yield transition

    def _with_silent(self, states: frozenset[Words]) -> frozenset[Words]:
        """Return states with all their successors by transitions that the player does not observe."""
        self._work = 0
        found, waiting = set(states), list(states)
        while waiting:
            words = waiting.pop()
            state = self._game.state(words)
            if state.is_terminal() or self._role in state.actors():
                continue
            for transition in transitions(self._game, words):
                self._count()
                if not transition.reached.observation(self._role) and transition.after not in found:
                    found.add(transition.after)
                    waiting.append(transition.after)
        return frozenset(found)

    def _count(self) -> None:
        self._work += 1
        if self._work > MAX_WORK:
            raise _TooMany


def in_common(left: Drawing, right: Drawing) -> Drawing:
    """Return the common part of two drawings of states of one game, with `?` for the rest."""
    rows = tuple(
        tuple(one if one == other else DrawnCell(UNKNOWN, None) for one, other in zip(above, below, strict=True))
        for above, below in zip(left.rows, right.rows, strict=True)
    )
    lines = tuple(
        (label, one if one == other else _text_in_common(one, other))
        for (label, one), (_, other) in zip(left.lines, right.lines, strict=True)
    )
    return replace(left, rows=rows, lines=lines)


def _text_in_common(left: str, right: str) -> str:
    """Return the text of a value with `?` for the parts that differ; only `?` if the parts do not correspond."""
    words, others = TOKEN.split(left), TOKEN.split(right)
    # the members of different sets do not correspond
    if len(words) != len(others) or left.startswith("{") or words[1::2] != others[1::2]:
        return UNKNOWN
    return "".join(one if one == other else UNKNOWN for one, other in zip(words, others, strict=True))
