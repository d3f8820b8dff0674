"""Times the messages of a match so that they reveal nothing hidden.

In two histories that a player cannot tell apart its messages are the same; their times need not be. In phantom
tic-tac-toe a player whose opponent tries three cells waits longer than one whose opponent tries one. With hidden times,
all that a player decides alone, several decisions in a row with chance between them, shares one play clock; messages to
others about it, and all that comes next, wait until that clock ends. If several players decide at the same time, the
transition itself waits. So one play clock passes between requests for each player, or set of players, who act.

The number of these clocks still shows, if it depends on something hidden, as in a game of three players in which
a hidden decision determines whether the second or the third player acts before the first one does again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from server.referee.game_interface import Player
from server.referee.rules_steps import Step, StepResult

Told: TypeAlias = Sequence[Sequence[tuple[str, Any]]]


class HiddenTimes:
    """The messages and transitions of a match that wait for the end of the clock.

    Attributes:
        actor: the player who decides alone on the running clock, and is told the consequences at once; None if none.
    """

    def __init__(self, enabled: bool) -> None:
        self.actor: Player | None = None
        self._enabled = enabled
        self._together = False
        self._step: Step | None = None
        self._result: StepResult | None = None
        self._held: list[Told] = []
        self._informed: Player | None = None
        """The player who has been told already what is held."""

    @property
    def waits(self) -> bool:
        """Whether the match continues at the end of the clock."""
        return self._step is not None or self._result is not None

    def begin(self, actors: Sequence[Player]) -> None:
        """Note who was asked when the clock began."""
        if self._enabled:
            self.actor = actors[0] if len(actors) == 1 else None
            self._together = len(actors) > 1

    def goes_on(self, actors: Sequence[Player]) -> bool:
        """Return whether a decision continues those of the player with whom the running clock began."""
        return self.actor is not None and list(actors) == [self.actor]

    def hold_step(self, step: Step) -> bool:
        """Keep a transition of several players for the end of the clock; return False if it need not wait."""
        if self._together:
            self._step = step
        return self._together

    def hold(self, told: Told) -> None:
        """Keep the observations of a transition for all players but the one who acts."""
        self._held.append(told)
        self._informed = self.actor

    def hold_result(self, result: StepResult) -> bool:
        """Keep a state for the end of the clock; return False if the match continues from it at once."""
        if self.actor is None:
            return False
        is_chance = result.utilities is None and not result.legal
        if is_chance or self.goes_on([Player(player) for player in result.legal]):
            return False
        self._result = result
        return True

    def end(self) -> tuple[Step | None, StepResult | None]:
        """Return what waited for the end of the clock."""
        found = self._step, self._result
        self.actor, self._together, self._step, self._result = None, False, None, None
        return found

    def take_held(self) -> tuple[Player | None, list[Told]]:
        """Return the player who has been told already, and the observations held for all others."""
        held, self._held = self._held, []
        return self._informed, held
