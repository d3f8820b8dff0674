"""Searching until a deadline: never late, whatever slices take, and little time is wasted on a quiet machine."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.agents.time_control import Pacing


class SimulatedSearch:
    """A clock that only a search moves: each slice by its iterations times the next cost, and the next stall."""

    def __init__(self, costs: list[float], stalls: list[float]) -> None:
        self.now = 100.0
        self.slices = 0
        self._costs = costs
        self._stalls = stalls

    def clock(self) -> float:
        return self.now

    def run(self, iterations: int) -> None:
        self.now += iterations * self._costs[self.slices % len(self._costs)]
        self.now += self._stalls[self.slices % len(self._stalls)]
        self.slices += 1


def think(pacing: Pacing, search: SimulatedSearch, seconds: float) -> float:
    """Return the seconds left over at the end; less than 0 is late."""
    deadline = search.now + seconds
    pacing.run_until(deadline, search.run, search.clock)
    return deadline - search.now


@given(
    speed=st.floats(1e-7, 1e-5),
    factors=st.lists(st.floats(0.25, 1), min_size=1, max_size=40),
    clocks=st.lists(st.floats(0.002, 0.5), min_size=1, max_size=6),
)
def test_iterations_that_become_four_times_slower_from_slice_to_slice_never_make_a_move_late(
    speed: float, factors: list[float], clocks: list[float]
) -> None:
    pacing, search = Pacing(), SimulatedSearch([speed * factor for factor in factors], [0.0])
    assert all(think(pacing, search, seconds) > 0 for seconds in clocks)


@given(
    stall=st.floats(0.005, 0.08), shares=st.lists(st.floats(0, 0.6), min_size=1, max_size=40), seed=st.integers(0, 99)
)
def test_an_interruption_is_expected_again_for_a_while(stall: float, shares: list[float], seed: int) -> None:
    pacing, rng = Pacing(), random.Random(seed)
    assert think(pacing, SimulatedSearch([2e-6], [stall] + [0.0] * 10_000), 0.2) > 0
    search = SimulatedSearch([2e-6], [share * stall for share in rng.choices(shares, k=50)])
    search.now = 100.2
    for _ in range(5):  # half a second: more than 0.6 of the stall is still kept back
        assert think(pacing, search, 0.1) > 0


@pytest.mark.parametrize("seconds", [0.05, 0.2, 1.0, 5.0])
@pytest.mark.parametrize("cost", [2e-7, 2e-6, 2e-5])
def test_on_a_quiet_machine_97_per_cent_of_the_clock_are_used(seconds: float, cost: float) -> None:
    pacing, search = Pacing(), SimulatedSearch([cost, 1.05 * cost, 0.97 * cost], [0.0])
    left = [think(pacing, search, seconds) for _ in range(4)]
    assert min(left) > 0
    assert max(left) < 0.03 * seconds


def test_the_reserve_fades_when_the_machine_is_free_again() -> None:
    pacing, search = Pacing(), SimulatedSearch([2e-6], [0.1] + [0.0] * 100_000)
    think(pacing, search, 0.3)
    assert pacing.reserve(0.3) > 0.09
    for _ in range(80):
        think(pacing, search, 0.3)
    assert pacing.reserve(0.3) < 0.004


def test_a_budget_below_the_reserve_is_not_begun() -> None:
    search = SimulatedSearch([1e-6], [0.0])
    think(Pacing(), search, 0.0009)
    assert search.slices == 0


def test_a_search_that_has_nothing_to_do_is_not_asked_for_ever_more() -> None:
    asked: list[int] = []
    times = iter(range(10_000_000))
    Pacing().run_until(0.01, asked.append, lambda: 1e-6 * next(times))
    assert len(asked) > 2000
    assert max(asked) < 10_000_000
