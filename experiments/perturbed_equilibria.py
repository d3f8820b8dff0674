"""The equilibrium of a game in which all players must explore: the limit of regret matching with exploration.

With a share gamma of exploration, `rm` measures regrets against an opponent who explores too, but its final strategy
contains no exploration. If play settles, the strategies as played are in equilibrium among all strategies that give
each of k actions at least gamma / k, at every node, and values further up are those of such play.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64
from ggp.native.interface import TERMINAL
from ggp.solvers.matrix.matrix_games import solve_matrix_game
from ggp.solvers.worlds.profiles import StrategyProfile, uniform_profile
from ggp.solvers.worlds.state_graph import GameGraph


def perturbed_profile(game: GameGraph, gamma: float) -> StrategyProfile:
    """Return an equilibrium of the game with exploration, without its exploration.

    If a matrix has several equilibria, one of them is used.

    Args:
        game: of two players without chance, in which the number of each state is less than those of its successors.
        gamma: share of uniform exploration, in [0, 1).
    """
    graph = game.graph
    profile = uniform_profile(game)
    value = np.zeros(game.states)
    for state in range(game.states - 1, -1, -1):
        if graph.actors[state] == TERMINAL:
            value[state] = graph.utility[state]
            continue
        assert graph.actors[state] > 0, "chance is not provided for"
        targets = graph.target[graph.first[state] : graph.first[state + 1]]
        assert targets.min() > state, "a state comes before one that leads to it"
        rows, columns = int(graph.rows[state]), int(graph.columns[state])
        payoff = value[targets].reshape(rows, columns)
        solution = solve_matrix_game(exploring(rows, gamma) @ payoff @ exploring(columns, gamma))
        profile.of(0, state)[:] = solution.row_strategy
        profile.of(1, state)[:] = solution.column_strategy
        value[state] = solution.value
    return profile


def exploring(actions: int, gamma: float) -> F64:
    """Return the matrix `[k, k]` that adds exploration to a strategy over k actions; it is symmetric."""
    return np.asarray((1.0 - gamma) * np.eye(actions) + gamma / actions)
