"""Arguments of kernels on their way from Python: checked, and packed into one block of memory."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ggp.codegen.kernels.types import ELEMENTS, Array, Constant, Scalar, Struct, Tuple, Type

_FORMATS = {Scalar.INT: "q", Scalar.WORD: "Q", Scalar.REAL: "d", Scalar.REAL32: "f4x", Scalar.BOOL: "?7x"}
_DTYPES = {name: np.dtype(name) for name in ELEMENTS}
_address = ctypes.addressof
_byte_of: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer
Packer = Callable[[Any, list[Any]], None]
"""Appends the numbers that stand for an argument to a list."""


class Arguments:
    """How the arguments of a kernel, of certain types, are packed."""

    def __init__(self, names: tuple[str, ...], types: tuple[Type, ...]) -> None:
        self._pack = struct.Struct("=" + "".join(map(_format_of, types))).pack
        self._packers = [_packer_of(type_, name) for name, type_ in zip(names, types, strict=True)]

    def packed(self, values: tuple[Any, ...]) -> bytes:
        """Return the block of memory; the arrays must live as long as it is used.

        Raises:
            TypeError: an argument is not of its type.
        """
        if len(values) != len(self._packers):
            raise TypeError(f"{len(values)} arguments where {len(self._packers)} are expected")
        numbers: list[Any] = []
        for packer, value in zip(self._packers, values, strict=True):
            packer(value, numbers)
        try:
            return self._pack(*numbers)
        except struct.error as error:
            raise TypeError(f"an argument is not of its type: {error}") from error


def _format_of(type_: Type) -> str:
    if isinstance(type_, Struct):
        return "".join(_format_of(field) for _, field in type_.fields)
    if isinstance(type_, Array):
        return "Q" + "q" * type_.dimensions
    return _FORMATS[type_] if isinstance(type_, Scalar) else ""


def _packer_of(type_: Type, name: str) -> Packer:
    if isinstance(type_, Scalar):
        return lambda value, numbers: numbers.append(value)
    if isinstance(type_, Array):
        return lambda value, numbers: numbers.extend(_numbers_of(value, type_, name))
    if isinstance(type_, Struct):
        packers = [_packer_of(field, f"{name}.{field_name}") for field_name, field in type_.fields]

        def pack(value: Any, numbers: list[Any]) -> None:
            if len(value) != len(packers):
                raise TypeError(f"`{name}` is not a {type_}: {value!r}")
            for packer, item in zip(packers, value, strict=True):
                packer(item, numbers)

        return pack
    if isinstance(type_, Constant):
        return lambda value, numbers: None  # noqa: ARG005
    raise TypeError(f"`{name}`: {type_} cannot be given to a kernel from Python")


def _numbers_of(value: Any, type_: Array, name: str) -> tuple[int, ...]:
    """Return the address and the lengths of an array."""
    if not (
        isinstance(value, np.ndarray)
        and value.ndim == type_.dimensions
        and value.dtype == _DTYPES[type_.element.dtype]
        and value.flags.c_contiguous
    ):
        raise TypeError(f"`{name}` is not a contiguous {type_}: {_told(value)}")
    try:
        return _address(_byte_of(value)), *value.shape
    except (TypeError, ValueError):  # it cannot be written to, or is empty
        return value.ctypes.data, *value.shape


def _told(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return (
            f"{value.ndim}-dimensional array of {value.dtype}, {'' if value.flags.c_contiguous else 'not '}contiguous"
        )
    return repr(value)


class Results:
    """How the result of a kernel is read."""

    def __init__(self, type_: Type) -> None:
        items = type_.items if isinstance(type_, Tuple) else (type_,)
        self._is_tuple = isinstance(type_, Tuple)
        if not all(isinstance(item, Scalar) for item in items):
            raise TypeError(f"{type_} cannot be returned to Python")
        self._struct = struct.Struct("=" + "".join(map(_format_of, items)))
        self._memory = ctypes.c_char * self._struct.size if items else None

    def new_memory(self) -> ctypes.Array[ctypes.c_char] | None:
        """Return memory for a result; None where there is none."""
        return self._memory() if self._memory else None

    def read(self, memory: ctypes.Array[ctypes.c_char] | None) -> Any:
        """Return the result that was written to memory."""
        if memory is None:
            return None
        found = self._struct.unpack_from(memory)
        return found if self._is_tuple else found[0]
