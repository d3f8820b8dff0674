"""SO: Monte Carlo tree search over the information states of the searching player alone; for any number of players.

The others choose, in the search, as if they knew what the searching player knows, and no more: one tree, whose nodes
are that player's information states, holds the statistics of all players' decisions. It is smaller than the trees of
`information_set_mcts.py`, so the search is deeper; what it finds is too careful, because the others answer to actions
that they may not have seen, and differently in situations that they cannot tell apart (strategy fusion).

In visibility games the tree is made of what matters there, where units are and where the others can be, and there are
Lisý's simulations (`visibility/`); with `simulation=playout` they are searched like any other game.

Source: Lisý 2014, sections 3.2.2 and 5.3.1; Cowling, Powley, Whitehouse 2012 (single observer).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ggp.beliefs.history_tree import HistoryTree
from ggp.codegen.kernels import AnyKernel
from ggp.native.interface import NativeGame
from players.player_options import NotApplicable
from players.search.information_sets.hidden_search import HiddenSearch
from players.search.information_sets.information_search import InformationFamily, InformationSearch
from players.search.information_sets.information_set_mcts import (
    EVERYBODY,
    field_count,
    kernel_options,
    search,
    strategy,
)
from players.search.information_sets.information_walk import Roots
from players.search.visibility.visibility_search import KERNELS, ObservingVisibilitySearch, graphs_of

BEST, PLAYOUT = "best", "playout"


class ObservingSearch(InformationSearch):
    """Searches by the information states of the player that it searches for; see `InformationSearch`."""

    def begin(self) -> None:
        """Forget the tree, and for whom it searched."""
        super().begin()
        self.options = self.options._replace(observer=EVERYBODY)

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Search from other world states, for a role."""
        super().move_to(roots, histories, role)
        self.options = self.options._replace(observer=role)


@dataclass(frozen=True, slots=True)
class SoFamily(InformationFamily):
    """Searches of visibility games and of others."""

    def make_hidden_search(self, native: NativeGame, settings: Any) -> HiddenSearch:
        """Return a search.

        Raises:
            NotApplicable: the settings name a simulation for visibility games, and the game is none.
        """
        if settings.simulation != PLAYOUT and graphs_of(native) is not None:
            return ObservingVisibilitySearch(native, settings)
        if settings.simulation not in (BEST, PLAYOUT):
            raise NotApplicable(f"`so` has simulation={settings.simulation} for visibility games only")
        # without zero-argument super(): a dataclass with slots is a new class
        return InformationFamily.make_hidden_search(self, native, settings)

    def kernels(self, settings: Any) -> Iterator[AnyKernel]:
        """Yield the kernels that its searches call."""
        yield from InformationFamily.kernels(self, settings)
        yield from KERNELS


FAMILY = SoFamily(search, strategy, field_count, 0, kernel_options, ObservingSearch)
