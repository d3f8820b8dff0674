"""From what a player was told back to the words of the observation: the inverse of `ggp.encoding.readable`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ggp.encoding.numbering import parse_scalar
from ggp.encoding.readable import Readable, readable_observation
from ggp.encoding.state_layout import Layout, encode_value
from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    MoveType,
    OptionType,
    SetType,
    TextType,
    Type,
    codes,
    scalar_text,
)

MAX_READINGS = 64
"""Ways to read one observation, at most."""


def observation_words(layout: Layout, told: Sequence[tuple[str, Readable]]) -> list[tuple[int, ...]]:
    """Return the observations that read as what was told: one, but for values of different kinds with equal texts.

    Args:
        layout: of the game.
        told: labels and values; as `readable_observation` gives them, or read back from JSON.
    """
    values = [
        [
            [number, *words]
            for number, heading in layout.headings.items()
            if heading.label == label
            for words in _value_words(layout, heading.type, value)
        ]
        for label, value in told
    ]
    wanted = [(label, value) for label, value in told]
    read = (tuple(itertools.chain(*chosen)) for chosen in itertools.islice(itertools.product(*values), MAX_READINGS))
    # an action that is possible in several phases has one number
    return [words for words in dict.fromkeys(read) if readable_observation(layout, words) == wanted]


def _value_words(layout: Layout, type_: Type, value: Readable) -> Iterator[list[int]]:
    """Yield the words that a value can stand for: none where it is not of the type."""
    match type_:
        case TextType():
            if isinstance(value, str) and value in layout.texts:
                yield [layout.texts.index(value)]
        case MoveType():
            if value is None:
                yield [-1]
            elif isinstance(value, str):
                for phase in range(len(layout.game.phases)):
                    for action in layout.parse_action(value, phase):
                        yield [action]
        case _:
            try:
                yield encode_value(type_, _code(type_, value))
            except (ValueError, TypeError, KeyError, AssertionError):
                return


def _code(type_: Type, value: Readable) -> typed.Value:
    """Return the value that `readable_value` shows so.

    Raises:
        ValueError, TypeError, KeyError: it shows none of the type so.
    """
    if value is None:
        if isinstance(type_, OptionType):
            return None
        raise ValueError(value)
    match type_:
        case BoolType():
            if not isinstance(value, bool):
                raise TypeError(value)
            return int(value)
        case IntType():
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(value)
            return value
        case EnumType() | CellType():
            code = parse_scalar(type_, value) if isinstance(value, str) else None
            if code is None:
                raise ValueError(value)
            return code
        case OptionType(inner):
            return _code(inner, value)
        case SetType(element):
            if not isinstance(value, list):
                raise TypeError(value)
            return frozenset(_element(element, item) for item in value)
        case ArrayType((index,), element):
            if not isinstance(value, dict):
                raise TypeError(value)
            return tuple(_code(element, value[scalar_text(index, code)]) for code in codes(index))
        case ArrayType(_, element):
            if not isinstance(value, list):
                raise TypeError(value)
            return tuple(_code(element, item) for item in value)
    raise ValueError(value)


def _element(type_: Type, value: Readable) -> int:
    code = _code(type_, value)
    if not isinstance(code, int):
        raise TypeError(value)
    return code
