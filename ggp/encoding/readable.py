"""Words of observations and values as data that people and JSON can read."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

from ggp.encoding.state_layout import Layout, decode_value, type_words
from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    MoveType,
    OptionType,
    RealType,
    SetType,
    TextType,
    Type,
    codes,
    scalar_text,
    size,
)

MAX_NAMED = 1_000
"""Values that a type has at most whose names are looked for in labels."""
Readable: TypeAlias = "bool | int | float | str | list[Readable] | dict[str, Readable] | None"


def readable_value(type_: Type, value: typed.Value) -> Readable:
    """Return a value as data: numbers, truth values, names as texts, sets as lists, arrays by their index."""
    if value is None:
        return None
    match type_:
        case BoolType():
            return bool(value)
        case IntType() | RealType():
            assert isinstance(value, (int, float))
            return value
        case EnumType() | CellType():
            assert isinstance(value, int)
            return scalar_text(type_, value)
        case OptionType(inner):
            return readable_value(inner, value)
        case SetType(element):
            assert isinstance(value, frozenset)
            return [readable_value(element, code) for code in sorted(value)]
        case ArrayType((index,), element):
            assert isinstance(value, tuple)
            pairs = zip(codes(index), value, strict=True)
            return {scalar_text(index, code): readable_value(element, item) for code, item in pairs}
        case ArrayType(_, element):
            assert isinstance(value, tuple)
            return [readable_value(element, item) for item in value]
        case TextType() | MoveType():
            return str(value)
    raise AssertionError(type_)


def readable_observation(layout: Layout, words: Sequence[int]) -> list[tuple[str, Readable]]:
    """Return what the words of an observation say: for each value its label in the rules, and itself.

    Args:
        layout: of the game.
        words: as `observe` gives them.

    Raises:
        ValueError: the words are not an observation of this game.
    """
    found: list[tuple[str, Readable]] = []
    at = 0
    while at < len(words):
        told = layout.headings.get(words[at])
        size = 0 if told is None else type_words(told.type)
        if told is None or at + size >= len(words):
            raise ValueError(f"no observation of {layout.game.name}: {list(words)}")
        found.append((told.label, _word_value(layout, told.type, words[at + 1 : at + 1 + size])))
        at += 1 + size
    return found


def element_names(game: typed.Game) -> dict[str, list[str]]:
    """Return what people call the elements of each variable with several indices, of which observations have lists."""
    return {
        variable.name: [
            " ".join(map(scalar_text, variable.type.indices, key)) + ":"
            for key in product(*map(codes, variable.type.indices))
        ]
        for variable in game.variables
        if isinstance(variable.type, ArrayType) and len(variable.type.indices) > 1
    }


def index_values(game: typed.Game) -> frozenset[str]:
    """Return the texts of the values that are indices of variables, numbers and those of large types left out."""
    types = {
        one for variable in game.variables if isinstance(variable.type, ArrayType) for one in variable.type.indices
    }
    named = (one for one in types if not isinstance(one, IntType) and size(one) <= MAX_NAMED)
    return frozenset(scalar_text(one, code) for one in named for code in codes(one))


def _word_value(layout: Layout, type_: Type, words: Sequence[int]) -> Readable:
    match type_:
        case TextType():
            return layout.texts[words[0]]
        case MoveType():
            return None if words[0] < 0 else layout.action_text(words[0])
    return readable_value(type_, decode_value(type_, words))
