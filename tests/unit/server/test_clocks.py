import pytest

from server.referee.clocks import MAX_CLOCK_MS, ClockSettings, RunningClock


def test_a_clock_runs_from_when_it_is_started():
    clock = RunningClock(500, 100)
    assert clock.deadline_ms is None
    assert not clock.expired(10**9)
    assert clock.remaining_ms(10**9) == 500
    clock.start(1000)
    assert clock.deadline_ms == 1600
    assert (clock.expired(1600), clock.expired(1601)) == (False, True)


def test_what_remains_leaves_the_allowance_out():
    clock = RunningClock(500, 100, started_ms=1000)
    assert [clock.remaining_ms(now) for now in (1000, 1200, 1500, 1600)] == [500, 300, 0, 0]


@pytest.mark.parametrize("values", [(0, 1, 0), (1, 0, 0), (1, 1, -1), (MAX_CLOCK_MS + 1, 1, 0)])
def test_impossible_clocks_are_refused(values):
    with pytest.raises(ValueError, match="must be from"):
        ClockSettings(*values)
