"""Parts of kernels: compiled once, kept on disk, and the same as the plain Python."""

from __future__ import annotations

import gc
import importlib.util
import sys
import threading
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest

from ggp.cache import locked
from ggp.model.native import kernel_parts
from ggp.model.native.jit import inline_kernel, kernel, kernel_cache_folder, long_loop_kernel
from ggp.model.native.kernel_parts import PartCompiler

SOURCE = """
from ggp.model.native.jit import inline_kernel, kernel


@inline_kernel
def innermost(values, at):
    return values[at] * 2 + at


@inline_kernel
def part(values, first, step=1):
    total = 0
    for at in range(first, values.size, step):
        total += innermost(values, at)
    return total


@kernel
def whole(values, first):
    return part(values, first) + 1000 * part(values, 1, step=2) + innermost(values, 3)


@kernel
def other(values):
    return part(values, 0, 1)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kernel_parts, "MIN_KEPT_S", 0.0)
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "some_kernels.py").write_text(SOURCE)
    return tmp_path / "room"


def loaded(folder: Path) -> ModuleType:
    """Return the module again, as another process would have it."""
    spec = importlib.util.spec_from_file_location("some_kernels", folder / "some_kernels.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["some_kernels"] = module
    spec.loader.exec_module(module)
    return module


VALUES = np.array([3, 1, 4, 1, 5, 9, 2, 6])


def test_a_kernel_with_parts_returns_what_plain_python_does(folder) -> None:
    module = loaded(folder)
    for first in range(8):
        assert module.whole(VALUES, first) == module.whole.py_func(VALUES, first)


def test_parts_are_read_from_disk_by_other_kernels(folder, monkeypatch) -> None:
    first = loaded(folder)
    expected = first.whole(VALUES, 2), first.other(VALUES)
    (cache,) = kernel_cache_folder(folder).iterdir()
    for path in cache.glob("*other*"):
        path.unlink()
    second = loaded(folder)

    def refuse(self, _function):
        raise AssertionError(f"a part was compiled again: {self}")

    monkeypatch.setattr(PartCompiler, "compile_extra", refuse)
    assert (second.whole(VALUES, 2), second.other(VALUES)) == expected


def test_constants_need_no_compilation_of_their_own(folder, monkeypatch) -> None:
    compiled: list[str] = []
    compile_extra = PartCompiler.compile_extra

    def record(self, function):
        compiled.append(function.__name__)
        return compile_extra(self, function)

    monkeypatch.setattr(PartCompiler, "compile_extra", record)
    loaded(folder).whole(VALUES, 2)
    # `part` twice: with its own step, and with a given one
    assert sorted(compiled) == ["innermost", "part", "part"]


def test_a_part_that_another_process_compiles_is_waited_for(folder) -> None:
    module = loaded(folder)
    module.whole(VALUES, 2)
    (cache,) = kernel_cache_folder(folder).iterdir()
    locks = [path for path in cache.glob("*.lock") if ".part-" in path.name]
    assert len(locks) == 1
    for path in (*cache.glob("*.nbi"), *cache.glob("*.nbc")):
        path.unlink()
    again, found = loaded(folder), []
    thread = threading.Thread(target=lambda: found.append(again.whole(VALUES, 2)))
    with locked(locks[0]):
        thread.start()
        thread.join(0.3)
        assert not found
    thread.join()
    assert found == [again.whole.py_func(VALUES, 2)]


def test_the_collector_works_on_after_an_error() -> None:
    @inline_kernel
    def wrong(values):
        return values.nothing_of_this_name

    @kernel
    def calls_it(values):
        return wrong(values)

    with pytest.raises(numba.TypingError):
        calls_it(VALUES)
    assert gc.isenabled()


def test_a_kernel_with_long_loops_returns_what_plain_python_does() -> None:
    def weighted(values, weights):
        total = 0.0
        for at in range(values.size):
            weights[at] = 2.0 * weights[at] + values[at]
            total = max(total, weights[at])
        return total

    given, plain = np.arange(100.0) % 7, np.arange(100.0) % 7
    assert long_loop_kernel(weighted)(VALUES.repeat(12), given) == weighted(VALUES.repeat(12), plain)
    assert given.tolist() == plain.tolist()
