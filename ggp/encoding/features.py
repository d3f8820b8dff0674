"""How values become numbers for learning: the layout of flat tensors, derived from the types of a game's values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    EnumType,
    IntType,
    MoveType,
    OptionType,
    ScalarType,
    SetType,
    TextType,
    Type,
    codes,
    lowest,
    scalar_text,
    size,
)

MAX_ONE_HOT = 64
"""Integers of so many values at most have an entry each; others are scaled."""
MAX_NAMES_ONE_HOT = 1024
"""Actions and texts of so many at most have an entry each; others are written as binary numbers."""

FeatureKind: TypeAlias = Literal["one_hot", "scaled", "bits", "binary"]


class Feature(Struct, frozen=True):
    """One value in a flat tensor.

    Attributes:
        name: what it is, as `discs[black]`.
        kind: how it is written. `one_hot`: an entry for each value, 1 where it is that value. `scaled`: one entry, 0
            for the lowest value and 1 for the greatest. `bits`: a set, an entry for each element, 1 where it is in it.
            `binary`: its binary digits, the least first.
        word: the first of its words, in the state or behind the heading of the observation.
        low: the word that stands for the first value.
        size: how many values (`scaled`), entries (`one_hot`, `bits`) or digits (`binary`) it has.
        at: its first entry in the tensor.
        values: the texts of the values, in order; none where there are too many to list.
        apart: 0 where the value has a word. Else each value but the first `size - sets` has a set of the places where
            it stands, this many words apart; `low` is the bit of this place in each.
        sets: how many values have such a set.
        variable: the name without its indices.
        seats: the players among its indices, in order.
        others: its other indices, in order.
        of_players: whether its values, behind `none`, or its elements are the players.
        turned: of such a one, the player whose entry stands first in the tensor as a player has it.
    """

    name: str
    kind: FeatureKind
    word: int
    low: int
    size: int
    at: int = 0
    values: tuple[str, ...] = ()
    apart: int = 0
    sets: int = 0
    variable: str = ""
    seats: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    of_players: bool = False
    turned: int = 0

    @property
    def width(self) -> int:
        """How many entries it takes."""
        return 1 if self.kind == "scaled" else self.size


class SeenFeatures(Struct, frozen=True):
    """One value that players can be told, in the tensor of an observation.

    Attributes:
        label: as the player reads it.
        heading: the word that stands before the value.
        words: how many words the value takes.
        at: the entry that is 1 where this was told.
        features: of the value; all 0 where it was not told.
    """

    label: str
    heading: int
    words: int
    at: int
    features: tuple[Feature, ...]


def seen_from(features: Sequence[Feature], player: int, players: int) -> tuple[Feature, ...]:
    """Return the features of a state's tensor as a player has it: for each place the one that stands there.

    The player comes first, the others follow in the order of play: what the state holds of a player, by an index or as
    a value, stands where that of the first player stands in the tensor for everybody. Boards are not turned.
    """
    known = {(feature.variable or feature.name, feature.others, feature.seats): feature for feature in features}
    found = []
    for feature in features:
        seats = tuple((seat + player) % players for seat in feature.seats)
        source = known[feature.variable or feature.name, feature.others, seats]
        found.append(replace(source, at=feature.at, turned=player if source.of_players else 0))
    return tuple(found)


def tensor_width(seen: Sequence[SeenFeatures]) -> int:
    """Return how many entries the tensor of an observation has."""
    return max((value.at + 1 + sum(part.width for part in value.features) for value in seen), default=0)


def placed(features: Iterator[Feature], at: int) -> tuple[Feature, ...]:
    """Return features one behind the other, the first at an entry of the tensor."""
    found = []
    for feature in features:
        found.append(replace(feature, at=at))
        at += feature.width
    return tuple(found)


def features_of(name: str, type_: Type, word: int, texts: tuple[str, ...], actions: int) -> Iterator[Feature]:
    """Yield the features of a value, not placed yet.

    Args:
        name: of the value.
        type_: its type.
        word: the first of its words.
        texts: the constant texts, by number.
        actions: how many numbers actions have.
    """
    match type_:
        case SetType(element):
            members = tuple(scalar_text(element, code) for code in codes(element))
            yield Feature(name, "bits", word, 0, size(element), values=members, of_players=_are_players(element))
        case ArrayType(indices, element):
            words = (size(element.element) + 63) // 64 if isinstance(element, SetType) else 1
            for place, key in enumerate(product(*(codes(index) for index in indices))):
                at = ",".join(scalar_text(index, code) for index, code in zip(indices, key, strict=True))
                seats, others = (
                    tuple(code for index, code in zip(indices, key, strict=True) if _are_players(index) == wanted)
                    for wanted in (True, False)
                )
                for feature in features_of(f"{name}[{at}]", element, word + place * words, texts, actions):
                    yield replace(feature, variable=name, seats=seats, others=others)
        case BoolType():
            yield Feature(name, "scaled", word, 0, 2, values=("no", "yes"))
        case TextType():
            yield _named(name, word, 0, len(texts), texts)
        case MoveType():
            yield replace(action_feature(name, actions), word=word)
        case OptionType(inner):
            yield _scalar(name, inner, word, ("none",))
        case _:
            assert isinstance(type_, ScalarType)
            yield _scalar(name, type_, word, ())


def _scalar(name: str, type_: ScalarType, word: int, before: tuple[str, ...]) -> Feature:
    """Return the feature of a value of a type, or of what its words before those of the type stand for."""
    low, count = lowest(type_) - len(before), size(type_) + len(before)
    if isinstance(type_, IntType) and size(type_) > MAX_ONE_HOT:
        return Feature(name, "scaled", word, low, count)
    values = (*before, *(scalar_text(type_, code) for code in codes(type_)))
    return Feature(name, "one_hot", word, low, count, values=values, of_players=_are_players(type_))


def action_feature(name: str, actions: int) -> Feature:
    """Return the feature of an action of `actions` numbers, or none, not placed yet."""
    return _named(name, 0, -1, actions + 1, ())


def features_in_sets(elements: Iterator[Feature], word: int, type_: Type) -> Iterator[Feature]:
    """Yield the features of an array's elements where the array is kept as sets, see `ggp.encoding.arrays_as_sets`.

    Args:
        elements: the features of the array with a word for each element.
        word: the first word of the sets.
        type_: the type of the array of sets.
    """
    assert isinstance(type_, ArrayType)
    assert isinstance(type_.element, SetType)
    apart, sets = (size(type_.element.element) + 63) // 64, size(type_.indices[0])
    for at, feature in enumerate(elements):
        yield replace(feature, word=word + at // 64, low=at % 64, apart=apart, sets=sets)


def _are_players(type_: Type) -> bool:
    return isinstance(type_, EnumType) and type_.role == "player"


def _named(name: str, word: int, low: int, count: int, values: tuple[str, ...]) -> Feature:
    """Return the feature of one of many names."""
    if count <= MAX_NAMES_ONE_HOT:
        return Feature(name, "one_hot", word, low, count, values=values)
    return Feature(name, "binary", word, low, (count - 1).bit_length())
