"""What a manager offers people in browsers: seats at boards, and a workshop, each in a process of its own.

The manager waits for none of these processes; there are at most so many at a time, with limits of memory and time.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ggp.language import library_names
from server.matches.manager import Manager
from server.network.answers import Refusal, as_json
from server.referee.journal import Created
from server.store import records
from server.web.pages import shell
from studio.catalogue import described, games
from studio.seat import sitting
from studio.workshop import relay

FULL = "too many people sit or write here at the moment; come back later"


class Visitors:
    """The websockets for people in browsers.

    Args:
        manager: whose matches they play.
        limit: processes at the same time.
    """

    def __init__(self, manager: Manager, limit: int) -> None:
        self._manager = manager
        self._free = limit

    def routes(self) -> Sequence[BaseRoute]:
        """Return the addresses of the pages and of their websockets."""
        return [
            Route("/sit", shell),
            Route("/write", shell),
            Route("/play", shell),
            Route("/api/games", _games),
            Route("/api/game", _game),
            WebSocketRoute("/api/seat", self._guarded(self.sit)),
            WebSocketRoute("/api/draft", self._guarded(relay)),
            WebSocketRoute("/api/language", self._guarded(_edit)),
        ]

    def _guarded(self, serve: Callable[[WebSocket], Awaitable[None]]) -> Callable[[WebSocket], Awaitable[None]]:
        async def guarded(socket: WebSocket) -> None:
            await socket.accept()
            if not self._free:
                await _refuse(socket, FULL)
                return
            self._free -= 1
            try:
                with suppress(WebSocketDisconnect):
                    await serve(socket)
            finally:
                self._free += 1

        return guarded

    async def sit(self, socket: WebSocket) -> None:
        """Show a player of a match, which sends its token, what its seat sees of the messages that it passes on."""
        asked = json.loads(await socket.receive_text())
        token, id_ = str(asked.get("token")), str(asked.get("match"))
        member = self._manager.members.with_token(token)

        def read(connection: sqlite3.Connection) -> tuple[Created, str] | None:
            found = records.matches(connection, id_=id_)
            if not found or member is None or member.id not in found[0].players:
                return None
            return records.created_of(connection, id_), found[0].roles[found[0].players.index(member.id)]

        found = await self._manager.store.read(read)
        if found is None:
            await _refuse(socket, "only for a player of the match, with its token")
            return
        created, role = found
        first = sitting(created.game, created.rules, role, created.files, created.parameters)
        await relay(socket, "seat", first=first)


async def _games(_: Request) -> Response:
    return as_json(await asyncio.to_thread(games))


async def _game(request: Request) -> Response:
    """Return a library game, and no file of this machine."""
    name = request.query_params.get("name", "")
    if name not in library_names():
        raise Refusal(404, f"there is no game `{name[:64]}` here")
    return as_json(described(name))


async def _edit(socket: WebSocket) -> None:
    """Serve an editor: its language server runs apart, too."""
    await relay(socket, "language", timed=False)


async def _refuse(socket: WebSocket, why: str) -> None:
    await socket.send_text(json.dumps({"type": "problem", "text": why}))
    await socket.close(1008)
