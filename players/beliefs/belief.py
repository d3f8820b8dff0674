"""What a player considers possible as a match goes on, from the texts that it is told.

The histories that fit are found by `ggp.beliefs`.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ggp.beliefs.consistent_histories import ConsistentHistories
from ggp.native.information_states import KEY_WORDS
from players.beliefs.records import Records
from players.search.foundation.memory import touch
from players.search.information_sets.information_walk import Roots

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from ggp.native.infoset_table import InfosetTable

LOGGER = logging.getLogger(__name__)


class Belief(ConsistentHistories):
    """What one player considers possible in one match.

    Args:
        game: the game.
        states: maximum number of histories when they are sampled.
        field: the number of an action in the search's tree that tells how often it was chosen.
        uniform: share of the uniform strategy in the model of the others.
        equal: whether all possible states count as equally probable.
    """

    def __init__(self, game: Game, states: int, field: int, uniform: float, equal: bool) -> None:
        super().__init__(game.native(), game.revealed_actions, game.codec.number_parts(), states, field, uniform, equal)
        self._game = game
        self.records = Records(game)
        self._touch()

    def _touch(self) -> None:
        """Touch the memory for the sampled histories, so that the system provides it before a clock runs."""
        for front in (self._front, self._other):
            for array in (front.states, front.keys):
                touch(array, self._states * array.shape[1])
        histories = self.histories
        touch(histories.joint, histories.joint.size // 4)
        touch(histories.record, histories.record.size)
        touch(self._extension.moved, self._extension.moved.size)

    def begin(self, seed: int, role: int) -> None:
        """Reset to the initial state.

        Args:
            seed: a 64-bit word that is not 0.
            role: the player.
        """
        self.records = Records(self._game)
        self.follow(seed, role, self.records)

    def tell(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Note a transition: the text of the player's own action, None if it had none, and what it saw."""
        self.records.tell(action, observation)

    def decide(self, legal: Sequence[str]) -> None:
        """Note that the player is asked to act, with its legal actions."""
        self.records.decide(legal)

    def catch_up(
        self,
        tree: InfosetTable,
        clock: Callable[[], float],
        deadline: float = math.inf,
        lost_deadline: float = -math.inf,
    ) -> None:
        """Process all records since the last update, and log where nothing held fitted any more."""
        revived = self.revived
        super().catch_up(tree, clock, deadline, lost_deadline)
        if self.revived > revived and not self.lost:
            LOGGER.warning(
                "up to record %d no world state held fitted any more; others were found, %d are left",
                len(self.records),
                len(self),
            )
        if self.lost:
            LOGGER.warning("after %d records no world state held fits, and none was found", len(self.records))

    def roots(self) -> Roots:
        """Return the states held as roots of a search, by their probabilities."""
        return Roots(self.states.copy(), self._front.keys[: len(self)].copy(), np.cumsum(self.probabilities))

    def is_plain(self, legal: Sequence[str]) -> bool:
        """Return whether the player's observations and legal actions can be read in one way only."""
        return self.records.key() is not None and self.records.numbers(legal) is not None

    def information_state(self, legal: Sequence[str]) -> tuple[tuple[int, int], list[int]] | None:
        """Return the key of the player's information state, and the numbers of its legal actions, ascending.

        They follow from its observations or, if these can be read in several ways, from a held state; the belief must
        then be up to date.

        Args:
            legal: the texts of the player's legal actions.

        Returns:
            None if no state is held and the observations do not determine them.
        """
        key, numbers = self.records.key(), self.records.numbers(legal)
        if key is not None and numbers is not None:
            return key, numbers
        if len(self) == 0:
            return None
        role = self._extension.observer.role
        first, second = self._front.keys[0, KEY_WORDS * role : KEY_WORDS * role + KEY_WORDS]
        state = self._game.state([int(word) for word in self.states[0]])
        return (int(first), int(second)), [int(action) for action in state.legal(role)]
