"""The clock of a match, and the time that each player has left on it: plain arithmetic on times that the caller reads.

All times are whole milliseconds of one monotonic clock, whose origin does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from server.referee.game_interface import Player
from server.referee.journal import Created
from server.referee.seat import Seat


class MatchClock:
    """The start clock, then the play clock of each decision; between them no clock runs.

    One clock runs for all players who are asked at the same time. It starts when the requests have been sent: the time
    that the manager needs to store them is not the players' time.
    """

    def __init__(self, created: Created, seats: Sequence[Seat]) -> None:
        self._created = created
        self._seats = seats
        self._length_ms: int | None = None
        """As the players are told; None while there is no clock."""
        self._started_ms: int | None = None
        for seat in seats:
            seat.bank_ms = created.total_ms

    @property
    def is_there(self) -> bool:
        """Whether a clock is running, or will start when its messages have been sent."""
        return self._length_ms is not None

    def set_start_clock(self) -> None:
        """Let the start clock begin when its messages have been sent."""
        self._length_ms, self._started_ms = self._created.start_clock_ms, None

    def set_play_clock(self) -> None:
        """Let a play clock begin when its messages have been sent."""
        self._length_ms, self._started_ms = self._created.play_clock_ms, None

    def remove(self) -> None:
        """Stop the clock."""
        self._length_ms = self._started_ms = None

    def start(self, now_ms: int, *, afresh: bool) -> bool:
        """Start the clock now, if it has not started or is to start afresh; return whether it did."""
        if self._length_ms is None or (self._started_ms is not None and not afresh):
            return False
        self._started_ms = now_ms
        for seat in self._seats:
            seat.offset_ms = 0
        return True

    def deadline_ms(self, asked: Sequence[Player]) -> int | None:
        """Return the earliest deadline of these players, allowance included; of the whole clock if none is given.

        None before it starts.
        """
        if self._length_ms is None or self._started_ms is None:
            return None
        whole_ms = self._started_ms + self._length_ms + self._created.allowance_ms
        return min((self._deadline_of(player) for player in asked), default=whole_ms)

    def elapsed_ms(self, now_ms: int) -> int:
        """Return how long the clock has run; 0 before it starts."""
        return 0 if self._started_ms is None else now_ms - self._started_ms

    def remaining_ms(self, now_ms: int) -> int:
        """Return the time left on the whole clock, without the allowance; 0 if there is none."""
        length_ms = self._length_ms or 0
        return max(0, min(length_ms, length_ms - self.elapsed_ms(now_ms)))

    def left_ms(self, player: Player, now_ms: int) -> int:
        """Return the time that a player has left for its decision, without the allowance."""
        seat = self._seats[player]
        left_ms = seat.budget_ms + seat.offset_ms - self.elapsed_ms(now_ms)
        return max(0, min(seat.budget_ms, left_ms)) if self.is_there else 0

    def is_late(self, player: Player, now_ms: int) -> bool:
        """Return whether a player's answer is too late."""
        return self._started_ms is not None and now_ms > self._deadline_of(player)

    def overdue_ms(self, player: Player, now_ms: int) -> int:
        """Return how long ago a player's deadline was, on a clock that has started."""
        return now_ms - self._deadline_of(player)

    def is_over(self, now_ms: int) -> bool:
        """Return whether the clock has run out for all players."""
        deadline_ms = self.deadline_ms(())
        return deadline_ms is not None and now_ms > deadline_ms

    def budget_ms(self, player: Player) -> int:
        """Return how long a player may take for a decision on a fresh play clock."""
        bank_ms, play_clock_ms = self._seats[player].bank_ms, self._created.play_clock_ms
        return play_clock_ms if bank_ms is None else min(play_clock_ms, bank_ms)

    def charge(self, player: Player, now_ms: int) -> None:
        """Note the time of a decision, and subtract it from the player's for the whole match; the allowance is free."""
        seat = self._seats[player]
        if not self.is_there:
            return
        thought_ms = max(0, self.elapsed_ms(now_ms) - seat.offset_ms)
        seat.times = seat.times.and_one(thought_ms)
        if seat.bank_ms is None:
            return
        spent_ms = thought_ms - self._created.allowance_ms
        seat.bank_ms = max(0, seat.bank_ms - max(0, min(spent_ms, seat.budget_ms))) + self._created.increment_ms

    def _deadline_of(self, player: Player) -> int:
        assert self._started_ms is not None
        seat = self._seats[player]
        return self._started_ms + seat.offset_ms + seat.budget_ms + self._created.allowance_ms
