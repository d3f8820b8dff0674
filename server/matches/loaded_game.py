"""Games in the manager, and where their rules run: on the event loop if they are certain to be quick, else in threads.
Those of strangers run in processes of their own (`server.matches.guests`).

Most transitions take some hundredths of a millisecond, less than handing them to a thread; some take seconds. The
check of the rules bounds the work of a transition. If that bound is large, only play shows whether a game
is slow; slow games have separate threads, so that no other game waits for them. Transitions have no side effects, so
they can be made in any thread, and repeated.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

from ggp.errors import GgpError
from server.matches.games import Games, GameSource
from server.matches.guests import Guest, GuestDied, GuestRoom
from server.matches.shown_states import Shown, shown
from server.matches.worker_threads import OverLimit, WorkerThreads
from server.referee.game_interface import Game
from server.referee.rules_steps import Step, StepResult, make_step

SLOW_S = 0.01
"""A game counts as slow once a transition has taken more processor time than this."""
RULES_LIMIT_S = 10.0
"""Processor time that the rules of a match may take between two decisions of its players, chance included."""
REPLAY_LIMIT_S = 6 * RULES_LIMIT_S
"""Processor time for a transition of a stranger's rules where no limit applies: it ended when it was first made."""
MAX_AT_ONCE = 4
"""Transitions in threads at the same time; more would only wait for the interpreter."""
MAX_SLOW = 8
"""Transitions of slow games at the same time: more than there are cores, so that a few long ones leave room."""
MAX_LOADING = 8
"""Games loaded at the same time."""
MAX_CACHED_GAMES = 64
NO_FILES: Mapping[str, str] = {}

log = logging.getLogger("ggp.rules")


class RulesGivenUp(GgpError):
    """A transition took too long. The message names the game and the phase."""


class LoadedGame:
    """A game, and where its transitions are made.

    Args:
        game: the game.
        source: its rules.
        faults: exceptions by which it says that its rules failed.
        threads: where its transitions are made; None: on the event loop.
        slow_threads: where they are made once the game counts as slow.
        guest: the process in which they are made instead, if a stranger sent the rules.
    """

    def __init__(
        self,
        game: Game,
        source: GameSource,
        faults: tuple[type[Exception], ...],
        threads: WorkerThreads | None,
        slow_threads: WorkerThreads,
        guest: Guest | None = None,
    ) -> None:
        self.game = game
        self.faults = faults
        self.slow = False
        self.source = source
        self._guest = guest
        self._threads = threads
        self._slow_threads = slow_threads

    async def make(self, step: Step, spent_s: float | None) -> tuple[StepResult, float]:
        """Make a transition.

        Args:
            step: the transition.
            spent_s: processor time that the rules have already taken of `RULES_LIMIT_S`; None: no limit applies.

        Returns:
            Its result, and the processor time that it took, in seconds.

        Raises:
            RulesGivenUp: it took too long, or the process in which it was made ended.
        """
        left_s = math.inf if spent_s is None else RULES_LIMIT_S - spent_s
        try:
            result, seconds = await self._make(step, left_s)
        except GuestDied as error:
            raise RulesGivenUp(str(error)) from error
        except OverLimit as error:
            self.slow = True
            where = "before the first phase" if step.phase is None else f"in phase `{step.phase}`"
            raise RulesGivenUp(
                f"the rules of {self.source.name} took more than {RULES_LIMIT_S:g} s of processor time {where}"
            ) from error
        if seconds > SLOW_S and self._threads is not None and not self.slow:
            self.slow = True
            log.info("the rules of %s are slow: a transition took %d ms", self.source.name, 1000 * seconds)
        return result, seconds

    async def _make(self, step: Step, left_s: float) -> tuple[StepResult, float]:
        if left_s <= 0:
            raise OverLimit
        if self._guest is not None:
            return await self._guest.make(step, min(left_s, REPLAY_LIMIT_S))
        threads = self._slow_threads if self.slow else self._threads
        if threads is not None:
            return await threads.run(lambda: make_step(self.game, step, self.faults), left_s)
        began_s = time.thread_time()
        result = make_step(self.game, step, self.faults)
        seconds = time.thread_time() - began_s
        await asyncio.sleep(0)  # chance may act thousands of times in a row; other tasks must run in between
        return result, seconds

    async def show(self, words: tuple[Any, ...] | None, actions: Mapping[str, str], outcome: str | None) -> Shown:
        """Return the state after a transition, and how it is drawn, for those who watch; see `shown`.

        Nothing, too, where that takes too long.
        """
        if self.slow:
            return None, None
        if self._guest is None:
            return await asyncio.to_thread(shown, self.game, self.faults, words, actions, outcome)
        try:
            return await self._guest.show(words, actions, outcome, RULES_LIMIT_S)
        except (OverLimit, GuestDied) as error:
            log.warning("states of %s are not shown any more: %r", self.source.name, error)
            self.slow = True
            return None, None


class LoadedGames:
    """The games that a manager has loaded."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._loading = WorkerThreads(MAX_LOADING)
        self._threads = WorkerThreads(MAX_AT_ONCE, patience_s=SLOW_S)
        self._slow_threads = WorkerThreads(MAX_SLOW, in_background=True)
        self._guests = GuestRoom()
        self._loaded: dict[str, LoadedGame] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Of games that are being loaded, by their keys."""

    async def find(
        self, game: str, parameters: Mapping[str, str], rules: str | None = None, files: Mapping[str, str] = NO_FILES
    ) -> GameSource:
        """Return the source of a game of the library, or, with `rules`, of the game that they describe.

        Raises:
            GgpError: there is no such game, or its rules have errors.
        """
        if rules is None:
            return (await self._loading.run(lambda: self._games.find(game, parameters)))[0]
        return (await self.load(GameSource(game, rules, files, parameters))).source

    async def load(self, source: GameSource) -> LoadedGame:
        """Return the game of a source, loaded outside of the event loop and cached for the next match.

        Raises:
            GgpError: its rules have errors.
        """
        key = source.key
        lock = self._locks.setdefault(key, asyncio.Lock())
        async with lock:  # matches of one game that begin together load it once
            if key not in self._loaded:
                is_own, _ = await self._loading.run(lambda: self._games.is_own(source))
                loaded = await (self._load_own if is_own else self._load_guest)(source)
                while len(self._loaded) >= MAX_CACHED_GAMES:
                    del self._loaded[next(iter(self._loaded))]
                # With all parameters bound, it is the same game.
                found = self._loaded.setdefault(loaded.source.key, loaded)
                self._loaded.setdefault(key, found)
            return self._loaded[key]

    async def _load_own(self, source: GameSource) -> LoadedGame:
        (game, bound), _ = await self._loading.run(lambda: self._games.load_bound(source))
        threads = None if self._games.is_quick(game) else self._threads
        return LoadedGame(game, bound, self._games.faults, threads, self._slow_threads)

    async def _load_guest(self, source: GameSource) -> LoadedGame:
        guest = Guest(source, self._guests)
        game, bound = await guest.load()
        return LoadedGame(game, bound, self._games.faults, None, self._slow_threads, guest)

    def close(self) -> None:
        """End the threads and the processes in which rules run."""
        self._guests.close()
        for threads in (self._loading, self._threads, self._slow_threads):
            threads.close()
