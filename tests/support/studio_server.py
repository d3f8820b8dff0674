"""A studio served in a thread, for tests that talk to it as browsers do."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from server.matches.counters import Counters
from server.network.web_server import open_port, serving
from studio.application import application


@contextlib.contextmanager
def studio(own_games: tuple[str, ...] = ()) -> Iterator[str]:
    """Serve the studio; yield its host and port."""
    listener = open_port("127.0.0.1", 0)
    started, loop, stop = threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    async def serve() -> None:
        async with serving(application(own_games), listener, Counters()):
            started.set()
            await stop.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert started.wait(20)
    try:
        yield f"127.0.0.1:{listener.getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(20)
        loop.close()
