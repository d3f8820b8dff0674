"""Bots at a table: agents that are told what their role is told, and think in threads."""

from __future__ import annotations

import threading
import time

from ggp.arithmetic.rng import seed_word
from ggp.game.history import History
from players.agents.agent import Agent, Budget
from players.agents.registry import PlayerSpec
from studio.table import Table, lived

BOT_SEED = 11


class Bot:
    """One role of a table, played by an agent. `choose` blocks: it is called in a thread."""

    def __init__(self, spec: PlayerSpec, role: int, play_clock_s: float) -> None:
        self.spec, self.role, self.play_clock_s = spec, role, play_clock_s
        self._agent: Agent | None = None
        self._seen: list[History] = []
        """The histories that the agent was told of."""
        self._lock = threading.Lock()
        """A call that nobody waits for any more may still run when the next one comes."""

    def choose(self, table: Table) -> str:
        """Return the agent's action where its role is to act.

        Raises:
            NotApplicable: it cannot play this game.
        """
        with self._lock:
            state = self._follow(table).state
            assert self._agent is not None
            legal = [str(action) for action in state.legal(self.role)]
            return self._agent.choose(legal, Budget(time.monotonic, time.monotonic() + self.play_clock_s))

    def prepare(self, table: Table) -> None:
        """Do what takes time before the first move.

        Raises:
            NotApplicable: it cannot play this game.
        """
        with self._lock:
            self._follow(table)

    def _follow(self, table: Table) -> History:
        """Tell the agent what it has not been told; return where the game is."""
        positions = list(table.positions)
        if self._agent is None or self._seen != positions[: len(self._seen)]:
            self.spec.check(table.game)
            self._agent = self.spec.make_agent()
            self._agent.start(table.game, self.role, seed_word(table.seed, BOT_SEED, self.role))
            self._seen = positions[:1]
        for history in positions[len(self._seen) :]:
            if (told := lived(history.state, self.role)) is not None:
                self._agent.observe(*told)
        self._seen = list(positions)
        return positions[-1]
