"""Start clock and play clock: plain arithmetic on times that the caller reads.

All times are whole milliseconds of one monotonic clock, whose origin does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_CLOCK_MS = 7 * 24 * 3600 * 1000
"""A week: correspondence play fits, and no sum of times overflows anything."""


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """The time that players have.

    Attributes:
        start_clock_ms: to study the rules, before the first move.
        play_clock_ms: for each move.
        allowance_ms: added to both by the manager, for the network. Players are told of it.
        total_ms: for all decisions of one player in a match together; None: only the play clock limits them.
        increment_ms: added to the rest of `total_ms` after each decision.

    Raises:
        ValueError: a clock is not positive, or anything is negative or longer than `MAX_CLOCK_MS`.
    """

    start_clock_ms: int
    play_clock_ms: int
    allowance_ms: int = 250
    total_ms: int | None = None
    increment_ms: int = 0

    def __post_init__(self) -> None:
        if self.increment_ms and self.total_ms is None:
            raise ValueError("increment_ms adds to total_ms, which is not given")
        for name, lowest in (
            ("start_clock_ms", 1),
            ("play_clock_ms", 1),
            ("allowance_ms", 0),
            ("total_ms", 1),
            ("increment_ms", 0),
        ):
            value = getattr(self, name)
            if value is not None and not lowest <= value <= MAX_CLOCK_MS:
                raise ValueError(f"{name} is {value}; it must be from {lowest} to {MAX_CLOCK_MS}")


@dataclass(slots=True)
class RunningClock:
    """One clock for all players who are asked at the same time.

    It starts when the requests have been sent: the time that the manager needs to store them is not the
    players' time.

    Attributes:
        length_ms: as the player is told.
        allowance_ms: added before the time is up.
        started_ms: when the messages were sent; None before.
    """

    length_ms: int
    allowance_ms: int
    started_ms: int | None = None

    @property
    def deadline_ms(self) -> int | None:
        """The last moment at which an answer counts, allowance included; None before the clock starts."""
        return None if self.started_ms is None else self.started_ms + self.length_ms + self.allowance_ms

    def start(self, now_ms: int) -> None:
        """Start or restart the clock."""
        self.started_ms = now_ms

    def expired(self, now_ms: int) -> bool:
        """Return whether the deadline is past."""
        deadline = self.deadline_ms
        return deadline is not None and now_ms > deadline

    def elapsed_ms(self, now_ms: int) -> int:
        """Return how long it has run; 0 before it starts."""
        return 0 if self.started_ms is None else now_ms - self.started_ms

    def remaining_ms(self, now_ms: int) -> int:
        """Return the time left, without the allowance; never negative."""
        return max(0, min(self.length_ms, self.length_ms - self.elapsed_ms(now_ms)))
