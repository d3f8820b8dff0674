"""The HTTP API of competitions: creates, changes, pauses and cancels them, and administers entrants."""

from __future__ import annotations

import sqlite3
from typing import Annotated, Any, cast, get_args

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from ggp.competition.standings import standings_csv
from server.competitions.competition import Competition
from server.competitions.field import HostAction
from server.competitions.registry import Competitions, CompetitionUnknown
from server.competitions.settings import CompetitionSettings
from server.competitions.table import competition_table, rating_course
from server.network.answers import Access, Refusal, as_json, body_of, limit_of, offset_of, page, page_of
from server.store import competition_records
from server.store.competition_records import CompetitionRow, CompetitionState
from server.store.store import Store


class InvitationRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /competitions/ID/invitations`. `note` is only shown to hosts."""

    note: Annotated[str, Meta(max_length=200)] = ""


class ReasonRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an action on a competition or an entrant. `reason` is told to the players concerned."""

    reason: Annotated[str, Meta(max_length=500)] | None = None


class CompetitionApi:
    """The handlers for competitions."""

    def __init__(self, competitions: Competitions, store: Store, access: Access) -> None:
        self._competitions = competitions
        self._read = store.read
        self._access = access

    async def competitions(self, request: Request) -> Response:
        """List competitions in the order in which they were created; `state` narrows the list."""
        state = request.query_params.get("state")
        if state not in (None, *get_args(CompetitionState)):
            raise Refusal(400, f"`state` is one of {', '.join(get_args(CompetitionState))}")

        hidden = not self._access.is_host(request)

        def read(connection: sqlite3.Connection) -> list[dict[str, Any]]:
            rows = competition_records.competitions(connection)
            private = competition_records.unlisted(connection) if hidden else frozenset()
            return [self._summary(row) for row in rows if state in (None, row.state) and row.id not in private]

        return page_of(request, await self._read(read))

    async def competition(self, request: Request) -> Response:
        """Return one competition: settings, state and progress."""
        is_host = self._access.is_host(request)

        def read(connection: sqlite3.Connection) -> dict[str, Any]:
            row = self._row(connection, request)
            settings = msgspec.to_builtins(msgspec.json.decode(row.settings, type=CompetitionSettings))
            entrants = competition_records.entrants(connection, row.id)
            if not is_host:
                settings.pop("allowed")
                settings["seed"] = settings["seed"] is not None or None
            counts: dict[str, int] = {}
            for entrant in entrants:
                counts[entrant.state] = counts.get(entrant.state, 0) + 1
            return {**self._summary(row), "settings": settings, "entrants": counts}

        body = await self._read(read)
        running = self._running(body["competition"])
        body["progress"] = None
        if running is not None:
            progress = running.progress
            body["progress"] = {
                "round": progress.round,
                "rounds": progress.rounds,
                "matches_over": progress.finished,
                "matches_known": progress.matches,
                "matches_running": len(progress.playing),
                "remaining_s": progress.remaining_s,
            }
            if is_host:
                body["warnings"], body["failure"] = running.warnings, running.failure
        return as_json(body)

    async def standings(self, request: Request) -> Response:
        """Return the standings, the best first, with the cross table; as CSV with `format=csv`."""

        def read(connection: sqlite3.Connection) -> Response:
            table = competition_table(connection, self._row(connection, request).id)
            if request.query_params.get("format") == "csv":
                return Response(standings_csv(table), media_type="text/csv; charset=utf-8")
            return page_of(request, table)

        return await self._read(read)

    async def ratings(self, request: Request) -> Response:
        """Return the rating of one `player` over the course of the competition, with its 95 % interval."""
        wanted = request.query_params.get("player", "")

        def read(connection: sqlite3.Connection) -> Response:
            row = self._row(connection, request)
            names = {one.name: one.player for one in competition_records.entrants(connection, row.id)}
            if wanted not in names:
                raise Refusal(404, "no such player in this competition")
            return as_json(rating_course(connection, row.id, names[wanted]))

        return await self._read(read)

    async def entrants(self, request: Request) -> Response:
        """List entrants in the order in which they entered."""
        is_host = self._access.is_host(request)

        def read(connection: sqlite3.Connection) -> Response:
            rows = competition_records.entrants(connection, self._row(connection, request).id)
            bodies: list[dict[str, Any]] = []
            for row in rows:
                bodies.append({"name": row.name, "state": row.state, "entered_at": row.entered_at})
                if is_host:
                    bodies[-1]["reason"] = row.reason
            return page_of(request, bodies)

        return await self._read(read)

    async def meetings(self, request: Request) -> Response:
        """List the pairings, round by round, byes included."""
        limit, offset = limit_of(request), offset_of(request)

        def read(connection: sqlite3.Connection) -> Response:
            id_ = self._row(connection, request).id
            names = {row.player: row.name for row in competition_records.entrants(connection, id_)}
            found = competition_records.meetings(connection, id_, after=offset - 1, limit=limit + 1)
            bodies = [
                {
                    "meeting": one.number,
                    "round": one.round,
                    "players": [names.get(player, "?") for player in one.players],
                    "bye": one.kind == "bye",
                    "stage": one.stage or None,
                }
                for one in found[:limit]
            ]
            return page(request, bodies, str(found[limit].number) if len(found) > limit and limit else None)

        return await self._read(read)

    async def make(self, request: Request) -> Response:
        """Create a competition, open for players; `tokens` of the names on its allow-list are shown only once."""
        self._access.check(request)
        tokens: dict[str, str] = {}
        competition = await self._competitions.make(await body_of(request, CompetitionSettings), tokens)
        return as_json({"competition": competition.id, "name": competition.settings.name, "tokens": tokens}, 201)

    async def change(self, request: Request) -> Response:
        """Change settings of a competition; once it has begun, some of them, for later matches. `tokens` as above."""
        self._access.check(request)
        competition = self._find(request)
        tokens = await self._competitions.change(competition, await body_of(request, dict[str, Any]))
        return as_json({"competition": competition.id, "settings": competition.settings, "tokens": tokens})

    async def act(self, request: Request) -> Response:
        """Act on a competition: `start`, `pause`, `resume`, `finish` or `cancel` it."""
        self._access.check(request)
        competition, action = self._find(request), request.path_params["action"]
        body = await self._optional_body(request)
        actions = {
            "start": competition.start,
            "pause": competition.pause,
            "resume": competition.resume,
            "finish": competition.finish,
        }
        if action == "cancel":
            await competition.cancel(body.reason or "it was cancelled by the host")
        elif action in actions:
            await actions[action]()
        else:
            raise Refusal(404, "the actions are start, pause, resume, finish and cancel")
        return as_json({"competition": competition.id, "state": competition.state})

    async def act_on_entrant(self, request: Request) -> Response:
        """Act on an entrant: `approve`, `refuse`, `withdraw`, `kick` or `disqualify` it."""
        self._access.check(request)
        competition, action = self._find(request), request.path_params["action"]
        if action not in get_args(HostAction):
            raise Refusal(404, f"the actions are {', '.join(get_args(HostAction))}")
        body = await self._optional_body(request)
        name = request.path_params["name"]
        await competition.act_on(name, cast("HostAction", action), body.reason)
        return as_json({"competition": competition.id, "name": name, "state": competition.field.named(name).state})

    async def invite(self, request: Request) -> Response:
        """Create an invitation for one player; it is shown only once."""
        self._access.check(request)
        competition = self._find(request)
        wanted = await body_of(request, InvitationRequest)
        return as_json({"competition": competition.id, "invitation": await competition.field.invite(wanted.note)}, 201)

    async def invitations(self, request: Request) -> Response:
        """List invitations, and who used them; for hosts."""
        self._access.check(request)

        def read(connection: sqlite3.Connection) -> Response:
            id_ = self._row(connection, request).id
            names = {row.player: row.name for row in competition_records.entrants(connection, id_)}
            return page_of(
                request,
                [
                    {
                        "note": row.note,
                        "used_by": None if row.player is None else names.get(row.player),
                        "created_at": row.created_at,
                    }
                    for row in competition_records.invitations(connection, id_)
                ],
            )

        return await self._read(read)

    async def _optional_body(self, request: Request) -> ReasonRequest:
        if request.headers.get("content-length", "0") == "0" and "transfer-encoding" not in request.headers:
            return ReasonRequest()
        return await body_of(request, ReasonRequest)

    def _find(self, request: Request) -> Competition:
        try:
            return self._competitions.find(request.path_params["competition"])
        except CompetitionUnknown as error:
            raise Refusal(404, str(error)) from error

    def _running(self, id_: str) -> Competition | None:
        return next((one for one in self._competitions.all if one.id == id_), None)

    @staticmethod
    def _row(connection: sqlite3.Connection, request: Request) -> CompetitionRow:
        rows = competition_records.competitions(connection, id_=request.path_params["competition"])
        if not rows:
            raise Refusal(404, "no such competition")
        return rows[-1]

    @staticmethod
    def _summary(row: CompetitionRow) -> dict[str, Any]:
        settings = msgspec.json.decode(row.settings, type=CompetitionSettings)
        return {
            "competition": row.id,
            "name": row.name,
            "state": row.state,
            "reason": row.reason,
            "games": [choice.game for choice in settings.games],
            "format": msgspec.to_builtins(settings.format)["kind"],
            "entry": settings.entry,
            "secret_chance": settings.seed is None,
            "starts_at": settings.starts_at,
            "created_at": row.created_at,
            "started_at": row.started_at,
            "ended_at": row.ended_at,
        }
