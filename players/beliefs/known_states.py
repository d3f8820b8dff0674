"""All world states that are consistent with what one player knows, as long as they can be enumerated.

For people who play a game with hidden information: what is the same in all of these is certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ggp.faults import GameError
from players.beliefs.tracker import Inconsistent, Tracker, Transition, Words

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game

MAX_STATES = 1_000
"""Consistent states, at most."""
MAX_WORK = 20_000
"""Transitions tried per observation, at most: about half a second."""


class _TooMany(Exception):
    """There are too many states to enumerate."""


class KnownStates(Tracker):
    """The world states consistent with one player's actions and observations, as long as they can be enumerated."""

    def __init__(self, game: Game, role: int) -> None:
        super().__init__(game, role)
        self._work = 0
        self._are_too_many = False

    def actors_of(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> tuple[int, ...] | None:
        """Take note of a transition, see `tell`; return the players who acted in it, if the player knows that."""
        if self._are_too_many:
            return None
        self._work = 0
        try:
            fitting = self.narrowed(action, observation)
            if len(self.possible) > MAX_STATES:
                raise _TooMany
        except (_TooMany, GameError, Inconsistent):
            # the rules may fail in a state that is possible but not the true one
            self._are_too_many = True
            return None
        actors = {self._game.state(transition.before).actors() for transition in fitting}
        return actors.pop() if len(actors) == 1 else None

    def consistent(self, legal: Sequence[str] | None = None) -> list[Words] | None:
        """Return all consistent states, with its legal actions those where it has to act; None: there are too many."""
        if self._are_too_many:
            return None
        self._work = 0
        try:
            return list(self.possible if legal is None else self.deciding(legal))
        except (_TooMany, GameError, Inconsistent):
            return None

    def _transitions(self, state: Words, role: int | None = None, action: str | None = None) -> Iterator[Transition]:
        for transition in super()._transitions(state, role, action):
            self._work += 1
            if self._work > MAX_WORK:
                raise _TooMany
            yield transition
