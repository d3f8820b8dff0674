"""The searches of visibility games as objects: the possible cells of the other units, and the tree or stack."""

from __future__ import annotations

import abc
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.beliefs.history_tree import HistoryTree
from ggp.codegen.kernels import F64, I64, U64
from ggp.native.calls import call_legal, call_step
from ggp.native.interface import NativeGame
from players.player_options import NotApplicable
from players.search.foundation.memory import memory_bytes
from players.search.information_sets.hidden_search import HiddenSearches, StatelessSearch
from players.search.information_sets.information_walk import Roots
from players.search.visibility import minimax, observing_tree
from players.search.visibility.lookahead import (
    EVADES,
    HEAVY,
    NONE,
    PURSUES,
    RANDOM,
    REGION,
    RLA,
    URLA,
    Graph,
    Levels,
    new_levels,
    write_watched,
)
from players.search.visibility.minimax import BEST, DONE
from players.search.visibility.observing_tree import new_observing_tree
from players.search.visibility.sight import NoSight, hash_observations, sight_of
from players.search.visibility.units import MAX_UNITS, Units, units_of

SIMULATIONS = {"none": NONE, "random": RANDOM, "heavy": HEAVY, "rla": RLA, "region": REGION}
EVALUATIONS = {"rla": RLA, "urla": URLA}
MOVES = 40
"""Largest lookahead of a search."""
NODE_BYTES = 32
FOLLOWED = 250
"""The evader ignores a pursuer that can be in more cells than this (Lisý 2014, 5.5.1)."""


@lru_cache(maxsize=4)
def graphs_of(native: NativeGame) -> tuple[Units, tuple[Graph, Graph]] | None:
    """Return the units of a visibility game, and its graph as each player sees it; None for other games."""
    units = units_of(native)
    if units is None:
        return None
    try:
        seen = [sight.astype(np.int8) for sight in sight_of(native, units)]
    except NoSight:
        return None
    cells = units.codes.size
    watched = np.zeros((cells, cells), np.int8)
    write_watched(units.moves, units.near, seen[1 - units.evader], np.zeros((2, cells), np.int64), watched)
    sides = [EVADES if player == units.evader else PURSUES for player in range(2)]
    first, second = (Graph(units.moves, units.near, seen[player], watched, sides[player]) for player in range(2))
    return units, (first, second)


class VisibilitySearch(StatelessSearch, abc.ABC):
    """Keeps track of the cells in which units can be, and searches from there; one object per thread.

    A unit of the other player can be in all cells that it can have reached since it was seen, except those in sight.
    From the world states of the belief only the player's own units and the units in sight are used. The tree is not
    kept from move to move.

    Raises:
        NotApplicable: it is not a visibility game.
    """

    def __init__(self, native: NativeGame, settings: Any) -> None:
        found = graphs_of(native)
        if found is None:
            raise NotApplicable("the game is not a visibility game")
        super().__init__()
        self._native = native
        self._settings = settings
        self._units, self._graphs = found
        self._numbers = {code: cell for cell, code in enumerate(self._units.codes.tolist())}
        self._seed = 1
        self._moves = 0
        self._role = -1
        self.take_role(0)

    @property
    def settled(self) -> bool:
        """Whether there is nothing to search, as before the first move."""
        return not self._rooted

    def take_role(self, role: int) -> None:
        """Allocate memory for a role."""
        if role == self._role:
            return
        self._role = role
        self.graph = self._graphs[role]
        own, others = (len(self._units.words[player]) for player in (role, 1 - role))
        self.levels: Levels = new_levels(MOVES * (1 + others) + 2, own, others, self._units.codes.size)
        self._possible: list[I64 | None] = [None] * others
        self._rooted = False

    def seed(self, word: int) -> None:
        """Set the generator to a 64-bit word that is not 0, and count iterations from 0."""
        self._seed = word
        self._made = self._moves = 0

    def prepare(self) -> None:
        """Load the kernels."""
        for role in range(2):
            self.take_role(role)
            self.levels.sets[0] = 1
            self._begin_search()
            self._search(1)
        self.begin()

    def begin(self) -> None:
        """Forget the possible cells."""
        self._possible = [None] * len(self._possible)
        self._rooted = False

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:  # noqa: ARG002
        """Search from other world states from now on, in a role."""
        self.take_role(role)
        levels, units = self.levels, self._units
        self._moves += 1
        levels.rng[0] = seed_word(self._seed, self._moves)
        own = [self._numbers.get(int(code), 0) for code in roots.states[0, list(units.words[role])]]
        seen = np.flatnonzero(self.graph.sees[own].any(axis=0))
        for unit, word in enumerate(units.words[1 - role]):
            places = np.unique(np.searchsorted(units.codes, roots.states[:, word]))
            self._possible[unit] = self._followed(self._possible[unit], places, seen)
        levels.own[0] = own
        for unit, possible in enumerate(self._possible):
            many = possible is None or (self.graph.side == EVADES and possible.size > FOLLOWED)
            levels.known[unit] = not many
            if possible is not None:
                levels.sets[0, unit] = possible.size
                levels.cells[0, unit, : possible.size] = possible
        self._state: I64 = roots.states[0].copy()
        self._rooted = True
        self._begin_search()

    def _followed(self, before: I64 | None, places: I64, seen: I64) -> I64 | None:
        """Return the cells in which a unit can be, given those before the move; None if it was never seen."""
        in_sight = np.intersect1d(places, seen)
        if in_sight.size == places.size:
            return in_sight
        if before is None:
            # the pursuer knows where the evader began
            return places if self.graph.side == PURSUES else None
        graph = self.graph
        reached = np.unique(np.concatenate([graph.near[cell, : graph.moves[cell]] for cell in before.tolist()]))
        return np.union1d(np.setdiff1d(reached, seen), in_sight)

    def run(self, iterations: int) -> None:
        """Search."""
        if self._rooted:
            self._search(iterations)
        self._made += iterations

    def weight(self, keys: U64, player: int, legal: I64) -> float:  # noqa: ARG002
        """Return the number of iterations."""
        return float(self._made)

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:  # noqa: ARG002
        """Return the strategy of the player in the situation that was searched."""
        strategy = np.full(legal.size, 1.0 / legal.size)
        if not self._rooted:
            return strategy
        weights = self._weights()
        if not weights.any():
            return strategy
        numbers = self._choices(legal)
        strategy = weights[numbers]
        return np.asarray(strategy / strategy.sum()) if strategy.sum() > 0 else np.full(legal.size, 1.0 / legal.size)

    def _choices(self, legal: I64) -> I64:
        """Return for each legal action the number of the step that it makes, as in `lookahead.step_own`."""
        functions, role = self._native.functions, self._role
        near = [self.graph.near[cell, : self.graph.moves[cell]].tolist() for cell in self.levels.own[0].tolist()]
        number = {}
        for choice, places in enumerate(product(*reversed(near))):
            number[tuple(reversed(places))] = choice
        joint, new = np.zeros(3, np.int64), np.zeros_like(self._state)
        other: I64 = np.zeros(self._native.shape.max_actions, np.int64)
        if call_legal(functions.legal, self._state, 0, 1 - role, other, 0) > 0:
            joint[1 - role] = other[0]
        found = np.zeros(legal.size, np.int64)
        for place, action in enumerate(legal.tolist()):
            joint[role] = action
            call_step(functions.step, self._state, 0, new, 0, joint, 0)
            cells = tuple(self._numbers.get(int(code), 0) for code in new[list(self._units.words[role])])
            found[place] = number.get(cells, 0)
        return found

    @abc.abstractmethod
    def _begin_search(self) -> None:
        """Forget the last search, and begin at the root."""

    @abc.abstractmethod
    def _search(self, iterations: int) -> None:
        """Continue the search."""

    @abc.abstractmethod
    def _weights(self) -> F64:
        """Return `[A]` the weight of each choice at the root; all 0 if nothing is known."""


