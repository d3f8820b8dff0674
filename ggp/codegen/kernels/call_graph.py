"""What the machine code of a kernel depends on: the code of all functions that it reaches, and their constants.

Found without reading any source, since it is looked up each time a kernel is loaded: the names that the code of a
function mentions, its own and those of modules, are followed from value to value.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from ggp.codegen.kernels.sources import signature_of
from ggp.codegen.kernels.types import (
    Array,
    Constant,
    NoType,
    Record,
    Scalar,
    Struct,
    Tuple,
    Type,
    is_named_tuple,
    type_of_annotation,
)

FOREIGN = ("builtins", "math", "numpy")
"""Modules that are not looked into: what kernels take from them is written by the compiler."""


def description(kernel: Callable[..., Any], given: tuple[Type, ...], checked: bool) -> bytes:
    """Return what the machine code of a kernel depends on, for arguments of certain types.

    Args:
        kernel: as plain Python.
        given: the types.
        checked: whether the code says where in the sources it stands.
    """
    starts = [kernel, *(type_.function for type_ in given if isinstance(type_, Constant))]
    functions: dict[Callable[..., Any], None] = dict.fromkeys(starts)
    waiting, texts = list(functions), [" ".join(map(text_of_type, given))]
    while waiting:
        function = waiting.pop()
        text, called = _own(function)
        code = function.__code__
        texts.append(f"{text}\n{code.co_filename} {code.co_firstlineno}" if checked else text)
        for other in called:
            if other not in functions:
                functions[other] = None
                waiting.append(other)
    return "\n".join(texts).encode()


@cache
def _own(function: Callable[..., Any]) -> tuple[str, tuple[Callable[..., Any], ...]]:
    """Return a text of everything about one function, and the kernels that it mentions."""
    code, signature = function.__code__, signature_of(function)
    kinds = [text_of_type(parameter.type) for parameter in signature.parameters]
    inlined = getattr(function, "is_inlined", False)
    texts = [function.__qualname__, *kinds, text_of_type(signature.result), repr(inlined), repr(function.__defaults__)]
    texts += [code.co_code.hex(), repr(code.co_consts)]
    called: dict[Callable[..., Any], None] = {}
    for name, value in _mentioned(function):
        plain = getattr(value, "py_func", value)
        if isinstance(plain, types.FunctionType) and getattr(plain, "is_kernel", False):
            called[plain] = None
            texts.append(f"{name} {plain.__module__}.{plain.__qualname__}")
        else:
            texts.append(f"{name} {_text_of_value(value)}")
    return "\n".join(texts), tuple(called)


def _mentioned(function: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """Yield the names that a function mentions, with what they stand for in its module and in those it mentions."""
    names, spaces = function.__code__.co_names, [function.__globals__]
    for space in spaces:
        for name in names:
            value = space.get(name)
            if isinstance(value, types.ModuleType) and value.__name__ not in FOREIGN:
                if not any(other is vars(value) for other in spaces):
                    spaces.append(vars(value))
            elif name in space:
                yield name, value


def _text_of_value(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if isinstance(value, (bool, int, float, np.generic)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text_of_value, value))})"
    if is_named_tuple(value):
        try:
            return text_of_type(type_of_annotation(value)) + repr(value._field_defaults)
        except NoType:
            return str(value.__qualname__)
    return f"{getattr(value, '__module__', '')} {getattr(value, '__qualname__', type(value).__name__)}"


@cache
def text_of_type(type_: Type | None) -> str:
    """Return a text that tells a type from all others."""
    match type_:
        case None:
            return "open"
        case Scalar():
            return type_.value
        case Array(element, dimensions):
            return f"{element.dtype}[{dimensions}]"
        case Struct(name, fields):
            return f"{name}({', '.join(f'{field} {text_of_type(kind)}' for field, kind in fields)})"
        case Record(struct, fields):
            return f"made {text_of_type(struct)} {[text_of_type(kind) for _, kind in fields]}"
        case Tuple(items):
            return f"({', '.join(map(text_of_type, items))})"
        case Constant(function):
            return f"{function.__module__}.{function.__qualname__}"
    raise AssertionError(type_)
