"""Streams of matches to watch: transitions with drawn states, as server-sent events, live if nothing is hidden.

A player may let others watch a match live as it sees it itself, even with hidden information: see `Feeds.view`.

Source of the format: WHATWG HTML, "Server-sent events".
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ggp.protocol.codec import encode
from ggp.protocol.messages import Act, End, Observe, PlayerError
from server.competitions.settings import CompetitionSettings
from server.matches.games import GameSource
from server.matches.loaded_game import LoadedGame
from server.matches.manager import Manager
from server.network.addresses import network_of
from server.network.answers import Access, Refusal, as_json
from server.network.match_api import check_journal_is_public, match_row
from server.referee.journal import Created, Event, Recorded, Sent, Transition, decode_event
from server.store import competition_records, records
from server.store.records import MatchRow

MAX_FEEDS = 200
MAX_FEEDS_EACH = 10
"""Of one address."""
LOOK_S = 0.5
"""How often a feed looks for new events."""
PING_LOOKS = 30
"""Looks without anything new, after which a comment keeps the connection open."""
MAX_EVENTS = 500
"""Read at once."""
MAX_SHOWN = 256
"""Drawn steps that are kept for others who watch the same match: with hundreds of them, drawing takes longest."""


class Feeds:
    """The handler that streams matches.

    Args:
        manager: whose matches they are.
        access: hosts may see journals that others may not, once the seed may be published.
    """

    def __init__(self, manager: Manager, access: Access) -> None:
        self._manager = manager
        self._read = manager.store.read
        self._access = access
        self._open: Counter[str] = Counter()
        self._shown = ShownSteps()

    async def feed(self, request: Request) -> Response:
        """Stream a match: `step`, `act`, `left`, `note`, `end`; what hides something only when it is over.

        With `?view=`, from `POST /matches/ID/view`, stream the messages to one player: `told`, `end`.
        """
        id_ = request.path_params["match"]
        is_host = self._access.is_host(request)

        def read(connection: sqlite3.Connection) -> tuple[Created, MatchRow]:
            row = match_row(connection, id_)
            if row.pruned:
                raise Refusal(410, "the journal has been archived by the host")
            return records.created_of(connection, id_), row

        created, row = await self._read(read)
        seat = self._seat_of_view(row, request.query_params["view"]) if "view" in request.query_params else None
        network = network_of(request.client.host if request.client else None) or "here"
        if self._open.total() >= MAX_FEEDS or (network != "here" and self._open[network] >= MAX_FEEDS_EACH):
            raise Refusal(429, "too many matches are being watched; come back later")
        source = GameSource(created.game, created.rules, created.files, created.parameters)
        loaded = await self._manager.games.load(source)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        stream = self._steps(id_, loaded, row.roles, is_host=is_host) if seat is None else self._told(id_, seat)
        return StreamingResponse(self._counted(network, stream), media_type="text/event-stream", headers=headers)

    async def view(self, request: Request) -> Response:
        """Return to a player, which sends its token, the address at which others may watch the match as it sees it."""
        id_ = request.path_params["match"]
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        member = self._manager.members.with_token(token)
        row = await self._read(lambda connection: match_row(connection, id_))
        if member is None or member.id not in row.players:
            raise Refusal(403, "only for a player of the match, with its token")
        key = self._manager.members.view_key(id_, member.id)
        return as_json({"role": row.roles[row.players.index(member.id)], "feed": f"/matches/{id_}/feed?view={key}"})

    def _seat_of_view(self, row: MatchRow, key: str) -> int:
        for seat, player in enumerate(row.players):
            if secrets.compare_digest(self._manager.members.view_key(row.id, player).encode(), key.encode()):
                return seat
        raise Refusal(403, "no such view")

    def _told(self, id_: str, seat: int) -> AsyncIterator[str]:
        """Stream the messages to a player, from the beginning of the match to its end."""

        def frames(event: Event) -> list[str]:
            if isinstance(event, Sent) and event.player == seat and isinstance(event.message, Observe | Act | End):
                return [f"event: told\ndata: {encode(event.message)}\n\n"]
            return []

        async def all_frames(events: Sequence[Event]) -> list[str]:
            return await asyncio.to_thread(lambda: [frame for event in events for frame in frames(event)])

        return self._follow(id_, all_frames, lambda *_: True)

    def _steps(self, id_: str, loaded: LoadedGame, roles: Sequence[str], *, is_host: bool) -> AsyncIterator[str]:
        """Stream the transitions of a match."""
        replay = Replay(id_, loaded, self._shown)

        async def frames(events: Sequence[Event]) -> list[str]:
            found = []
            for event in events:
                found += [_event("step", step) for step in await replay.steps(event)]
                if isinstance(event, Sent) and isinstance(event.message, Act):
                    found.append(_event("act", roles[event.player]))
            live = self._manager.matches.get(id_)
            left_ms = 0 if live is None else live.referee.left_ms(live.now_ms())
            if found and left_ms:
                found.append(_event("left", left_ms))
            return found

        is_open = bool(getattr(loaded.game, "perfect_information", False))
        return self._follow(
            id_,
            frames,
            lambda connection, row: _may_see(connection, row, is_open=is_open, is_host=is_host),
        )

    async def _follow(
        self,
        id_: str,
        frames: Callable[[Sequence[Event]], Awaitable[list[str]]],
        may_see: Callable[[sqlite3.Connection, MatchRow], bool],
    ) -> AsyncIterator[str]:
        next_number, told_note, quiet = 0, False, 0
        while True:

            def look(connection: sqlite3.Connection, first: int = next_number) -> tuple[bool, bool, list[Event], int]:
                row = match_row(connection, id_)
                visible = may_see(connection, row)
                lines = records.journal_lines(connection, id_, first, MAX_EVENTS) if visible else []
                found = [decode_event(line) for line in lines]
                return row.state != "running", visible, found, first + len(lines)

            over, visible, found, after = await self._read(look)
            for frame in await frames(found):
                yield frame
            if over and after == next_number:
                if not visible:
                    yield _event("note", "its moves are not published, or not yet")
                yield _event("end", None)
                return
            if not visible and not told_note:
                told_note = True
                yield _event("note", "this match hides information from its players; its moves come when it is over")
            quiet = 0 if after > next_number else quiet + 1
            if quiet % PING_LOOKS == PING_LOOKS - 1:
                yield ": still here\n\n"
            if after - next_number < MAX_EVENTS:
                await asyncio.sleep(LOOK_S)
            next_number = after

    async def _counted(self, network: str, stream: AsyncIterator[str]) -> AsyncIterator[str]:
        self._open[network] += 1
        try:
            async for chunk in stream:
                yield chunk
        finally:
            self._open[network] -= 1


ShownStep: TypeAlias = tuple[tuple[Any, ...] | None, dict[str, Any]]
"""The words of a state of a match, if it is drawn, and the step that shows it."""


class ShownSteps:
    """The steps of matches that were shown last."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, int], asyncio.Task[ShownStep]] = {}

    async def find(self, match: str, number: int, make: Callable[[], Coroutine[Any, Any, ShownStep]]) -> ShownStep:
        """Return a step of a match, made if it is not kept; several who ask wait for one."""
        found = self._kept.get((match, number))
        if found is None:
            found = self._kept[match, number] = asyncio.create_task(make())
            while len(self._kept) > MAX_SHOWN:
                del self._kept[next(iter(self._kept))]
        return await asyncio.shield(found)


