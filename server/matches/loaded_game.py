"""Games in the manager, and where their rules run: on the event loop while they are quick, else in processes.

Most transitions take a tenth of a millisecond, less than handing them to another process would. Some take seconds; on
the event loop they would hold up every clock. Whether a game is slow shows in play: what takes too long is broken off
and made again elsewhere, as is then everything else of that game. A transition changes nothing, so that does no harm.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping

from server.matches.beside_the_loop import beside_the_loop
from server.matches.games import Games, GameSource
from server.matches.loop_guard import LoopGuard, TookLong
from server.matches.rules_pool import RULES_LIMIT_S, RulesPool, over_limit
from server.referee.game_interface import Game
from server.referee.rules_steps import Step, StepResult, make_step

LOOP_BUDGET_S = 0.01
"""Processor time that a transition may take on the event loop; once one took more, the game is slow."""
MAX_CACHED_GAMES = 64

log = logging.getLogger("ggp.rules")


class LoadedGame:
    """A game that matches are played of.

    Args:
        game: the game.
        source: what it was made of.
        faults: exceptions by which it says that its rules failed.
        guard: breaks off what takes long on the event loop.
        pool: where it runs if it is slow.
    """

    def __init__(
        self, game: Game, source: GameSource, faults: tuple[type[Exception], ...], guard: LoopGuard, pool: RulesPool
    ) -> None:
        self.game = game
        self.faults = faults
        self.slow = False
        self._source = source
        self._guard = guard
        self._pool = pool

    async def make(self, step: Step, spent_s: float | None) -> tuple[StepResult, float]:
        """Make a transition.

        Args:
            step: which.
            spent_s: processor time that the rules took already of `RULES_LIMIT_S`; None: there is no limit.

        Returns:
            What came of it, and the processor time that it took, in seconds.

        Raises:
            RulesGivenUp: it took too long, or its process was lost.
        """
        if spent_s is not None and spent_s >= RULES_LIMIT_S:
            raise over_limit(self._source, step)
        if not self.slow:
            began = time.thread_time()
            try:
                situation = self._guard.run(lambda: make_step(self.game, step, self.faults), LOOP_BUDGET_S)
                return situation, time.thread_time() - began
            except TookLong:
                # The timer counts other threads, too, such as one that makes a game: then it is this once only.
                if time.thread_time() - began > LOOP_BUDGET_S / 2:
                    self.slow = True
                    log.info("the rules of %s are slow; they run in processes from now on", self._source.name)
        return await self._pool.make(self._source, step, spent_s)


class LoadedGames:
    """The games that a manager has loaded.

    Args:
        games: where they come from.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        self._guard = LoopGuard()
        self._pool = RulesPool(games)
        self._loaded: dict[str, LoadedGame] = {}

    async def find(self, game: str, parameters: Mapping[str, str]) -> GameSource:
        """Return the source of a game of the library.

        Raises:
            GgpError: there is none, or its rules are wrong.
        """
        return await beside_the_loop(lambda: self._games.find(game, parameters))

    async def read(self, name: str, rules: str, files: Mapping[str, str], parameters: Mapping[str, str]) -> GameSource:
        """Return the source of a game whose rules are given.

        Raises:
            GgpError: the rules are wrong.
        """
        return await beside_the_loop(lambda: self._games.read(name, rules, files, parameters))

    async def load(self, source: GameSource) -> LoadedGame:
        """Return the game of a source, made beside the event loop and kept for the next match.

        Raises:
            GgpError: its rules are wrong.
        """
        key = repr((source.name, source.rules, sorted(source.files.items()), sorted(source.parameters.items())))
        if key not in self._loaded:
            game = await beside_the_loop(lambda: self._games.load(source))
            while len(self._loaded) >= MAX_CACHED_GAMES:
                del self._loaded[next(iter(self._loaded))]
            self._loaded.setdefault(key, LoadedGame(game, source, self._games.faults, self._guard, self._pool))
        return self._loaded[key]

    async def close(self) -> None:
        """End the processes in which rules run; nothing may be running there any more."""
        await self._pool.close()
