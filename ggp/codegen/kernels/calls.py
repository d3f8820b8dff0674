"""Calls in kernels: of other kernels, of functions that are instructions, and of types."""

from __future__ import annotations

import ast
import builtins
import math
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ggp.codegen.kernels import intrinsics
from ggp.codegen.kernels.operators import Mismatch, cast, compared, converted, met
from ggp.codegen.kernels.sources import signature_of
from ggp.codegen.kernels.types import (
    REALS,
    Array,
    Constant,
    Record,
    Scalar,
    Struct,
    Tuple,
    Type,
    is_named_tuple,
    type_of_annotation,
)
from ggp.codegen.kernels.values import Value, Writer, items_of, result_type, scalar, tuple_of

if TYPE_CHECKING:
    from ggp.codegen.kernels.functions import FunctionCompiler

NO_OBJECT = object()
"""What is not known before the kernel runs."""
LIBRARY = ("exp", "log", "log10", "pow", "tanh")
"""Functions of the C library that kernels call, of real numbers."""


def object_of(f: FunctionCompiler, node: ast.expr) -> Any:
    """Return the object of Python that a name or an attribute of a module stands for, or NO_OBJECT."""
    if isinstance(node, ast.Name):
        if f.is_local(node.id):
            return NO_OBJECT
        found = f.function.__globals__.get(node.id, getattr(builtins, node.id, NO_OBJECT))
        if found is NO_OBJECT:
            raise Mismatch(f"`{node.id}` is not known")
        return found
    if isinstance(node, ast.Attribute):
        owner = object_of(f, node.value)
        if isinstance(owner, types.ModuleType):
            if not hasattr(owner, node.attr):
                raise Mismatch(f"`{owner.__name__}` has no `{node.attr}`")
            return getattr(owner, node.attr)
    return NO_OBJECT


def call(f: FunctionCompiler, node: ast.Call) -> Value:
    """Return the value of a call."""
    callee = object_of(f, node.func)
    if callee is NO_OBJECT:
        given = f.evaluate(node.func)
        if not isinstance(given.type, Constant):
            raise Mismatch(f"{given.type} cannot be called")
        callee = given.type.function
    if callee is bool and len(node.args) == 1:  # of `and` and `or` too, of which only the truth counts
        return scalar(Scalar.BOOL, f.condition(node.args[0]))
    function = getattr(callee, "py_func", callee)
    arguments = [f.evaluate(argument) for argument in node.args]
    named = {keyword.arg or "**": f.evaluate(keyword.value) for keyword in node.keywords}
    if is_named_tuple(function):
        return _made(f, function, arguments, named)
    written = _WRITTEN.get(function) if function.__hash__ else None
    if written is not None:
        if named:
            raise Mismatch("this function takes no named arguments")
        try:
            return written(f.w, *arguments)
        except TypeError as error:
            raise Mismatch(f"{len(arguments)} arguments: {error}") from error
    if isinstance(function, types.FunctionType) and getattr(function, "is_kernel", False):
        return _call_kernel(f, function, arguments, named)
    raise Mismatch(f"`{ast.unparse(node.func)}` is not a kernel, nor a function that kernels have")


def _call_kernel(
    f: FunctionCompiler, function: Callable[..., Any], arguments: list[Value], named: dict[str, Value]
) -> Value:
    signature = signature_of(function)
    defaults = dict(zip(reversed(signature.parameters), reversed(function.__defaults__ or ()), strict=False))
    given: list[Value] = []
    if len(arguments) > len(signature.parameters):
        raise Mismatch(f"`{function.__name__}` takes {len(signature.parameters)} arguments")
    for position, parameter in enumerate(signature.parameters):
        if position < len(arguments):
            argument = arguments[position]
        elif parameter.name in named:
            argument = named.pop(parameter.name)
        elif parameter in defaults:
            argument = f.value_of(defaults[parameter], parameter.name)
        else:
            raise Mismatch(f"`{function.__name__}` lacks its argument `{parameter.name}`")
        try:
            given.append(_as_argument(f.w, argument, parameter.type))
        except Mismatch as error:
            raise Mismatch(f"`{parameter.name}` of `{function.__name__}`: {error}") from error
    if named:
        raise Mismatch(f"`{function.__name__}` has no parameter `{next(iter(named))}`")
    name = f.module.instance(function, tuple(argument.type for argument in given))
    operands = ", ".join(operand for argument in given for operand in argument.operands)
    found = called(f.w, f"{result_type(signature.result)} @{name}({operands})", signature.result)
    f.leave_if_failed()
    return found


def _as_argument(w: Writer, argument: Value, wanted: Type | None) -> Value:
    if wanted is None or (isinstance(argument.type, Record) and argument.type.struct is wanted):
        return argument
    return converted(w, argument, wanted)


def called(w: Writer, instruction: str, result: Type) -> Value:
    """Write a call, and return its result."""
    parts = result.parts
    if not parts:
        w.do(f"call {instruction}")
        return Value(result, ())
    found = w.let(f"call {instruction}")
    if len(parts) == 1:
        return Value(result, (found,))
    kind = result_type(result)
    return Value(result, tuple(w.let(f"extractvalue {kind} {found}, {at}") for at in range(len(parts))))