class Replay:
    """Follows a match from its journal, and draws its states."""

    def __init__(self, match: str, loaded: LoadedGame, shown: ShownSteps) -> None:
        self._match = match
        self._loaded = loaded
        self._shown = shown
        self._draws = hasattr(loaded.game, "perfect_information")
        self._words: tuple[Any, ...] | None = None
        self._at_ms: int | None = None
        self._errors: list[PlayerError] = []
        """Of players since the last transition: for an action that was drawn for one, say."""
        self._next = 0

    async def steps(self, event: Event) -> list[dict[str, Any]]:
        """Return the steps to show for an event of the journal; the first one is the initial state."""
        found = []
        if self._next == 0:
            found.append(await self._find({}, None))
        self._at_ms = getattr(event, "at_ms", self._at_ms)
        if isinstance(event, Recorded):
            self._errors.append(event.error)
        if isinstance(event, Transition):
            found.append(await self._find(event.actions, event.outcome))
            self._errors = []
        return found

    async def _find(self, actions: Mapping[str, str], outcome: str | None) -> dict[str, Any]:
        is_drawn = self._draws and (self._next == 0 or self._words is not None)
        words, at_ms, errors = self._words, self._at_ms, self._errors

        async def make() -> ShownStep:
            reached, scene = await self._loaded.show(words, actions, outcome) if is_drawn else (None, None)
            made = {"actions": dict(actions), "outcome": outcome, "at_ms": at_ms, "errors": errors}
            return reached, {**made, "scene": scene}

        self._words, step = await self._shown.find(self._match, self._next, make)
        self._next += 1
        return step


def _may_see(connection: sqlite3.Connection, row: MatchRow, *, is_open: bool, is_host: bool) -> bool:
    """Return whether the moves of a match may be shown: it hides nothing, or is over and its seed is published."""
    if row.state != "running" and not row.released and not is_open:
        return False
    if row.state == "running" and not is_open:
        return False
    if is_host or row.competition is None:
        return True
    if row.state == "running":
        (competition,) = competition_records.competitions(connection, id_=row.competition)
        return msgspec.json.decode(competition.settings, type=CompetitionSettings).journals == "public"
    try:
        check_journal_is_public(connection, row)
    except Refusal:
        return False
    return True


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {msgspec.json.encode(data).decode()}\n\n"
