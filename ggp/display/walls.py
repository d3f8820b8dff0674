"""Walls: what variables and tables say of the sides of cells, in games that do not say how they are drawn.

A set of `cell of direction`, sets of directions of each cell, sets of cells for each direction or by a name such as
`wall_north`, and truth values of cells and directions are drawn on the edges between the cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from msgspec import Struct

from ggp.language import typed
from ggp.language.typed.types import (
    DIRECTION,
    ArrayType,
    BoolType,
    CellType,
    EnumType,
    ScalarType,
    SetType,
    Type,
    codes,
    scalar_text,
)
from ggp.scene.scene import Piece

STRAIGHT = (0, 2, 4, 6)
"""North, east, south and west, by their codes: the sides of a square."""
WORDS = {
    "wall", "walls", "fence", "fences", "hedge", "hedges", "barrier", "barriers", "blocked", "closed", "bars",
}  # fmt: skip
"""Words in the names of what is drawn as a wall."""
OPEN = {"open", "opening", "openings", "passage", "passages", "corridors", "exits"}
"""Words in the names of what says where there is none."""

Side: TypeAlias = tuple[int, int]
"""A cell and a direction, by their codes."""


class Sides(Struct, frozen=True):
    """Of which sides of cells a variable or a table tells.

    Attributes:
        of_elements: for each element of an array, or the one value: the wall, in the colour of the player whose it is,
            and where: by code, the side of which the value, or a member of the set, tells.
        first: the first code.
        is_inverse: walls stand where it says that there is nothing.
    """

    of_elements: tuple[tuple[Piece, tuple[Side | None, ...]], ...]
    first: int
    is_inverse: bool


@lru_cache(512)
def sides_of(name: str, type_: Type, board: CellType | EnumType) -> Sides | None:
    """Return the sides of a board's cells of which a variable or a table tells; None: it does not."""
    words = set(name.lower().split("_"))
    if not isinstance(board, CellType) or not words & (WORDS | OPEN):
        return None
    indices = type_.indices if isinstance(type_, ArrayType) else ()
    element = type_.element if isinstance(type_, ArrayType) else type_
    named = [direction for direction, word in enumerate(DIRECTION.members) if word in words]
    kept = element.element if isinstance(element, SetType) else element
    if not isinstance(kept, BoolType | EnumType | CellType):
        return None
    pairs = _pairs(kept, board)
    is_set = isinstance(element, SetType)

    def side(key: Sequence[int], code: int) -> Side | None:
        if pairs is not None:
            cell, direction = pairs[code]
        else:
            known = dict(zip(indices, key, strict=True))
            if is_set:
                known[kept] = code
            elif not code:
                return None
            if named and DIRECTION not in known:
                known[DIRECTION] = named[0]
            cell, direction = known[board], known[DIRECTION]
        return (cell, direction) if direction in STRAIGHT else None

    told = {*indices, *([kept] if is_set else ()), *([DIRECTION] if len(named) == 1 else ())}
    of_pairs = is_set and pairs is not None
    if not of_pairs and (not {board, DIRECTION} <= told or not (is_set or isinstance(kept, BoolType))):
        return None
    of_elements = []
    for key in product(*(codes(index) for index in indices)):
        owner = next((code for index, code in zip(indices, key, strict=True) if _is_player(index)), None)
        of_elements.append((Piece("wall", "", "#", owner), tuple(side(key, code) for code in codes(kept))))
    return Sides(tuple(of_elements), codes(kept).start, not words & WORDS)


def _is_player(type_: ScalarType) -> bool:
    return isinstance(type_, EnumType) and type_.role == "player"


def _pairs(type_: ScalarType, board: CellType) -> list[Side] | None:
    """Return the cell and the direction of each value of a type that is `cell of direction`, or the other way round."""
    if not isinstance(type_, EnumType) or len(type_.members) != board.width * board.height * len(DIRECTION.members):
        return None
    both = list(product(codes(board), codes(DIRECTION)))
    for found, order in ((both, (0, 1)), ([(c, d) for d in codes(DIRECTION) for c in codes(board)], (1, 0))):
        texts = ((scalar_text(board, cell), scalar_text(DIRECTION, direction)) for cell, direction in found)
        if type_.members == tuple(f"{text[order[0]]}_of_{text[order[1]]}" for text in texts):
            return found
    return None


def walls(name: str, type_: Type, value: typed.Value, board: CellType | EnumType) -> Iterator[tuple[Side, Piece]]:
    """Yield the walls of which a variable or a table tells."""
    found = sides_of(name, type_, board)
    if found is None:
        return
    elements = value if isinstance(value, tuple) else (value,)
    for (piece, by_code), each in zip(found.of_elements, elements, strict=True):
        members = each if isinstance(each, frozenset) else {each}
        for code, side in enumerate(by_code, found.first):
            if side is not None and (code in members) != found.is_inverse:
                yield side, piece
