"""How servers that run until they are told to stop hear of it."""

from __future__ import annotations

import asyncio
import signal


def stopped_by_signals() -> asyncio.Event:
    """Return an event that Ctrl-C and a request to end set, in the running loop.

    Windows' loops take no handlers of signals; there Python's own handlers wake the loop.
    """
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, stop.set)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    return stop
