"""Thinking while others think: a search continues in a thread until it is stopped.

Only for players on the network: in a match within one process it would slow all players. The thread has a lower
priority if the system supports that, so that an opponent on the same machine loses little.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable

from players.agents.time_control import Pacing

MAX_PONDER_S = 30.0
"""For one wait: an opponent may be a person who has left."""
SLICE_S = 0.0005
"""Stopping the search takes up to one slice, or a few on a busy machine."""
NICENESS = 5

Run = Callable[[int], None]


class Pondering:
    """At most one search in the background; call `stop` before using the search otherwise."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self._pacing = Pacing()

    def start(self, run: Run, settled: Callable[[], bool]) -> None:
        """Begin to search."""
        self.stop()
        self._stopped.clear()
        self._pacing.forget_rate()
        self._thread = threading.Thread(target=self._search, args=(run, settled), name="pondering", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search, and wait until it has ended."""
        if self._thread is not None:
            self._stopped.set()
            self._thread.join()
            self._thread = None

    def _search(self, run: Run, settled: Callable[[], bool]) -> None:
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        deadline = time.monotonic() + MAX_PONDER_S
        self._pacing.run_until(deadline, run, time.monotonic, lambda: self._stopped.is_set() or settled(), SLICE_S)
