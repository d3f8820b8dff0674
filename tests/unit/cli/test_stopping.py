"""Signals stop servers, also where event loops take no handlers of signals."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from ggp.cli.stopping import stopped_by_signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("loop_takes_handlers", [True, False])
def test_a_signal_sets_the_event(
    number: signal.Signals, loop_takes_handlers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise NotImplementedError

    async def run() -> None:
        if not loop_takes_handlers:
            monkeypatch.setattr(asyncio.get_running_loop(), "add_signal_handler", refused)
        stop = stopped_by_signals()
        os.kill(os.getpid(), number)
        await asyncio.wait_for(stop.wait(), 10)

    before = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    try:
        asyncio.run(run())
    finally:
        for one, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(one, handler)
