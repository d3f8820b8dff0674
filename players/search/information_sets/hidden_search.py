"""The interface of searches with hidden information, and several searches used as one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from ggp.beliefs.history_tree import HistoryTree
from ggp.codegen.kernels import F64, I64, U64, AnyKernel
from ggp.native.infoset_table import InfosetTable, new_infoset_table
from ggp.native.interface import NativeGame
from players.search.foundation.parallel import SearchesInThreads
from players.search.information_sets.information_walk import Roots


class HiddenSearch(Protocol):
    """Searches one game from the world states that a player considers possible; call `seed` and `begin` first."""

    @property
    def trees(self) -> Sequence[InfosetTable]:
        """The strategies it has learned, one tree per thread; beliefs read the first."""

    @property
    def iterations(self) -> int:
        """Iterations since `seed`."""

    @property
    def settled(self) -> bool:
        """Whether more iterations would change nothing."""

    def seed(self, word: int) -> None:
        """Seed the random generator with a 64-bit word that is not 0; iterations and utilities met count anew."""

    def prepare(self) -> None:
        """Load every kernel, and touch the first memory, before a clock runs."""

    def begin(self) -> None:
        """Forget the earlier match, and search from the beginning of the game."""

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Search from other world states from now on; everything learned is kept.

        Args:
            roots: the world states that a player considers possible.
            histories: their histories.
            role: the player.
        """

    def run(self, iterations: int) -> None:
        """Run iterations."""

    def weight(self, keys: U64, player: int, legal: I64) -> float:
        """Return the weight of its strategy at an information state, relative to those of other threads."""

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:
        """Return the final strategy of a player in an information state.

        Args:
            keys: `[2 * P]`; only those of the player are read.
            player: who decides.
            legal: `[k]` its legal actions in ascending order.

        Returns:
            `[k]`; sums to 1.
        """


class HiddenSearches(Struct, frozen=True):
    """A family of searches from what a player considers possible.

    Attributes:
        make_hidden_search: makes a search by the player's settings.
        called: the kernels that its searches call.
        frequencies: which number of an action in its trees tells how often a player would choose it, if one does.
        believes: whether its searches use the belief.
        plans: whether they have strategies for later information states.
    """

    make_hidden_search: Callable[[NativeGame, Any], HiddenSearch]
    called: tuple[AnyKernel, ...]
    frequencies: int = 0
    believes: bool = True
    plans: bool = False

    def kernels(self, settings: Any) -> Iterator[AnyKernel]:  # noqa: ARG002
        """Yield the kernels that its searches call."""
        yield from self.called


class StatelessSearch:
    """Base of searches that keep no tree by information state: they learn no strategies of the others."""

    def __init__(self) -> None:
        self._knows_nothing: InfosetTable = new_infoset_table(0, 1)
        self._made = 0

    @property
    def trees(self) -> Sequence[InfosetTable]:
        """An empty tree."""
        return (self._knows_nothing,)

    @property
    def iterations(self) -> int:
        """Iterations since `seed`."""
        return self._made


class ParallelHiddenSearch(SearchesInThreads[HiddenSearch]):
    """Several searches with hidden information used as one."""

    @property
    def trees(self) -> Sequence[InfosetTable]:
        """The trees of all threads."""
        return [tree for search in self._searches for tree in search.trees]

    def prepare(self) -> None:
        """Load kernels and touch memory."""
        for search in self._searches:
            search.prepare()
        self.run(len(self._searches))

    def begin(self) -> None:
        """Forget what an earlier match left."""
        for search in self._searches:
            search.begin()

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Search from other world states; see `HiddenSearch.move_to`."""
        for search in self._searches:
            search.move_to(roots, histories, role)

    def weight(self, keys: U64, player: int, legal: I64) -> float:
        """Return the sum of the threads' weights of an information state."""
        return sum(search.weight(keys, player, legal) for search in self._searches)

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:
        """Return the mean of the threads' strategies, weighted by `weight`."""
        mixed: F64 = np.zeros(legal.size)
        for search in self._searches:
            mixed += search.strategy(keys, player, legal) * max(search.weight(keys, player, legal), 1e-9)
        mixed /= mixed.sum()
        return mixed
