"""The compiler of kernels: the same results as plain Python, errors that say what is wrong where, checks of indices."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from ggp.codegen.kernels import F64, F64_2D, I32, I64, U64, KernelError, inline_kernel, kernel
from tests.unit.codegen import small_kernels
from tests.unit.codegen.small_kernels import CASES, Inner, Outer, applied, doubled, outer


@pytest.mark.parametrize("number", range(len(CASES)), ids=[function.__name__ for function, _ in CASES])
def test_both_forms_return_and_write_the_same(number: int) -> None:
    function, arguments = CASES[number]
    given, plain = arguments(), arguments()
    with np.errstate(over="ignore"):
        expected = function.py_func(*plain)
    found = function(*given)
    assert found == expected if expected is None else found == pytest.approx(expected, rel=1e-15, abs=0)
    for ours, theirs in zip(_arrays(given), _arrays(plain), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def _arrays(values: tuple[Any, ...]) -> list[np.ndarray]:
    found: list[np.ndarray] = []
    for value in values:
        found += [value] if isinstance(value, np.ndarray) else _arrays(value) if isinstance(value, tuple) else []
    return found


def test_division_by_zero_raises_nothing() -> None:
    assert small_kernels.quotients(7, 0) == 0
    assert small_kernels.over(-1, 0) == -np.inf


def test_arguments_may_be_named_and_left_out() -> None:
    @kernel
    def difference(a: int, b: int, c: int = 3) -> int:
        return a - b - c

    assert difference(b=1, a=9) == 5
    assert difference(9, 1, c=0) == 8
    with pytest.raises(TypeError, match="unexpected keyword argument 'd'"):
        difference(9, 1, d=0)


def test_a_kernel_given_from_python_is_compiled_for_each_kernel() -> None:
    @kernel
    def repeated(function: Callable[[int], int], times: int) -> int:
        return applied(function, times)

    assert repeated(doubled, 3) == 24
    assert repeated(small_kernels.one_more, 3) == 6


def test_threads_call_one_kernel_at_the_same_time() -> None:
    results: list[float] = []
    given = [(np.full(2000, float(number)), np.zeros(2000)) for number in range(8)]
    threads = [threading.Thread(target=lambda one=one: results.append(small_kernels.long_loop(*one))) for one in given]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [float(number) for number in range(8)]


# --- arguments --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.arange(3), np.zeros((2, 2))), "`values` is not a contiguous 1-dimensional array of float64"),
        ((np.arange(6.0)[::2], np.zeros((2, 2))), "`values` is not .*, not contiguous"),
        ((np.arange(3.0), np.zeros(2)), "`table` is not a contiguous 2-dimensional array"),
        ((np.arange(3.0), 7), "`table` is not .* 7"),
        ((np.arange(3.0),), "1 arguments where 2 are expected"),
    ],
)
def test_arguments_of_other_types_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        small_kernels.slices(*arguments)


def test_fields_of_other_types_are_refused() -> None:
    with pytest.raises(TypeError, match=r"`held\.inner\.row` is not .* array of int32"):
        small_kernels.fields(outer()._replace(inner=Inner(np.arange(8), 0.5)), 1)
    with pytest.raises(TypeError, match="`held` is not a Outer"):
        small_kernels.fields((1, 2), 1)
    with pytest.raises(TypeError, match="is not of its type"):
        small_kernels.fields(outer()._replace(count=0.5), 1)


def test_arrays_that_are_empty_or_cannot_be_written_are_read() -> None:
    fixed = np.arange(4.0)
    fixed.flags.writeable = False
    assert small_kernels.total_of is not None
    summed = kernel(small_kernels.total_of)
    assert summed(fixed) == 6.0
    assert summed(np.zeros(0)) == 0.0


# --- what is refused --------------------------------------------------------------------------------------------------


class Stretch(NamedTuple):
    """Fields of a type that kernels have not."""

    name: str


def plain(n: int) -> int:
    return n


def mixes_signs(a: int, b: np.uint64) -> np.uint64:
    return a + b  # here


def compares_signs(a: int, b: U64) -> bool:
    return b[0] < a  # here


def shortens(a: float) -> int:
    n = 0
    n = a  # here
    return n + 1


def returns_another(a: float) -> int:
    return a  # here


def has_a_list(a: int) -> int:
    return [a][0]  # here


def raises(a: int) -> int:
    raise ValueError(a)  # here


def calls_plain_python(a: int) -> int:
    return plain(a)  # here


def unknown(a: int) -> int:
    return nowhere(a)  # here # noqa: F821


def reads_too_early(a: int) -> int:
    if a > 0:
        b += a  # here # noqa: F821
        a = b
    return a


def too_many_indices(a: F64) -> float:
    return a[0, 1]  # here


def lacks_a_field(a: Inner) -> int:
    return a.column  # here


def lacks_an_argument(a: int) -> int:
    return applied(doubled)  # here


def passes_another(a: F64) -> float:
    return small_kernels.parts_of(a)[1]  # here


def returns_an_operand(a: int, b: int) -> int:
    return a or b  # here


def real_index(a: F64) -> float:
    return a[0.5]  # here


def huge(a: int) -> int:
    return a + 0x10000000000000000  # here


def writes_a_field(a: Inner) -> None:
    a.low = 0.5  # here


def else_of_a_loop(a: int) -> int:
    while a > 0:  # here
        a -= 1
    else:
        return 1
    return a


def unannotated(a) -> int:  # here
    return a


def of_text(a: str) -> int:  # here
    return 0


def of_fields_of_text(a: Stretch) -> int:  # here
    return 0


REFUSED = {
    mixes_signs: "int meets np.uint64; convert one of them",
    compares_signs: "np.uint64 meets int; convert one of them",
    shortens: "`n` was int before and is float here",
    returns_another: "float where int is expected",
    has_a_list: "kernels have no List",
    raises: "kernels have no Raise",
    calls_plain_python: "`plain` is not a kernel, nor a function that kernels have",
    unknown: "`nowhere` is not known",
    reads_too_early: "`b` is read before anything is assigned to it",
    too_many_indices: "2 indices of a 1-dimensional array of float64",
    lacks_a_field: "Inner has no `column`",
    lacks_an_argument: "`applied` lacks its argument `times`",
    passes_another: "`inner` of `parts_of`: 1-dimensional array of float64 where Inner is expected",
    returns_an_operand: "int where bool is expected: `and` and `or` would return it",
    real_index: "float as an index",
    huge: "18446744073709551616 has more than 64 bits",
    writes_a_field: "only variables and elements of arrays are assigned to",
    else_of_a_loop: "kernels have no `else` of loops",
    unannotated: "`a` has no annotation",
    of_text: "the annotation of `a`: `<class 'str'>` is not a type of kernels",
    of_fields_of_text: "the annotation of `a`: `<class 'str'>` is not a type of kernels",
}


@pytest.mark.parametrize("function", REFUSED, ids=lambda function: function.__name__)
def test_what_kernels_have_not_is_refused_with_its_place(function: Callable[..., Any]) -> None:
    with pytest.raises(KernelError) as caught:
        kernel(function).load()
    assert caught.value.reason == REFUSED[function]
    assert caught.value.file == __file__
    assert str(caught.value).splitlines()[0] == f"{__file__}:{caught.value.line}: {REFUSED[function]}"
    assert "# here" in str(caught.value)


def test_a_closure_is_refused() -> None:
    step = 3

    def stepped(a: int) -> int:
        return a + step

    with pytest.raises(KernelError, match="no variables of a function around it: step"):
        kernel(stepped).load()


# --- checks of indices ------------------------------------------------------------------------------------------------


@inline_kernel
def element(values: F64, at: int) -> float:
    return values[at]


@kernel
def sum_up(held: Outer, table: F64_2D, at: int) -> float:
    total = 0.0
    for row in range(2):
        total += element(held.values, at) + table[row, at]
    return total


@kernel
def writes(values: I64, at: int) -> int:
    values[at] += 1
    return at


@kernel
def fills(values: I64, first: int, last: int) -> None:
    values[first:last] = 7


@pytest.mark.parametrize("at", [-1, 6, 1 << 40])
def test_indices_are_checked_where_that_is_wanted(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GGP_CHECK_BOUNDS", "1")
    for function in (kernel(sum_up.py_func), kernel(sum_up.py_func)):  # compiled, then from the cache
        assert function(outer(), np.ones((2, 6)), 2) == pytest.approx(2 * (0.2 + 1))
        with pytest.raises(IndexError, match=rf"test_kernels\.py:{LINE_OF_ELEMENT}: index {at} in an array of 6"):
            function(outer(), np.ones((2, 6)), at)
        assert function(outer(), np.ones((2, 6)), 2) == pytest.approx(2 * (0.2 + 1))
    values = np.zeros(6, np.int64)
    with pytest.raises(IndexError):
        kernel(writes.py_func)(values, at)
    with pytest.raises(IndexError):
        kernel(fills.py_func)(values, -1, 3)
    assert not values.any()


def test_slices_end_where_the_array_ends() -> None:
    for first, last in ((2, 6), (2, 9), (5, 3), (7, 9), (0, 1 << 40)):
        values, expected = np.zeros(6, np.int64), np.zeros(6, np.int64)
        fills(values, first, last)
        fills.py_func(expected, first, last)
        assert values.tolist() == expected.tolist()


LINE_OF_ELEMENT = element.__code__.co_firstlineno + 2


def test_without_checks_nothing_is_looked_at() -> None:
    row: I32 = np.arange(4, dtype=np.int32)
    held = outer()._replace(values=np.zeros(8)[:4], inner=Inner(row, 0.0))
    assert sum_up(held, np.ones((2, 6)), 5) == 2.0
