import math

import numpy as np
import pytest

from ggp.competition.statistics import decided, mean_interval, student_95, win_rate


def test_wilson_interval_of_a_textbook_case() -> None:
    # Brown, Cai, DasGupta's formula by hand for 8 of 10: centre 0.7167, reach 0.2267
    interval = win_rate(8, 0, 2)
    assert interval.estimate == 0.8
    assert (interval.low, interval.high) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)


def test_draws_count_half() -> None:
    assert win_rate(3, 4, 3) == win_rate(5, 0, 5)


def test_extreme_win_rates_keep_their_bounds() -> None:
    assert win_rate(20, 0, 0).high == 1
    assert win_rate(0, 0, 20).low == 0
    assert (win_rate(0, 0, 0).low, win_rate(0, 0, 0).high) == (0, 1)


def test_wilson_interval_covers_as_often_as_it_says() -> None:
    generator = np.random.default_rng(1)
    covered = sum(
        (interval := win_rate(int(wins), 0, 60 - int(wins))).low <= 0.7 <= interval.high
        for wins in generator.binomial(60, 0.7, size=4000)
    )
    assert 0.93 < covered / 4000 < 0.97


def test_student_quantiles() -> None:
    from scipy.special import stdtrit  # takes long to import, in each worker

    for degrees in (*range(1, 130), 1_000, 10_000_000):
        assert student_95(degrees) == pytest.approx(stdtrit(degrees, 0.975), rel=1e-10)


def test_mean_with_students_interval() -> None:
    interval = mean_interval([1, 2, 3, 4])
    assert interval.estimate == 2.5
    assert interval.half_width == pytest.approx(3.1824463 * math.sqrt(5 / 3) / 2, abs=1e-6)
    assert mean_interval([7]).high == math.inf
    with pytest.raises(ValueError, match="no numbers"):
        mean_interval([])


def test_a_sequential_test_errs_as_rarely_as_it_says_and_ends_sooner_where_more_is_won() -> None:
    generator, bounds = np.random.default_rng(2), (0.4, 0.6)

    def ended(share: float) -> tuple[bool, int]:
        scores: list[float] = []
        while (found := decided(scores, bounds)) is None:
            scores.append(float(generator.random() < share))
        return found, len(scores)

    by_share = {share: [ended(share) for _ in range(400)] for share in (0.4, 0.6, 0.9)}
    assert sum(found for found, _ in by_share[0.4]) < 0.08 * 400
    assert sum(found for found, _ in by_share[0.6]) > 0.92 * 400
    assert all(found for found, _ in by_share[0.9])
    fast, slow = (sum(games for _, games in by_share[share]) / 400 for share in (0.9, 0.6))
    assert 4 < fast < 0.6 * slow
