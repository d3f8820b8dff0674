"""What plays a match: the class that players in Python write, or one that chooses anything."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass

from ggp.protocol.messages import End, Observe, Start


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision.

    Attributes:
        step: counts the player's own decisions in the match, from 0.
        legal: the legal actions.
        deadline: on `time.monotonic()`, in seconds; when the play clock ends, as seen from here. The way of the
            request is not known here: `round_trip_s` is what to keep in reserve.
        round_trip_s: the last time measured there and back.
    """

    step: int
    legal: list[str]
    deadline: float
    round_trip_s: float

    @property
    def seconds_left(self) -> float:
        """What is left of the play clock."""
        return self.deadline - time.monotonic()


class MatchPlayer(ABC):
    """Plays one match. Override `choose`, and whatever else you need."""

    def start(self, start: Start, deadline: float) -> None:  # noqa: B027
        """Study the rules until the `deadline` on `time.monotonic()` at the latest; then the client says ready."""

    def observe(self, observe: Observe) -> None:  # noqa: B027
        """Learn what a transition told you: your action as it was taken, and what you saw."""

    @abstractmethod
    def choose(self, turn: Turn) -> str:
        """Return one of `turn.legal`."""

    def end(self, end: End) -> None:  # noqa: B027
        """Learn how the match ended."""


class RandomPlayer(MatchPlayer):
    """Chooses any legal action: what plays on where a player cannot."""

    def __init__(self) -> None:
        self._random = random.SystemRandom()

    def choose(self, turn: Turn) -> str:
        """Return any legal action."""
        return self._random.choice(turn.legal)
