"""The cache of kernels on disk: what makes a kernel another one, files that are damaged, processes at the same time."""

from __future__ import annotations

import importlib.util
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ggp.cache import write_whole
from ggp.codegen import object_files
from ggp.codegen.kernels import sources

KERNELS = """
from typing import NamedTuple

import numpy as np

import some_constants
from ggp.codegen.kernels import I64, inline_kernel, kernel
from some_constants import FACTOR

TABLE = np.array([5, 6, 7])


class Options(NamedTuple):
    step: int
    start: int = 0


@inline_kernel
def innermost(n: int, more: int = 1) -> int:
    return n * FACTOR + TABLE[n] + more + some_constants.ADDED


@inline_kernel
def part(n: int) -> int:
    return innermost(n) + Options(n).start


@kernel
def whole(n: int, options: Options) -> int:
    return part(n) + options.step


@kernel
def other(values: I64) -> int:
    return values[0]
"""
CONSTANTS = "FACTOR, ADDED, UNUSED = 10, 100, 7\n"
EXPECTED = 2 * 10 + 7 + 1 + 100 + 1000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "some_kernels.py").write_text(KERNELS)
    (tmp_path / "some_constants.py").write_text(CONSTANTS)
    yield tmp_path
    for name in ("some_kernels", "some_constants"):
        sys.modules.pop(name, None)


def loaded(folder: Path) -> ModuleType:
    """Return the kernels as another process would have them."""
    sources._source_of.cache_clear()
    found = []
    for name in ("some_constants", "some_kernels"):
        spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found.append(module)
    return found[1]


def result_of(module: ModuleType) -> int:
    found: int = module.whole(2, module.Options(1000))
    return found


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "cache" / "kernels").glob("*.object"))


def test_a_kernel_is_compiled_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not loaded(folder).whole.is_kept()
    assert result_of(loaded(folder)) == EXPECTED
    monkeypatch.setattr("ggp.codegen.machine_code.object_code", None)
    again = loaded(folder)
    assert again.whole.is_kept()
    assert not again.other.is_kept()
    assert result_of(again) == EXPECTED
    assert len(kept(folder)) == 1


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("some_constants.py", "= 10, 100", "= 11, 100", EXPECTED + 2),
        ("some_constants.py", "= 10, 100", "= 10, 90", EXPECTED - 10),
        ("some_kernels.py", "[5, 6, 7]", "[5, 6, 8]", EXPECTED + 1),
        ("some_kernels.py", "n * FACTOR", "3 * n * FACTOR", EXPECTED + 40),
        ("some_kernels.py", "more: int = 1", "more: int = 2", EXPECTED + 1),
        ("some_kernels.py", "more: int = 1", "more: float = 1", None),
        ("some_kernels.py", "start: int = 0", "start: int = 4", EXPECTED + 4),
        ("some_kernels.py", "    step: int\n", "    first: float\n    step: int\n", None),
    ],
)
def test_what_a_kernel_depends_on_makes_it_another_one(
    folder: Path, file: str, old: str, new: str, expected: int | None
) -> None:
    assert result_of(loaded(folder)) == EXPECTED
    text = (folder / file).read_text()
    (folder / file).write_text(text.replace(old, new))
    module = loaded(folder)
    assert not module.whole.is_kept()
    if expected is not None:
        assert result_of(module) == expected
    (folder / file).write_text(text)
    assert loaded(folder).whole.is_kept()


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("some_constants.py", "7\n", "8\n"),
        ("some_kernels.py", "return values[0]", "return values[1]"),
        ("some_kernels.py", "@kernel\ndef whole", "# a comment\n@kernel\ndef whole"),
    ],
)
def test_what_it_does_not_depend_on_does_not(folder: Path, file: str, old: str, new: str) -> None:
    result_of(loaded(folder))
    (folder / file).write_text((folder / file).read_text().replace(old, new))
    assert loaded(folder).whole.is_kept()


def test_a_change_after_loading_is_noticed(folder: Path) -> None:
    module = loaded(folder)
    (folder / "some_kernels.py").write_text(KERNELS.replace("n * FACTOR", "n + FACTOR"))
    with pytest.raises(sources.KernelError, match="changed since it was loaded"):
        result_of(module)


@pytest.mark.parametrize("content", [b"", b"cut off", None])
def test_damaged_files_are_compiled_again(folder: Path, content: bytes | None, caplog) -> None:
    result_of(loaded(folder))
    (path,) = kept(folder)
    whole = path.read_bytes()
    if content is None:  # whole, but something else
        write_whole(path, b"no object code at all")
    else:
        path.write_bytes(content + whole[: len(whole) // 2])
    with caplog.at_level(logging.WARNING):
        assert result_of(loaded(folder)) == EXPECTED
    assert "will be made anew" in caplog.text
    assert path.read_bytes() == whole


def test_another_compiler_or_processor_makes_another_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result_of(loaded(folder))
    for name, value in (("compiler_digest", b"newer"), ("machine_key", "another")):
        with monkeypatch.context() as changed:
            changed.setattr(object_files, name, lambda value=value: value)
            assert not loaded(folder).whole.is_kept()
    assert loaded(folder).whole.is_kept()


CALLS = """
import sys
from ggp.codegen import machine_code
compiled = machine_code.object_code
machine_code.object_code = lambda *given: print("compiled") or compiled(*given)
import some_kernels
print(some_kernels.whole(2, some_kernels.Options(1000)))
"""


def test_of_several_processes_one_compiles(folder: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", CALLS], cwd=folder, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    told = [process.communicate(timeout=120)[0].split() for process in processes]
    assert [words[-1] for words in told] == [str(EXPECTED)] * 3
    assert sum(words.count("compiled") for words in told) == 1
    assert len(kept(folder)) == 1
    assert np.array_equal([process.returncode for process in processes], [0, 0, 0])
