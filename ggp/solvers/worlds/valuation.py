"""Kernels that value the states of a game graph from the ends of play backwards: optimally, or under given strategies.

Values are for the first player, who maximises; the second, if there is one, minimises. Dimension: N states.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, U8, kernel
from ggp.native.interface import CHANCE, TERMINAL
from ggp.solvers.matrix.matrix_kernels import MatrixWork, solve
from ggp.solvers.worlds.components import is_cyclic
from ggp.solvers.worlds.profiles import StrategyProfile
from ggp.solvers.worlds.state_graph import STATES, StateGraph

EQUILIBRIUM, FIRST_RESPONDS, SECOND_RESPONDS, BOTH_FIXED = 0, 1, 2, 3
"""What players do: both play optimally; one responds best to the other's fixed strategy; both strategies are fixed."""

DONE, NEEDS_REFINEMENT, NEEDS_ITERATION = 0, 1, 2
NEXT, STATE, POSITION = 0, 1, 2
"""Of `position`: the next component to value; the state whose matrix game needs refinement; its length."""


class Task(NamedTuple):
    """What to compute."""

    mode: int  # EQUILIBRIUM, ..., BOTH_FIXED
    profile: StrategyProfile  # the fixed strategies; not read in mode EQUILIBRIUM
    tolerance: float  # largest gap between the bounds of a matrix game, in units of utility
    slack: float  # values that differ by no more than this may count as equal


class Induction(NamedTuple):
    """A game graph that is valued from the ends of play backwards, how, and scratch memory."""

    graph: StateGraph
    order: I32  # components as in `components.Components`
    first: I64  # likewise
    task: Task
    work: MatrixWork  # after NEEDS_REFINEMENT it holds the matrix game of the state that needs it


class Valuation(NamedTuple):
    """Values of the states of a game graph while they are computed."""

    value: F64  # [N] of a state once its component is valued
    pure: U8  # [N] in mode EQUILIBRIUM, 1 in decisions that have an equilibrium in pure strategies
    refined: U8  # [N] 1 where `value` was found by another solver and holds


@kernel
def value_matrix_game(induction: Induction, valuation: Valuation, state: int) -> bool:
    """Write the value of a state in which both players choose; return False if its bounds are too far apart."""
    graph, task, work = induction.graph, induction.task, induction.work
    # int64 like Python's own integers here, so that the solver, which is long, is compiled for one type only
    rows, columns = int(np.int64(graph.rows[state])), int(np.int64(graph.columns[state]))
    first = graph.first[state]
    for index in range(rows * columns):
        work.payoff[index] = valuation.value[graph.target[first + index]]
    valuation.pure[state] = solve(work, rows, columns, task.slack)
    valuation.value[state] = 0.5 * (work.bounds[0] + work.bounds[1])
    return bool(work.bounds[1] - work.bounds[0] <= task.tolerance)


@kernel
def best_single(graph: StateGraph, value: F64, state: int) -> float:
    """Return the value of a state in which only one player has a choice: the maximum, or the minimum for the second."""
    maximise = graph.columns[state] == 1
    best = -np.inf if maximise else np.inf
    for edge in range(graph.first[state], graph.first[state + 1]):
        other = value[graph.target[edge]]
        best = max(best, other) if maximise else min(best, other)
    return best


@kernel
def value_under_strategies(
    successor: F64, rows: int, columns: int, row_probability: F64, column_probability: F64, mode: int
) -> float:
    """Return the value of a decision in which one or both players play fixed strategies.

    Args:
        successor: `[rows * columns]` and more, the value behind each joint action.
        rows: legal actions of the first player.
        columns: of the second.
        row_probability: `[rows]` and more, the first player's strategy.
        column_probability: `[columns]` and more, the second player's.
        mode: who plays them.
    """
    if mode == SECOND_RESPONDS:
        best = np.inf
        for column in range(columns):
            expected = 0.0
            for row in range(rows):
                expected += row_probability[row] * successor[row * columns + column]
            best = min(best, expected)
        return best
    best, total = -np.inf, 0.0
    for row in range(rows):
        expected = 0.0
        for column in range(columns):
            expected += column_probability[column] * successor[row * columns + column]
        best = max(best, expected)
        total += row_probability[row] * expected
    return best if mode == FIRST_RESPONDS else total


@kernel
def expected_value(graph: StateGraph, value: F64, state: int, task: Task, successor: F64) -> float:
    """Return the value of a state from those of its successors; of a decision, under the strategies of the task.

    Args:
        graph: the game.
        value: `[N]` of the states that follow.
        state: which.
        task: what to compute; not read where nobody decides.
        successor: `[A * A]`, overwritten.
    """
    actors, first = graph.actors[state], graph.first[state]
    if actors == TERMINAL:
        return float(graph.utility[state])
    if actors == CHANCE:
        weight, total = graph.first_probability[state], 0.0
        for index in range(graph.rows[state]):
            total += graph.probability[weight + index] * value[graph.target[first + index]]
        return total
    profile, rows, columns = task.profile, graph.rows[state], graph.columns[state]
    for index in range(rows * columns):
        successor[index] = value[graph.target[first + index]]
    row_probability = profile.row_probability[profile.first_row[state] :]
    column_probability = profile.column_probability[profile.first_column[state] :]
    return value_under_strategies(successor, rows, columns, row_probability, column_probability, task.mode)


