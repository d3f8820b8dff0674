"""Dispatches each node of the typed tree to its writer, and moves expensive expressions out of loops."""

from __future__ import annotations

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression
from ggp.language import typed
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, Operand, flat
from ggp.rules_compiler.emit.value_names import elements
from ggp.rules_compiler.rewrite.tabulation import tabulated
from ggp.rules_compiler.size import can_fail, symbols_in

LABORIOUS = (typed.Reach, typed.Comprehension, typed.Aggregate, typed.Quantifier, typed.Call)
"""Kinds of node that are moved before loops in which their value does not change."""


def operand(b: Builder, node: typed.Expression) -> Operand:
    """Return the operand of an expression, after writing the statements that it needs."""
    if (known := tabulated(b, node)) is not None:
        return known
    if b.loops and isinstance(node, LABORIOUS) and not can_fail(node):
        symbols = [symbol for symbol in symbols_in(node) if symbol in b.environment]
        loops = max((b.loops_around.get(symbol, 0) for symbol in symbols), default=0)
        if loops < len(b.loops):
            values = frozenset((symbol, *flat(b.environment[symbol])) for symbol in symbols)
            key = ("before loop", id(node), values)
            if (known := b.recall(key)) is None:
                with b.moved_before(loops):
                    known = named(b, operand(b, node))
                    b.remember(key, known)
            return known
    return b.module.compilers[type(node)](b, node)


def named(b: Builder, value: Operand, stem: str = "t") -> Operand:
    """Return an operand in a form that may be written more than once."""
    match value:
        case Bits():
            return b.named_bits(value)
        case Elements(items):
            return elements([named(b, item) for item in items])
        case Memory():
            return value
    return b.assign(value, stem)


def code(b: Builder, node: typed.Expression) -> Expression:
    """Return an expression of one number or truth value."""
    result = operand(b, node)
    assert not isinstance(result, (Bits, Elements, Memory)), node
    return result


def integer(b: Builder, node: typed.Expression) -> Expression:
    """Return an expression of one number; truth values become 0 or 1."""
    return ir.as_integer(code(b, node))


def condition(b: Builder, node: typed.Expression | None) -> Expression:
    """Return a truth value as a condition; a missing one is true."""
    return ir.TRUE if node is None else ir.as_truth(code(b, node))
