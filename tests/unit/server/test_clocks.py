import pytest

from ggp.protocol.messages import MAX_CLOCK_MS, MatchSettings
from server.referee.match_clock import MatchClock
from tests.support.tiny_games import DarkBids, created


def test_a_clock_runs_from_when_it_is_started_and_what_remains_leaves_the_allowance_out():
    clock = MatchClock(created(DarkBids(), play_clock_ms=500, allowance_ms=100), [])
    assert (clock.is_there, clock.remaining_ms(0)) == (False, 0)
    clock.set_play_clock()
    assert (clock.deadline_ms([]), clock.is_over(10**9), clock.remaining_ms(10**9)) == (None, False, 500)
    assert clock.start(1000, afresh=False)
    assert (clock.deadline_ms([]), clock.is_over(1600), clock.is_over(1601)) == (1600, False, True)
    assert [clock.remaining_ms(now) for now in (1000, 1200, 1500, 1600)] == [500, 300, 0, 0]


IMPOSSIBLE = [{"start_clock_ms": 0}, {"play_clock_ms": 0}, {"allowance_ms": -1}, {"play_clock_ms": MAX_CLOCK_MS + 1}]
IMPOSSIBLE += [{"total_ms": 0}, {"total_ms": 5, "increment_ms": -1}, {"increment_ms": 5}]


@pytest.mark.parametrize("values", IMPOSSIBLE)
def test_impossible_clocks_are_refused(values):
    with pytest.raises(ValueError, match=r"\$\.|adds to total_ms"):
        MatchSettings(**values).check()


def test_possible_clocks_are_not():
    MatchSettings(start_clock_ms=1, play_clock_ms=MAX_CLOCK_MS, allowance_ms=0, total_ms=1, increment_ms=1).check()
