import pytest

from server.matches.cross_table import Outcome, cross_table


def test_points_intervals_and_errors_by_hand():
    outcomes = [
        Outcome(("a", "b"), (1.0, -1.0), (0, 2)),
        Outcome(("b", "a"), (0.0, 0.0), (0, 0)),
        Outcome(("a", "c"), (-1.0, 1.0), (1, 0)),
        Outcome(("b", "c"), None, (0, 0)),
    ]
    rows = {row.name: row for row in cross_table(["a", "b", "c"], outcomes)}
    assert (rows["a"].matches, rows["a"].win_rate, rows["a"].mean_utility, rows["a"].errors) == (3, 0.5, 0.0, 1)
    assert (rows["b"].matches, rows["b"].win_rate, rows["b"].aborted, rows["b"].errors) == (2, 0.25, 1, 2)
    assert (rows["a"].against["b"].wins, rows["a"].against["b"].draws) == (1, 1)
    assert set(rows["c"].against) == {"a"}
    assert next(iter(rows)) == "c"


def test_the_interval_is_that_of_the_source():
    # 8 of 10: the textbook values of the score interval.
    eight = cross_table(["a", "b"], [Outcome(("a", "b"), (float(n < 8), 0.5), (0, 0)) for n in range(10)])
    assert eight[0].ci95 == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_several_and_single_players():
    (first, *_) = cross_table(["a", "b", "c"], [Outcome(("a", "b", "c"), (3.0, 2.0, 1.0), (0, 0, 0))])
    assert (first.name, first.win_rate, first.against["b"].meetings) == ("a", 1.0, 1)
    (alone,) = cross_table(["a"], [Outcome(("a",), (0.7,), (0,))])
    assert (alone.win_rate, alone.ci95, alone.mean_utility) == (None, None, 0.7)
