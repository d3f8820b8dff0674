"""What the searches from a known world state share: the game, the options for leaves, scratch memory, the root."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import I64
from ggp.native.calls import call_actors, call_legal
from ggp.native.interface import NativeGame
from players.search.foundation.kernel_arguments import (
    ITERATION,
    LeafOptions,
    Model,
    Work,
    leaf_options,
    new_model,
    new_work,
)
from players.search.foundation.leaf_values import begin_anew
from players.search.foundation.searches import Search
from players.search.foundation.settings import LeafSettings


def legal_actions(native: NativeGame, state: I64, player: int) -> I64:
    """Return `[k]` the legal actions of a player who acts in a world state, `[W]` words or more; ascending."""
    functions = native.functions
    assert call_actors(functions.actors, state, 0) >> player & 1, "the player does not act here"
    actions = np.empty(native.shape.max_actions, np.int64)
    return actions[: int(call_legal(functions.legal, state, 0, player, actions, 0))]


class StateSearch(Search):
    """Searches one game from one root by the kernels of a subclass.

    Args:
        native: the game.
        settings: say how leaves are valued.
    """

    def __init__(self, native: NativeGame, settings: LeafSettings) -> None:
        self._native = native
        self._leaf: LeafOptions = leaf_options(settings)
        self.model: Model = new_model(native)
        self.work: Work = new_work(native.shape)

    @property
    def iterations(self) -> int:
        """Iterations since `seed`."""
        return int(self.work.cursor[ITERATION])

    @property
    def root_state(self) -> I64:
        """`[W]` words of the root's world state; a view."""
        return self.work.states[: self._native.shape.state_words]

    def seed(self, word: int) -> None:
        """Seed the random generator with a 64-bit word that is not 0; iterations and utilities met count anew."""
        begin_anew(self.work, word)

    def load_native_calls(self) -> None:
        """Load the kernels with which Python asks for the legal actions at the root."""
        functions, actions = self._native.functions, np.empty(self._native.shape.max_actions, np.int64)
        if call_actors(functions.actors, self.work.states, 0) >= 0:  # legal of a player who does not act writes nothing
            call_legal(functions.legal, self.work.states, 0, 0, actions, 0)

    def legal(self, player: int) -> I64:
        """Return the legal actions of a player who acts at the root."""
        return legal_actions(self._native, self.work.states, player)
