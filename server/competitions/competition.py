"""One competition in a manager: begins it, pairs round by round, begins matches as players become free, ends it."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from ggp.competition.formats import (
    FormatUnfit,
    Ladder,
    check_format,
    next_round,
    rounds_of,
    waits_for_results,
)
from ggp.competition.history import History
from ggp.competition.results import MatchResult, Meeting
from ggp.competition.standings import Standing
from ggp.errors import GgpError
from ggp.protocol.codec import encode
from ggp.protocol.messages import Enter
from server.competitions.field import FINAL, EntryRefused, Field
from server.competitions.legs import Leg, WaitingLegs, legs_of
from server.competitions.progress import Progress
from server.competitions.settings import CompetitionSettings, SettingsWrong, changed
from server.competitions.table import competition_table
from server.matches.games import GameSource
from server.matches.manager import Manager, MatchOrder, MatchRefused
from server.matches.members import Member
from server.matches.running_match import RETURN_GRACE_S
from server.referee.chance import derive_seed
from server.referee.journal import Ended
from server.store import competition_records, records
from server.store.competition_records import CompetitionRow, CompetitionState, EntrantRow, EntrantState
from server.store.records import MatchPlace, MatchRow
from server.store.store import StoreFailed
from server.store.wall_clock import wall_clock

HOLDER = "competition"
"""Holds the seeds of matches that have not begun."""
POLL_S = 1.0
"""How often a competition looks whether its time has come, or players of a ladder have."""
MAX_WARNINGS = 50

HostAction = Literal["approve", "refuse", "withdraw", "kick", "disqualify"]
STATE_OF: dict[HostAction, EntrantState] = {
    "approve": "entered",
    "refuse": "refused",
    "withdraw": "withdrawn",
    "kick": "kicked",
    "disqualify": "disqualified",
}

log = logging.getLogger("ggp.competition")


class CompetitionRefused(GgpError):
    """What is asked of a competition is not possible now."""


@dataclass(frozen=True, slots=True)
class _Playing:
    """A match in play: its leg, or the entrant that it qualifies, and when it began."""

    leg: Leg | None
    qualifying: int | None
    names: tuple[str, ...]
    players: tuple[int, ...]
    match: str
    began_s: float


class Competition:
    """One competition, new or going on.

    Args:
        manager: where it is played.
        row: what is stored of it.
        field: its entrants.
        sources: its games, as they are sent to players.
        seats: of its games.

    Attributes:
        failure: why it stands still, if something could not be stored.
        warnings: what the host should know, the latest last.
    """

    def __init__(
        self, manager: Manager, row: CompetitionRow, field: Field, sources: Sequence[GameSource], seats: int
    ) -> None:
        self.id = row.id
        self.settings = msgspec.json.decode(row.settings, type=CompetitionSettings)
        self.state: CompetitionState = row.state
        self.reason = row.reason
        self.field = field
        self.progress = Progress(wanted=self.settings.min_players or 0)
        self.failure: str | None = None
        self.warnings: list[str] = []
        self.seats = seats
        self._row = row
        self._manager = manager
        self._sources = tuple(sources)
        self._history = History(keep=not isinstance(self.settings.format, Ladder))
        self._waiting = WaitingLegs()
        self._playing: dict[asyncio.Task[Ended | None], _Playing] = {}
        self._busy: Counter[int] = Counter()
        self._wake = asyncio.Event()
        self._counted: set[str] = set()
        """Matches in `_playing` that the history has already, since it was read after they had ended."""
        self._resumed = row.state in ("running", "paused")

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen in it."""
        return self.state in ("finished", "cancelled")

    # --- what others ask for ------------------------------------------------------------------------------------------

    async def enter(self, member: Member, message: Enter) -> None:
        """Let a member enter, and tell it where it stands.

        Raises:
            EntryRefused: it may not.
            StoreFailed: that cannot be stored.
        """
        before = self.field.rows.get(member.id)
        row = await self.field.enter(member, message.invitation, self.settings, self.state)
        if row is before:
            self.tell(row)  # a change is told by the field itself
        self._wake.set()

    def joined(self, member: Member) -> None:
        """Take note that a member has connected; an entrant is told where it stands."""
        row = self.field.rows.get(member.id)
        if row is not None:
            self.tell(row)
        self._wake.set()

    def tell(self, row: EntrantRow) -> None:
        """Tell an entrant where it stands, if it is connected."""
        member = self._manager.members.by_id.get(row.player)
        if member is not None and member.connection is not None:
            member.connection.send_text(encode(self.field.entry(row, self.settings.name, self.state)))

    async def act_on(self, name: str, action: HostAction, reason: str | None = None) -> None:
        """Let the host approve an entrant, refuse it or take it out.

        Raises:
            EntrantUnknown: nobody of that name has entered.
            CompetitionRefused: that is not possible with this entrant.
            StoreFailed: it cannot be stored.
        """
        row = self.field.named(name)
        if action in ("approve", "refuse") and row.state not in ("asking", "failed", "refused"):
            raise CompetitionRefused(f"{name} is {row.state}, and does not ask to enter")
        state = STATE_OF[action]
        if action == "approve" and self.settings.qualifying and row.state != "failed":
            state = "qualifying"
        if action == "approve" and self.is_over:
            raise CompetitionRefused("the competition is over")
        await self._leave(row, state, reason)

    async def withdraw(self, member: Member) -> None:
        """Let an entrant leave by itself.

        Raises:
            EntryRefused: it has not entered, or the host has sent it away.
            StoreFailed: it cannot be stored.
        """
        row = self.field.rows.get(member.id)
        if row is None or row.state in FINAL:
            raise EntryRefused("you do not take part in this competition")
        await self._leave(row, "withdrawn", None)

    async def change(self, changes: dict[str, Any]) -> None:
        """Change settings.

        Raises:
            SettingsWrong: they cannot be changed like this.
            CompetitionRefused: it is over.
            StoreFailed: that cannot be stored.
        """
        if self.is_over:
            raise CompetitionRefused("the competition is over")
        settings = changed(self.settings, changes, in_play=self.state != "registering")
        text = msgspec.json.encode(settings).decode()
        await self._manager.store.written(competition_records.change_competition(self.id, text))
        self.settings = settings
        self.progress.wanted = settings.min_players or 0
        self._wake.set()

    async def start(self) -> None:
        """Begin it now.

        Raises:
            CompetitionRefused: it has begun, or cannot be played by those who have entered.
            StoreFailed: that cannot be stored.
        """
        if self.state != "registering":
            raise CompetitionRefused(f"the competition is {self.state}")
        self._check_startable()
        await self._begin()

    async def pause(self) -> None:
        """Begin no more matches; those in play go on.

        Raises:
            CompetitionRefused: it does not run.
            StoreFailed: that cannot be stored.
        """
        if self.state != "running":
            raise CompetitionRefused(f"the competition is {self.state}")
        await self._set_state("paused", None)

    async def resume(self) -> None:
        """Go on after a pause.

        Raises:
            CompetitionRefused: it is not paused.
            StoreFailed: that cannot be stored.
        """
        if self.state != "paused":
            raise CompetitionRefused(f"the competition is {self.state}")
        await self._set_state("running", None)

    async def cancel(self, reason: str) -> None:
        """End it now; matches in play are aborted.

        Raises:
            CompetitionRefused: it is over.
            StoreFailed: that cannot be stored.
        """
        if self.is_over:
            raise CompetitionRefused(f"the competition is {self.state}")
        await self._set_state("cancelled", reason)
        for playing in self._playing.values():
            match = self._manager.matches.get(playing.match)
            if match is not None:
                match.stop("the competition was cancelled")

    async def table(self) -> list[Standing]:
        """Return the standings so far."""

        def read() -> list[Standing]:
            with self._manager.store.reading() as connection:
                return competition_table(connection, self.id)

        return await asyncio.to_thread(read)

    # --- its course ---------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Carry the competition through, from wherever it is, to its end.

        Raises:
            StoreFailed: something cannot be stored; it stands still.
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
        except StoreFailed as error:
            self.failure = str(error)
            raise
        finally:
            for task in self._playing:
                task.remove_done_callback(self._woken)

    async def _wait(self) -> None:
        """Wait until something has happened: a match is over, somebody came or left, the host wants something."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(POLL_S):
                await self._wake.wait()
        for task in [task for task in self._playing if task.done()]:
            await self._match_over(task, self._playing.pop(task))

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
            self._check_startable()
        except CompetitionRefused as error:
            self._warn(f"it cannot begin: {error}")
            return
        await self._begin()

    def _present(self) -> list[int]:
        """Return who would take part if it began now; where everybody may enter, those who are connected."""
        active = self.field.active
        if self.settings.entry != "everybody":
            return active
        by_id = self._manager.members.by_id
        here = sorted(player for player in active if by_id[player].connection is not None)
        return here[: self.settings.max_players]

    def _check_startable(self) -> None:
        try:
            check_format(self.settings.format, self.seats, len(self._present()))
        except FormatUnfit as error:
            raise CompetitionRefused(str(error)) from error

    async def _begin(self) -> None:
        present = set(self._present())
        for row in self.field.of_state("asking", "entered"):
            if row.player not in present and not (self.settings.latecomers and row.state == "asking"):
                was_asking = row.state == "asking"
                why = "it was not approved in time" if was_asking else "the competition was full, or it was away"
                await self.field.set_state(row, "refused", why)
        await self._set_state("running", None)
        names = ", ".join(self.field.rows[player].name for player in self.field.active)
        log.info("%s begins with %d players: %s", self.settings.name, len(present), names)

    async def _advance(self) -> None:
        """Begin what can begin, and pair the next round when it is time; end the competition after the last one."""
        await self._qualify()
        self.progress.entered = len(self.field.active)
        await self._begin_waiting()
        while not self._waiting and self.state == "running":
            if self._ranked_in_play() and waits_for_results(self.settings.format):
                return
            meetings = await self._pair()
            if meetings is None:
                if not self._ranked_in_play():
                    await self._finish()
                return
            if not meetings:
                return
            await self._begin_waiting()

    async def _pair(self) -> list[Meeting] | None:
        form, active = self.settings.format, self.field.active
        present = None
        if isinstance(form, Ladder):
            by_id = self._manager.members.by_id
            present = [player for player in active if by_id[player].connection is not None]
            active = [player for player in present if self._busy[player] < self.settings.matches_at_once]
        self.progress.rounds = rounds_of(form, self.seats, len(active))
        meetings = await asyncio.to_thread(next_round, form, self.seats, active, self._history, present)
        if meetings:
            await self._manager.store.written(competition_records.add_meetings(self.id, meetings))
            self._history.paired(meetings)
            self.progress.round = meetings[-1].round + 1
            self._add_legs(meetings, skip=frozenset())
        return meetings

    def _add_legs(self, meetings: Sequence[Meeting], skip: frozenset[tuple[int, int]]) -> None:
        settings = self.settings
        active = set(self.field.active)
        for meeting in meetings:
            legs = legs_of(
                meeting, len(self._sources), settings.repeats, self._row.secret, common_chance=settings.common_chance
            )
            wanted = [leg for leg in legs if leg.place not in skip and active.issuperset(leg.players)]
            self._waiting.add(wanted)
            self.progress.matches += len(wanted)
            for leg in wanted:
                self._manager.chance.hold(self._group(leg), HOLDER)

    async def _begin_waiting(self) -> None:
        while self.state == "running" and (leg := self._waiting.take(self._busy, self.settings.matches_at_once)):
            members = [self._manager.members.by_id[player] for player in leg.players]
            place = MatchPlace(self.id, leg.meeting, leg.number, "ranked")
            match, task = await self._start_match(members, leg.game, leg.seed, self._group(leg), place)
            self._now_playing(task, match, members, leg, None)
            if not self._waiting.has_group(leg.chance_group):
                await self._manager.chance.let_go(self._group(leg), HOLDER)

    async def _start_match(
        self, members: Sequence[Member], game: int, seed: str, group: str, place: MatchPlace
    ) -> tuple[str, asyncio.Task[Ended | None]]:
        source = self._sources[game]
        hide = self.settings.hide_times
        if hide is None:
            hide = self.settings.entry != "everybody" and await self._manager.hides_something(source)
        return await self._manager.start_match(
            MatchOrder(
                source=source,
                players=tuple(members),
                clocks=self.settings.clocks,
                seed=seed,
                chance_group=group,
                place=place,
                strikes=self.settings.strikes,
                hide_times=hide,
            )
        )

    async def _qualify(self) -> None:
        """Begin the first match of entrants who have to qualify, where they are connected."""
        playing = {one.qualifying for one in self._playing.values()}
        for row in self.field.of_state("qualifying"):
            member = self._manager.members.by_id[row.player]
            if row.player in playing or member.connection is None:
                continue
            house = await self._manager.members.house()
            others = [house] * (self.seats - 1)
            if self.seats > 2:
                others = [await self._manager.members.house(number) for number in range(self.seats - 1)]
            attempt = f"{row.player}-{wall_clock()}"
            seed = derive_seed(self._row.secret, "qualifying", attempt)
            place = MatchPlace(self.id, None, None, "qualifying")
            match, task = await self._start_match([member, *others], 0, seed, f"{self.id}-qualifying-{attempt}", place)
            self._now_playing(task, match, [member], None, row.player)

    def _now_playing(
        self,
        task: asyncio.Task[Ended | None],
        match: str,
        members: Sequence[Member],
        leg: Leg | None,
        qualifying: int | None,
    ) -> None:
        names = tuple(member.name for member in members)
        players = tuple(member.id for member in members)
        began_s = asyncio.get_running_loop().time()
        self._playing[task] = _Playing(leg, qualifying, names, players, match, began_s)
        if leg is not None:
            self._busy.update(players)
        self._show_playing()
        task.add_done_callback(self._woken)

    def _woken(self, _: object) -> None:
        self._wake.set()

    async def _match_over(self, task: asyncio.Task[Ended | None], playing: _Playing) -> None:
        if playing.leg is not None:
            self._busy.subtract(playing.players)
        self._show_playing()
        if task.cancelled():
            return
        ended = task.result()
        if ended is None:
            if self._manager.store.failure is not None:
                raise StoreFailed(self._manager.store.failure)
            return
        if playing.qualifying is not None:
            await self._qualified(playing, ended)
            return
        assert playing.leg is not None
        self.progress.match_ended(asyncio.get_running_loop().time() - playing.began_s)
        for seat in ended.forfeited:
            self._warn(f"{playing.names[seat]} forfeits match {playing.match}: {ended.reason}")
        if ended.result == "aborted":
            self._warn(f"match {playing.match} is aborted: {ended.reason}")
        if playing.match in self._counted:
            self._counted.discard(playing.match)
        elif self.field.struck.isdisjoint(playing.players):
            result = MatchResult(playing.players, ended.utilities, (0,) * len(playing.players), ended.forfeited)
            self._history.played(playing.leg.meeting, result)

    async def _qualified(self, playing: _Playing, ended: Ended) -> None:
        assert playing.qualifying is not None
        row = self.field.rows[playing.qualifying]
        if row.state != "qualifying":
            return
        stored = await self._stored_matches(playing.match)
        errors = stored[0].errors[0] if stored else 0
        if ended.result == "finished" and not errors:
            await self._leave(row, "entered", None)
            return
        why = ended.reason if ended.result != "finished" else f"{errors} late, illegal or malformed messages"
        reason = f"the qualifying match {playing.match} was not played as it should: {why}"
        self._warn(f"{row.name} does not qualify: {reason}")
        await self._leave(row, "failed", reason)

    async def _finish(self) -> None:
        await self._set_state("finished", None)

    async def _leave(self, row: EntrantRow, state: EntrantState, reason: str | None) -> None:
        """Give an entrant another state, with what follows for its matches."""
        await self.field.set_state(row, state, reason)
        if state in ("withdrawn", "kicked", "disqualified", "refused"):
            for leg in self._waiting.drop(row.player):
                self.progress.matches -= 1
                if not self._waiting.has_group(leg.chance_group):
                    await self._manager.chance.let_go(self._group(leg), HOLDER)
            for playing in self._playing.values():
                match = self._manager.matches.get(playing.match)
                if match is None or row.player not in match.players:
                    continue
                if state == "disqualified":
                    match.stop(f"{row.name} was disqualified")
                else:
                    match.forfeit_by(row.player, f"{row.name} {'left' if state == 'withdrawn' else 'was sent away'}")
            if state == "disqualified" and self.state in ("running", "paused"):
                await self._load_history()
        self._wake.set()

    async def _set_state(self, state: CompetitionState, reason: str | None) -> None:
        await self._manager.store.written(competition_records.set_state(self.id, state, reason, wall_clock()))
        self.state, self.reason = state, reason
        for row in self.field.rows.values():
            if self.is_over:
                self.tell(row)
        self._wake.set()

    # --- going on with what an earlier manager began ------------------------------------------------------------------

    async def _resume_matches(self) -> None:
        rows = await self._stored_matches()
        for row in rows:
            task = self._manager.task_of(row.id)
            if row.purpose == "qualifying":
                if task is not None:
                    member = self._manager.members.by_id[row.players[0]]
                    self._now_playing(task, row.id, [member], None, member.id)
            elif task is not None and row.meeting is not None and row.leg is not None:
                leg = Leg(row.meeting, row.leg, 0, row.players, row.chance_group, "")
                members = [self._manager.members.by_id[player] for player in row.players]
                self._now_playing(task, row.id, members, leg, None)
        if not self._resumed:
            return
        meetings = await self._load_history()
        begun = frozenset((row.meeting or 0, row.leg or 0) for row in rows if row.purpose == "ranked")
        last = meetings[-1].round if meetings else -1
        self.progress.round = last + 1
        self.progress.matches = len(begun)
        self.progress.finished = len(begun) - len(self._ranked_in_play())
        self._add_legs(meetings, skip=begun)
        await self._manager.chance.release_all()
        await self._players_returned()

    async def _load_history(self) -> list[Meeting]:
        """Read what has been paired and played; the matches of who was disqualified count for nobody."""
        struck = self.field.struck
        history = History(keep=not isinstance(self.settings.format, Ladder))
        playing = {one.match for one in self._playing.values()}
        counted: set[str] = set()

        def read() -> list[Meeting]:
            with self._manager.store.reading() as connection:
                meetings = competition_records.meetings(connection, self.id)
                history.paired(meetings)
                for match, meeting, result in competition_records.results(connection, self.id):
                    if match in playing:
                        counted.add(match)
                    if struck.isdisjoint(result.players):
                        history.played(meeting, result)
                return meetings

        meetings = await asyncio.to_thread(read)
        self._history, self._counted = history, counted
        return meetings

    async def _players_returned(self) -> None:
        """Let the players come back for a while; the matches of those who do not are played without them."""
        by_id = self._manager.members.by_id
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RETURN_GRACE_S):
                while any(by_id[player].connection is None for player in self.field.active):
                    self._wake.clear()
                    await self._wake.wait()

    async def _stored_matches(self, match: str | None = None) -> list[MatchRow]:
        def read() -> list[MatchRow]:
            with self._manager.store.reading() as connection:
                if match is not None:
                    return records.matches(connection, id_=match)
                if isinstance(self.settings.format, Ladder):
                    return records.matches(connection, competition=self.id, state="running")
                return records.matches(connection, competition=self.id)

        return await asyncio.to_thread(read)

    def _ranked_in_play(self) -> list[_Playing]:
        return [one for one in self._playing.values() if one.leg is not None]

    def _show_playing(self) -> None:
        self.progress.playing = [" - ".join(one.names) for one in self._ranked_in_play()]
        self.progress.at_once = max(self.progress.at_once, float(len(self._playing)))

    def _group(self, leg: Leg) -> str:
        return leg.chance_group if leg.chance_group.startswith(f"{self.id}-") else f"{self.id}-{leg.chance_group}"

    def _warn(self, text: str) -> None:
        if text in self.warnings:
            return
        log.warning("%s: %s", self.settings.name, text)
        self.warnings.append(text)
        del self.warnings[:-MAX_WARNINGS]


__all__ = ["Competition", "CompetitionRefused", "HostAction", "MatchRefused", "SettingsWrong"]
