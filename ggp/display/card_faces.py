"""What stands on cards that the rules only number, `1..20`: what tables and functions say of each number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import combinations
from typing import TypeAlias

from ggp.display.lands import constants
from ggp.display.looks import meaning
from ggp.language import typed
from ggp.language.evaluation.scope import Scope
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    codes,
    scalar_text,
    size,
)
from ggp.scene.scene import Entry, Item, Row

MAX_CARDS = 120
"""Cards of a type that have faces."""
MAX_LINES = 6
MAX_PARTS = 6
"""Things of which a card has a number each, such as what it costs."""
MAX_THINGS = 24
"""Numbered things on a board of which it is told what they are."""
MIN_PIPS = 3
"""Numbers on dominoes, at least."""

Faces: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The lines on the card of each value, which is written as pieces and items mean it."""


def faces_of(game: typed.Game, scope: Scope, cards: IntType) -> Faces:
    """Return the lines on each card; those of words come first. Empty where nothing is said of the numbers."""
    if size(cards) > MAX_CARDS:
        return ()
    lines: list[list[tuple[bool, str]]] = [[] for _ in codes(cards)]
    said = list(_said(game, scope, cards))
    halves = _halves([values for _, kept, (part, *_), values in said if not part and isinstance(kept, IntType)])
    if halves:
        return tuple((meaning(cards, code), (text,)) for code, text in zip(codes(cards), halves, strict=True))
    for name, kept, parts, values in said:
        if len({*values}) == 1 or values == tuple(codes(cards)):
            continue
        width = len(values) // len(lines)
        for place, line in enumerate(lines):
            for part, value in zip(parts, values[place * width : (place + 1) * width], strict=True):
                text = _line(name, kept, part, value)
                if text:
                    line.append((isinstance(kept, EnumType), text))
    sorted_lines = [tuple(text for _, text in sorted(line, key=lambda each: not each[0])[:MAX_LINES]) for line in lines]
    return tuple((meaning(cards, code), line) for code, line in zip(codes(cards), sorted_lines, strict=True) if line)


def numbered_things(game: typed.Game, scope: Scope, boards: Set[ScalarType]) -> Iterator[Entry]:
    """Yield what is said of each number that stands for a thing on a board, such as the pieces 1 to 16 of quarto."""
    known = set[ScalarType]()
    for variable in game.variables:
        type_ = variable.type
        if not isinstance(type_, ArrayType) or not isinstance(type_.element, OptionType) or variable.is_kept:
            continue
        kind = type_.element.inner
        if not isinstance(kind, IntType) or kind in known or size(kind) > MAX_THINGS or not boards & {*type_.indices}:
            continue
        known.add(kind)
        rows = tuple(
            Row(tuple(map(Item, lines)), means.rpartition(":")[2]) for means, lines in faces_of(game, scope, kind)
        )
        text = "; ".join(f"{row.name}: {', '.join(item.text for item in row.items)}" for row in rows)
        if rows:
            yield Entry("table", variable.name.replace("_", " "), text, rows)


def _halves(numbers: Sequence[tuple[typed.Value, ...]]) -> list[str]:
    """Return the dominoes that two tables or functions of numbers make, each pair once; empty: none do."""
    for one, other in combinations(numbers, 2):
        pairs = {frozenset(pair) for pair in zip(one, other, strict=True)}
        pips = {*one, *other}
        if (
            pips == {*range(len(pips))}
            and len(pips) >= MIN_PIPS
            and len(pairs) == len(one) == len(pips) * (len(pips) + 1) // 2
        ):
            return [f"{low}_of_{high}" for low, high in zip(one, other, strict=True)]
    return []


def _line(name: str, kept: ScalarType, part: str, value: typed.Value) -> str:
    """Return what a card says of one value; empty: nothing."""
    if value is None or value is False or (part and not value):
        return ""
    if isinstance(value, str):  # of several parts
        return value if isinstance(kept, EnumType) else f"{name} {value}"
    assert isinstance(value, int)
    if isinstance(kept, BoolType):
        return name if value else ""
    text = scalar_text(kept, value)
    return text if isinstance(kept, EnumType) else f"{text} {part}" if part else f"{name} {text}"


def _said(
    game: typed.Game, scope: Scope, cards: IntType
) -> Iterator[tuple[str, ScalarType, Sequence[str], tuple[typed.Value, ...]]]:
    """Yield what tables and functions say of cards for ever: the name, the type, of which parts, and the values."""
    for table in game.tables:
        first, *more = table.type.indices
        kept = _kept(table.type.element)
        if first != cards or kept is None:
            continue
        if not more:
            yield _words(table.name), kept, ("",), table.values
        elif (
            len(more) == 1
            and isinstance(more[0], EnumType)
            and size(more[0]) <= MAX_PARTS
            and isinstance(kept, IntType)
        ):
            yield (
                _words(table.name),
                kept,
                [_words(scalar_text(more[0], code)) for code in codes(more[0])],
                table.values,
            )
        elif len(more) == 1 and size(more[0]) <= MAX_PARTS and not isinstance(kept, BoolType):
            width = size(more[0])
            rows = [table.values[at : at + width] for at in range(0, len(table.values), width)]
            texts = (" ".join("–" if one is None else scalar_text(kept, one) for one in row) for row in rows)  # type: ignore[arg-type]
            yield _words(table.name), kept, ("",), tuple(texts)
    for function in game.functions:
        kept = _kept(function.type)
        if [argument.type for argument in function.arguments] == [cards] and kept is not None:
            values = constants(function, scope, zip(codes(cards)))
            if values:
                yield _words(function.name), kept, ("",), tuple(values.values())


def _kept(type_: object) -> ScalarType | None:
    """Return the type of a number, a word or a truth value."""
    bare = type_.inner if isinstance(type_, OptionType) else type_
    is_word = isinstance(bare, EnumType) and bare.role == "enumeration"
    return bare if isinstance(bare, IntType | BoolType) or is_word else None  # type: ignore[return-value]


def _words(name: str) -> str:
    return name.removeprefix("is_").removesuffix("_of").replace("_", " ")
