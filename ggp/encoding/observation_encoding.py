"""Headings and encodings for what players are told: one for each label, as `ggp.encoding.numbering` says."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ggp.encoding.numbering import Places, like, scalar_texts, unify
from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    IntType,
    MoveType,
    OptionType,
    ScalarType,
    SequenceType,
    SetType,
    TextType,
    Type,
)


class Told(Struct, frozen=True):
    """How one value of a `sees` is written in an observation: a heading, and then the words of the value.

    Equal headings: the same label, and values that can have the same text are written in the same way.
    """

    label: str
    heading: int
    type: Type
    """The type that the words are written and read in; it holds all values of the expression's own type."""
    places: Places | None
    """For each code of the expression's type, from `none` on where it can be none, the word; None: as `type` has it."""


def told_values(game: typed.Game, texts: Sequence[str]) -> tuple[tuple[tuple[Told, ...], ...], ...]:
    """Return how each value that players are told is written: `[phase][sees][value]`.

    Args:
        game: checked.
        texts: all constant texts that observations can show; the word of a text is its position.
    """
    types: dict[tuple[str, object], list[Type]] = {}
    for phase in game.phases:
        for sees in phase.sees:
            for label, value in zip(sees.labels, sees.values, strict=True):
                types.setdefault((label, _form(value.type)), []).append(value.type)
    written: dict[tuple[str, Type], Told] = {}
    heading = 0
    for (label, form), found in types.items():
        different = list(dict.fromkeys(found))
        groups = _groups_of_texts(different, texts) if form == "text" else [different]
        for group in groups:
            for own, (type_, places) in zip(group, _told_as(group, texts), strict=True):
                written[label, own] = Told(label, heading, type_, places)
            heading += 1
    return tuple(
        tuple(
            tuple(written[label, value.type] for label, value in zip(sees.labels, sees.values, strict=True))
            for sees in phase.sees
        )
        for phase in game.phases
    )


def _form(type_: Type) -> object:
    """Return what types have in common whose values can have the same text."""
    match type_:
        case OptionType(inner):
            return _form(inner)
        case IntType():
            return "integer"
        case BoolType():
            return "bool"
        case EnumType() | CellType() | TextType():
            return "text"
        case SetType(element):
            return "set", "integer" if isinstance(element, IntType) else like(element)
        case ArrayType(indices, element):
            form = like(element) if isinstance(element, (EnumType, CellType)) else _form(element)
            return "array", tuple(tuple(scalar_texts(index)) for index in indices), form
    return type(type_).__name__


def _shown(type_: Type, texts: Sequence[str]) -> list[str]:
    """Return all texts of a scalar type, an option of one, or the type of texts."""
    if isinstance(type_, TextType):
        return list(texts)
    inner = type_.inner if isinstance(type_, OptionType) else type_
    assert isinstance(inner, (EnumType, CellType)), type_
    return scalar_texts(inner)


def _groups_of_texts(types: Sequence[Type], texts: Sequence[str]) -> list[list[Type]]:
    groups: list[list[Type]] = []
    for own in types:
        shown = set(_shown(own, texts))
        touching = [group for group in groups if any(not shown.isdisjoint(_shown(other, texts)) for other in group)]
        groups = [group for group in groups if group not in touching]
        groups.append([*(other for group in touching for other in group), own])
    return groups


def _told_as(types: Sequence[Type], texts: Sequence[str]) -> list[tuple[Type, Places | None]]:
    """Return for each of some types of one form the type that their values are written in, and their places in it."""
    if _form(types[0]) != "text" or len({_like_told(type_) for type_ in types}) == 1:
        return [(_common(types), None)] * len(types)
    merged = tuple(dict.fromkeys(text for type_ in types for text in _shown(type_, texts)))
    place = {text: number for number, text in enumerate(merged)}
    common: Type = EnumType("", merged)
    if any(isinstance(type_, OptionType) for type_ in types):
        common = OptionType(EnumType("", merged))
    return [
        (
            common,
            (*([-1] if isinstance(type_, OptionType) else []), *(place[text] for text in _shown(type_, texts))),
        )
        for type_ in types
    ]


def _like_told(type_: Type) -> object:
    inner = type_.inner if isinstance(type_, OptionType) else type_
    return like(inner) if isinstance(inner, ScalarType) else inner


def _common(types: Sequence[Type]) -> Type:
    """Return a type that holds the values of all: of integers the widest range, with none where one has it."""
    first = types[0]
    if all(type_ == first for type_ in types):
        return first
    if isinstance(first, SetType):
        return SetType(_scalar([type_.element for type_ in types if isinstance(type_, SetType)]))
    if isinstance(first, ArrayType):
        element = _common([type_.element for type_ in types if isinstance(type_, ArrayType)])
        assert not isinstance(element, (ArrayType, TextType, MoveType, SequenceType))
        return ArrayType(first.indices, element)
    if isinstance(first, (TextType, MoveType)):
        return first
    inner = _scalar(
        [
            type_.inner if isinstance(type_, OptionType) else type_
            for type_ in types
            if isinstance(type_, (OptionType, ScalarType))
        ]
    )
    return OptionType(inner) if any(isinstance(type_, OptionType) for type_ in types) else inner


def _scalar(types: Sequence[ScalarType]) -> ScalarType:
    return unify(types)[0]
