"""A match that is being played: the task that brings together its referee, the store, the clock and the players."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from ggp.protocol.codec import encode
from ggp.protocol.messages import MatchReply
from server.matches.loaded_game import LoadedGame, RulesGivenUp
from server.referee.game_interface import Player
from server.referee.journal import (
    Ended,
    Event,
    Forfeited,
    Input,
    Malformed,
    Received,
    RulesStopped,
    Sent,
    Stopped,
    Ticked,
)
from server.referee.referee import Referee
from server.store.records import add_results, event_rows
from server.store.store import Store

MAX_WAITING_FRAMES = 8
"""Frames of one player that may wait in one match; an honest player has one."""

MAX_MATCH_BYTES = 64 * 1024 * 1024
"""Of a match's journal: about as much is kept in memory, to be told again, so that a legal game cannot take it all."""

RETURN_GRACE_S = 15.0
"""How long a match that goes on after the manager had stopped waits for its players to connect again."""

Outlet = Callable[[str], None]
"""Queues an encoded message on a player's connection."""

log = logging.getLogger("ggp.match")


@dataclass(frozen=True, slots=True)
class _Rejoin:
    """A player has come back; on which connection, the match knows when it comes to this."""

    player: Player


class LiveMatch:
    """One match in play.

    Times within a match are milliseconds since it began, without those in which no manager ran. What happens to a
    match waits in one queue and is handled in order: judged, stored, and only then told.

    Args:
        referee: of the match.
        loaded: its game, which makes the transitions.
        players: the players' numbers in the store, by seat.
        stored: how many events of the journal are in the store.
        elapsed_ms: the match's own time so far.
        store: where every event goes before anybody is told of it.
        wall_clock: gives the time of day, ISO 8601, for records.
        deadline_enforced: is told how late each deadline was enforced, in milliseconds.
    """

    def __init__(
        self,
        referee: Referee,
        loaded: LoadedGame,
        players: Sequence[int],
        stored: int,
        elapsed_ms: int,
        store: Store,
        wall_clock: Callable[[], str],
        deadline_enforced: Callable[[int], None],
    ) -> None:
        self.referee = referee
        self._loaded = loaded
        self.players = tuple(players)
        self._store = store
        self._wall_clock = wall_clock
        self._deadline_enforced = deadline_enforced
        self._stored = stored
        self._unstored: list[Event] = []
        self._bytes = 0
        self._loop = asyncio.get_running_loop()
        self._origin = self._loop.time() - elapsed_ms / 1000
        self._inbox: asyncio.Queue[Input | _Rejoin] = asyncio.Queue()
        self._waiting = [0] * len(self.players)
        self._outlets: list[Outlet | None] = [None] * len(self.players)
        self._returning: dict[Player, Outlet | None] = {}
        """Who has a `_Rejoin` in the inbox: one, however often it came and went since."""
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms: int | None = None
        self.is_settled = referee.ended is not None
        """Whether the match is over, all of it is stored, and nothing is in work."""

    @property
    def id(self) -> str:
        """The match's name."""
        return self.referee.created.match

    @property
    def unheard(self) -> list[Player]:
        """The players that are not connected."""
        return [Player(player) for player, outlet in enumerate(self._outlets) if outlet is None]

    def now_ms(self) -> int:
        """Return the match's own time."""
        return int((self._loop.time() - self._origin) * 1000)

    def receive(self, player: Player, message: MatchReply) -> bool:
        """Take a player's message, as having arrived now; return whether it answers something."""
        expected = self.referee.expects(player, message)
        return self._offer(player, Received(self.now_ms(), player, message)) and expected

    def receive_malformed(self, player: Player, reason: str) -> None:
        """Take note of a frame that names this match but is no message."""
        self._offer(player, Malformed(self.now_ms(), player, reason))

    def connect(self, player: Player, outlet: Outlet) -> None:
        """Let a player hear the match; one that comes in the middle is told first what it was told before."""
        self._outlets[player] = None
        if player not in self._returning:
            self._inbox.put_nowait(_Rejoin(player))
        self._returning[player] = outlet
        if self.is_settled:
            self._let_all_in()  # nothing else looks into the inbox any more

    def disconnect(self, player: Player, outlet: Outlet) -> None:
        """Tell nothing more on a connection."""
        if self._outlets[player] == outlet:
            self._outlets[player] = None
        if self._returning.get(player) == outlet:
            self._returning[player] = None

    def stop(self, reason: str) -> None:
        """Let the match end as aborted."""
        self._inbox.put_nowait(Stopped(self.now_ms(), reason))

    def forfeit_by(self, id_: int, reason: str) -> None:
        """Let the match end as forfeited by the player with this number in the store."""
        self._inbox.put_nowait(Forfeited(self.now_ms(), Player(self.players.index(id_)), reason))

    def tell(self, frame: str) -> None:
        """Send all players of the match something that is not part of its course."""
        for outlet in self._outlets:
            if outlet is not None:
                outlet(frame)

    async def play(self) -> Ended:
        """Play until the match has ended, from the beginning or from where its journal broke off.

        Raises:
            StoreFailed: something could not be stored; nothing of it was announced.
        """
        try:
            # Who is connected hears the match from its first message on.
            self._let_all_in()
            begun = self.referee.begin(self.now_ms())
            if not begun:
                for event in await self._wait_for_return():
                    # Who came back first has answered already; that counts from when the clock runs again.
                    self._inbox.put_nowait(replace(event, at_ms=self.now_ms()))
                begun = self.referee.resume(self.now_ms())
            await self._carry_out(begun)
            while self.referee.ended is None:
                self._set_timer()
                item = await self._inbox.get()
                if isinstance(item, _Rejoin):
                    self._let_in(item)
                else:
                    await self._carry_out(await self._judge(item))
            self._settle()
            return self.referee.ended
        finally:
            if self._timer is not None:
                self._timer.cancel()

    async def abort(self, reason: str) -> None:
        """End a match as aborted that is not being played.

        Raises:
            StoreFailed: that could not be stored, and was not told.
        """
        self._let_all_in()
        await self._carry_out(self.referee.stop(reason, self.now_ms()))
        self._settle()

    async def release(self) -> None:
        """Publish the seed of an ended match.

        Raises:
            StoreFailed: that could not be stored, and was not told.
        """
        self.is_settled = False  # whoever comes now hears of the seed when it is stored
        await self._carry_out(self.referee.release(self.now_ms()))
        self._settle()

    async def _wait_for_return(self) -> list[Input]:
        """Give the players time to come back to a manager that has been away; return what they sent meanwhile."""
        held: list[Input] = []
        # Who is not back in time has a clock that runs, like anybody who is away.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RETURN_GRACE_S):
                while self.unheard and not any(isinstance(event, Stopped | Forfeited) for event in held):
                    item = await self._inbox.get()
                    if isinstance(item, _Rejoin):
                        self._let_in(item)
                    else:
                        held.append(item)
        return held

    def _settle(self) -> None:
        """Let those in who came while the last events were being stored, and from now on everybody at once."""
        self.is_settled = True
        self._let_all_in()

    def _let_all_in(self) -> None:
        while not self._inbox.empty():
            self._let_in(self._inbox.get_nowait())

    def _let_in(self, item: Input | _Rejoin) -> None:
        """Handle what came while nothing is judged: players coming back. Other inputs are too early or too late."""
        if isinstance(item, _Rejoin):
            outlet = self._returning.pop(item.player)
            if outlet is None:
                return  # it has gone again
            for message in self.referee.recap(item.player, self.now_ms()):
                outlet(encode(message))
            self._outlets[item.player] = outlet
        elif isinstance(item, Received | Malformed):
            self._waiting[item.player] -= 1

    def _offer(self, player: Player, event: Received | Malformed) -> bool:
        """Let an event wait to be judged, unless too many of this player do."""
        if self._waiting[player] >= MAX_WAITING_FRAMES:
            return False
        self._waiting[player] += 1
        self._inbox.put_nowait(event)
        return True

    async def _judge(self, event: Input) -> list[Event]:
        match event:
            case Received(player=player) | Malformed(player=player):
                self._waiting[player] -= 1
            case Ticked():
                event = Ticked(self.now_ms())
                self._timer_ms = None  # should the clock say that it is not quite time, the timer is set again
                deadline_ms = self.referee.deadline_ms
                if deadline_ms is not None and event.at_ms > deadline_ms:
                    self._deadline_enforced(event.at_ms - deadline_ms)
            case _:
                pass
        events = self.referee.take(event)
        spent_s = 0.0
        while (step := self.referee.wanted) is not None:
            try:
                situation, seconds = await self._loaded.make(step, spent_s)
            except RulesGivenUp as error:
                log.error("match %s is aborted: %s", self.id, error)
                return events + self.referee.take(RulesStopped(self.now_ms(), str(error), self.referee.made))
            events += self.referee.go_on(situation)
            spent_s += seconds
        return events

    async def _carry_out(self, events: list[Event]) -> None:
        """Store events, then tell the players what is in them for each, and let the clock run from there."""
        if not events:
            return
        batch = self._unstored + events
        self._unstored = []
        rows = event_rows(self.id, self._stored, batch)
        self._stored += len(batch)
        await self._store.written(add_results(self.id, batch, self.players, self._wall_clock()), rows)
        was_small = self._bytes <= MAX_MATCH_BYTES
        self._bytes += sum(len(line) for _, _, line in rows)
        if was_small and self._bytes > MAX_MATCH_BYTES and self.referee.ended is None:
            self.stop(f"the match takes more than {MAX_MATCH_BYTES // 1024**2} MiB")
        for event in events:
            if isinstance(event, Sent):
                outlet = self._outlets[event.player]
                if outlet is not None:
                    outlet(encode(event.message))
        # Tells nobody anything, so it is stored with what comes next.
        self._unstored = self.referee.announced(self.now_ms())

    def _set_timer(self) -> None:
        deadline_ms = self.referee.deadline_ms
        if deadline_ms == self._timer_ms:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_ms = deadline_ms
        if deadline_ms is not None:
            moment = self._origin + (deadline_ms + 1) / 1000
            self._timer = self._loop.call_at(moment, self._inbox.put_nowait, Ticked(deadline_ms))
