"""The web application of `ggp studio`: pages, an API and websockets for games on this machine, and for it alone."""

from __future__ import annotations

import asyncio
from pathlib import PurePath
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from ggp.errors import GgpError
from server.network.cross_site import CrossSiteGuard
from server.web.pages import HEADERS, shell, static
from studio.catalogue import described, games, may_be_played, no_such_game, picture
from studio.one_page.writing import exported
from studio.room import Rooms
from studio.session import Session
from studio.workshop import Workshop, speak


def application(own_games: tuple[str, ...] = ()) -> Starlette:
    """Return the application.

    Args:
        own_games: rules files that the gallery shows before the library.
    """
    rooms, workshop = Rooms(), Workshop()

    async def listed(_: Request) -> Response:
        return _json(await asyncio.to_thread(games, own_games))

    async def one(request: Request) -> Response:
        return _json(described(_playable(request, own_games)))

    async def pictured(request: Request) -> Response:
        svg = await asyncio.to_thread(picture, _playable(request, own_games))
        return Response(svg, media_type="image/svg+xml", headers={**HEADERS, "cache-control": "max-age=3600"})

    async def page(request: Request) -> Response:
        name = _playable(request, own_games)
        query = request.query_params.items()
        parameters = {key.removeprefix("p."): value for key, value in query if key.startswith("p.")}
        text = await asyncio.to_thread(exported, name, parameters)
        file = {"content-disposition": f'attachment; filename="{quote(PurePath(name).stem)}.html"'}
        return Response(text, media_type="text/html; charset=utf-8", headers={**HEADERS, **file})

    async def play(socket: WebSocket) -> None:
        await Session(socket, rooms, own_games).run()

    return Starlette(
        routes=[
            Route("/api/games", listed),
            Route("/api/game", one),
            Route("/api/picture", pictured),
            Route("/api/page", page),
            WebSocketRoute("/api/play", play),
            WebSocketRoute("/api/draft", workshop.play),
            WebSocketRoute("/api/language", speak),
            Route("/static/{name}", static),
            Route("/{rest:path}", shell),
        ],
        middleware=[Middleware(CrossSiteGuard)],
        exception_handlers={GgpError: _refused},
    )


def _playable(request: Request, own_games: tuple[str, ...]) -> str:
    name = request.query_params.get("name", "")
    if not may_be_played(name, own_games):
        raise HTTPException(404, no_such_game(name))
    return name


async def _refused(_: Request, error: Exception) -> Response:
    return PlainTextResponse(str(error), 422, headers=HEADERS)


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json", headers=HEADERS)
