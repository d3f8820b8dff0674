"""A tree search as an object: a family's kernels, a tree, scratch memory, and the world state at the root."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ggp.model.calls import call_actors, call_legal
from ggp.model.interface import NativeGame
from ggp.model.jit import F64, I64
from players.search.orders import positions_of_legal
from players.search.reroot import make_root, reclaim, slide_together
from players.search.settings import TreeSettings
from players.search.simulation import (
    EXPAND_COVER,
    EXPAND_JOINT,
    EXPAND_NONE,
    EXPAND_WIDEN,
    ITERATION,
    LeafOptions,
    Model,
    Work,
    kind_of,
    new_model,
    new_work,
)
from players.search.tree import END, FIRST_NODE, LEAF, NODES, TERMINAL, WORDS, Tree, clear, new_tree, root_of, visits_of

EXPANSIONS = {"joint": EXPAND_JOINT, "cover": EXPAND_COVER, "none": EXPAND_NONE, "widen": EXPAND_WIDEN}
MEGABYTE = 1 << 20
MOST_MEMORY_BY_DEFAULT = 1024 * MEGABYTE
TOUCHED_WORDS = 2 * MEGABYTE
"""Touched before a match: what the first moves use."""


@dataclass(frozen=True, slots=True)
class TreeSizes:
    """How many numbers a family keeps; see `players.search.tree`. What means need (`backup=mean`) is not among them."""

    action_numbers: int = 0
    joint_numbers: int = 0
    joint_counts: int = 0


@dataclass(frozen=True, slots=True)
class Family:
    """A family of searches: its kernels, and how its settings become the kernels' options.

    `search(model, tree, work, leaf, options, iterations)` and `strategy(tree, node, player, options, out)`.
    """

    search: Callable[..., None]
    strategy: Callable[..., None]
    sizes: TreeSizes
    options: Callable[[Any], Any]


def default_memory_bytes() -> int:
    """Return a sixteenth of the machine's memory, at most 1 GiB."""
    if not hasattr(os, "sysconf") or "SC_PHYS_PAGES" not in os.sysconf_names:
        return MOST_MEMORY_BY_DEFAULT // 4
    return min(MOST_MEMORY_BY_DEFAULT, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 16)


class TreeSearch:
    """Searches one game from one root; `seed` and `set_root` before anything else.

    Args:
        native: the game.
        family: the kernels.
        settings: the settings of that family.
    """

    def __init__(self, native: NativeGame, family: Family, settings: TreeSettings) -> None:
        self._native = native
        self.family = family
        self.options = family.options(settings)
        self._leaf = LeafOptions(
            expansion=EXPANSIONS[settings.expansion],
            widen_c=settings.widen_c,
            widen_alpha=settings.widen_alpha,
            estimate=int(settings.leaf == "estimate"),
            moves=settings.moves,
            playout_limit=settings.limit,
            mean=int(settings.passes_mean),
        )
        sizes = family.sizes
        self.model: Model = new_model(native)
        self.work: Work = new_work(native.shape)
        self.tree: Tree = new_tree(
            settings.memory * MEGABYTE or default_memory_bytes(),
            native.shape.players,
            native.shape.players + 1 if settings.passes_mean else 0,
            sizes.action_numbers,
            sizes.joint_numbers,
            sizes.joint_counts,
        )

    @property
    def nodes(self) -> int:
        """How many nodes the tree has: expanded, leaves, and ends of the game; dead ones included."""
        return int(self.tree.counters[NODES])

    @property
    def bytes_used(self) -> int:
        """How much memory the tree takes, what is dead included."""
        return 8 * int(self.tree.counters[WORDS])

    @property
    def root_visits(self) -> int:
        """How many iterations went on below the root."""
        return visits_of(self.tree, root_of(self.tree))

    def seed(self, word: int) -> None:
        """Set the generator to a 64-bit word that is not 0, such as `seed_word` gives, and count iterations from 0."""
        self.work.rng[0] = word
        self.work.cursor[ITERATION] = 0  # outcome sampling has the players take turns by it

    def touch_memory(self, words: int | None = None) -> None:
        """Write to the first words of the memory, or to all: the system provides it only when it is written to."""
        self.tree.words[:words] = 0.0

    def prepare(self, state: I64) -> None:
        """Load every kernel, and touch the first memory, before a clock runs; the tree and the generator stay unset.

        Loading a kernel from the cache takes some hundredths of a second at its first call in a process.

        Args:
            state: `[W]` a world state that is not terminal.
        """
        self.touch_memory(TOUCHED_WORDS)
        self.set_root(state)
        self.run(1)
        self.strategy_at(LEAF, 0, 1)
        functions, actions = self._native.functions, np.empty(self._native.shape.max_actions, np.int64)
        if call_actors(functions.actors, self.work.states, 0) >= 0:  # legal of a player who does not act writes nothing
            call_legal(functions.legal, self.work.states, 0, 0, actions, 0)
        slide_together(self.tree)
        make_root(self.tree, 0)
        reclaim(self.tree)

    def set_root(self, state: I64) -> None:
        """Forget the tree and begin at a world state, `[W]` words."""
        self.work.states[: state.size] = state
        clear(self.tree, END if kind_of(self.model, self.work.states, 0) == TERMINAL else LEAF)

    def advance(self, key: int, state: I64) -> bool:
        """Make the child that a transition led to the root, or begin anew where the tree has no such child.

        Args:
            key: number of the joint action (row-major over the positions of the players' actions), or chance outcome.
            state: `[W]` the words of the world state after the transition.

        Returns:
            Whether the tree had the child.
        """
        if not make_root(self.tree, key):
            self.set_root(state)
            return False
        self.work.states[: state.size] = state
        reclaim(self.tree)
        return True

    def run(self, iterations: int) -> None:
        """Search, without the GIL."""
        self.family.search(self.model, self.tree, self.work, self._leaf, self.options, iterations)

    def strategy_at(self, node: int, player: int, actions: int) -> F64:
        """Return `[actions]` the strategy of a player at a decision node of the tree, over its legal actions."""
        out = np.empty(actions)
        self.family.strategy(self.tree, node, player, self.options, out)
        return out[positions_of_legal(self.tree, node, player)] if node >= FIRST_NODE else out

    def strategy(self, player: int) -> tuple[I64, F64]:
        """Return the legal actions of a player at the root, and the probability of each in its final strategy."""
        functions, shape = self._native.functions, self._native.shape
        assert call_actors(functions.actors, self.work.states, 0) >> player & 1, "the player does not act here"
        actions = np.empty(shape.max_actions, np.int64)
        count = int(call_legal(functions.legal, self.work.states, 0, player, actions, 0))
        return actions[:count], self.strategy_at(root_of(self.tree), player, count)
