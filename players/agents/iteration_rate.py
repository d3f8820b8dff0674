"""Measures how many iterations a second a search makes."""

from __future__ import annotations

import time
from collections.abc import Callable

FIRST_ITERATIONS = 16
SLICE_S = 0.02
"""Between readings of the clock."""


def iterations_a_second(
    run: Callable[[int], None], seconds: float, clock: Callable[[], float] = time.process_time
) -> float:
    """Return the iterations a second of a search.

    Args:
        run: searches for a number of iterations.
        seconds: of `clock`, how long to measure.
        clock: reads a monotonic clock in seconds; by default, of processor time.
    """
    done, count = 0, FIRST_ITERATIONS
    began = clock()
    while (spent := clock() - began) < seconds:
        run(count)
        done += count
        count = max(1, int(done / max(clock() - began, 1e-9) * SLICE_S))
    return done / spent
