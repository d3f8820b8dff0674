"""Follows the world state of a match in which nothing is hidden, by what one player is told.

No two transitions look alike there, so the one that was made is found by trying them (docs/architecture.md,
"Information states"). Transitions in which the player neither acts nor observes anything are not reported: none but
automatic ones, in which nobody acts and chance draws nothing. What is possible where something is hidden is
`players.beliefs.belief`.

World states are tuples of words here, as in `ggp.game.game.State.words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from ggp.errors import GgpError

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from players.beliefs.native_transitions import TransitionFinder

Words: TypeAlias = tuple[int, ...]

MAX_AUTOMATIC = 10_000
"""Automatic transitions followed at once; stopping rules whose phases cycle for ever is the manager's task."""


class Inconsistent(GgpError):
    """A player's observations do not fit the world state: its rules are not those of the match."""

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


class Tracker:
    """The world state of a match, by one player's actions and observations.

    Attributes:
        words: of the state after the last transition that was followed.
    """

    def __init__(self, game: Game, role: int) -> None:
        """Follow the match from its initial state, through the automatic transitions there."""
        self._game = game
        self._role = role
        self.words: Words = game.initial().words
        self._follow_automatic()

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> list[tuple[int, Words]]:
        """Follow a transition that the player was told of, and the automatic ones around it.

        Args:
            action: the text of the player's own action, None if it had none.
            observation: what it saw.

        Returns:
            For each transition, the number of the joint action, row-major over the positions of the players' legal
            actions, a player who does not act counting as one with a single action; for chance the outcome; and the
            words of the state that it led to.

        Raises:
            Inconsistent: nothing fits.
            NothingTold: it neither acted nor observed anything.
        """
        check_told(action, observation)
        before = self._follow_automatic()
        codec = self._game.codec
        own = [] if action is None else [int(number) for number in codec.actions_called(action)]
        found = self._finder.find(self.words, own, codec.observation_words(list(observation)) if observation else [()])
        if found is None or (action is not None and not own):
            raise Inconsistent
        key, joint = found
        self.words = self._game.state(self.words).successor(joint).words
        return [*before, (key, self.words), *self._follow_automatic()]

    @cached_property
    def _finder(self) -> TransitionFinder:
        from players.beliefs.native_transitions import TransitionFinder

        return TransitionFinder(self._game.native(), self._role)

    def _follow_automatic(self) -> list[tuple[int, Words]]:
        """Follow the phases in which nobody acts and chance draws nothing, if the player is told nothing of them."""
        made: list[tuple[int, Words]] = []
        while len(made) < MAX_AUTOMATIC:
            state = self._game.state(self.words)
            if (outcome := state.forced_outcome()) is None:
                break
            after = state.apply_outcome(outcome)
            if after.observation(self._role):
                break
            self.words = after.words
            made.append((outcome, self.words))
        return made
