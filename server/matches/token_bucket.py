"""A limit on how often something may happen."""

from __future__ import annotations

import time
from collections.abc import Callable


class TokenBucket:
    """Allows some events at once, and then as many more as tokens are added.

    Args:
        at_once: the capacity, which it begins with.
        per_s: tokens added each second.
        clock: returns monotonic seconds.
    """

    def __init__(self, at_once: float, per_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once = at_once
        self._per_s = per_s
        self._clock = clock
        self._left = float(at_once)
        self._counted_at = clock()

    def take(self) -> bool:
        """Take a token; return whether there was one."""
        now = self._clock()
        self._left = min(self._at_once, self._left + (now - self._counted_at) * self._per_s)
        self._counted_at = now
        allowed = self._left >= 1
        self._left -= allowed
        return allowed
