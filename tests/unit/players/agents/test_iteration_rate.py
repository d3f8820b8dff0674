"""Speed is iterations over the time they took, and measuring ends in time."""

from __future__ import annotations

import pytest

from players.agents.iteration_rate import SLICE_S, iterations_a_second


@pytest.mark.parametrize("cost", [1e-6, 1e-3])
def test_iterations_are_counted_until_the_time_is_over(cost: float) -> None:
    now = [5.0]

    def run(iterations: int) -> None:
        now[0] += cost * iterations

    assert iterations_a_second(run, 2.0, lambda: now[0]) == pytest.approx(1 / cost)
    assert 7.0 <= now[0] <= 7.0 + 2 * SLICE_S
