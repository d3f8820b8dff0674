"""Arrays as operands: positions, elements, and values in a function's own memory."""

from __future__ import annotations

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression, Kind
from ggp.encoding.state_layout import element_words, type_words
from ggp.language import typed
from ggp.language.typed.types import ArrayType, ScalarType, SetType, Type, lowest, size
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.dispatch import integer
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, Operand, flat, is_real
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS, bits_in_memory


def position(b: Builder, types: tuple[ScalarType, ...], indices: tuple[typed.Expression, ...]) -> Expression:
    """Return the row-major position of an element."""
    at: Expression = ir.ZERO
    for type_, index in zip(types, indices, strict=True):
        at = ir.add(ir.multiply(at, size(type_)), ir.add(integer(b, index), -lowest(type_)))
    return at


def element_at(b: Builder, array: Operand, type_: ArrayType, at: Expression) -> Expression | Bits:
    """Return the element of an array at a position."""
    if isinstance(array, Elements):
        if isinstance(at, Constant):
            return array.items[int(at.value)]
        at = b.assign(at, "i")
        found = array.items[-1]
        for i in reversed(range(len(array.items) - 1)):
            found = _chosen(ir.equal(at, i), array.items[i], found)
        return found
    assert isinstance(array, Memory)
    words = element_words(type_.element)
    place = ir.add(array.base, ir.multiply(at, words))
    if not isinstance(type_.element, SetType):
        return ir.entry(array.row, place)
    return bits_in_memory(Memory(array.row, b.assign(place, "i")), words)


def _chosen(test: Expression, then: Expression | Bits, otherwise: Expression | Bits) -> Expression | Bits:
    """Return one of two operands of the same kind, both cheap to evaluate."""
    if isinstance(then, Bits):
        assert isinstance(otherwise, Bits)
        return Bits(tuple(ir.chosen(test, a, c) for a, c in zip(then.words, otherwise.words, strict=True)))
    assert not isinstance(otherwise, Bits)
    return ir.chosen(test, ir.as_integer(then), ir.as_integer(otherwise))


def local_memory(b: Builder, type_: Type) -> Memory:
    """Return new local memory for a value of a type; its contents are undefined."""
    return Memory(b.allocate("local", type_words(type_), Kind.REALS if is_real(type_) else Kind.WORDS), ir.ZERO)


def in_memory(b: Builder, value: Operand, type_: Type) -> Memory:
    """Return a value in memory, copied there if necessary."""
    if isinstance(value, Memory):
        return value
    if isinstance(value, Bits) and value.place is not None:
        return value.place
    memory = local_memory(b, type_)
    store(b, memory, value, type_)
    return memory


def laid_out(b: Builder, given: Bits, element: ScalarType) -> Bits:
    """Return a set, in memory if it has many words: code that indexes a word then stays short."""
    if given.place is not None or len(given.words) <= LOCAL_WORDS:
        return given
    return Bits(given.words, in_memory(b, given, SetType(element)))


def store(b: Builder, to: Memory, value: Operand, type_: Type) -> None:
    """Write a value into memory."""
    source = value.place if isinstance(value, Bits) else value
    if isinstance(source, Memory):
        operator = "copy_reals" if is_real(type_) else "copy_words"
        b.effect(operator, to.row, to.base, source.row, source.base, type_words(type_))
        return
    for i, part in enumerate(flat(value)):
        b.store(to.row, ir.add(to.base, i), part)
