import math

import numpy as np
import pytest

from ggp.competition.ratings import PRIOR_GAMES, PairResults, RatingsUndefined, elo_ratings


def play(results: PairResults, first: int, second: int, wins: int, losses: int) -> None:
    for _ in range(wins):
        results.add(first, second, 1)
    for _ in range(losses):
        results.add(first, second, 0)


def test_two_players_are_apart_by_the_logarithm_of_their_odds() -> None:
    results = PairResults(np.zeros((2, 2)))
    play(results, 0, 1, 75, 25)
    first, second = elo_ratings(results)
    odds = (75 + PRIOR_GAMES / 2) / (25 + PRIOR_GAMES / 2)
    assert first.estimate - second.estimate == pytest.approx(400 * math.log10(odds))
    assert first.estimate + second.estimate == pytest.approx(0, abs=1e-9)


def test_who_beats_one_beats_the_other_through_a_third() -> None:
    results = PairResults(np.zeros((3, 3)))
    play(results, 0, 1, 60, 40)
    play(results, 1, 2, 60, 40)
    first, second, third = elo_ratings(results)
    assert first.estimate - second.estimate == pytest.approx(second.estimate - third.estimate)
    assert first.estimate - third.estimate == pytest.approx(2 * 400 * math.log10(60.5 / 40.5))


def test_unbeaten_player_has_a_finite_rating() -> None:
    results = PairResults(np.zeros((2, 2)))
    play(results, 0, 1, 50, 0)
    assert 400 < elo_ratings(results)[0].estimate < 1200


def test_intervals_cover_as_often_as_they_say() -> None:
    generator = np.random.default_rng(3)
    truth = np.array([80.0, 0.0, -80.0])
    covered = 0
    for _ in range(300):
        results = PairResults(np.zeros((3, 3)))
        for first, second in ((0, 1), (0, 2), (1, 2)):
            chance = 1 / (1 + 10 ** ((truth[second] - truth[first]) / 400))
            wins = int(generator.binomial(200, chance))
            play(results, first, second, wins, 200 - wins)
        rating = elo_ratings(results)[0]
        covered += rating.low <= truth[0] <= rating.high
    assert 0.91 < covered / 300 < 0.99


def test_groups_that_never_met_have_no_common_scale() -> None:
    results = PairResults(np.zeros((4, 4)))
    play(results, 0, 1, 3, 3)
    play(results, 2, 3, 3, 3)
    with pytest.raises(RatingsUndefined):
        elo_ratings(results)
