"""Conversion between types: the code of none, and the positions of the bits of sets, may differ."""

from __future__ import annotations

import math

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression
from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    IntType,
    OptionType,
    RealType,
    SetType,
    Type,
    array_length,
    lowest,
)
from ggp.rules_compiler.emit.bits import shifted
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.dispatch import operand
from ggp.rules_compiler.emit.memory import element_at
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, Operand, bounds, none_of
from ggp.rules_compiler.emit.value_names import elements


def converted(b: Builder, value: Operand, from_: Type, to: Type) -> Operand:
    """Return a value of one type as a value of another type that contains it."""
    if isinstance(from_, ArrayType) and isinstance(to, ArrayType):
        if _same_words(from_.element, to.element):
            return value
        return elements(
            [
                converted(b, element_at(b, value, from_, ir.integer(i)), from_.element, to.element)
                for i in range(array_length(to))
            ]
        )
    if isinstance(from_, SetType) and isinstance(to, SetType):
        if _same_words(from_, to):
            return value
        assert isinstance(value, Bits)
        return shifted(b, value, lowest(from_.element) - lowest(to.element), set_words(to.element))
    if isinstance(value, (Bits, Elements, Memory)):
        return value
    if isinstance(to, RealType) and not isinstance(from_, RealType):
        return ir.as_real(value)
    if isinstance(to, OptionType):
        value = ir.as_integer(value)
    old, new = none_of(from_), none_of(to)
    if old is not None and new is not None and old != new:
        value = b.assign(value)
        return ir.chosen(ir.equal(value, old), new, value)
    return value


def _same_words(left: Type, right: Type) -> bool:
    if isinstance(left, SetType) and isinstance(right, SetType):
        same_length = set_words(left.element) == set_words(right.element)
        return lowest(left.element) == lowest(right.element) and same_length
    return none_of(left) == none_of(right) and isinstance(left, RealType) == isinstance(right, RealType)


def converted_code(b: Builder, node: typed.Expression, to: Type) -> Expression:
    """Return an expression of one number as a value of a type."""
    result = converted(b, operand(b, node), node.type, to)
    assert not isinstance(result, (Bits, Elements, Memory))
    return result


def common_type(left: Type, right: Type) -> Type:
    """Return a type that contains the values of both, in which none has a code of its own."""
    if isinstance(left, OptionType) or isinstance(right, OptionType):
        lows = [bounds(side.inner if isinstance(side, OptionType) else side) for side in (left, right)]
        return OptionType(IntType(min(low for low, _ in lows), max(high for _, high in lows)))
    if isinstance(left, SetType) and isinstance(right, SetType) and not _same_words(left, right):
        lows = [bounds(side.element) for side in (left, right)]
        return SetType(IntType(min(low for low, _ in lows), max(high for _, high in lows)))
    if isinstance(left, RealType) or isinstance(right, RealType):
        return RealType(-math.inf, math.inf)
    return left
