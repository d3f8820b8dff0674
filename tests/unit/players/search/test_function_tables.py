"""Functions looked up in tables, against the standard library's."""

from __future__ import annotations

import math

import pytest

from players.search.foundation.function_tables import next_reciprocal_root, root_of_logarithm


@pytest.mark.parametrize("number", [0, 1, 2, 3, 100, 1023])
def test_roots_of_logarithms_of_few_visits_are_exact(number: int) -> None:
    assert root_of_logarithm(number) == pytest.approx(math.sqrt(math.log(max(number, 1))), abs=1e-15)


def test_roots_of_logarithms_of_many_visits_are_close_and_never_too_large() -> None:
    number, before = 1024, 0.0
    while number < 2**32:
        for one in (number - 1, number, number + 1):
            found = root_of_logarithm(one)
            assert 0 <= math.sqrt(math.log(one)) - found < 1 / 2700
            assert found >= before
            before = found
        number += number // 7


def test_reciprocal_roots_stay_close_from_number_to_number() -> None:
    root = math.nan
    for number in range(1, 20_000):
        root = next_reciprocal_root(root, number)
        assert root == pytest.approx(1 / math.sqrt(number), rel=1e-4)
