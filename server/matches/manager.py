"""All matches of a game manager: begins them, continues those of an earlier manager, and suspends them."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Sequence

from msgspec import Struct

from ggp.competition.results import ENDLESS, MatchOutcome
from ggp.errors import GgpError
from ggp.protocol.codec import encode
from ggp.protocol.messages import PROTOCOL_VERSION, MatchSettings, Problem, ProblemCode, match_settings
from server.matches.chance_groups import ChanceGroups
from server.matches.counters import Counters
from server.matches.games import Games, GameSource, teams_of
from server.matches.loaded_game import LoadedGame, LoadedGames
from server.matches.members import Member, Members
from server.matches.running_match import LiveMatch
from server.referee.game_interface import Player
from server.referee.journal import Created, Event, Input
from server.referee.referee import Referee
from server.referee.replay import replaying
from server.store import records
from server.store.records import MatchPlace, MatchRow
from server.store.store import Store, StoreFailed, StoreUnusable
from server.store.wall_clock import wall_clock

REVIVED_AT_ONCE = 8
"""Matches that are replayed at the same time when a manager starts, so that slow rules leave room for others."""
LATENESS_KEPT = 2_000
"""Deadlines whose lateness is kept; computing a percentile sorts all of them."""

SINGLE = MatchPlace()

log = logging.getLogger("ggp.manager")


class MatchRefused(GgpError):
    """A match cannot be created: too few players, a player who is not connected, or the same player twice."""


class JournalBroken(GgpError):
    """Replaying the journal of a match gives other messages than those that were sent."""

    def __str__(self) -> str:
        return "replaying its journal gives other messages than those that were sent"


class MatchOrder(Struct, frozen=True):
    """A match to create.

    Attributes:
        source: of the game.
        players: by seat.
        settings: of the match; anything that derives from `MatchSettings`.
        seed: of its chance outcomes.
        chance_group: names the matches that share `seed`.
        place: where it belongs in a competition.
    """

    source: GameSource
    players: tuple[Member, ...]
    settings: MatchSettings
    seed: str
    chance_group: str
    place: MatchPlace = SINGLE


class Manager:
    """Everything that runs in one game manager; all methods must be called in its event loop."""

    def __init__(self, store: Store, games: Games) -> None:
        self.store = store
        self.games = LoadedGames(games)
        with store.reading() as connection:
            self.members = Members(store, records.all_players(connection))
        self.chance = ChanceGroups(self.members)
        self.matches: dict[str, LiveMatch] = {}
        self.counters = Counters()
        """For `/metrics`."""
        self.deadlines_enforced = 0
        """How many deadlines of matches have passed without an answer."""
        self._lateness_ms: deque[int] = deque(maxlen=LATENESS_KEPT)
        self._tasks: dict[str, asyncio.Task[MatchOutcome | None]] = {}
        self._closing = False

    def lateness_p99_ms(self) -> int | None:
        """Return how late recent deadlines were enforced, 99th percentile; None before the first."""
        lateness_ms = sorted(self._lateness_ms)
        return lateness_ms[len(lateness_ms) * 99 // 100] if lateness_ms else None

    def _deadline_enforced(self, lateness_ms: int) -> None:
        self.deadlines_enforced += 1
        self._lateness_ms.append(lateness_ms)

    # --- matches ------------------------------------------------------------------------------------------------------

    async def start_match(self, order: MatchOrder) -> tuple[str, asyncio.Task[MatchOutcome | None]]:
        """Create a match and start it.

        Returns:
            Its name, and a task that returns its end, or None if the manager had to stop first.

        Raises:
            MatchRefused: its players do not fit.
            GgpError: its rules have errors.
            StoreFailed: it cannot be stored.
        """
        loaded = await self.games.load(order.source)
        game = loaded.game
        if len(order.players) != len(game.players):
            raise MatchRefused(f"{order.source.name} needs {len(game.players)} players, not {len(order.players)}")
        if len({member.id for member in order.players}) != len(order.players):
            raise MatchRefused("a player cannot play against itself")
        preparing = [member.preparation for member in order.players if member.preparation is not None]
        await asyncio.gather(*(one.ended(order.source) for one in preparing))
        if self._closing:
            raise MatchRefused("the manager stops")
        settings = match_settings(order.settings)
        if settings["hide_times"] is None:
            settings["hide_times"] = not getattr(game, "perfect_information", False)
        created = Created(
            match=secrets.token_hex(6),
            game=order.source.name,
            rules=order.source.rules,
            files=dict(order.source.files),
            parameters=dict(order.source.parameters),
            roles=tuple(game.players),
            names=tuple(member.name for member in order.players),
            transition_limit=ENDLESS,
            seed=order.seed,
            nonce=secrets.token_hex(16),
            protocol=PROTOCOL_VERSION,
            **settings,
        )
        ids = [member.id for member in order.players]
        # Before the first await: a match with the same seed must not end and publish it meanwhile.
        self.chance.hold(order.chance_group, created.match)
        try:
            await self.store.written(
                records.add_match, created, ids, order.chance_group, order.place, wall_clock(), teams_of(game)
            )
        except StoreFailed:
            self.chance.unhold(order.chance_group, created.match)
            raise
        if self._closing:
            self.chance.unhold(order.chance_group, created.match)
            raise MatchRefused("the manager stops; the match begins when it is started again")
        self.counters.add("matches_started")
        match = self._live_match(Referee(game, created, loaded.faults), loaded, ids, 1, 0)
        return created.match, self._run(match, order.chance_group)

    def task_of(self, match: str) -> asyncio.Task[MatchOutcome | None] | None:
        """Return the task of a match in play."""
        return self._tasks.get(match)

    def _run(self, match: LiveMatch, group: str) -> asyncio.Task[MatchOutcome | None]:
        self.matches[match.id] = match
        self.chance.hold(group, match.id)
        self._seat_players(match)
        task = asyncio.create_task(self._play(match, group), name=f"match {match.id}")
        self._tasks[match.id] = task
        return task

    def _seat_players(self, match: LiveMatch) -> None:
        """Connect the players to a match, now or when they reconnect."""
        for seat, id_ in enumerate(match.players):
            member = self.members.by_id[id_]
            member.matches[match.id] = (match, Player(seat))
            outlet = member.outlet
            if outlet is not None:
                match.connect(Player(seat), outlet)

    async def _play(self, match: LiveMatch, group: str) -> MatchOutcome | None:
        """Play a match, and clean up after it; None if it could not continue."""
        try:
            try:
                ended = await match.play()
            except StoreFailed:
                match.tell(_problem("match_suspended", "the manager cannot store the match; it stands still", match.id))
                return None
            except asyncio.CancelledError:
                match.tell(_problem("server_stopping", "the manager stops; the match can go on later", match.id))
                raise
            except Exception:  # a match's end: whatever failed in it, the others go on
                log.exception("match %s fails", match.id)
                successor = await self._abort(match)
                if successor is None:
                    return await self._abandon(match, group)
                match = successor
                assert match.referee.ended is not None
                ended = match.referee.ended
            self.counters.add("matches_ended", result=ended.result)
            self.counters.add("match_seconds", match.now_ms() / 1000)
            for error in match.referee.errors:
                self.counters.add("player_errors", kind=error.kind)
            self.chance.ended(group, match)
            await self.chance.let_go(group, match.id)
            return ended
        except StoreFailed:
            return None
        finally:
            self._forget(match)

    async def _abort(self, match: LiveMatch) -> LiveMatch | None:
        """End a match whose game or referee failed unexpectedly, from its journal, which is intact.

        The failure may have left the referee half-changed, so a new one replaces it; None if that fails, too.
        """
        try:
            successor = await self._revive(match.id, match.players)
        except Exception:  # the match's second end: it is closed without its referee
            log.exception("match %s cannot be played again", match.id)
            return None
        self._seat_players(successor)
        self.matches[match.id] = successor
        await successor.abort("the manager failed in this match")
        return successor

    async def _abandon(self, match: LiveMatch, group: str) -> MatchOutcome:
        """End a match that no referee can end."""
        reason = "the manager failed in this match, and its journal cannot be played again"
        ended = MatchOutcome("aborted", reason)
        await self.store.written(records.set_outcome, match.id, ended, wall_clock())
        match.tell(_problem("match_suspended", reason, match.id))
        await self.chance.let_go(group, match.id)
        return ended

    def _forget(self, match: LiveMatch) -> None:
        self.matches.pop(match.id, None)
        self._tasks.pop(match.id, None)
        if not match.is_settled:
            for id_ in match.players:
                self.members.by_id[id_].leave(match)

    # --- start and end of the manager ---------------------------------------------------------------------------------

    async def recover(self) -> int:
        """Continue the matches that were in play when the last manager on this store ended; return how many."""
        with self.store.reading() as connection:
            unreleased = records.matches(connection, unreleased=True)
        at_once = asyncio.Semaphore(REVIVED_AT_ONCE)
        tasks = [asyncio.create_task(self._bring_back(row, at_once)) for row in unreleased]
        try:
            found = await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
        revived = [(match, row.chance_group) for match, row in zip(found, unreleased, strict=True) if match is not None]
        going_on = [(match, group) for match, group in revived if not match.is_settled]
        for match, group in revived:
            if match.is_settled:
                self.chance.ended(group, match)
                self._seat_players(match)
        # All at once, and last: from here on each waits for its players, who cannot connect before.
        for match, group in going_on:
            self._run(match, group)
        return len(going_on)

    async def _bring_back(self, row: MatchRow, at_once: asyncio.Semaphore) -> LiveMatch | None:
        """Revive a match of an earlier manager; None if that fails, and the match is aborted."""
        async with at_once:
            try:
                return await self._revive(row.id, row.players)
            except StoreUnusable:
                raise
            except Exception as error:  # a match's end: it must not keep the manager from starting
                log.exception("match %s cannot continue", row.id)
                if row.state == "running":
                    # Its seed is not published: matches that share it may be in play, and it could verify nothing.
                    outcome = MatchOutcome("aborted", f"it could not continue: {error}")
                    await self.store.written(records.set_outcome, row.id, outcome, wall_clock())
                return None

    async def _revive(self, id_: str, players: Sequence[int]) -> LiveMatch:
        """Bring a match back to the end of its journal.

        Raises:
            JournalBroken: its journal does not follow from its rules and its seed.
            GgpError: its rules can no longer be loaded.
            StoreUnusable: its journal cannot be read.
        """

        def read() -> list[Event]:
            with self.store.reading() as connection:
                return records.journal_of(connection, id_)

        events = await asyncio.to_thread(read)
        created = events[0]
        assert isinstance(created, Created)
        loaded = await self.games.load(GameSource(created.game, created.rules, created.files, created.parameters))
        referee, replayed = await _replayed(events, loaded)
        if replayed != events:
            raise JournalBroken
        elapsed_ms = max((event.at_ms for event in events if isinstance(event, Input)), default=0)
        return self._live_match(referee, loaded, players, len(events), elapsed_ms)

    def _live_match(
        self, referee: Referee, loaded: LoadedGame, players: Sequence[int], stored: int, elapsed_ms: int
    ) -> LiveMatch:
        return LiveMatch(referee, loaded, players, stored, elapsed_ms, self.store, self._deadline_enforced)

    async def suspend(self) -> None:
        """Suspend all matches, and tell the players; no more begin."""
        self._closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _replayed(events: list[Event], loaded: LoadedGame) -> tuple[Referee, list[Event]]:
    """Replay a journal without blocking the event loop; see `replaying`."""
    steps = replaying(events, loaded.game, loaded.faults)
    try:
        step = next(steps)
        while True:
            # Without a limit: these transitions ended when the match was played.
            made, _ = await loaded.make(step, None)
            step = steps.send(made)
    except StopIteration as end:
        result: tuple[Referee, list[Event]] = end.value
        return result


def _problem(code: ProblemCode, message: str, match: str) -> str:
    return encode(Problem(code, message, match))
