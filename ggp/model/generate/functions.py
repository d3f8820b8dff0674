"""Definitions of the rules as generated functions, and calls to them."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.language import typed
from ggp.language.typed.types import ArrayType, SetType, Type
from ggp.model.generate.builder import Builder, Need, flat, identifier, lives_in_names, names_for, signature
from ggp.model.generate.conversion import converted
from ggp.model.generate.dispatch import compiles, operand
from ggp.model.generate.memory import in_memory, local_memory, store
from ggp.model.generate.operands import Bits, Code, Memory, Operand, is_name, is_real
from ggp.model.generate.size import node_count, searches_widely
from ggp.model.state_layout import element_words, set_words

INLINED_NODES = 14
"""Bodies up to this size are written where they are called."""
INLINED_DEPTH = 3
"""So deep inside each other: a chain of small definitions can be of exponential size."""
SPECIALISATIONS = 8
"""A function is written again for up to so many combinations of arguments known before play."""


@dataclass(frozen=True, slots=True)
class Generated:
    """A function that was written: what to pass besides its arguments."""

    name: str
    needs: dict[Need, Operand]


@compiles(typed.Call)
def _call(b: Builder, node: typed.Call) -> Operand:
    function = node.function
    arguments = [
        _argument(b, converted(b, operand(b, argument), argument.type, symbol.type), symbol.type)
        for argument, symbol in zip(node.arguments, function.arguments, strict=True)
    ]
    key = (function, *(text for argument in arguments for text in flat(argument)))
    known = b.recall(key)
    if known is not None:
        return converted(b, known, function.type, node.type)
    small = node_count(function.body) <= INLINED_NODES and not searches_widely(function.body)
    if small and b.inlining < INLINED_DEPTH:
        result = _inlined(b, function, arguments)
    else:
        result = _called(b, function, arguments)
    if all(is_name(text) for text in flat(result)):
        b.remember(key, result)
    return converted(b, result, function.type, node.type)


def _argument(b: Builder, value: Operand, type_: Type) -> Operand:
    """Return an argument in a form that may be written more than once."""
    if isinstance(value, Code):
        return b.named(value)
    if isinstance(value, Bits):
        return b.named_bits(value)
    return in_memory(b, value, type_)


def _inlined(b: Builder, function: typed.Function, arguments: list[Operand]) -> Operand:
    before = dict(b.environment)
    b.environment.update(zip(function.arguments, arguments, strict=True))
    for symbol, argument in zip(function.arguments, arguments, strict=True):
        b.loops_around[symbol] = 0 if all(map(_lasts, flat(argument))) else len(b.loops)
    b.inlining += 1
    result = converted(b, operand(b, function.body), function.body.type, function.type)
    b.inlining -= 1
    b.environment = before
    return result


def _lasts(text: str) -> bool:
    """Return whether a text means the same before and inside every loop of its function."""
    return text.lstrip("-").isdigit() or (is_name(text) and text.startswith(("s_", "c_", "a_")))


def _called(b: Builder, function: typed.Function, arguments: list[Operand]) -> Operand:
    constants = tuple(value.constant if isinstance(value, Code) else None for value in arguments)
    generated = b.module.function(function, constants)
    texts = []
    for value, constant in zip(arguments, generated_constants(b, function, constants), strict=True):
        if constant is None:
            texts += flat(value)
    result = result_operand(b, function.type)
    if isinstance(result, Memory):
        b.emit(f"{generated.name}({', '.join([*texts, *flat(result), *b.arguments(generated.needs)])})")
    else:
        call = f"{generated.name}({', '.join([*texts, *b.arguments(generated.needs)])})"
        b.emit(f"{', '.join(flat(result))} = {call}")
    return result


def generated_constants(
    b: Builder, function: typed.Function, constants: tuple[int | float | None, ...]
) -> tuple[int | float | None, ...]:
    """Return which arguments the written function knows already."""
    return constants if (function, constants) in b.module.functions else (None,) * len(constants)


def result_operand(b: Builder, type_: Type) -> Operand:
    """Return where the result of a call goes: fresh names, or memory of the caller."""
    if isinstance(type_, ArrayType):
        return local_memory(b, type_)
    if isinstance(type_, SetType):
        return Bits(tuple(b.fresh("w") for _ in range(set_words(type_.element))))
    return Code(b.fresh("t"))


def write_function(
    b: Builder, function: typed.Function, constants: tuple[int | float | None, ...]
) -> tuple[Generated, list[str], str]:
    """Write a function into its builder.

    Returns:
        What callers need to know, the function's parameters, and its result type as text.
    """
    parameters: list[str] = []
    for symbol, constant in zip(function.arguments, constants, strict=True):
        if constant is not None:
            b.environment[symbol] = Code(repr(constant), constant)
            continue
        value = _parameter(symbol)
        b.environment[symbol] = value
        parameters += signature(value, symbol.type)
    result_type = "None"
    if isinstance(function.type, ArrayType):
        target = Memory("result", "result_at")
        parameters += signature(target, function.type)
        store(b, target, converted(b, operand(b, function.body), function.body.type, function.type), function.type)
    else:
        texts = flat(converted(b, operand(b, function.body), function.body.type, function.type))
        b.emit(f"return {', '.join(texts)}")
        kind = "float" if is_real(function.type) else "int"
        result_type = kind if len(texts) == 1 else f"tuple[{', '.join([kind] * len(texts))}]"
    return Generated(b.name, b.needs), parameters + b.parameters(), result_type


def _parameter(symbol: typed.Symbol) -> Operand:
    stem = f"a_{identifier(symbol.name)}"
    if isinstance(symbol.type, ArrayType):
        return Memory(stem, f"{stem}_at")
    if lives_in_names(symbol.type):
        return names_for(symbol.type, stem)
    return Bits(tuple(f"{stem}_{word}" for word in range(element_words(symbol.type))))
