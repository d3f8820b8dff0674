"""What a manager offers people in browsers: the library, games to play, seats at boards, and a workshop.

Games are played in processes that the manager does not wait for: at most so many at a time, with limits of memory and
time.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Sequence
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
from server.web.pages import HEADERS, shell
from studio.catalogue import described, games, no_such_game
from studio.seat import sitting
from studio.workshop import Workshop, end, message_of, received, refuse, started


class Visitors:
    """The websockets for people in browsers.

    Args:
        manager: whose matches they play.
        limit: processes at the same time.
    """

    def __init__(self, manager: Manager, limit: int) -> None:
        self._manager = manager
        self._workshop = Workshop(limit)
        self._pictures = Pictures()

    def routes(self) -> Sequence[BaseRoute]:
        """Return the addresses of the pages and of their websockets: everybody may read, visitors may play."""
        reading = [
            Route("/games", shell),
            Route("/games/{name}", shell),
            Route("/api/games", _games),
            Route("/api/game", _game),
            Route("/api/picture", self._pictures.picture),
        ]
        if not self._workshop.limit:
            return reading
        return [
            *reading,
            Route("/sit", shell),
            Route("/write", shell),
            Route("/play", shell),
            WebSocketRoute("/api/seat", self.sit),
            WebSocketRoute("/api/play", self._workshop.play),
            WebSocketRoute("/api/draft", self._workshop.play),
            WebSocketRoute("/api/language", self._workshop.edit),
        ]

    async def sit(self, socket: WebSocket) -> None:
        """Show a player of a match, which sends its token, what its seat sees of the messages that it passes on."""
        await socket.accept()
        with suppress(WebSocketDisconnect):
            await self._sit(socket)

    async def _sit(self, socket: WebSocket) -> None:
        asked = message_of(await received(socket))
        token, id_ = str(asked.get("token")), str(asked.get("match"))
        member = self._manager.members.with_token(token)

        def read(connection: sqlite3.Connection) -> tuple[Created, str] | None:
            found = records.matches(connection, id_=id_)
            if not found or member is None or member.id not in found[0].players:
                return None
            return records.created_of(connection, id_), found[0].roles[found[0].players.index(member.id)]

        found = await self._manager.store.read(read)
        if found is None:
            await refuse(socket, "only for a player of the match, with its token")
            return
        created, role = found
        first = sitting(created.game, created.rules, role, created.files, created.parameters)
        await self._workshop.serve(socket, "seat", first=first)


class Pictures:
    """Pictures of the library's games, drawn once, when one is asked for, in a process of their own."""

    def __init__(self) -> None:
        self._drawn: dict[str, asyncio.Future[str]] = {}
        self._drawing: asyncio.Task[None] | None = None

    async def picture(self, request: Request) -> Response:
        """Return the picture of a library game."""
        name = _library_game(request)
        if self._drawing is None:
            loop = asyncio.get_running_loop()
            self._drawn = {each: loop.create_future() for each in library_names()}
            self._drawing = asyncio.create_task(self._draw())
        svg = await asyncio.shield(self._drawn[name])
        if not svg:
            raise Refusal(404, "this game is not drawn")
        return Response(svg, media_type="image/svg+xml", headers={**HEADERS, "cache-control": "max-age=3600"})

    async def _draw(self) -> None:
        process = await started("pictures")
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                name, svg = json.loads(line)
                self._drawn[name].set_result(svg)
        finally:
            for future in self._drawn.values():
                if not future.done():
                    future.set_result("")
            await end(process)


async def _games(_: Request) -> Response:
    return as_json(await asyncio.to_thread(games))


async def _game(request: Request) -> Response:
    return as_json(described(_library_game(request)))


def _library_game(request: Request) -> str:
    """Return the library game that is asked for: no file of this machine is given away.

    Raises:
        Refusal: there is none of this name.
    """
    name = request.query_params.get("name", "")
    if name not in library_names():
        raise Refusal(404, no_such_game(name))
    return name
