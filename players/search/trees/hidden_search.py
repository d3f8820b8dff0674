"""What agents need of a search with hidden information, whatever it is; and several of them as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

import numpy as np

from ggp.model.native.jit import F64, I64, U64
from ggp.model.native.rng import seed_word
from players.search.belief.history_tree import HistoryTree
from players.search.trees.information_tree import InformationTree, new_information_tree
from players.search.walk.information_walk import Roots


class HiddenSearch(Protocol):
    """Searches one game from what a player considers possible; `seed` and `begin` come before anything else."""

    @property
    def trees(self) -> Sequence[InformationTree]:
        """What it knows of how players choose, one tree a thread; the first tells beliefs."""

    @property
    def iterations(self) -> int:
        """Iterations since `seed`."""

    @property
    def settled(self) -> bool:
        """Whether more iterations would change nothing."""

    def seed(self, word: int) -> None:
        """Set the generator to a 64-bit word that is not 0, and count iterations from 0."""

    def prepare(self) -> None:
        """Load every kernel, and touch the first memory, before a clock runs."""

    def begin(self) -> None:
        """Forget what an earlier match left, and search from the beginning of the game."""

    def touch_ahead(self, clock: Callable[[], float], until: float) -> None:
        """Have the system provide the memory that the next decision will probably take.

        Args:
            clock: reads a monotonic clock in seconds.
            until: of that clock, when to stop.
        """

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Search from other world states from now on; what was learned stays.

        Args:
            roots: the world states that a player considers possible.
            histories: their histories.
            role: the player.
        """

    def run(self, iterations: int) -> None:
        """Search."""

    def weight(self, keys: U64, player: int, legal: I64) -> float:
        """Return the weight of its strategy at an information state, relative to those of other threads."""

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:
        """Return the final strategy of a player in an information state.

        Args:
            keys: `[2 * P]`, of which those of the player are read.
            player: who decides.
            legal: `[k]` its legal actions in ascending order.

        Returns:
            `[k]`, which sums to 1.
        """


class StatelessSearch:
    """What searches share that keep no tree by information state: nothing is known of how the others choose."""

    def __init__(self) -> None:
        self._knows_nothing: InformationTree = new_information_tree(0, 1)
        self._made = 0

    @property
    def trees(self) -> Sequence[InformationTree]:
        """One that knows nothing of how the others choose."""
        return (self._knows_nothing,)

    @property
    def iterations(self) -> int:
        """Iterations since `seed`."""
        return self._made

    def touch_ahead(self, clock: Callable[[], float], until: float) -> None:
        """Do nothing: the memory is the same at every decision."""


class ParallelHiddenSearch:
    """Several searches of one game as one, each in a thread of its own; iterations are shared out evenly.

    Args:
        searches: one a thread.
    """

    def __init__(self, searches: Sequence[HiddenSearch]) -> None:
        self._searches = searches
        self._pool = ThreadPoolExecutor(len(searches) - 1, thread_name_prefix="search")

    @property
    def trees(self) -> Sequence[InformationTree]:
        """The trees of all threads."""
        return [tree for search in self._searches for tree in search.trees]

    @property
    def iterations(self) -> int:
        """Iterations of all threads since `seed`."""
        return sum(search.iterations for search in self._searches)

    @property
    def settled(self) -> bool:
        """Whether more iterations would change nothing."""
        return all(search.settled for search in self._searches)

    def seed(self, word: int) -> None:
        """Set the generators; each search gets one of its own."""
        for number, search in enumerate(self._searches):
            search.seed(seed_word(word, number))

    def prepare(self) -> None:
        """Load kernels and touch memory."""
        for search in self._searches:
            search.prepare()
        self.run(len(self._searches))

    def begin(self) -> None:
        """Forget what an earlier match left."""
        for search in self._searches:
            search.begin()

    def touch_ahead(self, clock: Callable[[], float], until: float) -> None:
        """Have the system provide the memory that the searches will probably take, until a time of a clock."""
        for search in self._searches:
            search.touch_ahead(clock, until)

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Search from other world states; see `HiddenSearch.move_to`."""
        for search in self._searches:
            search.move_to(roots, histories, role)

    def run(self, iterations: int) -> None:
        """Search with all threads; the caller's is one of them."""
        count = len(self._searches)
        shares = [(iterations + number) // count for number in range(count)]
        running = [
            self._pool.submit(search.run, share) for search, share in zip(self._searches[1:], shares[1:], strict=True)
        ]
        self._searches[0].run(shares[0])
        for thread in running:
            thread.result()

    def weight(self, keys: U64, player: int, legal: I64) -> float:
        """Return how much all threads know of an information state."""
        return sum(search.weight(keys, player, legal) for search in self._searches)

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:
        """Return the mean of the threads' strategies, weighted by how much each knows of the information state."""
        mixed: F64 = np.zeros(legal.size)
        for search in self._searches:
            mixed += search.strategy(keys, player, legal) * max(search.weight(keys, player, legal), 1e-9)
        mixed /= mixed.sum()
        return mixed
