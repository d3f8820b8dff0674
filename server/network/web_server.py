"""Runs the manager's web application on a port, and stops it cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import AsyncIterator

import uvicorn
from starlette.applications import Starlette

from ggp.errors import GgpError
from ggp.protocol.messages import MAX_CLIENT_FRAME_BYTES
from server.matches.counters import Counters
from server.network.sockets import Guard, allow_sockets, tracked

UNREADABLE = {"Invalid HTTP request": "HTTP", "Invalid UTF-8 sequence": "UTF-8"}
"""How uvicorn's lines begin about what a peer sent, and what that was meant to be."""
REFUSED = "ASGI callable returned without completing handshake"
"""uvicorn's complaint about every handshake that was answered by a refusal, as ASGI's extension for it says."""


class PortUnusable(GgpError):
    """The port is taken, or may not be used."""


def open_port(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Args:
        host: address or name of the interface.
        port: 0 for any free port.

    Raises:
        PortUnusable: it cannot be used.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise PortUnusable(f"cannot listen on {host}: {error.strerror}") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortUnusable(f"port {port} is in use; choose another one, or 0 for a free one") from error
        raise PortUnusable(f"cannot listen on {host}:{port}: {error.strerror}") from error
    return listener


class StrangersMistakes(logging.Filter):
    """Keeps from the log what strangers may cause as often as they like, and counts it."""

    def __init__(self, counters: Counters) -> None:
        super().__init__()
        self._counters = counters

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line of uvicorn is logged."""
        if record.getMessage().startswith(REFUSED):
            return False
        for begin, what in UNREADABLE.items():
            if record.getMessage().startswith(begin):
                self._counters.add("unreadable", what=what)
                return False
        return True


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers: we tell the players before their connections close."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]
        yield


@contextlib.asynccontextmanager
async def serving(application: Starlette, listener: socket.socket, counters: Counters) -> AsyncIterator[None]:
    """Serve an application on a listening socket within the context."""
    mistakes = StrangersMistakes(counters)
    logging.getLogger("uvicorn.error").addFilter(mistakes)
    Guard.max_sockets = allow_sockets()
    config = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        lifespan="off",
        http="h11",
        ws="websockets-sansio",
        ws_max_size=MAX_CLIENT_FRAME_BYTES,
        ws_max_queue=8,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        # Messages are many and short: compression would cost more than it saves, and memory for every connection.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
    config.load()
    config.loaded_app = tracked(config.loaded_app)
    serve_socket = config.http_protocol_class
    config.http_protocol_class = lambda **options: Guard(serve_socket(**options))  # type: ignore[assignment]
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started and not task.done():
            await asyncio.sleep(0.005)
        yield
    finally:
        server.should_exit = True
        await task
        logging.getLogger("uvicorn.error").removeFilter(mistakes)
