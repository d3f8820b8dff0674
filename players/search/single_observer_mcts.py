"""SO: Monte Carlo tree search over the information states of the searching player alone; for any number of players.

The others choose, in the search, as if they knew what the searching player knows, and no more: one tree, whose nodes
are that player's information states, holds the statistics of all players' decisions. It is smaller than the trees of
`information_set_mcts.py`, so the search is deeper; what it finds is too careful, because the others answer to actions
that they may not have seen, and differently in situations that they cannot tell apart (strategy fusion).

Source: Lisý 2014, sections 3.2.2 and 5.3.1; Cowling, Powley, Whitehouse 2012 (single observer). Lisý's simulations of
visibility games are not among its leaf values: those are playouts and the estimates of the rules.
"""

from __future__ import annotations

from typing import ClassVar

from players.search.belief.history_tree import HistoryTree
from players.search.information_set_mcts import FIELDS, kernel_options, search, strategy
from players.search.trees.information_search import InformationFamily, InformationSearch
from players.search.walk.information_walk import Roots


class ObservingSearch(InformationSearch):
    """Searches by the information states of the player that it searches for; see `InformationSearch`."""

    aims: ClassVar[bool] = False

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Search from other world states, for a role."""
        super().move_to(roots, histories, role)
        self.options = self.options._replace(observer=role)


FAMILY = InformationFamily(search, strategy, FIELDS, 0, kernel_options, ObservingSearch)
