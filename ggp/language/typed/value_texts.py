"""Text of values for people: in drawings, observations and faults."""

from __future__ import annotations

from itertools import product

from ggp.language.typed import Value
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    MoveType,
    OptionType,
    RealType,
    SequenceType,
    SetType,
    TextType,
    Type,
    codes,
    lowest,
    scalar_text,
    size,
)


def value_text(type_: Type, value: Value) -> str:
    """Return a value as text: `b3`, `none`, `{1, 4}`, `[red: 2, blue: none]`; of a set with all members, `all`."""
    if value is None:
        return "none"
    match type_:
        case OptionType(inner):
            return value_text(inner, value)
        case SetType(element):
            assert isinstance(value, frozenset)
            if len(value) == size(element) > 1:
                return "all"
            return "{" + ", ".join(value_text(element, code) for code in sorted(value)) + "}"
        case ArrayType(indices, element):
            assert isinstance(value, tuple)
            keys = product(*(codes(index) for index in indices))
            return "[" + ", ".join(
                f"{','.join(scalar_text(index, code) for index, code in zip(indices, key, strict=True))}: "
                f"{value_text(element, entry)}"
                for key, entry in zip(keys, value, strict=True)
            ) + "]"  # fmt: skip
        case RealType():
            return f"{value:.6g}"
        case SequenceType(element):
            assert isinstance(value, tuple)
            return "[" + ", ".join(value_text(element, item) for item in value) + "]"
        case TextType() | MoveType():
            return str(value)
        case BoolType() | IntType() | EnumType() | CellType():
            assert isinstance(value, int)
            inside = lowest(type_) <= value < lowest(type_) + size(type_)
            return scalar_text(type_, value) if inside or isinstance(type_, IntType) else str(value)
