"""Decorates kernels: functions that numba compiles to native code, released from the GIL and cached on disk.

numba's cache keys a kernel by its own file alone: a change in a function that the kernel calls from another file would
go unnoticed. So the name of the cache folder carries a hash of every file a kernel may call into: all files of the
kernel's own room (`players.search`, `ggp.analysis`, ...) and the kernel files of this folder. A kernel calls kernels of
these two places only.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numba
import numpy as np

from ggp.cache import cache_root
from ggp.model.native.kernel_parts import LongLoopCompiler, kernel_with_part, register_part

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

Function = TypeVar("Function", bound=Callable[..., object])

I32: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]
I64: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
U64: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
F64: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

config: Any = numba.config  # its settings are made from the environment, unseen by type checkers

SHARED_SOURCES = (
    "calls.py",
    "held_values.py",
    "information_states.py",
    "interface.py",
    "jit.py",
    "kernel_parts.py",
    "rng_kernels.py",
)
"""The files of this folder that kernels elsewhere call into."""


def room_of(file: Path, module: str) -> Path:
    """Return the folder of the subpackage, such as `players/search`, that a module's file lies in at whatever depth."""
    return file.parents[max(len(module.split(".")) - 3, 0)]


@cache
def kernel_cache_folder(room: Path) -> Path:
    """Return where the compiled kernels of a room are kept; another place whenever any source changes.

    Code with bounds checks (`NUMBA_BOUNDSCHECK`) has a folder of its own, because numba's keys do not tell it apart.
    """
    here = Path(__file__).parent
    digest = hashlib.sha256(f"numba {numba.__version__} python {sys.version_info[:2]}".encode())
    for path in sorted({*room.rglob("*.py"), *(here / name for name in SHARED_SOURCES)}):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    checks = "-checked" if config.BOUNDSCHECK else ""
    return cache_root() / f"kernels-{digest.hexdigest()[:16]}{checks}"


def has_compiled(room: Path) -> bool:
    """Return whether kernels of a room have been compiled before, or at least some of them.

    The cache folder itself says nothing: it is there as soon as the kernels are imported.
    """
    return any(kernel_cache_folder(room).rglob("*.nbi"))


# _nrt: kernels allocate nothing, and without it numba would count references of every array at every call
OPTIONS: Any = {"nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function: Function) -> Dispatcher[Function]:
    """Make a plain function a kernel: compiled at its first call, without the GIL, cached on disk.

    Division by zero gives infinities as in numpy, not an exception: kernels cannot raise.
    """
    with _cache_folder_of(function):
        return kernel_with_part(function, OPTIONS, cache=True)


def long_loop_kernel(function: Function) -> Dispatcher[Function]:
    """Make a plain function a kernel whose time goes into loops over many numbers, as in linear programs.

    LLVM unrolls and vectorises these loops, which takes it half as long again as the rest.
    """
    with _cache_folder_of(function):
        return kernel_with_part(function, OPTIONS, cache=True, compiler=LongLoopCompiler)


@contextlib.contextmanager
def _cache_folder_of(function: Callable[..., object]) -> Iterator[None]:
    """Set the folder in which numba keeps a function that is decorated now; it reads the setting once."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(kernel_cache_folder(room_of(Path(function.__code__.co_filename), function.__module__)))
    try:
        yield
    finally:
        config.CACHE_DIR = before


def inline_kernel(function: Function) -> Function:
    """Make a plain function a part of kernels: always inlined into the kernel that calls it.

    For the small functions of an inner loop: a kernel's tuples of arrays are dozens of machine words, and a call
    that is not inlined copies them all. Called from Python, it is the plain function.
    """
    with _cache_folder_of(function):
        register_part(function, OPTIONS)
    return function


def generic_kernel(function: Function) -> Dispatcher[Function]:
    """Make a plain function a kernel that is handed another kernel: compiled for each of these, once a process.

    Not cached on disk: numba's cache tells such kernels apart by numbers that change from process to process.
    """
    with _cache_folder_of(function):
        return kernel_with_part(function, OPTIONS, cache=False)
