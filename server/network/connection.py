"""One player's websocket: its first message, its frames in and out, and the limits that keep it from harming others."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import deque
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ggp.protocol.codec import MessageError, decode_client, encode
from ggp.protocol.messages import ClientMessage, Hello, Problem, Refused, ServerMessage
from server.network.addresses import network_of

HELLO_TIMEOUT_S = 10.0
MAX_BACKLOG_BYTES = 32 * 1024 * 1024
"""How much may wait for a slow player before it is disconnected."""
MAX_TOTAL_BACKLOG_BYTES = 512 * 1024 * 1024
"""How much may wait for all players together; beyond that, players with more than their share are disconnected."""
ERROR_BUDGET = 50
"""How many wrong frames in a row a connection survives; each right one gives one back."""

MAX_CLOSE_REASON_BYTES = 123
"""The limit of the websocket protocol."""

CLOSE_NORMAL = 1000
CLOSE_GOING_AWAY = 1001
CLOSE_POLICY = 1008
CLOSE_TRY_LATER = 1013

log = logging.getLogger("ggp.connection")


class FrameHandler(Protocol):
    """Handles a connection's messages; each method returns whether the frame was valid."""

    def message(self, message: ClientMessage) -> bool:
        """Handle a message of the protocol."""

    def malformed(self, error: MessageError) -> bool:
        """Handle a frame that is not a message."""


class Backlogs:
    """The memory of all waiting messages in bytes, and the number of connections."""

    def __init__(self) -> None:
        self.total_bytes = 0
        self.connections = 0

    def allow(self, own_bytes: int) -> bool:
        """Return whether this much may wait for one player."""
        if self.total_bytes > MAX_TOTAL_BACKLOG_BYTES and own_bytes * self.connections > MAX_TOTAL_BACKLOG_BYTES:
            return False
        return own_bytes <= MAX_BACKLOG_BYTES


class Connection:
    """An accepted websocket. Sending never waits: a separate task writes queued messages."""

    def __init__(self, websocket: WebSocket, backlogs: Backlogs) -> None:
        self._websocket = websocket
        self._frames: deque[str] = deque()
        self._backlog = 0
        self._backlogs = backlogs
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None

    @property
    def peer(self) -> str:
        """The other side's address, for the log."""
        client = self._websocket.client
        return f"{client.host}:{client.port}" if client else "?"

    @property
    def network(self) -> str | None:
        """What counts as one address with it, see `network_of`."""
        return network_of(self._websocket.client.host if self._websocket.client else None)

    def send(self, message: ServerMessage) -> None:
        """Queue a message; a player with too many waiting messages is disconnected."""
        self.send_text(encode(message))

    def send_text(self, frame: str) -> None:
        """Queue an encoded message."""
        if self._closing is not None:
            return
        self._frames.append(frame)
        self._count(sys.getsizeof(frame))
        self._wake.set()
        if not self._backlogs.allow(self._backlog):
            log.warning("%s reads too slowly and is disconnected", self.peer)
            self._drop_queue()
            self.close(CLOSE_TRY_LATER, "too much unread")

    def close(self, code: int, reason: str) -> None:
        """Close the connection when queued messages have been sent; incoming ones are ignored from now on."""
        if self._closing is None:
            self._closing = (code, _close_reason(reason))
            self._wake.set()

    def replace(self, farewell: Problem) -> None:
        """Close the connection because the player has a new one, on which all waiting messages are repeated."""
        self._drop_queue()
        self.send(farewell)
        self.close(CLOSE_POLICY, farewell.message)

    async def hello(self) -> Hello | None:
        """Wait for the first message; None if it is not a `hello` and the connection has been refused."""
        try:
            async with asyncio.timeout(HELLO_TIMEOUT_S):
                frame = await self._receive()
            message = decode_client(frame)
        except TimeoutError:
            fault = f"no `hello` within {HELLO_TIMEOUT_S:.0f} seconds"
        except MessageError as error:
            fault = f"expected `hello`: {error}"
        else:
            if isinstance(message, Hello):
                return message
            fault = "the first message must be `hello`"
        await self.refuse(Refused("hello", fault))
        return None

    async def refuse(self, refusal: Refused) -> None:
        """Tell a player why it is not accepted, and close."""
        await self._websocket.send_text(encode(refusal))
        await self._websocket.close(CLOSE_POLICY, _close_reason(refusal.message))

    async def serve(self, handler: FrameHandler) -> None:
        """Read and write until either side ends the connection.

        Raises:
            WebSocketDisconnect: the player has gone.
        """
        self._backlogs.connections += 1
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read(handler))
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, writer):
                task.cancel()
            outcomes = await asyncio.gather(reader, writer, return_exceptions=True)
            self._backlogs.connections -= 1
            self._drop_queue()
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    async def _read(self, handler: FrameHandler) -> None:
        budget = ERROR_BUDGET
        while True:
            try:
                frame = await self._receive()
                if self._closing is not None:
                    continue  # waits only for the end of the connection
                fine = handler.message(decode_client(frame))
            except MessageError as error:
                fine = handler.malformed(error)
            if fine:
                budget = min(ERROR_BUDGET, budget + 1)
                continue
            budget -= 1
            if budget <= 0:
                self.send(Problem("too_many_errors", f"{ERROR_BUDGET} wrong frames"))
                self.close(CLOSE_POLICY, "too many wrong frames")
            # Frames that have arrived are received without a pause; a flood must not keep others waiting.
            await asyncio.sleep(0)

    async def _receive(self) -> str:
        event = await self._websocket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code", 1005), event.get("reason"))
        text: str | None = event.get("text")
        if text is None:
            raise MessageError("a binary frame; messages are text frames")
        return text

    async def _write(self) -> None:
        while True:
            while self._frames:
                frame = self._frames.popleft()
                self._count(-sys.getsizeof(frame))
                await self._websocket.send_text(frame)
            if self._closing is not None:
                if self._websocket.application_state is WebSocketState.CONNECTED:
                    await self._websocket.close(*self._closing)
                return
            self._wake.clear()
            await self._wake.wait()

    def _drop_queue(self) -> None:
        self._count(-self._backlog)
        self._frames.clear()

    def _count(self, size: int) -> None:
        self._backlog += size
        self._backlogs.total_bytes += size


def _close_reason(text: str) -> str:
    """Return as much of a text as fits into a close frame."""
    return text.encode()[:MAX_CLOSE_REASON_BYTES].decode(errors="ignore")
