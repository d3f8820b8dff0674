"""A search that learns from the beginning of the game, keeps everything, and can save and load what it has learned."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ggp.arithmetic.rng import below
from ggp.beliefs.history_tree import HistoryTree
from ggp.codegen.kernels import I64, U64
from ggp.errors import GgpError
from ggp.native.calls import call_actors, call_legal, call_sample_chance, call_step
from ggp.native.infoset_table import NODES, SLOTS, WORDS, clear, most_slots, rebuild_table
from ggp.native.interface import CHANCE, TERMINAL, NativeGame
from players.search.foundation.kernel_arguments import ITERATION
from players.search.information_sets.information_search import InformationSearch, initial_roots
from players.search.information_sets.information_walk import Roots

TRIAL_PLAYS = 200
TRIAL_TRANSITIONS = 2000
CHANCE_SEED, CHOICE_SEED = 0x9E3779B97F4A7C15, 1
MARKED_STATES = 17
FORMAT = 3
"""The format of files of strategies; it changes with the information-state keys."""


class UnusableStrategies(GgpError):
    """A file of strategies that cannot be read, or belongs to another game."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"cannot use the strategies in `{path}`: {reason}")


class LearnedSearch(InformationSearch):
    """Searches from the beginning of the game; see `InformationSearch`.

    Raises:
        UnusableStrategies: the settings name a file that cannot be used.
    """

    def __init__(self, native: NativeGame, family: Any, settings: Any, memory: int) -> None:
        super().__init__(native, family, settings, memory)
        if not settings.depth:
            self.options = self.options._replace(longest=float(self._longest()))
        self._file = Path(settings.file) if settings.file else None
        self._loaded = False
        if self._file is not None and self._file.exists():
            self.load(self._file)

    @property
    def settled(self) -> bool:
        """Whether more iterations would change nothing: strategies that were loaded are fixed."""
        return self._loaded

    def prepare(self) -> None:
        """Load every kernel; strategies that were loaded stay."""
        if self._loaded:
            self.strategy(self.roots.keys[0], 0, np.zeros(1, np.int64))
        else:
            super().prepare()

    def begin(self) -> None:
        """Forget the tree, except what was loaded."""
        if self._loaded:
            self.roots = initial_roots(self._native)
        else:
            super().begin()

    def seed(self, word: int) -> None:
        """Seed the random generator; the number of simulations loaded is kept."""
        made = self.work.base.cursor[ITERATION]
        super().seed(word)
        if self._loaded:
            self.work.base.cursor[ITERATION] = made

    def move_to(self, roots: Roots, histories: HistoryTree, role: int) -> None:
        """Continue from the beginning of the game."""

    def run(self, iterations: int) -> None:
        """Learn, unless strategies were loaded: they are fixed."""
        if not self._loaded:
            self.learn(iterations)

    def learn(self, iterations: int) -> None:
        """Learn, whether strategies were loaded or not."""
        super().run(iterations)

    def _longest(self) -> int:
        """Return the largest number of decisions of a player in some random plays."""
        rng, choices, most = np.array([CHANCE_SEED], np.uint64), [CHOICE_SEED], 1
        for _ in range(TRIAL_PLAYS):
            play = islice(self._play(rng, lambda count: below(choices, count)), TRIAL_TRANSITIONS)
            actors = [mask for _, mask in play if mask > 0]
            for player in range(self._native.shape.players):
                most = max(most, sum(mask >> player & 1 for mask in actors))
        return most

    def _play(self, rng: U64, choose: Callable[[int], int]) -> Iterator[tuple[I64, int]]:
        """Yield the states of a play up to its end, or a fault, and who acts there; players choose one of so many."""
        functions, shape = self._native.functions, self._native.shape
        state, actions = self.roots.states[0].copy(), np.zeros(shape.max_actions, np.int64)
        while True:
            actors = int(call_actors(functions.actors, state, 0))
            yield state, actors
            if actors == TERMINAL:
                return
            joint, after = np.zeros(shape.players + 1, np.int64), np.zeros(shape.state_words, np.int64)
            if actors == CHANCE:
                joint[-1] = call_sample_chance(functions.sample_chance, state, 0, rng, 0)
            for player in range(shape.players):
                if actors > 0 and actors >> player & 1:
                    count = int(call_legal(functions.legal, state, 0, player, actions, 0))
                    joint[player] = actions[choose(count)] if count > 0 else -1
            if joint.min() < 0:
                return
            call_step(functions.step, state, 0, after, 0, joint, 0)
            state = after

    def save(self, path: Path) -> None:
        """Write the learned strategies to a file.

        Raises:
            OSError: it cannot be written.
        """
        words = int(self.tree.counters[WORDS])
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                format=np.int64(FORMAT),
                game=self._mark(),
                words=self.tree.longs[:words],
                nodes=self.tree.counters[NODES],
                simulations=self.work.base.cursor[ITERATION],
            )

    def load(self, path: Path) -> None:
        """Read strategies learned in the same game.

        Raises:
            UnusableStrategies: the file cannot be read, belongs to another game, or is too large for the memory.
        """
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                found = {name: kept[name] for name in ("format", "game", "words", "nodes", "simulations")}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise UnusableStrategies(path, str(error) or "it is not a file of strategies") from error
        if int(found["format"]) != FORMAT or not np.array_equal(found["game"], self._mark()):
            raise UnusableStrategies(path, "they were learned in another game, or with other parameters")
        words: I64 = found["words"]
        if words.size > self.tree.longs.size:
            raise UnusableStrategies(path, f"they take {words.size >> 17} MB; give the player more `memory`")
        clear(self.tree)
        self.tree.longs[: words.size] = words
        self.tree.counters[WORDS] = words.size
        self.tree.counters[NODES] = int(found["nodes"])
        slots = int(self.tree.counters[SLOTS])
        while 2 * int(found["nodes"]) > slots and 2 * slots <= most_slots(self.tree):
            slots *= 2
        if 4 * int(found["nodes"]) > 3 * slots:
            raise UnusableStrategies(path, "give the player more `memory`")
        rebuild_table(self.tree, slots)
        self.work.base.cursor[ITERATION] = int(found["simulations"])
        self._loaded = True

    def _mark(self) -> I64:
        """Return numbers that differ from game to game: sizes, and states of a play of the first actions."""
        rng: U64 = np.array([0x2545F4914F6CDD1D], np.uint64)
        play = islice(self._play(rng, lambda _: 0), MARKED_STATES)
        return np.concatenate([np.array(self._native.shape, np.int64), *(state for state, _ in play)])
