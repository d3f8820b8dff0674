"""Object code kept on disk between runs."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path

from ggp import codegen
from ggp.cache import cache_root, digest_of, locked, read_whole, write_whole
from ggp.codegen.machine_code import CodeUnusable, MachineCode, machine_key

LOGGER = logging.getLogger(__name__)


def load_code(kind: str, key: bytes, names: tuple[str, ...], compiled: Callable[[], bytes]) -> tuple[MachineCode, bool]:
    """Return machine code, and whether its object code was found on disk; if not, it is compiled and kept.

    Where several processes want the same at the same time, one compiles and the others wait.

    Args:
        kind: the folder of the cache.
        key: tells the source, and everything else that the object code depends on, but not this machine.
        names: of the functions whose addresses are wanted.
        compiled: returns the object code.
    """
    path = object_file(kind, key)
    found = _kept(path, names)
    if found is not None:
        return found, True
    with locked(path.with_suffix(".lock")):
        found = _kept(path, names)
        if found is not None:
            return found, True
        code = compiled()
        write_whole(path, path.name.encode() + code)
    return MachineCode(code, names), False


def object_file(kind: str, key: bytes) -> Path:
    """Return where object code is kept; see `load_code`."""
    return cache_root() / kind / f"{digest_of(key, machine_key().encode(), compiler_digest())}.object"


def _kept(path: Path, names: tuple[str, ...]) -> MachineCode | None:
    heading, kept = path.name.encode(), read_whole(path)
    if kept is None:
        return None
    try:
        # LLVM stops the process when it is given bytes that are not object code: only what names itself is loaded
        if not kept.startswith(heading):
            raise CodeUnusable("it is of another kernel or game")
        return MachineCode(kept.removeprefix(heading), names)
    except CodeUnusable as error:
        LOGGER.warning("the cache file %s cannot be loaded and will be made anew: %s", path, error)
        return None


@cache
def compiler_digest() -> bytes:
    """Return a hash of all sources of the compilers."""
    folder = Path(codegen.__file__).parent
    return digest_of(*(path.read_bytes() for path in sorted(folder.rglob("*.py")))).encode()
