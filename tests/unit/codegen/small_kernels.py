"""Small kernels, one for each construct, and arguments to call them with; both forms of each must do the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ggp.codegen.kernels import (
    F32,
    F64,
    F64_2D,
    I32,
    I64,
    I64_3D,
    U8,
    U64,
    bit_length,
    inline_kernel,
    kernel,
)

FACTOR, SHARE, MASK, HALF = 7, 0.25, np.uint64(0xFF51AFD7ED558CCD), np.float32(0.5)
PLACES = (2, 5, 7)
SQUARES = np.arange(10) ** 2
FRACTIONS = 1.0 / np.arange(1, 9).reshape(2, 4)


class Inner(NamedTuple):
    """Fields within fields."""

    row: I32
    low: float


class Outer(NamedTuple):
    """Every sort of field."""

    values: F64
    inner: Inner
    table: I64_3D
    count: int
    open: bool
    word: np.uint64
    scale: float = 2.0


class Made(NamedTuple):
    """One that kernels make."""

    first: int
    second: float = 0.5


def outer() -> Outer:
    return Outer(
        np.linspace(-1.0, 2.0, 6), Inner(np.arange(-3, 5, dtype=np.int32), 0.125), np.arange(24).reshape(2, 3, 4), 6,
        True, np.uint64(1 << 63),
    )  # fmt: skip


@kernel
def arithmetic(a: int, b: int) -> int:
    return (a + b) * (a - b) + FACTOR - -a + ~b


@kernel
def quotients(a: int, b: int) -> int:
    return 1000 * (a // b) + a % b


@kernel
def reals(a: float, b: float) -> float:
    return -a / b + a * SHARE - abs(b) + a**2 + abs(a) ** b + 2 * a


@kernel
def over(a: int, b: int) -> float:
    return a / b


@kernel
def bits(a: int, b: int) -> int:
    return (a & b) | (a ^ 5) << 3 | a >> 2 | bit_length(a)


@kernel
def words(a: np.uint64, b: np.uint64) -> np.uint64:
    a ^= a >> 31
    return (a | 1) // (b + 1) + (a % (b + 1) >> np.uint64(7)) + (MASK & b) - (a < b)


@kernel
def casts(a: float, b: int) -> float:
    return float(int(a)) + int(b > 2) + bool(b) + np.int64(np.uint64(abs(b))) + np.float64(np.int32(b))


@kernel
def chained(a: int, b: float) -> bool:
    return 0 <= a < b <= 10.0 != a


@kernel
def not_evaluated(a: int, rng: I64) -> bool:
    return 0 <= a < counted(rng) and counted(rng) > 1


@kernel
def counted(rng: I64) -> int:
    rng[0] += 1
    return rng[0] + 2


@kernel
def truth(a: int, b: float) -> bool:
    return bool(a and b) and bool(a > 2 or not bool(b))


@kernel
def known_numbers(a: int, b: np.uint64) -> int:
    return (a & (1 << 40) - 2**31 * 3) + int(b >> 2 * 3 + 1)


@kernel
def connected(a: int, b: int) -> bool:
    return (a > 0 and SQUARES[a] > b) or (not b and a != 2) or a in PLACES or b not in (1, a)


@kernel
def extremes(a: int, b: float) -> float:
    return max(a, b, 1) - min(b, 2 * a) + math.floor(b) - math.ceil(b)


@kernel
def library(a: float) -> float:
    return math.sqrt(a) + math.log(a) + math.exp(-a) + math.log10(a) + math.tanh(a) + math.isnan(a)


@kernel
def chosen(a: int, b: float) -> float:
    first, second = (a, b) if a > 2 else (1, 0)
    return (first if b > 1 else second) + (0 if a else b)


@kernel
def loops(n: int, step: int) -> int:
    total, at = 0, 0
    for i in range(n):
        if i % 3 == 1:
            continue
        i *= 2  # no later round is another one for it
        total += i
        if total > 60:
            break
    for i in range(n, -n, -2):
        total = 3 * total - i
    for i in range(0, 5 * step, step):
        total ^= i
    while True:
        at += 1
        while at % 4 != 0:
            at += 1
            total -= 1
        if at > 20:
            return total + at + i


@kernel
def over_items(values: I64, table: F64_2D) -> float:
    total = 0.0
    for value in values:
        for factor in (0.5 * value, 2, 0.5):
            if factor == 2:
                continue
            total += factor
    for row in table:
        total += row[0] * row.size + len(table) + table.shape[1]
        for place in PLACES:
            total -= place
            if place > 3:
                break
    return total


@kernel
def elements(row: I32, bytes_: U8, words_: U64, table: F64_2D, cube: I64_3D) -> int:
    row[1], row[2] = row[2], row[1] - 5
    row[0] += 3
    bytes_[2] = 255
    bytes_[3] -= 1
    words_[1] ^= words_[0] << np.uint64(3)
    table[1, 2] = row[0]
    table[0][1] /= 3
    plane = cube[1]
    plane[1, 1] *= -1
    plane[2][0] = cube[0, 0, 1] + cube.size
    return int(row[1]) + int(bytes_[3]) + SQUARES[row[0]]


@kernel
def slices(values: F64, table: F64_2D) -> float:
    values[1:3] = 0
    part = values[2:]
    part[0] += 4
    table[:] = 1.5
    table[1] = values[: table.shape[1]]
    values[3:5] = values[4:6]
    return part[1] + total_of(table[1][1:])


@inline_kernel
def total_of(values: F64) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@kernel
def small_reals(values: F32, n: int) -> float:
    scale = HALF * np.float32(n) + values[0] * 3
    values[1] = scale / 7
    values[2] += 1.0 / n
    return float(np.float32(math.sqrt(scale)) + values[1])


@kernel
def fields(held: Outer, at: int) -> float:
    total = held.scale * held.values[at] + held.inner.row[at] if held.open else held.inner.low
    for one in held.inner.row:
        total += one
    return total + held.table[1, 2, at % 4] + held.count + float(held.word >> np.uint64(60))


@kernel
def one_of_two(first: Outer, second: Outer) -> int:
    greater = first if first.count > second.count else second
    less, greater = greater, first
    return parts_of(less.inner)[0] + 10 * greater.count


@kernel
def parts_of(inner: Inner) -> tuple[int, float]:
    return inner.row[3], inner.low


@kernel
def tuples(inner: Inner, n: int) -> tuple[int, float, bool]:
    first, second = parts_of(inner)
    pair = first + n, second
    return pair[0], pair[1] * n, n > 2


@kernel
def made_tuples(n: int) -> float:
    total = 0.0
    last = Made(n)
    for i in range(n):
        made = Made(second=2, first=i)
        total += of_made(made) + of_made(last)
        last = Made(i, total)
    return total


@inline_kernel
def of_made(made: Made) -> float:
    return made.first * made.second


@inline_kernel
def applied(function: Callable[[int], int], times: int, start: int = 3) -> int:
    result = start
    for _ in range(times):
        result = function(result)
    return result


@inline_kernel
def doubled(n: int) -> int:
    return 2 * n


@kernel
def one_more(n: int) -> int:
    return n + 1


@kernel
def of_kernels(times: int) -> int:
    return applied(doubled, times) + 1000 * applied(one_more, times, start=times)


@kernel
def recursive(n: int) -> int:
    return n if n < 2 else recursive(n - 1) + recursive(n - 2)


@kernel
def constants(n: int) -> float:
    return FRACTIONS[1, n % 4] + FRACTIONS[0][n % 4] + PLACES[1] + len(SQUARES)


@kernel
def nothing(values: F64, n: int) -> None:
    """Do nothing for some n."""
    if n > 2:
        return
    values[0] = n


@kernel
def long_loop(values: F64, weights: F64) -> float:
    total = 0.0
    for at in range(values.size):
        weights[at] = 2.0 * weights[at] + values[at]
        total = max(total, weights[at])
    return total


def an(*numbers: float, dtype: Any = np.int64, shape: tuple[int, ...] | None = None) -> np.ndarray:
    return np.array(numbers, dtype).reshape(shape or -1)


PAIRS = [(7, 3), (-7, 3), (7, -3), (-7, -3), (6, 3), (0, 5), (1 << 30, -77)]
CASES: list[tuple[Any, Callable[[], tuple[Any, ...]]]] = [
    *((function, lambda pair=pair: pair) for function in (arithmetic, quotients, over) for pair in PAIRS),
    *((reals, lambda pair=pair: pair) for pair in ((1.5, 2.5), (-2.0, 3.0), (0.25, -0.5), (3, 2))),
    *((bits, lambda pair=pair: pair) for pair in ((12, 10), (0, 3), (1 << 50, 77))),
    *((words, lambda pair=pair: tuple(map(np.uint64, pair))) for pair in ((5, 3), (1 << 63, 12), ((1 << 64) - 1, 7))),
    *((casts, lambda pair=pair: pair) for pair in ((2.75, 3), (-2.75, -4), (1e9, 0))),
    *((chained, lambda pair=pair: pair) for pair in ((3, 5.0), (5, 5.0), (-1, 2.0), (3, 11.0))),
    *((not_evaluated, lambda a=a: (a, np.zeros(1, np.int64))) for a in (-1, 2, 9)),
    *((truth, lambda pair=pair: pair) for pair in ((0, 1.0), (1, 0.5), (3, 0.5), (3, 0.0))),
    (known_numbers, lambda: ((1 << 45) - 77, np.uint64(1 << 60))),
    *((connected, lambda pair=pair: pair) for pair in ((3, 5), (3, 50), (2, 0), (1, 0), (0, 1), (5, 1), (9, 81))),
    *((extremes, lambda pair=pair: pair) for pair in ((3, 2.5), (-1, -0.5), (0, 0.0), (8, 9.0))),
    *((library, lambda x=x: (x,)) for x in (0.5, 1.0, 20.0)),
    *((chosen, lambda pair=pair: pair) for pair in ((3, 5.5), (3, 0.5), (0, 5.5), (0, 0.5))),
    *((loops, lambda pair=pair: pair) for pair in ((0, 1), (5, 2), (30, -3), (-4, 1))),
    (over_items, lambda: (an(3, -1, 4), np.arange(6.0).reshape(2, 3))),
    (elements, lambda: (
        an(1, -2, 3, dtype=np.int32), an(0, 1, 2, 0, dtype=np.uint8), an(9, 4, dtype=np.uint64),
        np.arange(6.0).reshape(2, 3), np.arange(24).reshape(2, 3, 4),
    )),
    (slices, lambda: (np.arange(6.0), np.zeros((2, 3)))),
    (small_reals, lambda: (an(0.1, 0.2, 0.3, dtype=np.float32), 3)),
    *((fields, lambda at=at: (outer(), at)) for at in (0, 3, 5)),
    (fields, lambda: (outer()._replace(open=False), 2)),
    (one_of_two, lambda: (outer(), outer()._replace(count=9, inner=Inner(np.full(4, 8, np.int32), 1.0)))),
    (tuples, lambda: (outer().inner, 5)),
    *((function, lambda n=n: (n,)) for function in (made_tuples, of_kernels, recursive, constants) for n in (0, 1, 6)),
    *((nothing, lambda n=n: (np.ones(2), n)) for n in (2, 3)),
    (long_loop, lambda: (np.arange(100.0) % 7, np.arange(100.0) % 5)),
]  # fmt: skip
