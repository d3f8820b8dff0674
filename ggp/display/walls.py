"""Walls: what variables and tables say of the sides of cells, in games that do not say how they are drawn.

Sets of `cell of direction` and arrays over it, sets of directions of each cell, sets of cells for each direction or by
a name such as `wall_north`, and truth values of cells and directions are drawn on the edges between the cells. Walls of
the length of two cells have their middles on the corners, a board that is smaller by one both ways, and lie flat or
stand upright.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeAlias, cast

from msgspec import Struct

from ggp.display.geometry import LEANING
from ggp.language import typed
from ggp.language.evaluation.boards import stepped_cell
from ggp.language.evaluation.scope import Scope
from ggp.language.typed.types import (
    DIRECTION,
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    OptionType,
    ScalarType,
    SetType,
    Type,
    codes,
    scalar_text,
)
from ggp.scene.scene import Piece

SIDES = {0: frozenset({0, 2, 4, 6}), **{lean: directions for directions, lean in LEANING.items()}}
"""The directions of the sides of a square, and of hexagons as they lean, by their codes."""
WORDS = {
    "wall", "walls", "fence", "fences", "hedge", "hedges", "barrier", "barriers", "blocked", "closed", "bars",
}  # fmt: skip
"""Words in the names of what is drawn as a wall."""
OPEN = {"open", "opening", "openings", "passage", "passages", "corridors", "exits"}
"""Words in the names of what says where there is none."""
LEFT = {"free", "left", "remaining", "possible", "unused"}
"""Words in the names of what says where something may still stand."""

FLAT, UPRIGHT = len(DIRECTION.members), len(DIRECTION.members) + 1
HEADINGS = {
    **{word: direction for direction, word in enumerate(DIRECTION.members)},
    **dict.fromkeys(("flat", "horizontal", "lying", "across", "h"), FLAT),
    **dict.fromkeys(("upright", "vertical", "standing", "down", "v"), UPRIGHT),
}
"""Words that say on which side of a cell a wall stands, or how it lies on a corner."""

Side: TypeAlias = tuple[int, int]
"""A cell and a direction, by their codes."""


class Sides(Struct, frozen=True):
    """Of which sides of cells a variable or a table tells.

    Attributes:
        of_elements: for each element of an array, or the one value, by code: the wall, in the colour of its player, and
            the sides of which the value, or a member of the set, tells.
        is_inverse: walls stand where it says that there is nothing.
    """

    of_elements: tuple[tuple[tuple[Piece, tuple[Side, ...]], ...], ...]
    is_inverse: bool


@lru_cache(512)
def sides_of(name: str, type_: Type, board: ScalarType, lean: int = 0) -> Sides | None:
    """Return the sides of a board's cells of which a variable or a table tells; None: it does not."""
    words = set(name.lower().split("_"))
    if not isinstance(board, CellType) or words & LEFT:
        return None
    indices = type_.indices if isinstance(type_, ArrayType) else ()
    element = type_.element if isinstance(type_, ArrayType) else type_
    kept = element.element if isinstance(element, SetType) else element
    kept = kept.inner if isinstance(kept, OptionType) else kept
    if not isinstance(kept, BoolType | EnumType | CellType) or getattr(kept, "name", "") == name:  # makes pairs
        return None
    is_inverse = bool(words & OPEN) and not words & WORDS
    if is_inverse and not isinstance(element, SetType | BoolType):
        return None
    types = (*indices, kept)
    of_pairs = [sides_of_pairs(one, board, lean) for one in types]
    paired = next((place for place, one in enumerate(of_pairs) if one), None)
    is_named = bool(words & (WORDS | OPEN))
    says_where = isinstance(element, SetType) if of_pairs[-1] else isinstance(kept, BoolType) or _is_player(kept)
    if paired is not None and not is_named and not says_where:  # such as the last move
        return None
    grounds = [place for place, one in enumerate(types) if _is_ground(one, board)]
    headings = [
        place for place, one in enumerate(types) if isinstance(one, EnumType) and set(one.members) <= set(HEADINGS)
    ]
    named = [HEADINGS[word] for word in words if word in HEADINGS]
    if paired is None and (not is_named or len(grounds) != 1 or len(headings or named) != 1):
        return None

    def sides(key: Sequence[int]) -> tuple[Side, ...]:
        if isinstance(kept, BoolType) and not key[-1]:
            return ()
        if paired is not None:
            return of_pairs[paired][key[paired]]
        told = [scalar_text(one, each) for one, each in zip(types, key, strict=True)]
        heading = HEADINGS[told[headings[0]]] if headings else named[0]
        ground = types[grounds[0]]
        assert isinstance(ground, CellType)
        return _sides(ground, key[grounds[0]], heading, board, lean)

    def owner(key: Sequence[int]) -> int | None:
        return next((code for one, code in zip(types, key, strict=True) if _is_player(one)), None)

    of_elements = tuple(
        tuple((Piece("wall", "", "#", owner((*key, code))), sides((*key, code))) for code in codes(kept))
        for key in product(*(codes(index) for index in indices))
    )
    is_of_sides = any(standing for by_code in of_elements for _, standing in by_code)
    return Sides(of_elements, is_inverse) if is_of_sides else None


