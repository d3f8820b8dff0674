"""A search with hidden information as an object: a family's kernels, a tree by information state, roots.

Its strategies can be frozen: in a tree of probabilities (action numbers: the probability) they are found by information
state and no longer change. Without a node a player plays uniformly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ggp.beliefs.history_tree import HistoryTree
from ggp.codegen.kernels import F64, I64, U64, AnyKernel, kernel
from ggp.native.calls import call_init
from ggp.native.infoset_table import (
    FIRST_NODE,
    NODES,
    WORDS,
    InfosetTable,
    action_count,
    action_numbers,
    add,
    block_words,
    clear,
    drop_unvisited,
    find_node,
    new_infoset_table,
    next_epoch,
    player_at,
    rebuild_table,
    room_for,
    state_tag,
    visit_count,
)
from ggp.native.interface import NativeGame
from players.search.foundation.kernel_arguments import ITERATION, Model, leaf_options, new_model
from players.search.foundation.leaf_values import begin_anew, forget_utilities
from players.search.foundation.memory import TOUCHED_WORDS, calls, memory_bytes, touch
from players.search.information_sets.hidden_search import HiddenSearch, HiddenSearches, ParallelHiddenSearch
from players.search.information_sets.information_walk import (
    InformationWork,
    Roots,
    Task,
    new_information_work,
    single_root,
)

ITERATIONS_A_CALL = 1 << 14
SHARE_FULL = 0.95
"""Share of its memory above which a tree drops the nodes not visited lately, before the next move."""


class InformationSearch:
    """Searches one game from some world states; call `seed` and `begin` first.

    Args:
        native: the game.
        family: the kernels.
        settings: the settings of that family.
        memory: bytes for the tree.
    """

    def __init__(self, native: NativeGame, family: InformationFamily, settings: Any, memory: int) -> None:
        self._native = native
        self.family = family
        self.options = family.options(settings)
        self._leaf = leaf_options(settings)
        self.model: Model = new_model(native)
        self.work: InformationWork = new_information_work(native.shape, getattr(self.options, "rave", 0.0) > 0)
        self.tree: InfosetTable = new_infoset_table(memory, family.action_numbers(settings))
        self.roots = initial_roots(native)

    @property
    def trees(self) -> tuple[InfosetTable, ...]:
        """The trees of its threads."""
        return (self.tree,)

    @property
    def nodes(self) -> int:
        """The number of nodes of the tree."""
        return int(self.tree.counters[NODES])

    @property
    def bytes_used(self) -> int:
        """The memory of the nodes in bytes, without the table."""
        return 8 * int(self.tree.counters[WORDS])

    @property
    def iterations(self) -> int:
        """Iterations since `seed`."""
        return int(self.work.base.cursor[ITERATION])

    @property
    def settled(self) -> bool:
        """Whether more iterations would change nothing: never."""
        return False

    def seed(self, word: int) -> None:
        """Seed the random generator with a 64-bit word that is not 0; iterations and utilities met count anew."""
        begin_anew(self.work.base, word)
        self.work.played.latest[:] = -1

    def prepare(self) -> None:
        """Load every kernel, and touch the first memory, before a clock runs."""
        touch(self.tree.words, TOUCHED_WORDS)
        touch(self.tree.slots, TOUCHED_WORDS)
        self.begin()
        self.run(1)
        self.strategy(self.roots.keys[0], 0, np.zeros(1, np.int64))
        drop_unvisited(self.tree)
        self.begin()

    def begin(self) -> None:
        """Forget the tree, and search from the beginning of the game."""
        clear(self.tree)
        forget_utilities(self.work.base)
        self.roots = initial_roots(self._native)

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:  # noqa: ARG002
        """Search from other world states from now on; the tree is kept, the range of the utilities is measured again.

        Args:
            roots: the world states that a player considers possible.
            histories: their histories.
            role: the player.
        """
        if self.bytes_used > SHARE_FULL * 8 * self.tree.words.size:
            drop_unvisited(self.tree)
        next_epoch(self.tree)
        forget_utilities(self.work.base)
        self.roots = roots

    def run(self, iterations: int) -> None:
        """Run iterations without the GIL; interrupts are noticed between calls of the kernel."""
        task = Task(self.model, self.roots, self._leaf)
        for part in calls(iterations, ITERATIONS_A_CALL):
            self.family.search(task, self.tree, self.work, self.options, part)

    def node_of(self, keys: U64, player: int, legal: I64) -> int:
        """Return the node of a player's information state: its key is `keys[2 * player:]`; NO_NODE without one."""
        return int(find_node(self.tree, keys, 2 * player, player, legal, legal.size))

    def strategy_at(self, node: int, actions: int) -> F64:
        """Return `[actions]` the final strategy at a node; NO_NODE gives the uniform one."""
        out = np.empty(actions)
        self.family.strategy(self.tree, node, actions, self.options, out)
        return out

    def weight(self, keys: U64, player: int, legal: I64) -> float:
        """Return the number of visits of an information state."""
        node = self.node_of(keys, player, legal)
        return float(visit_count(self.tree, node)) if node else 0.0

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:
        """Return the final strategy of a player in an information state, over its legal actions in ascending order."""
        return self.strategy_at(self.node_of(keys, player, legal), legal.size)


