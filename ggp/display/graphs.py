"""Maps: types whose members a table joins to their neighbours, such as lands or towns, laid out as points and lines.

The distances on the picture come close to those along the lines.

Source: Gansner, Koren, North 2005, "Graph drawing by stress majorization", section 2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import cast

from ggp.language import typed
from ggp.language.typed.types import ArrayType, CellType, EnumType, SetType, codes, scalar_text
from ggp.scene.scene import Axis, Board, Place

MAX_POINTS = 60
SWEEPS = 120
STARTS = 4
"""Orders around a circle that layouts begin with, until one has no points on each other."""
APART = 1.2
"""Least distance of two points, in units of a square's side."""
EDGE = 1.9
"""Length of a line, in units of a square's side, where all can have the same."""
MARGIN = 0.8
LINKS = {
    "bridge", "bridges", "connected", "edge", "edges", "joined", "line", "lines", "link", "linked", "links", "rails",
    "road", "roads", "wires",
}  # fmt: skip
"""Words in the names of variables that say which cells are joined."""


def maps_of(game: typed.Game) -> Iterator[tuple[EnumType, typed.Table]]:
    """Yield the types that are maps, with the tables of their neighbours; of several tables of a type the first."""
    found = set()
    for table in game.tables:
        element, (index, *more) = table.type.element, table.type.indices
        if not isinstance(index, EnumType) or index.role != "enumeration" or more or element != SetType(index):
            continue
        if _joins_all(table):
            continue
        if index not in found and any(_tells(variable, index) for variable in game.variables):
            found.add(index)
            if len(index.members) <= MAX_POINTS:
                yield index, table


def links_of(game: typed.Game, board: CellType) -> Iterator[typed.Variable]:
    """Yield the variables that join cells of a board, such as `links[cell]: set of cell`: drawn as lines."""
    for variable in game.variables:
        if variable.type == ArrayType((board,), SetType(board)) and LINKS & set(variable.name.lower().split("_")):
            yield variable


def _joins_all(table: typed.Table) -> bool:
    """Return whether every two members are joined: an order, such as that of cards, and no map."""
    near = [cast("frozenset[int]", value) for value in table.values]
    return all(b in near[a] or a in near[b] for a in range(len(near)) for b in range(a))


def _tells(variable: typed.Variable, map_: EnumType) -> bool:
    indices = variable.type.indices if isinstance(variable.type, ArrayType) else ()
    element: object = variable.type
    while not isinstance(element, EnumType) and element is not None:
        element = getattr(element, "element", None) or getattr(element, "inner", None)
    return map_ in (*indices, element)


def empty_map(map_: EnumType, table: typed.Table) -> Board:
    """Return the board of a map with nothing on it."""
    near = [cast("frozenset[int]", value) for value in table.values]
    points = _laid_out(near)
    places = tuple(
        Place(scalar_text(map_, code), map_.name, x, y, "point")
        for code, (x, y) in zip(codes(map_), points, strict=True)
    )
    pairs = {(min(one, other), max(one, other)) for one, others in enumerate(near) for other in others if one != other}
    lines = tuple((*points[one], *points[other]) for one, other in sorted(pairs))
    axes = tuple(Axis(place.name.replace("_", " "), place.x, place.y + 0.62) for place in places)
    width, height = (max(point[axis] for point in points) + MARGIN for axis in (0, 1))
    return Board(map_.name, "graph", width, height, places, lines, axes)


def _laid_out(near: Sequence[frozenset[int]]) -> list[tuple[float, float]]:
    """Return where the points are drawn, the widest side lying."""
    count = len(near)
    far = _distances(near)
    steps = [step for step in range(1, count) if math.gcd(step, count) == 1][:STARTS] or [1]
    found = []
    for step in steps:
        at = _relaxed(far, step)
        found.append((min((abs(one - other) for one, other in combinations(at, 2)), default=APART), at))
        if found[-1][0] >= APART:
            break
    _, at = max(found, key=lambda one: one[0])
    at = _apart(at)
    middle = sum(at) / count
    spread = sum((point - middle) ** 2 for point in at)
    turn = complex(math.cos(-_angle(spread) / 2), math.sin(-_angle(spread) / 2))
    at = [(point - middle) * turn for point in at]
    left, top = min(point.real for point in at), min(point.imag for point in at)
    return [(round(point.real - left + MARGIN, 3), round(point.imag - top + MARGIN, 3)) for point in at]


def _apart(at: list[complex]) -> list[complex]:
    """Push points that lie on each other apart."""
    at = list(at)
    for _ in range(SWEEPS):
        close = [(one, other) for one, other in combinations(range(len(at)), 2) if abs(at[one] - at[other]) < APART]
        for one, other in close:
            way = at[one] - at[other]
            push = (APART + 0.01 - abs(way)) / 2 * way / abs(way) if abs(way) > 0 else complex(one + 1, other) / 100
            at[one] += push
            at[other] -= push
        if not close:
            break
    return at


def _relaxed(far: Sequence[Sequence[float]], step: int) -> list[complex]:
    """Return points as far apart as along the lines, about, from a circle on which they are `step` places apart."""
    count = len(far)
    angles = [2 * math.pi * (k * step % count) / count for k in range(count)]
    at = [complex(math.cos(angle), math.sin(angle)) for angle in angles]
    for _ in range(SWEEPS):
        for one in range(count):
            total, pull = 0.0, 0j
            for other in range(count):
                if other != one:
                    weight, apart = far[one][other] ** -2, at[one] - at[other]
                    pull += weight * (at[other] + far[one][other] * EDGE * apart / (abs(apart) or 1.0))
                    total += weight
            at[one] = pull / (total or 1.0)
    return at


def _angle(spread: complex) -> float:
    return math.atan2(spread.imag, spread.real)


def _distances(near: Sequence[frozenset[int]]) -> list[list[float]]:
    """Return the number of lines between any two points, either way; a little more where there is no way."""
    count = len(near)
    both = [{other for other in range(count) if other in near[one] or one in near[other]} for one in range(count)]
    found = []
    for begin in range(count):
        distance, front = {begin: 0}, [begin]
        while front:
            front = [b for b in {b for a in front for b in both[a]} if b not in distance] or []
            step = max(distance.values()) + 1
            distance.update((b, step) for b in front)
        found.append([float(distance.get(other, max(distance.values()) + 2)) for other in range(count)])
    return found
