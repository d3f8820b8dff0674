"""Runs a tournament over connected players: waits for them, begins matches as players become free, adds up results."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import sqlite3
from dataclasses import dataclass, field

import msgspec

from ggp.errors import GgpError
from server.matches.cross_table import TableRow, table_of_matches
from server.matches.games import GameSource
from server.matches.manager import Manager, MatchOrder
from server.matches.members import Member
from server.matches.round_robin import Pairing, TournamentSettings, Waiting, schedule
from server.matches.running_match import RETURN_GRACE_S
from server.referee.clocks import ClockSettings
from server.referee.journal import Ended
from server.store import records
from server.store.records import MatchRow, TournamentRow
from server.store.store import StoreFailed
from server.store.wall_clock import wall_clock

HOLDER = "schedule"
"""Holds the seeds of matches that have not begun."""

log = logging.getLogger("ggp.tournament")


class TournamentRefused(GgpError):
    """A tournament cannot be made as it is described."""


class TournamentStopped(GgpError):
    """A tournament cannot go on; what was played of it is in the store."""


@dataclass
class Progress:
    """How far a tournament is; read by whoever shows it."""

    connected: int = 0
    wanted: int = 0
    finished: int = 0
    matches: int = 0
    playing: list[str] = field(default_factory=list)
    """The matches in play, as `red - blue`."""
    mean_match_s: float = 0.0
    """Mean length of the matches so far, in seconds; 0 before the first ended."""
    at_once: float = 1.0
    """How many matches were played at once, at most."""

    @property
    def remaining_s(self) -> float | None:
        """An estimate of the time left; None before the first match ended."""
        if not self.mean_match_s:
            return None
        return (self.matches - self.finished) * self.mean_match_s / max(1.0, self.at_once)


class TournamentRunner:
    """One tournament, new or going on.

    Args:
        manager: where it is played.
        settings: what it is.
        row: the stored tournament that is gone on with, if one is.

    Raises:
        TournamentRefused: the settings do not fit the game.
    """

    def __init__(self, manager: Manager, settings: TournamentSettings, row: TournamentRow | None = None) -> None:
        self.id = row.id if row is not None else secrets.token_hex(6)
        self.settings = settings
        self.progress = Progress(wanted=settings.players)
        self._manager = manager
        self._row = row
        self._clocks = ClockSettings(settings.start_clock_ms, settings.play_clock_ms, settings.allowance_ms)

    async def run(self) -> list[TableRow]:
        """Play the tournament to its end.

        Returns:
            The cross table.

        Raises:
            TournamentRefused: the game needs more players than take part.
            TournamentStopped: something could not be stored.
            GgpError: the game is not there, or its rules are wrong.
        """
        try:
            return await self._run()
        except StoreFailed as error:
            raise TournamentStopped(
                f"the tournament stands still: {error}; with room to write, `ggp serve` with this store goes on with it"
            ) from error

    async def _run(self) -> list[TableRow]:
        source = await self._manager.games.find(self.settings.game, self.settings.parameters)
        game = (await self._manager.games.load(source)).game
        try:
            pairings = await asyncio.to_thread(schedule, self.settings, len(game.players))
        except ValueError as error:
            raise TournamentRefused(str(error)) from error
        self.progress.matches = len(pairings)
        members = await self._members()
        names = [member.name for member in members]
        log.info("%d players are ready: %s", len(members), ", ".join(names))
        done = {row.place: row for row in await self._match_rows()}
        running = {pairing.place: done[pairing.place].id for pairing in pairings if _is_running(done, pairing)}
        waiting = [pairing for pairing in pairings if pairing.place not in done]
        self.progress.finished = len(pairings) - len(waiting) - len(running)
        for pairing in waiting:
            self._manager.chance.hold(self._group(pairing), HOLDER)
        await self._manager.chance.release_all()
        await self._play(pairings, Waiting(waiting), running, members, source)
        await self._manager.store.written(records.finish_tournament(self.id))
        return await self.table()

    async def table(self) -> list[TableRow]:
        """Return the cross table of the matches that are over."""
        return table_of_matches(await self._match_rows())

    async def _members(self) -> list[Member]:
        """Wait for the players: of a new tournament for enough, of an old one a while for those it has."""
        members = self._manager.members
        if self._row is not None:
            return await self._returned([members.by_id[id_] for id_ in self._row.players])
        while len(members.connected) < self.settings.players:
            self.progress.connected = len(members.connected)
            await asyncio.sleep(0.05)
        chosen = members.connected[: self.settings.players]
        self.progress.connected = len(chosen)
        settings = msgspec.json.encode(self.settings).decode()
        operation = records.add_tournament(self.id, settings, [member.id for member in chosen], wall_clock())
        await self._manager.store.written(operation)
        return chosen

    async def _returned(self, chosen: list[Member]) -> list[Member]:
        """Let the players of an old tournament come back; the matches of those who do not are played without them."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RETURN_GRACE_S):
                while self.progress.connected < len(chosen):
                    await asyncio.sleep(0.05)
                    self.progress.connected = sum(member.connection is not None for member in chosen)
        return chosen

    async def _play(
        self,
        pairings: list[Pairing],
        waiting: Waiting,
        running: dict[int, str],
        members: list[Member],
        source: GameSource,
    ) -> None:
        loop = asyncio.get_running_loop()
        by_place = {pairing.place: pairing for pairing in pairings}
        busy: dict[int, int] = {}
        tasks: dict[asyncio.Task[Ended | None], tuple[Pairing, float]] = {}
        total_s, ended = 0.0, 0
        for place, id_ in running.items():
            task = self._manager.task_of(id_)
            if task is None:
                self.progress.finished += 1  # since its row was read
                continue
            tasks[task] = (by_place[place], loop.time())
            _add(busy, by_place[place], 1)
        while waiting or tasks:
            while (pairing := waiting.take(busy, self.settings.matches_at_once)) is not None:
                _add(busy, pairing, 1)
                task = await self._begin(pairing, members, source)
                tasks[task] = (pairing, loop.time())
                if not waiting.has_group(pairing.chance_group):
                    await self._manager.chance.let_go(self._group(pairing), HOLDER)
            self.progress.playing = [
                " - ".join(members[player].name for player in pairing.players) for pairing, _ in tasks.values()
            ]
            self.progress.at_once = max(self.progress.at_once, float(len(tasks)))
            finished, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in finished:
                pairing, began = tasks.pop(task)
                _add(busy, pairing, -1)
                if task.result() is None:
                    raise StoreFailed(self._manager.store.failure)
                ended += 1
                total_s += loop.time() - began
                self.progress.finished += 1
                self.progress.mean_match_s = total_s / ended

    async def _begin(self, pairing: Pairing, members: list[Member], source: GameSource) -> asyncio.Task[Ended | None]:
        order = MatchOrder(
            source=source,
            players=tuple(members[player] for player in pairing.players),
            clocks=self._clocks,
            seed=pairing.seed,
            chance_group=self._group(pairing),
            tournament=self.id,
            place=pairing.place,
        )
        _, task = await self._manager.start_match(order)
        return task

    def _group(self, pairing: Pairing) -> str:
        return f"{self.id}-{pairing.chance_group}"

    async def _match_rows(self) -> list[MatchRow]:
        def read() -> list[MatchRow]:
            with self._manager.store.reading() as connection:
                return records.matches(connection, tournament=self.id)

        return await asyncio.to_thread(read)


def unfinished_tournament(manager: Manager) -> TournamentRunner | None:
    """Return the tournament that was played when the last manager on this store ended, if one was."""
    with manager.store.reading() as connection:
        found = unfinished(connection)
    return None if found is None else TournamentRunner(manager, *found)


def unfinished(connection: sqlite3.Connection) -> tuple[TournamentSettings, TournamentRow] | None:
    """Return the tournament of a store that has not finished, the latest if there are several."""
    rows = [row for row in records.tournaments(connection) if row.state == "running"]
    if not rows:
        return None
    return msgspec.json.decode(rows[-1].settings, type=TournamentSettings), rows[-1]


def _is_running(done: dict[int | None, MatchRow], pairing: Pairing) -> bool:
    return pairing.place in done and done[pairing.place].state == "running"


def _add(busy: dict[int, int], pairing: Pairing, change: int) -> None:
    for player in pairing.players:
        busy[player] = busy.get(player, 0) + change