@kernel
def value_state(induction: Induction, valuation: Valuation, state: int) -> bool:
    """Write the value of a state from those of its successors; return False if its matrix game needs refinement."""
    graph, task = induction.graph, induction.task
    if task.mode != EQUILIBRIUM or graph.actors[state] <= 0:
        valuation.value[state] = expected_value(graph, valuation.value, state, task, induction.work.payoff)
    elif graph.rows[state] == 1 or graph.columns[state] == 1:
        valuation.value[state] = best_single(graph, valuation.value, state)
        valuation.pure[state] = 1
    elif not valuation.refined[state]:
        return value_matrix_game(induction, valuation, state)
    return True


@kernel
def value_components(induction: Induction, position: I64, valuation: Valuation, budget: int) -> int:
    """Value at most `budget` further components, from `position[NEXT]` on.

    Args:
        induction: the game; its scratch memory is overwritten.
        position: `[POSITION]`, advanced.
        valuation: changed.
        budget: in components.

    Returns:
        DONE when the budget is spent or nothing is left; NEEDS_ITERATION at a component whose states can recur.
    """
    order, first = induction.order, induction.first
    last = min(position[NEXT] + budget, first.size - 1)
    while position[NEXT] < last:
        component = position[NEXT]
        if is_cyclic(induction.graph, order, first, component):
            return NEEDS_ITERATION
        state = order[first[component]]
        if not value_state(induction, valuation, state):
            position[STATE] = state
            return NEEDS_REFINEMENT
        position[NEXT] = component + 1
    return DONE


@kernel
def sweep(induction: Induction, begin: int, end: int, valuation: Valuation) -> int:
    """Value the states `order[begin:end]` once more, each from the newest values of the others (Gauss-Seidel).

    States found last come first, so one sweep carries values most of the way from the ends of play to the root.

    Returns how many matrix games missed their tolerance; these take the middle of their bounds.

    Source: Shapley 1953 for simultaneous moves; the same operator with one player acting is value iteration.
    """
    missed = 0
    for index in range(begin, end):
        if not value_state(induction, valuation, induction.order[index]):
            missed += 1
    return missed


@kernel
def inherited_gap(induction: Induction, begin: int, end: int, lower: F64, upper: F64) -> float:
    """Return the largest gap between bounds among the successors of `order[begin:end]` outside of it.

    The bounds of the states in `order[begin:end]` are overwritten.
    """
    graph, order = induction.graph, induction.order
    for index in range(begin, end):
        lower[order[index]] = upper[order[index]] = 0.0
    gap = 0.0
    for index in range(begin, end):
        state = order[index]
        for edge in range(graph.first[state], graph.first[state + 1]):
            gap = max(gap, upper[graph.target[edge]] - lower[graph.target[edge]])
    return gap


@kernel
def widest_gap(order: I32, begin: int, end: int, lower: F64, upper: F64) -> float:
    """Return the largest gap between bounds among the states `order[begin:end]`."""
    gap = 0.0
    for index in range(begin, end):
        gap = max(gap, upper[order[index]] - lower[order[index]])
    return gap


@kernel
def iterate_slice(
    induction: Induction, begin: int, end: int, lower: Valuation, upper: Valuation, allowed: float, sweeps: int
) -> int:
    """Sweep the states `order[begin:end]` from both bounds until these are close, or `sweeps` times.

    Returns:
        The number of matrix games that missed their tolerance in the sweep after which the bounds were at most
        `allowed` apart; -1 if they never were.
    """
    for _ in range(sweeps):
        missed = sweep(induction, begin, end, lower)
        missed += sweep(induction, begin, end, upper)
        if widest_gap(induction.order, begin, end, lower.value, upper.value) <= allowed:
            return missed
    return -1


@kernel
def share_among_best(
    graph: StateGraph, value: F64, player: int, slack: float, profile: StrategyProfile, work: F64
) -> None:
    """Write a player's best response in all decisions: the same probability for all actions within `slack` of the best.

    Args:
        graph: the game.
        value: `[N]` of its states for the first player, where the player plays a best response.
        player: 0 or 1; the first one maximises.
        slack: in units of utility.
        profile: the player's strategy is overwritten, the other's is read.
        work: `[A]` overwritten.
    """
    for state in range(graph.counters[STATES]):
        if graph.actors[state] > 0:
            rows, columns, first = graph.rows[state], graph.columns[state], graph.first[state]
            row_at, column_at = profile.first_row[state], profile.first_column[state]
            count = rows if player == 0 else columns
            best = -np.inf
            for own in range(count):
                total = 0.0
                for other in range(columns if player == 0 else rows):
                    if player == 0:
                        total += (
                            profile.column_probability[column_at + other]
                            * value[graph.target[first + own * columns + other]]
                        )
                    else:
                        total -= (
                            profile.row_probability[row_at + other] * value[graph.target[first + other * columns + own]]
                        )
                work[own] = total
                best = max(best, total)
            among = 0
            for own in range(count):
                among += work[own] >= best - slack
            for own in range(count):
                share = 1.0 / among if work[own] >= best - slack else 0.0
                if player == 0:
                    profile.row_probability[row_at + own] = share
                else:
                    profile.column_probability[column_at + own] = share
