"""The process in which a game of somebody's is compiled and played: messages as lines on standard input and output.

Each line begins with the number of the window that it comes from or goes to (`studio.workshop`). The process's memory
is limited; how long it may take, its parent sees to.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.websockets import WebSocketDisconnect

from server.matches.memory_limits import PLAYER_MEMORY, RULES_MEMORY, limit_memory
from studio.catalogue import pictures
from studio.drafts import DraftSession, published
from studio.room import Rooms
from studio.seat import SeatSession
from studio.workshop import speak


class _Window:
    """What a session needs of a websocket."""

    def __init__(self, number: str) -> None:
        self._number = number
        self.messages: asyncio.Queue[str] = asyncio.Queue()

    async def accept(self) -> None:
        """Do nothing: the parent has accepted."""

    async def receive_text(self) -> str:
        """Return the next message.

        Raises:
            WebSocketDisconnect: there are no more.
        """
        text = await self.messages.get()
        if not text:
            raise WebSocketDisconnect
        return text

    async def close(self, _code: int = 1000, _reason: str = "") -> None:
        """Do nothing: the parent closes."""

    async def send_text(self, text: str) -> None:
        """Send a message."""
        print(self._number, text, flush=True)


def _ended(session: asyncio.Task[None]) -> None:
    """End the process with a session that failed: the parent says so to all windows."""
    if not session.cancelled() and session.exception() is not None:
        os._exit(1)


async def _serve(session: Callable[[Any], Awaitable[None]]) -> None:
    """Serve windows until there is no more input."""

    async def served(window: _Window) -> None:
        await session(window)

    windows: dict[str, _Window] = {}
    while line := await asyncio.to_thread(sys.stdin.readline):
        number, _, text = line.rstrip("\n").partition(" ")
        if number not in windows and text:
            windows[number] = _Window(number)
            asyncio.create_task(served(windows[number]), name=f"window {number}").add_done_callback(_ended)
        if number in windows:
            windows[number].messages.put_nowait(text)
        if not text:
            windows.pop(number, None)
    os._exit(0)  # whatever still thinks, thinks for nobody


def main() -> None:
    """Serve `seat`s of matches, editors (`language`), or drafts and games in play, whose links begin with a name."""
    kind, name = (*sys.argv[1:], "")[:2]
    limit_memory(RULES_MEMORY if kind == "examine" else PLAYER_MEMORY)
    match kind:
        case "seat":
            asyncio.run(_serve(lambda window: SeatSession(window).run()))
        case "language":
            asyncio.run(_serve(speak))
        case "examine":
            print(json.dumps(published(json.loads(sys.stdin.readline())["rules"])))
        case "pictures":
            os.nice(10)
            for drawn in pictures():
                print(json.dumps(drawn), flush=True)
        case _:
            rooms = Rooms(f"{name}.")
            asyncio.run(_serve(lambda window: DraftSession(window, rooms).run()))


if __name__ == "__main__":
    main()
