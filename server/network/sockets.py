"""uvicorn's protocols with limits on what a peer can make them keep: for strangers who flood, stall or never begin.

uvicorn bounds frames and waits where a peer does not read, but it answers every ping at once, keeps empty fragments
without end, and leaves connections open that never send a request or never read what is written to them last.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from server.network.addresses import MAX_SOCKETS_EACH, network_of

MAX_SOCKETS = 4500
"""Sockets that are open at the same time, where the system allows so many; one more is closed at once."""
OTHER_FILES = 200
"""Files that the manager itself has open at most: the store, and its readers."""
MAX_READ_BYTES = 1024
"""Read at once from one peer: 256 KiB, which is usual, hold 40,000 empty frames, and half a second of parsing."""
REQUEST_TIMEOUT_S = 10.0
"""How long a connection may be open without a whole request."""
STALL_S = 20.0
"""How long a peer may read nothing while something waits for it."""
LINGER_S = 3.0
"""How long what was written last may take to leave before the connection is cut."""
MAX_CONTROL_FRAMES = 200
"""Pings and pongs a peer may send at once."""
CONTROL_FRAMES_PER_S = 10.0
"""How many more it may send each second."""
MAX_FRAGMENTS = 64
"""Frames that one message may be made of."""

CLOSE_POLICY = 1008


def allow_sockets() -> int:
    """Raise the limit of open files as far as the system lets us; return how many sockets fit below it.

    Without room for other files the store could not be read while strangers hold all sockets.
    """
    if sys.platform == "win32":
        return MAX_SOCKETS
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_SOCKETS + OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MAX_SOCKETS if soft == resource.RLIM_INFINITY else max(1, min(MAX_SOCKETS, soft - OTHER_FILES))


class HttpSocket(H11Protocol):
    """An HTTP connection, which may become a websocket; it is cut if it brings no request."""

    max_sockets = MAX_SOCKETS
    by_network: ClassVar[Counter[str]] = Counter()
    """Open sockets of each address, those that have become websockets included."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless too many sockets are open."""
        super().connection_made(transport)
        self._idle_timer: asyncio.TimerHandle | None = None
        network = _network(transport)
        if network is not None:
            self.by_network[network] += 1
        if len(self.connections) > self.max_sockets or self.by_network.get(network or "", 0) > MAX_SOCKETS_EACH:
            transport.abort()
            return
        self._last_cycle: RequestResponseCycle | None = None
        self._idle_timer = self.loop.call_later(REQUEST_TIMEOUT_S, self._cut_if_idle)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the socket."""
        _forget(self.transport)
        if self._idle_timer is not None:
            self._idle_timer.cancel()  # it would keep all of this alive
        super().connection_lost(exc)

    def _cut_if_idle(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # it has gone, or become a websocket
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or (cycle.response_complete and cycle is self._last_cycle):
            self.transport.abort()
            return
        self._last_cycle = cycle
        self._idle_timer = self.loop.call_later(REQUEST_TIMEOUT_S, self._cut_if_idle)


def _network(transport: asyncio.BaseTransport) -> str | None:
    peer = transport.get_extra_info("peername")
    return network_of(str(peer[0])) if isinstance(peer, tuple) and peer else None


def _forget(transport: asyncio.BaseTransport) -> None:
    """Count a socket no more; one that has become a websocket is lost as such, and once."""
    network = _network(transport)
    if network is not None:
        HttpSocket.by_network[network] -= 1
        if HttpSocket.by_network[network] <= 0:
            del HttpSocket.by_network[network]


class PlayerSocket(WebSocketsSansIOProtocol):
    """A websocket that ends when its peer does not read, and whose frames are counted."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Read in small pieces, and count from here."""
        super().connection_made(transport)
        # Of asyncio's own transports; others keep their size.
        cast("Any", transport).max_size = MAX_READ_BYTES
        self._stalled: asyncio.TimerHandle | None = None
        self._control_frames = float(MAX_CONTROL_FRAMES)
        self._counted_at = self.loop.time()
        self._fragments = 0

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop what waits for this connection, and forget the socket."""
        _forget(self.transport)
        self._end_stall()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the peer a while to read."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALL_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the peer has read."""
        self._end_stall()
        super().resume_writing()

    def keepalive_timeout(self) -> None:
        """Close, though the peer may never read that."""
        super().keepalive_timeout()
        self._cut_soon()

    async def run_asgi(self) -> None:
        """Run the application, and let nothing linger for long when it has ended."""
        await super().run_asgi()
        # A transport that is closed still waits for its peer to read what is left.
        self._cut_soon()

    def handle_ping(self) -> None:
        """Answer a ping that is not one too many."""
        if not self._count_control_frame():
            return
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # the pong; for a peer that does not read it would wait with all the others

    def handle_pong(self, event: Frame) -> None:
        """Take a pong that is not one too many."""
        if self._count_control_frame():
            super().handle_pong(event)

    def handle_text(self, event: Frame) -> None:
        """Begin a message."""
        self._fragments = 1
        super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Begin a message."""
        self._fragments = 1
        super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Go on with a message, unless it has too many frames."""
        self._fragments += 1
        if self._fragments > MAX_FRAGMENTS:
            self._fail(f"a message of more than {MAX_FRAGMENTS} frames")
        else:
            super().handle_cont(event)

    def _count_control_frame(self) -> bool:
        """Count a ping or pong; return whether it is to be heeded."""
        now = self.loop.time()
        earned = (now - self._counted_at) * CONTROL_FRAMES_PER_S
        self._counted_at = now
        self._control_frames = min(float(MAX_CONTROL_FRAMES), self._control_frames + earned) - 1
        if self._control_frames < 0:
            self._fail("too many pings")
        return self._control_frames >= 0

    def _fail(self, reason: str) -> None:
        """Close the connection for what its peer did."""
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.fail(CLOSE_POLICY, reason)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CLOSE_POLICY, "reason": reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        # Closed at once, with frames unread, the system would reset the connection, and the peer never read why. What
        # it still sends is thrown away.
        self.close_timer = self.loop.call_later(LINGER_S, self.transport.abort)

    def _cut_soon(self) -> None:
        self.loop.call_later(LINGER_S, self.transport.abort)

    def _end_stall(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
