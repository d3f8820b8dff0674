"""A match in play: the task that connects its referee, the store, the clock and the players."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ggp.competition.results import MatchOutcome
from ggp.protocol.codec import encode
from ggp.protocol.messages import MatchReply
from server.matches.games import teams_of
from server.matches.loaded_game import LoadedGame, RulesGivenUp
from server.referee.game_interface import Player
from server.referee.journal import (
    Announced,
    Begun,
    Event,
    Forfeited,
    Input,
    Malformed,
    Received,
    Released,
    Resumed,
    RulesStopped,
    Sent,
    Stopped,
    Ticked,
)
from server.referee.referee import Referee
from server.store.records import add_results, event_rows
from server.store.store import Store
from server.store.wall_clock import wall_clock

MAX_WAITING_FRAMES = 8
"""Frames of one player that may wait in one match; an honest player has one."""

MAX_MATCH_BYTES = 64 * 1024 * 1024
"""Of a match's journal. About as much is kept in memory to repeat messages, so that a legal game cannot use it all."""

RETURN_GRACE_S = 15.0
"""How long a match that continues after a restart of the manager waits for its players to reconnect."""

Outlet = Callable[[str], None]
"""Queues an encoded message on a player's connection."""

log = logging.getLogger("ggp.match")


class _Rejoin(Struct, frozen=True):
    """A player has reconnected; its connection is in `LiveMatch._returning`."""

    player: Player


