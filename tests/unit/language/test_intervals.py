"""Interval arithmetic against brute force: it holds every value, and on integers every end it claims is reached."""

from __future__ import annotations

import itertools
import math

from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.language.typed import ranges

RANGES = st.tuples(st.integers(-9, 9), st.integers(0, 6)).map(lambda pair: (pair[0], pair[0] + pair[1]))
many = settings(max_examples=200)


def values(first: tuple[int, int], second: tuple[int, int]) -> list[tuple[int, int]]:
    return list(itertools.product(range(first[0], first[1] + 1), range(second[0], second[1] + 1)))


@many
@given(RANGES, RANGES)
def test_sums_and_products_are_exact(first: tuple[int, int], second: tuple[int, int]) -> None:
    for found, operation in (
        (ranges.add(first, second), lambda a, b: a + b),
        (ranges.subtract(first, second), lambda a, b: a - b),
        (ranges.multiply(first, second), lambda a, b: a * b),
    ):
        results = [operation(a, b) for a, b in values(first, second)]
        assert found == (min(results), max(results))


@many
@given(RANGES, RANGES)
def test_quotients_rounded_down_are_exact(first: tuple[int, int], second: tuple[int, int]) -> None:
    results = [a // b for a, b in values(first, second) if b]
    assert ranges.floor_divide(first, second) == ((min(results), max(results)) if results else (0, 0))


@many
@given(RANGES, RANGES)
def test_remainders_lie_inside(first: tuple[int, int], second: tuple[int, int]) -> None:
    low, high = ranges.modulo(first, second)
    for a, b in values(first, second):
        assert b == 0 or low <= a % b <= high
    assert high <= max(abs(second[0]), abs(second[1]))


@many
@given(RANGES, RANGES)
def test_real_quotients_lie_inside(first: tuple[int, int], second: tuple[int, int]) -> None:
    reals = ((float(first[0]), float(first[1])), (float(second[0]), float(second[1])))
    low, high = ranges.divide(*reals, whole=True)
    assert math.isfinite(low)
    assert math.isfinite(high)
    for a, b in values(first, second):
        assert low <= (a / b if b else 0.0) <= high


@many
@given(RANGES, st.integers(0, 3))
def test_powers_lie_inside(base: tuple[int, int], exponent: int) -> None:
    low, high = ranges.power((float(base[0]), float(base[1])), (float(exponent), float(exponent)))
    assert all(low <= number**exponent <= high for number in range(base[0], base[1] + 1))


@many
@given(RANGES)
def test_unary_ranges_are_exact(first: tuple[int, int]) -> None:
    numbers = range(first[0], first[1] + 1)
    assert ranges.absolute(first) == (min(map(abs, numbers)), max(map(abs, numbers)))
    signs = [(number > 0) - (number < 0) for number in numbers]
    assert ranges.sign((float(first[0]), float(first[1]))) == (min(signs), max(signs))