def _made(f: FunctionCompiler, class_: Any, arguments: list[Value], named: dict[str, Value]) -> Value:
    """Return a named tuple that the kernel makes."""
    struct = type_of_annotation(class_)
    assert isinstance(struct, Struct)
    given = dict(zip(class_._fields, arguments, strict=False)) | named
    for name, default in class_._field_defaults.items():
        if name not in given:
            given[name] = f.value_of(default, name)
    if set(given) != set(class_._fields):
        raise Mismatch(f"`{class_.__name__}` takes {', '.join(class_._fields)}")
    fields = {name: _as_argument(f.w, given[name], type_) for name, type_ in struct.fields}
    record = Record(struct, tuple((name, field.type) for name, field in fields.items()))
    return Value(record, tuple(part for field in fields.values() for part in field.parts))


# --- functions that are instructions ----------------------------------------------------------------------------------


def _to(type_: Scalar) -> Callable[..., Value]:
    return lambda w, value: cast(w, value, type_)


def _to_int32(w: Writer, value: Value) -> Value:
    narrow = w.let(f"trunc i64 {cast(w, value, Scalar.INT).only} to i32")
    return scalar(Scalar.INT, w.let(f"sext i32 {narrow} to i64"))


def _extreme(operator: ast.cmpop) -> Callable[..., Value]:
    """Return what writes `min` or `max`: of equal ones the first, as Python's."""

    def write(w: Writer, first: Value, *others: Value) -> Value:
        for other in others:
            first, other, common = met(w, first, other)
            test = compared(w, operator, other, first).only
            first = scalar(common, w.let(f"select i1 {test}, {common.llvm} {other.only}, {common.llvm} {first.only}"))
        return first

    return write


def _absolute(w: Writer, value: Value) -> Value:
    if value.type in REALS:
        kind = value.type.parts[0]
        return Value(value.type, (w.let(f"call {kind} @llvm.fabs.{_SUFFIX[kind]}({kind} {value.only})"),))
    whole = converted(w, value, Scalar.INT)
    return scalar(Scalar.INT, w.let(f"call i64 @llvm.abs.i64(i64 {whole.only}, i1 false)"))


_SUFFIX = {"double": "f64", "float": "f32"}


def _library(name: str) -> Callable[..., Value]:
    def write(w: Writer, value: Value) -> Value:
        return scalar(Scalar.REAL, w.let(f"call double @{name}(double {converted(w, value, Scalar.REAL).only})"))

    return write


def _rounded(name: str) -> Callable[..., Value]:
    return lambda w, value: cast(w, _library(name)(w, value), Scalar.INT)


def _is_nan(w: Writer, value: Value) -> Value:
    return scalar(Scalar.BOOL, w.let(f"fcmp uno double {converted(w, value, Scalar.REAL).only}, 0.0"))


def _length(w: Writer, value: Value) -> Value:  # noqa: ARG001 - all of them are given it
    if not isinstance(value.type, Array):
        raise Mismatch(f"{value.type} has no length")
    return Value(Scalar.INT, value.parts[1:2])


def _address(w: Writer, array: Value, at: Value) -> str:
    if not isinstance(array.type, Array):
        raise Mismatch(f"{array.type} where an array is expected")
    index = converted(w, at, Scalar.INT).only
    return w.let(f"getelementptr {array.type.element.llvm}, ptr {array.part(0)}, i64 {index}")


def _pointer(w: Writer, array: Value, at: Value) -> Value:
    return scalar(Scalar.INT, w.let(f"ptrtoint ptr {_address(w, array, at)} to i64"))


def _outside(result: Type) -> Callable[..., Value]:
    def write(w: Writer, function: Value, words: Value) -> Value:
        if not isinstance(words.type, Tuple):
            raise Mismatch("the arguments are a tuple")
        given = ", ".join(f"i64 {converted(w, word, Scalar.INT).only}" for word in items_of(words))
        address = w.let(f"inttoptr i64 {converted(w, function, Scalar.INT).only} to ptr")
        return called(w, f"{result_type(result)} {address}({given})", result)

    return write


def _bit_length(w: Writer, value: Value) -> Value:
    zeros = w.let(f"call i64 @llvm.ctlz.i64(i64 {converted(w, value, Scalar.INT).only}, i1 false)")
    return scalar(Scalar.INT, w.let(f"sub i64 64, {zeros}"))


_WRITTEN: dict[Any, Callable[..., Value]] = {
    int: _to(Scalar.INT), float: _to(Scalar.REAL),
    np.int64: _to(Scalar.INT), np.uint64: _to(Scalar.WORD), np.int32: _to_int32,
    np.float64: _to(Scalar.REAL), np.float32: _to(Scalar.REAL32),
    min: _extreme(ast.Lt()), max: _extreme(ast.Gt()), abs: _absolute, len: _length,
    math.sqrt: _library("llvm.sqrt.f64"), math.floor: _rounded("llvm.floor.f64"), math.ceil: _rounded("llvm.ceil.f64"),
    math.exp: _library("exp"), math.log: _library("log"), math.log10: _library("log10"), math.tanh: _library("tanh"),
    math.isnan: _is_nan, np.isnan: _is_nan,
    intrinsics.pointer: _pointer, intrinsics.call_function: _outside(Scalar.INT),
    intrinsics.call_procedure: _outside(tuple_of([]).type), intrinsics.bit_length: _bit_length,
}  # fmt: skip
"""Functions and types of Python that kernels call, and how each is written."""

DECLARATIONS = "\n".join(
    (
        *(f"declare double @{name}(double)" for name in LIBRARY if name != "pow"),
        "declare double @pow(double, double)",
        *(f"declare double @llvm.{name}.f64(double)" for name in ("sqrt", "floor", "ceil", "fabs")),
        "declare float @llvm.fabs.f32(float)",
        "declare i64 @llvm.abs.i64(i64, i1)",
        "declare i64 @llvm.ctlz.i64(i64, i1)",
        "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)",
    )
)
"""Of the functions outside that are called."""
