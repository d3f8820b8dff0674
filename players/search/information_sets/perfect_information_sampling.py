"""PIMC and the belief sampler: actions for known world states, averaged over the consistent states.

`pimc` draws world states by their probabilities, searches each as a game with open cards by UCT (`decoupled_uct.py`),
and chooses the best on average: perfect-information Monte Carlo (Ginsberg 2001; Lisý 2014, section 3.2.1).
`belief-sampler` takes each world state that fits once, finds its best actions exactly where the open game is small (and
for one player, or for two with constant sum), by UCT where it is not, and draws in proportion to how often an action
was best (Auger 2011, section 4). Of equally good
actions it leaves out delays, after which the same player has to choose among fewer of the same actions: with open cards
they are worth as much as what comes after them, but they are no part of an open game such as Auger's.

Both assume that the others know everything, so they never hide or gather information: the common baselines.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.beliefs.history_tree import HistoryTree
from ggp.codegen.kernels import F64, I64, U64
from ggp.errors import GgpError
from ggp.native.calls import call_actors
from ggp.native.interface import NativeGame
from ggp.solvers.worlds.backward_induction import Booleans, StateValues, optimal_values
from ggp.solvers.worlds.components import find_components, has_cycle
from ggp.solvers.worlds.exploration import Limits, explore_game
from ggp.solvers.worlds.exploration_kernels import explore_slice
from ggp.solvers.worlds.state_graph import fill_slots, find_state, slot_of_state
from ggp.solvers.worlds.valuation import inherited_gap, iterate_slice, value_components
from players.search.foundation.settings import DuctSettings
from players.search.foundation.state_search import legal_actions
from players.search.information_sets.hidden_search import (
    HiddenSearch,
    HiddenSearches,
    ParallelHiddenSearch,
    StatelessSearch,
)
from players.search.information_sets.information_search import initial_roots
from players.search.information_sets.information_walk import Roots
from players.search.simultaneous import decoupled_uct
from players.search.simultaneous.tree_search import TreeSearch

WORLD_MEGABYTES = 64
TIE = 1e-9
OPEN_STATES, WORLD_STATES = 500_000, 2_000
"""World states of an open game that is solved before a match; of what can follow a world state that is solved in it."""


def open_values(native: NativeGame, states: int, start: I64 | None = None) -> StateValues | None:
    """Return the values of a game with open cards, or of what can follow a world state, `[W]`; None: not solvable."""
    try:
        graph = explore_game(replace(native, perfect_information=True), Limits(states), start=start)
        return optimal_values(graph)
    except GgpError:  # too many states, or not of the kind that has values
        return None


class WorldSampling(StatelessSearch):
    """Votes of sampled world states for actions; one object per thread.

    Args:
        native: the game.
        settings: of the player.
        exact: whether each world state is solved, if that is quick enough, and counts once.
    """

    def __init__(self, native: NativeGame, settings: Any, exact: bool) -> None:
        super().__init__()
        self._native = native
        self._settings = settings
        self._exact = exact
        duct = DuctSettings(
            memory=WORLD_MEGABYTES,
            final="max",
            expansion="none",
            leaf=settings.leaf,
            estimate=settings.estimate,
            moves=settings.moves,
            limit=settings.limit,
        )
        self._worlds = TreeSearch(native, decoupled_uct.FAMILY, duct)
        self._open: StateValues | None = None
        self.roots = initial_roots(native)
        self._role = 0
        self._rng = np.random.default_rng(1)
        self._forget()

    def _forget(self) -> None:
        self._order: I64 = np.zeros(0, np.int64)
        self._next = 0
        self._left = 0
        self._solves = self._exact
        self._votes: F64 = np.zeros(0)
        self.sampled = 0

    @property
    def settled(self) -> bool:
        """Whether all consistent world states have voted."""
        return self._exact and self._left == 0 and 0 < self._order.size == self._next

    def seed(self, word: int) -> None:
        """Set the generators, and count iterations from 0."""
        self._rng = np.random.default_rng(word)
        self._worlds.seed(seed_word(word, 1))
        self._made = 0

    def prepare(self) -> None:
        """Load the kernels, and solve the open game if that is quick."""
        self._worlds.seed(1)
        self._worlds.prepare(self.roots.states[0])
        if self._exact:
            self._open = open_values(self._native, OPEN_STATES)

    def begin(self) -> None:
        """Search from the beginning of the game."""
        self.roots = initial_roots(self._native)
        self._forget()

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:  # noqa: ARG002
        """Search from other world states; votes start over."""
        self._forget()
        self._role = role
        states = np.unique(roots.states, axis=0) if self._exact else roots.states
        self.roots = Roots(states, roots.keys, roots.cumulative)
        if self._exact:
            self._order = self._rng.permutation(states.shape[0])

    def run(self, iterations: int) -> None:
        """Search."""
        while iterations > 0:
            if self._left == 0 and not self._next_world():
                return
            part = min(iterations, self._left)
            self._play(part)
            self._made += part
            iterations -= part

    def _next_world(self) -> bool:
        """Start with another world state; False if all are done."""
        if self._exact:
            if self._next == self._order.size and self._order.size:
                return False
            root = int(self._order[self._next]) if self._order.size else 0
        else:
            root = int(np.searchsorted(self.roots.cumulative, self._rng.random() * self.roots.cumulative[-1]))
        self._next += 1
        self._world: I64 = self.roots.states[min(root, self.roots.states.shape[0] - 1)]
        actors = call_actors(self._native.functions.actors, self._world, 0)
        self._left, self._solved = 1, None
        if actors <= 0 or not actors >> self._role & 1:  # before the first decision of this player
            return True
        self._legal = legal_actions(self._native, self._world, self._role)
        if self._votes.size != self._legal.size:
            self._votes = np.zeros(self._legal.size)
        if self._solves and actors == 1 << self._role:
            self._solved = self._open or open_values(self._native, WORLD_STATES, self._world)
            self._solves = self._solved is not None  # what follows the others is as large
        if self._solved is None:
            self._left = self._settings.world
            self._worlds.set_root(self._world)
        return True

    def _best_of(self, values: StateValues) -> Booleans:
        """Return `[k]` which actions are best in the current world state, of several without delays only those."""
        graph, state = values.game.graph, values.game.find(self._world)
        following = graph.target[graph.first[state] : graph.first[state + 1]]
        worth = values.value[following] * (1.0 if self._role == 0 else -1.0)
        best: Booleans = worth >= worth.max() - TIE
        at_once = best & ~np.array([self._is_delay(values.game.state_words(after)) for after in following])
        return at_once if at_once.any() else best

    def _is_delay(self, state: I64) -> bool:
        """Return whether the role acts alone again in a state, with fewer of its present actions."""
        if call_actors(self._native.functions.actors, state, 0) != 1 << self._role:
            return False
        legal = legal_actions(self._native, state, self._role)
        return legal.size < self._legal.size and bool(np.isin(legal, self._legal).all())

    def _play(self, iterations: int) -> None:
        """Continue with the current world state."""
        self._left -= iterations
        if self._votes.size == 0:
            return
        if self._solved is not None:
            self._votes += self._best_of(self._solved)
        else:
            self._worlds.run(iterations)
            if self._left == 0:
                self._votes += self._worlds.strategy(self._role)[1]
        self.sampled += self._left == 0

    def weight(self, keys: U64, player: int, legal: I64) -> float:  # noqa: ARG002
        """Return how many world states have voted."""
        return float(self.sampled)

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:  # noqa: ARG002
        """Return the share of votes of each action, or the action with most of them."""
        total = float(self._votes.sum()) if self._votes.size == legal.size else 0.0
        if total <= 0.0:
            return np.full(legal.size, 1.0 / legal.size)
        if self._settings.final == "mix":
            return np.asarray(self._votes / total)
        most = self._votes >= self._votes.max() - TIE
        return np.asarray(most / most.sum())


def make_sampling(native: NativeGame, settings: Any, exact: bool = False) -> HiddenSearch:
    """Return a search by samples of world states; see `WorldSampling`."""
    searches = [WorldSampling(native, settings, exact) for _ in range(settings.threads)]
    return ParallelHiddenSearch(searches) if settings.threads > 1 else searches[0]


SEARCHED = tuple(decoupled_uct.FAMILY.kernels(DuctSettings()))
SOLVED = (
    *(explore_slice, slot_of_state, find_state, fill_slots, find_components, has_cycle),
    *(value_components, inherited_gap, iterate_slice),
)
FAMILY = HiddenSearches(make_sampling, SEARCHED)
BELIEF_SAMPLER = HiddenSearches(partial(make_sampling, exact=True), SEARCHED + SOLVED)
