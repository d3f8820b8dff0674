"""Limits on each of the manager's sockets: for strangers who flood, stall, or never send a request.

`Guard` stands between a transport and the protocol that serves it, both as asyncio defines them. So the limits do not
depend on how the web server works inside. Above the web server, `tracked` tells a guard when its requests are answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar, cast

from starlette.types import ASGIApp, Receive, Scope, Send

from server.network.addresses import MAX_SOCKETS_EACH, network_of
from server.network.connection import CLOSE_POLICY
from server.network.frame_limits import FrameLimits

MAX_SOCKETS = 4500
"""Sockets open at the same time, where the system allows so many; any more are closed at once."""
OTHER_FILES = 200
"""Files that the manager itself opens at most: the store, and its readers."""
MAX_READ_BYTES = 1024
"""Read at once from one peer. asyncio's 256 KiB would hold 40,000 empty frames, half a second of parsing."""
REQUEST_TIMEOUT_S = 10.0
"""How long a connection may be open without a whole request."""
STALL_S = 20.0
"""How long a peer may read nothing while something waits for it."""
LINGER_S = 3.0
"""How long the last frames of a websocket may take to leave before the connection is cut."""

CLOSE_FRAME = 0x88


def allow_sockets() -> int:
    """Raise the limit of open files as far as the system lets us; return how many sockets fit below it.

    Some files are reserved: without them the store could not be read while strangers hold all sockets.
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


class Guard(asyncio.BufferedProtocol):
    """One socket, and the limits on it.

    Args:
        protocol: serves the socket over HTTP; it may replace itself by a websocket's protocol.
    """

    max_sockets: ClassVar[int] = MAX_SOCKETS
    of_peers: ClassVar[dict[tuple[str, int], Guard]] = {}
    """The guard of each open socket, by the address and port of its peer."""
    by_network: ClassVar[Counter[str]] = Counter()
    """Open sockets of each address but this machine's own."""

    def __init__(self, protocol: asyncio.Protocol) -> None:
        self._protocol: asyncio.Protocol | None = protocol
        self._loop = asyncio.get_running_loop()
        self._frame_limits: FrameLimits | None = None
        self._buffer = bytearray(MAX_READ_BYTES)
        self._requests = 0
        self._requests_before = 0
        self._answering = 0
        self._idle_timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Serve the socket, unless too many are open."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        host, port, *_ = transport.get_extra_info("peername")
        self._peer = (host, port)
        self.of_peers[self._peer] = self
        self._network = network_of(host)
        if self._network is not None:
            self.by_network[self._network] += 1
        if len(self.of_peers) > self.max_sockets or self.by_network.get(self._network or "", 0) > MAX_SOCKETS_EACH:
            self._protocol = None
            transport.abort()
            return
        assert self._protocol is not None
        self._protocol.connection_made(cast("asyncio.Transport", _GuardedTransport(self, transport)))
        self._idle_timer = self._loop.call_later(REQUEST_TIMEOUT_S, self._cut_if_idle)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the socket."""
        del self.of_peers[self._peer]
        if self._network is not None:
            self.by_network[self._network] -= 1
            if self.by_network[self._network] == 0:
                del self.by_network[self._network]
        for timer in (self._idle_timer, self._stall_timer):
            if timer is not None:
                timer.cancel()  # it would keep the connection alive
        self._lose_protocol(exc)

    def get_buffer(self, sizehint: int) -> bytearray:  # noqa: ARG002
        """Return where to read to: little at once, whatever the transport would like."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Hand on what was read, unless it exceeds a limit. After a failure everything is read and ignored."""
        if self._protocol is None:
            return
        data = bytes(self._buffer[:nbytes])
        exceeded = self._frame_limits.exceeded(data) if self._frame_limits else None
        if exceeded is not None:
            self._fail(exceeded)
            return
        self._protocol.data_received(data)

    def eof_received(self) -> bool | None:
        """Hand on that the peer has ended its side."""
        return self._protocol.eof_received() if self._protocol else None

    def pause_writing(self) -> None:
        """Give the peer some time to read."""
        if self._protocol is not None:
            self._protocol.pause_writing()
        self._watch_for_a_stall()

    def resume_writing(self) -> None:
        """Continue: the peer has read."""
        if self._stall_timer is not None and not self._transport.is_closing():
            self._stall_timer.cancel()
            self._stall_timer = None
        if self._protocol is not None:
            self._protocol.resume_writing()

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Note that the application answers a request, and that it has ended; a websocket has no more to say then."""
        self._requests += 1
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1
            if self._frame_limits is not None:
                self._cut_soon()

    def _become_websocket(self, protocol: asyncio.Protocol) -> None:
        self._protocol = protocol
        self._frame_limits = FrameLimits(self._loop.time)

    def _close(self) -> None:
        if self._protocol is None:
            return  # closed at once, with frames unread, the system would reset the connection: no reason would arrive
        self._transport.close()
        # A transport that is closed still waits for its peer to read the rest.
        if self._frame_limits is not None:
            self._cut_soon()
        else:
            self._watch_for_a_stall()

    def _fail(self, reason: str) -> None:
        """Close a websocket because of what its peer did."""
        payload = CLOSE_POLICY.to_bytes(2, "big") + reason.encode()
        self._transport.write(bytes([CLOSE_FRAME, len(payload)]) + payload)
        self._lose_protocol(ConnectionAbortedError(reason))
        self._cut_soon()

    def _lose_protocol(self, exc: Exception | None) -> None:
        protocol, self._protocol = self._protocol, None
        if protocol is not None:
            protocol.connection_lost(exc)

    def _cut_soon(self) -> None:
        self._loop.call_later(LINGER_S, self._transport.abort)

    def _cut_if_idle(self) -> None:
        if self._frame_limits is not None or self._transport.is_closing():
            return
        if self._answering == 0 and self._requests == self._requests_before:
            self._transport.abort()
            return
        self._requests_before = self._requests
        self._idle_timer = self._loop.call_later(REQUEST_TIMEOUT_S, self._cut_if_idle)

    def _watch_for_a_stall(self) -> None:
        if self._stall_timer is None:
            waiting = self._transport.get_write_buffer_size()
            self._stall_timer = self._loop.call_later(STALL_S, self._cut_if_stalled, waiting)

    def _cut_if_stalled(self, waiting_before: int) -> None:
        self._stall_timer = None
        if self._transport.get_write_buffer_size() >= waiting_before:
            self._transport.abort()
        else:
            self._watch_for_a_stall()


class _GuardedTransport:
    """A socket's transport as its protocol sees it: the guard learns of closing and of upgrades to a websocket."""

    def __init__(self, guard: Guard, transport: asyncio.Transport) -> None:
        self.close = guard._close
        self.set_protocol = guard._become_websocket
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


def tracked(application: ASGIApp) -> ASGIApp:
    """Return an application that tells the guard of a socket when a request begins and ends.

    The application must be the outermost: a middleware for reverse proxies replaces the address of the peer.
    """

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        guard = Guard.of_peers.get(tuple(scope["client"]))
        with guard.answering() if guard else contextlib.nullcontext():  # None: the peer has left already
            await application(scope, receive, send)

    return answer
