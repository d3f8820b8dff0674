"""Strategy profiles on a game graph: for each state, what each player plays there.

Dimension: N states. A strategy here depends on the world state alone; strategies that depend on the history, such as
those of a search tree, are in `strategy_trees.py`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64
from ggp.errors import GgpError
from ggp.native.calls import call_legal
from ggp.solvers.worlds.state_graph import GameGraph

SUM_TOLERANCE = 1e-6
"""Probabilities may sum to 1 within this; they are then scaled to sum to 1."""


class BadStrategy(GgpError):
    """A strategy plays an illegal action, or its probabilities are not a distribution."""


class StrategyProfile(NamedTuple):
    """A strategy for each of two players, as arrays; in a one-player game only the first one counts.

    Row `s` of a player is the distribution over its legal actions in state `s`, in ascending order of actions; it has
    one entry, 1, where another player acts alone, and none in chance and terminal states.
    """

    first_row: I64  # [N + 1] first entry of each state, first player
    row_probability: F64
    first_column: I64  # [N + 1] the same of the second player
    column_probability: F64

    def of(self, player: int, state: int) -> F64:
        """Return the distribution that a player (0 or 1) plays in a state, as a view."""
        first, probability = (
            (self.first_row, self.row_probability) if player == 0 else (self.first_column, self.column_probability)
        )
        return probability[first[state] : first[state + 1]]


def uniform_profile(game: GameGraph) -> StrategyProfile:
    """Return the profile in which every player plays every legal action with the same probability."""
    decision = game.graph.actors > 0
    first_row, row_probability = _uniform(np.where(decision, game.graph.rows, 0).astype(np.int32))
    first_column, column_probability = _uniform(np.where(decision, game.graph.columns, 0).astype(np.int32))
    return StrategyProfile(first_row, row_probability, first_column, column_probability)


def _uniform(sizes: I32) -> tuple[I64, F64]:
    first = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=first[1:])
    return first, np.repeat(1.0 / np.maximum(sizes, 1), sizes)


def legal_actions(game: GameGraph, state: int, player: int) -> list[int]:
    """Return a player's legal actions in a state in which it acts, in ascending order."""
    actions = np.zeros(game.native.shape.max_actions, np.int64)
    count = int(call_legal(game.native.functions.legal, game.state_words(state), 0, player, actions, 0))
    return [int(action) for action in actions[:count]]
