"""Linear programs, solved to 1e-10 by the simplex method of HiGHS.

Its interior-point method took 0.9 to 4 times as long on the games of `docs/measuring.md`.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64
from ggp.errors import GgpError

TOLERANCE = 1e-10
"""How far constraints and reduced costs may be violated: the least that HiGHS takes. Its default is 1e-7."""
LEAST_ENTRY = 1e-12
"""HiGHS takes smaller entries of the matrix for 0; by default below 1e-9."""
LEAST_SECONDS = 0.001
"""HiGHS takes 0 for no limit."""


class ProgramUnsolved(GgpError):
    """HiGHS did not solve a linear program."""


class SparseMatrix(NamedTuple):
    """A matrix of N entries, in any order, none of them twice; all others are 0."""

    row: I64  # [N]
    column: I64  # [N]
    value: F64  # [N]


class Program(NamedTuple):
    """Minimise `cost` times x, where x >= `low` and the matrix times x lies between the bounds. R rows, C columns."""

    cost: F64  # [C]
    low: F64  # [C] -inf: free
    matrix: SparseMatrix  # [R, C]
    row_low: F64  # [R]
    row_high: F64  # [R]


def solve_program(program: Program, seconds: float = math.inf) -> tuple[F64, F64]:
    """Return the solution x `[C]` of a linear program and its dual solution `[R]`, at most 0 where `row_high` binds.

    Ctrl-C ends it.

    Args:
        program: feasible and bounded.
        seconds: limit on the time, by the clock on the wall.

    Raises:
        ProgramUnsolved: HiGHS gave up, or time was up.
    """
    import highspy

    (columns,), (rows,), matrix = program.cost.shape, program.row_low.shape, program.matrix
    model, order = highspy.HighsLp(), np.lexsort((matrix.row, matrix.column))
    model.num_col_, model.num_row_ = columns, rows
    model.col_cost_, model.col_lower_, model.col_upper_ = program.cost, program.low, np.full(columns, np.inf)
    model.row_lower_, model.row_upper_ = program.row_low, program.row_high
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.searchsorted(matrix.column[order], np.arange(columns + 1)).astype(np.int32)
    model.a_matrix_.index_ = matrix.row[order].astype(np.int32)
    model.a_matrix_.value_ = matrix.value[order]
    highs = highspy.Highs()
    highs.silent()
    highs.setOptionValue("solver", "simplex")
    highs.setOptionValue("time_limit", max(seconds, LEAST_SECONDS))
    highs.setOptionValue("primal_feasibility_tolerance", TOLERANCE)
    highs.setOptionValue("dual_feasibility_tolerance", TOLERANCE)
    highs.setOptionValue("small_matrix_value", LEAST_ENTRY)
    highs.passModel(model)
    highs.HandleUserInterrupt = True
    # in a thread of its own, since a signal waits for the end of a call of the main thread
    with ThreadPoolExecutor(1) as thread:
        try:
            thread.submit(highs.solve).result()
        except KeyboardInterrupt:
            highs.cancelSolve()
            raise
    status, solution = highs.getModelStatus(), highs.getSolution()
    # `kUnknown` is a solution that misses the tolerances, which callers check by what it guarantees
    solved = status in (highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kUnknown)
    if not (solved and solution.value_valid and solution.dual_valid):
        reason = highs.modelStatusToString(status).lower()
        raise ProgramUnsolved(
            f"HiGHS did not solve a linear program of {rows:,} rows and {columns:,} columns: {reason}"
        )
    return np.asarray(solution.col_value, np.float64), np.asarray(solution.row_dual, np.float64)
