"""Decorators that make functions kernels: compiled to native code that runs without the GIL, kept on disk."""

from __future__ import annotations

import ctypes
import functools
import inspect
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar

from ggp.codegen.kernels.arguments import Arguments, Results
from ggp.codegen.kernels.call_graph import description
from ggp.codegen.kernels.sources import refused, signature_of
from ggp.codegen.kernels.types import NoType, Type, type_of_value

P = ParamSpec("P")
R = TypeVar("R")
ENTRY, FAILED, PLACES = "entry", "failed", "places"
"""Names in the machine code, see `ggp.codegen.kernels.modules`, which is only imported to compile."""
FOLDER = "kernels"
"""Of the cache."""
CHECKED = "GGP_CHECK_BOUNDS"
"""The environment variable that makes kernels compare each index with the length of the array."""


@dataclass(frozen=True, slots=True)
class Instance:
    """The machine code of a kernel for arguments of certain types.

    Attributes:
        call: takes the addresses of the arguments and of memory for results.
        arguments: how they are packed.
        results: how they are read.
        failed: where a check that failed is noted; None without checks.
        places: the address of a text with the file and line of each check, one a line.
        code: keeps the machine code alive.
    """

    call: Callable[[bytes, ctypes.Array[ctypes.c_char] | None], None]
    arguments: Arguments
    results: Results
    failed: ctypes.Array[ctypes.c_int64] | None
    places: int
    code: object

    def __call__(self, values: tuple[Any, ...]) -> Any:
        """Call the kernel.

        Raises:
            IndexError: an index was beyond its array, where this is checked.
        """
        memory = self.results.new_memory()
        self.call(self.arguments.packed(values), memory)
        if self.failed is not None and self.failed[0]:
            place, index, length = self.failed
            self.failed[0] = 0
            where = ctypes.string_at(self.places).decode().split("\n")[place - 1]
            raise IndexError(f"{where}: index {index} in an array of {length}")
        return self.results.read(memory)


class Kernel(Generic[P, R]):
    """A function that is compiled when it is called for the first time, or loaded from the cache.

    Attributes:
        py_func: the function as plain Python.
        long_loops: whether its loops are worth vectorising; it takes twice as long to compile then.
    """

    def __init__(self, function: Callable[P, R], long_loops: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.long_loops = long_loops
        self._instances: dict[tuple[Type, ...], Instance] = {}
        self._only: Instance | None = None
        self._lock = threading.Lock()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the kernel."""
        values = self._bound(*args, **kwargs) if kwargs or self.py_func.__defaults__ else args
        instance = self._only or self._instance_for(values)
        result: R = instance(values)
        return result

    def load(self, *values: Any) -> None:
        """Compile the kernel, or load it from the cache.

        Args:
            values: arguments; none are needed unless annotations leave types open.
        """
        self._instance_for(values)

    def _bound(self, *args: P.args, **kwargs: P.kwargs) -> tuple[Any, ...]:
        """Return all arguments, named ones and those left out too, in their order."""
        bound = inspect.signature(self.py_func).bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.args

    def _instance_for(self, values: tuple[Any, ...]) -> Instance:
        parameters = signature_of(self.py_func).parameters
        if any(parameter.type is None for parameter in parameters):
            try:
                types = tuple(
                    type_of_value(value) if parameter.type is None else parameter.type
                    for parameter, value in zip(parameters, values, strict=True)
                )
            except NoType as error:
                raise TypeError(f"`{self.py_func.__name__}`: {error}") from error
            with self._lock:
                if types not in self._instances:
                    self._instances[types] = self._made(types)
                return self._instances[types]
        with self._lock:
            if self._only is None:
                self._only = self._made(self._declared())
            return self._only

    def is_kept(self) -> bool:
        """Return whether the cache on disk has the kernel; annotations must leave no type open."""
        from ggp.codegen.object_files import object_file

        return object_file(FOLDER, self._key(self._declared())).exists()

    def _declared(self) -> tuple[Type, ...]:
        parameters = signature_of(self.py_func).parameters
        return tuple(parameter.type for parameter in parameters if parameter.type is not None)

    def _key(self, types: tuple[Type, ...]) -> bytes:
        """Return what the machine code depends on."""
        checked = _is_checked()
        text = description(self.py_func, types, checked)
        return f"checked {checked}{', long loops' * self.long_loops}\n".encode() + text

    def _made(self, types: tuple[Type, ...]) -> Instance:
        from ggp.codegen.object_files import load_code  # only here is LLVM needed

        function, checked = self.py_func, _is_checked()
        signature = signature_of(function)
        names = tuple(parameter.name for parameter in signature.parameters)
        try:
            arguments, results = Arguments(names, types), Results(signature.result)
        except TypeError as error:
            raise refused(function, None, str(error)) from error

        def compiled() -> bytes:
            from ggp.codegen.kernels.modules import ModuleCompiler
            from ggp.codegen.machine_code import object_code

            return object_code(ModuleCompiler(checked).text(function, types), self.long_loops)

        wanted = (ENTRY, FAILED, PLACES) if checked else (ENTRY,)
        code, _ = load_code(FOLDER, self._key(types), wanted, compiled)
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
        failed = (ctypes.c_int64 * 3).from_address(code.addresses[FAILED]) if checked else None
        return Instance(
            prototype(code.addresses[ENTRY]), arguments, results, failed, code.addresses.get(PLACES, 0), code
        )


def _is_checked() -> bool:
    return bool(os.environ.get(CHECKED))


AnyKernel: TypeAlias = Kernel[..., Any]


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Make a plain function a kernel."""
    function.is_kernel = True  # type: ignore[attr-defined]
    return Kernel(function)


def kernel_of_long_loops(function: Callable[P, R]) -> Kernel[P, R]:
    """Make a plain function a kernel whose loops are vectorised."""
    function.is_kernel = True  # type: ignore[attr-defined]
    return Kernel(function, True)


def inline_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Let kernels call a plain function: always inlined into the kernel that calls it.

    For the small functions of an inner loop. Called from Python, it is the plain function.
    """
    function.is_kernel = function.is_inlined = True  # type: ignore[attr-defined]
    return function
