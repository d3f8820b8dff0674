"""Zero-sum matrix games inside kernels: saddle points, and a small simplex method.

The row player maximises the payoff, the column player minimises it. Dimensions: a game of R rows and C columns, stored
row-major; room for M rows and N columns.

The solution is not trusted but measured: `solve` writes the lower bound that the row strategy guarantees and the upper
bound that the column strategy guarantees. The value lies between them.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, allocated, kernel

LEAST_REDUCED_COST = 1e-12
"""Smallest reduced cost at which the simplex method enters a column, on payoffs scaled to [1, 2]."""
LEAST_PIVOT = 1e-11
GREEDY_PIVOTS = 20
"""After this many pivots per row and column, the rule changes from steepest ascent to Bland's, which cannot cycle."""
MAX_PIVOTS = 200


class MatrixWork(NamedTuple):
    """A matrix game, its solution, and scratch memory; one for each thread."""

    payoff: Annotated[F64, "M * N"]  # the caller writes the game to the first R * C numbers
    row_strategy: Annotated[F64, "M"]  # overwritten by `solve`
    column_strategy: Annotated[F64, "N"]  # overwritten by `solve`
    bounds: Annotated[F64, "2"]  # what the row strategy guarantees at least, what the column strategy allows at most
    row_labels: Annotated[I64, "M"]  # variable that is basic in a row of the tableau
    column_labels: Annotated[I64, "N"]
    tableau: Annotated[F64, "(M + 1) * (N + 1)"]


def new_matrix_work(rows: int, columns: int) -> MatrixWork:
    """Return memory for games of at most so many rows and columns."""
    return allocated(MatrixWork, M=rows, N=columns)


@kernel
def find_saddle_point(work: MatrixWork, rows: int, columns: int, slack: float) -> bool:
    """Look for a saddle point; if there is one, write it and return True.

    A saddle point exists if the maximin over rows is within `slack` of the minimax over columns: payoffs that differ
    only by rounding must count as equal.
    """
    best_row, best = 0, -np.inf
    for row in range(rows):
        least = np.inf
        for column in range(columns):
            least = min(least, work.payoff[row * columns + column])
        if least > best:
            best_row, best = row, least
    for column in range(columns):
        greatest = -np.inf
        for row in range(rows):
            greatest = max(greatest, work.payoff[row * columns + column])
        if greatest <= best + slack:
            work.row_strategy[best_row] = 1.0
            work.column_strategy[column] = 1.0
            work.bounds[0] = best
            work.bounds[1] = greatest
            return True
    return False


@kernel
def fill_tableau(work: MatrixWork, rows: int, columns: int) -> None:
    """Write the tableau of: maximise the sum of y where B y <= 1, y >= 0; B is the game scaled to [1, 2]."""
    low, high = np.inf, -np.inf
    for entry in range(rows * columns):
        low = min(low, work.payoff[entry])
        high = max(high, work.payoff[entry])
    scale = 1.0 / (high - low)
    width = columns + 1
    for row in range(rows):
        for column in range(columns):
            work.tableau[row * width + column] = 1.0 + (work.payoff[row * columns + column] - low) * scale
        work.tableau[row * width + columns] = 1.0
        work.row_labels[row] = columns + row  # slack of the row
    for column in range(columns):
        work.tableau[rows * width + column] = -1.0
        work.column_labels[column] = column
    work.tableau[rows * width + columns] = 0.0


@kernel
def entering_column(work: MatrixWork, height: int, width: int, greedy: bool) -> int:
    """Return the column to enter the basis: the steepest one, or the one with the lowest label; -1 at the optimum."""
    best, best_key = -1, -LEAST_REDUCED_COST
    for column in range(width - 1):
        cost = work.tableau[(height - 1) * width + column]
        if cost >= -LEAST_REDUCED_COST:
            continue
        key = cost if greedy else np.float64(work.column_labels[column])
        if best < 0 or key < best_key:
            best, best_key = column, key
    return best


