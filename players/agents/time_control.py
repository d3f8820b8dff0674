"""Searching until a deadline: how many iterations to request at a time, and when to stop.

A search cannot be interrupted, so it runs in slices, and the clock is read in between. A slice can take longer than
planned: iterations become slower, memory is touched for the first time, or the machine gives the processor to another
process. The longest recent overrun of a slice is therefore kept in reserve.
"""

from __future__ import annotations

from collections.abc import Callable

SLICE_S = 0.002
"""How long a slice is, at most, before the clock is read again."""
SHORTEST_SLICE_S = 0.0002
FIRST_ITERATIONS = 2
"""Requested while the duration of iterations is unknown: where a player has 100,000 actions, one takes 20 ms."""
MAX_SLICE_GROWTH = 2.0
MAX_RATE = 1e9
"""Iterations a second: a search that finds nothing to do returns at once, and seems faster from slice to slice."""
SHARE_OF_TIME_LEFT = 0.25
"""Planned length of a slice at most: one that takes four times as long still ends in time."""
RESERVE_S = 0.001
RESERVED_SHARE = 0.01
"""Kept in reserve even if no slice took longer than planned: for the final strategy and drawing an action."""
MAX_RESERVED_SHARE = 0.9
OVERRUN_MARGIN = 1.5
"""The reserve, in longest recent overruns: the next one may be longer."""
HALF_LIFE_S = 2.0
"""After this time an overrun counts half: a busy machine may be free again."""


def never() -> bool:
    """Return False: of a search that is never settled."""
    return False


class Pacing:
    """The measured speed of one search, kept from move to move.

    Attributes:
        rate: iterations per second of the last slice, 0 if unknown; grows by at most MAX_SLICE_GROWTH per slice.
        overrun_s: the longest recent overrun of a slice, fading by half every HALF_LIFE_S.
    """

    def __init__(self) -> None:
        self.rate = 0.0
        self.overrun_s = 0.0
        self._read_at = 0.0

    def forget_rate(self) -> None:
        """Begin another match: its first position may be slower by orders of magnitude than the last of the old one."""
        self.rate = 0.0

    def reserve(self, seconds: float) -> float:
        """Return the reserve of a budget in seconds."""
        usual = max(RESERVE_S, RESERVED_SHARE * seconds)
        return min(usual + OVERRUN_MARGIN * self.overrun_s, max(usual, MAX_RESERVED_SHARE * seconds))

    def run_until(
        self,
        deadline: float,
        run: Callable[[int], None],
        clock: Callable[[], float],
        settled: Callable[[], bool] = never,
        slice_s: float = SLICE_S,
    ) -> None:
        """Search until shortly before a deadline; not at all where the time is shorter than the reserve.

        Args:
            deadline: in seconds of `clock`.
            run: searches for a number of iterations.
            clock: reads a monotonic clock in seconds.
            settled: says when more search would change nothing, or is not wanted any more.
            slice_s: how long a slice is, at most.
        """
        now = clock()
        self._fade(now)
        seconds = deadline - now
        planned = SHORTEST_SLICE_S
        while deadline - now > self.reserve(seconds) and not settled():
            planned = min(slice_s, MAX_SLICE_GROWTH * planned, SHARE_OF_TIME_LEFT * (deadline - now))
            planned = max(planned, SHORTEST_SLICE_S)
            iterations = max(1, int(self.rate * planned)) if self.rate else FIRST_ITERATIONS
            run(iterations)
            later = clock()
            self._fade(later)
            self._learn(iterations, planned, max(later - now, 1e-7))
            now = later

    def _fade(self, now: float) -> None:
        self.overrun_s *= 0.5 ** (max(now - self._read_at, 0.0) / HALF_LIFE_S)
        self._read_at = now

    def _learn(self, iterations: int, planned: float, spent: float) -> None:
        self.overrun_s = max(self.overrun_s, spent - planned)
        most = MAX_SLICE_GROWTH * self.rate if self.rate else FIRST_ITERATIONS / SHORTEST_SLICE_S
        self.rate = min(iterations / spent, most, MAX_RATE)
