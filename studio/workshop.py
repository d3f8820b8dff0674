"""Between pages and the processes in which rules of anybody's are compiled and played; and the language server."""

from __future__ import annotations

import asyncio
import itertools
import json
import secrets
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

MAX_MESSAGE = 4 << 20
"""Bytes of a message to or from a process."""
PATIENCE_S, LOOK_S = 60.0, 1.0
"""Seconds in which a process must have dealt with a message; how often that is looked at."""
LINGER_S = 600.0
"""How long a game with links waits for somebody to come back, once all windows are closed."""
TOO_LONG = "these rules take too long to compile or to play; smaller types, sets and boards help"
DIED = "the process that plays these rules has ended; it may have needed too much memory"
FULL = "too many people sit or write here at the moment; come back later"


class Workshop:
    """The processes of games that are written, sat at, or played by link; a window each, or several of one table.

    Args:
        limit: processes at the same time.
    """

    def __init__(self, limit: int = 64) -> None:
        self.limit = limit
        self._workers: dict[str, _Worker] = {}

    async def play(self, socket: WebSocket) -> None:
        """Let a page write and play games. A link that one of them gave away leads into the same process."""
        await socket.accept()
        with suppress(WebSocketDisconnect):
            first = await received(socket)
            table = str(message_of(first).get("table") or "")
            await self.serve(socket, "draft", first=first, name=table.partition(".")[0])

    async def edit(self, socket: WebSocket) -> None:
        """Serve an editor: its language server runs apart, too."""
        await socket.accept()
        await self.serve(socket, "language", timed=False)

    async def serve(self, socket: WebSocket, kind: str, *, first: str = "", timed: bool = True, name: str = "") -> None:
        """Pass messages between a page and a process until one of them ends, or the process takes too long.

        Args:
            socket: accepted.
            kind: what the process does, see `studio.worker`.
            first: a message to the process before those of the page.
            timed: whether each message has to be dealt with in time.
            name: of a process that the page belongs to; without it, or if it has ended, a new one is started.
        """
        worker = self._workers.get(name)
        if worker is None:
            if len(self._workers) >= self.limit:
                await refuse(socket, FULL)
                return
            name = secrets.token_hex(8)
            worker = self._workers[name] = _Worker(timed)
            try:
                await worker.start(kind, name)
            except OSError:
                del self._workers[name]
                raise
        try:
            await worker.serve(socket, first)
        finally:
            if not worker.windows and not (worker.is_shared and await worker.is_waited_for()):
                self._workers.pop(name, None)
                await worker.end()


async def started(*arguments: str) -> Process:
    """Start a process that does what `studio.worker` is told to, which Ctrl-C in a terminal does not reach."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-X", "utf8", "-m", "studio.worker", *arguments, limit=MAX_MESSAGE, start_new_session=True,
        stdin=PIPE, stdout=PIPE, stderr=DEVNULL,
    )  # fmt: skip


async def end(process: Process) -> None:
    """End a process at once."""
    with suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def refuse(socket: WebSocket, why: str) -> None:
    """Tell a page why it is not served, and close."""
    with suppress(WebSocketDisconnect, RuntimeError):  # the page may be gone
        await socket.send_text(json.dumps({"type": "problem", "text": why}))
        await socket.close(1008)


def message_of(text: str) -> dict[str, Any]:
    """Return a page's message; pages that send no JSON objects are left.

    Raises:
        WebSocketDisconnect: it is none.
    """
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise WebSocketDisconnect(1007) from error


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


class _Worker:
    """A process, the windows that it serves, and since when it owes each an answer.

    Lines to and from it begin with the number of a window; a number alone says that the window is closed.

    Attributes:
        windows: by number.
        is_shared: a link to a seat has been asked for, so that others may come.
    """

    def __init__(self, timed: bool) -> None:
        self.windows: dict[int, WebSocket] = {}
        self.is_shared = False
        self._timed = timed
        self._numbers = itertools.count(1)
        self._owed: dict[int, list[float]] = {}
        self._came = asyncio.Event()
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Resolved with the reason once the process is not to be used any more."""

    async def start(self, kind: str, name: str) -> None:
        """Start the process."""
        self._process = await started(kind, name)
        self._tasks = [asyncio.create_task(part) for part in (self._to_pages(), self._watch())]

    async def serve(self, socket: WebSocket, first: str) -> None:
        """Serve a window until it is closed or the process ends."""
        number = next(self._numbers)
        self.windows[number] = socket
        self._came.set()
        receiving = asyncio.create_task(self._receive(number, socket, first))
        try:
            await self._first_of(receiving)
            if self._ended.done():
                await refuse(socket, self._ended.result())
        finally:
            receiving.cancel()
            await asyncio.gather(receiving, return_exceptions=True)
            del self.windows[number]
            self._owed.pop(number, None)
            with suppress(ConnectionError):
                await self._write(str(number))

    async def is_waited_for(self) -> bool:
        """Wait for another window; return whether one came before the process ended, or long passed."""
        self._came.clear()
        coming = asyncio.create_task(self._came.wait())
        await self._first_of(coming, LINGER_S)
        coming.cancel()
        return bool(self.windows) or self._came.is_set()

    async def _first_of(self, task: asyncio.Future[Any], timeout_s: float | None = None) -> None:
        """Wait for a task, or for the end of the process."""
        both = (task, self._ended)
        await asyncio.wait(both, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)

    async def end(self) -> None:
        """End the process."""
        for task in self._tasks:
            task.cancel()
        await end(self._process)

    async def _receive(self, number: int, socket: WebSocket, first: str) -> None:
        with suppress(WebSocketDisconnect, ConnectionError):
            text = first or await received(socket)
            while True:
                message = message_of(text)
                seats = message.get("seats")
                if "link" in (message.get("against"), *(seats.values() if isinstance(seats, dict) else ())):
                    self.is_shared = True
                await self._pass_on(number, message)
                text = await received(socket)

    async def _pass_on(self, number: int, message: Mapping[str, Any]) -> None:
        """Send a message to the process, its type first."""
        if self._timed:
            self._owed.setdefault(number, []).append(time.monotonic())
        kind = {"type": message["type"]} if "type" in message else {}
        await self._write(f"{number} {json.dumps({**kind, **message}, separators=(',', ':'))}")

    async def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        await self._process.stdin.drain()

    async def _to_pages(self) -> None:
        """Pass messages on until the process ends."""
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            number, _, text = line.decode().rstrip("\n").partition(" ")
            owed = self._owed.get(int(number))
            if owed and text == '{"type":"done"}':
                del owed[0]
            elif owed:
                owed[0] = time.monotonic()  # it is at work, and tells how far it is
            window = self.windows.get(int(number))
            if window is not None:
                with suppress(WebSocketDisconnect, RuntimeError):  # it is being closed
                    await window.send_text(text)
        self._ended.set_result(DIED)

    async def _watch(self) -> None:
        """End the process once it takes too long."""
        while all(not owed or time.monotonic() < owed[0] + PATIENCE_S for owed in self._owed.values()):
            await asyncio.sleep(LOOK_S)
        self._tasks[0].cancel()
        if not self._ended.done():
            self._ended.set_result(TOO_LONG)


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