@kernel
def leaving_row(work: MatrixWork, height: int, width: int, column: int) -> int:
    """Return the row that first reaches 0 as the column grows; among ties, the one with the lowest label."""
    best, best_ratio = -1, np.inf
    for row in range(height - 1):
        entry = work.tableau[row * width + column]
        if entry <= LEAST_PIVOT:
            continue
        ratio = work.tableau[row * width + width - 1] / entry
        if ratio < best_ratio or (ratio == best_ratio and work.row_labels[row] < work.row_labels[best]):
            best, best_ratio = row, ratio
    return best


@kernel
def pivot(work: MatrixWork, height: int, width: int, row: int, column: int) -> None:
    """Exchange the variables of a row and a column in the condensed tableau."""
    tableau = work.tableau
    inverse = 1.0 / tableau[row * width + column]
    for j in range(width):
        tableau[row * width + j] *= inverse
    tableau[row * width + column] = inverse
    for i in range(height):
        factor = tableau[i * width + column]
        if i == row or factor == 0.0:
            continue
        for j in range(width):
            tableau[i * width + j] -= factor * tableau[row * width + j]
        tableau[i * width + column] = -factor * inverse
    label = work.row_labels[row]
    work.row_labels[row] = work.column_labels[column]
    work.column_labels[column] = label


@kernel
def solve_by_simplex(work: MatrixWork, rows: int, columns: int) -> None:
    """Write both strategies of a game without a saddle point: the primal solution, and the dual one.

    If the pivots run out, the strategies are those of the last basis, and the bounds show the error.
    """
    fill_tableau(work, rows, columns)
    height, width, size = rows + 1, columns + 1, rows + columns
    for count in range(MAX_PIVOTS * size):
        column = entering_column(work, height, width, count < GREEDY_PIVOTS * size)
        if column < 0:
            break
        row = leaving_row(work, height, width, column)
        if row < 0:
            break
        pivot(work, height, width, row, column)
    for row in range(rows):
        label = work.row_labels[row]
        if label < columns:
            work.column_strategy[label] = work.tableau[row * width + width - 1]
    for column in range(columns):
        label = work.column_labels[column]
        if label >= columns:
            work.row_strategy[label - columns] = work.tableau[(height - 1) * width + column]
    normalise(work.row_strategy, rows)
    normalise(work.column_strategy, columns)


@kernel
def normalise(strategy: F64, size: int) -> None:
    """Turn `size` numbers, some perhaps negative by rounding, into a distribution; uniform if none is positive."""
    total = 0.0
    for index in range(size):
        strategy[index] = max(strategy[index], 0.0)
        total += strategy[index]
    for index in range(size):
        strategy[index] = strategy[index] / total if total > 0.0 else 1.0 / size


@kernel
def measure_bounds(work: MatrixWork, rows: int, columns: int) -> None:
    """Write what the row strategy guarantees at least, and what the column strategy allows at most."""
    low, high = np.inf, -np.inf
    for column in range(columns):
        expected = 0.0
        for row in range(rows):
            expected += work.row_strategy[row] * work.payoff[row * columns + column]
        low = min(low, expected)
    for row in range(rows):
        expected = 0.0
        for column in range(columns):
            expected += work.column_strategy[column] * work.payoff[row * columns + column]
        high = max(high, expected)
    work.bounds[0] = low
    work.bounds[1] = high


@kernel
def solve(work: MatrixWork, rows: int, columns: int, slack: float) -> bool:
    """Solve the matrix game in `work.payoff`; return whether it has a saddle point, and so pure optimal strategies.

    Args:
        work: `payoff` is read, everything else overwritten. Strategies beyond R and C are 0, `bounds` holds the value.
        rows: R, from 1 to M.
        columns: C, from 1 to N.
        slack: payoffs that differ by no more than this may count as equal; in units of payoff.
    """
    for row in range(work.row_strategy.size):
        work.row_strategy[row] = 0.0
    for column in range(work.column_strategy.size):
        work.column_strategy[column] = 0.0
    if find_saddle_point(work, rows, columns, slack):
        return True
    solve_by_simplex(work, rows, columns)
    measure_bounds(work, rows, columns)
    return False
