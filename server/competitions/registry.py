"""All competitions of a manager: creates, finds and runs them."""

from __future__ import annotations

import asyncio
import datetime
import logging
import secrets
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec

from ggp.competition.formats import check_seats
from ggp.errors import GgpError
from ggp.protocol.messages import Enter, Entry, MemberMessage, Prepared, Problem, Withdraw
from server.competitions.competition import Competition
from server.competitions.field import EntryRefused, Field
from server.competitions.settings import CompetitionSettings, GameChoice, SettingsWrong, changed
from server.matches.games import GameSource
from server.matches.manager import Manager
from server.matches.members import Member
from server.matches.player_names import normalised, refusal, skeleton
from server.store import competition_records
from server.store.competition_records import OVER, CompetitionRow, EntrantRow, InvitationRow
from server.store.store import StoreFailed
from server.store.wall_clock import wall_clock

SECRET_BYTES = 32
"""Of a competition's secret: all its seeds are derived from it, and 256 bits cannot be guessed from published seeds."""
ENTRY_PAUSE_S = 0.25
"""How long a player that connects may take to name a competition, before it enters those for everybody."""
MAX_OPEN = 1000
"""Competitions that are not over."""

log = logging.getLogger("ggp.competition")


class CompetitionUnknown(GgpError):
    """There is no such competition."""


