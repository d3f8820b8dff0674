"""The course of one competition: begins it, pairs round by round, begins matches as players are free, ends it."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import logging
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from ggp.competition.formats import FormatUnfit, Ladder, check_format, next_round, rounds_of, waits_for_results
from ggp.competition.history import History
from ggp.competition.results import MatchOutcome, MatchResult, Meeting
from ggp.errors import GgpError
from server.competitions.field import Field
from server.competitions.legs import Leg, WaitingLegs, legs_of
from server.competitions.playing import MatchesInPlay, Playing
from server.competitions.progress import Progress
from server.competitions.settings import CompetitionSettings
from server.competitions.stored import read_history, read_match, read_matches
from server.matches.games import GameSource
from server.matches.manager import Manager, MatchOrder
from server.matches.members import Member
from server.matches.running_match import RETURN_GRACE_S
from server.referee.chance import derive_seed
from server.store import competition_records
from server.store.competition_records import CompetitionRow, CompetitionState, EntrantRow, EntrantState
from server.store.records import MatchPlace
from server.store.store import StoreFailed
from server.store.wall_clock import wall_clock

HOLDER = "competition"
"""Holds back the seeds of matches that have not begun."""
POLL_S = 1.0
"""How often a competition checks whether to begin, and a ladder whether players are free."""
MAX_WARNINGS = 50

log = logging.getLogger("ggp.competition")


class CompetitionRefused(GgpError):
    """A request to a competition is not possible now."""


class Course:
    """The course of one competition, new or continued.

    Attributes:
        failure: why it is suspended, if something failed.
        warnings: for the host, the latest last.
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
        self._wake = asyncio.Event()
        self._playing = MatchesInPlay(self.progress, self._wake.set)
        self._counted: set[str] = set()
        """Matches in `_playing` that the history contains already, since it was read after they had ended."""
        self._resumed = row.state in ("running", "paused")

    @property
    def is_over(self) -> bool:
        """Whether it is finished or cancelled."""
        return self.state in ("finished", "cancelled")

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

    def _prepares(self, player: int) -> bool:
        """Return whether matches have to wait for a player that prepares for the games."""
        preparation = self._manager.members.by_id[player].preparation
        if preparation is None:
            return False
        under_way = [preparation.is_under_way(source) for source in self._sources]  # the player is told all of them
        return any(under_way)

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
            self._playing.forget()

    async def _wait(self) -> None:
        """Wait until something happens: a match ends, a player connects or leaves, the host makes a request."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(POLL_S):
                await self._wake.wait()
        for task, playing in self._playing.take_over():
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
            self._check_startable()
        except CompetitionRefused as error:
            self._warn(f"it cannot begin: {error}")
            return
        await self._begin()

    def _present(self) -> list[int]:
        """Return who would take part if it began now; if everybody may enter, those who are connected."""
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
        """Start waiting matches, pair the next round when it is time, and end the competition after the last one."""
        await self._qualify()
        self.progress.entered = len(self.field.active)
        await self._begin_waiting()
        while not self._waiting and self.state == "running":
            if self._playing.ranked and waits_for_results(self.settings.format):
                return
            meetings = await self._pair()
            if meetings is None:
                if not self._playing.ranked:
                    await self._set_state("finished", None)
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
            active = [player for player in present if self._playing.busy[player] < self.settings.matches_at_once]
        self.progress.rounds = rounds_of(form, self.seats, len(active))
        meetings = await asyncio.to_thread(next_round, form, self.seats, active, self._history, present)
        if meetings:
            await self._manager.store.written(competition_records.add_meetings, self.id, meetings)
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
        while self.state == "running" and (leg := self._waiting.take(self._busy(), self.settings.matches_at_once)):
            members = [self._manager.members.by_id[player] for player in leg.players]
            place = MatchPlace(self.id, leg.meeting, leg.number, "ranked")
            match, task = await self._start_match(members, leg.game, leg.seed, self._group(leg), place)
            self._playing.add(task, match, members, leg, None)
            if not self._waiting.has_group(leg.chance_group):
                await self._manager.chance.let_go(self._group(leg), HOLDER)

    def _busy(self) -> dict[int, int]:
        """Return how many matches each player is playing; those who prepare for the games take part in no more."""
        preparing = list(filter(self._prepares, self.field.active))
        self.progress.preparing = [self.field.rows[player].name for player in preparing]
        return {**self._playing.busy, **dict.fromkeys(preparing, self.settings.matches_at_once)}

    async def _start_match(
        self, members: Sequence[Member], game: int, seed: str, group: str, place: MatchPlace
    ) -> tuple[str, asyncio.Task[MatchOutcome | None]]:
        source = self._sources[game]
        settings = self.settings
        if settings.hide_times is None and settings.entry == "everybody":
            settings = replace(settings, hide_times=False)
        return await self._manager.start_match(MatchOrder(source, tuple(members), settings, seed, group, place))

    async def _qualify(self) -> None:
        """Start the qualifying matches of connected entrants."""
        playing = {one.qualifying for one in self._playing.all}
        for row in self.field.of_state("qualifying"):
            member = self._manager.members.by_id[row.player]
            if row.player in playing or member.connection is None or self._prepares(row.player):
                continue
            others = [await self._manager.members.house(number) for number in range(self.seats - 1)]
            attempt = f"{row.player}-{wall_clock()}"
            seed = derive_seed(self._row.secret, "qualifying", attempt)
            place = MatchPlace(self.id, None, None, "qualifying")
            match, task = await self._start_match([member, *others], 0, seed, f"{self.id}-qualifying-{attempt}", place)
            self._playing.add(task, match, [member], None, row.player)

    async def _match_over(self, task: asyncio.Task[MatchOutcome | None], playing: Playing) -> None:
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
            result = MatchResult(playing.players, ended, (0,) * len(playing.players))
            self._history.played(playing.leg.meeting, result)

    async def _qualified(self, playing: Playing, ended: MatchOutcome) -> None:
        assert playing.qualifying is not None
        row = self.field.rows[playing.qualifying]
        if row.state != "qualifying":
            return
        stored = await asyncio.to_thread(read_match, self._manager.store, playing.match)
        errors = stored.errors[0]
        if ended.result == "finished" and not errors:
            await self._leave(row, "entered", None)
            return
        why = ended.reason if ended.result != "finished" else f"{errors} late, illegal or malformed messages"
        reason = f"the qualifying match {playing.match} was not passed: {why}"
        self._warn(f"{row.name} does not qualify: {reason}")
        await self._leave(row, "failed", reason)

    async def _leave(self, row: EntrantRow, state: EntrantState, reason: str | None) -> None:
        """Change the state of an entrant, with the consequences for its matches."""
        await self.field.set_state(row, state, reason)
        if state in ("withdrawn", "kicked", "disqualified", "refused"):
            for leg in self._waiting.drop(row.player):
                self.progress.matches -= 1
                if not self._waiting.has_group(leg.chance_group):
                    await self._manager.chance.let_go(self._group(leg), HOLDER)
            for playing in self._playing.all:
                match = self._manager.matches.get(playing.match)
                if match is None or row.player not in match.players:
                    continue
                if state == "disqualified":
                    match.stop(f"{row.name} was disqualified")
                else:
                    match.forfeit_by(row.player, f"{row.name} {'left' if state == 'withdrawn' else 'was removed'}")
            if state == "disqualified" and self.state in ("running", "paused"):
                await self._load_history()
        self._wake.set()

    async def _set_state(self, state: CompetitionState, reason: str | None) -> None:
        await self._manager.store.written(competition_records.set_state, self.id, state, reason, wall_clock())
        self.state, self.reason = state, reason
        if self.is_over:
            for row in self.field.rows.values():
                self.tell(row)
        self._wake.set()

    # --- continuing a competition of an earlier manager ---------------------------------------------------------------

    async def _resume_matches(self) -> None:
        running, begun = await asyncio.to_thread(read_matches, self._manager.store, self.id)
        for row in running:
            task = self._manager.task_of(row.id)
            if row.purpose == "qualifying":
                if task is not None:
                    member = self._manager.members.by_id[row.players[0]]
                    self._playing.add(task, row.id, [member], None, member.id)
            elif task is not None and row.meeting is not None and row.leg is not None:
                leg = Leg(row.meeting, row.leg, 0, row.players, row.chance_group, "")
                members = [self._manager.members.by_id[player] for player in row.players]
                self._playing.add(task, row.id, members, leg, None)
        if not self._resumed:
            return
        meetings = await self._load_history()
        last = meetings[-1].round if meetings else -1
        rounds = rounds_of(self.settings.format, self.seats, len(self.field.active))
        self.progress.round, self.progress.rounds, self.progress.matches = last + 1, rounds, len(begun)
        self.progress.finished = len(begun) - len(self._playing.ranked)
        # Of most meetings all legs have begun: a ladder has hundreds of thousands.
        count = Counter(meeting for meeting, _ in begun)
        legs = len(self._sources) * self.settings.repeats * self.seats
        self._add_legs([meeting for meeting in meetings if count[meeting.number] < legs], skip=begun)
        await self._manager.chance.release_all()
        await self._players_returned()

    async def _load_history(self) -> list[Meeting]:
        """Read all pairings and results; matches of disqualified players do not count."""
        playing = {one.match for one in self._playing.all}
        history = History(keep=not isinstance(self.settings.format, Ladder))
        meetings, self._counted = await asyncio.to_thread(
            read_history, self._manager.store, self.id, history, self.field.struck, playing
        )
        self._history = history
        return meetings

    async def _players_returned(self) -> None:
        """Wait a while for the players to reconnect; the clocks of those who do not run as usual."""
        by_id = self._manager.members.by_id
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RETURN_GRACE_S):
                while any(by_id[player].connection is None for player in self.field.active):
                    self._wake.clear()
                    await self._wake.wait()

    def _group(self, leg: Leg) -> str:
        return leg.chance_group if leg.chance_group.startswith(f"{self.id}-") else f"{self.id}-{leg.chance_group}"

    def _warn(self, text: str) -> None:
        if text in self.warnings:
            return
        log.warning("%s: %s", self.settings.name, text)
        self.warnings.append(text)
        del self.warnings[:-MAX_WARNINGS]
