"""One competition: the requests of entrants and the host, and the loop that begins, pairs and ends it."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
from collections.abc import Sequence
from typing import Any

import msgspec

from ggp.competition.formats import FormatUnfit, Ladder, Swiss, check_format, check_seats, rounds_of, waits_for_results
from ggp.competition.results import MatchOutcome, Meeting
from ggp.competition.standings import Standing
from ggp.errors import GgpError
from ggp.protocol.messages import Enter
from server.competitions.field import FINAL, EntryRefused, Field, HostAction
from server.competitions.pairings import Pairings
from server.competitions.progress import Progress
from server.competitions.schedule import Playing, Schedule
from server.competitions.settings import CompetitionSettings, changed
from server.competitions.table import competition_table
from server.matches.games import GameSource
from server.matches.manager import Manager
from server.matches.members import Member
from server.matches.running_match import RETURN_GRACE_S
from server.store import competition_records, records
from server.store.competition_records import CompetitionRow, CompetitionState, EntrantRow, EntrantState
from server.store.store import StoreFailed
from server.store.wall_clock import wall_clock

POLL_S = 1.0
"""How often a competition checks whether to begin, and a ladder whether players are free."""
MAX_WARNINGS = 50

log = logging.getLogger("ggp.competition")


class CompetitionRefused(GgpError):
    """A request to a competition is not possible now."""


class Competition:
    """One competition, new or continued.

    A request raises `CompetitionRefused` if it is not possible in the present state of the competition, and
    `StoreFailed` if it cannot be stored.

    Attributes:
        failure: why it is suspended, if something failed.
        warnings: for the host, the latest last.
    """

    def __init__(
        self, manager: Manager, row: CompetitionRow, field: Field, sources: Sequence[GameSource], seats: int
    ) -> None:
        self.id = row.id
        self.settings = msgspec.json.decode(row.settings, type=CompetitionSettings)
        self.state, self.reason = row.state, row.reason
        self.field = field
        self.progress = Progress(wanted=self.settings.min_players or 0)
        self.failure: str | None = None
        self.warnings: list[str] = []
        self.seats = seats
        self._manager = manager
        self._sources = tuple(sources)
        self._pairings = Pairings(manager.store, row.id, self.settings.format, seats)
        self._wake = asyncio.Event()
        self._schedule = Schedule(manager, row.id, row.secret, self._sources, self.progress, self._wake.set)
        self._resumed = row.state in ("running", "paused")

    @property
    def is_over(self) -> bool:
        """Whether it is finished or cancelled."""
        return self.state in competition_records.OVER

    async def enter(self, member: Member, message: Enter) -> None:
        """Let a member enter, and tell it its state.

        Raises:
            EntryRefused: it may not enter.
        """
        await self.field.enter(member, message.invitation, self.settings, self.state)
        self._wake.set()

    def joined(self, member: Member) -> None:
        """Take note that a member has connected; an entrant is told its state."""
        row = self.field.rows.get(member.id)
        if row is not None:
            self.tell(row)
        self._wake.set()

    async def act_on(self, name: str, action: HostAction, reason: str | None = None) -> None:
        """Approve, refuse or remove an entrant, for the host.

        Raises:
            EntrantUnknown: there is no entrant of that name.
            EntryRefused: that is not possible with this entrant.
            CompetitionRefused: the competition is over.
        """
        self._need(action != "approve" or not self.is_over, "entered")
        row = self.field.named(name)
        await self._leave(row, self.field.state_after(row, action, self.settings), reason)

    async def withdraw(self, member: Member) -> None:
        """Let an entrant withdraw.

        Raises:
            EntryRefused: it has not entered, or the host has removed it.
        """
        row = self.field.rows.get(member.id)
        if row is None or row.state in FINAL:
            raise EntryRefused("you do not take part in this competition")
        await self._leave(row, "withdrawn", None)

    async def change(self, changes: dict[str, Any]) -> None:
        """Change settings.

        Raises:
            SettingsWrong, FormatUnfit: the changes are not possible.
            CompetitionRefused: it is over.
        """
        self._need(not self.is_over, "changed")
        settings = changed(self.settings, changes, in_play=self.state != "registering")
        check_seats(settings.format, self.seats)
        text = msgspec.json.encode(settings).decode()
        await self._manager.store.written(competition_records.change_competition, self.id, text)
        self.settings = settings
        if self.state == "registering":
            self._pairings = Pairings(self._manager.store, self.id, settings.format, self.seats)
        self.progress.wanted = settings.min_players or 0
        self._wake.set()

    async def start(self) -> None:
        """Start it now.

        Raises:
            CompetitionRefused: it has begun.
            FormatUnfit: it cannot be played by the present entrants.
        """
        self._need(self.state == "registering", "started")
        await self._begin()

    async def pause(self) -> None:
        """Start no more matches; those in play go on."""
        self._need(self.state == "running", "paused")
        await self._set_state("paused", None)

    async def resume(self) -> None:
        """Resume after a pause."""
        self._need(self.state == "paused", "resumed")
        await self._set_state("running", None)

    async def finish(self) -> None:
        """Begin no more matches of a ladder; it is finished when those in play are over."""
        self._need(self.state in ("running", "paused"), "finished")
        if not isinstance(self.settings.format, Ladder):
            raise CompetitionRefused("only a ladder can be finished; other formats end by themselves")
        await self.change({"ends_at": wall_clock()})
        if self.state == "paused":
            await self.resume()

    async def cancel(self, reason: str) -> None:
        """End it now; matches in play are aborted."""
        self._need(not self.is_over, "cancelled")
        await self._set_state("cancelled", reason)
        for playing in self._schedule.playing:
            match = self._manager.matches.get(playing.match)
            if match is not None:
                match.stop("the competition was cancelled")

    async def table(self) -> list[Standing]:
        """Return the standings so far."""
        return await self._manager.store.read(lambda connection: competition_table(connection, self.id))

    def wake(self) -> None:
        """Look now whether something can begin."""
        self._wake.set()

    def tell(self, row: EntrantRow) -> None:
        """Tell an entrant its state, and the games for which it prepares, if it is connected."""
        member = self._manager.members.by_id.get(row.player)
        if member is None:
            return
        member.tell(self.field.entry(row, self.settings.name, self.state))
        if row.state in ("asking", "qualifying", "entered") and not self.is_over:
            self._prepares(row.player)

    def _need(self, allowed: bool, asked: str) -> None:
        """Refuse a request unless the state of the competition allows it."""
        if not allowed:
            raise CompetitionRefused(f"the competition is {self.state}, so it cannot be {asked}")

    # --- the loop -----------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Run the competition from its present state to its end.

        Raises:
            StoreFailed: something cannot be stored; it is suspended.
        """
        try:
            await self._resume_matches()
            while not self.is_over:
                self._wake.clear()
                if self.state == "registering":
                    await self._register()
                elif self.state == "running":
                    await self._advance()
                if not self.is_over:
                    await self._wait()
        except Exception as error:  # a competition's end: the host is told, and the others go on
            self.failure = str(error) if isinstance(error, StoreFailed) else f"the manager failed: {error}"
            trace = None if isinstance(error, StoreFailed) else error
            log.error("competition %s is suspended: %s", self.settings.name, error, exc_info=trace)
            raise
        finally:
            self._schedule.forget()

    async def _wait(self) -> None:
        """Wait until something happens: a match ends, a player connects or leaves, the host makes a request."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(POLL_S):
                await self._wake.wait()
        for task, playing in self._schedule.take_over():
            await self._match_over(task, playing)

    async def _register(self) -> None:
        await self._qualify()
        self.progress.entered = len(self._present())
        moment = self.settings.start_time()
        if moment is not None and datetime.datetime.now(datetime.UTC) < moment:
            return
        if moment is None and self.settings.min_players is None:
            return
        if len(self._present()) < max(self.settings.min_players or 0, self.seats, 1):
            return
        try:
            await self._begin()
        except FormatUnfit as error:
            self._warn(f"it cannot begin: {error}")

    def _present(self) -> list[int]:
        """Return who would take part if it began now; if everybody may enter, those who are connected."""
        active = self.field.active
        if self.settings.entry != "everybody":
            return active
        return sorted(filter(self._is_connected, active))[: self.settings.max_players]

    async def _begin(self) -> None:
        present = set(self._present())
        check_format(self.settings.format, self.seats, len(present))
        for row in self.field.of_state("asking", "entered"):
            if row.player not in present and not (self.settings.admits_latecomers() and row.state == "asking"):
                was_asking = row.state == "asking"
                why = "it was not approved in time" if was_asking else "the competition was full, or it was away"
                await self.field.set_state(row, "refused", why)
        await self._set_state("running", None)
        names = ", ".join(self.field.rows[player].name for player in self.field.active)
        log.info("%s begins with %d players: %s", self.settings.name, len(present), names)

    async def _advance(self) -> None:
        """Start waiting matches, pair the next round when it is time, and end the competition after the last one."""
        await self._qualify()
        self.progress.entered = len(self.field.active)
        await self._begin_matches()
        while not self._schedule.waits and self.state == "running":
            if self._schedule.ranked and waits_for_results(self.settings.format):
                return
            meetings = await self._pair()
            if meetings is None:
                if not self._schedule.ranked:
                    await self._set_state("finished", None)
                return
            if not meetings:
                return
            await self._begin_matches()

    async def _pair(self) -> list[Meeting] | None:
        active, present = self.field.active, None
        end = self.settings.end_time()
        if end is not None and datetime.datetime.now(datetime.UTC) >= end:
            return None
        if isinstance(self.settings.format, Ladder):
            present = list(filter(self._is_connected, active))
            active = [player for player in present if self._schedule.busy[player] < self.settings.matches_at_once]
        self.progress.rounds = rounds_of(self.settings.format, self.seats, len(active))
        meetings = await self._pairings.pair(active, present, self.settings.matches_of_meeting(self.seats))
        if meetings:
            self.progress.round = meetings[-1].round + 1
            self._schedule.add(meetings, self.settings, frozenset(self.field.active))
        return meetings

    async def _begin_matches(self) -> None:
        preparing = list(filter(self._prepares, self.field.active))
        self.progress.preparing = [self.field.rows[player].name for player in preparing]
        await self._schedule.begin(self.settings, preparing, lambda: self.state == "running")

    async def _qualify(self) -> None:
        """Start the qualifying matches of connected entrants."""
        for row in self.field.of_state("qualifying"):
            if self._is_connected(row.player) and not self._prepares(row.player):
                await self._schedule.begin_qualifying(self.settings, row.player, self.seats)

    async def _match_over(self, task: asyncio.Task[MatchOutcome | None], playing: Playing) -> None:
        if task.cancelled():
            return
        outcome = task.result()
        if outcome is None:
            if self._manager.store.failure is not None:
                raise StoreFailed(self._manager.store.failure)
            return
        if playing.scheduled is None:
            await self._qualified(playing, outcome)
            return
        self.progress.match_ended(asyncio.get_running_loop().time() - playing.began_s)
        if outcome.result != "finished":
            who = " and ".join(playing.names[seat] for seat in outcome.forfeited)
            what = f"{who} forfeits match {playing.match}" if who else f"match {playing.match} is aborted"
            self._warn(f"{what}: {outcome.reason}")
        self._pairings.played(playing, outcome, self.field.struck)

    async def _qualified(self, playing: Playing, outcome: MatchOutcome) -> None:
        row = self.field.rows[playing.players[0]]
        if row.state != "qualifying":
            return
        (stored,) = await self._manager.store.read(lambda connection: records.matches(connection, id_=playing.match))
        errors = stored.errors[0]
        if outcome.result == "finished" and not errors:
            await self._leave(row, "entered", None)
            return
        why = outcome.reason if outcome.result != "finished" else f"{errors} late, illegal or malformed messages"
        reason = f"the qualifying match {playing.match} was not passed: {why}"
        self._warn(f"{row.name} does not qualify: {reason}")
        await self._leave(row, "failed", reason)

    async def _leave(self, row: EntrantRow, state: EntrantState, reason: str | None) -> None:
        """Change the state of an entrant, with the consequences for its matches."""
        await self.field.set_state(row, state, reason)
        if state in ("withdrawn", "kicked", "disqualified", "refused"):
            await self._schedule.drop(row.player)
            for playing in self._schedule.playing:
                match = self._manager.matches.get(playing.match)
                if match is None or row.player not in match.players:
                    continue
                if state == "disqualified":
                    match.stop(f"{row.name} was disqualified")
                else:
                    match.forfeit_by(row.player, f"{row.name} {'left' if state == 'withdrawn' else 'was removed'}")
            counts_otherwise = state == "disqualified" or isinstance(self.settings.format, Swiss)
            if counts_otherwise and self.state in ("running", "paused"):
                await self._pairings.load(self.settings, self._schedule.playing)
        self._wake.set()

    async def _resume_matches(self) -> None:
        """Continue a competition of an earlier manager."""
        running, begun = await self._manager.store.read(
            lambda connection: (
                records.matches(connection, competition=self.id, state="running"),
                competition_records.begun_legs(connection, self.id),
            )
        )
        self._schedule.resume(running)
        if not self._resumed:
            return
        meetings = await self._pairings.load(self.settings, self._schedule.playing)
        self.progress.round = meetings[-1].round + 1 if meetings else 0
        self.progress.rounds = rounds_of(self.settings.format, self.seats, len(self.field.active))
        self.progress.matches, self.progress.finished = len(begun), len(begun) - len(self._schedule.ranked)
        self._schedule.add(meetings, self.settings, frozenset(self.field.active), begun)
        await self._manager.chance.release_all()
        # The clocks of players who do not reconnect for a while run as usual.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RETURN_GRACE_S):
                while not all(map(self._is_connected, self.field.active)):
                    self._wake.clear()
                    await self._wake.wait()

    async def _set_state(self, state: CompetitionState, reason: str | None) -> None:
        await self._manager.store.written(competition_records.set_state, self.id, state, reason, wall_clock())
        self.state, self.reason = state, reason
        if self.is_over:
            for row in self.field.rows.values():
                self.tell(row)
        self._wake.set()

    def _is_connected(self, player: int) -> bool:
        return self._manager.members.by_id[player].connection is not None

    def _prepares(self, player: int) -> bool:
        """Return whether matches have to wait for a player that prepares for the games."""
        preparation = self._manager.members.by_id[player].preparation
        if preparation is None:
            return False
        return any([preparation.is_under_way(source) for source in self._sources])  # noqa: C419 - it is told all

    def _warn(self, text: str) -> None:
        if text not in self.warnings:
            log.warning("%s: %s", self.settings.name, text)
            self.warnings = [*self.warnings, text][-MAX_WARNINGS:]
