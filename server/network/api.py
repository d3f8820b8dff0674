"""The manager's web front: the players' websocket and a JSON API, as one ASGI application.

What is not over is shown only as far as everybody may know it: no actions, no seeds.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, cast

import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from ggp.errors import GgpError
from ggp.protocol.messages import PROTOCOL_VERSION, Name
from ggp.protocol.schema import protocol_schema
from server.matches.cross_table import table_of_matches
from server.matches.manager import Manager, MatchOrder, MatchRefused
from server.referee.clocks import ClockSettings
from server.store import records
from server.store.records import MatchRow
from server.store.store import StoreFailed

MAX_BODY_BYTES = 64 * 1024
BODY_TIMEOUT_S = 10.0
MAX_LISTED = 1000
READERS = 2
"""Threads that read the store for the API."""
LOOPBACK = ("127.0.0.1", "::1")


class MatchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /matches`. `players` are names of connected players, in the order of the game's roles."""

    game: str
    players: Annotated[list[Name], Meta(min_length=1)]
    parameters: dict[str, str] = {}
    start_clock_ms: int = 10_000
    play_clock_ms: int = 5_000
    seed: str | None = None


class Api:
    """The handlers of the JSON API.

    Args:
        manager: whose matches they show and make.
        allowance_ms: what new matches allow for the network.
        admin_token: who may make matches: those who show it as a bearer token; None: those on this machine.
    """

    def __init__(self, manager: Manager, allowance_ms: int, admin_token: str | None) -> None:
        self._manager = manager
        self._allowance_ms = allowance_ms
        self._admin_token = admin_token
        # Whoever asks for much waits for others who do; the manager's own work needs the interpreter, too.
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._schema = msgspec.json.encode(protocol_schema())

    def application(self) -> Starlette:
        """Return the ASGI application."""

        async def play(websocket: WebSocket) -> None:
            await self._manager.reception.serve_player(websocket)

        return Starlette(
            routes=[
                WebSocketRoute("/play", play),
                Route("/", self.index),
                Route("/health", self.health),
                Route("/protocol.json", self.protocol),
                Route("/players", self.players),
                Route("/matches", self.matches, methods=["GET"]),
                Route("/matches", self.make_match, methods=["POST"]),
                Route("/matches/{match}", self.match, methods=["GET"]),
                Route("/matches/{match}", self.stop_match, methods=["DELETE"]),
                Route("/matches/{match}/journal", self.journal),
                Route("/tournaments", self.tournaments),
                Route("/tournaments/{tournament}", self.tournament),
            ]
        )

    async def index(self, _: Request) -> Response:
        """Say where everything is."""
        return _json(
            {
                "server": "ggp",
                "play": "/play (websocket)",
                "see": ["/health", "/protocol.json", "/players", "/matches", "/tournaments"],
            }
        )

    async def health(self, _: Request) -> Response:
        """Say whether the manager works, and how late it enforces deadlines."""
        manager = self._manager
        lateness_ms = manager.lateness_p99_ms()
        failure = manager.store.failure
        body = {
            "status": "ok" if failure is None else "failed",
            "failure": failure,
            "protocol": PROTOCOL_VERSION,
            "players_connected": len(manager.members.connected),
            "matches_running": len(manager.matches),
            "deadlines_enforced": manager.deadlines_enforced,
            "deadline_lateness_p99_ms": lateness_ms,
        }
        return _json(body, 200 if failure is None else 503)

    async def protocol(self, _: Request) -> Response:
        """Give the JSON Schema of all messages."""
        return Response(self._schema, media_type="application/json")

    async def players(self, _: Request) -> Response:
        """List who is connected."""
        members = self._manager.members.connected
        return _json([{"name": member.name, "matches": len(member.matches)} for member in members])

    async def matches(self, request: Request) -> Response:
        """List matches, the latest last; `state`, `tournament` and `limit` narrow the list."""
        query = request.query_params
        state = query.get("state")
        if state not in (None, "running", "finished", "aborted"):
            return _problem(400, "`state` is running, finished or aborted")
        limit = query.get("limit", "100")
        if not limit.isascii() or not limit.isdigit() or len(limit) > 6:
            return _problem(400, "`limit` is a number")

        def read(connection: sqlite3.Connection) -> Response:
            rows = records.matches(
                connection,
                state=cast("records.MatchState | None", state),
                tournament=query.get("tournament"),
                limit=min(int(limit), MAX_LISTED),
            )
            return _json([_match_body(row) for row in rows])

        return await self._read(read)

    async def match(self, request: Request) -> Response:
        """Give one match, with its last errors on record once it is over: they tell who acted, and what was tried."""
        id_ = request.path_params["match"]

        def read(connection: sqlite3.Connection) -> Response:
            rows = records.matches(connection, id_=id_)
            if not rows:
                return _problem(404, "no such match")
            body = {**_match_body(rows[0]), "error_list": None}
            if rows[0].state != "running":
                body["error_list"] = records.errors(connection, match=id_, limit=MAX_LISTED)
            return _json(body)

        return await self._read(read)

    async def journal(self, request: Request) -> Response:
        """Give the journal of a match whose seed is published, as JSON lines."""
        id_ = request.path_params["match"]

        def read(connection: sqlite3.Connection) -> Response:
            rows = records.matches(connection, id_=id_)
            if not rows:
                return _problem(404, "no such match")
            if not rows[0].released:
                return _problem(409, "the match, or one that shares its chance, is still played")
            return Response(records.journal_text(connection, id_), media_type="application/jsonl")

        return await self._read(read)

    async def tournaments(self, _: Request) -> Response:
        """List tournaments."""

        def read(connection: sqlite3.Connection) -> Response:
            rows = records.tournaments(connection)
            return _json([{"id": row.id, "state": row.state, "created_at": row.created_at} for row in rows])

        return await self._read(read)

    async def tournament(self, request: Request) -> Response:
        """Give a tournament's cross table so far."""
        id_ = request.path_params["tournament"]

        def read(connection: sqlite3.Connection) -> Response:
            body = _tournament_body(connection, id_)
            return _problem(404, "no such tournament") if body is None else _json(body)

        return await self._read(read)

    async def make_match(self, request: Request) -> Response:
        """Make a match between connected players."""
        if not self._may_make(request):
            return self._not_allowed()
        # Of these types browsers send nothing across sites without asking first.
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _problem(415, "send application/json")
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > MAX_BODY_BYTES:
                        return _problem(413, f"{MAX_BODY_BYTES} bytes at most")
        except TimeoutError:
            return _problem(408, f"the body did not come within {BODY_TIMEOUT_S:.0f} seconds")
        try:
            wanted = msgspec.json.decode(bytes(body), type=MatchRequest)
            match = await self._make(wanted)
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as error:
            return _problem(400, str(error))
        except StoreFailed as error:
            return _problem(503, str(error))
        except GgpError as error:
            return _problem(422, str(error))
        return _json({"match": match}, 201)

    async def stop_match(self, request: Request) -> Response:
        """End a match in play as aborted."""
        if not self._may_make(request):
            return self._not_allowed()
        match = self._manager.matches.get(request.path_params["match"])
        if match is None:
            return _problem(404, "no such match is being played")
        match.stop("it was stopped by who hosts it")
        return _json({"match": match.id}, 202)

    async def _make(self, wanted: MatchRequest) -> str:
        members = [self._manager.members.named(name) for name in wanted.players]
        missing = [name for name, member in zip(wanted.players, members, strict=True) if member is None]
        if missing:
            raise MatchRefused(f"not connected: {', '.join(missing)}")
        clocks = ClockSettings(wanted.start_clock_ms, wanted.play_clock_ms, self._allowance_ms)
        group = secrets.token_hex(6)
        if wanted.seed is not None:
            # Matches with one seed share their chance: it is told when the last of them is over.
            group = f"seed-{hashlib.sha256(wanted.seed.encode()).hexdigest()[:12]}"
        order = MatchOrder(
            source=await self._manager.games.find(wanted.game, wanted.parameters),
            players=tuple(member for member in members if member is not None),
            clocks=clocks,
            seed=secrets.token_hex(16) if wanted.seed is None else wanted.seed,
            chance_group=group,
        )
        match, _ = await self._manager.start_match(order)
        return match

    def _may_make(self, request: Request) -> bool:
        if self._admin_token is None:
            return request.client is not None and request.client.host in LOOPBACK
        given = request.headers.get("authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {self._admin_token}".encode())

    def _not_allowed(self) -> Response:
        return _problem(
            403, "matches are made and stopped from this machine only" if self._admin_token is None else "no token"
        )

    async def _read(self, query: Callable[[sqlite3.Connection], Response]) -> Response:
        """Answer by what is stored, beside the event loop: reading, adding up and encoding."""

        def read() -> Response:
            with self._manager.store.reading() as connection:
                return query(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, read)


def _tournament_body(connection: sqlite3.Connection, id_: str) -> dict[str, Any] | None:
    found = records.tournaments(connection, id_=id_)
    if not found:
        return None
    rows = records.matches(connection, tournament=id_)
    over = sum(row.state != "running" for row in rows)
    return {"id": id_, "state": found[0].state, "matches_over": over, "table": table_of_matches(rows)}


def _match_body(row: MatchRow) -> dict[str, Any]:
    return {
        "match": row.id,
        "tournament": row.tournament,
        "game": row.game,
        "parameters": row.parameters,
        "state": row.state,
        "reason": row.reason,
        "players": dict(zip(row.roles, row.names, strict=True)),
        "utilities": None if row.utilities is None else dict(zip(row.roles, row.utilities, strict=True)),
        "errors": None if row.state == "running" else dict(zip(row.roles, row.errors, strict=True)),
        "journal": row.released,
        "created_at": row.created_at,
        "ended_at": row.ended_at,
    }


def _json(body: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, media_type="application/json")


def _problem(status: int, message: str) -> Response:
    return _json({"error": message}, status)
