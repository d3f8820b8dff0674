"""The manager's web front: the players' websocket, a JSON API, maintenance of the store, and pages, as one ASGI
application.

Of matches in play it shows only what anyone may know: no actions, no seeds.
"""

from __future__ import annotations

import asyncio
import datetime
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from ggp.errors import GgpError
from ggp.protocol.messages import PROTOCOL_VERSION
from ggp.protocol.schema import protocol_schema
from server.competitions.registry import Competitions
from server.competitions.settings import CompetitionSettings
from server.matches.manager import Manager
from server.network.admission import Admission
from server.network.answers import Access, Refusal, as_json, body_of, page_of, problem
from server.network.competition_api import CompetitionApi, InvitationRequest, ReasonRequest
from server.network.cross_site import CrossSiteGuard
from server.network.feed import Feeds
from server.network.match_api import MatchApi, MatchRequest
from server.network.metrics import exposition, open_files, resident_bytes
from server.network.openapi import openapi
from server.store.archive import archive_batch, copy_store
from server.store.store import Store, StoreFailed
from server.store.wall_clock import iso_text
from server.web.pages import manager_routes, no_page, to_pages, wants_page


class ArchiveRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /archive`: journals of matches that ended more than this many days ago."""

    older_than_days: Annotated[float, Meta(ge=0, le=36_500)] = 30.0


class UpkeepApi:
    """The handlers.

    Args:
        store: of the manager. Archives and copies are written beside it: requests cannot name files.
        access: decides who may use it.
    """

    def __init__(self, store: Store, access: Access) -> None:
        self._store = store
        self._access = access
        self._busy = asyncio.Lock()

    async def archive(self, request: Request) -> Response:
        """Move old journals out of the store into a folder beside it; results and errors stay."""
        self._access.check(request)
        wanted = await body_of(request, ArchiveRequest)
        before = iso_text(datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=wanted.older_than_days))
        folder = self._store.path.with_name(f"{self._store.path.name}-journals")
        async with self._only_one():
            count = 0
            try:
                while (some := await asyncio.to_thread(archive_batch, self._store, folder, before)) > 0:
                    count += some
            except OSError as error:
                raise Refusal(507, f"cannot archive to {folder}: {error.strerror}; nothing more was removed") from error
        return as_json({"archived": count, "folder": str(folder)})

    async def backup(self, request: Request) -> Response:
        """Copy the store to a file beside it, while the manager is running."""
        self._access.check(request)
        moment = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d-%H%M%S-%f")
        target: Path = self._store.path.with_name(f"{self._store.path.name}-{moment}.backup")
        async with self._only_one():
            try:
                await asyncio.to_thread(copy_store, self._store.path, target)
            except OSError as error:
                raise Refusal(507, f"cannot write {target}: {error.strerror}") from error
        return as_json({"file": str(target), "bytes": target.stat().st_size}, 201)

    def _only_one(self) -> asyncio.Lock:
        if self._busy.locked():
            raise Refusal(409, "the store is being archived or copied already")
        return self._busy


BODIES: dict[str, type] = {
    "make_match": MatchRequest,
    "make": CompetitionSettings,
    "change": dict[str, Any],
    "act": ReasonRequest,
    "act_on_entrant": ReasonRequest,
    "invite": InvitationRequest,
    "archive": ArchiveRequest,
}


ALLOW_HOST = "; the host of this manager can allow that name: `ggp serve --allow-host NAME`"


class Api:
    """The application, and the handlers that are not about matches or competitions.

    Args:
        manager: whose matches they show and create.
        competitions: of the manager.
        admission: of its players.
        admin_token: see `Access`.
        allowed_hosts: see `CrossSiteGuard`.
        more: addresses of others, such as of what it offers people in browsers.
    """

    def __init__(
        self,
        manager: Manager,
        competitions: Competitions,
        admission: Admission,
        admin_token: str | None,
        allowed_hosts: Sequence[str] = (),
        more: Sequence[BaseRoute] = (),
    ) -> None:
        self._manager = manager
        self._more = more
        self._allowed_hosts = allowed_hosts
        self._competitions = competitions
        self._admission = admission
        access = Access(admin_token)
        self._match_api = MatchApi(manager, access)
        self._feeds = Feeds(manager, access)
        self._upkeep = UpkeepApi(manager.store, access)
        self._competition_api = CompetitionApi(competitions, manager.store, access)
        self._schema = msgspec.json.encode(protocol_schema())
        self._routes = self._all_routes()
        self._openapi = msgspec.json.encode(openapi(self._routes, BODIES, f"{PROTOCOL_VERSION}.0"))

    def application(self) -> Starlette:
        """Return the ASGI application."""

        async def play(websocket: WebSocket) -> None:
            await self._admission.serve_player(websocket)

        routes: list[BaseRoute] = [WebSocketRoute("/play", play), *self._routes, *manager_routes(), *self._more]
        application = Starlette(
            routes=routes,
            middleware=[Middleware(CrossSiteGuard, self._allowed_hosts, ALLOW_HOST)],
            exception_handlers={
                Refusal: _refused,
                HTTPException: _http_error,
                StoreFailed: _store_failed,
                GgpError: _wrong,
            },
        )
        # people in browsers play over websockets, if the host lets them
        application.state.door = "manager" if any(isinstance(one, WebSocketRoute) for one in self._more) else "reading"
        return application

    def _all_routes(self) -> list[Route]:
        matches, competitions = self._match_api, self._competition_api
        one = "/competitions/{competition}"
        return [
            Route("/", self.index),
            Route("/health", self.health),
            Route("/metrics", self.metrics),
            Route("/protocol.json", self.protocol),
            Route("/openapi.json", self.openapi),
            Route("/players", self.players),
            Route("/matches", matches.matches, methods=["GET"]),
            Route("/matches", matches.make_match, methods=["POST"]),
            Route("/matches/{match}", matches.match, methods=["GET"]),
            Route("/matches/{match}", matches.stop_match, methods=["DELETE"]),
            Route("/matches/{match}/journal", matches.journal),
            Route("/matches/{match}/feed", self._feeds.feed),
            Route("/matches/{match}/view", self._feeds.view, methods=["POST"]),
            Route("/archive", self._upkeep.archive, methods=["POST"]),
            Route("/backup", self._upkeep.backup, methods=["POST"]),
            Route("/competitions", competitions.competitions, methods=["GET"]),
            Route("/competitions", competitions.make, methods=["POST"]),
            Route(one, competitions.competition, methods=["GET"]),
            Route(one, competitions.change, methods=["PATCH"]),
            Route(f"{one}/standings", competitions.standings),
            Route(f"{one}/ratings", competitions.ratings),
            Route(f"{one}/entrants", competitions.entrants),
            Route(f"{one}/meetings", competitions.meetings),
            Route(f"{one}/invitations", competitions.invitations, methods=["GET"]),
            Route(f"{one}/invitations", competitions.invite, methods=["POST"]),
            Route(one + "/entrants/{name:path}/{action}", competitions.act_on_entrant, methods=["POST"]),
            Route(one + "/{action}", competitions.act, methods=["POST"]),
        ]

    async def index(self, request: Request) -> Response:
        """List the addresses; browsers are redirected to the pages."""
        if wants_page(request):
            return to_pages()
        see = ["/health", "/metrics", "/protocol.json", "/openapi.json", "/players", "/matches", "/competitions"]
        return as_json({"server": "ggp", "play": "/play (websocket)", "see": see})

    async def health(self, _: Request) -> Response:
        """Return whether the manager works, and how late it enforces deadlines."""
        manager = self._manager
        lateness_ms = manager.lateness_p99_ms()
        failure, suspended = manager.store.failure, self._competitions.suspended
        body = {
            "status": "failed" if failure is not None else "degraded" if suspended else "ok",
            "failure": failure,
            "suspended": suspended,
            "protocol": PROTOCOL_VERSION,
            "players_connected": len(manager.members.connected),
            "matches_running": len(manager.matches),
            "competitions": len(self._competitions.all),
            "deadlines_enforced": manager.deadlines_enforced,
            "deadline_lateness_p99_ms": lateness_ms,
        }
        return as_json(body, 200 if failure is None else 503)

    async def metrics(self, _: Request) -> Response:
        """Return all metrics in the text format of Prometheus."""
        manager = self._manager
        states = Counter(competition.state for competition in self._competitions.all)
        lateness_ms = manager.lateness_p99_ms()
        gauges: list[tuple[str, str, tuple[tuple[str, str], ...], float | None]] = [
            ("store_failed", "Whether nothing can be stored any more.", (), manager.store.failure is not None),
            ("store_waiting", "Operations that wait to be stored.", (), manager.store.waiting),
            ("players_connected", "Players that are connected.", (), len(manager.members.connected)),
            ("players_known", "Players that ever joined.", (), len(manager.members.by_id)),
            ("matches_running", "Matches in play.", (), len(manager.matches)),
            ("unread_bytes", "Messages that wait for slow players, in bytes.", (), self._admission.unread_bytes),
            ("deadlines_enforced", "Deadlines that passed without an answer.", (), manager.deadlines_enforced),
            (
                "deadline_lateness_p99_seconds",
                "How late the last deadlines were enforced, 99th percentile.",
                (),
                None if lateness_ms is None else lateness_ms / 1000,
            ),
            ("tasks", "Tasks of the event loop.", (), len(asyncio.all_tasks())),
            ("resident_bytes", "Memory of the process.", (), resident_bytes()),
            ("open_files", "Files and sockets that the process has open.", (), open_files()),
            *(
                ("competitions", "Competitions that are not over, by state.", (("state", state),), count)
                for state, count in sorted(states.items())
            ),
        ]
        text = exposition(manager.counters, gauges)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    async def protocol(self, _: Request) -> Response:
        """Return the JSON Schema of all messages."""
        return Response(self._schema, media_type="application/json")

    async def openapi(self, _: Request) -> Response:
        """Return the description of this API (OpenAPI 3.1)."""
        return Response(self._openapi, media_type="application/json")

    async def players(self, request: Request) -> Response:
        """List the connected players."""
        members = self._manager.members.connected
        return page_of(request, [{"name": member.name, "matches": len(member.matches)} for member in members])


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return problem(error.status, str(error))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404 and wants_page(request):
        return no_page(request)
    return problem(
        error.status_code, {404: "no such page", 405: "not with this method"}.get(error.status_code, error.detail)
    )


async def _store_failed(_: Request, error: Exception) -> Response:
    return problem(503, str(error))


async def _wrong(_: Request, error: Exception) -> Response:
    return problem(422, str(error))
