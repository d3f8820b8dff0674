"""Lets a match go on at instants that tell nothing of what is hidden.

Bytes are the same for a player wherever it cannot tell two histories apart; the time need not be. In phantom
tic-tac-toe a player whose opponent tries three cells waits longer than one whose opponent tries one. With hidden times,
what a player decides alone, several decisions in a row and chance between them, shares one play clock; what others are
told of it, and whatever comes next, waits until that clock ends. Where several decide at the same time, the transition
itself waits. So from one request to the next always one play clock passes for each player, or set of players, who act.

What still shows: how many of these clocks passed, where that depends on what is hidden, as in a game of three in which
a hidden decision says whether the second or the third player acts before the first one does again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from server.referee.game_interface import Player
from server.referee.rules_steps import Step, StepResult

Told: TypeAlias = Sequence[Sequence[tuple[str, Any]]]


class HiddenTimes:
    """What of a match waits for the end of the clock.

    Args:
        enabled: whether times are hidden; if not, nothing ever waits.

    Attributes:
        actor: who decides alone on the running clock, and hears at once what it leads to; None: nobody.
    """

    def __init__(self, enabled: bool) -> None:
        self.actor: Player | None = None
        self._enabled = enabled
        self._together = False
        self._step: Step | None = None
        self._situation: StepResult | None = None
        self._held: list[Told] = []
        self._deaf: Player | None = None
        """Who has heard what is held."""

    @property
    def waits(self) -> bool:
        """Whether the match goes on at the end of the clock."""
        return self._step is not None or self._situation is not None

    def begin(self, actors: Sequence[Player]) -> None:
        """Take note of who was asked as the clock began."""
        if self._enabled:
            self.actor = actors[0] if len(actors) == 1 else None
            self._together = len(actors) > 1

    def goes_on(self, actors: Sequence[Player]) -> bool:
        """Return whether a decision belongs to the one that the running clock began with."""
        return self.actor is not None and list(actors) == [self.actor]

    def hold_step(self, step: Step) -> bool:
        """Keep a transition of several players for the end of the clock; False where it need not wait."""
        if self._together:
            self._step = step
        return self._together

    def hold(self, told: Told) -> None:
        """Keep what everybody but the one who acts is told of a transition."""
        self._held.append(told)
        self._deaf = self.actor

    def hold_situation(self, situation: StepResult) -> bool:
        """Keep a state for the end of the clock; False where the match goes on from it at once."""
        if self.actor is None:
            return False
        is_chance = situation.utilities is None and not situation.legal
        if is_chance or self.goes_on([Player(player) for player in situation.legal]):
            return False
        self._situation = situation
        return True

    def end(self) -> tuple[Step | None, StepResult | None]:
        """Return what waited for the end of the clock."""
        found = self._step, self._situation
        self.actor, self._together, self._step, self._situation = None, False, None, None
        return found

    def take_held(self) -> tuple[Player | None, list[Told]]:
        """Return who has heard what is held already, and what is held for all others."""
        held, self._held = self._held, []
        return self._deaf, held
