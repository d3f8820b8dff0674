"""Histories that fit what a player knows, drawn by their probability where the others act uniformly at random.

They are found as players in matches find them (`ggp.beliefs`): all of them where these are few enough, which is exact,
and otherwise a sample. There is no clock here: so many transitions are looked at, and the same are found every time.
"""

from __future__ import annotations

from bisect import bisect
from functools import lru_cache
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from ggp.faults import GameError

if TYPE_CHECKING:
    from ggp.game.history import History, InformationState
    from ggp.native.infoset_table import InfosetTable

STATES = 2_000
"""Histories of a sample; where all are found, they may be some times as many."""
TRANSITIONS, TRANSITIONS_OF_ONE = 300_000, 6_000
"""Looked at to follow what the player was told, at least so many, or so many for each action and observation."""
LOST = 1.5
"""How many times as many may be looked at where none fits."""
LAST_TRANSITIONS = 200_000
"""Looked at behind the last observation, until the player acts."""
TRIALS = 6
"""Before it is said that nothing fits; each looks at twice as many transitions as the one before."""
PER_SECOND = 1_000_000
"""Transitions that count as a second for the machinery, which plans by a clock."""

Joint: TypeAlias = "tuple[int, ...]"


class NothingFits(GameError):
    """No history was found that fits an information state: none does, or they are too few to be met at random."""

    def __init__(self, known: InformationState) -> None:
        super().__init__(known)
        self.known = known

    def __str__(self) -> str:
        return f"no history of {self.known.game.name} was found that fits: {self.known}"


class FittingHistories:
    """The histories that fit an information state; where its player acts in some of them, those.

    Attributes:
        exact: whether all are there.
        cumulative: sums of their probabilities, up to each.

    Raises:
        NothingFits: none was found.
    """

    def __init__(self, known: InformationState) -> None:
        # numpy takes a tenth of a second to import
        from ggp.beliefs.consistent_histories import ConsistentHistories
        from ggp.beliefs.known_records import KnownRecords

        game, tree, records = known.game, _no_search(), KnownRecords(known.known)
        held = ConsistentHistories(
            game.native(), game.revealed_actions, game.codec.number_parts(), STATES, 0, 1.0, equal=False
        )

        def clock() -> float:
            return held.transitions / PER_SECOND

        work = max(TRANSITIONS, TRANSITIONS_OF_ONE * len(known.known)) / PER_SECOND
        for seed in range(1, TRIALS + 1):
            held.follow(seed, known.player, records)
            began = clock()
            held.catch_up(tree, clock, began + work, began + LOST * work)
            if held.nothing_fits or not held.lost:
                break
            work *= 2
        if held.lost:
            raise NothingFits(known)
        held.go_on_until_asked(tree, clock, clock() + LAST_TRANSITIONS / PER_SECOND)
        self._known, self.exact = known, held.exact
        used = int(held.histories.used[0])
        self._parent, self._joint = held.histories.parent[:used].copy(), held.histories.joint[:used].copy()
        self._ends, self.cumulative = held.nodes.tolist(), list(accumulate(held.probabilities.tolist()))

    def draw(self, rng: Random) -> History:
        """Return one of them."""
        history = self._known.game.history()
        for joint in self.draw_joints(rng):
            history = history.after_joint(joint)
        return history

    def draw_joints(self, rng: Random) -> list[Joint]:
        """Return the transitions of one: the action of each player, 0 where it does not act; last chance's outcome."""
        place = bisect(self.cumulative, rng.random() * self.cumulative[-1])
        node, path = self._ends[min(place, len(self._ends) - 1)], []
        while node > 0:
            path.append(node)
            node = int(self._parent[node])
        return [tuple(joint) for joint in self._joint[path[::-1]].tolist()]


@lru_cache(1)
def _no_search() -> InfosetTable:
    """Return the tree of a search that knows nothing."""
    from ggp.native.infoset_table import new_infoset_table

    return new_infoset_table(0, 1)


@lru_cache(16)
def fitting_histories(known: InformationState) -> FittingHistories:
    """Return the histories that fit an information state; found once where many are drawn."""
    return FittingHistories(known)
