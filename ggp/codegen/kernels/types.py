"""The types of kernels, and how annotations name them.

Scalars are `int` (64 bits, signed), `np.uint64`, `float`, `np.float32` and `bool`. Arrays are contiguous; annotations
give the type of their elements and, for more than one dimension, their number, as `Annotated[F64, 2]`; or their shape,
as `Annotated[F64, "P, A"]`, by which memory is allocated. Narrower integers are types of elements only. A named tuple
is the address of its fields, one or more words each: scalars, arrays (an address and the lengths) and other named
tuples, in place. Other tuples, and named ones that a kernel makes, are values. A kernel, as an argument of another one,
is a constant.
"""

from __future__ import annotations

import ast
import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, TypeAlias

import numpy as np

I8: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]
U8: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
I32: TypeAlias = np.ndarray[Any, np.dtype[np.int32]]
I64: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
U64: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]
F32: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
F64: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
I8_2D: TypeAlias = Annotated[I8, 2]
I64_2D: TypeAlias = Annotated[I64, 2]
I64_3D: TypeAlias = Annotated[I64, 3]
U64_2D: TypeAlias = Annotated[U64, 2]
U64_3D: TypeAlias = Annotated[U64, 3]
F64_2D: TypeAlias = Annotated[F64, 2]


class Scalar(Enum):
    """The type of one number or truth value; the text is how messages name it."""

    INT = "int"
    WORD = "np.uint64"
    REAL = "float"
    REAL32 = "np.float32"
    BOOL = "bool"

    @property
    def llvm(self) -> str:
        """The type of a value in LLVM's language."""
        return _LLVM_SCALARS[self]

    @property
    def parts(self) -> tuple[str, ...]:
        """The types of the values in LLVM's language that stand for one of this type."""
        return (self.llvm,)

    def __str__(self) -> str:
        return self.value


_LLVM_SCALARS = {
    Scalar.INT: "i64",
    Scalar.WORD: "i64",
    Scalar.REAL: "double",
    Scalar.REAL32: "float",
    Scalar.BOOL: "i1",
}
REALS = frozenset({Scalar.REAL, Scalar.REAL32})


@dataclass(frozen=True, slots=True)
class Element:
    """The type of the elements of an array.

    Attributes:
        dtype: numpy's name of it.
        llvm: the type in memory, in LLVM's language.
        scalar: the type of a value once it is read.
        widen: LLVM's instruction that makes a value of what was read; empty where it is one.
        narrow: the instruction for writing.
    """

    dtype: str
    llvm: str
    scalar: Scalar
    widen: str = ""
    narrow: str = ""

    def __str__(self) -> str:
        return f"array of {self.dtype}"


ELEMENTS = {
    element.dtype: element
    for element in (
        Element("int64", "i64", Scalar.INT),
        Element("int32", "i32", Scalar.INT, "sext", "trunc"),
        Element("int8", "i8", Scalar.INT, "sext", "trunc"),
        Element("uint8", "i8", Scalar.INT, "zext", "trunc"),
        Element("uint64", "i64", Scalar.WORD),
        Element("float64", "double", Scalar.REAL),
        Element("float32", "float", Scalar.REAL32),
        Element("bool", "i8", Scalar.BOOL, "trunc", "zext"),
    )
}


@dataclass(frozen=True, slots=True)
class Array:
    """The type of a contiguous array."""

    element: Element
    dimensions: int

    @property
    def parts(self) -> tuple[str, ...]:
        """An address and the lengths."""
        return ("ptr", *["i64"] * self.dimensions)

    def __str__(self) -> str:
        return f"{self.dimensions}-dimensional {self.element}"


