import math

import numpy as np
import pytest

from ggp.competition.ratings import PRIOR_GAMES, ratings_of


def won(*meetings: tuple[int, int, int, int]) -> dict[tuple[int, int], float]:
    """Return points of the first against the second; a meeting: two players, and how many games each has won."""
    points: dict[tuple[int, int], float] = {}
    for one, other, wins, losses in meetings:
        points[one, other], points[other, one] = wins, losses
    return points


def test_two_players_are_apart_by_the_logarithm_of_their_odds() -> None:
    rated = ratings_of([0, 1], won((0, 1, 75, 25)))
    odds = (75 + PRIOR_GAMES / 2) / (25 + PRIOR_GAMES / 2)
    assert rated[0].estimate - rated[1].estimate == pytest.approx(400 * math.log10(odds))
    assert rated[0].estimate + rated[1].estimate == pytest.approx(0, abs=1e-9)


def test_who_beats_one_beats_the_other_through_a_third() -> None:
    rated = ratings_of([0, 1, 2], won((0, 1, 60, 40), (1, 2, 60, 40)))
    first, second, third = (rated[player].estimate for player in range(3))
    assert first - second == pytest.approx(second - third)
    assert first - third == pytest.approx(2 * 400 * math.log10(60.5 / 40.5))


def test_unbeaten_player_has_a_finite_rating() -> None:
    assert 400 < ratings_of([0, 1], won((0, 1, 50, 0)))[0].estimate < 1200


def test_intervals_cover_as_often_as_they_say() -> None:
    generator = np.random.default_rng(3)
    truth = np.array([80.0, 0.0, -80.0])
    covered = 0
    for _ in range(300):
        meetings = []
        for first, second in ((0, 1), (0, 2), (1, 2)):
            chance = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
            wins = int(generator.binomial(200, chance))
            meetings.append((first, second, wins, 200 - wins))
        rating = ratings_of([0, 1, 2], won(*meetings))[0]
        covered += rating.low <= truth[0] <= rating.high
    assert 0.91 < covered / 300 < 0.99


def test_groups_that_never_met_are_rated_separately() -> None:
    rated = ratings_of([4, 5, 6, 7, 8], won((4, 5, 3, 1), (6, 7, 1, 3)))
    assert rated[4].estimate == pytest.approx(-rated[5].estimate) == pytest.approx(rated[7].estimate)
    assert rated[8].estimate == 0
    assert math.isinf(rated[8].high)
