"""A manager with its web front: what `ggp serve` runs."""

from __future__ import annotations

import contextlib
import gc
import socket
import sys
from collections.abc import AsyncIterator

from server.competitions.registry import Competitions
from server.matches.games import Games
from server.matches.manager import Manager
from server.network.api import Api
from server.network.web_server import serving
from server.store.store import Store

SWITCH_INTERVAL_S = 0.0005
COLLECTOR_THRESHOLDS = (1_000, 20, 100)
"""Of the garbage collector: rarer than usual, as a manager makes little that reference counts do not free."""


@contextlib.asynccontextmanager
async def hosting(
    store: Store, games: Games, listener: socket.socket, *, allowance_ms: int, admin_token: str | None = None
) -> AsyncIterator[tuple[Manager, Competitions]]:
    """Run a manager for as long as the context lasts; matches and competitions that its store has begun go on.

    Args:
        store: open; it is left open.
        games: where games come from.
        listener: the listening socket.
        allowance_ms: what matches made over the API allow for the network.
        admin_token: who may make matches, see `Api`.
    """
    # The store's thread and the event loop share one interpreter; the usual 5 ms would be seen in every clock.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    # What is there by now stays; collections, which stop every clock, need not go through it.
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)
    manager = Manager(store, games)
    competitions = Competitions(manager)
    try:
        # Before anybody can connect: who comes back finds its matches.
        await manager.recover()
        manager.reception.take_entry, manager.reception.joined = competitions.take, competitions.joined
        await competitions.recover()
        async with serving(Api(manager, competitions, allowance_ms, admin_token).application(), listener):
            try:
                yield manager, competitions
            finally:
                await competitions.close()
                await manager.close("the manager stops")
    finally:
        manager.games.close()
