"""A tree search as an object: a family's kernels, a tree, scratch memory, and the world state at the root.

Many families share the kernel of their final strategy, `average_strategy`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import F64, I64, AnyKernel, kernel
from ggp.native.interface import NativeGame
from players.player_options import NotApplicable
from players.search.foundation.kernel_arguments import (
    EXPAND_COVER,
    EXPAND_JOINT,
    EXPAND_NONE,
)
from players.search.foundation.leaf_values import forget_utilities, kind_of
from players.search.foundation.memory import TOUCHED_WORDS, calls, memory_bytes
from players.search.foundation.node_kinds import DECISION, TERMINAL
from players.search.foundation.parallel import search_in_threads
from players.search.foundation.regret_strategies import SUMS, in_proportion
from players.search.foundation.searches import NO_CHILD, ReadableSearch, Search
from players.search.foundation.settings import TreeSettings
from players.search.foundation.state_search import StateSearch
from players.search.simultaneous.reroot import find_live, make_root, move_live, reclaim, slide_together
from players.search.simultaneous.tree import (
    END,
    FIRST_NODE,
    LEAF,
    NODES,
    WORDS,
    Tree,
    action_numbers,
    block_kind,
    child_of,
    clear,
    new_tree,
    root_of,
    visits_of,
)

if TYPE_CHECKING:
    from ggp.solvers.worlds.state_graph import GameGraph
    from ggp.solvers.worlds.strategy_trees import StrategyTree

EXPANSIONS = {"joint": EXPAND_JOINT, "cover": EXPAND_COVER, "none": EXPAND_NONE}


class TreeSizes(Struct, frozen=True):
    """How many numbers of each sort a family keeps, see `tree`; without those of `backup=mean`."""

    action_numbers: int = 0
    joint_numbers: int = 0
    joint_counts: int = 0


class Family(Struct, frozen=True):
    """A family of searches: its kernels, and how its settings become the kernels' options.

    `search(model, tree, work, leaf, options, iterations)` and `strategy(tree, node, player, options.least, out)`.
    """

    for_one_role: ClassVar[bool] = False
    search: AnyKernel
    strategy: AnyKernel
    sizes: TreeSizes
    options: Callable[[Any], Any]

    def make_search(self, native: NativeGame, settings: TreeSettings) -> Search:
        """Return a search: with one thread a single tree."""
        return search_in_threads(settings, lambda share: TreeSearch(native, self, share))

    def make_readable(self, native: NativeGame, settings: TreeSettings) -> TreeSearch:
        """Return a search of a single tree.

        Raises:
            NotApplicable: several threads are wanted.
        """
        if settings.threads != 1:
            raise NotApplicable("strategies are read from one tree: leave out `threads`")
        return TreeSearch(native, self, settings)

    def kernels(self, settings: TreeSettings) -> Iterator[AnyKernel]:  # noqa: ARG002
        """Yield the kernels that the searches call, including those that all families share."""
        yield from (find_live, move_live, self.search, self.strategy)


class TreeSearch(StateSearch, ReadableSearch):
    """Searches one game from one root; call `seed` and `set_root` first."""

    def __init__(self, native: NativeGame, family: Family, settings: TreeSettings) -> None:
        super().__init__(native, settings)
        self.family = family
        self.options = family.options(settings)
        self._leaf = self._leaf._replace(
            expansion=EXPANSIONS[settings.expansion],
            mean=int(settings.passes_mean),
        )
        sizes = family.sizes
        self.tree: Tree = new_tree(
            memory_bytes(settings.memory),
            native.shape.players,
            native.shape.players + 1 if settings.passes_mean else 0,
            sizes.action_numbers,
            sizes.joint_numbers,
            sizes.joint_counts,
        )

    @property
    def nodes(self) -> int:
        """The number of nodes of the tree: expanded ones, leaves and terminal ones, including dead nodes."""
        return int(self.tree.counters[NODES])

    @property
    def bytes_used(self) -> int:
        """The memory of the tree in bytes, including dead blocks."""
        return 8 * int(self.tree.counters[WORDS])

    @property
    def root_visits(self) -> int:
        """The number of iterations that continued below the root."""
        return self.visits_of(self.root_node)

    @property
    def root_node(self) -> int:
        """The root."""
        return root_of(self.tree)

    def touch_memory(self, words: int | None = None) -> None:
        """Write to all memory, or to its first words, since the system provides it only then."""
        self.tree.words[:words] = 0.0

    def prepare(self, state: I64) -> None:
        """Load every kernel and touch the first memory; see `Search.prepare`.

        The first call of a kernel in a process loads it from the cache, which takes some hundredths of a second.
        """
        self.touch_memory(TOUCHED_WORDS)
        self.set_root(state)
        self.run(1)
        self.strategy_at(LEAF, 0, 1)
        self.load_native_calls()
        slide_together(self.tree)
        make_root(self.tree, 0)
        reclaim(self.tree)

    def set_root(self, state: I64) -> None:
        """Forget the tree and begin at a world state, `[W]` words."""
        self.work.states[: state.size] = state
        forget_utilities(self.work)
        clear(self.tree, END if kind_of(self.model, self.work.states, 0) == TERMINAL else LEAF)

    def advance(self, key: int, state: I64) -> bool:
        """Make the child that a transition led to the new root, or start over; see `Search.advance`."""
        if not make_root(self.tree, key):
            self.set_root(state)
            return False
        self.work.states[: state.size] = state
        forget_utilities(self.work)
        reclaim(self.tree)
        return True

    def run(self, iterations: int) -> None:
        """Run iterations without the GIL; interrupts are noticed between calls of the kernel."""
        for part in calls(iterations):
            self.family.search(self.model, self.tree, self.work, self._leaf, self.options, part)

    def has_strategies(self, node: int) -> bool:
        """Return whether a decision node has been expanded."""
        return node >= FIRST_NODE and bool(block_kind(self.tree, node) == DECISION)

    def visits_of(self, node: int) -> int:
        """Return the number of iterations that continued below a node."""
        return visits_of(self.tree, node)

    def children_of(self, node: int, keys: I64) -> I64:
        """Return `[n]` the expanded nodes that transitions lead to, NO_CHILD if there is none."""
        entries = [child_of(self.tree, node, int(key)) for key in keys]
        found = np.array(entries, np.int64)
        return np.where(found >= FIRST_NODE, found, NO_CHILD)

    def strategy_at(self, node: int, player: int, actions: int) -> F64:
        """Return `[actions]` the strategy of a player at a decision node of the tree, over its legal actions."""
        out = np.empty(actions)
        self.family.strategy(self.tree, node, player, self.options.least, out)
        return out

    def strategies_in(self, game: GameGraph) -> StrategyTree:
        """Return the strategies at all expanded decision nodes; see `ReadableSearch.strategies_in`."""
        from players.search.simultaneous.tree_strategies import strategies_of

        return strategies_of(self.tree, self.family.strategy, self.options.least, game)

    def strategy(self, player: int) -> tuple[I64, F64]:
        """Return the legal actions of a player at the root, and the probability of each in its final strategy."""
        actions = self.legal(player)
        return actions, self.strategy_at(self.root_node, player, actions.size)


@kernel
def average_strategy(tree: Tree, node: int, player: int, least: float, out: F64) -> None:
    """Write a player's average strategy at a decision node (Lisý 2014, eq. 3.6), or the probable actions of it.

    Args:
        tree: read.
        node: a decision node; one that is not expanded gives the uniform strategy.
        player: whose strategy.
        least: actions are left out that are less probable than this share of the most probable one; 0: none are, 1: all
            but the most probable.
        out: `[k]` for the player's k actions, overwritten; sums to 1.
    """
    out[:] = 1.0 / out.size
    if node < FIRST_NODE:
        return
    sums = action_numbers(tree, node, player, SUMS)
    most = 0.0
    for weight in sums:
        most = max(most, weight)
    for action in range(out.size):
        out[action] = sums[action] if sums[action] >= least * most else 0.0
    in_proportion(out, out)
