"""A search that begins every iteration where the game does, and aims at the histories in the belief."""

from __future__ import annotations

from typing import Any, ClassVar

from ggp.native.interface import NativeGame
from players.search.information_sets.history_tree import HistoryTree, new_history_tree
from players.search.information_sets.information_search import InformationSearch, initial_roots
from players.search.information_sets.information_walk import Roots


class TargetedSearch(InformationSearch):
    """Searches from the beginning of the game; see `InformationSearch`."""

    aims: ClassVar[bool] = True

    def __init__(self, native: NativeGame, family: Any, settings: Any, memory: int) -> None:
        super().__init__(native, family, settings, memory)
        self._nothing: HistoryTree = new_history_tree(1, native.shape.players)
        self._aim = self._nothing
        self._role = 0

    def begin(self) -> None:
        """Forget the tree, and aim at nothing."""
        super().begin()
        self._aim = self._nothing

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Target the histories that a role considers possible; the search still starts at the root of the game."""
        super().move_to(roots, histories, role)
        self.roots = initial_roots(self._native)
        self._aim, self._role = histories, role

    def _call(self, iterations: int) -> None:
        self.family.search(
            self.model,
            self.tree,
            self.work,
            self.roots,
            self._aim,
            self._role,
            self._leaf,
            self.options,
            iterations,
        )
