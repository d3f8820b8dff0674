"""The progress of a competition."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Progress:
    """The progress of a competition.

    Attributes:
        entered: how many players take part.
        wanted: how many it needs to begin; 0 if not given.
        round, rounds: the present round from 1, and how many there will be, if known.
        finished, matches: how many matches are over, and how many are known.
        playing: the matches in play, as `red - blue`.
        preparing: the players for whom matches wait, since they prepare for a game.
        mean_match_s: mean length of the matches so far, in seconds; 0 before the first ended.
        at_once: the largest number of matches in play at the same time.
    """

    entered: int = 0
    wanted: int = 0
    round: int = 0
    rounds: int | None = None
    finished: int = 0
    matches: int = 0
    playing: list[str] = field(default_factory=list)
    preparing: list[str] = field(default_factory=list)
    mean_match_s: float = 0.0
    at_once: float = 1.0
    _ended: int = 0

    def match_ended(self, seconds: float) -> None:
        """Count a match of this length."""
        self.finished += 1
        self._ended += 1
        self.mean_match_s += (seconds - self.mean_match_s) / self._ended

    @property
    def total(self) -> int:
        """How many matches there will be if all rounds are like those so far; else how many are known."""
        if self.rounds is None or self.round < 1:
            return self.matches
        return round(self.matches * max(1.0, self.rounds / self.round))

    @property
    def remaining_s(self) -> float | None:
        """An estimate of the time left; None before the first match ended, or if unknown."""
        if not self.mean_match_s or self.rounds is None or self.round < 1:
            return None
        return max(0, self.total - self.finished) * self.mean_match_s / max(1.0, self.at_once)
