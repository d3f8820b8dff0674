"""Numbers for what players read as texts: equal exactly where the texts are equal, in whatever phase they stand.

A player knows the texts of its actions and the labels and values it was told, and nothing else. If the same text had
two numbers, one for each phase, numbers would tell the player which phase it is in. So action kinds whose texts can
be the same share one block of numbers, and values told under one label have one heading and one encoding.

Two rare cases are kept apart although a player could not: enumerations with common members in contradicting orders as
parts of an action (legal actions are listed in ascending order), and sets or arrays of different enumerations under one
label.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

from msgspec import Struct

from ggp.faults import LimitExceeded
from ggp.language import typed
from ggp.language.typed.types import (
    CellType,
    EnumType,
    IntType,
    ScalarType,
    codes,
    lowest,
    scalar_text,
    size,
)

MAX_NUMBER = 1 << 62
"""The numbers of actions, and of chance outcomes, are below this."""

Places = tuple[int, ...]
"""For each position in a type the position of the same text in another."""


class Block(Struct, frozen=True):
    """The numbers of one action kind of one chooser of a phase, or of a phase's chance outcomes.

    The number of an action is `base` plus the mixed-radix number of the positions of its components' values in `types`,
    the first component the most significant. Blocks whose actions can have the same texts have the same `base` and
    `types`.
    """

    word: str
    """What the texts begin with: the kind's name; the phase's, of an action without name and components; or nothing."""
    components: tuple[typed.Component, ...]
    types: tuple[ScalarType, ...]
    """The types whose positions number the actions; each has all texts of the component's own type."""
    places: tuple[Places | None, ...]
    """For each component the positions in `types` of its own type's values; None: integers, or the same type."""
    base: int

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many positions each component has."""
        return tuple(size(type_) for type_ in self.types)

    @property
    def count(self) -> int:
        """How many numbers the block has, those of other blocks that share it included."""
        return math.prod(self.sizes)

    def encode(self, values: Sequence[int]) -> int:
        """Return the number of the action with these component codes."""
        number = 0
        for component, type_, places, code in zip(self.components, self.types, self.places, values, strict=True):
            position = code - lowest(type_) if places is None else places[code - lowest(component.type)]
            number = number * size(type_) + position
        return self.base + number

    def decode(self, action: int) -> tuple[int, ...]:
        """Return the component codes of an action of this block.

        Raises:
            ValueError: the number stands for a text that only other blocks have.
        """
        found: list[int] = []
        for component, places, position in zip(self.components, self.places, self._positions(action), strict=True):
            if places is None:
                found.append(position)
            else:
                found.append(places.index(position) + lowest(component.type))
        return tuple(found)

    def _positions(self, action: int) -> tuple[int, ...]:
        """Return the codes in `types` (positions, where another type numbers a component)."""
        number = action - self.base
        found: list[int] = []
        for type_ in reversed(self.types):
            number, position = divmod(number, size(type_))
            found.append(position + lowest(type_))
        return tuple(reversed(found))

    def text(self, action: int) -> str:
        """Return the text of an action: its word, if it has one, and its components, blank-separated."""
        values = [scalar_text(type_, code) for type_, code in zip(self.types, self._positions(action), strict=True)]
        return " ".join(([self.word] if self.word else []) + values)

    def parse(self, text: str) -> int | None:
        """Return the action of this block that a text names, None if there is none."""
        words = text.split()
        if self.word:
            if not words or words[0] != self.word:
                return None
            words = words[1:]
        if len(words) != len(self.components):
            return None
        found = [parse_scalar(part.type, word) for part, word in zip(self.components, words, strict=True)]
        return None if None in found else self.encode([code for code in found if code is not None])


def parse_scalar(type_: ScalarType, text: str) -> int | None:
    """Return the code whose `scalar_text` is `text`, None if there is none."""
    if isinstance(type_, EnumType):
        return type_.members.index(text) if text in type_.members else None
    if isinstance(type_, CellType):
        letters = text.rstrip("0123456789")
        row = text[len(letters) :]
        if not (0 < len(letters) < 4 and 0 < len(row) < 7 and letters.isascii() and letters.isalpha()):
            return None
        column = 0
        for letter in letters.lower():
            column = 26 * column + ord(letter) - ord("a") + 1
        code = (int(row) - 1) * type_.width + column - 1
        return code if column <= type_.width and 1 <= int(row) <= type_.height else None
    low = lowest(type_)
    if text in ("yes", "no"):
        return next((code for code in (0, 1) if scalar_text(type_, code) == text), None)
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        return None
    code = int(text)
    return code if low <= code < low + size(type_) and scalar_text(type_, code) == text else None


# --- actions ----------------------------------------------------------------------------------------------------------


def outcome_block(components: tuple[typed.Component, ...]) -> Block:
    """Return the numbers of a chance phase's outcomes, from 0; outcomes of different phases have nothing in common.

    Raises:
        LimitExceeded: there are too many.
    """
    block = Block("", components, tuple(part.type for part in components), (None,) * len(components), 0)
    _limit(block.count)
    return block


def action_blocks(game: typed.Game) -> tuple[tuple[tuple[Block, ...], ...], ...]:
    """Return the numbers of all actions, `[phase][chooser][kind]`; empty for a chance phase.

    Within a chooser the numbers ascend from kind to kind; the checker has put the kinds in one order for all phases.

    Raises:
        LimitExceeded: there are too many.
    """
    families: dict[tuple[str, int], list[tuple[typed.Component, ...]]] = {}
    for phase in game.phases:
        for chooser in phase.choosers:
            for kind in chooser.kinds:
                families.setdefault(_family(phase, kind), []).append(kind.components)
    known: dict[tuple[tuple[str, int], tuple[ScalarType, ...]], Block] = {}
    base = 0
    for family, members in families.items():
        for group in _groups([tuple(part.type for part in components) for components in members]):
            unified = [unify([types[place] for types in group]) for place in range(family[1])]
            types = tuple(type_ for type_, _ in unified)
            for number, own in enumerate(group):
                block = Block(family[0], (), types, tuple(places[number] for _, places in unified), base)
                known[family, own] = block
            base += block.count
            _limit(base)

    def block_of(phase: typed.Phase, kind: typed.ActionKind) -> Block:
        shared = known[_family(phase, kind), tuple(part.type for part in kind.components)]
        return Block(shared.word, kind.components, shared.types, shared.places, shared.base)

    return tuple(
        tuple(tuple(block_of(phase, kind) for kind in chooser.kinds) for chooser in phase.choosers)
        for phase in game.phases
    )


def _family(phase: typed.Phase, kind: typed.ActionKind) -> tuple[str, int]:
    """Return what the texts of a kind have in common: their first word, or none, and how many values follow."""
    return kind.name or ("" if kind.components else phase.name), len(kind.components)


def _groups(members: Sequence[tuple[ScalarType, ...]]) -> list[list[tuple[ScalarType, ...]]]:
    """Return the different members, those together that can have the same texts and can be numbered together."""
    groups: list[list[tuple[ScalarType, ...]]] = []
    for own in dict.fromkeys(members):
        touching = [group for group in groups if any(_overlap(own, other) for other in group)]
        joined = [*(other for group in touching for other in group), own]
        try:
            for place in range(len(own)):
                unify([types[place] for types in joined])
        except CycleError:
            groups.append([own])
            continue
        groups = [group for group in groups if group not in touching] + [joined]
    return groups


def _overlap(left: Sequence[ScalarType], right: Sequence[ScalarType]) -> bool:
    """Return whether values of these types, one of each, can have the same texts."""
    return all(_same_text(a, b) for a, b in zip(left, right, strict=True))


def _same_text(left: ScalarType, right: ScalarType) -> bool:
    if isinstance(left, IntType) or isinstance(right, IntType):
        return isinstance(left, IntType) and isinstance(right, IntType)
    return like(left) == like(right) or not set(scalar_texts(left)).isdisjoint(scalar_texts(right))


def like(type_: ScalarType) -> object:
    """Return what two types share that write all their values alike."""
    match type_:
        case EnumType(members=members):
            return members
        case CellType(width=width, height=height):
            return width, height
    return type_


def scalar_texts(type_: ScalarType) -> list[str]:
    """Return the texts of all values of a type, in order."""
    return [scalar_text(type_, code) for code in codes(type_)]


def unify(types: Sequence[ScalarType]) -> tuple[ScalarType, list[Places | None]]:
    """Return a type with all texts of some types in the order of each, and their positions in it (None: unchanged).

    Raises:
        CycleError: the orders contradict each other.
    """
    first = types[0]
    if isinstance(first, IntType):
        ranges = [type_ for type_ in types if isinstance(type_, IntType)]
        hull = IntType(min(type_.low for type_ in ranges), max(type_.high for type_ in ranges))
        return hull, [None] * len(types)
    if all(like(type_) == like(first) for type_ in types):
        return first, [None] * len(types)
    texts = _merged([scalar_texts(type_) for type_ in types])
    place = {text: number for number, text in enumerate(texts)}
    return EnumType("", texts), [tuple(place[text] for text in scalar_texts(type_)) for type_ in types]


def _merged(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for texts in lists:
        for number, text in enumerate(texts):
            sorter.add(text, *texts[max(number - 1, 0) : number])
    return tuple(sorter.static_order())


def _limit(numbers: int) -> None:
    if numbers > MAX_NUMBER:
        raise LimitExceeded("numbers for actions", numbers, MAX_NUMBER)
