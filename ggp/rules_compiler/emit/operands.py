"""Operands: what expressions of the rules become in generated code, by kind of value.

Scalars, options, truth values, texts and moves are one integer or truth value, reals one real: an expression of the
intermediate representation. A set is some words (`Bits`); an array is either a row of expressions (`Elements`) or lies
in memory (`Memory`).
"""

from __future__ import annotations

from typing import TypeAlias, TypeGuard

from msgspec import Struct

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression, Kind, Name
from ggp.encoding.state_layout import none_code
from ggp.language.typed.types import ArrayType, OptionType, RealType, ScalarType, SetType, Type, lowest, size


class Bits(Struct, frozen=True):
    """A set: its words. `place` is their place in memory, if they lie there one after the other."""

    words: tuple[Expression, ...]
    place: Memory | None = None


class Elements(Struct, frozen=True):
    """An array of few elements, each an operand of its own."""

    items: tuple[Expression | Bits, ...]


class Memory(Struct, frozen=True):
    """Words (or reals) that lie in `row` from position `base` on."""

    row: Name
    base: Expression

    def at(self, offset: ir.Given) -> Memory:
        """Return the memory some words further on."""
        return Memory(self.row, ir.add(self.base, offset))

    def entry(self, offset: ir.Given = 0) -> Expression:
        """Return the word, or the real, at an offset."""
        return ir.entry(self.row, ir.add(self.base, offset))


Operand: TypeAlias = Expression | Bits | Elements | Memory


def flat(operand: Operand) -> list[Expression]:
    """Return the expressions of an operand, one per word; for memory, row and base."""
    match operand:
        case Bits(words):
            return list(words)
        case Elements(items):
            return [part for item in items for part in flat(item)]
        case Memory(row, base):
            return [row, base]
    return [ir.as_integer(operand)]


def is_known_set(operand: object) -> TypeGuard[Bits]:
    """Return whether an operand is a set known before play."""
    return isinstance(operand, Bits) and all(isinstance(word, Constant) for word in operand.words)


def is_real(type_: Type) -> bool:
    """Return whether values (or elements) of a type are reals."""
    return isinstance(type_.element if isinstance(type_, ArrayType) else type_, RealType)


def kind_of(type_: Type) -> Kind:
    """Return the kind of one number of a type's values."""
    return Kind.REAL if is_real(type_) else Kind.INT


def none_of(type_: Type) -> int | None:
    """Return the code of none in a type; None if the type has no none."""
    return none_code(type_.inner) if isinstance(type_, OptionType) else None


def bounds(type_: Type) -> tuple[int, int]:
    """Return the smallest and largest code of a scalar or an option."""
    inner = type_.inner if isinstance(type_, OptionType) else type_
    assert isinstance(inner, ScalarType), type_
    low = lowest(inner)
    return (low - 1 if isinstance(type_, OptionType) else low), low + size(inner) - 1


def element_of(type_: Type) -> ScalarType:
    """Return the element type of a set."""
    assert isinstance(type_, SetType), type_
    return type_.element
