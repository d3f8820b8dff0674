"""A search that learns from the beginning of the game, keeps everything, and can save and load what it has learned."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ggp.codegen.kernels import I64, U64, AnyKernel, kernel
from ggp.errors import GgpError
from ggp.native.calls import call_actors, call_legal, call_sample_chance, call_step
from ggp.native.interface import CHANCE, TERMINAL, NativeGame
from ggp.native.rng_kernels import below
from players.search.foundation.kernel_arguments import ITERATION, Model
from players.search.information_sets.history_tree import HistoryTree
from players.search.information_sets.information_search import InformationSearch, initial_roots
from players.search.information_sets.information_walk import Roots
from players.search.information_sets.infoset_table import NODES, SLOTS, WORDS, clear, most_slots, rebuild_table

TRIAL_PLAYS = 200
TRIAL_TRANSITIONS = 2000
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

    @staticmethod
    def more_kernels() -> Iterator[AnyKernel]:
        """Yield the kernel that measures how long plays are."""
        yield most_decisions

    def run(self, iterations: int) -> None:
        """Learn, unless strategies were loaded: they are fixed."""
        if not self._loaded:
            self.learn(iterations)

    def learn(self, iterations: int) -> None:
        """Learn, whether strategies were loaded or not."""
        super().run(iterations)

    def _longest(self) -> int:
        """Return the largest number of decisions of a player in some random plays."""
        shape = self._native.shape
        states = np.zeros(3 * shape.state_words, np.int64)
        counts, actions = np.zeros(shape.players, np.int64), np.zeros(shape.max_actions, np.int64)
        joint, rng = np.zeros(shape.players + 1, np.int64), np.array([0x9E3779B97F4A7C15], np.uint64)
        return max(1, int(most_decisions(self.model, states, self.roots.states[0], counts, actions, joint, rng)))

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
        """Return numbers that differ from game to game: sizes, and states of a random play."""
        shape = self._native.shape
        state, after = self.roots.states[0].copy(), np.zeros(shape.state_words, np.int64)
        marks = [np.array(shape, np.int64), state.copy()]
        actions, joint = np.zeros(shape.max_actions, np.int64), np.zeros(shape.players + 1, np.int64)
        rng: U64 = np.array([0x2545F4914F6CDD1D], np.uint64)
        functions = self._native.functions
        for _ in range(16):
            actors = call_actors(functions.actors, state, 0)
            if actors == TERMINAL:
                break
            joint[:] = 0
            if actors == CHANCE:
                joint[-1] = call_sample_chance(functions.sample_chance, state, 0, rng, 0)
            for player in range(shape.players):
                if actors >> player & 1:
                    count = call_legal(functions.legal, state, 0, player, actions, 0)
                    joint[player] = actions[0] if count else 0
            call_step(functions.step, state, 0, after, 0, joint, 0)
            state[:] = after
            marks.append(state.copy())
        return np.concatenate(marks)


@kernel
def most_decisions(model: Model, states: I64, start: I64, counts: I64, actions: I64, joint: I64, rng: U64) -> int:
    """Return the largest number of decisions of one player in some random plays.

    Args:
        model: the game.
        states: `[3 * W]`, overwritten.
        start: `[W]` the first state.
        counts: `[P]`, overwritten.
        actions: `[A]`, overwritten.
        joint: `[P + 1]`, overwritten.
        rng: a generator.
    """
    functions, players, words = model.functions, model.shape.players, model.shape.state_words
    most = 0
    for _ in range(TRIAL_PLAYS):
        at = 0
        states[:words] = start
        counts[:] = 0
        for _ in range(TRIAL_TRANSITIONS):
            actors = call_actors(functions.actors, states, at)
            if actors == TERMINAL:
                break
            fine = True
            joint[:] = 0
            if actors == CHANCE:
                outcome = call_sample_chance(functions.sample_chance, states, at, rng, 0)
                fine = outcome >= 0
                joint[players] = outcome
            for player in range(players):
                if actors > 0 and actors >> player & 1:
                    count = call_legal(functions.legal, states, at, player, actions, 0)
                    fine = fine and count > 0
                    if count > 0:
                        joint[player] = actions[below(rng, 0, count)]
                        counts[player] += 1
                        most = max(most, counts[player])
            if not fine:
                break
            to = words if at != words else 2 * words
            call_step(functions.step, states, at, states, to, joint, 0)
            at = to
    return most
