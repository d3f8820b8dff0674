"""Rings on which each player runs from a start of its own, as in ludo, with its yard and its way home.

The rules count the squares that a player has gone, and a function or table says on which square of the ring they lie:
`def square(p: player, gone: 1..40) = (gone - 1 + 10*(p.number - 1)) mod 40 + 1`.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise, product, zip_longest
from typing import TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from ggp.display.drawn import MAX_PIECES
from ggp.display.lands import constants
from ggp.display.looks import Looks, indices_of, inner, is_player, meaning, short
from ggp.display.numbered import ring_of
from ggp.display.tracks import MAX_TRACK
from ggp.language import typed
from ggp.language.evaluation.scope import Scope
from ggp.language.typed.types import IntType, codes, scalar_text, size, type_text
from ggp.scene.scene import Board, Piece, Place

MIN_RING = 14
MAX_HOME = 8
"""Squares of a way home, and of a yard, at most."""
APART = 1.3
"""How far the middles of a yard lie outside those of the ring."""

Squares: TypeAlias = tuple[tuple[int, ...], ...]
"""For each player the square of the ring on which each number of squares gone lies."""


class Course(Struct, frozen=True):
    """A ring, yards and ways home.

    Attributes:
        variable: how far each player, or each of its pawns, has gone.
        low: its least value.
        ring: the numbers of the squares.
        board: with nothing on it.
        spots: for each element of the variable, the place of the board for each of its values, in order.
    """

    variable: typed.Variable
    low: int
    ring: IntType
    board: Board
    spots: tuple[tuple[int, ...], ...]


def courses_of(game: typed.Game, scope: Scope) -> Iterator[Course]:
    """Yield the courses of a game, one for each variable that counts squares of a ring from several starts."""
    rings = [*_rings(game, scope)]
    for variable in game.variables if rings else ():
        element = inner(variable.type)
        first, *pawns = indices_of(variable) or (None,)
        if not isinstance(element, IntType) or not is_player(first) or len(pawns) > 1 or variable.part:
            continue
        found = (_laid_out(variable, element, gone, ring, squares) for gone, ring, squares in rings)
        yield from [course for course in found if course is not None][:1]


def _rings(game: typed.Game, scope: Scope) -> Iterator[tuple[IntType, IntType, Squares]]:
    """Yield what counts from each player's own start: the numbers gone, those of the ring, and its squares.

    Numbers for which all players are at the same square are not on the ring.
    """
    for function in game.functions:
        takes, ring = [one.type for one in function.arguments], inner(function.type)
        if len(takes) != 2 or not isinstance(ring, IntType) or not any(map(is_player, takes)):
            continue
        gone = takes[is_player(takes[0])]
        if not isinstance(gone, IntType) or not MIN_RING <= size(gone) <= MAX_TRACK:
            continue
        pairs = product(codes(game.players), codes(gone))
        given = [pair if is_player(takes[0]) else pair[::-1] for pair in pairs]
        values = [*constants(function, scope, given).values()]
        rows = [values[at : at + size(gone)] for at in range(0, len(values), size(gone))]
        apart = [at for at, column in enumerate(zip(*rows, strict=True)) if len({*column}) > 1]
        if apart:
            low, high = apart[0], apart[-1]
            squares = cast("Squares", tuple(tuple(row[low : high + 1]) for row in rows))
            if all(None not in row for row in squares) and _is_ring(squares):
                yield IntType(gone.low + low, gone.low + high), ring, squares


def _is_ring(squares: Squares) -> bool:
    """Return whether all players go around the same squares, one by one, from several starts."""
    every = frozenset[int]().union(*squares)
    count = len(every)
    return (
        count >= MIN_RING
        and count % 2 == 0
        and max(every) - min(every) == count - 1
        and len({row[0] for row in squares}) > 1
        and all((other - one) % count == 1 for row in squares for one, other in pairwise(row))
        and all(len({*row}) >= count - 2 for row in squares)
    )


def _laid_out(
    variable: typed.Variable, element: IntType, gone: IntType, ring: IntType, squares: Squares
) -> Course | None:
    """Return a course, its yards outside the ring and its ways home inside; None: these find no room."""
    least, count = min(map(min, squares)), len(frozenset[int]().union(*squares))
    before, run = gone.low - element.low, min(size(gone), count)
    behind = element.high - gone.low - run + 1
    if before not in (0, 1) or not 0 <= behind <= MAX_HOME:
        return None
    pawns = math.prod(map(size, indices_of(variable)[1:]))
    at = [*ring_of(count)]
    spots, grounds, found = [*at], dict[int, int](), list[tuple[int, ...]]()
    for player, row in enumerate(squares):
        first, last = row[0] - least, row[run - 1] - least
        ahead, onward = at[(first + 1) % count] - at[first], at[(last + 1) % count] - at[last]
        own = [*(square - least for square in row[:run]), *range(len(spots), len(spots) + behind)]
        spots += [at[last] + (number + 1) * onward * 1j for number in range(behind)]
        grounds |= dict.fromkeys([first, *own[run:]], player)
        for pawn in range(pawns):
            if before:
                grounds[len(spots)] = player
                spots.append(at[first] + pawn * ahead - APART * ahead * 1j)
            found.append((*range(len(spots) - before, len(spots)), *own))
    if any(abs(one - other) < 0.99 for one, other in combinations(spots, 2)):
        return None
    left, top = min(spot.real for spot in spots) - 0.5, min(spot.imag for spot in spots) - 0.5
    right, bottom = max(spot.real for spot in spots) + 0.5, max(spot.imag for spot in spots) + 0.5
    names = [scalar_text(ring, least + place) for place in range(count)]
    places = [
        Place(
            name,
            type_text(ring),
            round(spot.real - left, 3),
            round(spot.imag - top, 3),
            "square",
            ground=Piece("ground", player=grounds[place]) if place in grounds else None,
            note=name,
        )
        for place, (spot, name) in enumerate(zip_longest(spots, names, fillvalue=""))
        if not isinstance(spot, str)
    ]
    board = Board(type_text(ring), "squares", round(right - left, 3), round(bottom - top, 3), tuple(places))
    return Course(variable, element.low, ring, board, tuple(found))


def pieces_of(course: Course, looks: Looks) -> list[Piece]:
    """Return what runs, for each element of the variable."""
    first, *pawns = indices_of(course.variable)
    return [
        replace(
            looks.piece("disc", "".join(short(scalar_text(*each), each[0]) for each in named), player),
            means=tuple(meaning(*each) for each in named),
        )
        for player, *rest in product(codes(first), *map(codes, pawns))
        for named in [list(zip(pawns, rest, strict=True))]
    ]


def filled_course(course: Course, value: typed.Value, looks: Looks) -> Board:
    """Return the board with what runs on it."""
    held: dict[int, list[Piece]] = defaultdict(list)
    for piece, spots, gone in zip(pieces_of(course, looks), course.spots, cast("tuple[int, ...]", value), strict=True):
        held[spots[gone - course.low]].append(piece)
    places = [replace(one, pieces=tuple(held[place][-MAX_PIECES:])) for place, one in enumerate(course.board.places)]
    return replace(course.board, places=tuple(places))
