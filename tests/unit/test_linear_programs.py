import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from ggp.linear_programs import Program, ProgramUnsolved, SparseMatrix, solve_program
from ggp.solvers.matrix.matrix_games import optimal_strategies


def small_program(row_high: float) -> Program:
    """Maximise x + y where x + 2 y <= row_high and 2 x + y = 3, neither negative."""
    matrix = SparseMatrix(np.array([1, 0, 1, 0]), np.array([1, 1, 0, 0]), np.array([1.0, 2.0, 2.0, 1.0]))
    return Program(np.array([-1.0, -1.0]), np.zeros(2), matrix, np.array([-np.inf, 3.0]), np.array([row_high, 3.0]))


def test_solution_and_dual_solution() -> None:
    # x = y = 1 by hand; one more on the right of the first row gives 1/3 more, on that of the second likewise
    solution, dual = solve_program(small_program(3.0))
    assert solution == pytest.approx([1, 1], abs=1e-10)
    assert dual == pytest.approx([-1 / 3, -1 / 3], abs=1e-10)


def test_what_has_no_solution_is_said() -> None:
    with pytest.raises(ProgramUnsolved, match="2 rows and 2 columns: infeasible"):
        solve_program(small_program(-1.0))


def test_entries_below_the_default_of_highs_count() -> None:
    # worth a little: entries below 1e-9 were taken for 0
    matrix = np.array([[1.0, 0.0], [0.0, 5e-10]])
    row, column = optimal_strategies(matrix)
    assert (matrix @ column).max() - (row @ matrix).min() < 1e-15


def test_ctrl_c_ends_a_program() -> None:
    # it takes a second or more
    matrix = np.random.default_rng(1).normal(size=(900, 900))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        optimal_strategies(matrix)


def test_nothing_is_printed() -> None:
    # HiGHS 1.16 prints its version when the first solver of a process is made, before it can be told to be silent
    program = "import numpy as np; from ggp.solvers.matrix.matrix_games import optimal_strategies as f; f(np.eye(2))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""
