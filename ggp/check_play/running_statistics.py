"""Running count, sum, minimum, maximum and standard error of numbers seen one after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class RunningStatistics:
    """Least, mean and greatest of a series of numbers."""

    count: int = 0
    total: float = 0.0
    minimum: float = math.inf
    maximum: float = -math.inf
    squares: float = 0.0

    def add(self, number: float) -> None:
        """Take one more number into account."""
        self.count += 1
        self.total += number
        self.minimum = min(self.minimum, number)
        self.maximum = max(self.maximum, number)
        self.squares += number * number

    @property
    def mean(self) -> float:
        """The mean; 0 of no numbers."""
        return self.total / self.count if self.count else 0.0

    @property
    def standard_error(self) -> float:
        """The standard error of the mean if the numbers are independent; infinity if there are fewer than two."""
        if self.count < 2:
            return math.inf
        return math.sqrt(max(0.0, self.squares / self.count - self.mean**2) / (self.count - 1))


def all_of(series: Sequence[RunningStatistics]) -> RunningStatistics:
    """Return the statistics of several series as one."""
    return RunningStatistics(
        sum(one.count for one in series),
        sum(one.total for one in series),
        min(one.minimum for one in series),
        max(one.maximum for one in series),
        sum(one.squares for one in series),
    )
