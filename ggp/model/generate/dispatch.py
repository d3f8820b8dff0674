"""From a node of the typed tree to the function that compiles its kind; what is laborious leaves loops.

Each module of compilers registers its kinds of node with `compiles`; `ggp.model.generate.module` imports them all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ggp.language import typed
from ggp.model.generate.builder import (
    Builder,
    flat,
)
from ggp.model.generate.operands import (
    Bits,
    Code,
    Elements,
    Memory,
    Operand,
    as_condition,
    as_integer,
    truth,
)
from ggp.model.generate.size import can_fail, symbols_in

Compiler: TypeAlias = Callable[[Builder, Any], Operand]


COMPILERS: dict[type, Compiler] = {}


def compiles(node: type) -> Callable[[Compiler], Compiler]:
    """Register the function that compiles a kind of node."""

    def register(compiler: Compiler) -> Compiler:
        COMPILERS[node] = compiler
        return compiler

    return register


LABORIOUS = (typed.Reach, typed.Comprehension, typed.Aggregate, typed.Quantifier, typed.Call)
"""Kinds of node that are moved before loops in which they do not change."""


def operand(b: Builder, node: typed.Expression) -> Operand:
    """Return what an expression becomes, after writing the lines it needs before it."""
    if b.loops and isinstance(node, LABORIOUS) and not can_fail(node):
        symbols = [symbol for symbol in symbols_in(node) if symbol in b.environment]
        loops = max((b.loops_around.get(symbol, 0) for symbol in symbols), default=0)
        if loops < len(b.loops):
            return _moved_before_loop(b, node, loops, symbols)
    return COMPILERS[type(node)](b, node)


def _moved_before_loop(b: Builder, node: typed.Expression, loop: int, symbols: list[typed.Symbol]) -> Operand:
    """Return what an expression becomes when it is written before the open loops in which it does not change."""
    values = frozenset((symbol, *flat(b.environment[symbol])) for symbol in symbols)
    key = ("before loop", id(node), values)
    known = b.recall(key)
    if known is not None:
        return known
    with b.moved_before(loop):
        result = _named(b, operand(b, node))
        b.remember(key, result)
    return result


def _named(b: Builder, value: Operand) -> Operand:
    match value:
        case Code():
            return b.named(value)
        case Bits():
            return b.named_bits(value)
        case Elements(items):
            named = [_named(b, item) for item in items]
            return Elements(tuple(item for item in named if isinstance(item, (Code, Bits))))
        case Memory():
            return value


def code(b: Builder, node: typed.Expression) -> Code:
    """Return an expression of one number."""
    result = operand(b, node)
    assert isinstance(result, Code), node
    return result


def integer(b: Builder, node: typed.Expression) -> str:
    """Return the text of an expression of one number."""
    return as_integer(code(b, node))


def condition(b: Builder, node: typed.Expression | None) -> Code:
    """Return a truth value as a condition; a missing one is true."""
    if node is None:
        return truth(True)
    result = code(b, node)
    if result.constant is not None:
        return truth(bool(result.constant))
    return Code(as_condition(result), truth=True)
