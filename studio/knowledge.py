"""What one role may see of a position: what is certain, or, where that is too much to work out, what a sample shows."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import I64
from ggp.encoding.readable import Readable
from ggp.faults import GameError
from ggp.game.game import Game
from ggp.game.state import State
from ggp.native.infoset_table import new_infoset_table
from ggp.scene.common import in_common
from ggp.scene.scene import Scene
from players.beliefs.belief import Belief
from players.beliefs.preparation import load_kernels

SAMPLES = 256
"""States in a sample; four times as many are held as long as they are all that are possible."""
SAMPLING_S, LOST_S, RENEWING_S, ACTORS_S, COMPARING_S = 3.0, 0.6, 0.2, 0.3, 0.4
"""Seconds to find possible states, mostly at the first position; where none was found before; where few are left; to
find out who acted; and for drawing and comparing them."""
MIN_COMPARED = 64
"""States that are compared in any case: what only a few have in common says little."""
MIN_EQUAL = 16
"""States that all look the same: what is hidden is not drawn."""
SAMPLE_SEED = 29
PATIENCE = 2
"""So many times as long it may take by the clock, where other processes have the processor."""
NO_SEARCH = new_infoset_table(0, 1)
"""Nothing is known of how the others choose."""


class Knowledge:
    """Follows what a role does and is told.

    Attributes:
        certain: whether the last scene shows what is the same in all possible states, and not only in a sample of them;
            one in which nothing is drawn differently leaves no doubt, either.
        state: one of the possible states at that time; None: none is known.
    """

    def __init__(self, game: Game, role: int) -> None:
        load_kernels()
        self._game, self._role = game, role
        self._belief = Belief(game, SAMPLES, 0, 1.0, equal=True)
        self._belief.begin(seed_word(SAMPLE_SEED, role), role)
        self._told = -1
        """The record of the last transition."""
        self._sampling_s = SAMPLING_S
        self.certain = True
        self.state: State | None = None

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Take note of a transition: the role's own action, None if it had none, and what it saw."""
        self._belief.tell(action, observation)
        self._told = len(self._belief.records) - 1

    def actors(self) -> tuple[int, ...] | None:
        """Return who acted in the last transition; None where the role does not know, or it is too much to work out."""
        if self._belief.exact:
            self._catch_up(ACTORS_S)
        if not self._belief.exact:
            return None
        histories, states = self._belief.histories, {0: self._game.initial()}

        def before_told(node: int) -> int:
            while histories.record[node] > self._told:
                node = histories.parent[node]
            return int(histories.parent[node])

        def state_at(node: int) -> State:
            if node not in states:
                before = state_at(int(histories.parent[node]))
                states[node] = before.successor(tuple(histories.joint[node].tolist()))
            return states[node]

        try:
            found = {state_at(before_told(node)).actors() for node in self._belief.nodes}
        except GameError:
            return None  # the rules may fail in a state that is possible but not the true one
        return found.pop() if len(found) == 1 else None

    def scene(self, legal: Sequence[str] | None) -> Scene | None:
        """Return what the role may see, with its legal actions where it has to act; None: no sample is found."""
        if legal is not None:
            self._belief.decide(legal)
        self._catch_up(self._sampling_s)
        if not self._game.codec.has_views:  # else what is shown is the same in whatever fits
            self._belief.renew(NO_SEARCH, time.monotonic, time.monotonic() + RENEWING_S)
        states = np.unique(self._belief.states, axis=0)
        self._sampling_s = SAMPLING_S if len(states) else LOST_S
        self.state = self._game.state(states[0].tolist()) if len(states) else None
        try:
            scene, compared = self._compared(states)
        except GameError:
            self.certain = False
            return None  # the rules may fail in a state that is possible but not the true one
        is_same = compared >= MIN_EQUAL and self.state is not None and scene == self.state.scene(self._role)
        self.certain = is_same or (self._belief.exact and compared == len(states))
        return scene

    def _catch_up(self, seconds: float) -> None:
        self._belief.catch_up(NO_SEARCH, working_clock(), seconds)

    def _compared(self, states: I64) -> tuple[Scene | None, int]:
        """Return what is the same in states, as many as there is time for, and how many these were."""
        if self.state is None:
            return None, 0
        step = next(step for step in (7919, 104729) if math.gcd(step, len(states)) == 1)
        until = time.monotonic() + COMPARING_S
        scene = self.state.scene(self._role)
        for number in range(1, len(states)):
            if number >= MIN_COMPARED and time.monotonic() > until:
                return scene, number
            other = self._game.state(states[number * step % len(states)].tolist())
            scene = in_common(scene, other.scene(self._role))
        return scene, len(states)


def working_clock() -> Callable[[], float]:
    """Return a clock from 0 that counts the seconds for which this thread works, or a share of those that pass."""
    worked, passed = time.thread_time(), time.monotonic()
    return lambda: max(time.thread_time() - worked, (time.monotonic() - passed) / PATIENCE)