class Competitions:
    """The competitions of one manager that are not over."""

    def __init__(self, manager: Manager) -> None:
        self._manager = manager
        self._by_id: dict[str, Competition] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._entering: set[asyncio.Task[None]] = set()
        self._lost: dict[str, str] = {}
        """Competitions of an earlier manager that cannot continue, by name, and why."""

    @property
    def all(self) -> list[Competition]:
        """All that are not over, in the order in which they were created."""
        return [one for one in self._by_id.values() if not one.is_over]

    @property
    def suspended(self) -> dict[str, str]:
        """The names of the competitions that are suspended, and why."""
        return {**self._lost, **{one.settings.name: one.failure for one in self.all if one.failure is not None}}

    def find(self, name: str) -> Competition:
        """Return the competition with a number or name that is not over.

        Raises:
            CompetitionUnknown: there is none.
        """
        for competition in self.all:
            if _is_called(competition, name):
                return competition
        raise CompetitionUnknown(f"there is no open competition `{name}`")

    async def recover(self) -> list[Competition]:
        """Continue the competitions that an earlier manager has not finished."""
        with self._manager.store.reading() as connection:
            rows = [row for row in competition_records.competitions(connection) if row.state not in OVER]
            parts = [
                (competition_records.entrants(connection, row.id), competition_records.invitations(connection, row.id))
                for row in rows
            ]
        for row, (entrants, invitations) in zip(rows, parts, strict=True):
            try:
                sources = await self._sources_of(row)
                field = self._field(row.id, entrants, invitations)
                self._carry_on(Competition(self._manager, row, field, sources, await self._seats(sources)))
            except Exception as error:  # a competition's end: it must not keep the others from continuing
                trace = None if isinstance(error, GgpError) else error
                log.error("competition %s cannot continue: %s", row.name, error, exc_info=trace)
                self._lost[row.name] = f"it cannot continue: {error}"
        return self.all

    async def make(self, settings: CompetitionSettings, tokens: dict[str, str] | None = None) -> Competition:
        """Create a competition and run it.

        Args:
            settings: of the competition.
            tokens: those of names that are reserved for its allow-list are added.

        Raises:
            SettingsWrong, FormatUnfit: the settings do not fit together.
            GgpError: a game does not exist, or its rules have errors.
            StoreFailed: it cannot be stored.
        """
        settings.check()
        _check_time("starts_at", settings.start_time())
        _check_time("ends_at", settings.end_time())
        if any(skeleton(one.settings.name) == skeleton(settings.name) for one in self.all):
            raise SettingsWrong(f"there is already an open competition `{settings.name}`")
        if len(self._by_id) >= MAX_OPEN:
            raise SettingsWrong(f"{MAX_OPEN} competitions are not over")
        sources = [await self._source(choice) for choice in settings.games]
        seats = await self._seats(sources)
        check_seats(settings.format, seats)
        await self._reserve_names(settings, {} if tokens is None else tokens)
        row = CompetitionRow(
            id=secrets.token_hex(6),
            name=settings.name,
            settings=msgspec.json.encode(settings).decode(),
            sources=msgspec.json.encode(sources).decode(),
            secret=settings.seed if settings.seed is not None else secrets.token_hex(SECRET_BYTES),
            state="registering",
            reason=None,
            created_at=wall_clock(),
            started_at=None,
            ended_at=None,
        )
        if settings.seed is not None:
            log.warning(
                "%s has a seed: its games are reproducible and NOT SECRET. Anyone who knows or guesses the seed"
                " can predict all chance outcomes",
                settings.name,
            )
        await self._manager.store.written(competition_records.add_competition, row)
        field = self._field(row.id, [], [])
        competition = Competition(self._manager, row, field, sources, seats)
        self._carry_on(competition)
        for member in self._manager.members.connected:
            self._enter_open(competition, member)
            if member.wish is not None and _is_called(competition, member.wish.competition):
                self._spawn(self._take(competition, member, member.wish))
                member.wish = None
        return competition

    async def change(self, competition: Competition, changes: dict[str, Any]) -> dict[str, str]:
        """Change settings of a competition; return the tokens of names that are reserved for its allow-list.

        Raises:
            GgpError: see `Competition.change`.
        """
        tokens: dict[str, str] = {}
        settings = changed(competition.settings, changes, in_play=competition.state != "registering")
        if "starts_at" in changes:
            _check_time("starts_at", settings.start_time())
        await self._reserve_names(settings, tokens)
        await competition.change(changes)
        return tokens

    async def _reserve_names(self, settings: CompetitionSettings, tokens: dict[str, str]) -> None:
        """Reserve the names of an allow-list, so that they belong to those to whom the host gives their tokens.

        Raises:
            SettingsWrong: one is not possible, or is the name of a player that the host has not allowed before.
        """
        if settings.entry != "allow_list":
            return
        rows = await self._manager.store.read(competition_records.competitions)
        earlier = [msgspec.json.decode(row.settings, type=CompetitionSettings) for row in rows]
        known = {skeleton(name) for one in earlier if one.entry == "allow_list" for name in one.allowed}
        members = self._manager.members
        for name in settings.allowed:
            wrong = refusal(name)
            if wrong is not None:
                raise SettingsWrong(wrong)
            if members.has_name(name) and skeleton(name) not in known:
                raise SettingsWrong(
                    f"`{name}` is the name of a player that joined by itself, perhaps somebody else: allow another name"
                )
        for name in settings.allowed:
            if not members.has_name(name):
                tokens[name] = await members.reserve(name)

    def task_of(self, competition: Competition) -> asyncio.Task[None]:
        """Return the task that runs a competition."""
        return self._tasks[competition.id]

    def joined(self, member: Member) -> None:
        """Take note that a member has connected."""
        for competition in self.all:
            competition.joined(member)
        self._spawn(self._enter_all_open(member))

    def take(self, member: Member, message: MemberMessage) -> bool:
        """Handle a member's message that is about no match; the answer follows when it is stored."""
        if isinstance(message, Prepared):
            answers = member.preparation is not None and member.preparation.answer(message.number)
            for competition in self.all:
                competition.wake()
            return answers
        if isinstance(message, Enter):
            member.names_competitions = True
        try:
            competition = self.find(message.competition)
        except CompetitionUnknown as error:
            with self._manager.store.reading() as connection:
                rows = competition_records.competitions(connection, id_=message.competition)
            is_over = any(row.state in OVER for row in rows)
            why = f"the competition `{message.competition}` is over" if is_over else str(error)
            if isinstance(message, Enter):
                member.wish = message
                created = "one of this name" if is_over else "it"
                why += f"; you enter when {created} is created, if you are connected then"
            member.tell(Problem("unknown_competition", why))
            return False
        if len(self._entering) >= MAX_OPEN:
            return False
        self._spawn(self._take(competition, member, message))
        return True

    async def _enter_all_open(self, member: Member) -> None:
        """Enter a player where everybody may, unless it soon names a competition."""
        await asyncio.sleep(ENTRY_PAUSE_S)
        for competition in self.all:
            self._enter_open(competition, member)

    async def close(self) -> None:
        """Suspend all competitions; a later manager continues them."""
        tasks = [*self._tasks.values(), *self._entering]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------------------------------------------------------------

    def _field(self, id_: str, entrants: list[EntrantRow], invitations: list[InvitationRow]) -> Field:
        def changed(row: EntrantRow) -> None:
            found = self._by_id.get(id_)
            if found is not None:
                found.tell(row)

        return Field(id_, self._manager.store, entrants, invitations, changed)

    def _carry_on(self, competition: Competition) -> None:
        self._by_id[competition.id] = competition
        task = asyncio.create_task(competition.run(), name=f"competition {competition.id}")
        self._tasks[competition.id] = task
        task.add_done_callback(lambda done: self._ended(competition, done))

    def _ended(self, competition: Competition, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is None:
            self._by_id.pop(competition.id, None)

    def _enter_open(self, competition: Competition, member: Member) -> None:
        """Enter a player in a competition for everybody; one that names competitions enters only those."""
        if competition.settings.entry != "everybody" or member.connection is None or member.names_competitions:
            return
        if competition.state != "registering" and not competition.settings.admits_latecomers():
            return
        if member.id not in competition.field.rows:
            self._spawn(self._take(competition, member, Enter(competition.id)))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._entering.add(task)
        task.add_done_callback(self._entering.discard)

    async def _take(self, competition: Competition, member: Member, message: Enter | Withdraw) -> None:
        try:
            if isinstance(message, Enter):
                await competition.enter(member, message)
            else:
                await competition.withdraw(member)
        except EntryRefused as error:
            member.tell(Entry(competition.id, competition.settings.name, "refused", str(error)))
        except StoreFailed:
            member.tell(Problem("server_stopping", "the manager cannot store anything; come back later"))

    async def _source(self, choice: GameChoice) -> GameSource:
        return await self._manager.games.find(choice.game, choice.parameters, choice.rules, choice.files)

    async def _sources_of(self, row: CompetitionRow) -> list[GameSource]:
        if row.sources is not None:
            return msgspec.json.decode(row.sources, type=list[GameSource])
        settings = msgspec.json.decode(row.settings, type=CompetitionSettings)
        return [await self._source(choice) for choice in settings.games]

    async def _seats(self, sources: Sequence[GameSource]) -> int:
        counts = {len((await self._manager.games.load(source)).game.players) for source in sources}
        if len(counts) > 1:
            raise SettingsWrong("the games of a competition have the same number of players")
        return counts.pop()


def _check_time(name: str, moment: datetime.datetime | None) -> None:
    if moment is not None and moment < datetime.datetime.now(datetime.UTC) - datetime.timedelta(minutes=1):
        raise SettingsWrong(f"{name} is {moment.isoformat()}, which has passed")


def _is_called(competition: Competition, name: str) -> bool:
    named, called = normalised(name).casefold(), normalised(competition.settings.name).casefold()
    return name == competition.id or named == called
