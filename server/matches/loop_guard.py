"""Breaks off a computation on the event loop that takes longer than the loop can spare.

A timer of the system counts the processor time of the process and sends a signal, whose handler raises in the midst of
the computation. So even a transition that never ends gives the event loop back.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


class TookLong(BaseException):
    """A computation took longer than it may on the event loop; no `Exception`, so that nothing in it catches it."""


class LoopGuard:
    """Runs computations for a limited time.

    It takes the signal `SIGVTALRM` and its timer for itself, and belongs to the main thread, where Python runs the
    handlers of signals.

    Raises:
        ValueError: it is made in another thread.
    """

    def __init__(self) -> None:
        self._watching = False
        # Never taken back: a signal that comes late would end the process.
        signal.signal(signal.SIGVTALRM, self._interrupt)

    def run(self, call: Callable[[], T], seconds: float) -> T:
        """Run a call that may be broken off anywhere: one of plain Python that changes nothing.

        Args:
            call: what to run.
            seconds: of processor time; the system counts in steps of some milliseconds.

        Raises:
            TookLong: it was broken off.
        """
        collects = gc.isenabled()
        gc.disable()  # a collection goes through all that the manager has, and would be taken for the call's own time
        try:
            try:
                self._watching = True
                signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
                return call()
            finally:
                # First: from here on a signal on its way is not heeded. One that comes before raises here, and is told.
                self._watching = False
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        finally:
            if collects:
                gc.enable()

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self._watching:
            self._watching = False
            raise TookLong
