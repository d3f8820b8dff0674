"""Boards each of whose cells is a board itself, `mark[big, small]`, in games that do not say how they are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations, product

from msgspec import Struct
from msgspec.structs import replace

from ggp.display.drawn import of_element
from ggp.display.looks import Looks, indices_of, inner, is_player, meaning
from ggp.language import typed
from ggp.language.pieces import SHAPES
from ggp.language.typed.types import (
    ArrayType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    codes,
    lowest,
    scalar_text,
    size,
    type_text,
)
from ggp.scene.scene import Board, Piece, Place

MAX_OUTER, MAX_INNER = 16, 36
"""Cells of the board around, and of each board in it."""
MARKED = ("yellow", "gray", "cyan", "pink")
"""Colours of the boards that variables mark, in their order."""
GAP = 0.4
"""Between the boards that lie in the cells of another one."""


class Nest(Struct, frozen=True):
    """A board in each cell of another one.

    Attributes:
        variable: says what stands on all of these, in the order of both.
        owner: says whose each of the small boards is, which tints it.
        marks: say which of the small boards is something, such as where the next move has to be.
    """

    outer: ScalarType
    inner: ScalarType
    variable: typed.Variable
    owner: typed.Variable | None
    marks: tuple[typed.Variable, ...]


def nests_of(game: typed.Game) -> Iterator[Nest]:
    """Yield the boards whose cells hold boards: moves name a cell of each, and nothing is said of the small ones alone.

    Two numbers are rather a column and a row, unless something belongs to somebody by the first alone.
    """
    named = {
        pair
        for phase in game.phases
        for chooser in phase.choosers
        for kind in chooser.kinds
        for pair in combinations([part.type for part in kind.components], 2)
    }
    variables = [one for one in game.variables if not one.is_kept]
    for variable in variables:
        outer, small = indices if len(indices := indices_of(variable)) == 2 else (None, None)
        if (outer, small) not in named or not (_columns(outer) and _columns(small)) or not _is_thing(variable):
            continue
        assert outer is not None
        assert small is not None
        others = [one for one in variables if one != variable]
        is_apart = outer == small or not any(small in (*indices_of(one), inner(one.type)) for one in others)
        owners = (one for one in others if indices_of(one) == (outer,) and is_player(inner(one.type)))
        owner = next(owners, None)
        is_small = size(outer) <= MAX_OUTER and size(small) <= MAX_INNER
        if is_small and is_apart and (owner is not None or {type(outer), type(small)} == {CellType}):
            marks = [one for one in others if not indices_of(one) and inner(one.type) == outer and not one.part]
            marks.sort(key=lambda one: isinstance(one.type, SetType))  # the one board first, and then those of a set
            yield Nest(outer, small, variable, owner, tuple(marks))


def _is_thing(variable: typed.Variable) -> bool:
    assert isinstance(variable.type, ArrayType)
    element = variable.type.element
    kept = element.inner if isinstance(element, OptionType) else element
    return isinstance(kept, EnumType | IntType) and not variable.part


def _columns(type_: object) -> int:
    """Return how many columns a board has; as many as rows, if its cells are only numbered; 0: it is none."""
    if isinstance(type_, CellType):
        return type_.width
    side = math.isqrt(size(type_)) if isinstance(type_, IntType) else 0
    return side if isinstance(type_, IntType) and side > 2 and side * side == size(type_) else 0


def _at(type_: ScalarType, place: int) -> tuple[int, int]:
    """Return the column and the row, from the top, of a cell; what is only numbered begins there."""
    row, column = divmod(place, _columns(type_))
    return column, size(type_) // _columns(type_) - 1 - row if isinstance(type_, CellType) else row


def empty_nest(nest: Nest) -> Board:
    """Return the board with nothing on it: its cells in the order of both indices."""
    wide, high = _columns(nest.inner), size(nest.inner) // _columns(nest.inner)
    places = []
    for around, within in product(range(size(nest.outer)), range(size(nest.inner))):
        (left, top), (column, row) = _at(nest.outer, around), _at(nest.inner, within)
        on, cell = codes(nest.outer)[around], codes(nest.inner)[within]
        places.append(
            Place(
                scalar_text(nest.inner, cell),
                type_text(nest.inner),
                round(left * (wide + GAP) + column + 0.5, 2),
                round(top * (high + GAP) + row + 0.5, 2),
                "square",
                on=meaning(nest.outer, on),
            )
        )
    across, down = _columns(nest.outer), size(nest.outer) // _columns(nest.outer)
    width, height = (round(count * (side + GAP) - GAP, 2) for count, side in ((across, wide), (down, high)))
    return Board(type_text(nest.inner), "squares", width, height, tuple(places))


def filled_nest(nest: Nest, values: Mapping[typed.Variable, typed.Value], looks: Looks) -> Board:
    """Return the board with what its variables say of it."""
    board, value = empty_nest(nest), values[nest.variable]
    assert isinstance(nest.variable.type, ArrayType)
    assert isinstance(value, tuple)
    tints = _tints(nest, values, looks)
    places = []
    for number, (place, each) in enumerate(zip(board.places, value, strict=True)):
        piece = of_element(nest.variable.name, [], nest.variable.type.element, each, looks)
        is_ground = piece is not None and SHAPES.get(piece.shape, SHAPES["disc"]).layer == "ground"
        held = () if piece is None or is_ground else (piece,)
        ground = piece if is_ground else tints[number // size(nest.inner)]
        places.append(replace(place, ground=ground, pieces=held))
    return replace(board, places=tuple(places))


def _tints(nest: Nest, values: Mapping[typed.Variable, typed.Value], looks: Looks) -> list[Piece | None]:
    """Return the ground of each of the small boards: whose it is, and else what it is."""
    tints: list[Piece | None] = [None] * size(nest.outer)
    if nest.owner is not None:
        owned, type_ = values[nest.owner], nest.owner.type
        assert isinstance(owned, tuple)
        assert isinstance(type_, ArrayType)
        tints = [of_element(nest.owner.name, [], type_.element, one, looks, is_tint=True) for one in owned]
    for number, variable in enumerate(nest.marks):
        held = values[variable]
        for code in held if isinstance(held, frozenset) else [held]:
            if isinstance(code, int) and tints[at := code - lowest(nest.outer)] is None:
                tints[at] = mark_of(variable, number)
    return tints


def mark_of(variable: typed.Variable, number: int) -> Piece:
    """Return the ground of the boards that a variable names, the one of this number that does."""
    return Piece("ground", variable.name, variable.name[0], colour=MARKED[number % len(MARKED)])
