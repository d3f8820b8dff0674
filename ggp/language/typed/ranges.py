"""Arithmetic on ranges: from the ranges of the operands, the range of every value an operation can give.

The same functions serve integers and reals; on integers they are exact and of any size.
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

Number = TypeVar("Number", int, float)
Interval = tuple[Number, Number]


def add(first: Interval[Number], second: Interval[Number]) -> Interval[Number]:
    """Return the range of a sum."""
    return _known(first[0] + second[0], first[1] + second[1])


def subtract(first: Interval[Number], second: Interval[Number]) -> Interval[Number]:
    """Return the range of a difference."""
    return _known(first[0] - second[1], first[1] - second[0])


def _known(low: Number, high: Number) -> Interval[Number]:
    """Return a range with no bound where infinities cancelled each other out."""
    unbounded: Any = math.inf
    return low if low == low else -unbounded, high if high == high else unbounded


def multiply(first: Interval[Number], second: Interval[Number]) -> Interval[Number]:
    """Return the range of a product; 0 times an unbounded factor counts as 0."""
    products = [a * b if a and b else type(a)(0) for a in first for b in second]
    return min(products), max(products)


def floor_divide(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    """Return the range of a quotient rounded down, over all divisors but 0; (0, 0) where there is no other."""
    divisors = [d for d in (second[0], second[1], -1, 1) if d and second[0] <= d <= second[1]]
    if not divisors:
        return 0, 0
    quotients = [a // d for a in first for d in divisors]
    return min(quotients), max(quotients)


def modulo(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    """Return the range of a remainder, which has the sign of the divisor; (0, 0) where the divisor can only be 0."""
    low, high = min(0, second[0] + 1), max(0, second[1] - 1)
    if second[0] == second[1] and second[0] > 0 and first[0] // second[0] == first[1] // second[0]:
        return first[0] % second[0], first[1] % second[0]
    if first[0] >= 0 and second[0] > 0:
        return 0, min(high, first[1])
    return low, high


def divide(first: tuple[float, float], second: tuple[float, float], whole: bool) -> tuple[float, float]:
    """Return the range of a real quotient, where division by 0 gives 0.

    Args:
        first: range of the dividend.
        second: range of the divisor.
        whole: the divisor is a whole number, so that it is 0 or at least 1 in size.
    """
    low, high = second
    if low > 0 or high < 0:
        quotients = [a / d if abs(d) < math.inf else 0.0 for a in first for d in second]
        return min(quotients), max(quotients)
    if whole:
        largest = max(abs(first[0]), abs(first[1]))
        if low == 0:
            return min(0.0, first[0]), max(0.0, first[1])
        return -largest, largest
    return (0.0, 0.0) if first == (0.0, 0.0) else (-math.inf, math.inf)


def absolute(operand: Interval[Number]) -> Interval[Number]:
    """Return the range of an absolute value."""
    low, high = operand
    if low >= 0:
        return operand
    if high <= 0:
        return -high, -low
    return type(low)(0), max(-low, high)


def sign(operand: tuple[float, float]) -> tuple[int, int]:
    """Return the range of a sign."""
    return (operand[0] > 0) - (operand[0] < 0), (operand[1] > 0) - (operand[1] < 0)


def power(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """Return the range of a power; unbounded unless the base is known to be positive or the exponent a whole number."""
    if first[0] > 0 or (second[0] == second[1] and second[0].is_integer() and second[0] >= 0):
        corners = [real_power(a, b) for a in (*first, *((0.0,) if first[0] < 0 < first[1] else ())) for b in second]
        return min(corners), max(corners)
    return -math.inf, math.inf


def real_power(base: float, exponent: float) -> float:
    """Return a power; 0 where it is not defined, infinite where it is too large."""
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return -math.inf if base < 0 and exponent % 2 == 1 else math.inf
    except ValueError:
        return 0.0
