"""A game's native functions: compiled from the generated source, or loaded from the cache."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ggp.codegen import object_files
from ggp.codegen.ir.nodes import Module
from ggp.codegen.machine_code import MachineCode
from ggp.native.interface import NativeFunctions

FUNCTIONS = tuple(name for name in NativeFunctions._fields if name not in ("estimate", "outcome_probability"))
"""What every game has."""


class Compilation(Struct, frozen=True):
    """Loaded native functions.

    Attributes:
        functions: their addresses.
        code: keeps them alive.
        from_cache: whether object code was found in the cache.
    """

    functions: NativeFunctions
    code: MachineCode
    from_cache: bool


def load_native(digest: str, names: tuple[str, ...], code: Callable[[], Module]) -> Compilation:
    """Return the native functions of a generated module, compiling it if the cache has no code for it.

    Args:
        digest: a hash of the module as Python.
        names: of its functions.
        code: returns the module; called only to compile it.
    """
    loaded, from_cache = load_code(digest, names, code)
    addresses = {name: loaded.addresses.get(name, 0) for name in NativeFunctions._fields}
    return Compilation(NativeFunctions(**addresses), loaded, from_cache)


def load_code(digest: str, names: tuple[str, ...], code: Callable[[], Module]) -> tuple[MachineCode, bool]:
    """Return some functions of a generated module as machine code, and whether it was found in the cache.

    Args:
        digest: a hash of the module as Python.
        names: of the functions.
        code: returns the module; called only to compile it.
    """

    def compiled() -> bytes:
        from ggp.codegen.llvm.compilation import compiled

        return compiled(code(), names)

    return object_files.load_code("games", digest.encode(), names, compiled)
