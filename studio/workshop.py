"""Between pages and the processes in which rules of anybody's are compiled and played; and the language server."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from contextlib import suppress
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from starlette.websockets import WebSocket, WebSocketDisconnect

MAX_MESSAGE = 4 << 20
"""Bytes of a message to or from a process."""
PATIENCE_S, LOOK_S = 60.0, 1.0
"""Seconds in which a process must have dealt with a message; how often that is looked at."""
TOO_LONG = "these rules take too long to compile or to play; smaller types, sets and boards help"
DIED = "the process that plays these rules has ended; it may have needed too much memory"


async def work(socket: WebSocket) -> None:
    """Let a page write a game, in a process of its own."""
    await socket.accept()
    await relay(socket)


async def relay(socket: WebSocket, *arguments: str, first: str = "", timed: bool = True) -> None:
    """Pass messages between a page and a process of its own until one of them ends, or the process takes too long.

    Args:
        socket: accepted.
        arguments: of `studio.worker`.
        first: a message to the process before those of the page.
        timed: whether each message has to be dealt with in time.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-X", "utf8", "-m", "studio.worker", *arguments, limit=MAX_MESSAGE, start_new_session=True,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    both = _Relay(socket, process, timed)
    if first:
        await both.pass_on(json.loads(first))
    tasks = [asyncio.create_task(part) for part in (both.to_process(), both.to_page(), both.watch())]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        reason = next((task.result() for task in done if task.result()), None)
        if reason is not None:
            with suppress(WebSocketDisconnect, RuntimeError):  # the page may be gone
                await socket.send_text(json.dumps({"type": "problem", "text": reason}))
                await socket.close()
    finally:
        for task in tasks:
            task.cancel()
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def received(socket: WebSocket) -> str:
    """Return the next message of a page. Long ones come in parts, all but the last with `+` before them.

    Raises:
        WebSocketDisconnect: the page is left, or the message is longer than any rules need.
    """
    parts: list[str] = []
    while True:
        text = await socket.receive_text()
        parts.append(text.removeprefix("+"))
        if not text.startswith("+"):
            return "".join(parts)
        if sum(map(len, parts)) > MAX_MESSAGE:
            await socket.close(1009)
            raise WebSocketDisconnect(1009)


class _Relay:
    """The two directions, and since when the process owes an answer."""

    def __init__(self, socket: WebSocket, process: asyncio.subprocess.Process, timed: bool) -> None:
        self.socket, self.process, self.timed = socket, process, timed
        self._owed: list[float] = []

    async def to_process(self) -> str | None:
        """Pass messages on until the page is left."""
        with suppress(WebSocketDisconnect, ConnectionError):
            while True:
                await self.pass_on(json.loads(await received(self.socket)))
        return None

    async def pass_on(self, message: dict[str, object]) -> None:
        """Send a message to the process, its type first."""
        assert self.process.stdin is not None
        kind = {"type": message.pop("type")} if "type" in message else {}
        line = json.dumps({**kind, **message}, separators=(",", ":"))
        if self.timed:
            self._owed.append(time.monotonic())
        self.process.stdin.write(line.encode() + b"\n")
        await self.process.stdin.drain()

    async def to_page(self) -> str | None:
        """Pass messages on until the process ends."""
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            if line == b'{"type":"done"}\n' and self._owed:
                del self._owed[0]
            elif self._owed:
                self._owed[0] = time.monotonic()  # it is at work, and tells how far it is
            await self.socket.send_text(line.decode().rstrip("\n"))
        return DIED

    async def watch(self) -> str:
        """Return once the process takes too long."""
        while not self._owed or time.monotonic() < self._owed[0] + PATIENCE_S:
            await asyncio.sleep(LOOK_S)
        return TOO_LONG


async def speak(socket: WebSocket) -> None:
    """Serve an editor in a page: the language server's messages, one a frame."""
    await socket.accept()
    if find_spec("pygls") is None:
        await socket.close(1011, "the language server needs the package pygls: pip install 'ggp[lsp]'")
        return
    from ggp.language_server.server import create_server

    server = create_server(Path(str(files("rules"))))
    frames = _Frames(socket)
    server.protocol.set_writer(frames, include_headers=False)
    with suppress(WebSocketDisconnect):
        while True:
            text = await received(socket)
            server.protocol.handle_message(json.loads(text, object_hook=server.protocol.structure_message))
    server.stop()
    frames.close()


class _Frames:
    """Writes for pygls: each message a frame, in order."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue()
        self._task = asyncio.create_task(self._send())

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the page may be gone
            while True:
                await self._socket.send_text((await self._waiting.get()).decode())

    def write(self, data: bytes) -> None:
        """Send a message soon."""
        self._waiting.put_nowait(data)

    def close(self) -> None:
        """Send no more."""
        self._task.cancel()
