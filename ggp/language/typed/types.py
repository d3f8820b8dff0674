"""The types of the rules language: finite domains, and how their values are numbered.

A value of the language is, everywhere after the checker, a plain Python object:

    scalar          its code, an `int` (see below); `bool` is 0 or 1
    `T or none`     a code of `T`, or `None`
    `set of T`      a `frozenset` of codes of `T`
    array           a `tuple` of element values, row-major over the index types, flat
    real            a `float`
    text            a `str`

The code of an integer is the integer itself; of an enumeration member, player or direction its position in the
declaration, from 0; of a cell `(y - 1) * width + (x - 1)`. The codes of a scalar type are the integers from `lowest`
to `lowest + size - 1`; the *position* of a value is its code minus `lowest`.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from msgspec import Struct

DIRECTIONS: tuple[tuple[str, int, int], ...] = (
    ("north", 0, 1),
    ("northeast", 1, 1),
    ("east", 1, 0),
    ("southeast", 1, -1),
    ("south", 0, -1),
    ("southwest", -1, -1),
    ("west", -1, 0),
    ("northwest", -1, 1),
)
"""Name, step along x, step along y; the position in this table is the code. North is up, towards larger y."""


class BoolType(Struct, frozen=True):
    """Truth values."""


class IntType(Struct, frozen=True):
    """Integers from `low` to `high`, both included; also the proven range of an integer expression."""

    low: int
    high: int


class EnumType(Struct, frozen=True):
    """Named members in order: an enumeration, the players of a game, or the eight directions."""

    name: str
    members: tuple[str, ...]
    role: Literal["enumeration", "player", "direction"] = "enumeration"


class CellType(Struct, frozen=True):
    """Cells of a rectangular board; x runs east, y north, both from 1."""

    name: str
    width: int
    height: int


ScalarType: TypeAlias = BoolType | IntType | EnumType | CellType


class OptionType(Struct, frozen=True):
    """`inner or none`."""

    inner: ScalarType


class SetType(Struct, frozen=True):
    """`set of element`."""

    element: ScalarType


class ArrayType(Struct, frozen=True):
    """One `element` for each combination of the `indices`, row-major; elements are not arrays themselves."""

    indices: tuple[ScalarType, ...]
    element: ScalarType | OptionType | SetType | RealType


class SequenceType(Struct, frozen=True):
    """Up to `most` elements in order; known to the checker and displays; kept in an array beside their number."""

    element: ScalarType
    most: int


class RealType(Struct, frozen=True):
    """Real numbers with a proven interval; only in payoffs, estimates and weights, never in the state."""

    low: float
    high: float


class TextType(Struct, frozen=True):
    """A constant text, shown in an observation."""


class MoveType(Struct, frozen=True):
    """A whole action of a phase, as `move` gives it, or none; only in `sees`."""

    phase: str


Type: TypeAlias = ScalarType | OptionType | SetType | ArrayType | RealType | TextType | MoveType | SequenceType

DIRECTION = EnumType("direction", tuple(name for name, _, _ in DIRECTIONS), "direction")
BOOL = BoolType()


def size(type_: ScalarType) -> int:
    """Return how many values a scalar type has."""
    match type_:
        case BoolType():
            return 2
        case IntType(low, high):
            return high - low + 1
        case EnumType(_, members, _):
            return len(members)
        case CellType(_, width, height):
            return width * height


def lowest(type_: ScalarType) -> int:
    """Return the smallest code of a scalar type; only integer ranges can begin elsewhere than at 0."""
    return type_.low if isinstance(type_, IntType) else 0


def codes(type_: ScalarType) -> range:
    """Return all codes of a scalar type, in order."""
    return range(lowest(type_), lowest(type_) + size(type_))


def board_of(type_: Type) -> CellType:
    """Return the board of a cell, an option of one, or a set of cells."""
    match type_:
        case CellType():
            return type_
        case OptionType(inner=CellType() as board) | SetType(element=CellType() as board):
            return board
    raise AssertionError(f"{type_} has no board")


def array_length(type_: ArrayType) -> int:
    """Return the number of elements of an array type."""
    return math.prod(map(size, type_.indices))


def column_letters(column: int) -> str:
    """Return the letters of a board column counted from 0: a to z, then aa, ab, ..."""
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def scalar_text(type_: ScalarType, code: int) -> str:
    """Return how a scalar value is written in actions and observations: `7`, `red`, `b3` (column letter and row)."""
    match type_:
        case BoolType():
            return "yes" if code else "no"
        case IntType():
            return str(code)
        case EnumType(_, members, _):
            return members[code]
        case CellType(_, width, _):
            return f"{column_letters(code % width)}{code // width + 1}"


def type_text(type_: Type) -> str:
    """Return a type as an author would write it."""
    match type_:
        case BoolType():
            return "bool"
        case IntType(low, high):
            return f"{low}..{high}"
        case EnumType(name, members, _):
            return name or "{" + ", ".join(members) + "}"
        case CellType(name, _, _):
            return name
        case OptionType(inner):
            return f"{type_text(inner)} or none"
        case SetType(element):
            return f"set of {type_text(element)}"
        case ArrayType(indices, element):
            return f"[{', '.join(type_text(index) for index in indices)}]: {type_text(element)}"
        case RealType():
            return "real"
        case TextType():
            return "text"
        case MoveType():
            return "move"
        case SequenceType(element, most):
            return f"sequence of {type_text(element)}, at most {most}"