class ObservingVisibilitySearch(VisibilitySearch):
    """SO on positions: UCT, and one of the simulations of Lisý 2014, 5.5.1; see `VisibilitySearch`."""

    def __init__(self, native: NativeGame, settings: Any) -> None:
        memory = memory_bytes(settings.memory)
        self.tree = new_observing_tree(max(1 << 12, memory // NODE_BYTES), (1 + MAX_UNITS) * MOVES)
        super().__init__(native, settings)

    @property
    def _way(self) -> int:
        if self._settings.simulation == "best":
            return RLA if self.graph.side == PURSUES else NONE
        return SIMULATIONS[self._settings.simulation]

    def _begin_search(self) -> None:
        tree = self.tree
        tree.counters[:] = (1, 0)
        for numbers in (tree.visits, tree.total, tree.first, tree.children):
            numbers[0] = 0
        self.levels.total[0], self.levels.made[0] = 0.0, 0

    def _search(self, iterations: int) -> None:
        observing_tree.search(self.graph, self.levels, self.tree, self._way, self._settings.sizes_c, iterations)

    def _weights(self) -> F64:
        tree = self.tree
        first, count = int(tree.first[0]), int(tree.children[0])
        visits = tree.visits[first : first + count]
        return np.asarray(visits == visits.max(), np.float64) if count and visits.max() > 0 else np.zeros(count)


class MinimaxVisibilitySearch(VisibilitySearch):
    """Minimax on positions, with RLA or URLA; see `VisibilitySearch`."""

    def take_role(self, role: int) -> None:
        """Allocate memory for a role."""
        if role == self._role:
            return
        super().take_role(role)
        actions = int(self.graph.moves.max()) ** self.levels.own.shape[1]
        self.stack = minimax.new_stack(self.levels.own.shape[0], actions)

    @property
    def depth(self) -> int:
        """The depth in moves of the last finished search."""
        return int(self.stack.counters[DONE])

    @property
    def settled(self) -> bool:
        """Whether there is nothing to search, or nothing deeper."""
        return super().settled or self.depth >= (self._settings.depth or MOVES)

    def _begin_search(self) -> None:
        self.levels.total[0], self.levels.made[0] = 0.0, 0
        minimax.begin_search(self.graph, self.levels, self.stack)

    def _search(self, iterations: int) -> None:
        if not self.settled or not self._rooted:
            way = EVALUATIONS[self._settings.evaluation]
            minimax.search(self.graph, self.levels, self.stack, way, self._settings.depth or MOVES, iterations)

    def _weights(self) -> F64:
        weights = np.zeros(self.stack.order.size)
        best = int(self.stack.counters[BEST])
        if best >= 0:
            weights[best] = 1.0
        return weights


KERNELS = hash_observations, write_watched, minimax.begin_search, minimax.search, observing_tree.search
FAMILY = HiddenSearches(MinimaxVisibilitySearch, KERNELS)
