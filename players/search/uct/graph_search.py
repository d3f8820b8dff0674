"""UCT for turns as a search: kernels, a graph, scratch memory, and the world state at the root."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64, I64
from ggp.native.interface import NativeGame
from players.search.foundation.leaf_values import forget_utilities
from players.search.foundation.memory import TOUCHED_WORDS, calls, memory_bytes
from players.search.foundation.parallel import search_in_threads
from players.search.foundation.searches import Search, UnreadableSearches
from players.search.foundation.settings import MctsSettings
from players.search.foundation.state_search import StateSearch
from players.search.uct.descent import MAX_COUNTED, Options, Outcomes
from players.search.uct.graph import (
    FIRST_NODE,
    LEAF,
    NO_LATER,
    NODES,
    NONE,
    ROOT,
    SOLVED,
    VALUE_WORD,
    VISITS,
    WORDS,
    forget,
    new_graph,
    node_at,
    slide_together,
)
from players.search.uct.iterations import root_statistics, search
from players.search.uct.played_actions import new_played
from players.search.uct.playout_policy import NO_POLICY, GuidedGame


class GraphSearch(StateSearch):
    """Searches one game from one root; `seed` and `set_root` before anything else.

    Args:
        native: the game, in which players take turns.
        settings: of `mcts` or `dpw`.
    """

    def __init__(self, native: NativeGame, settings: MctsSettings) -> None:
        super().__init__(native, settings)
        self._argmax = settings.final == "max"
        widening = getattr(settings, "widen_c", 0.0), getattr(settings, "widen_alpha", 0.0)
        self._options = Options(settings.c, *widening, settings.rave)
        self._policy = native.policy if isinstance(native, GuidedGame) else NO_POLICY
        noted = settings.rave > 0 or self._policy is not NO_POLICY
        self._played = new_played(native.shape.players, noted, self._policy)
        listed = native.shape.max_outcomes if native.shape.max_outcomes <= MAX_COUNTED else 1
        self._outcomes = Outcomes(np.zeros(listed, np.int64), np.zeros(listed))
        shape, bytes_ = native.shape, memory_bytes(settings.memory)
        self.graph = new_graph(bytes_, shape.players, shape.state_words, settings.rave > 0)

    @property
    def nodes(self) -> int:
        """How many nodes the graph has."""
        return int(self.graph.counters[NODES])

    @property
    def bytes_used(self) -> int:
        """How much memory the nodes take."""
        return (16 if self.graph.later.size > NO_LATER else 8) * int(self.graph.counters[WORDS])

    @property
    def root_visits(self) -> int:
        """How many iterations came through the root."""
        return int(self.graph.ints[2 * self._root + VISITS]) if self._root >= FIRST_NODE else 0

    @property
    def settled(self) -> bool:
        """Whether the root is proven."""
        return self._root >= FIRST_NODE and bool(self.graph.ints[2 * self._root + SOLVED])

    @property
    def _root(self) -> int:
        return int(self.graph.counters[ROOT])

    def touch_memory(self, words: int | None = None) -> None:
        """Write to the first words of the memory, or to all: the system provides it only when it is written to."""
        self.graph.words[:words] = 0.0
        self.graph.later[: None if words is None else 2 * words] = 0.0
        self.graph.table[:words] = NONE

    def prepare(self, state: I64) -> None:
        """Load every kernel, and touch the first memory, before a clock runs; root and generator stay unset."""
        self.touch_memory(TOUCHED_WORDS)
        self.set_root(state)
        self.run(2)
        self.load_native_calls()
        root_statistics(self.graph, np.zeros(1, np.int64), np.empty(1), np.empty(1))
        node_at(self.graph, self.work.states, state.size)
        self._reclaim()

    def seed(self, word: int) -> None:
        """Seed all draws, and count iterations from 0."""
        super().seed(word)
        self._played.latest[:] = -1

    def set_root(self, state: I64) -> None:
        """Forget the graph and begin at a world state, `[W]` words."""
        forget(self.graph)
        forget_utilities(self.work)
        self.work.states[: state.size] = state

    def advance(self, key: int, state: I64) -> bool:  # noqa: ARG002 - the state itself is looked up
        """Make a state the root, and keep its statistics; return whether the graph had it."""
        self.work.states[: state.size] = state
        forget_utilities(self.work)
        node = int(node_at(self.graph, self.work.states, state.size))
        if node == NONE:
            forget(self.graph)
            return False
        self.graph.counters[ROOT] = node
        if 4 * self.graph.counters[WORDS] > self.graph.words.size or 4 * self.nodes > self.graph.table.size:
            self._reclaim()
        return True

    def _reclaim(self) -> None:
        if self._root != LEAF:
            self.graph.table[:] = NONE
            slide_together(self.graph)

    def run(self, iterations: int) -> None:
        """Search, without the GIL; not any longer once the root is proven."""
        for part in calls(iterations):
            arguments = self._outcomes, self._played, self._leaf, self._options, part
            if search(self.model, self.graph, self.work, *arguments) < part:
                return

    def action_values(self, player: int) -> tuple[I64, F64, F64]:
        """Return the legal actions of a player at the root; how often each was chosen; its mean utility in [0, 1].

        Counts are negative where the value is proven.
        """
        actions = self.legal(player)
        visits, means = np.zeros(actions.size), np.zeros(actions.size)
        root_statistics(self.graph, actions, visits, means)
        return actions, visits, means

    def values(self) -> F64:
        """Return `[P]` the root's utilities as far as they are known, scaled to [0, 1]: proven, or means."""
        root = self._root
        assert root >= FIRST_NODE, "nothing has been searched"
        found = self.graph.words[root + VALUE_WORD : root + VALUE_WORD + self.graph.players]
        return np.array(found) if self.settled else found / max(self.root_visits, 1)

    def strategy(self, player: int) -> tuple[I64, F64]:
        """Return the legal actions of a player at the root, and the probability of each.

        The action chosen most often, or a proven one that is no worse than its mean; with `final=mix` in proportion to
        how often each was chosen.
        """
        actions, visits, means = self.action_values(player)
        counts = np.abs(visits)
        if not counts.any():
            return actions, np.full(actions.size, 1.0 / actions.size)
        if not self._argmax and not self.settled:
            return actions, counts / counts.sum()
        proven = visits < 0
        best = means[proven].max(initial=-1.0)
        chosen = proven & (means == best)
        open_ = ~proven & (counts > 0)
        if open_.any():
            robust = open_ & (counts == counts[open_].max())
            if best < means[robust].max():
                chosen = robust
        chosen &= counts == counts[chosen].max()  # among lost actions, the one that took longest to refute
        return actions, chosen / chosen.sum()


def make_searches(native: NativeGame, settings: MctsSettings) -> Search:
    """Return a search: with one thread a single graph."""
    return search_in_threads(settings, lambda share: GraphSearch(native, share))


FAMILY = UnreadableSearches(make_searches, (node_at, slide_together, root_statistics, search))
