"""Elements, rows and slices of arrays.

Indices count from the front; only where kernels are checked is each one compared with the length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ggp.codegen.kernels.operators import Mismatch, cast, converted
from ggp.codegen.kernels.types import Array, Scalar
from ggp.codegen.kernels.values import Value, Writer, number, scalar

if TYPE_CHECKING:
    from ggp.codegen.kernels.functions import FunctionCompiler


def size_of(w: Writer, array: Value) -> str:
    """Return how many elements an array has."""
    assert isinstance(array.type, Array)
    size = array.part(1)
    for axis in range(2, 1 + array.type.dimensions):
        size = w.let(f"mul i64 {size}, {array.part(axis)}")
    return size


def inside(f: FunctionCompiler, array: Value, indices: list[Value]) -> Value:
    """Return what stands at some indices of an array, as an array with the other dimensions."""
    assert isinstance(array.type, Array)
    dimensions = array.type.dimensions
    if len(indices) > dimensions:
        raise Mismatch(f"{len(indices)} indices of a {array.type}")
    at = ""
    for axis in range(dimensions):
        if axis < len(indices):
            index = _index(f, array, axis, indices[axis])
            at = f.w.let(f"add i64 {at}, {index}") if at else index
        if axis + 1 < dimensions:
            at = f.w.let(f"mul i64 {at}, {array.part(axis + 2)}")
    address = f.w.let(f"getelementptr inbounds {array.type.element.llvm}, ptr {array.part(0)}, i64 {at}")
    return Value(Array(array.type.element, dimensions - len(indices)), (address, *array.parts[1 + len(indices) :]))


def _index(f: FunctionCompiler, array: Value, axis: int, index: Value) -> str:
    if index.type not in (Scalar.INT, Scalar.WORD, Scalar.BOOL):
        raise Mismatch(f"{index.type} as an index")
    place = index if index.type is Scalar.WORD else converted(f.w, index, Scalar.INT)
    if f.checked:
        f.check(f.w.let(f"icmp ult i64 {place.only}, {array.part(1 + axis)}"), place.only, array.part(1 + axis))
    return place.only


def read(w: Writer, place: Value) -> Value:
    """Return the value of an element: an array of no dimension."""
    assert isinstance(place.type, Array)
    element = place.type.element
    found = w.let(f"load {element.llvm}, ptr {place.only}")
    if element.widen:
        found = w.let(f"{element.widen} {element.llvm} {found} to {element.scalar.llvm}")
    return scalar(element.scalar, found)


def write(w: Writer, place: Value, value: Value) -> None:
    """Write the value of an element."""
    assert isinstance(place.type, Array)
    element = place.type.element
    rounded = value.type is Scalar.REAL and element.scalar is Scalar.REAL32
    stored = (cast if rounded else converted)(w, value, element.scalar).only
    if element.narrow:
        stored = w.let(f"{element.narrow} {element.scalar.llvm} {stored} to {element.llvm}")
    w.do(f"store {element.llvm} {stored}, ptr {place.only}")


def part_of(f: FunctionCompiler, array: Value, first: Value | None, last: Value | None) -> Value:
    """Return the rows of an array from `first` to before `last`; the array ends before either, if it is shorter."""
    assert isinstance(array.type, Array)
    w, low, high = f.w, "0", array.part(1)
    if last:
        high = _least(f, converted(w, last, Scalar.INT).only, high)
    if first:
        low = _least(f, converted(w, first, Scalar.INT).only, high)
    begin = low
    for axis in range(1, array.type.dimensions):
        begin = w.let(f"mul i64 {begin}, {array.part(1 + axis)}")
    address = w.let(f"getelementptr inbounds {array.type.element.llvm}, ptr {array.part(0)}, i64 {begin}")
    return Value(array.type, (address, w.let(f"sub i64 {high}, {low}"), *array.parts[2:]))


def _least(f: FunctionCompiler, bound: str, length: str) -> str:
    if f.checked:
        f.check(f.w.let(f"icmp sge i64 {bound}, 0"), bound, length)
    return f.w.let(f"select i1 {f.w.let(f'icmp slt i64 {bound}, {length}')}, i64 {bound}, i64 {length}")


def fill(f: FunctionCompiler, array: Value, value: Value) -> None:
    """Write to all elements of an array the same number, or those of another array of as many."""
    assert isinstance(array.type, Array)
    w, size = f.w, size_of(f.w, array)
    source = value if isinstance(value.type, Array) else None
    if source is not None and source.type != array.type:
        raise Mismatch(f"{source.type} where {array.type} is expected")
    if source is not None and f.checked:
        given = size_of(w, source)
        f.check(w.let(f"icmp eq i64 {size}, {given}"), given, size)
    if source is not None:
        count = w.let(f"mul i64 {size}, {_BYTES[array.type.element.llvm]}")
        w.do(f"call void @llvm.memmove.p0.p0.i64(ptr {array.part(0)}, ptr {source.part(0)}, i64 {count}, i1 false)")
        return
    with f.counted(number(0), scalar(Scalar.INT, size), number(1)) as at:
        element = w.let(f"getelementptr inbounds {array.type.element.llvm}, ptr {array.part(0)}, i64 {at.only}")
        write(w, Value(Array(array.type.element, 0), (element,)), value)


_BYTES = {"i64": 8, "double": 8, "i32": 4, "float": 4, "i8": 1}