@dataclass(frozen=True, slots=True)
class InformationFamily:
    """A family of searches over information states.

    `search(task, tree, work, options, iterations)` and `strategy(tree, node, actions, options, out)`.

    Attributes:
        search: the kernel.
        strategy: the kernel of the final strategy.
        action_numbers: how many numbers it keeps for an action, by its settings.
        frequencies: which of these fields holds how often a player would choose the action; beliefs use it.
        options: turns settings into the kernels' options.
        searches: the class of its searches.
        believes: whether they use the world states that a player considers possible.
        plans: whether they learn strategies for information states to come.
    """

    search: AnyKernel
    strategy: AnyKernel
    action_numbers: Callable[[Any], int]
    frequencies: int
    options: Callable[[Any], Any]
    searches: type[InformationSearch] = InformationSearch
    believes: bool = True
    plans: bool = True

    def make_information_search(self, native: NativeGame, settings: Any) -> InformationSearch:
        """Return a search with a single tree."""
        return self.searches(native, self, settings, memory_bytes(settings.memory))

    def make_hidden_search(self, native: NativeGame, settings: Any) -> HiddenSearch:
        """Return a search: with one thread a single tree."""
        if settings.threads == 1:
            return self.make_information_search(native, settings)
        memory = memory_bytes(settings.memory) // settings.threads
        return ParallelHiddenSearch([self.searches(native, self, settings, memory) for _ in range(settings.threads)])

    def kernels(self, settings: Any) -> Iterator[AnyKernel]:  # noqa: ARG002
        """Yield the kernels that its searches call."""
        yield from (drop_unvisited, rebuild_table, find_node, self.search, self.strategy)


HiddenFamily = HiddenSearches | InformationFamily
"""Makes the searches of one player from what it considers possible."""


def initial_roots(native: NativeGame) -> Roots:
    """Return the beginning of the game as the only root."""
    state = np.zeros(native.shape.state_words, np.int64)
    call_init(native.functions.init, state, 0)
    return single_root(state, native.shape.players)


@kernel
def add_node(frozen: InfosetTable, node: I64, player: int, probability: F64) -> None:
    """Add a node to a frozen tree, which has room for it.

    Args:
        frozen: changed.
        node: `[2]` the two words of its key, the second with the tag of `state_tag`.
        player: who acts there.
        probability: of each of its actions.
    """
    added = add(frozen, np.uint64(node[0]), np.uint64(node[1]), player, probability.size)
    action_numbers(frozen, added, 0, probability.size)[:] = probability


@kernel
def write_tag(keys: U64, player: int, actions: I64, node: I64) -> None:
    """Write the words by which trees know a player's information state with the key `keys[:2]` to `node[:2]`."""
    node[0] = np.int64(keys[0])
    node[1] = np.int64(state_tag(keys, 0, player, actions, 0, actions.size))


def frozen_search(search: InformationSearch) -> InfosetTable:
    """Return the final strategies of a search."""
    tree, node = search.tree, FIRST_NODE
    frozen = new_infoset_table(room_for(int(tree.counters[NODES]), int(tree.counters[WORDS])), 1)
    while node < tree.counters[WORDS]:
        actions, player = action_count(tree, node), player_at(tree, node)
        add_node(frozen, tree.longs[node : node + 2], player, search.strategy_at(node, actions))
        node += block_words(tree, actions)
    return frozen
