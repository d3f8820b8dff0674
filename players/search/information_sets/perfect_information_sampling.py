"""PIMC and the belief sampler: actions for known world states, averaged over the consistent states.

`pimc` draws world states by their probabilities, searches each as a game with open cards by UCT (`decoupled_uct.py`),
and chooses the best on average: perfect-information Monte Carlo (Ginsberg 2001; Lisý 2014, section 3.2.1).
`belief-sampler` takes each world state that fits once, finds its best actions exactly where the open game is small, by
UCT where it is not, and draws in proportion to how often an action was best (Auger 2011, section 4). Of equally good
actions it leaves out delays, after which the same player has to choose among fewer of the same actions: with open cards
they are worth as much as what comes after them, but they are no part of an open game such as Auger's.

Both assume that the others know everything, so they never hide or gather information: the common baselines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import F64, I64, U64, AnyKernel
from ggp.native.calls import call_actors, call_legal, call_step
from ggp.native.interface import NativeGame
from players.search.foundation.kernel_arguments import Model, new_model
from players.search.foundation.memory import touch
from players.search.foundation.settings import DuctSettings
from players.search.information_sets.hidden_search import HiddenSearch, ParallelHiddenSearch, StatelessSearch
from players.search.information_sets.history_tree import HistoryTree
from players.search.information_sets.information_search import initial_roots
from players.search.information_sets.information_walk import Roots
from players.search.information_sets.open_values import DEPTH, FINISHED, TOO_LARGE, new_open_values, value_state
from players.search.simultaneous import decoupled_uct
from players.search.simultaneous.tree_search import TreeSearch

WORLD_MEGABYTES = 64
TIE = 1e-9
SOLVING_WORK = 64
"""Transitions of exact solution that count as one iteration."""
SOLVED_BEFORE_PLAY = 200_000
"""Most transitions made to solve the open game before a match; the rest is solved when reached."""


class WorldSampling(StatelessSearch):
    """Votes of sampled world states for actions; one object per thread.

    Args:
        native: the game.
        settings: of the player.
        exact: whether each world state is solved, if the open game is small enough, and counts once.
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
            moves=settings.moves,
            limit=settings.limit,
        )
        self._worlds = TreeSearch(native, decoupled_uct.FAMILY, duct)
        self._model: Model = new_model(native)
        self._values = new_open_values(native.shape) if exact else None
        self._joint: I64 = np.zeros(native.shape.players + 1, np.int64)
        self.roots = initial_roots(native)
        self._role = 0
        self._rng = np.random.default_rng(1)
        self._forget()

    def _forget(self) -> None:
        self._order: I64 = np.zeros(0, np.int64)
        self._next = 0
        self._left = 0
        self._place = 0
        self._votes: F64 = np.zeros(0)
        self._worth: F64 = np.zeros(0)
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
        if self._values is not None:
            for array in self._values:
                touch(array, array.size)
            words = self.roots.states.shape[1]
            self._values.states[:words] = self.roots.states[0]
            self._values.counters[DEPTH] = 0
            value_state(self._model, self._values, SOLVED_BEFORE_PLAY)
            self._values.counters[DEPTH] = 0

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
            part = self._solve(part) if self._solving else self._play(part)
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
        self._left = self._settings.world
        if actors <= 0 or not actors >> self._role & 1:  # before the first decision of this player
            self._left, self._solving = 1, False
            return True
        legal: I64 = np.zeros(self._native.shape.max_actions, np.int64)
        self._count = int(call_legal(self._native.functions.legal, self._world, 0, self._role, legal, 0))
        self._legal = legal[: self._count]
        if self._votes.size != self._count:
            self._votes = np.zeros(self._count)
        self._solving = self._values is not None and actors == 1 << self._role
        if self._solving:
            self._worth = np.zeros(self._count)
            self._delays = np.zeros(self._count, np.bool_)
            self._place = 0
            self._left = 1 << 40
            self._begin_solving()
        else:
            self._worlds.set_root(self._world)
        return True

    def _begin_solving(self) -> None:
        """Make the state after the next action the one to solve."""
        assert self._values is not None, "solving"
        self._joint[:] = 0
        self._joint[self._role] = self._legal[self._place]
        call_step(self._native.functions.step, self._world, 0, self._values.states, 0, self._joint, 0)
        self._values.counters[DEPTH] = 0
        self._delays[self._place] = self._is_delay(self._values.states)

    def _is_delay(self, states: I64) -> bool:
        """Return whether the role acts alone again in the first of some states, with fewer of its present actions."""
        functions = self._native.functions
        if call_actors(functions.actors, states, 0) != 1 << self._role:
            return False
        legal: I64 = np.zeros(self._native.shape.max_actions, np.int64)
        count = int(call_legal(functions.legal, states, 0, self._role, legal, 0))
        return count < self._count and bool(np.isin(legal[:count], self._legal).all())

    def _solve(self, iterations: int) -> int:
        """Continue solving the current world state; return the iterations made."""
        assert self._values is not None, "solving"
        made = 0
        while made < iterations:
            verdict = int(value_state(self._model, self._values, SOLVING_WORK))
            made += 1
            if verdict == TOO_LARGE:
                self._solving, self._left = False, self._settings.world
                self._worlds.set_root(self._world)
                return made
            if verdict == FINISHED:
                self._worth[self._place] = self._values.utility[self._role]
                self._place += 1
                if self._place == self._count:
                    best = self._worth >= self._worth.max() - TIE
                    at_once = best & ~self._delays
                    self._votes += at_once if at_once.any() else best
                    self.sampled += 1
                    self._left = 0
                    return made
                self._begin_solving()
        return made

    def _play(self, iterations: int) -> int:
        """Continue searching the current world state; return the iterations made."""
        if self._votes.size == 0:
            self._left = 0
            return iterations
        self._worlds.run(iterations)
        self._left -= iterations
        if self._left == 0:
            _, strategy = self._worlds.strategy(self._role)
            self._votes += strategy
            self.sampled += 1
        return iterations

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


@dataclass(frozen=True, slots=True)
class WorldFamily:
    """A family of searches of sampled world states.

    Attributes:
        exact: see `WorldSampling`.
        frequencies: not used, since it has no model of how the others choose.
        believes: it uses what a player considers possible.
        plans: it keeps nothing for later.
    """

    exact: bool
    frequencies: int = 0
    believes: bool = True
    plans: bool = False

    def make_hidden_search(self, native: NativeGame, settings: Any) -> HiddenSearch:
        """Return a search."""
        if settings.threads == 1:
            return WorldSampling(native, settings, self.exact)
        return ParallelHiddenSearch([WorldSampling(native, settings, self.exact) for _ in range(settings.threads)])

    def kernels(self, settings: Any) -> Iterator[AnyKernel]:  # noqa: ARG002
        """Yield the kernels that its searches call."""
        yield from decoupled_uct.FAMILY.kernels(DuctSettings())
        if self.exact:
            yield value_state


FAMILY = WorldFamily(exact=False)
