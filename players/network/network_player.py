"""Our players on a game manager: an agent for each match.

join("ws://localhost:8000/play", make_match_player(read_player("rm:gamma=0.05"), seed=1), name="rm")

A player may think while others think: its search continues in a thread until it is stopped. In a match within one
process this would slow all players. The thread has a lower priority if the system supports that, so that an opponent on
the same machine loses little.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from ggp.arithmetic.rng import seed_word
from ggp.errors import GgpError
from ggp.language import SourceFile, sent_files
from ggp.rules_compiler.loading import game_from_source
from players.agents.agent import Agent, Budget
from players.agents.auto import AutoAgent
from players.agents.registry import PlayerSpec
from players.agents.time_control import Pacing
from players.network.match_player import MatchPlayer, Turn

if TYPE_CHECKING:
    from ggp.game.game import Game
    from ggp.protocol.messages import End, Observe, Prepare, Start


MAX_PONDER_S = 30.0
"""For one wait: an opponent may be a person who has left."""
SLICE_S = 0.0005
"""Stopping the search takes up to one slice, or a few on a busy machine."""
NICENESS = 5

Run = Callable[[int], None]


class Pondering:
    """At most one search in the background; call `stop` before using the search otherwise."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()
        self._pacing = Pacing()

    def start(self, run: Run, settled: Callable[[], bool]) -> None:
        """Begin to search."""
        self.stop()
        self._stopped.clear()
        self._pacing.forget_rate()
        self._thread = threading.Thread(target=self._search, args=(run, settled), name="pondering", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search, and wait until it has ended."""
        if self._thread is not None:
            self._stopped.set()
            self._thread.join()
            self._thread = None

    def _search(self, run: Run, settled: Callable[[], bool]) -> None:
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        deadline = time.monotonic() + MAX_PONDER_S
        self._pacing.run_until(deadline, run, time.monotonic, lambda: self._stopped.is_set() or settled(), SLICE_S)


START_SHARE = 0.7
"""Share of the rest of the start clock, once the player is prepared, that is used: `ready` must not be late."""
MAX_RULES = 100_000
"""Characters of a rules file from the network: three seconds of parsing; the longest in the library has 7,600."""
GAMES_KEPT = 16
"""Compiled games that a process keeps between matches."""


class RulesTooLong(GgpError):
    """Rules of a manager are too long to be read."""


class AgentPlayer(MatchPlayer):
    """Plays a match with an agent.

    Args:
        agent: a new one.
        seed: of the match, for this player.
        get_ready: compiles the player's kernels for a game, unless they are compiled already.
        ended: called with the first and the last message of the match.
    """

    def __init__(
        self,
        agent: Agent,
        seed: int,
        get_ready: Callable[[Game], None] | None = None,
        ended: Callable[[Start, End], None] | None = None,
    ) -> None:
        self._agent = agent
        self._seed = seed
        self._get_ready = get_ready
        self._ended = ended
        self._start: Start | None = None
        self._pondering = Pondering()

    def start(self, start: Start, deadline: float) -> None:
        """Compile the game; `auto` uses the rest of the start clock, too.

        Raises:
            GgpError: the rules have errors, or the player cannot play the game.
        """
        self._start = start
        game = game_of(start)
        if self._get_ready is not None:
            self._get_ready(game)
        if isinstance(self._agent, AutoAgent):
            self._agent.start_clock_s = deadline - time.monotonic()
        self._agent.start(game, start.roles.index(start.role), self._seed)
        if isinstance(self._agent, AutoAgent):
            now = time.monotonic()
            self._agent.study(Budget(time.monotonic, now + START_SHARE * (deadline - now)))

    def observe(self, observe: Observe) -> None:
        """Pass on a transition; `auto` continues to think from there."""
        self._pondering.stop()
        self._agent.observe(observe.action, [(seen.label, seen.value) for seen in observe.observation])
        self._ponder()

    def choose(self, turn: Turn) -> str:
        """Let the agent think until the deadline, minus the network's round trip."""
        self._pondering.stop()
        return self._agent.choose(turn.legal, Budget(time.monotonic, turn.deadline - turn.round_trip_s))

    def end(self, end: End) -> None:
        """Stop thinking."""
        self._pondering.stop()
        if self._ended is not None and self._start is not None:
            self._ended(self._start, end)

    def _ponder(self) -> None:
        search = self._agent.pondered() if isinstance(self._agent, AutoAgent) else None
        if search is not None:
            self._pondering.start(search.run_units, lambda: search.settled)


def game_of(message: Start | Prepare) -> Game:
    """Return the game whose rules a manager has sent; for the same rules the same object, while it is kept.

    Raises:
        GgpError: the rules have errors, or are too long.
    """
    if len(message.rules) > MAX_RULES:
        raise RulesTooLong(f"the rules have {len(message.rules):,} characters; {MAX_RULES:,} are read from a manager")
    return _game(message.game, message.rules, tuple(message.parameters.items()), tuple(message.files.items()))


@lru_cache(GAMES_KEPT)
def _game(name: str, rules: str, parameters: tuple[tuple[str, str], ...], files: tuple[tuple[str, str], ...]) -> Game:
    return game_from_source(SourceFile(f"{name}.rules", rules), dict(parameters), sent_files(dict(files)))


def make_match_player(
    spec: PlayerSpec,
    seed: int,
    get_ready: Callable[[Game], None] | None = None,
    ended: Callable[[Start, End], None] | None = None,
) -> Callable[[], AgentPlayer]:
    """Return a factory of players, one per match, with seeds derived from one.

    Args:
        spec: the player.
        seed: of all matches.
        get_ready: called with the game of each match, on its start clock; None if all kernels are compiled already.
        ended: called with the first and the last message of each match that is played to its end.
    """
    numbers = itertools.count()
    return lambda: AgentPlayer(spec.make_agent(), seed_word(seed, next(numbers)), get_ready, ended)
