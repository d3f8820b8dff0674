"""A game in the manager, and where its rules run: on the event loop while they are quick, else in a thread.

Most transitions take a tenth of a millisecond, less than handing them to a thread would. Some take seconds; on the
event loop they would hold up every clock. So each game is tried before its first match, and measured in play.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from server.game_interface import Game

T = TypeVar("T")

LOOP_BUDGET_S = 0.01
"""How much processor time one step of a match may take on the event loop; once it took more, the game is slow."""
TRIAL_S = 0.1
"""Processor time for which a game is tried before its first match."""
TRIAL_TRANSITIONS = 500
LONG_S = 1.0
"""A step of a match that takes longer is put into the log."""

log = logging.getLogger("ggp.rules")


async def beside_the_loop(call: Callable[[], T]) -> T:
    """Run what may take long, such as making a game or replaying a match, in a thread of its own.

    Unlike a thread of asyncio's own it does not keep the process from ending.
    """
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    threading.Thread(target=_work, args=(call, future), name="beside", daemon=True).start()
    return await future


class RulesThread:
    """The one thread in which slow rules run, one call after another.

    One, because each thread that computes delays the event loop by the interpreter's switch interval; slow games wait
    for each other, and nobody waits for them.
    """

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._run_all, name="rules", daemon=True).start()

    async def run(self, call: Callable[[], T]) -> T:
        """Run a call in the thread, and return or raise what it does."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._calls.put((call, future))
        return await future

    def _run_all(self) -> None:
        while True:
            call, future = self._calls.get()
            if future.cancelled():
                continue
            began = time.monotonic()
            _work(call, future)
            seconds = time.monotonic() - began
            if seconds > LONG_S:
                log.warning("a step of a match took %.1f s; other matches with slow rules waited", seconds)


class LoadedGame:
    """A game that matches are played of.

    Args:
        game: the game.
        thread: where it runs if it is slow.
        slow: whether it is known to be.
    """

    def __init__(self, game: Game, thread: RulesThread, *, slow: bool = False) -> None:
        self.game = game
        self.slow = slow
        self._thread = thread

    async def run(self, call: Callable[[], T]) -> T:
        """Run a step of a match: at once, or in the thread where this game's rules were slow before."""
        if self.slow:
            return await self._thread.run(call)
        began = time.thread_time()
        try:
            return call()
        finally:
            if time.thread_time() - began > LOOP_BUDGET_S:
                self.slow = True
                log.info("the rules of %s are slow; they run beside the event loop from now on", self.game.players)


def is_slow(game: Game) -> bool:
    """Play a game at random for a moment, and return whether a transition took longer than the event loop can spare.

    Whatever the game raises is not told: a match will meet it, and has somebody to tell.
    """
    rng = random.Random(0)
    began = time.thread_time()
    state = None
    with suppress(Exception):
        for _ in range(TRIAL_TRANSITIONS):
            before = time.thread_time()
            state = game.initial() if state is None or state.is_terminal() else _next(state, rng)
            now = time.thread_time()
            if now - before > LOOP_BUDGET_S:
                return True
            if now - began > TRIAL_S:
                break
    return False


def _next(state: Any, rng: random.Random) -> Any:
    if state.is_chance():
        outcomes = state.chance_outcomes()
        return state.apply_outcome(rng.choice(outcomes)[0])
    return state.apply({player: rng.choice(state.legal(player)) for player in state.actors()})


def _work(call: Callable[[], Any], future: asyncio.Future[Any]) -> None:
    result, error = None, None
    try:
        result = call()
    except BaseException as raised:  # whoever waits for the call gets it
        error = raised
    # A loop that is closed has nobody left who waits.
    with suppress(RuntimeError):
        future.get_loop().call_soon_threadsafe(_settle, future, result, error)


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.cancelled():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