class LiveMatch:
    """One match in play.

    Times within a match are milliseconds since it began, not counting times without a manager. Inputs to a
    match wait in one queue and are handled in order: judged, stored, and only then announced.

    Args:
        referee: of the match.
        loaded: its game, which makes the transitions.
        players: the players' numbers in the store, by seat.
        stored: how many events of the journal are in the store.
        elapsed_ms: the match's own time so far.
        store: where every event is stored before it is announced.
        deadline_enforced: called with how late each deadline was enforced, in milliseconds.
    """

    def __init__(
        self,
        referee: Referee,
        loaded: LoadedGame,
        players: Sequence[int],
        stored: int,
        elapsed_ms: int,
        store: Store,
        deadline_enforced: Callable[[int], None],
    ) -> None:
        self.referee = referee
        self._loaded = loaded
        self.players = tuple(players)
        self._store = store
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
        """The players with a `_Rejoin` in the inbox: only one each, however often they reconnect."""
        self._timer: asyncio.TimerHandle | None = None
        self._timer_ms: int | None = None
        self.is_settled = referee.ended is not None
        """Whether the match is over, and all of it is stored and announced."""

    @property
    def id(self) -> str:
        """The match's name."""
        return self.referee.created.match

    @property
    def teams(self) -> tuple[int, ...]:
        """The number of each seat's team; empty if each plays alone."""
        return teams_of(self._loaded.game)

    @property
    def unheard(self) -> list[Player]:
        """The players who are not connected."""
        return [Player(player) for player, outlet in enumerate(self._outlets) if outlet is None]

    def now_ms(self) -> int:
        """Return the match's own time."""
        return int((self._loop.time() - self._origin) * 1000)

    def receive(self, player: Player, message: MatchReply) -> bool:
        """Take a player's message, which arrives now; return whether it answers a request."""
        expected = self.referee.expects(player, message)
        return self._offer(player, Received(self.now_ms(), player, message)) and expected

    def receive_malformed(self, player: Player, reason: str) -> None:
        """Take a frame that names this match but is not a message."""
        self._offer(player, Malformed(self.now_ms(), player, reason))

    def connect(self, player: Player, outlet: Outlet) -> None:
        """Connect a player; one that reconnects is first sent all earlier messages again."""
        self._outlets[player] = None
        if player not in self._returning:
            self._inbox.put_nowait(_Rejoin(player))
        self._returning[player] = outlet
        if self.is_settled:
            self._let_all_in()  # nothing reads the inbox any more

    def disconnect(self, player: Player, outlet: Outlet) -> None:
        """Send nothing more on a connection."""
        if self._outlets[player] == outlet:
            self._outlets[player] = None
        if self._returning.get(player) == outlet:
            self._returning[player] = None

    def stop(self, reason: str) -> None:
        """End the match as aborted."""
        self._inbox.put_nowait(Stopped(self.now_ms(), reason))

    def forfeit_by(self, id_: int, reason: str) -> None:
        """End the match as forfeited by the player with this number in the store."""
        self._inbox.put_nowait(Forfeited(self.now_ms(), Player(self.players.index(id_)), reason))

    def tell(self, frame: str) -> None:
        """Send all players a message that is not part of the match itself."""
        for outlet in self._outlets:
            if outlet is not None:
                outlet(frame)

    async def play(self) -> MatchOutcome:
        """Play until the match has ended, from the beginning or from the end of its journal.

        Raises:
            StoreFailed: something could not be stored, and was not announced.
        """
        try:
            # Players who are connected are told the match from its first message on.
            self._let_all_in()
            begun = self.referee.apply(Begun(self.now_ms()))
            if not begun:
                for event in await self._wait_for_return():
                    # Players who reconnected first may have answered; that counts from when the clock runs again.
                    self._inbox.put_nowait(replace(event, at_ms=self.now_ms()))
                begun = self.referee.apply(Resumed(self.now_ms()))
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
        """End a match that is not in play as aborted.

        Raises:
            StoreFailed: that could not be stored, and was not announced.
        """
        self._let_all_in()
        await self._carry_out(self.referee.apply(Stopped(self.now_ms(), reason)))
        self._settle()

    async def release(self) -> None:
        """Publish the seed of an ended match.

        Raises:
            StoreFailed: that could not be stored, and was not published.
        """
        self.is_settled = False  # players who reconnect now are told the seed when it is stored
        await self._carry_out(self.referee.apply(Released(self.now_ms())))
        self._settle()

    async def _wait_for_return(self) -> list[Input]:
        """Give the players time to reconnect after a restart; return what they sent meanwhile."""
        held: list[Input] = []
        # The clock runs for players who are not back in time, as for all who are away.
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
        """Let in the players who reconnected while the last events were being stored; later ones need not wait."""
        self.is_settled = True
        self._let_all_in()

    def _let_all_in(self) -> None:
        while not self._inbox.empty():
            self._let_in(self._inbox.get_nowait())

    def _let_in(self, item: Input | _Rejoin) -> None:
        """Handle an input while no play goes on: players may reconnect; other inputs are too early or too late."""
        if isinstance(item, _Rejoin):
            outlet = self._returning.pop(item.player)
            if outlet is None:
                return  # it has disconnected again
            for message in self.referee.recap(item.player, self.now_ms()):
                outlet(encode(message))
            self._outlets[item.player] = outlet
        elif isinstance(item, Received | Malformed):
            self._waiting[item.player] -= 1

    def _offer(self, player: Player, event: Received | Malformed) -> bool:
        """Queue an event to be judged, unless too many of this player are waiting."""
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
                self._timer_ms = None  # if the timer fired a little early, it is set again
                deadline_ms = self.referee.deadline_ms
                if deadline_ms is not None and event.at_ms > deadline_ms:
                    self._deadline_enforced(event.at_ms - deadline_ms)
            case _:
                pass
        events = self.referee.take(event)
        spent_s = 0.0
        while (step := self.referee.wanted) is not None:
            try:
                result, seconds = await self._loaded.make(step, spent_s)
            except RulesGivenUp as error:
                log.error("match %s is aborted: %s", self.id, error)
                return events + self.referee.take(RulesStopped(self.now_ms(), str(error), self.referee.made))
            events += self.referee.go_on(result)
            spent_s += seconds
        return events

    async def _carry_out(self, events: list[Event]) -> None:
        """Store events, then send each player its messages, and start the clock."""
        if not events:
            return
        batch = self._unstored + events
        self._unstored = []
        rows = event_rows(self.id, self._stored, batch)
        self._stored += len(batch)
        times = self.referee.times
        await self._store.appended(rows, add_results, self.id, batch, self.players, wall_clock(), times)
        was_small = self._bytes <= MAX_MATCH_BYTES
        self._bytes += sum(len(line) for _, _, line in rows)
        if was_small and self._bytes > MAX_MATCH_BYTES and self.referee.ended is None:
            self.stop(f"the match takes more than {MAX_MATCH_BYTES // 1024**2} MiB")
        for event in events:
            if isinstance(event, Sent):
                outlet = self._outlets[event.player]
                if outlet is not None:
                    outlet(encode(event.message))
        # Nothing is announced by this, so it is stored with the next events.
        self._unstored = self.referee.apply(Announced(self.now_ms()))

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
