"""CFR on a partial tree as a search: when it grows, values leaves and sweeps; and the player `cfr`.

An iteration is a sweep over the tree as it is. Before the first, the tree is tried for completeness: if the game
from the root has no more than PROBED_NODES nodes, the tree is all of it. Otherwise it begins with FIRST_NODES, and is
doubled after every SWEEPS_A_SIZE sweeps, until it is complete, or full: then there are only sweeps. New leaves are
valued before the next sweep; leaves that are expanded at once need no value. Regrets and averages from the smaller tree
are multiplied by KEPT. Everything is done in small units, so a clock can stop it
anywhere; strategies are then those of the last sweep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ggp.codegen.kernels import F64, I64, AnyKernel
from ggp.native.interface import NativeGame
from players.search.cfr.counterfactual_regret import SweepOptions, sweep
from players.search.cfr.frontier import (
    COMPLETE,
    GROWING,
    Progress,
    grow,
    look_again,
    new_growth_work,
    new_progress,
    plant,
    value_leaves,
)
from players.search.cfr.partial_tree import (
    BLOCKS,
    BORN,
    FIRST,
    NODES,
    NONE,
    STRATEGY_SUM,
    WORDS,
    PartialTree,
    action_numbers,
    block_kind,
    child_block,
    clear,
    cut_back,
    keep_below,
    new_partial_tree,
    row_count,
)
from players.search.foundation.memory import TOUCHED_WORDS, memory_bytes
from players.search.foundation.node_kinds import DECISION
from players.search.foundation.searches import NO_CHILD, ReadableSearch, SearchFamily
from players.search.foundation.settings import CfrSettings, FullWidthSettings
from players.search.foundation.state_search import StateSearch

if TYPE_CHECKING:
    from ggp.solvers.worlds.state_graph import GameGraph
    from ggp.solvers.worlds.strategy_trees import StrategyTree

PROBED_NODES = 1 << 16
FIRST_NODES = 64
SWEEPS_A_SIZE = 100
KEPT = 0.5
"""Sweeps between two doublings of the tree, and the weight kept of earlier ones: leaf values were worse then."""
UNITS_A_CALL = 1 << 22
"""Work of a kernel call without a clock, some tenths of a second: interrupts are handled between calls."""
CFR_FIELDS, CFR_COPIES = 3, 1
MAX_NODES = 2**31 - 1
FOR_EVER = 2**62


class FullWidthSearch(StateSearch, ReadableSearch):
    """Searches one game from one root by sweeps; `seed` and `set_root` before anything else."""

    def __init__(
        self, native: NativeGame, settings: FullWidthSettings, options: SweepOptions, copies: int, fields: int
    ) -> None:
        super().__init__(native, settings)
        self._rollouts = settings.rollouts
        self.options = options
        self.work = new_growth_work(native.shape)
        self.progress: Progress = new_progress(native.shape)
        self.tree: PartialTree = new_partial_tree(
            memory_bytes(settings.memory), copies, fields, settings.nodes or MAX_NODES
        )
        clear(self.tree)
        self._size, self._swept = 0, 0
        self._phase: Callable[[int], int] = self._rest

    @property
    def iterations(self) -> int:
        """Sweeps since `seed`."""
        return int(self.progress.sweeps[0])

    @property
    def root_visits(self) -> int:
        """Number of sweeps that visited the root."""
        return self.visits_of(FIRST) if self.planted else 0

    @property
    def nodes(self) -> int:
        """Number of nodes of the tree, leaves included."""
        return int(self.tree.counters[NODES])

    @property
    def bytes_used(self) -> int:
        """Memory of the tree."""
        return 8 * int(self.tree.counters[WORDS])

    @property
    def planted(self) -> bool:
        """Whether the root has a block: not if the game is over, or if the root alone does not fit."""
        return bool(self.tree.counters[BLOCKS])

    @property
    def complete(self) -> bool:
        """Whether the tree is known to be all of the game from the root."""
        return bool(self.progress.status[0] == COMPLETE)

    @property
    def settled(self) -> bool:
        """Whether there is nothing to sweep."""
        return not self.planted

    def seed(self, word: int) -> None:
        """Set the generator to a 64-bit word that is not 0, and count sweeps from 0; `set_root` comes next."""
        self.work.rng[0] = word
        self.progress.sweeps[0] = 0

    def touch_memory(self, words: int | None = None) -> None:
        """Write to the first words of the memory, or to all."""
        self.tree.words[:words] = 0.0

    def prepare(self, state: I64) -> None:
        """Load every kernel, and touch the first memory; see `Search.prepare`."""
        self.touch_memory(TOUCHED_WORDS)
        self.set_root(state)
        self.run(1)
        self._load_services()
        if self.planted:
            cut_back(self.tree, self.nodes)
            keep_below(self.tree, FIRST)
            child_block(self.tree, FIRST, 0)

    def _load_services(self) -> None:
        self.load_native_calls()
        if self.planted and block_kind(self.tree, FIRST) == DECISION:
            self.strategy_at(FIRST, 0, row_count(self.tree, FIRST))

    def set_root(self, state: I64) -> None:
        """Forget the tree and begin at a world state, `[W]` words."""
        self.work.states[: state.size] = state
        clear(self.tree)
        plant(self.model, self.tree, self.work, self.progress)
        self._begin()

    def advance(self, key: int, state: I64) -> bool:
        """Make the child that a transition led to the root, or start over; see `Search.advance`."""
        child = int(child_block(self.tree, FIRST, key)) if self.planted else NONE
        if child == NONE:
            self.set_root(state)
            return False
        self.work.states[: state.size] = state
        keep_below(self.tree, child)
        look_again(self.progress)
        self._begin()
        return True

    def run(self, iterations: int) -> None:
        """Make sweeps, with all growing and valuing that comes before them."""
        until = self.iterations + iterations
        while self.iterations < until and self.planted:
            self._swept_until = until
            self._work(UNITS_A_CALL)

    def run_units(self, units: int) -> None:
        """Work for a number of units: about a transition of the game each."""
        self._swept_until = FOR_EVER
        self._work(units)

    def _work(self, units: int) -> None:
        while units > 0 and self.iterations < self._swept_until and self.planted:
            units = self._phase(units)

    # --- phases: each does up to so many units of work, returns the units left, and sets the next phase --------

    def _begin(self) -> None:
        """Start from a new root: the existing tree is kept if the new one cannot be completed quickly."""
        self._size = max(FIRST_NODES, self.nodes)
        self._phase = self._probe if self.nodes < PROBED_NODES else self._value

    def _rest(self, _units: int) -> int:
        return 0

    def _probe(self, units: int) -> int:
        units = self._grow(PROBED_NODES, units)
        if units > 0:
            if not self.complete:
                cut_back(self.tree, self._size)
                look_again(self.progress)
            self._phase = self._value
        return units

    def _double(self, units: int) -> int:
        units = self._grow(2 * self._size, units)
        if units > 0:
            self._size = self.nodes
            self._phase = self._value
        return units

    def _grow(self, target: int, units: int) -> int:
        return int(grow(self.model, self.tree, self.work, self.progress, target, units))

    def _value(self, units: int) -> int:
        leaf, rollouts = self._leaf, self._rollouts
        units = int(value_leaves(self.model, self.tree, self.work, self.progress, leaf, rollouts, units))
        if units > 0:
            self._phase = self._ready
        return units

    def _ready(self, units: int) -> int:
        """Prepare for sweeps over a tree that has just grown."""
        self._swept = self.iterations
        self._phase = self._sweep
        return units

    def _sweep(self, units: int) -> int:
        growing = self.progress.status[0] == GROWING
        enough = self._swept + SWEEPS_A_SIZE if growing else FOR_EVER
        options = self.options
        if self.iterations == self._swept:  # the first sweep over the larger tree
            enough, options = self._swept + 1, options._replace(kept=KEPT)
        elif self.iterations >= enough:
            self._phase = self._double
            return units
        return int(sweep(self.tree, self.progress, options, min(enough, self._swept_until), units))

    # --- strategies ---------------------------------------------------------------------------------------------------

    @property
    def root_node(self) -> int:
        """The root's block."""
        return FIRST

    def has_strategies(self, node: int) -> bool:
        """Return whether a sweep passed a node."""
        return self.planted and self.visits_of(node) > 0

    def visits_of(self, node: int) -> int:
        """Return how many sweeps there were since a node was expanded."""
        return self.iterations - int(self.tree.ints[2 * node + BORN])

    def children_of(self, node: int, keys: I64) -> I64:
        """Return `[n]` the blocks that transitions lead to; NO_CHILD where that is a leaf."""
        blocks = [child_block(self.tree, node, int(key)) if self.planted else NONE for key in keys]
        return np.array([block if block > NONE else NO_CHILD for block in blocks], np.int64)

    def strategy_at(self, node: int, player: int, actions: int) -> F64:
        """Return `[actions]` the average strategy of a player at a decision node; uniform before it was swept."""
        if not self.planted:
            return np.full(actions, 1.0 / actions)
        sums: F64 = action_numbers(self.tree, node, STRATEGY_SUM, player)
        total = sums.sum()
        return sums / total if total > 0 else np.full(actions, 1.0 / actions)

    def strategies_in(self, game: GameGraph) -> StrategyTree:
        """Return the strategies at all nodes that were swept; see `ReadableSearch.strategies_in`."""
        from ggp.solvers.worlds.strategy_trees import strategy_tree
        from players.search.simultaneous.tree_strategies import node_strategies

        return strategy_tree(game, node_strategies(self, self._native))

    def strategy(self, player: int) -> tuple[I64, F64]:
        """Return the legal actions of a player at the root, and the probability of each in its average strategy."""
        actions = self.legal(player)
        return actions, self.strategy_at(FIRST, player, actions.size)


def full_width_kernels() -> Iterator[AnyKernel]:
    """Yield the kernels that a full-width search calls."""
    yield from (clear, plant, grow, value_leaves, sweep, cut_back, keep_below, child_block)


class CfrFamily(SearchFamily):
    """Makes the searches of `cfr`."""

    def make_readable(self, native: NativeGame, settings: CfrSettings) -> FullWidthSearch:
        """Return a search."""
        options = SweepOptions(int(settings.average == "plain"), 1.0, 0, 0.0)
        return FullWidthSearch(native, settings, options, CFR_COPIES, CFR_FIELDS)

    def kernels(self, settings: Any) -> Iterator[AnyKernel]:  # noqa: ARG002
        """Yield the kernels that the search calls."""
        yield from full_width_kernels()


FAMILY = CfrFamily()
