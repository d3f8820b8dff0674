"""What a state holds, from the declarations of the rules: sets as planes, everything else as numbers.

A value's place in the state, the players and cells among its indices, and whether it is itself a player or a cell, so
that a state can be turned with its board and read with seats exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from ggp.encoding.features import Feature
from ggp.game.game import Game
from ggp.language.typed.types import (
    ArrayType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    Type,
    codes,
    size,
)
from ggp.rules_compiler.rules_backend import rules_of

Key: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plane:
    """A set.

    Attributes:
        variable: in which it is.
        indices: the types of its indices; of an array that is kept as sets, of the value that stands in these places.
        key: a code of each.
        elements: the type of its elements, None where these are combinations of several values.
        word: the first of its words.
        size: how many elements it may have.
    """

    variable: str
    indices: tuple[ScalarType, ...]
    key: Key
    elements: ScalarType | None
    word: int
    size: int


@dataclass(frozen=True, slots=True)
class Number:
    """A value of one word.

    Attributes:
        variable: in which it is.
        indices: the types of its indices.
        key: a code of each.
        type: of the value, without `or none`.
        none: 1 where the value may be none, which then is the first one.
        word: its word.
        low: the word that stands for the first value.
        size: how many values there are.
    """

    variable: str
    indices: tuple[ScalarType, ...]
    key: Key
    type: Type
    none: int
    word: int
    low: int
    size: int


@dataclass(frozen=True, slots=True)
class Declarations:
    """All that a state holds, besides phase, fault, and histories that only the rules read."""

    planes: tuple[Plane, ...]
    numbers: tuple[Number, ...]
    phases: int

    def boards(self) -> list[CellType]:
        """Return the boards that planes, numbers or their indices speak of."""
        found: dict[CellType, None] = {}
        for one in self.planes:
            found.update((type_, None) for type_ in (one.elements, *one.indices) if isinstance(type_, CellType))
        for number in self.numbers:
            found.update((type_, None) for type_ in (number.type, *number.indices) if isinstance(type_, CellType))
        return list(found)


def is_player(type_: Type | None) -> bool:
    """Return whether a type is that of the players."""
    return isinstance(type_, EnumType) and type_.role == "player"


def declarations_of(game: Game) -> Declarations:
    """Return what the states of a game hold.

    Raises:
        NoRules: the game was not made from a rules file.
    """
    rules = rules_of(game).rules
    planes: list[Plane] = []
    numbers: list[Number] = []
    features = iter(game.codec.state_features())
    next(features)  # the phase
    for variable in rules.variables:
        if variable.is_kept:
            continue
        type_ = variable.type
        indices = type_.indices if isinstance(type_, ArrayType) else ()
        element = type_.element if isinstance(type_, ArrayType) else type_
        for place, key in enumerate(product(*(codes(index) for index in indices))):
            feature = next(features)
            if feature.kind == "bits":
                assert isinstance(element, SetType)
                planes.append(Plane(variable.name, indices, key, element.element, feature.word, feature.size))
            elif feature.sets:
                if place == 0:
                    planes += _kept_as_sets(variable.name, indices, element, feature)
            elif feature.kind != "binary":
                inner = element.inner if isinstance(element, OptionType) else element
                none, word = int(isinstance(element, OptionType)), feature.word
                numbers.append(Number(variable.name, indices, key, inner, none, word, feature.low, feature.size))
    return Declarations(tuple(planes), tuple(numbers), len(rules.phases) + 1)


def _kept_as_sets(name: str, indices: tuple[ScalarType, ...], element: Type, feature: Feature) -> list[Plane]:
    """Return a plane for each value that has a set of the places where it stands."""
    inner = element.inner if isinstance(element, OptionType) else element
    assert not isinstance(inner, ArrayType | SetType)
    places = 1
    for index in indices:
        places *= size(index)
    board = indices[0] if len(indices) == 1 else None
    values = [(code,) for code in codes(inner)][-feature.sets :]  # type: ignore[arg-type]
    of_values = inner if isinstance(inner, EnumType | IntType | CellType) else IntType(0, 1)
    return [
        Plane(name, (of_values,), key, board, feature.word + place * feature.apart, places)
        for place, key in enumerate(values)
    ]
