import pytest

from ggp.protocol.messages import MAX_CLOCK_MS, MatchSettings
from server.referee.match_clock import RunningClock


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


IMPOSSIBLE = [{"start_clock_ms": 0}, {"play_clock_ms": 0}, {"allowance_ms": -1}, {"play_clock_ms": MAX_CLOCK_MS + 1}]


IMPOSSIBLE += [{"total_ms": 0}, {"total_ms": 5, "increment_ms": -1}, {"increment_ms": 5}]


@pytest.mark.parametrize("values", IMPOSSIBLE)
def test_impossible_clocks_are_refused(values):
    with pytest.raises(ValueError, match=r"\$\.|adds to total_ms"):
        MatchSettings(**values).check()


def test_possible_clocks_are_not():
    MatchSettings(start_clock_ms=1, play_clock_ms=MAX_CLOCK_MS, allowance_ms=0, total_ms=1, increment_ms=1).check()
