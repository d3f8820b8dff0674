"""Blueprints as objects: learned, kept in files, and played by the player `blueprint`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ggp.beliefs.history_tree import NO_HISTORY, HistoryTree
from ggp.codegen.kernels import F64, I64, U64
from ggp.native.infoset_table import (
    ACTIONS,
    FIRST_NODE,
    HEADER_WORDS,
    NODES,
    VISITS,
    WORDS,
    InfosetTable,
    clear,
    new_infoset_table,
    room_for,
)
from ggp.native.interface import NativeGame
from players.search.blueprint.abstraction import BUCKETS, DEPTH, STAGES, Buckets, Walk, new_walk, no_buckets
from players.search.blueprint.external_sampling import (
    BUDGET,
    FIELDS,
    KEY_BITS,
    Frames,
    add_strategies,
    new_frames,
    sample_equities,
    search,
    strategy_after,
)
from players.search.foundation.archives import ArchiveKind
from players.search.foundation.kernel_arguments import Model, new_model
from players.search.foundation.memory import calls, memory_bytes
from players.search.foundation.regret_strategies import SUMS
from players.search.foundation.settings import BlueprintSettings
from players.search.information_sets.hidden_search import HiddenSearches, StatelessSearch
from players.search.information_sets.information_walk import Roots

BLUEPRINTS = ArchiveKind("a blueprint", ".blueprint", "ggp blueprint 1")
EQUITIES = 4000
"""From which the buckets of what chance shows for the n-th time are made, at most."""
GAMES = 2000
"""From which equities are taken."""
TOLD_APART = 2 * BUCKETS
"""Where chance has shown no more than so many different things, they are told apart."""
ITERATIONS_A_CALL = 64
SHARES = 255
UNUSED_BITS = 64 - KEY_BITS
LEAST = 0.25
"""With final=purified, the least probability of an action. Of royal hold'em, 2,000 hands against a rule of equity and
pot odds, the same for all: 0.28 ± 0.20 a hand; all actions 0.10 ± 0.21, the most probable one 0.33 ± 0.20."""


class Blueprint:
    """Strategies of a whole game.

    Args:
        native: the game.
        memory: bytes for its information states.
        seed: of all chance; not 0.
    """

    def __init__(self, native: NativeGame, memory: int, seed: int = 1) -> None:
        self.model: Model = new_model(native)
        self.path: Walk = new_walk(native.shape)
        self.buckets: Buckets = no_buckets()
        self.tree: InfosetTable = new_infoset_table(memory, FIELDS)
        self.frames: Frames = new_frames(native.shape, seed)

    @property
    def iterations(self) -> int:
        """How many were made."""
        return int(self.frames.iteration[0])

    @property
    def nodes(self) -> int:
        """The number of information states in the abstraction that were met."""
        return int(self.tree.counters[NODES])

    def make_buckets(self, games: int = GAMES) -> None:
        """Put equities into buckets, by those met in random play; forget what was learned."""
        clear(self.tree)
        self.frames.iteration[0] = 0
        found, keys = np.zeros((STAGES, EQUITIES)), np.zeros(STAGES * EQUITIES, np.uint64)
        counts = np.zeros(STAGES, np.int64)
        made = 0
        for part in calls(games, ITERATIONS_A_CALL):
            made += int(sample_equities(self.model, self.path, self.frames, part, found, keys, counts))
        self.frames.budget[DEPTH] = BUDGET * games / max(made, 1)
        for stage, count in enumerate(counts):
            shown = np.unique(keys[stage * EQUITIES : stage * EQUITIES + count])
            self.buckets.exact[stage] = shown.size <= TOLD_APART
            if shown.size:
                shares = np.arange(1, BUCKETS) / BUCKETS
                self.buckets.bounds[stage] = np.quantile(found[stage, :count], shares)

    def learn(self, iterations: int) -> None:
        """Run iterations; interrupts are noticed between calls of the kernel."""
        for part in calls(iterations, ITERATIONS_A_CALL):
            search(self.model, self.tree, self.path, self.buckets, self.frames, part)

    def strategy(self, history: I64, player: int, legal: I64) -> F64:
        """Return the average strategy of a player after a history, `[L, P + 1]` its transitions."""
        out = np.empty(legal.size)
        strategy_after(
            self.model, self.tree, self.path, self.buckets, history.reshape(-1), len(history), player, legal, out
        )
        return out

    def save(self, file: Path, about: dict[str, Any]) -> None:
        """Write the average strategies of information states that were visited more than once.

        Raises:
            OSError: it cannot be written.
        """
        nodes = []
        node, ints = FIRST_NODE, self.tree.ints
        while node < int(self.tree.counters[WORDS]):
            count = int(ints[2 * node + ACTIONS])
            begin = node + HEADER_WORDS
            sums = self.tree.words[begin + SUMS * count : begin + (SUMS + 1) * count]
            if ints[2 * node + VISITS] > 1 and sums.sum() > 0:
                shares = np.rint(SHARES * sums / sums.sum()).astype(np.uint8)
                nodes.append((int(self.tree.longs[node]) % (1 << 64) >> UNUSED_BITS, count, shares))
            node += HEADER_WORDS + FIELDS * count
        nodes.sort(key=lambda one: one[0])
        steps = np.diff(np.array([0, *(key for key, _, _ in nodes)], np.int64))  # few bytes, most of them 0
        arrays = {
            "steps": np.ascontiguousarray(steps.reshape(-1, 1).view(np.uint8).T),
            "counts": np.array([count for _, count, _ in nodes], np.int32),
            "shares": np.concatenate([*(shares for _, _, shares in nodes), np.zeros(0, np.uint8)]),
            "bounds": self.buckets.bounds,
            "exact": self.buckets.exact,
        }
        BLUEPRINTS.write(file, about, arrays)


def loaded_blueprint(native: NativeGame, file: Path) -> Blueprint:
    """Return the blueprint in a file of the same game.

    Raises:
        ArchiveUnusable: it cannot be read.
    """
    arrays = BLUEPRINTS.read(file)[1]
    with BLUEPRINTS.reading(file):
        steps, counts, shares = arrays["steps"], arrays["counts"], arrays["shares"].astype(np.float64)
        keys = np.cumsum(np.ascontiguousarray(steps.T).view(np.int64).reshape(-1)).astype(np.uint64)
        if (counts < 1).any() or counts.sum() != shares.size or counts.size != keys.size:
            raise ValueError
        made = Blueprint(native, room_for(len(keys), int((HEADER_WORDS + FIELDS * counts).sum()) + 4096))
        made.buckets.bounds[:], made.buckets.exact[:] = arrays["bounds"], arrays["exact"]
    add_strategies(made.tree, keys << np.uint64(UNUSED_BITS), counts.astype(np.int64), shares)
    return made


class BlueprintSearch(StatelessSearch):
    """A blueprint as a search: one that was loaded is fixed, without one it learns as it plays."""

    def __init__(self, native: NativeGame, settings: BlueprintSettings) -> None:
        super().__init__()
        self._players = native.shape.players
        self._loaded = bool(settings.file)
        self._final = settings.final
        self.blueprint = (
            loaded_blueprint(native, Path(settings.file))
            if self._loaded
            else Blueprint(native, memory_bytes(settings.memory))
        )
        self._history: I64 = np.zeros((0, self._players + 1), np.int64)

    @property
    def settled(self) -> bool:
        """Whether more iterations would change nothing: what was loaded is fixed."""
        return self._loaded

    def seed(self, word: int) -> None:
        """Seed the generators, and count iterations from 0."""
        self._made = 0
        self.blueprint.frames.rng[:2] = word

    def prepare(self) -> None:
        """Load every kernel."""
        self.begin()
        self.run(1)
        self.strategy(np.zeros(2 * self._players, np.uint64), 0, np.zeros(1, np.int64))

    def begin(self) -> None:
        """Forget what was learned, unless it was loaded."""
        self._history = self._history[:0]
        if not self._loaded:
            self.blueprint.make_buckets(ITERATIONS_A_CALL)

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:  # noqa: ARG002
        """Decide after one of the histories that a player considers possible: all of them are alike to it."""
        node, made = 0, []
        while histories.child[node] != NO_HISTORY:
            node = int(histories.child[node])
            made.append(histories.joint[node])
        self._history = np.array(made, np.int64).reshape(-1, self._players + 1)

    def run(self, iterations: int) -> None:
        """Learn, unless what is known was loaded."""
        if not self._loaded:
            self.blueprint.learn(iterations)
            self._made += iterations

    def weight(self, keys: U64, player: int, legal: I64) -> float:  # noqa: ARG002
        """Return 0: it has strategies for the present decision only."""
        return 0.0

    def strategy(self, keys: U64, player: int, legal: I64) -> F64:  # noqa: ARG002
        """Return the average strategy at the present decision, or its probable actions alone."""
        found = self.blueprint.strategy(self._history, player, legal)
        if self._final != "mix":
            least = found.max() if self._final == "max" else min(LEAST, found.max())
            found = np.where(found >= least, found, 0.0)
        return np.asarray(found / found.sum())


FAMILY = HiddenSearches(BlueprintSearch, (add_strategies, sample_equities, search, strategy_after))
