"""Ctrl-C that comes where no exception can pass, such as in a callback from C: it is repeated a little later."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from types import FrameType

AGAIN_S = 0.05


class Interrupts:
    """Raises KeyboardInterrupt on Ctrl-C, again where it was dropped."""

    def __init__(self) -> None:
        self._raised = False

    def handle(self) -> None:
        """Install handlers for Ctrl-C and for errors that no caller can catch; in the main thread."""
        signal.signal(signal.SIGINT, self.interrupt)
        sys.unraisablehook = self.notice

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Handle SIGINT.

        Raises:
            KeyboardInterrupt: always.
        """
        self._raised = True
        raise KeyboardInterrupt

    def notice(self, dropped: sys.UnraisableHookArgs) -> None:
        """Repeat an interrupt that was dropped because no caller could catch it, and show other such errors.

        After an interrupt they are not shown: half-constructed objects complain when they are finalised.
        """
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            _interrupt_later()
        elif not self._raised:
            sys.__unraisablehook__(dropped)


def _interrupt_later() -> None:
    again = threading.Timer(AGAIN_S, _interrupt_main_thread)
    again.daemon = True
    again.start()


def _interrupt_main_thread() -> None:
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        # as Ctrl-C does: this also interrupts what the thread waits for
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
