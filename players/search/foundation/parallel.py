"""Root parallelisation: several trees with one root, each searched by its own thread; their strategies are averaged.

Kernels run without the GIL, so each thread can use a core. Trees share nothing while they are searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import F64, I64
from players.search.foundation.memory import MEGABYTE, memory_bytes
from players.search.foundation.searches import Search


def search_in_threads(settings: Any, make: Callable[[Any], Search]) -> Search:
    """Return a search by settings with `memory`, `threads` and `final`; several threads share the memory.

    Args:
        settings: of the player.
        make: makes a search of one thread.
    """
    if settings.threads == 1:
        return make(settings)
    megabytes = max(1, memory_bytes(settings.memory) // MEGABYTE // settings.threads)
    share = replace(settings, memory=megabytes, final="mix")
    return ParallelSearch([make(share) for _ in range(settings.threads)], settings.final == "max")


class _Searching(Protocol):
    """What all searches have in common."""

    @property
    def iterations(self) -> int: ...
    @property
    def settled(self) -> bool: ...
    def seed(self, word: int) -> None: ...
    def run(self, iterations: int) -> None: ...


S = TypeVar("S", bound=_Searching)


class SearchesInThreads(Generic[S]):
    """Several searches of one game used as one, each in a thread of its own, with the same share of iterations."""

    def __init__(self, searches: Sequence[S]) -> None:
        self._searches = searches
        self._pool = ThreadPoolExecutor(len(searches) - 1, thread_name_prefix="search")

    @property
    def iterations(self) -> int:
        """Iterations of all threads since `seed`."""
        return sum(search.iterations for search in self._searches)

    @property
    def settled(self) -> bool:
        """Whether more search would change nothing in any of the trees."""
        return all(search.settled for search in self._searches)

    def seed(self, word: int) -> None:
        """Seed the random generators, each differently."""
        for number, search in enumerate(self._searches):
            search.seed(seed_word(word, number))

    def run(self, iterations: int) -> None:
        """Run iterations in all threads, of which the caller's is one."""
        searches = self._searches
        shares = [(iterations + number) // len(searches) for number in range(len(searches))]
        running = [self._pool.submit(search.run, share) for search, share in zip(searches[1:], shares[1:], strict=True)]
        searches[0].run(shares[0])
        for thread in running:
            thread.result()


class ParallelSearch(SearchesInThreads[Search], Search):
    """Several searches from a known state used as one.

    Args:
        searches: one per thread, with averages as strategies.
        argmax: whether the final strategy is the most probable action of the average over all trees. It is not taken
            tree by tree, since the average would then mix the favourites of the trees.
    """

    def __init__(self, searches: Sequence[Search], argmax: bool = False) -> None:
        super().__init__(searches)
        self._argmax = argmax

    def touch_memory(self) -> None:
        """Write to all of the memory."""
        for search in self._searches:
            search.touch_memory()

    def take_role(self, role: int) -> None:
        """Tell every search the role."""
        for search in self._searches:
            search.take_role(role)

    def prepare(self, state: I64) -> None:
        """Load kernels and touch memory; see `Search.prepare`."""
        for search in self._searches:
            search.prepare(state)
        self.run(len(self._searches))

    def set_root(self, state: I64) -> None:
        """Forget the trees and begin at a world state, `[W]` words."""
        for search in self._searches:
            search.set_root(state)

    def advance(self, key: int, state: I64) -> bool:
        """Follow a transition in every tree; return whether all had the child. See `Search.advance`."""
        kept = [search.advance(key, state) for search in self._searches]  # every tree follows, also after a miss
        return all(kept)

    @property
    def root_visits(self) -> int:
        """The number of iterations through the roots."""
        return sum(search.root_visits for search in self._searches)

    def strategy(self, player: int) -> tuple[I64, F64]:
        """Return a player's legal actions, and the mean of the trees' strategies, weighted by their visits.

        With `argmax`, only the actions that are the most probable in that mean, with equal probability.
        """
        actions, total = self._searches[0].strategy(player)
        mixed = np.zeros_like(total)
        for search in self._searches:
            mixed += search.strategy(player)[1] * max(search.root_visits, 1)
        if self._argmax:
            mixed = np.where(mixed == mixed.max(), 1.0, 0.0)
        return actions, mixed / mixed.sum()
