"""A manager with its web server, as `ggp serve` runs it."""

from __future__ import annotations

import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator, Sequence

from server.competitions.registry import Competitions
from server.matches.games import Games
from server.matches.manager import Manager
from server.network.api import Api
from server.network.web_server import serving
from server.store.store import Store

SWITCH_INTERVAL_S = 0.0005
COLLECTOR_THRESHOLDS = (1_000, 20, 100)
"""Of the garbage collector: it runs rarely, since a manager creates few reference cycles."""


@contextlib.asynccontextmanager
async def hosting(
    store: Store,
    games: Games,
    listener: socket.socket,
    *,
    admin_token: str | None = None,
    allowed_hosts: Sequence[str] = (),
) -> AsyncIterator[tuple[Manager, Competitions]]:
    """Run a manager within the context; unfinished matches and competitions in its store continue.

    Args:
        store: open; it is left open.
        games: where games come from.
        listener: the listening socket.
        admin_token: see `Access`.
        allowed_hosts: see `CrossSiteGuard`.
    """
    # The store's thread and the event loop share the GIL; the default of 5 ms would be visible in every clock.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    # Existing objects stay; collections, which stop every clock, need not visit them.
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    manager = Manager(store, games)
    competitions = Competitions(manager)
    try:
        # Before anyone can connect, so that players who reconnect find their matches.
        await manager.recover()
        manager.admission.take, manager.admission.joined = competitions.take, competitions.joined
        await competitions.recover()
        api = Api(manager, competitions, admin_token, allowed_hosts)
        async with serving(api.application(), listener):
            try:
                yield manager, competitions
            finally:
                await competitions.close()
                await manager.close("the manager stops")
    finally:
        manager.games.close()