def _is_player(type_: ScalarType) -> bool:
    return isinstance(type_, EnumType) and type_.role == "player"


def _is_ground(type_: ScalarType, board: CellType) -> bool:
    corners = board.width - 1, board.height - 1
    return isinstance(type_, CellType) and (type_ == board or (type_.width, type_.height) == corners)


def _sides(ground: CellType, cell: int, heading: int, board: CellType, lean: int) -> tuple[Side, ...]:
    """Return the sides of a board's cells on which a wall stands, at a cell or at a corner."""
    if ground == board:
        return ((cell, heading),) if heading in SIDES[lean] else ()
    first = cell // ground.width * board.width + cell % ground.width
    north, _, east, *_ = range(len(DIRECTION.members))
    if heading == FLAT:
        return (first, north), (first + 1, north)
    return ((first, east), (first + board.width, east)) if heading == UPRIGHT else ()


@lru_cache(512)
def sides_of_pairs(type_: ScalarType, board: CellType, lean: int) -> tuple[tuple[Side, ...], ...]:
    """Return the sides for each value of a type that is such as `cell of direction`; empty: it is none."""
    members = type_.members if isinstance(type_, EnumType) else ()
    halves = [member.split("_of_") for member in members]
    is_of_two = all(len(one) == 2 for one in halves)
    both = [(heading, cell) for one in halves for heading, cell in (one, one[::-1])] if is_of_two else []
    pairs = [(heading, cell) for heading, cell in both if heading in HEADINGS]
    for ground in (board, CellType("", board.width - 1, board.height - 1)):
        at = {scalar_text(ground, cell): cell for cell in codes(ground)}
        if len(pairs) == len(members) and at.keys() == {cell for _, cell in pairs}:
            return tuple(_sides(ground, at[cell], HEADINGS[heading], board, lean) for heading, cell in pairs)
    return ()


def pipes(scope: Scope) -> Iterator[typed.Variable]:
    """Yield the variables that say to which sides each cell is open, where some lead to a cell that is not open there.

    These are the arms of pipes; passages between cells lead both ways.
    """
    for variable, value in scope.variables.items():
        type_ = variable.type
        board = type_.indices[0] if isinstance(type_, ArrayType) else None
        if not isinstance(board, CellType) or type_ != ArrayType((board,), SetType(DIRECTION)):
            continue
        sides = sides_of(variable.name, type_, board)
        arms = cast("tuple[frozenset[int], ...]", value)
        ways = ((cell, side, stepped_cell(board, cell, side, 1)) for cell in codes(board) for side in arms[cell])
        back = len(DIRECTION.members) // 2
        is_one_way = (other is not None and (side + back) % (2 * back) not in arms[other] for _, side, other in ways)
        if sides is not None and sides.is_inverse and any(is_one_way):
            yield variable


def walls(name: str, type_: Type, value: typed.Value, board: ScalarType, lean: int = 0) -> Iterator[tuple[Side, Piece]]:
    """Yield the walls of which a variable or a table tells."""
    found = sides_of(name, type_, board, lean)
    if found is None:
        return
    elements = value if isinstance(value, tuple) else (value,)
    for by_code, each in zip(found.of_elements, elements, strict=True):
        members = each if isinstance(each, frozenset) else {each}
        for code, (piece, sides) in enumerate(by_code):
            for side in sides if (code in members) != found.is_inverse else ():
                yield side, piece
