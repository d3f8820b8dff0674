"""What one role may see of a position: what is certain, or, where that is too much to work out, what a sample shows."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import reduce

from ggp.arithmetic.rng import seed_word
from ggp.encoding.readable import Readable
from ggp.game.game import Game
from ggp.scene.common import in_common
from ggp.scene.scene import Scene
from players.beliefs.belief import Belief
from players.beliefs.known_states import KnownStates

SAMPLES, SHOWN = 256, 48
"""Histories that are sampled, and those of them whose states are compared."""
SAMPLING_S = 1.0
SAMPLE_SEED = 29


class Knowledge:
    """Follows what a role does and is told.

    Attributes:
        certain: whether the last scene shows what is the same in all possible states, and not only in a sample of them.
    """

    def __init__(self, game: Game, role: int) -> None:
        self._game, self._role = game, role
        self._known = KnownStates(game, role)
        self._told: list[tuple[str | None, Sequence[tuple[str, Readable]]]] = []
        self._belief: Belief | None = None
        self._passed_on = 0
        self.certain = True

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Take note of a transition: the role's own action, None if it had none, and what it saw."""
        self._told.append((action, observation))
        self._known.actors_of(action, observation)

    def scene(self, legal: Sequence[str] | None) -> Scene | None:
        """Return what the role may see, with its legal actions where it has to act; None: no sample is found."""
        scene = self._known.scene(legal)
        self.certain = scene is not None
        return scene or self._sampled(legal)

    def _sampled(self, legal: Sequence[str] | None) -> Scene | None:
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
        self._belief.catch_up(new_infoset_table(0, 1), time.monotonic, time.monotonic() + SAMPLING_S)
        states = self._belief.states
        chosen = states[:: max(1, len(states) // SHOWN)][:SHOWN]
        scenes = [self._game.state([int(word) for word in words]).scene(self._role) for words in chosen]
        return reduce(in_common, scenes) if scenes else None
