"""*-Minimax as a search: iterative deepening, from move to move with one transposition table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ggp.codegen.kernels import F64, I64
from ggp.native.calls import call_actors, call_legal
from ggp.native.interface import NativeGame
from players.search.foundation.kernel_arguments import new_model
from players.search.foundation.memory import MEGABYTE
from players.search.foundation.searches import Search, UnreadableSearches
from players.search.foundation.settings import StarSettings
from players.search.foundation.state_search import legal_actions
from players.search.star.gains import forget_gains, new_gains
from players.search.star.options import PLAIN, STAR1, STAR2, Options
from players.search.star.search_loop import search
from players.search.star.stack import MAX_FRAMES, Stack, forget_cuts, new_stack, push
from players.search.star.table import forget_all, new_table

UNPRUNED_DEPTH = 2
"""In games of chance, iterations up to this depth do not prune: keeping bounds costs more than it saves."""
MAX_DEPTH = MAX_FRAMES // 2
NO_ACTION = -1


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a finished iteration.

    Attributes:
        depth: decisions looked ahead.
        low: lower bound of the root's value for the first player, scaled to [0, 1].
        high: upper bound; the same up to rounding.
        action: the best action, NO_ACTION where chance acts.
        visited: states visited in all iterations so far.
    """

    depth: int
    low: float
    high: float
    action: int
    visited: int


class StarSearch(Search):
    """Searches one game from one root; `seed` and `set_root` before anything else.

    Args:
        native: a game of two players of constant sum who take turns.
        pruning: PLAIN, STAR1 or STAR2.
        settings: depth, samples, and the evaluation at the horizon.

    Attributes:
        found: results of the finished iterations from this root, deepest last.
    """

    def __init__(self, native: NativeGame, pruning: int, settings: StarSettings) -> None:
        shape = native.shape
        outcomes = settings.width or shape.max_outcomes
        self._native = native
        self._has_chance = shape.max_outcomes > 1
        self._max_depth = settings.depth or MAX_DEPTH
        self._options = Options(
            pruning,
            settings.width,
            settings.playouts,
            int(settings.table > 0),
            max(shape.max_actions, outcomes),
            shape.state_words - native.history_words,
            1,
            *self._enhancements(pruning, settings),
        )
        self.model = new_model(native)
        self.stack: Stack = new_stack(shape, outcomes)
        self._table = new_table(settings.table * MEGABYTE)
        self.gains = new_gains(native, self._options.quiet > 0)
        self._joint = np.zeros(shape.players + 1, np.int64)
        self._utility = np.zeros(shape.players)
        self._root = np.zeros(shape.state_words, np.int64)
        self.found: list[Found] = []
        self._running = False

    def _enhancements(self, pruning: int, settings: StarSettings) -> tuple[int, int, int, int]:
        """Return the options of order, windows, late actions and quiescence: off in games of chance."""
        if pruning == PLAIN or self._has_chance:
            return 0, 0, 0, 0
        quiet = settings.quiet if self._native.functions.estimate else 0
        return int(settings.order), int(settings.window), int(settings.reduce and settings.window), quiet

    @property
    def iterations(self) -> int:
        """States visited since `seed`."""
        return int(self.stack.visited[0])

    @property
    def leaves(self) -> int:
        """States valued since `seed`: ends of the game, and states at the horizon."""
        return int(self.stack.leaves[0])

    @property
    def root_visits(self) -> int:
        """States visited since `seed`."""
        return self.iterations

    @property
    def settled(self) -> bool:
        """Whether a deeper iteration would change nothing, or is not wanted."""
        return bool(self.found) and (self.found[-1].depth >= self._max_depth or self._complete)

    def seed(self, word: int) -> None:
        """Seed sampled outcomes and playouts, and reset the count of states."""
        self._options = self._options._replace(seed=int(np.uint64(word).astype(np.int64)))
        self.stack.visited[0] = self.stack.leaves[0] = 0

    def touch_memory(self) -> None:
        """Write to all memory of the table."""
        self._table.keys[:] = 0

    def prepare(self, state: I64) -> None:
        """Load every kernel and touch the memory before a clock runs; root and seed stay unset.

        Accesses are spread over the whole table. When the system had to provide that memory during the first decisions,
        these were late by up to 50 ms.
        """
        self.touch_memory()
        self.set_root(state)
        self.run(2)
        functions, shape = self._native.functions, self._native.shape
        actions = np.empty(shape.max_actions, np.int64)
        if call_actors(functions.actors, self._root, 0) >= 0:
            call_legal(functions.legal, self._root, 0, 0, actions, 0)

    def set_root(self, state: I64) -> None:
        """Forget everything and begin at a world state, `[W]` words."""
        forget_all(self._table)
        forget_cuts(self.stack)
        forget_gains(self.gains)
        self._begin(state)

    def advance(self, key: int, state: I64) -> bool:  # noqa: ARG002 - states are found by themselves
        """Start at a world state, and keep the table."""
        self._begin(state)
        return True

    def _begin(self, state: I64) -> None:
        self._root[:] = state
        self.stack.history[:] *= 0.5  # what cut long ago counts less
        self.found = []
        self._running = False
        self._complete = False

    def run(self, iterations: int) -> None:
        """Search for a number of states."""
        end = self.iterations + iterations
        while self.iterations < end and not self.settled:
            if not self._running:
                self._deepen()
            options = self._options
            if self._has_chance and self._depth <= UNPRUNED_DEPTH:
                options = options._replace(pruning=PLAIN)
            left = end - self.iterations
            if search(self.model, self.stack, self._table, self.gains, self._joint, self._utility, options, left):
                self._running = False
                low, high = float(self.stack.result_low[0]), float(self.stack.result_high[0])
                self.found.append(Found(self._depth, low, high, self._best(), self.iterations))
                self._complete = self.stack.beyond[0] == 0

    def _deepen(self) -> None:
        """Begin the next iteration."""
        stack = self.stack
        self._depth = self.found[-1].depth + 1 if self.found else 1
        stack.states[: self._root.size] = self._root
        stack.top[0] = -1
        stack.beyond[0] = stack.searched[0] = 0
        push(stack, self._depth, 0.0, 1.0, 0, 0)
        self._running = True

    def _best(self) -> int:
        """Return the best action of the current or last iteration."""
        if call_actors(self._native.functions.actors, self._root, 0) <= 0:
            return NO_ACTION
        return int(self.stack.labels[self.stack.frames.best[0]])

    def value(self) -> float:
        """Return the root's value to the first player, scaled to [0, 1], by the last finished iteration."""
        assert self.found, "no iteration is finished"
        return (self.found[-1].low + self.found[-1].high) / 2

    def strategy(self, player: int) -> tuple[I64, F64]:
        """Return the legal actions of a player at the root, and 1 for the best of them, 0 for the others.

        An unfinished iteration counts once it has searched the previous iteration's best action: whatever has replaced
        that since is better at the greater depth.
        """
        actions = legal_actions(self._native, self._root, player)
        if self._running and self.stack.searched[0] > 0:
            action = self._best()
        else:
            action = self.found[-1].action if self.found else NO_ACTION
        chosen = np.where(actions == action, 1.0, 0.0)
        return actions, chosen if action != NO_ACTION else np.full(actions.size, 1.0 / actions.size)


def _family(pruning: int) -> UnreadableSearches:
    return UnreadableSearches(lambda native, settings: StarSearch(native, pruning, settings), (search,))


EXPECTIMAX, STAR1_FAMILY, STAR2_FAMILY = _family(PLAIN), _family(STAR1), _family(STAR2)
