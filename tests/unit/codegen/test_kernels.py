"""The compiler of kernels: the same results as plain Python, errors that say what is wrong where, checks of indices."""

from __future__ import annotations

import threading
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ggp.codegen.kernels import F64, F64_2D, I32, I64, KernelError, inline_kernel, kernel
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


HEAD = """
from typing import NamedTuple
import numpy as np
from ggp.codegen.kernels import F64, U64
from tests.unit.codegen.small_kernels import Inner, applied, doubled, parts_of

class Stretch(NamedTuple):
    name: str

def plain(n: int) -> int:
    return n

"""
REFUSED = [
    ("(a: int, b: np.uint64) -> np.uint64:\n    return a + b", "int meets np.uint64; convert one of them"),
    ("(a: int, b: U64) -> bool:\n    return b[0] < a", "np.uint64 meets int; convert one of them"),
    ("(a: float) -> int:\n    n = 0\n    n = a  # here\n    return n + 1", "`n` was int before and is float here"),
    ("(a: float) -> int:\n    return a", "float where int is expected"),
    ("(a: int) -> int:\n    return [a][0]", "kernels have no List"),
    ("(a: int) -> int:\n    raise ValueError(a)", "kernels have no Raise"),
    ("(a: int) -> int:\n    return plain(a)", "`plain` is not a kernel, nor a function that kernels have"),
    ("(a: int) -> int:\n    return nowhere(a)", "`nowhere` is not known"),
    (
        "(a: int) -> int:\n    if a > 0:\n        b += a  # here\n        a = b\n    return a",
        "`b` is read before anything is assigned to it",
    ),
    ("(a: F64) -> float:\n    return a[0, 1]", "2 indices of a 1-dimensional array of float64"),
    ("(a: Inner) -> int:\n    return a.column", "Inner has no `column`"),
    ("(a: int) -> int:\n    return applied(doubled)", "`applied` lacks its argument `times`"),
    (
        "(a: F64) -> float:\n    return parts_of(a)[1]",
        "`inner` of `parts_of`: 1-dimensional array of float64 where Inner is expected",
    ),
    (
        "(a: int, b: int) -> int:\n    return a or b",
        "int where bool is expected: `and` and `or` would return it",
    ),
    ("(a: F64) -> float:\n    return a[0.5]", "float as an index"),
    ("(a: int) -> int:\n    return a + 0x10000000000000000", "18446744073709551616 has more than 64 bits"),
    ("(a: Inner) -> None:\n    a.low = 0.5", "only variables and elements of arrays are assigned to"),
    (
        "(a: int) -> int:\n    while a > 0:  # here\n        a -= 1\n    else:\n        return 1\n    return a",
        "kernels have no `else` of loops",
    ),
    ("(a) -> int:  # here\n    return a", "`a` has no annotation"),
    ("(a: str) -> int:  # here\n    return 0", "the annotation of `a`: `<class 'str'>` is not a type of kernels"),
    ("(a: Stretch) -> int:  # here\n    return 0", "the annotation of `a`: `<class 'str'>` is not a type of kernels"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_what_kernels_have_not_is_refused_with_its_place(text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "refused.py"
    file.write_text(f"{HEAD}def refused{text}{'' if '# here' in text else '  # here'}\n")
    spec = spec_from_file_location("refused", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(KernelError) as caught:
        kernel(module.refused).load()
    assert caught.value.reason == reason
    assert caught.value.file == str(file)
    assert str(caught.value).splitlines()[0] == f"{file}:{caught.value.line}: {reason}"
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
