"""What kernels are handed from Python, and hand to their parts, against the same functions in plain Python."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from ggp.codegen.kernels import inline_kernel, kernel
from ggp.codegen.kernels import kernel as generic_kernel


class Inner(NamedTuple):
    """Two numbers of one type: numba has another type for such tuples."""

    first: int
    second: int


class Outer(NamedTuple):
    """A tuple as searches have them."""

    row: Any
    inner: Inner
    table: Any
    share: float
    flag: bool


class First:
    """Room for a class with the name of another one."""

    class Options(NamedTuple):
        low: float
        count: int


class Second:
    """Room for the other one."""

    class Options(NamedTuple):
        high: float
        times: int


def outer() -> Outer:
    return Outer(np.arange(6) * 7 % 5, Inner(3, -4), np.arange(12, dtype=np.float64).reshape(3, 4), 0.25, True)


@inline_kernel
def element(held, at):
    return held.row[at] + held.inner.second


@kernel
def add_all(held, more):
    total = 0.0
    for at in range(held.row.size):
        total += element(held, at) * held.share
    for row in range(held.table.shape[0]):
        for column in range(held.table.shape[1]):
            total += held.table[row, column] * more[row]
    return total + held.inner.first if held.flag else -total


@kernel
def unsigned_and_small(held, at, place):
    return held.row[at] + held.row[place]


@kernel
def sliced(held, values):
    values[1:3] = 0
    some = held.row[2:5]
    total = 0
    for number in some:
        total = 10 * total + number
    for number in held.row:
        total = 10 * total + number
    return total + one_of(some, 1) + one_of(held.table[1], 2)


@inline_kernel
def one_of(values, at):
    return values[at]


@kernel
def write(held, values, more):
    values[2] = held.share
    held.row[1] += 40
    held.table[2, 1] = 9
    more[0, 1] = len(values)


@kernel
def of_whole_kernels(held, more):
    return add_all(held, more) + add_all(held, more[::1])


@kernel
def passed_on(held, upper):
    return picked(held, upper).table[1, 1]


@inline_kernel
def picked(held, upper):
    return upper if upper.share > held.share else held


@kernel
def names(first, second):
    return first.low * second.times + second.high * first.count


@kernel
def strided(values, held):
    return one_of(values, 1) + one_of(held.row, 1)


def test_fields_lengths_and_elements_are_those_of_the_tuple() -> None:
    given = outer(), np.array([1.0, 10.0, 100.0])
    assert add_all(*given) == add_all.py_func(*given)
    assert add_all(given[0]._replace(flag=False), given[1]) == -(add_all.py_func(*given) - 3)
    assert of_whole_kernels(*given) == 2 * add_all.py_func(*given)


def test_indices_have_any_integer_type() -> None:
    held = outer()
    for at, place in ((np.uint64(5), np.int32(2)), (np.uint8(1), np.int64(4))):
        assert unsigned_and_small(held, at, place) == held.row[int(at)] + held.row[int(place)]


def test_slices_and_iteration() -> None:
    held, values, plain = outer(), np.ones(4), np.ones(4)
    assert sliced(held, values) == sliced.py_func(held, plain)
    assert values.tolist() == plain.tolist() == [1, 0, 0, 1]


def test_what_is_written_is_in_the_arrays() -> None:
    held, values, more = outer(), np.zeros(3), np.zeros((2, 2), np.int32)
    plain = outer(), np.zeros(3), np.zeros((2, 2), np.int32)
    write(held, values, more)
    write.py_func(*plain)
    for array, expected in zip((held.row, held.table, values, more), (*plain[0][::2][:2], *plain[1:]), strict=True):
        np.testing.assert_array_equal(array, expected)
    assert held.row[1] == 42


def test_a_part_returns_one_of_two_tuples() -> None:
    low, high = outer(), outer()._replace(table=np.full((2, 2), 50.0), share=0.5)
    assert passed_on(low, high) == 50.0
    assert passed_on(high, low) == 50.0


def test_classes_of_the_same_name_are_told_apart() -> None:
    assert names(First.Options(2.0, 3), Second.Options(5.0, 7)) == 29.0


def test_arrays_that_are_not_contiguous_are_read_by_their_strides() -> None:
    values = np.arange(10)[::3]
    assert strided(values, outer()._replace(row=values)) == 6


@pytest.mark.parametrize("index", [6, -1])
def test_indices_are_checked_where_numba_is_told_to(monkeypatch, index: int) -> None:
    # in kernels none counts from the end, as it would in Python
    from ggp.codegen.kernels import config

    def beyond(held, at):
        return held.row[at]

    monkeypatch.setattr(config, "BOUNDSCHECK", 1)
    with pytest.raises(IndexError):
        generic_kernel(beyond)(outer(), index)
