"""Boards by two indices, in games that do not say how they are drawn: cells that are boards, rows and columns."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from ggp.display.drawn import join_pieces
from ggp.display.looks import Looks, indices_of, inner, is_player, meaning
from ggp.display.variable_pieces import of_element
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
from ggp.scene.scene import Axis, Board, Piece, Place

MAX_OUTER, MAX_INNER = 16, 36
"""Cells of the board around, and of each board in it."""
MARKED = ("yellow", "gray", "cyan", "pink")
"""Colours of the boards that variables mark, in their order."""
MIN_SIDE, MAX_SIDE = 3, 20
"""Rows and columns of a board that are only numbered."""
GAP = 0.4
"""Between the boards that lie in the cells of another one."""


class Nest(Struct, frozen=True):
    """A board in each cell of another one.

    Attributes:
        variables: say what stands on all of these, in the order of both.
        owner: says whose each of the small boards is, which tints it.
        marks: say which of the small boards is something, such as where the next move has to be.
        is_grid: the numbers of both are the row and the column of one board.
    """

    outer: ScalarType
    inner: ScalarType
    variables: tuple[typed.Variable, ...]
    owner: typed.Variable | None
    marks: tuple[typed.Variable, ...]
    is_grid: bool = False


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
    variables = [one for one in game.variables if not one.is_kept and not one.part]
    grids: dict[tuple[ScalarType, ScalarType], list[typed.Variable]] = defaultdict(list)
    for variable in variables:
        indices = indices_of(variable)
        if len(indices) != 2 or indices not in named or not _is_thing(variable):
            continue
        outer, small = indices
        others = [one for one in variables if one != variable]
        is_apart = outer == small or not any(small in (*indices_of(one), inner(one.type)) for one in others)
        owners = (one for one in others if indices_of(one) == (outer,) and is_player(inner(one.type)))
        owner = next(owners, None)
        is_small = size(outer) <= MAX_OUTER and size(small) <= MAX_INNER
        has_columns = _columns(outer) and _columns(small)
        if has_columns and is_small and is_apart and (owner is not None or {type(outer), type(small)} == {CellType}):
            marks = [one for one in others if not indices_of(one) and inner(one.type) == outer and not one.part]
            marks.sort(key=lambda one: isinstance(one.type, SetType))  # the one board first, and then those of a set
            yield Nest(outer, small, (variable,), owner, tuple(marks))
        elif _is_grid(variable):
            grids[outer, small].append(variable)
    yield from (Nest(outer, small, tuple(on), None, (), is_grid=True) for (outer, small), on in grids.items())


def _is_thing(variable: typed.Variable) -> bool:
    assert isinstance(variable.type, ArrayType)
    element = variable.type.element
    kept = element.inner if isinstance(element, OptionType) else element
    return isinstance(kept, EnumType | IntType)


def _is_grid(variable: typed.Variable) -> bool:
    """Return whether an array says what stands on each square of a board by the numbers of its row and column."""
    assert isinstance(variable.type, ArrayType)
    element = variable.type.element
    sides = [size(index) if isinstance(index, IntType) else 0 for index in indices_of(variable)]
    return min(sides) >= MIN_SIDE and max(sides) <= MAX_SIDE and isinstance(inner(element), EnumType)


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
    if nest.is_grid:
        return _grid(nest)
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


def _grid(nest: Nest) -> Board:
    rows, columns = ([scalar_text(one, code) for code in codes(one)] for one in (nest.outer, nest.inner))
    at = product(enumerate(rows), enumerate(columns))
    places = tuple(
        Place(name, type_text(nest.inner), x + 0.5, y + 0.5, "square", on=meaning(nest.outer, codes(nest.outer)[y]))
        for (y, _), (x, name) in at
    )
    axes = [Axis(text, x + 0.5, len(rows) + 0.24) for x, text in enumerate(columns)]
    axes += [Axis(text, -0.28, y + 0.5) for y, text in enumerate(rows)]
    return Board(type_text(nest.inner), "squares", len(columns), len(rows), places, axes=tuple(axes))


def filled_nest(nest: Nest, values: Mapping[typed.Variable, typed.Value], looks: Looks) -> Board:
    """Return the board with what its variables say of it."""
    board, tints = empty_nest(nest), _tints(nest, values, looks)
    places = []
    for number, place in enumerate(board.places):
        held: list[Piece] = []
        ground = tints[number // size(nest.inner)]
        for variable in nest.variables:
            assert isinstance(variable.type, ArrayType)
            each = cast("tuple[int | None, ...]", values[variable])[number]
            piece = of_element(variable.name, [], variable.type.element, each, looks)
            if piece is not None and SHAPES.get(piece.shape, SHAPES["disc"]).layer == "ground":
                ground = ground or piece
            elif piece is not None:
                join_pieces(held, piece, looks.mark(variable.name), looks)
        places.append(replace(place, ground=ground, pieces=tuple(held)))
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
