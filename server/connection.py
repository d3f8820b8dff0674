"""One player's websocket: its first message, its frames in and out, and the limits that keep it from harming others."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from ggp.protocol.codec import MessageError, decode_client, encode
from ggp.protocol.messages import ClientMessage, Hello, Problem, Refused, ServerMessage

HELLO_TIMEOUT_S = 10.0
MAX_BACKLOG_BYTES = 32 * 1024 * 1024
"""How much may wait for a player that reads slowly, before it is disconnected."""
ERROR_BUDGET = 50
"""How many wrong frames in a row a connection survives; each right one gives one back."""

CLOSE_NORMAL = 1000
CLOSE_GOING_AWAY = 1001
CLOSE_POLICY = 1008
CLOSE_TRY_LATER = 1013

log = logging.getLogger("ggp.connection")


class FrameHandler(Protocol):
    """Who takes a connection's messages; each method returns whether the frame was in order."""

    def message(self, message: ClientMessage) -> bool:
        """Take a message of the protocol."""

    def malformed(self, error: MessageError) -> bool:
        """Take note of a frame that is none."""


class Connection:
    """An accepted websocket. Sending never waits: a task of its own writes what is queued."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._frames: deque[str] = deque()
        self._backlog = 0
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None

    @property
    def peer(self) -> str:
        """The other side's address, for the log."""
        client = self._websocket.client
        return f"{client.host}:{client.port}" if client else "?"

    def send(self, message: ServerMessage) -> None:
        """Queue a message; a player that lets too much wait is disconnected."""
        self.send_text(encode(message))

    def send_text(self, frame: str) -> None:
        """Queue an encoded message."""
        if self._closing is not None:
            return
        self._backlog += len(frame)
        if self._backlog > MAX_BACKLOG_BYTES:
            log.warning("%s reads too slowly and is disconnected", self.peer)
            self._frames.clear()
            self.close(CLOSE_TRY_LATER, "too much unread")
            return
        self._frames.append(frame)
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close the connection once what is queued has been sent."""
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()

    async def hello(self) -> Hello | None:
        """Wait for the first message; None where it is not a `hello` and the connection has been refused."""
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
        """Tell why a player is not accepted, and close."""
        await self._websocket.send_text(encode(refusal))
        await self._websocket.close(CLOSE_POLICY, refusal.message[:100])

    async def serve(self, handler: FrameHandler) -> None:
        """Read and write until either side ends the connection.

        Raises:
            WebSocketDisconnect: the player has gone.
        """
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._read(handler))
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reader, writer):
                task.cancel()
            outcomes = await asyncio.gather(reader, writer, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    async def _read(self, handler: FrameHandler) -> None:
        budget = ERROR_BUDGET
        while True:
            try:
                fine = handler.message(decode_client(await self._receive()))
            except MessageError as error:
                fine = handler.malformed(error)
            if fine:
                budget = min(ERROR_BUDGET, budget + 1)
                continue
            budget -= 1
            if budget <= 0:
                self.send(Problem("too_many_errors", f"{ERROR_BUDGET} wrong frames"))
                self.close(CLOSE_POLICY, "too many wrong frames")
                await asyncio.Event().wait()  # the writer closes; nothing is read any more
            # Frames that are there already are received without a pause; a flood must not keep others waiting.
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
                await self._websocket.send_text(frame)
                self._backlog -= len(frame)
            if self._closing is not None:
                if self._websocket.application_state is WebSocketState.CONNECTED:
                    await self._websocket.close(*self._closing)
                return
            self._wake.clear()
            await self._wake.wait()
