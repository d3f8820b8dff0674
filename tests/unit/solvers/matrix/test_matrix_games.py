import numpy as np
import pytest

from ggp.solvers.matrix.matrix_games import TOLERANCE, optimal_strategies, refine, solve_matrix_game
from ggp.solvers.matrix.matrix_kernels import measure_bounds, new_matrix_work, solve


def test_matching_pennies_is_worth_a_half() -> None:
    solution = solve_matrix_game([[1, 0], [0, 1]])
    assert solution.value == pytest.approx(0.5, abs=1e-15)
    assert solution.row_strategy == pytest.approx([0.5, 0.5])
    assert not solution.pure


def test_two_by_two_strategies_are_not_exchanged() -> None:
    # rows mix (d - c) : (a - b) = 3 : 1 and columns (d - b) : (a - c) = 1 : 3, computed by hand
    solution = solve_matrix_game([[2, 1], [0, 3]])
    assert solution.row_strategy == pytest.approx([0.75, 0.25])
    assert solution.column_strategy == pytest.approx([0.5, 0.5])
    assert solution.value == pytest.approx(1.5)


def test_saddle_point_is_found_and_pure() -> None:
    solution = solve_matrix_game([[4, 2, 3], [1, 0, 5]])
    assert solution.pure
    assert solution.value == solution.low == solution.high == 2
    assert solution.row_strategy.tolist() == [1, 0]
    assert solution.column_strategy.tolist() == [0, 1, 0]


def test_rounding_does_not_hide_a_saddle_point() -> None:
    assert solve_matrix_game([[1 / 3, 1], [0.1 + 0.2 + 1 / 30, 1 / 3 + 1e-16]]).pure
    assert not solve_matrix_game([[0, 1e-6], [1e-6, 0]]).pure
    # 0.1 + 0.2 is a little more than 0.3
    assert solve_matrix_game([[0.3, 0.1 + 0.2, 1], [0.1 + 0.2, 0.3, 1]]).pure


def test_games_without_a_difference_are_pure() -> None:
    solution = solve_matrix_game(np.full((3, 2), 7.0))
    assert solution.pure
    assert solution.value == solution.low == solution.high == 7


def test_bounds_are_what_the_strategies_guarantee() -> None:
    # rows (0 -1 1), (1 0 -1), (-1 1 0): the first row alone may get -1; half of columns 1 and 2 allow at most 1/2
    work = new_matrix_work(3, 3)
    work.payoff[:] = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float).ravel()
    work.row_strategy[:] = 1, 0, 0
    work.column_strategy[:] = 0.5, 0.5, 0
    measure_bounds(work, 3, 3)
    assert work.bounds.tolist() == [-1, 0.5]


def test_dominated_rows_and_columns_are_not_played() -> None:
    # row 2 is dominated by row 0; then column 2 by column 0
    work = new_matrix_work(3, 3)
    work.payoff[:] = np.array([[2, 1, 3], [0, 3, 1], [1, 1, 0]], float).ravel()
    assert not solve(work, 3, 3, 0.0)
    assert work.row_strategy == pytest.approx([3 / 4, 1 / 4, 0])
    assert work.column_strategy == pytest.approx([1 / 2, 1 / 2, 0])


def test_memory_larger_than_the_game_leaves_no_trace() -> None:
    rock_paper_scissors = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float)
    work = new_matrix_work(7, 5)
    work.payoff[:] = 99
    work.payoff[:9] = rock_paper_scissors.ravel()
    assert not solve(work, 3, 3, 0.0)
    assert work.row_strategy == pytest.approx([1 / 3] * 3 + [0] * 4)
    assert work.column_strategy == pytest.approx([1 / 3] * 3 + [0] * 2)
    assert work.bounds == pytest.approx([0, 0], abs=1e-15)


def test_poor_strategies_are_replaced_by_the_linear_program() -> None:
    work = new_matrix_work(3, 3)
    work.payoff[:] = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], float).ravel()
    work.row_strategy[0] = work.column_strategy[0] = 1
    work.bounds[:] = -1, 1
    refine(work, 3, 3, 1e-9)
    assert work.row_strategy == pytest.approx([1 / 3] * 3, abs=1e-10)
    assert work.bounds == pytest.approx([0, 0], abs=1e-10)


def test_the_linear_program_is_solved_for_each_player() -> None:
    # without the last column, which never pays: 3p + 1 - p = 2 (1 - p), and 3q = q + 2 (1 - q)
    work = new_matrix_work(2, 3)
    work.payoff[:] = np.array([[3, 0, 5], [1, 2, 5]], float).ravel()
    work.row_strategy[0] = work.column_strategy[0] = 1
    work.bounds[:] = 0, 5
    refine(work, 2, 3, 1e-9)
    assert work.row_strategy == pytest.approx([1 / 4, 3 / 4], abs=1e-10)
    assert work.column_strategy == pytest.approx([1 / 2, 1 / 2, 0], abs=1e-10)
    assert work.bounds == pytest.approx([1.5, 1.5], abs=1e-10)


def test_payoffs_of_any_size_are_solved() -> None:
    matrix = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]]) * 1e12 + 5e12
    assert solve_matrix_game(matrix).value == pytest.approx(5e12, rel=1e-9)
    assert solve_matrix_game(matrix * 1e-30).value == pytest.approx(5e-18, rel=1e-9)


@pytest.mark.parametrize("payoff", [[[]], [[float("nan")]], [[float("inf"), 1]], [1, 2]])
def test_what_is_no_matrix_of_numbers_is_refused(payoff: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="matrix of finite numbers"):
        solve_matrix_game(payoff)


def test_larger_games_meet_the_tolerance() -> None:
    generator = np.random.default_rng(5)
    for size in (20, 40):
        matrix = generator.normal(size=(size, size + 3))
        solution = solve_matrix_game(matrix)
        assert 0 <= solution.high - solution.low <= TOLERANCE * np.ptp(matrix)
        assert (optimal_strategies(matrix)[0] @ matrix).min() == pytest.approx(solution.value, abs=1e-9)
