"""Equilibria of two-player constant-sum games by the sequence-form linear program, solved by HiGHS.

Source: Koller, Megiddo, von Stengel 1996; Lisý 2014, 2.1.5. The first player's realization plan and the second's
values at its information states are the variables, the second's plan is the dual solution. The solver's result is not
trusted: the bounds of the value are what the two strategies guarantee against best responses.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import F64, I64
from ggp.linear_programs import Program, SparseMatrix, solve_program
from ggp.native.interface import NativeGame
from ggp.solvers.sequence_form.best_responses import Response, best_response, responses, strategies_of_plans, uniform
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from ggp.solvers.worlds.exploration import NotSolvable


class Equilibrium(Struct, frozen=True):
    """Strategies of both players that are optimal up to the gap between the bounds.

    Attributes:
        strategies: `[S]`, see `best_responses.py`.
        response: their utilities, and those of best responses to them.
        low: utility of the first player that its strategy guarantees.
        high: utility of the first player that the second's strategy holds it to.
    """

    strategies: F64
    response: Response
    low: float
    high: float

    @property
    def value(self) -> float:
        """The middle of the bounds."""
        return (self.low + self.high) / 2

    @property
    def nash_conv(self) -> float:
        """The gap between the bounds."""
        return self.high - self.low


def check_kind(native: NativeGame) -> None:
    """Refuse games for which no method here finds optimal strategies, before they are unfolded.

    Raises:
        NotSolvable: there are three players or more, or two whose utilities have no constant sum.
    """
    if native.shape.players > 1:
        constant_sum(native.shape.players, native.utility_sum)


def constant_sum(players: int, utility_sum: float | None) -> float:
    """Return the constant sum of the utilities of two players.

    Raises:
        NotSolvable: there are not two players, or the sum is not constant.
    """
    if players != 2:
        raise NotSolvable(
            f"the game has {players} {'player' if players == 1 else 'players'}; equilibria over information states are"
            " computed for two"
        )
    if utility_sum is None:
        raise NotSolvable(
            "the payoffs of the two players have no constant sum that is proven, or stated in the rules as in"
            " `payoff sum = 0`; equilibria over information states are computed for such games only"
        )
    return utility_sum


def solve_linear_program(tree: SequenceFormTree, seconds: float = math.inf) -> Equilibrium:
    """Return an equilibrium of a game by linear programming.

    Args:
        tree: the game.
        seconds: time for HiGHS, by the clock on the wall.

    Raises:
        NotSolvable: the game is not for two players, or not of constant sum.
        ProgramUnsolved: HiGHS gave up, or time was up.
    """
    constant_sum(tree.players, tree.utility_sum)
    payoffs, (first, second) = payoff_matrix(tree), (plan_constraints(tree, player) for player in range(2))
    rows, columns = (len(own_numbers(tree, player)) for player in range(2))
    sets, states = (len(tree.own_sets(player)) + 1 for player in range(2))
    # with x the first player's plan and q the second's values: maximise the first of q where F'q <= A'x
    program = Program(
        cost=np.concatenate([np.zeros(rows), [-1.0], np.zeros(states - 1)]),
        low=np.concatenate([np.zeros(rows), np.full(states, -np.inf)]),
        matrix=SparseMatrix(
            np.concatenate([payoffs.column, second.column, columns + first.row]),
            np.concatenate([payoffs.row, rows + second.row, first.column]),
            np.concatenate([-payoffs.value / tree.utility_range, second.value, first.value]),
        ),
        row_low=np.concatenate([np.full(columns, -np.inf), [1.0], np.zeros(sets - 1)]),
        row_high=np.concatenate([np.zeros(columns), [1.0], np.zeros(sets - 1)]),
    )
    solution, dual = solve_program(program, seconds)
    plans = np.zeros(tree.sequences)
    plans[own_numbers(tree, 0)] = solution[:rows]
    plans[own_numbers(tree, 1)] = -dual[:columns]
    return equilibrium_of_plans(tree, plans)


def optimum_of_one(tree: SequenceFormTree) -> Equilibrium:
    """Return an optimal strategy of the only player of a game."""
    best, strategies = best_response(tree, uniform(tree), 0)
    return Equilibrium(strategies, responses(tree, strategies), best, best)


def equilibrium_of_plans(tree: SequenceFormTree, plans: F64) -> Equilibrium:
    """Return the behavioural strategies of plans, and the bounds that these guarantee.

    Args:
        tree: a game of two players and constant sum.
        plans: `[S]` realization plans, or positive multiples of them.
    """
    total = constant_sum(tree.players, tree.utility_sum)
    strategies = strategies_of_plans(tree, plans)
    response = responses(tree, strategies)
    return Equilibrium(strategies, response, total - response.best[1], response.best[0])


def own_numbers(tree: SequenceFormTree, player: int) -> I64:
    """Return the numbers of a player's sequences, the empty one first."""
    own = tree.own_sequences(player)
    return np.concatenate([[player], np.arange(own.start, own.stop)])


def payoff_matrix(tree: SequenceFormTree) -> SparseMatrix:
    """Return the first player's utilities, weighted by chance, for each pair of sequences of the two players."""
    form, numbers = tree.form, own_numbers(tree, 0)
    place = np.zeros(tree.sequences, np.int64)
    place[own_numbers(tree, 1)] = np.arange(len(own_numbers(tree, 1)))
    if tree.by_bundles:
        shared, cells = form.rectangles, list[tuple[I64, I64, F64]]()
        for bundles in shared.pair.reshape(-1, 2).tolist():
            first, second = (shared.member[shared.first[one] : shared.first[one + 1]] for one in bundles)
            utility = np.full(len(first) * len(second), shared.factor[bundles].prod())
            cells.append((np.repeat(first, len(second)), np.tile(second, len(first)), utility))
        first, second, utility = (np.concatenate(part) for part in zip(*cells, strict=True))
        return SparseMatrix(np.searchsorted(numbers, first), place[second], utility)
    begin, end = form.entry[0], form.entry[1]
    later = slice(form.entry[numbers[1]] if len(numbers) > 1 else 0, form.entry[numbers[-1] + 1])
    value = np.concatenate([form.value[begin:end], form.value[later]])
    others = np.concatenate([form.others[begin:end], form.others[later]])
    rows = np.repeat(np.arange(len(numbers)), np.diff(form.entry)[numbers])
    return SparseMatrix(rows, place[others], value)


def plan_constraints(tree: SequenceFormTree, player: int) -> SparseMatrix:
    """Return the matrix of constraints on a player's plan: the first row gives 1, that of an information state 0."""
    form, own, numbers = tree.form, tree.own_sets(player), own_numbers(tree, player)
    place = np.zeros(tree.sequences, np.int64)
    place[numbers] = np.arange(len(numbers))
    sizes = np.diff(form.first[own.start : own.stop + 1])
    rows = np.arange(1, len(own) + 1)
    return SparseMatrix(
        np.concatenate([[0], np.repeat(rows, sizes), rows]),
        np.concatenate([np.arange(len(numbers)), place[form.parent[own.start : own.stop]]]),
        np.concatenate([np.ones(len(numbers)), -np.ones(len(own))]),
    )
