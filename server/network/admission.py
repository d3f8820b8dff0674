"""Admits players: their connections from the first message on, refusals, and errors outside of matches."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect

from ggp.protocol.messages import OLDEST_VERSION, PROTOCOL_VERSION, Hello, MemberMessage, Refused, Welcome
from server.matches.manager import Manager
from server.matches.members import Member, TooManyNew, UnknownToken
from server.matches.player_names import refusal
from server.network.addresses import MAX_NEW_EACH, MAX_PLAYERS_EACH, NEW_EACH_PER_S, Budget
from server.network.connection import CLOSE_NORMAL, Backlogs, Connection
from server.network.player_frames import PlayerFrames
from server.store import records
from server.store.store import StoreFailed
from server.store.wall_clock import wall_clock

MAX_CONNECTIONS = 4096
FAREWELL_S = 2.0
"""How long queued messages may take to leave when the manager stops."""
MAX_STRAY_ERRORS = 100
"""Errors of one player outside of matches that are recorded: every row costs disk space."""

log = logging.getLogger("ggp.admission")


class Admission:
    """All players' connections of one manager.

    Args:
        manager: whose players they are.
        take: handles members' messages that are about no match; returns whether one was valid.
        joined: called with each member that connects.
    """

    def __init__(
        self, manager: Manager, take: Callable[[Member, MemberMessage], bool], joined: Callable[[Member], None]
    ) -> None:
        self._store = manager.store
        self._members = manager.members
        self._counters = manager.counters
        self._take = take
        self._joined = joined
        self._connections: set[Connection] = set()
        self._backlogs = Backlogs()
        self._by_network: Counter[str] = Counter()
        self._new_players = Budget(MAX_NEW_EACH, NEW_EACH_PER_S)
        self._closing = False

    async def serve_player(self, websocket: WebSocket) -> None:
        """Serve a player's connection from its first message until it ends."""
        await websocket.accept()
        self._counters.add("connections")
        connection = Connection(websocket, self._backlogs)
        try:
            await self._serve_connection(connection)
        except WebSocketDisconnect as gone:
            log.debug("%s has disconnected: %s %s", connection.peer, gone.code, gone.reason)

    @property
    def unread_bytes(self) -> int:
        """The size of all messages that wait for players to read them."""
        return self._backlogs.total_bytes

    def admit_no_more(self) -> None:
        """Refuse all new connections from now on."""
        self._closing = True

    async def close(self, code: int, farewell: str) -> None:
        """Close all connections when their queued messages have left.

        Args:
            code: see `server.network.connection`.
            farewell: why, for the players.
        """
        self._closing = True
        for connection in list(self._connections):
            connection.close(code, farewell)
        # Players who do not read are not waited for.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL_S):
                while self._connections:
                    await asyncio.sleep(0.01)

    async def _serve_connection(self, connection: Connection) -> None:
        if len(self._connections) >= MAX_CONNECTIONS:
            await connection.refuse(Refused("busy", f"{MAX_CONNECTIONS} connections are open; come back later"))
            return
        network = connection.network
        if network is not None and self._by_network[network] >= MAX_PLAYERS_EACH:
            self._counters.add("limited", limit="connections of an address")
            said = f"{MAX_PLAYERS_EACH} connections of your address are open; close some"
            await connection.refuse(Refused("busy", said))
            return
        self._connections.add(connection)
        if network is not None:
            self._by_network[network] += 1
        try:
            hello = await connection.hello()
            if hello is None:
                return
            admitted = await self._admit(hello, network)
            if isinstance(admitted, Refused):
                self._counters.add("refused", code=admitted.code)
                await connection.refuse(admitted)
                return
            member, token = admitted
            playing = [*member.unheard, *member.matches]
            connection.send(Welcome(member.name, token, playing))
            self._members.attach(member, connection, prepares=hello.prepares)
            log.info("%s joins from %s", member.name, connection.peer)
            try:
                self._joined(member)
                await connection.serve(PlayerFrames(member, connection, self._record_error, self._take))
            finally:
                connection.close(CLOSE_NORMAL, "")
                self._members.detach(member, connection)
                log.info("%s has left", member.name)
        finally:
            self._connections.discard(connection)
            if network is not None:
                self._by_network[network] -= 1
                if not self._by_network[network]:
                    del self._by_network[network]

    async def _admit(self, hello: Hello, network: str | None) -> tuple[Member, str] | Refused:
        """Return the member that says hello and its token, or why it is refused."""
        if not OLDEST_VERSION <= hello.protocol <= PROTOCOL_VERSION:
            spoken = f"versions {OLDEST_VERSION} to {PROTOCOL_VERSION} of the protocol, not {hello.protocol}"
            return Refused("protocol", f"this manager speaks {spoken}")
        # Matches are suspended: a `welcome` without them would tell the player that they are over.
        if self._closing or self._store.failure is not None:
            reason = "the manager stops" if self._closing else "the manager cannot store anything"
            return Refused("busy", f"{reason}; come back later")
        wrong = refusal(hello.name)
        if wrong is not None:
            return Refused("hello", wrong)
        if hello.token is None and not self._new_players.take(network):
            self._counters.add("limited", limit="new players of an address")
            return Refused("busy", "too many new players from your address; come back later, or with a token")
        try:
            return await self._members.admit(hello)
        except UnknownToken as error:
            return Refused("token", str(error))
        except TooManyNew as error:
            return Refused("busy", str(error))
        except StoreFailed:
            return Refused("busy", "the manager cannot store anything; come back later")

    def _record_error(self, member: Member, kind: str, detail: str) -> None:
        """Record an error of a player outside of matches, unless it has made too many."""
        member.stray_errors += 1
        if member.stray_errors > MAX_STRAY_ERRORS:
            return
        future = self._store.submit(records.add_error, None, member.id, None, kind, detail, wall_clock())
        future.add_done_callback(lambda done: done.exception())  # the store logs its failure itself
