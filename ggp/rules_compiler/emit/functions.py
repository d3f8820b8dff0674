"""Definitions of the rules as generated functions, and calls to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression, Kind, Name
from ggp.encoding.state_layout import set_words, type_words
from ggp.language import typed
from ggp.language.typed.types import DIRECTION, ArrayType, EnumType, IntType, ScalarType, SetType, Type, size
from ggp.language.typed.work import kept_flags, kept_values
from ggp.rules_compiler.emit.bits import has_bit
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.conversion import converted
from ggp.rules_compiler.emit.dispatch import operand
from ggp.rules_compiler.emit.memory import in_memory, local_memory, store
from ggp.rules_compiler.emit.module import MAX_LOCAL_WORDS, GameModule, Generated, RowNeed, identifier
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, Operand, flat, is_known_set, kind_of
from ggp.rules_compiler.emit.sets import include_bit
from ggp.rules_compiler.emit.value_names import (
    bits_in_memory,
    memory_names,
    names_for,
    names_in,
    position_of,
)
from ggp.rules_compiler.size import node_count, searches_widely

INLINED_NODES = 14
"""Bodies up to this size are written in place of calls."""
INLINED_DEPTH = 3
"""Largest nesting of such bodies: a chain of small definitions can have exponential size."""
SPECIALISATIONS = 8
"""A function is specialised for up to this many combinations of arguments known before play."""

Known: TypeAlias = "tuple[Constant | Bits | None, ...]"
"""For each argument its value, if it is known before play."""


def write_call(b: Builder, node: typed.Call) -> Operand:
    """Write a call of a definition, or its body."""
    function = node.function
    arguments = [
        _argument(b, converted(b, operand(b, argument), argument.type, symbol.type), symbol.type)
        for argument, symbol in zip(node.arguments, function.arguments, strict=True)
    ]
    key = (function, *(part for argument in arguments for part in flat(argument)))
    known = b.recall(key)
    if known is not None:
        return converted(b, known, function.type, node.type)
    small = node_count(function.body) <= INLINED_NODES and not searches_widely(function.body)
    if (cache := _cache_of(b.module, function)) is not None:
        result = _from_cache(b, function, arguments, cache)
    elif small and b.inlining < INLINED_DEPTH:
        result = _inlined(b, function, arguments)
    else:
        result = _called(b, function, arguments)
    if not function.arguments and isinstance(function.type, (IntType, EnumType)):
        result = b.assign(ir.as_integer(flat(result)[0]))
    if all(ir.is_atom(part) for part in flat(result)):
        b.remember(key, result)
    return converted(b, result, function.type, node.type)


def _argument(b: Builder, value: Operand, type_: Type) -> Operand:
    """Return an argument in a form that may be written more than once."""
    if isinstance(value, Bits):
        return b.named_bits(value)
    if isinstance(value, (Elements, Memory)):
        return in_memory(b, value, type_)
    return b.assign(ir.as_integer(value))


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


def _lasts(value: Expression) -> bool:
    """Return whether an expression has the same value before and inside every loop of its function."""
    return isinstance(value, Constant) or (isinstance(value, Name) and value.name.startswith(("s_", "c_", "a_")))


def _called(b: Builder, function: typed.Function, arguments: list[Operand]) -> Operand:
    known = tuple(
        value if isinstance(value, Constant) or (is_known_set(value) and symbol.type == SetType(DIRECTION)) else None
        for value, symbol in zip(arguments, function.arguments, strict=True)
    )
    generated, known = definition(b.module, function, known)
    given: list[Expression] = []
    for value, constant in zip(arguments, known, strict=True):
        if constant is None:
            given += flat(value)
    result = result_operand(b, function.type)
    if isinstance(result, Memory):
        b.call(generated.name, [*given, *flat(result), *b.arguments(list(generated.needs))], [])
    else:
        b.call(generated.name, [*given, *b.arguments(list(generated.needs))], names_in(result))
    return result


def _cache_of(module: GameModule, function: typed.Function) -> RowNeed | None:
    """Return the cache of a function whose results are kept."""
    values = kept_values(function, module.calls[function])
    if values is None:
        return None
    if function not in module.caches:
        flags = kept_flags(values)
        length = flags + values * type_words(function.type)
        if sum(cache.length for cache in module.caches.values()) + length > MAX_LOCAL_WORDS:
            return None
        name = module.unique(f"cache_{identifier(function.name)}")
        module.caches[function] = RowNeed(name, length, flags, cache=True, phase=function.phase)
    return module.caches[function]


def _from_cache(b: Builder, function: typed.Function, arguments: list[Operand], cache: RowNeed) -> Operand:
    """Return a function's result in this state, from the cache if another call has computed it."""
    row, words = b.row(cache), type_words(function.type)
    at: Expression = ir.ZERO
    for symbol, argument in zip(function.arguments, arguments, strict=True):
        assert isinstance(symbol.type, ScalarType)
        at = ir.add(ir.multiply(at, size(symbol.type)), position_of(symbol.type, flat(argument)[0]))
    at = b.assign(at, "i")
    first = ir.add(ir.multiply(at, words), cache.cleared)
    known = has_bit(b, bits_in_memory(Memory(row, ir.ZERO), cache.cleared), at)
    with b.when(ir.negation(known)):
        for place, word in enumerate(flat(_called(b, function, arguments))):
            b.store(row, ir.add(first, place), word)
        include_bit(b, Memory(row, ir.ZERO), at)
    values = tuple(b.start("t", ir.entry(row, ir.add(first, place))) for place in range(words))
    return Bits(values) if isinstance(function.type, SetType) else values[0]


