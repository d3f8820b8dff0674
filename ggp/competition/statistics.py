"""What matches tell: win rates, means and paired differences with their 95 % intervals, and when they tell enough.

Ratings are in `ratings.py`. Nothing here knows of games or players, only of numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct

NORMAL_95 = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
EXPANDED_FROM = 100
"""Degrees of freedom from which four terms of the expansion of Student's quantile are enough."""
TEST_ERROR = 0.05
"""Of a sequential test, of each kind."""


class Interval(Struct, frozen=True):
    """An estimate with its 95 % confidence interval, `low <= estimate <= high`."""

    estimate: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the length of the interval: the number behind a plus-minus sign."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.estimate:.4g} ± {self.half_width:.2g}"


def win_rate(wins: int, draws: int, losses: int) -> Interval:
    """Return the share of games won, a draw counted as half a win, with Wilson's interval.

    The games must be independent. With draws the interval is a little too wide, since a draw varies less than the
    win or loss that the formula assumes. Without any game nothing is known: 0.5, from 0 to 1.

    Args:
        wins: not negative, as the other two.
        draws: games without a winner.
        losses: games lost.

    Source: Wilson 1927, as in Brown, Cai, DasGupta 2001, "Interval estimation for a binomial proportion", eq. 4.
    """
    games = wins + draws + losses
    if games == 0:
        return Interval(0.5, 0.0, 1.0)
    share = (wins + draws / 2) / games
    square = NORMAL_95**2
    centre = (share + square / (2 * games)) / (1 + square / games)
    reach = NORMAL_95 / (1 + square / games) * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    # the bounds are 0 and 1 for shares of 0 and 1, which rounding would miss
    return Interval(share, min(share, centre - reach), max(share, centre + reach))


def mean_interval(values: Iterable[float]) -> Interval:
    """Return the mean of independent numbers with Student's interval; of a single number nothing bounds the mean.

    Args:
        values: `[N]`, N at least 1.

    Raises:
        ValueError: there are no numbers.
    """
    numbers = [float(value) for value in values]
    count = len(numbers)
    if count == 0:
        raise ValueError("the mean of no numbers")
    mean = math.fsum(numbers) / count
    if count == 1:
        return Interval(mean, -math.inf, math.inf)
    variance = math.fsum((number - mean) ** 2 for number in numbers) / (count - 1)
    reach = student_95(count - 1) * math.sqrt(variance / count)
    return Interval(mean, mean - reach, mean + reach)


def decided(scores: Sequence[float], bounds: tuple[float, float]) -> bool | None:
    """Return whether the mean of scores is the higher of two bounds rather than the lower one; None: not yet told.

    A sequential probability ratio test, to be asked after each score: it errs with `TEST_ERROR` where the mean is a
    bound, with less beyond. The likelihood ratio of a mean comes from its normal approximation; one win, one draw and
    one loss are added, so that the variance is never 0.

    Args:
        scores: each from 0, a loss, to 1, a win; independent.
        bounds: the lower and the higher mean, from 0 to 1.

    Source: Wald 1945.
    """
    seen = [*scores, 0.0, 0.5, 1.0]
    mean = math.fsum(seen) / len(seen)
    variance = math.fsum((score - mean) ** 2 for score in seen) / len(seen)
    low, high = bounds
    ratio = len(scores) * (high - low) * (2 * mean - low - high) / (2 * variance)
    return None if abs(ratio) < math.log((1 - TEST_ERROR) / TEST_ERROR) else ratio > 0


@cache
def student_95(degrees: int) -> float:
    """Return the 97.5 % quantile of Student's distribution with that many degrees of freedom, at least 1.

    To 1e-10 of itself, by bisection, or from `EXPANDED_FROM` degrees on by an expansion about the normal quantile.

    Source: Abramowitz and Stegun 1964, 26.7.3 to 26.7.5.
    """
    if degrees >= EXPANDED_FROM:
        z, square = NORMAL_95, NORMAL_95**2
        terms = (
            (square + 1) / 4,
            ((5 * square + 16) * square + 3) / 96,
            (((3 * square + 19) * square + 17) * square - 15) / 384,
            ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
        )
        return z + math.fsum(z * term / degrees**order for order, term in enumerate(terms, 1))
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        angle = (low + high) / 2
        low, high = (low, angle) if _central_probability(angle, degrees) > 0.95 else (angle, high)
    return math.sqrt(degrees) * math.tan(low)


def _central_probability(angle: float, degrees: int) -> float:
    """Return the probability that Student's number is no further from 0 than sqrt(degrees) tan(angle)."""
    cosine, odd = math.cos(angle), degrees % 2
    term, total = cosine**odd, 0.0
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= cosine**2 * (power + 1) / (power + 2)
    return (angle + math.sin(angle) * total) * 2 / math.pi if odd else math.sin(angle) * total
