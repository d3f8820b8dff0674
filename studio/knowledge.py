"""What one role may see of a position: what is certain, or, where that is too much to work out, what a sample shows."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

from ggp.arithmetic.rng import seed_word
from ggp.encoding.readable import Readable
from ggp.faults import GameError
from ggp.game.game import Game
from ggp.game.state import State
from ggp.scene.common import in_common
from ggp.scene.scene import Scene
from players.beliefs.belief import Belief
from players.beliefs.known_states import KnownStates

SAMPLES = 256
SAMPLING_S, LOST_S, COMPARING_S = 3.0, 0.6, 0.4
"""Seconds for finding possible states, mostly at the first position; where none was found before; and for drawing and
comparing them."""
MIN_COMPARED = 64
"""States that are compared in any case: what only a few have in common says little."""
SAMPLE_SEED = 29


class Knowledge:
    """Follows what a role does and is told.

    Attributes:
        actors: who acted in the last transition, None if the role does not know that.
        certain: whether the last scene shows what is the same in all possible states, and not only in a sample of them.
        state: one of the possible states at that time; None: none is known.
    """

    def __init__(self, game: Game, role: int) -> None:
        self._game, self._role = game, role
        self._known = KnownStates(game, role)
        self._told: list[tuple[str | None, Sequence[tuple[str, Readable]]]] = []
        self._belief: Belief | None = None
        self._passed_on = 0
        self._sampling_s = SAMPLING_S
        self.certain = True
        self.state: State | None = None
        self.actors: tuple[int, ...] | None = None

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Take note of a transition: the role's own action, None if it had none, and what it saw."""
        self._told.append((action, observation))
        self.actors = self._known.actors_of(action, observation)

    def scene(self, legal: Sequence[str] | None) -> Scene | None:
        """Return what the role may see, with its legal actions where it has to act; None: no sample is found."""
        states = self._known.consistent(legal)
        self.certain = states is not None
        possible = states or self._sampled(legal)
        self.state = self._game.state(possible[0]) if possible else None
        try:
            scene, compared = self._compared(possible)
        except GameError:
            return None  # the rules may fail in a state that is possible but not the true one
        self.certain &= compared == len(states or ())
        return scene

    def _compared(self, states: Sequence[Sequence[int]]) -> tuple[Scene | None, int]:
        """Return what is the same in states, as many as there is time for, and how many these were."""
        if not states:
            return None, 0
        step = next(step for step in (7919, 104729) if math.gcd(step, len(states)) == 1)
        until = time.monotonic() + COMPARING_S
        scene = self._game.state(states[0]).scene(self._role)
        for number in range(1, len(states)):
            if number >= MIN_COMPARED and time.monotonic() > until:
                return scene, number
            scene = in_common(scene, self._game.state(states[number * step % len(states)]).scene(self._role))
        return scene, len(states)

    def _sampled(self, legal: Sequence[str] | None) -> list[list[int]]:
        """Return some states that are consistent with what the role was told."""
        from players.beliefs.preparation import load_kernels
        from players.search.information_sets.infoset_table import new_infoset_table

        if self._belief is None:
            load_kernels()
            self._belief = Belief(self._game, SAMPLES, 0, 1.0, equal=True)
            self._belief.begin(seed_word(SAMPLE_SEED, self._role), self._role)
        for action, observation in self._told[self._passed_on :]:
            self._belief.tell(action, observation)
        self._passed_on = len(self._told)
        if legal is not None:
            self._belief.decide(legal)
        self._belief.catch_up(new_infoset_table(0, 1), time.monotonic, time.monotonic() + self._sampling_s)
        found = [[int(word) for word in words] for words in self._belief.states]
        self._sampling_s = SAMPLING_S if found else LOST_S
        return found
