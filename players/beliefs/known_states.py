"""Draws what one player knows of the world state: all that is the same in every state consistent with what it knows.

For people who play a game with hidden information. All consistent states are enumerated, so the drawing is certain; if
there are too many, nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING

from ggp.faults import GameError
from ggp.scene.common import in_common
from ggp.scene.terminal import Drawing, drawing_of
from players.beliefs.tracker import Inconsistent, Tracker, Transition, Words

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from ggp.scene.scene import Scene

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

    def drawing(self, legal: Sequence[str]) -> Drawing | None:
        """Draw what the player knows when it has to act; None if that cannot be enumerated."""
        scene = self.scene(legal)
        return None if scene is None else drawing_of(scene)

    def scene(self, legal: Sequence[str] | None = None) -> Scene | None:
        """Return what is the same in all consistent states; with its legal actions, in those where it has to act.

        None if they cannot be enumerated.
        """
        consistent = self.consistent(legal)
        scenes = (self._game.state(words).scene(self._role) for words in consistent or ())
        return reduce(in_common, scenes) if consistent else None

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
