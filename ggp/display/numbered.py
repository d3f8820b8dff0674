"""Places that the rules only number: in a ring or a row, in columns, and boxes with numbered sides."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import cast

from ggp.display.graphs import Map, empty_map, is_point
from ggp.display.lands import constants
from ggp.display.looks import indices_of, inner, is_player
from ggp.display.tracks import MIN_TRACK
from ggp.display.values import components
from ggp.language import typed
from ggp.language.evaluation.scope import Scope
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
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
from ggp.language.typed.walk import nodes_of, walk_through
from ggp.scene.scene import Axis, Board, Place

MIN_PLACES, MAX_PLACES = 5, 64
ABREAST = 10
"""Places in a row; of more there are several rows, to and fro."""
NEAR = 0.82
"""From one place to the next, in steps between the points of maps."""
ROUND = 12
"""Places of a ring that is drawn as a circle; one of more is a square."""
OF_PLACES = {"cell", "field", "place", "point", "position", "site", "space", "spot", "square"}
"""What types of pairs are called that are the squares of a board."""
SIDES = 4
MAX_SIDE_FUNCTIONS = 7
"""Functions of a box of which four are looked for that say which its sides are."""


def boxes_of(game: typed.Game, scope: Scope) -> Iterator[tuple[ScalarType, ScalarType, Board]]:
    """Yield types whose members have four sides each, as tables or functions say, with the type of the sides.

    Boxes beside each other share a side: so their numbers differ by one, or by how many there are in a row.
    """
    chosen = {part.type for part in components(game)}
    for side in sorted(filter(is_point, chosen), key=type_text):
        for box, sides in _sides_by_box(game, scope, side):
            board = _boxes(box, side, sides)
            if board is not None:
                yield box, side, board
                break


def _sides_by_box(
    game: typed.Game, scope: Scope, side: ScalarType
) -> Iterator[tuple[ScalarType, Sequence[frozenset[int]]]]:
    """Yield what may be boxes, with the numbers of their sides, from 0."""
    told: dict[ScalarType, list[tuple[int, ...]]] = defaultdict(list)
    for table in game.tables:
        box, *more = table.type.indices
        if table.type.element == SetType(side) and not more:
            yield box, _from_zero(table.values, side)
        elif table.type.element == side and [size(one) for one in more] == [SIDES]:
            rows = (table.values[at : at + SIDES] for at in range(0, len(table.values), SIDES))
            yield box, _from_zero([frozenset(cast("tuple[int, ...]", row)) for row in rows], side)
        elif table.type.element == side and not more:
            told[box].append(cast("tuple[int, ...]", table.values))
    for function in game.functions:
        takes = [argument.type for argument in function.arguments]
        if len(takes) != 1 or not is_point(takes[0]):
            continue
        box = cast("ScalarType", takes[0])
        if function.type == SetType(side) or type(function.type) is type(side):
            values = tuple(constants(function, scope, zip(codes(box))).values())
            if values and isinstance(values[0], frozenset):
                yield box, _from_zero(values, side)
            elif values and {*values} <= {*codes(side)}:
                told[box].append(cast("tuple[int, ...]", values))
    for box, columns in told.items():
        for four in combinations(columns[:MAX_SIDE_FUNCTIONS], SIDES):
            yield box, _from_zero([frozenset(row) for row in zip(*four, strict=True)], side)


def _from_zero(values: Sequence[typed.Value], side: ScalarType) -> list[frozenset[int]]:
    return [frozenset(code - lowest(side) for code in cast("frozenset[int]", each)) for each in values]


def _boxes(box: ScalarType, side: ScalarType, sides: Sequence[frozenset[int]]) -> Board | None:
    """Return the board of boxes and their sides; None: these do not lie in rows."""
    count = len(sides)
    if any(len(each) != SIDES for each in sides) or frozenset[int]().union(*sides) != {*range(size(side))}:
        return None
    shared = {pair: sides[pair[0]] & sides[pair[1]] for pair in combinations(range(count), 2)}
    joined = {pair: each for pair, each in shared.items() if each}
    if not joined:
        return None
    wide = max(other - one for one, other in joined)
    wide = count if wide == 1 else wide
    beside = {
        (one, other)
        for one in range(count)
        for other in (one + 1, one + wide)
        if other < count and (other - one == wide or other % wide)
    }
    if joined.keys() != beside or any(len(each) > 1 for each in joined.values()) or count % wide:
        return None
    at: dict[int, tuple[float, float, str]] = {}
    for (one, other), (number,) in joined.items():
        x, y = one % wide, one // wide
        at[number] = (x + 0.5, y + 1, "flat") if other - one == wide and wide > 1 else (x + 1, y + 0.5, "upright")
    for one, each in enumerate(sides):
        x, y = one % wide, one // wide
        spots = ((x + 0.5, y, "flat"), (x + 0.5, y + 1, "flat"), (x, y + 0.5, "upright"), (x + 1, y + 0.5, "upright"))
        free = [spot for spot in spots if spot not in at.values()]
        at |= dict(zip(sorted(each - at.keys()), free, strict=True))
    boxes = [
        Place(scalar_text(box, code), type_text(box), place % wide + 0.5, place // wide + 0.5, "square")
        for place, code in enumerate(codes(box))
    ]
    edges = [
        Place(scalar_text(side, code), type_text(side), *at[number][:2], at[number][2])
        for number, code in enumerate(codes(side))
    ]
    return Board(type_text(box), "squares", wide, count // wide, (*boxes, *edges))


def grids_of(game: typed.Game) -> Iterator[tuple[EnumType, Board]]:
    """Yield pairs that are the squares of a board, `square = file of rank`; the second part is upwards."""
    told = {one for variable in game.variables for one in (*indices_of(variable), inner(variable.type))}
    for type_ in sorted((one for one in told if isinstance(one, EnumType)), key=type_text):
        pairs = [member.split("_of_") for member in type_.members]
        if type_.name not in OF_PLACES or any(len(pair) != 2 for pair in pairs):
            continue
        columns, rows = (list(dict.fromkeys(each)) for each in zip(*pairs, strict=True))
        across, down = [place + 0.5 for place in range(len(columns))], [len(rows) - at - 0.5 for at in range(len(rows))]
        places = [
            Place(name, type_text(type_), across[columns.index(column)], down[rows.index(row)], "square")
            for name, (column, row) in zip(type_.members, pairs, strict=True)
        ]
        axes = [Axis(text, x, len(rows) + 0.24) for text, x in zip(columns, across, strict=True)]
        axes += [Axis(text, -0.28, y) for text, y in zip(rows, down, strict=True)]
        yield type_, Board(type_text(type_), "squares", len(columns), len(rows), tuple(places), axes=tuple(axes))


def rows_of(
    game: typed.Game, known: Collection[ScalarType], tracks: Collection[ScalarType]
) -> Iterator[tuple[IntType, Board]]:
    """Yield the numbers of places on which things stand, with their board.

    They lie in a ring where the rules count around it, `(place + 3) mod 28`, in columns where these are worked out by
    the same, and else in a row.

    Args:
        game: whose variables tell of them.
        known: types that are drawn otherwise.
        tracks: types that are drawn as tracks where they are no ring.
    """
    chosen = {part.type for part in components(game)}
    told = {inner(one.type) for one in game.variables} | chosen
    for type_ in sorted((one for one in told if isinstance(one, IntType)), key=type_text):
        if not MIN_PLACES <= size(type_) <= MAX_PLACES or type_ in known:
            continue
        columns = _columns(game, type_)
        is_ring = columns == size(type_) >= MIN_TRACK
        counted = (
            getattr(one.type, "element", None) for one in game.variables if indices_of(one) == (type_,) and not one.part
        )
        is_race = not columns and any(isinstance(one, IntType) for one in counted)  # how many stand there, and whose
        if not is_ring and (type_ not in chosen or type_ in tracks or is_race):
            continue
        if any(
            _stands(variable, type_, counts=columns > 0 and type_ in chosen, is_ring=is_ring)
            for variable in game.variables
        ):
            yield type_, _board(type_, columns)


def _stands(variable: typed.Variable, type_: IntType, *, counts: bool, is_ring: bool) -> bool:
    """Return whether a variable says whose, or which thing, stands on places, or where on a ring somebody is.

    If the rules count the places, numbers are things, too, and so is a set of them.
    """
    indices = indices_of(variable)
    kept = inner(variable.type)
    if variable.is_kept or not indices:
        return not variable.is_kept and counts and variable.type == SetType(type_)
    if kept == type_ and is_ring:
        return is_player(indices[0]) and len(indices) == 1
    is_tower = variable.part == "items"
    if indices[0] != type_ or len(indices) != 1 + is_tower:
        return False
    assert isinstance(variable.type, ArrayType)
    is_thing = is_tower or is_player(kept) or isinstance(variable.type.element, OptionType)
    return (isinstance(kept, EnumType) and is_thing) or (counts and isinstance(kept, EnumType | IntType | BoolType))


def _columns(game: typed.Game, type_: IntType) -> int:
    """Return how many places the rules count until they begin again; that of all is a ring, 0: they do not."""
    found = []
    for node in nodes_of(game.functions, game.phases):
        if (
            isinstance(node, typed.Binary)
            and node.operator in ("mod", "div")
            and isinstance(node.right, typed.Constant)
        ):
            by = node.right.value
            reads = any(getattr(part, "type", None) == type_ for part in walk_through(node.left))
            if reads and isinstance(by, int) and 1 < by <= size(type_) and not size(type_) % by:
                found.append(by)
    return min(found, default=0)


def _board(type_: IntType, columns: int) -> Board:
    count = size(type_)
    if columns == count:
        near = tuple(frozenset({(one + 1) % count, (one - 1) % count}) for one in range(count))
        return empty_map(type_, Map(near, at=tuple(NEAR * at for at in ring_of(count))))
    if columns:
        places = [
            Place(
                text := scalar_text(type_, code),
                type_text(type_),
                place % columns + 0.5,
                place // columns + 0.5,
                "square",
                note=text,
            )
            for place, code in enumerate(codes(type_))
        ]
        return Board(type_text(type_), "squares", columns, count // columns, tuple(places))
    near = tuple(frozenset({one + 1, one - 1} & {*range(count)}) for one in range(count))
    wide = math.ceil(count / math.ceil(count / ABREAST))
    rows = (divmod(one, wide) for one in range(count))
    at = (NEAR * complex(wide - 1 - x if y % 2 else x, y) for y, x in rows)
    return empty_map(type_, Map(near, at=tuple(at)))


def ring_of(count: int) -> Iterator[complex]:
    """Yield where the places of a ring lie, in steps, from the top on the left, or from the top."""
    if count <= ROUND or count % 2:
        radius = 0.5 / math.sin(math.pi / count)
        for one in range(count):
            angle = 2 * math.pi * one / count - math.pi / 2
            yield complex(round(radius * math.cos(angle), 3), round(radius * math.sin(angle), 3))
        return
    wide = count // 4 + 1
    high = count // 2 + 2 - wide
    yield from (complex(x, 0) for x in range(wide))
    yield from (complex(wide - 1, y) for y in range(1, high))
    yield from (complex(x, high - 1) for x in reversed(range(wide - 1)))
    yield from (complex(0, y) for y in reversed(range(1, high - 1)))
