"""The class that players in Python derive from, and one that plays at random."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod

from msgspec import Struct

from ggp.protocol.messages import End, Observe, Start


class Turn(Struct, frozen=True):
    """A decision.

    Attributes:
        step: counts the player's own decisions in the match, from 0.
        legal: the legal actions.
        deadline: end of the play clock, in seconds of `time.monotonic()`. How long the request was on its way is
            unknown here: keep `round_trip_s` in reserve.
        round_trip_s: the last round-trip time measured.
    """

    step: int
    legal: list[str]
    deadline: float
    round_trip_s: float

    @property
    def seconds_left(self) -> float:
        """The time left on the play clock."""
        return self.deadline - time.monotonic()


class MatchPlayer(ABC):
    """Plays one match. Override `choose`, and the other methods as needed."""

    def start(self, start: Start, deadline: float) -> None:  # noqa: B027
        """Study the rules until the `deadline` of `time.monotonic()` at the latest; then the client sends `ready`."""

    def observe(self, observe: Observe) -> None:  # noqa: B027
        """Handle a transition: your action as it was taken, and your observation."""

    @abstractmethod
    def choose(self, turn: Turn) -> str:
        """Return one of `turn.legal`."""

    def end(self, end: End) -> None:  # noqa: B027
        """Handle the end of the match."""


class RandomPlayer(MatchPlayer):
    """Plays at random; replaces a player that cannot play a game."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def choose(self, turn: Turn) -> str:
        """Return a random legal action."""
        return self._random.choice(turn.legal)
