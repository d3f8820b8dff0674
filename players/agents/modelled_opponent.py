"""The player `rnr`: full-width search against an opponent that is modelled by another search.

Source: SSS09 section 6. `method=restricted` plays a restricted Nash equilibrium (`counterfactual_regret.py`);
`method=mix` tosses a coin once a match and plays a best response to the model with probability p, an equilibrium
otherwise.

The model searches from the same root for its own number of iterations, and follows play as the modelled player would.
Its strategies hold at the nodes that it has expanded; at all others the modelled opponent plays uniformly. During play,
the confidence is updated by Bayes' rule after the opponent's actions, so the opponent's two reach probabilities at the
new root are the same as in the tree of the whole game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import numpy as np

from ggp.arithmetic.rng import seed_word, uniform
from ggp.codegen.kernels import F64, I64, AnyKernel
from ggp.native.interface import NativeGame
from players.agents.registry import modelled_player
from players.search.cfr.counterfactual_regret import SweepOptions
from players.search.cfr.full_width import FullWidthSearch, full_width_kernels
from players.search.cfr.partial_tree import (
    FIRST,
    FIXED,
    NONE,
    action_count,
    action_numbers,
    block_kind,
    children,
    column_count,
    labels_begin,
    links_begin,
)
from players.search.foundation.memory import MEGABYTE, memory_bytes
from players.search.foundation.node_kinds import DECISION
from players.search.foundation.searches import NO_CHILD, ReadableSearch, SearchFamily
from players.search.foundation.settings import RnrSettings

RESTRICTED_COPIES, RESTRICTED_FIELDS = 2, 4
MODEL_SEED, COIN_SEED = 1, 2
MODEL_SHARE = 4
"""The model gets one part in this many of the memory."""
UNITS_AN_ITERATION = 40
UNITS_A_READING = 500
"""Work units of an iteration of the model, and of reading its strategy at a node."""


class ModelledOpponentSearch(FullWidthSearch):
    """Searches for one role against a model of the other; `seed`, `take_role` and `set_root` before anything else."""

    def __init__(self, native: NativeGame, settings: RnrSettings) -> None:
        model = modelled_player(settings.model)
        memory = memory_bytes(settings.memory) // MEGABYTE
        share = max(1, memory // MODEL_SHARE)
        if model.settings.memory:
            own = model.settings
        else:
            own, settings = replace(model.settings, memory=share), replace(settings, memory=max(1, memory - share))
        options = SweepOptions(plain=0, kept=1.0, role=0, confidence=settings.p)
        super().__init__(native, settings, options, RESTRICTED_COPIES, RESTRICTED_FIELDS)
        self.modelled: ReadableSearch = model.kind.family.make_readable(native, own)
        self._settings = settings
        self._modelled_until = 0
        self._reading: Iterator[None] = iter(())

    @property
    def confidence(self) -> float:
        """The probability that the opponent is the modelled one, at the root."""
        return self.options.confidence

    def seed(self, word: int) -> None:
        """Seed both generators, toss the coin of `method=mix`, and reset the confidence."""
        super().seed(word)
        self.modelled.seed(seed_word(word, MODEL_SEED))
        confidence = self._settings.p
        if self._settings.method == "mix":
            confidence = float(uniform([seed_word(word, COIN_SEED)]) < confidence)
        self.options = self.options._replace(confidence=confidence)

    def take_role(self, role: int) -> None:
        """Search for a player who has this role; `set_root` comes next."""
        self.options = self.options._replace(role=role)

    def prepare(self, state: I64) -> None:
        """Load every kernel, and touch the first memory; see `Search.prepare`."""
        self.modelled.prepare(state)
        super().prepare(state)

    def set_root(self, state: I64) -> None:
        """Forget both trees and begin at a world state, `[W]` words."""
        self.modelled.set_root(state)
        super().set_root(state)

    def advance(self, key: int, state: I64) -> bool:
        """Follow a transition with both trees; see `Search.advance`."""
        self._learn(key)
        self.modelled.advance(key, state)
        return super().advance(key, state)

    def modelled_strategy_at(self, node: int) -> F64:
        """Return `[k]` the strategy of the modelled opponent at a decision node."""
        fixed: F64 = action_numbers(self.tree, node, FIXED, 1 - self.options.role)
        return fixed.copy()

    def _learn(self, key: int) -> None:
        """Update the confidence by the opponent's action (Bayes' rule)."""
        tree, opponent = self.tree, 1 - self.options.role
        if not self.planted or block_kind(tree, FIRST) != DECISION:
            return
        columns = column_count(tree, FIRST)
        action = key % columns if opponent == 1 else key // columns
        size = action_count(tree, FIRST, opponent)
        fixed = self.options.confidence * self.modelled_strategy_at(FIRST)[action]
        free = (1.0 - self.options.confidence) * self.strategy_at(FIRST, opponent, size)[action]
        if fixed + free > 0:
            self.options = self.options._replace(confidence=float(fixed / (fixed + free)))

    # --- phases between valuing and sweeping --------------------------------------------------------------------------

    def _begin(self) -> None:
        self._modelled_until = self.modelled.iterations + self._settings.model_iterations
        super()._begin()

    def _ready(self, units: int) -> int:
        self._reading = self._read_model()
        self._phase = self._model
        return units

    def _model(self, units: int) -> int:
        left = self._modelled_until - self.modelled.iterations
        if left > 0:
            made = min(left, max(1, units // UNITS_AN_ITERATION))
            self.modelled.run(made)
            return units - made * UNITS_AN_ITERATION
        for _ in self._reading:
            units -= UNITS_A_READING
            if units <= 0:
                return units
        return super()._ready(units)

    def _read_model(self) -> Iterator[None]:
        """Write the model's strategies to all blocks at nodes that it has expanded; yields after each."""
        tree, modelled, opponent = self.tree, self.modelled, 1 - self.options.role
        waiting = [(FIRST, modelled.root_node)]
        while waiting:
            block, node = waiting.pop()
            if block_kind(tree, block) == DECISION and modelled.has_strategies(node):
                size = action_count(tree, block, opponent)
                action_numbers(tree, block, FIXED, opponent)[:] = modelled.strategy_at(node, opponent, size)
            count, links, outcomes = children(tree, block), links_begin(tree, block), labels_begin(tree, block)
            places = np.flatnonzero(tree.ints[links : links + count] > NONE)
            decides = block_kind(tree, block) == DECISION
            keys = places if decides else tree.ints[outcomes + places].astype(np.int64)
            for place, child in zip(places, modelled.children_of(node, keys), strict=True):
                if child != NO_CHILD:
                    waiting.append((int(tree.ints[links + place]), int(child)))
            yield


class RnrFamily(SearchFamily):
    """Makes the searches of `rnr`."""

    for_one_role: ClassVar[bool] = True

    def make_readable(self, native: NativeGame, settings: RnrSettings) -> ReadableSearch:
        """Return a search; its strategies for the other role are the free opponent's, not the modelled one's."""
        return ModelledOpponentSearch(native, settings)

    def kernels(self, settings: RnrSettings) -> Iterator[AnyKernel]:
        """Yield the kernels that the search and its model call."""
        yield from full_width_kernels()
        model = modelled_player(settings.model)
        yield from model.kind.family.kernels(model.settings)


FAMILY = RnrFamily()
