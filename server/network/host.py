"""A manager with its web server, as `ggp serve` runs it."""

from __future__ import annotations

import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator, Callable, Sequence

from starlette.routing import BaseRoute

from server.competitions.registry import Competitions
from server.matches.games import Games
from server.matches.manager import Manager
from server.network.admission import Admission
from server.network.api import Api
from server.network.connection import CLOSE_GOING_AWAY, CLOSE_NORMAL
from server.network.web_server import serving
from server.store.store import Store

SWITCH_INTERVAL_S = 0.0005
COLLECTOR_THRESHOLDS = (1_000, 20, 100)
"""Of the garbage collector: it runs rarely, since a manager creates few reference cycles."""


class Host:
    """A game manager: its matches, its competitions, and its players' connections."""

    def __init__(self, store: Store, games: Games) -> None:
        self.manager = Manager(store, games)
        self.competitions = Competitions(self.manager)
        self.admission = Admission(self.manager, self.competitions.take, self.competitions.joined)

    async def close(self, farewell: str, *, for_good: bool = False) -> None:
        """Suspend everything, tell the players, and close their connections.

        Args:
            farewell: why, for the players.
            for_good: the manager has finished and was not interrupted: players need not reconnect.
        """
        self.admission.admit_no_more()
        await self.competitions.close()
        await self.manager.suspend()
        await self.admission.close(CLOSE_NORMAL if for_good else CLOSE_GOING_AWAY, farewell)


@contextlib.asynccontextmanager
async def hosting(
    store: Store,
    games: Games,
    listener: socket.socket,
    *,
    admin_token: str | None = None,
    allowed_hosts: Sequence[str] = (),
    more: Callable[[Host], Sequence[BaseRoute]] | None = None,
) -> AsyncIterator[Host]:
    """Run a manager within the context; unfinished matches and competitions in its store continue.

    Args:
        store: open; it is left open.
        games: where games come from.
        listener: the listening socket.
        admin_token: see `Access`.
        allowed_hosts: see `CrossSiteGuard`.
        more: makes further addresses, see `Api`.
    """
    # The store's thread and the event loop share the GIL; the default of 5 ms would be visible in every clock.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    # Existing objects stay; collections, which stop every clock, need not visit them.
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    host = Host(store, games)
    try:
        # Before anyone can connect, so that players who reconnect find their matches.
        await host.manager.recover()
        await host.competitions.recover()
        routes = () if more is None else more(host)
        api = Api(host.manager, host.competitions, host.admission, admin_token, allowed_hosts, routes)
        async with serving(api.application(), listener, host.manager.counters):
            try:
                yield host
            finally:
                await host.close("the manager stops")
    finally:
        host.manager.games.close()
