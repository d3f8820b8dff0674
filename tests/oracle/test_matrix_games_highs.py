"""Matrix games against HiGHS and against values in the literature."""

import numpy as np
import pytest

from ggp.solvers.matrix.matrix_games import TOLERANCE, optimal_strategies, solve_matrix_game


def test_biased_rock_paper_scissors_of_table_1() -> None:
    # Shafiei, Sturtevant, Schaeffer 2009, table 1, on the paper's scale of utilities
    payoff = [[50, 25, 100], [75, 50, 45], [0, 55, 50]]
    solution = solve_matrix_game(payoff)
    assert solution.value == pytest.approx(50, abs=1e-12)
    assert solution.row_strategy == pytest.approx([0.0625, 0.625, 0.3125], abs=1e-12)
    assert solution.column_strategy == pytest.approx([0.0625, 0.625, 0.3125], abs=1e-12)


@pytest.mark.parametrize("integers", [False, True], ids=["reals", "many ties"])
def test_random_games_agree_with_highs(integers: bool) -> None:
    generator = np.random.default_rng(11)
    for _ in range(150):
        shape = tuple(generator.integers(1, 9, size=2))
        matrix = generator.integers(-2, 3, size=shape) if integers else generator.normal(size=shape)
        matrix = matrix.astype(float)
        solution = solve_matrix_game(matrix)
        expected = (optimal_strategies(matrix)[0] @ matrix).min()
        assert solution.value == pytest.approx(expected, abs=1e-9)
        assert solution.high - solution.low <= TOLERANCE * max(np.ptp(matrix), 1)
        assert solution.row_strategy.sum() == pytest.approx(1)
        assert (solution.row_strategy @ matrix).min() >= solution.value - 1e-9
        assert (matrix @ solution.column_strategy).max() <= solution.value + 1e-9