@dataclass(frozen=True, slots=True, eq=False)
class Struct:
    """The type of a named tuple that comes from Python, and never changes while a kernel runs; one for each class.

    Attributes:
        name: of the class, for messages.
        fields: the type of each field by name.
    """

    name: str
    fields: tuple[tuple[str, Type], ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """An address."""
        return ("ptr",)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Record:
    """The type of a named tuple that a kernel makes: a value, not an address.

    Attributes:
        struct: the type of the same class when it comes from Python.
        fields: the type of each field by name.
    """

    struct: Struct
    fields: tuple[tuple[str, Type], ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """Those of all fields."""
        return tuple(part for _, field in self.fields for part in field.parts)

    def __str__(self) -> str:
        return self.struct.name


@dataclass(frozen=True, slots=True)
class Tuple:
    """The type of several values; of none, it is that of a kernel that returns nothing."""

    items: tuple[Type, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """Those of all items."""
        return tuple(part for item in self.items for part in item.parts)

    def __str__(self) -> str:
        return f"tuple[{', '.join(map(str, self.items))}]" if self.items else "None"


@dataclass(frozen=True, slots=True)
class Constant:
    """The type of a kernel given as an argument: the function itself."""

    function: Callable[..., Any]

    @property
    def parts(self) -> tuple[str, ...]:
        """Nothing is left of it in machine code."""
        return ()

    def __str__(self) -> str:
        return f"kernel {self.function.__name__}"


Type: TypeAlias = Scalar | Array | Struct | Record | Tuple | Constant
NOTHING = Tuple(())
_SCALARS: dict[object, Scalar] = {
    int: Scalar.INT,
    np.int64: Scalar.INT,
    float: Scalar.REAL,
    np.float64: Scalar.REAL,
    bool: Scalar.BOOL,
    np.uint64: Scalar.WORD,
    np.float32: Scalar.REAL32,
}


class NoType(Exception):
    """An annotation or a value of Python that is of no type that kernels have."""


def memory_words(type_: Type) -> int:
    """Return how many words a value takes within a named tuple."""
    if isinstance(type_, Struct):
        return sum(memory_words(field) for _, field in type_.fields)
    return len(type_.parts)


def type_of_annotation(annotation: object) -> Type | None:
    """Return the type that an annotation names; None where it leaves the type to the argument.

    Raises:
        NoType: kernels have no such type.
    """
    try:
        return _type_of_annotation(annotation)
    except TypeError as error:  # not hashable: no annotation that we know
        raise NoType(f"`{annotation}` is not a type of kernels") from error


@cache
def _type_of_annotation(annotation: Any) -> Type | None:
    if annotation is None or annotation is type(None):
        return NOTHING
    if annotation is Any or typing.get_origin(annotation) is Callable or annotation is Callable:
        return None
    if scalar := _SCALARS.get(annotation):
        return scalar
    if typing.get_origin(annotation) is typing.Annotated:
        array, shape = typing.get_args(annotation)
        found = type_of_annotation(array)
        if isinstance(found, Array) and isinstance(shape, (int, str)):
            return Array(found.element, shape if isinstance(shape, int) else dimensions_of(shape))
    if typing.get_origin(annotation) is np.ndarray:
        (dtype,) = typing.get_args(typing.get_args(annotation)[1])
        return Array(ELEMENTS[np.dtype(dtype).name], 1)
    if typing.get_origin(annotation) is tuple:
        return Tuple(tuple(known(type_of_annotation(item)) for item in typing.get_args(annotation)))
    if is_named_tuple(annotation):
        hints = typing.get_type_hints(annotation, include_extras=True)
        fields = tuple((name, known(type_of_annotation(hints[name]))) for name in annotation._fields)
        return Struct(annotation.__name__, fields)
    raise NoType(f"`{annotation}` is not a type of kernels")


def dimensions_of(shape: str) -> int:
    """Return how many dimensions a shape has, such as `D, 2 * P`."""
    sizes = ast.parse(shape, mode="eval").body
    return len(sizes.elts) if isinstance(sizes, ast.Tuple) else 1


def known(found: Type | None) -> Type:
    """Return a type.

    Raises:
        NoType: it is left open.
    """
    if found is None:
        raise NoType("the type cannot be left open here")
    return found


def is_named_tuple(what: object) -> bool:
    """Return whether this is a class of named tuples."""
    return inspect.isclass(what) and issubclass(what, tuple) and hasattr(what, "_fields")


def type_of_value(value: object) -> Type:
    """Return the type of an argument whose annotation leaves it open.

    Raises:
        NoType: kernels have no such type.
    """
    if isinstance(value, np.ndarray):
        if value.dtype.name not in ELEMENTS:
            raise NoType(f"arrays of {value.dtype} are not a type of kernels")
        return Array(ELEMENTS[value.dtype.name], value.ndim)
    if isinstance(function := getattr(value, "py_func", value), types.FunctionType):
        return Constant(function)
    return known(type_of_annotation(type(value)))
