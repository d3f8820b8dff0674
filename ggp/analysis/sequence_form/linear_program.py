"""Equilibria of two-player constant-sum games by the sequence-form linear program, solved by HiGHS.

Source: Koller, Megiddo, von Stengel 1996; Lisý 2014, 2.1.5. The first player's realization plan and the second's
values at its information states are the variables, the second's plan is the dual solution. The solver's result is not
trusted: the bounds of the value are what the two strategies guarantee against best responses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ggp.analysis.sequence_form.best_responses import (
    Response,
    best_response,
    responses,
    strategies_of_plans,
    uniform,
)
from ggp.analysis.sequence_form.information_tree import InformationTree
from ggp.analysis.worlds.exploration import NotSolvable
from ggp.codegen.kernels import F64, I64
from ggp.errors import GgpError
from ggp.model.native.interface import NativeGame

if TYPE_CHECKING:
    from scipy.sparse import csr_array

INTERIOR_POINT_FROM = 3_000
"""Number of sequences from which the interior-point method is faster than the simplex method."""


TIME_IS_UP = 1
"""A status of linprog."""
LEAST_SECONDS = 0.001
"""HiGHS takes 0 for no limit."""


class ProgramUnsolved(GgpError):
    """HiGHS did not solve the linear program."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """Strategies of both players that are optimal up to the gap between the bounds.

    Attributes:
        strategies: `[S]`, see `best_responses.py`.
        response: their utilities, and those of best responses to them.
        low: utility of the first player that its strategy guarantees.
        high: utility of the first player that the second's strategy holds it to.
        unreached: number of information states that the player's own plan never reaches; its strategy is uniform there.
    """

    strategies: F64
    response: Response
    low: float
    high: float
    unreached: int

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
        check_players_and_sum(native.shape.players, native.utility_sum)


def check_two_constant_sum(tree: InformationTree) -> float:
    """Return the constant sum of the utilities of the two players.

    Raises:
        NotSolvable: there are not two players, or the sum is not constant.
    """
    return check_players_and_sum(tree.players, tree.utility_sum)


def check_players_and_sum(players: int, utility_sum: float | None) -> float:
    """Return the sum of utilities if there are two players and it is constant.

    Raises:
        NotSolvable: otherwise.
    """
    if players != 2:
        raise NotSolvable(
            f"the game has {players} {'player' if players == 1 else 'players'}; equilibria over information states are"
            " computed for two"
        )
    if utility_sum is None:
        raise NotSolvable(
            "the payoffs of the two players have no constant sum; equilibria over information states are computed for"
            " games with one only"
        )
    return utility_sum


def solve_linear_program(tree: InformationTree, seconds: float = math.inf) -> Equilibrium:
    """Return an equilibrium of a game by linear programming.

    Args:
        tree: the game.
        seconds: time for HiGHS, by the clock on the wall.

    Raises:
        NotSolvable: the game is not for two players, or not of constant sum.
        ProgramUnsolved: HiGHS gave up, or time was up.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, hstack

    check_two_constant_sum(tree)
    payoffs, (first, second) = payoff_matrix(tree), (plan_constraints(tree, player) for player in range(2))
    (rows, columns), states = payoffs.shape, second.shape[0]
    # with x the first player's plan and q the second's values: maximise the first of q where F'q <= A'x
    program = linprog(
        c=np.concatenate([np.zeros(rows), [-1.0], np.zeros(states - 1)]),
        A_ub=hstack([-payoffs.T / tree.utility_range, second.T], format="csr"),
        b_ub=np.zeros(columns),
        A_eq=hstack([first, coo_array((first.shape[0], states))], format="csr"),
        b_eq=np.concatenate([[1.0], np.zeros(first.shape[0] - 1)]),
        bounds=[(0, None)] * rows + [(None, None)] * states,
        method="highs-ipm" if rows + columns >= INTERIOR_POINT_FROM else "highs-ds",
        options={"time_limit": max(seconds, LEAST_SECONDS)},
    )
    if program.x is None or program.status == TIME_IS_UP:
        raise ProgramUnsolved(f"HiGHS did not solve the program of {rows + columns:,} sequences: {program.message}")
    plans = np.zeros(tree.sequences)
    plans[own_numbers(tree, 0)] = program.x[:rows]
    plans[own_numbers(tree, 1)] = -np.asarray(program.ineqlin.marginals, np.float64)
    return equilibrium_of_plans(tree, plans)


def optimum_of_one(tree: InformationTree) -> Equilibrium:
    """Return an optimal strategy of the only player of a game."""
    best, strategies = best_response(tree, uniform(tree), 0)
    return Equilibrium(strategies, responses(tree, strategies), best, best, 0)


def equilibrium_of_plans(tree: InformationTree, plans: F64) -> Equilibrium:
    """Return the behavioural strategies of plans, and the bounds that these guarantee.

    Args:
        tree: a game of two players and constant sum.
        plans: `[S]` realization plans, or positive multiples of them.
    """
    total = check_two_constant_sum(tree)
    strategies, unreached = strategies_of_plans(tree, plans)
    response = responses(tree, strategies)
    return Equilibrium(strategies, response, total - response.best[1], response.best[0], unreached)


def own_numbers(tree: InformationTree, player: int) -> I64:
    """Return the numbers of a player's sequences, the empty one first."""
    own = tree.own_sequences(player)
    return np.concatenate([[player], np.arange(own.start, own.stop)])


def payoff_matrix(tree: InformationTree) -> csr_array:
    """Return the first player's utilities, weighted by chance, for each pair of sequences of the two players."""
    from scipy.sparse import csr_array

    form, numbers = tree.form, own_numbers(tree, 0)
    place = np.zeros(tree.sequences, np.int32)
    place[own_numbers(tree, 1)] = np.arange(len(own_numbers(tree, 1)))
    begin, end = form.entry[0], form.entry[1]
    later = slice(form.entry[numbers[1]] if len(numbers) > 1 else 0, form.entry[numbers[-1] + 1])
    value = np.concatenate([form.value[begin:end], form.value[later]])
    others = np.concatenate([form.others[begin:end], form.others[later]])
    first = np.concatenate([[0], np.cumsum(np.diff(form.entry)[numbers])])
    return csr_array((value, place[others], first), shape=(len(numbers), len(own_numbers(tree, 1))))


def plan_constraints(tree: InformationTree, player: int) -> csr_array:
    """Return the matrix of constraints on a player's plan: the first row gives 1, that of an information state 0."""
    from scipy.sparse import coo_array

    form, own, numbers = tree.form, tree.own_sets(player), own_numbers(tree, player)
    place = np.zeros(tree.sequences, np.int64)
    place[numbers] = np.arange(len(numbers))
    sizes = np.diff(form.first[own.start : own.stop + 1])
    rows = np.arange(1, len(own) + 1)
    return coo_array(
        (
            np.concatenate([np.ones(len(numbers)), -np.ones(len(own))]),
            (
                np.concatenate([[0], np.repeat(rows, sizes), rows]),
                np.concatenate([np.arange(len(numbers)), place[form.parent[own.start : own.stop]]]),
            ),
        ),
        shape=(len(own) + 1, len(numbers)),
    ).tocsr()
