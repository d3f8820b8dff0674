"""Decorates kernels: functions that numba compiles to native code, released from the GIL and cached on disk.

numba's cache keys a kernel by its own file alone: a change in a function that the kernel calls from another file would
go unnoticed. So the name of the cache folder carries a hash of every file a kernel may call into: all files of the
kernel's own folder and the kernel files of `ggp.model`. A kernel calls kernels of these two places only.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numba
import numpy as np

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

Function = TypeVar("Function", bound=Callable[..., object])

I32: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]
I64: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
U64: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
F64: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

MODEL_SOURCES = ("calls.py", "generator_native.py", "interface.py", "jit.py")
"""The files of this folder that kernels elsewhere call into."""


def cache_root() -> Path:
    """Return the folder below which compiled code is kept: `$GGP_CACHE`, else the platform's place for caches."""
    chosen = os.environ.get("GGP_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "ggp" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ggp"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ggp"


@cache
def kernel_cache_folder(folder: Path) -> Path:
    """Return where the compiled kernels of a source folder are kept; another place whenever any source changes.

    Code with bounds checks (`NUMBA_BOUNDSCHECK`) has a folder of its own, because numba's keys do not tell it apart.
    """
    here = Path(__file__).parent
    digest = hashlib.sha256(f"numba {numba.__version__} python {sys.version_info[:2]}".encode())
    for path in sorted({*folder.glob("*.py"), *(here / name for name in MODEL_SOURCES)}):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    checks = "-checked" if numba.config.BOUNDSCHECK else ""
    return cache_root() / f"kernels-{digest.hexdigest()[:16]}{checks}"


def kernel(function: Function) -> Dispatcher[Function]:
    """Make a plain function a kernel: compiled at its first call, without the GIL, cached on disk.

    Division by zero gives infinities as in numpy, not an exception: kernels cannot raise.
    """
    folder = Path(function.__code__.co_filename).parent
    before = numba.config.CACHE_DIR
    # numba reads this setting once, while it decorates
    numba.config.CACHE_DIR = str(kernel_cache_folder(folder))
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
    finally:
        numba.config.CACHE_DIR = before
