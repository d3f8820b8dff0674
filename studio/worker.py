"""The process in which a game of somebody's is compiled and played: messages as lines on standard input and output.

Its memory is limited; how long it may take, its parent sees to (`studio.workshop`).
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from starlette.websockets import WebSocketDisconnect

from server.matches.memory_limits import PLAYER_MEMORY, RULES_MEMORY, limit_memory
from studio.drafts import DraftSession, published
from studio.seat import SeatSession
from studio.workshop import speak


class _Pipe:
    """What a session needs of a websocket."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def accept(self) -> None:
        """Do nothing: the parent has accepted."""

    async def receive_text(self) -> str:
        """Return the next message.

        Raises:
            WebSocketDisconnect: there are no more.
        """
        line: str = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            raise WebSocketDisconnect
        return line

    async def close(self, _code: int = 1000, _reason: str = "") -> None:
        """Do nothing: the parent closes."""

    async def send_text(self, text: str) -> None:
        """Send a message."""
        async with self._lock:
            await asyncio.to_thread(lambda: print(text, flush=True))


def main() -> None:
    """Serve one page until it is left: a `seat` of a match, an editor (`language`), or a draft."""
    limit_memory(RULES_MEMORY if sys.argv[1:] == ["examine"] else PLAYER_MEMORY)
    pipe: Any = _Pipe()  # no more of a websocket is used than it has
    match sys.argv[1:]:
        case ["seat"]:
            asyncio.run(SeatSession(pipe).run())
        case ["language"]:
            asyncio.run(speak(pipe))
        case ["examine"]:
            print(json.dumps(published(json.loads(sys.stdin.readline())["rules"])))
        case _:
            asyncio.run(DraftSession(pipe).run())


if __name__ == "__main__":
    main()
