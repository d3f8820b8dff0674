"""Exact values and optimal strategies of zero-sum matrix games.

The kernel in `matrix_kernels.py` solves the game; its result is checked by the bounds that its strategies guarantee,
and where these are further apart than `TOLERANCE` the linear program goes to HiGHS.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from ggp.codegen.kernels import F64
from ggp.errors import GgpError
from ggp.linear_programs import Program, ProgramUnsolved, SparseMatrix, solve_program
from ggp.solvers.matrix.matrix_kernels import MatrixWork, new_matrix_work, solve

TOLERANCE = 1e-9
"""Largest gap between the bounds of a value, as a share of the payoff range."""

SLACK = 1e-12
"""Payoffs closer than this count as equal in a saddle point; as a share of the payoff range."""

HIGHS_TOLERANCE = 1e-7
"""The same for HiGHS: payoffs that differ by 1e-8 of the range were solved to 1.2e-8, others to 1e-11."""


class MatrixGameUnsolved(GgpError):
    """Neither method met its tolerance: the payoffs differ too much in magnitude."""


class MatrixSolution(Struct, frozen=True):
    """A solution of a zero-sum matrix game.

    Attributes:
        value: to the row player, who maximises, if both play optimally; the middle of `low` and `high`.
        row_strategy: `[R]` float64, guarantees the row player at least `low`.
        column_strategy: `[C]` float64, holds the row player to at most `high`.
        pure: the game has a saddle point: both have an optimal strategy that never mixes.
        low: a certain bound, up to the rounding of one sum of products.
        high: likewise.
    """

    value: float
    row_strategy: F64
    column_strategy: F64
    pure: bool
    low: float
    high: float


def solve_matrix_game(payoff: Sequence[Sequence[float]] | F64) -> MatrixSolution:
    """Return the value and both players' optimal strategies of a zero-sum matrix game.

    If there are several solutions, one is returned, a pure one if possible.

    Args:
        payoff: `[R, C]` finite, to the row player, who maximises; R and C at least 1.

    Raises:
        ValueError: the payoffs are not a matrix of finite numbers.
        MatrixGameUnsolved: no method reached its tolerance.
    """
    matrix = np.ascontiguousarray(payoff, np.float64)
    if matrix.ndim != 2 or matrix.size == 0 or not np.isfinite(matrix).all():
        raise ValueError("payoffs must be a matrix of finite numbers, at least one")
    rows, columns = matrix.shape
    work = new_matrix_work(rows, columns)
    work.payoff[:] = matrix.ravel()
    reach = float(np.ptp(matrix))
    pure = bool(solve(work, rows, columns, SLACK * reach))
    refine(work, rows, columns, TOLERANCE * reach)
    low, high = float(work.bounds[0]), float(work.bounds[1])
    return MatrixSolution((low + high) / 2, work.row_strategy, work.column_strategy, pure, low, high)


def refine(work: MatrixWork, rows: int, columns: int, tolerance: float) -> None:
    """Replace the solution in `work` by that of HiGHS if the gap between its bounds is too large.

    Args:
        work: as `solve` left it.
        rows: R.
        columns: C.
        tolerance: largest gap between the bounds, in units of payoff.

    Raises:
        MatrixGameUnsolved: HiGHS did not meet its tolerance either.
    """
    if work.bounds[1] - work.bounds[0] <= tolerance:
        return
    matrix = work.payoff[: rows * columns].reshape(rows, columns)
    row_strategy, column_strategy = optimal_strategies(matrix)
    low, high = (row_strategy @ matrix).min(), (matrix @ column_strategy).max()
    if high - low > max(tolerance, HIGHS_TOLERANCE * float(np.ptp(matrix))):
        raise MatrixGameUnsolved(f"a {rows} x {columns} matrix game was solved only to {high - low:.3g}")
    work.row_strategy[:rows] = row_strategy
    work.column_strategy[:columns] = column_strategy
    work.bounds[:] = low, high


def optimal_strategies(matrix: F64) -> tuple[F64, F64]:
    """Return both players' optimal strategies by a linear program: maximise v where x A >= v, x a distribution.

    Args:
        matrix: `[R, C]` payoffs to the row player.

    Raises:
        MatrixGameUnsolved: HiGHS gave up.
    """
    rows, columns = matrix.shape
    # payoffs are scaled to [0, 1], since the solver's tolerances are absolute
    low, reach = matrix.min(), max(float(matrix.max() - matrix.min()), np.finfo(np.float64).tiny)
    constraints = np.vstack([np.hstack([-(matrix.T - low) / reach, np.ones((columns, 1))]), [[1.0] * rows + [0.0]]])
    row, column = np.indices(constraints.shape)
    program = Program(
        cost=np.append(np.zeros(rows), -1.0),
        low=np.append(np.zeros(rows), -np.inf),
        matrix=SparseMatrix(row.ravel(), column.ravel(), constraints.ravel()),
        row_low=np.append(np.full(columns, -np.inf), 1.0),
        row_high=np.append(np.zeros(columns), 1.0),
    )
    try:
        solution, dual = solve_program(program)
    except ProgramUnsolved as error:
        raise MatrixGameUnsolved(f"HiGHS did not solve a {rows} x {columns} matrix game") from error
    first, second = np.maximum(solution[:rows], 0.0), np.maximum(-dual[:columns], 0.0)
    return first / first.sum(), second / second.sum()
