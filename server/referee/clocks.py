"""Start clock and play clock: plain arithmetic on times that the caller reads.

All times are whole milliseconds of one monotonic clock, whose origin does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

MAX_CLOCK_MS = 7 * 24 * 3600 * 1000
"""A week: correspondence play fits, and no sum of times overflows anything."""


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """How long players have.

    Attributes:
        start_clock_ms: to study the rules, before the first move.
        play_clock_ms: for each move.
        allowance_ms: added to both at the server, for the way there and back. Players are told, and need not use it.
        total_ms: for all decisions of one player in a match together; None: only the play clock limits them.
        increment_ms: what each decision adds to what is left of `total_ms`.

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
    """One clock that runs for everybody who is asked at once.

    It stands still until the messages that ask have gone out: what the manager needs to store them first is not the
    players' time.

    Attributes:
        length_ms: what the player is told.
        allowance_ms: what comes on top before the time is really up.
        started_ms: when the messages went out; None before.
    """

    length_ms: int
    allowance_ms: int
    started_ms: int | None = None

    @property
    def deadline_ms(self) -> int | None:
        """The last moment at which an answer counts, the allowance included; None while the clock stands."""
        return None if self.started_ms is None else self.started_ms + self.length_ms + self.allowance_ms

    def start(self, now_ms: int) -> None:
        """Start the clock, or start it afresh."""
        self.started_ms = now_ms

    def expired(self, now_ms: int) -> bool:
        """Return whether the deadline is past."""
        deadline = self.deadline_ms
        return deadline is not None and now_ms > deadline

    def elapsed_ms(self, now_ms: int) -> int:
        """Return how long it has run; 0 while it stands."""
        return 0 if self.started_ms is None else now_ms - self.started_ms

    def remaining_ms(self, now_ms: int) -> int:
        """Return what is left, without the allowance; never negative."""
        return max(0, min(self.length_ms, self.length_ms - self.elapsed_ms(now_ms)))