def result_operand(b: Builder, type_: Type) -> Operand:
    """Return the place for the result of a call: fresh names, or memory of the caller."""
    if isinstance(type_, ArrayType):
        return local_memory(b, type_)
    if isinstance(type_, SetType):
        return Bits(tuple(b.fresh("w") for _ in range(set_words(type_.element))))
    return b.fresh("t", kind_of(type_))


def definition(module: GameModule, function: typed.Function, known: Known) -> tuple[Generated, Known]:
    """Return a function of the rules for some arguments known before play, writing it if need be.

    Returns:
        The function, and the arguments for which it is specialised: none if there are too many specialisations already.
    """
    if (function, known) not in module.written:
        versions = sum(1 for key in module.written if isinstance(key, tuple) and key[0] is function)
        if any(constant is not None for constant in known) and versions >= SPECIALISATIONS:
            return definition(module, function, (None,) * len(known))
        b = Builder(module, module.unique(f"f_{identifier(function.name)}"))
        module.written[function, known] = _written(b, function, known)
    return module.written[function, known], known


def _written(b: Builder, function: typed.Function, known: Known) -> Generated:
    """Write a function into its builder, and add it to the module."""
    parameters: list[Name] = []
    for symbol, constant in zip(function.arguments, known, strict=True):
        if constant is not None:
            b.environment[symbol] = constant
            continue
        value = _parameter(symbol)
        b.environment[symbol] = value
        parameters += names_in(value)
    results: Sequence[Kind] = ()
    if isinstance(function.type, ArrayType):
        target = memory_names("result", function.type)
        parameters += names_in(target)
        store(b, target, converted(b, operand(b, function.body), function.body.type, function.type), function.type)
    else:
        values = flat(converted(b, operand(b, function.body), function.body.type, function.type))
        b.leave(*values)
        results = (kind_of(function.type),) * len(values)
    b.module.finish(b.name, parameters + b.parameters(), results, b.body)
    return Generated(b.name, b.needs)


def _parameter(symbol: typed.Symbol) -> Operand:
    stem = f"a_{identifier(symbol.name)}"
    if isinstance(symbol.type, ArrayType):
        return memory_names(stem, symbol.type)
    return names_for(symbol.type, stem)
