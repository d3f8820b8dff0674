"""Root parallelisation: several trees from one root, each searched by a thread of its own, their strategies averaged.

Kernels run without the GIL, so threads use as many cores. Trees do not share anything while they are searched.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from ggp.model.generator import seed_word
from ggp.model.interface import NativeGame
from ggp.model.jit import F64, I64
from players.search.settings import TreeSettings
from players.search.tree_search import MEGABYTE, Family, TreeSearch, default_memory_bytes


class ParallelSearch:
    """Several `TreeSearch`es as one; memory and iterations are shared out evenly."""

    def __init__(self, native: NativeGame, family: Family, settings: TreeSettings) -> None:
        memory = settings.memory or default_memory_bytes() // MEGABYTE
        share = replace(settings, memory=max(1, memory // settings.threads))
        self._searches = [TreeSearch(native, family, share) for _ in range(settings.threads)]
        self._pool = ThreadPoolExecutor(settings.threads - 1, thread_name_prefix="search")

    def seed(self, word: int) -> None:
        """Set the generators; each tree gets one of its own."""
        for number, search in enumerate(self._searches):
            search.seed(seed_word(word, number))

    def touch_memory(self) -> None:
        """Write to all of the memory; see `TreeSearch.touch_memory`."""
        for search in self._searches:
            search.touch_memory()

    def prepare(self, state: I64) -> None:
        """Load kernels and touch memory; see `TreeSearch.prepare`."""
        for search in self._searches:
            search.prepare(state)
        self.run(len(self._searches))

    def set_root(self, state: I64) -> None:
        """Forget the trees and begin at a world state, `[W]` words."""
        for search in self._searches:
            search.set_root(state)

    def advance(self, key: int, state: I64) -> bool:
        """Follow a transition in every tree; return whether all had the child. See `TreeSearch.advance`."""
        kept = [search.advance(key, state) for search in self._searches]  # every tree follows, also after a miss
        return all(kept)

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

    @property
    def root_visits(self) -> int:
        """How many iterations came through the roots."""
        return sum(search.root_visits for search in self._searches)

    def strategy(self, player: int) -> tuple[I64, F64]:
        """Return a player's legal actions, and the mean of the trees' strategies, weighted by their visits."""
        actions, total = self._searches[0].strategy(player)
        mixed = np.zeros_like(total)
        for search in self._searches:
            mixed += search.strategy(player)[1] * max(search.root_visits, 1)
        return actions, mixed / mixed.sum()


Search: TypeAlias = TreeSearch | ParallelSearch


def make_search(native: NativeGame, family: Family, settings: TreeSettings) -> Search:
    """Return the search for some settings: with one thread a single tree."""
    kind = ParallelSearch if settings.threads > 1 else TreeSearch
    return kind(native, family, settings)
