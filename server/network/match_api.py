"""The HTTP API of matches: lists, one match, its journal, and creating and stopping one."""

from __future__ import annotations

import hashlib
import logging
import secrets
import sqlite3
from typing import Annotated, Any, cast

import msgspec
from msgspec import Meta, field
from starlette.requests import Request
from starlette.responses import Response

from ggp.protocol.messages import MatchSettings, Name
from server.competitions.settings import CompetitionSettings
from server.matches.manager import Manager, MatchOrder, MatchRefused
from server.network.answers import MAX_LISTED, Access, Refusal, as_json, body_of, limit_of, page
from server.store import competition_records, records
from server.store.records import MatchRow

log = logging.getLogger("ggp.api")


class MatchRequest(MatchSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of `POST /matches`.

    `players` are names of connected players, in the order of the game's roles. `rules` and `files` are the texts of
    the host's own rules; without them `game` is one of the library.
    """

    game: str
    players: Annotated[list[Name], Meta(min_length=1)]
    parameters: dict[str, str] = field(default_factory=dict)
    rules: str | None = None
    files: dict[str, str] = field(default_factory=dict)
    seed: str | None = None


class MatchApi:
    """The handlers for matches."""

    def __init__(self, manager: Manager, access: Access) -> None:
        self._manager = manager
        self._read = manager.store.read
        self._access = access

    async def matches(self, request: Request) -> Response:
        """List matches, the latest last; `state`, `competition` and `player` narrow the list, pages go back in time."""
        query = request.query_params
        state = query.get("state")
        if state not in (None, "running", "finished", "aborted", "forfeited"):
            raise Refusal(400, "`state` is running, finished, aborted or forfeited")
        limit = limit_of(request)

        hides = "competition" not in query and not self._access.is_host(request)

        def read(connection: sqlite3.Connection) -> tuple[list[MatchRow], frozenset[str]]:
            player = None
            if "player" in query:
                player = records.player_named(connection, query["player"])
                if player is None:
                    raise Refusal(404, "no such player")
            named = query.get("competition")
            found = competition_records.competitions(connection, id_=named) if named is not None else []
            if named is not None and not found:
                raise Refusal(404, "no such competition")
            rows = records.matches(
                connection,
                state=cast("records.MatchState | None", state),
                competition=found[-1].id if found else None,
                player=player,
                before=query.get("cursor"),
                limit=limit + 1,
            )
            return rows, competition_records.unlisted(connection) if hides else frozenset()

        rows, private = await self._read(read)
        more = len(rows) > limit
        rows = rows[-limit:] if limit else []
        shown = [match_body(row) for row in rows if row.competition not in private]
        return page(request, shown, rows[0].id if more and rows else None)

    async def match(self, request: Request) -> Response:
        """Return one match: in play, with who is connected; over, with its last errors, which reveal who acted."""
        id_ = request.path_params["match"]

        def read(connection: sqlite3.Connection) -> Response:
            row = match_row(connection, id_)
            body = {**match_body(row), "error_list": None, "connected": None}
            if row.state != "running":
                body["error_list"] = records.errors(connection, match=id_, limit=MAX_LISTED)
            else:
                here = {member.id for member in self._manager.members.connected}
                body["connected"] = [role for role, id_ in zip(row.roles, row.players, strict=True) if id_ in here]
            return as_json(body)

        return await self._read(read)

    async def journal(self, request: Request) -> Response:
        """Return the journal of a match whose seed is published, as JSON lines."""
        id_ = request.path_params["match"]
        is_host = self._access.is_host(request)

        def read(connection: sqlite3.Connection) -> Response:
            row = match_row(connection, id_)
            if not row.released:
                raise Refusal(409, "the match, or one with the same seed, is still in play")
            if row.pruned:
                raise Refusal(410, "the journal has been archived by the host")
            if not is_host:
                check_journal_is_public(connection, row)
            return Response(records.journal_text(connection, id_), media_type="application/jsonl")

        return await self._read(read)

    async def make_match(self, request: Request) -> Response:
        """Create a match between connected players."""
        self._access.check(request)
        wanted = await body_of(request, MatchRequest)
        try:
            match = await self._make(wanted)
        except ValueError as error:
            raise Refusal(400, str(error)) from error
        return as_json({"match": match}, 201)

    async def stop_match(self, request: Request) -> Response:
        """End a match in play as aborted."""
        self._access.check(request)
        match = self._manager.matches.get(request.path_params["match"])
        if match is None:
            raise Refusal(404, "no such match is in play")
        match.stop("it was stopped by the host")
        return as_json({"match": match.id}, 202)

    async def _make(self, wanted: MatchRequest) -> str:
        members = [self._manager.members.named(name) for name in wanted.players]
        missing = [name for name, member in zip(wanted.players, members, strict=True) if member is None]
        if missing:
            raise MatchRefused(f"not connected: {', '.join(missing)}")
        wanted.check()
        group = secrets.token_hex(6)
        if wanted.seed is not None:
            # Matches with one seed are a group: it is published when the last of them is over.
            group = f"seed-{hashlib.sha256(wanted.seed.encode()).hexdigest()[:12]}"
            log.warning("a match has a seed: it is reproducible and NOT SECRET; its chance outcomes can be predicted")
        order = MatchOrder(
            source=await self._manager.games.find(wanted.game, wanted.parameters, wanted.rules, wanted.files),
            players=tuple(member for member in members if member is not None),
            settings=wanted,
            seed=secrets.token_hex(16) if wanted.seed is None else wanted.seed,
            chance_group=group,
        )
        match, _ = await self._manager.start_match(order)
        return match


def match_row(connection: sqlite3.Connection, id_: str) -> MatchRow:
    """Return a match.

    Raises:
        Refusal: there is none.
    """
    rows = records.matches(connection, id_=id_)
    if not rows:
        raise Refusal(404, "no such match")
    return rows[0]


def check_journal_is_public(connection: sqlite3.Connection, row: MatchRow) -> None:
    """Check that anyone may read a journal, by the settings of its competition.

    Raises:
        Refusal: they may not, or not yet.
    """
    if row.competition is None:
        return
    (competition,) = competition_records.competitions(connection, id_=row.competition)
    settings = msgspec.json.decode(competition.settings, type=CompetitionSettings)
    if settings.journals == "hosts":
        raise Refusal(403, "the journals of this competition are for its hosts")
    if settings.journals == "after" and competition.state not in competition_records.OVER:
        raise Refusal(409, "the journals of this competition are published when it is over")


def match_body(row: MatchRow) -> dict[str, Any]:
    """Return what anyone may know of a match."""
    outcome = row.outcome
    utilities = None if outcome is None else outcome.utilities
    return {
        "match": row.id,
        "competition": row.competition,
        "meeting": row.meeting,
        "purpose": row.purpose,
        "game": row.game,
        "parameters": row.parameters,
        "state": row.state,
        "reason": outcome and outcome.reason,
        "players": dict(zip(row.roles, row.names, strict=True)),
        "utilities": utilities and dict(zip(row.roles, utilities, strict=True)),
        "forfeited": [row.roles[seat] for seat in outcome.forfeited] if outcome else [],
        "errors": dict(zip(row.roles, row.errors, strict=True)) if outcome else None,
        "journal": row.released and not row.pruned,
        "created_at": row.created_at,
        "ended_at": row.ended_at,
    }
