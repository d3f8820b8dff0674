"""Maps: types whose members are joined, such as lands or towns, laid out as points, and lines or ways between them.

The distances on the picture come close to those along the lines.

Source: Gansner, Koren, North 2005, "Graph drawing by stress majorization", section 2.
"""

from __future__ import annotations

import cmath
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain, combinations, pairwise, permutations, product
from typing import TypeAlias, cast

from msgspec import Struct

from ggp.display.lands import constants
from ggp.display.point_lines import Line, lines_of, placed_in_lines
from ggp.language import typed
from ggp.language.evaluation.boards import stepped_cell
from ggp.language.evaluation.scope import Scope
from ggp.language.typed.types import (
    BOOL,
    DIRECTION,
    ArrayType,
    CellType,
    EnumType,
    IntType,
    ScalarType,
    SetType,
    codes,
    lowest,
    scalar_text,
    size,
    type_text,
)
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
SPACE = 1.4
"""Between points whose names say that they lie beside each other."""
PLACES = re.compile(
    "(?:(?P<ring>outer|inner)_)?(?P<up>north|top|upper|south|bottom|lower|[ns])?_?(?P<across>west|left|east|right|[we])?"
    "|cent(?:re|er)|middle|mid|[cm]"
)
"""Names that say where points lie, such as `ne`, `top_left` and `outer_south`."""
WEST_TO_EAST, NORTH_TO_SOUTH = {"w": -1, "l": -1, "e": 1, "r": 1}, {"n": -1, "t": -1, "u": -1, "s": 1, "b": 1, "l": 1}
SHORT, CORNERS, CLEAR = 2, ((-0.5, -0.44), (0.5, -0.44), (-0.5, 0.48), (0.5, 0.48)), math.radians(60)
"""Letters of names that may stand aside of their points; where they do; the angle to a line that is wide enough."""
STRAIGHT = 0.7
"""How much alike the directions of lines are, from 0 to 1, of a map that is turned until they are straight."""
POINT = 0.5
"""How much of a way lies under the points that it joins."""
MAX_OTHERS = 3
"""Tables that join the points of a map beside the first one."""
WAYS_APART = 0.3
"""Between ways that join the same points."""
LINKS = {
    "bridge", "bridges", "connected", "edge", "edges", "joined", "line", "lines", "link", "linked", "links", "rails",
    "road", "roads", "wires",
}  # fmt: skip
"""Words in the names of variables that say which cells are joined."""


Ends: TypeAlias = tuple[tuple[int, int], ...]
"""The two points that each way joins."""


Near: TypeAlias = tuple[frozenset[int], ...]
"""Which points are joined to each, by their places in their type."""


class Map(Struct, frozen=True):
    """Which points a map joins, types whose members are ways, with the ends of each, and straight lines of points.

    `others` are further tables that join its points, such as buses beside trains, by their names. `at` is where the
    points lie, in steps, where that is known.
    """

    near: Near
    ways: tuple[tuple[ScalarType, Ends], ...] = ()
    lines: tuple[Line, ...] = ()
    others: tuple[tuple[str, Near], ...] = ()
    at: tuple[complex, ...] = ()


def maps_of(game: typed.Game, scope: Scope) -> dict[ScalarType, Map]:
    """Return the types that are maps: a table, or a function that never changes, says who are the neighbours of each.

    Types whose members are ways, such as roads, each join two points of a map.
    """
    found: dict[ScalarType, Map] = {}
    told = {type_ for variable in game.variables for type_ in _told(variable)}
    for type_, near in chain(_by_tables(game), _by_functions(game, scope)):
        if (
            type_ in told
            and type_ not in found
            and size(type_) <= MAX_POINTS
            and not _joins_all(near)
            and is_point(type_)
        ):
            links = tuple(_other_links(game, type_, near))[:MAX_OTHERS]
            found[type_] = Map(near, lines=tuple(lines_of(game, type_, near)), others=links)
    others = (one for one in told - found.keys() if is_point(one) and size(one) <= MAX_POINTS)
    for type_ in sorted(others, key=type_text):
        lines = lines_of(game, type_, ())
        if {point for line in lines for point in line} == {*range(size(type_))}:
            found[type_] = Map(_joined_along(lines, size(type_)), lines=tuple(lines))
    ways: dict[ScalarType, dict[ScalarType, Ends]] = defaultdict(dict)
    for way, points, ends in _ways(game):
        if way in told and way not in found and size(points) <= MAX_POINTS:
            ways[points].setdefault(way, ends)
    for points, known in ways.items():
        # of several types, such as roads and the tickets between their ends, the largest is drawn
        largest = max(known.items(), key=lambda each: len(each[1]))
        alone = tuple(frozenset[int]() for _ in codes(points))
        known_map = found.get(points, Map(alone))
        found[points] = Map(known_map.near, (largest,), others=known_map.others)
    return found


def _other_links(game: typed.Game, map_: ScalarType, near: Near) -> Iterator[tuple[str, Near]]:
    """Yield the tables that join points of a map in other ways than what it is drawn by, there and back."""
    for table in game.tables:
        other = _near(table.type.indices, table.type.element, table.values)
        is_other = table.type.indices == (map_,) and other != near
        if is_other and other and any(other) and _is_symmetric(other) and not _joins_all(other):
            yield table.name.replace("_", " "), other


def _joined_along(lines: Iterable[Line], count: int) -> Near:
    """Return which points lie beside each other on lines: not those that cross all others, such as diagonals."""
    near: list[set[int]] = [set() for _ in range(count)]
    for one, other in (pair for line in lines for pair in pairwise(line)):
        near[one].add(other)
        near[other].add(one)
    return tuple(map(frozenset, near))


def webs_of(game: typed.Game, scope: Scope) -> dict[CellType, Near]:
    """Return the boards that are points with straight lines between them, such as those of alquerque and mills.

    What joins all cells in the same directions are the sides of squares, and no lines.
    """
    found: dict[CellType, Near] = {}
    for board, near in chain(_by_tables(game), _by_functions(game, scope)):
        if isinstance(board, CellType) and sum(map(len, near)) > sum(map(len, found.get(board, ()))):
            used = frozenset().union(*near)
            lines = {(cell, *_line(board, cell, other, used)) for cell, others in enumerate(near) for other in others}
            steps = {step for _, step, _ in lines}
            sides = {(cell, step, 1) for cell in used for step in steps if stepped_cell(board, cell, step, 1) in used}
            if lines != sides and all(length for _, _, length in lines):
                found[board] = near
    return found


def _line(board: CellType, cell: int, other: int, used: Set[int]) -> tuple[int, int]:
    """Return the direction and the length of a straight line between cells past no other one; 0: there is none."""
    for direction in codes(DIRECTION):
        for length in range(1, max(board.width, board.height)):
            passed = stepped_cell(board, cell, direction, length)
            if passed == other:
                return direction, length
            if passed is None or passed in used:
                break
    return 0, 0


def _by_tables(game: typed.Game) -> Iterator[tuple[ScalarType, Near]]:
    for table in game.tables:
        point, *more = table.type.indices
        near = _near(table.type.indices, table.type.element, table.values)
        if near and ((isinstance(point, EnumType) and not more) or _is_relation(table.type.indices, near)):
            yield point, near


def _by_functions(game: typed.Game, scope: Scope) -> Iterator[tuple[ScalarType, Near]]:
    for function in game.functions:
        types = [type_ for one in function.arguments if isinstance(type_ := one.type, ScalarType)]
        if len(types) == len(function.arguments) and types and size(types[0]) <= MAX_POINTS:
            values = constants(function, scope, product(*map(codes, types))) if _joins(types, function.type) else {}
            near = _near(types, function.type, tuple(values.values()))
            if near and _is_relation(types, near):
                yield types[0], near


def _joins(types: Sequence[ScalarType], kept: object) -> bool:
    """Return whether values of one of these types may join points: sets of them; of cells, directions, or pairs."""
    point, *more = types
    if isinstance(point, CellType):
        return kept in (SetType(point), SetType(DIRECTION)) if not more else more == [point] and kept == BOOL
    if more:
        return isinstance(point, EnumType) and more == [point] and kept == BOOL
    return is_point(point) and kept == SetType(point)


def _near(types: Sequence[ScalarType], kept: object, values: Sequence[typed.Value]) -> Near:
    """Return which points are joined to each, if such values join points."""
    point, *more = types
    if not values or not _joins(types, kept):
        return ()
    if more:
        wide = size(point)
        return tuple(frozenset(other for other in range(wide) if values[cell * wide + other]) for cell in range(wide))
    if kept == SetType(DIRECTION):
        assert isinstance(point, CellType)
        reached = (
            {stepped_cell(point, cell, step, 1) for step in cast("frozenset[int]", steps)}
            for cell, steps in enumerate(values)
        )
        return tuple(frozenset(one for one in cells if one is not None) for cells in reached)
    return tuple(frozenset(code - lowest(point) for code in cast("frozenset[int]", each)) for each in values)


def is_point(type_: object) -> bool:
    """Return whether members of a type can be points or ways: numbers, or what an enumeration lists."""
    """Return whether values of a type may be points of a map: of an enumeration, or numbers."""
    return isinstance(type_, IntType) or (isinstance(type_, EnumType) and type_.role == "enumeration")


def _is_relation(types: Sequence[ScalarType], near: Near) -> bool:
    """Return whether points are joined both ways; if a test of two members says so, not only in an order."""
    is_order = len(types) > 1 and isinstance(types[0], EnumType) and sum(map(len, near)) < 2 * len(near)
    return _is_symmetric(near) and not is_order


def _is_symmetric(near: Near) -> bool:
    return all(one in near[other] and one != other for one, others in enumerate(near) for other in others)


def _ways(game: typed.Game) -> Iterator[tuple[ScalarType, ScalarType, Ends]]:
    """Yield types whose members join two points each, with the type of the points and both ends of each.

    A table says so by a set of two, `ends[road]: set of town`, or for each of two numbers, two tables do, or the names:
    `paris_rome`.
    """
    single: dict[tuple[ScalarType, ScalarType], typed.Table] = {}
    for table in game.tables:
        element, (way, *more) = table.type.element, table.type.indices
        points = element.element if isinstance(element, SetType) else element
        if not isinstance(points, ScalarType) or not is_point(way) or not is_point(points) or way == points:
            continue
        pairs: Iterable[tuple[typed.Value, ...]] = ()
        if isinstance(element, SetType) and not more:
            pairs = [tuple(sorted(cast("frozenset[int]", value))) for value in table.values]
        elif element == points and [size(index) for index in more if isinstance(index, IntType)] == [2]:
            pairs = list(zip(table.values[::2], table.values[1::2], strict=True))
        elif element == points and not more and isinstance(points, EnumType):
            first = single.setdefault((way, points), table)
            pairs = list(zip(first.values, table.values, strict=True)) if first is not table else []
        if pairs and all(len(pair) == 2 and pair[0] != pair[1] for pair in pairs):
            yield way, points, cast("Ends", tuple(pairs))
    types = dict.fromkeys(type_ for variable in game.variables for type_ in _told(variable))
    types |= dict.fromkeys(type_ for table in game.tables for type_ in (*table.type.indices, _inner(table.type)))
    names = [type_ for type_ in types if isinstance(type_, EnumType) and type_.role == "enumeration"]
    for way, points in permutations(names, 2):
        named = {
            join.join((points.members[one], points.members[other])): (one, other)
            for join in ("_", "", "_to_")
            for one, other in permutations(range(len(points.members)), 2)
        }
        if len(way.members) > 1 and all(member in named for member in way.members):
            yield way, points, tuple(named[member] for member in way.members)


def links_of(game: typed.Game, board: CellType) -> Iterator[typed.Variable]:
    """Yield the variables that join cells of a board, such as `links[cell]: set of cell`: drawn as lines."""
    for variable in game.variables:
        if variable.type == ArrayType((board,), SetType(board)) and LINKS & set(variable.name.lower().split("_")):
            yield variable


def _joins_all(near: Sequence[frozenset[int]]) -> bool:
    """Return whether every two members are joined: an order, such as that of cards, and no map; or none are."""
    return not any(near) or all(b in near[a] or a in near[b] for a in range(len(near)) for b in range(a))


def _told(variable: typed.Variable) -> Iterator[ScalarType]:
    """Yield the types of which a variable tells something."""
    yield from variable.type.indices if isinstance(variable.type, ArrayType) else ()
    yield _inner(variable.type)


def _inner(type_: object) -> ScalarType:
    inside = getattr(type_, "element", None) or getattr(type_, "inner", None)
    return type_ if inside is None else _inner(inside)  # type: ignore[return-value]


def empty_map(map_: ScalarType, drawn: Map) -> Board:
    """Return the board of a map with nothing on it: its points, and then its ways."""
    low, between = lowest(map_), defaultdict[tuple[int, int], list[tuple[ScalarType, int]]](list)
    for way, ends in drawn.ways:
        for code, (one, other) in zip(codes(way), ends, strict=True):
            between[min(one, other) - low, max(one, other) - low].append((way, code))
    near = [(one, other) for one, others in enumerate(drawn.near) for other in others if one != other]
    pairs = {(min(pair), max(pair)) for pair in near}
    joined = pairs | between.keys()
    in_lines = drawn.at or placed_in_lines(size(map_), drawn.lines)
    names = [scalar_text(map_, code) for code in codes(map_)]
    points = (
        (not drawn.at and _placed_by_names(names, joined))
        or (_clear(in_lines, joined) if in_lines else [])
        or _laid_out(
            [frozenset(pair[1 - pair.index(one)] for pair in joined if one in pair) for one in range(size(map_))]
        )
    )
    if isinstance(map_, IntType):  # numbers begin at the top on the left
        (right, bottom), (x, y) = (tuple(max(one[axis] for one in points) + MARGIN for axis in (0, 1)), points[0])
        points = [(right - a if 2 * x > right else a, bottom - b if 2 * y > bottom else b) for a, b in points]
    places = [
        Place(scalar_text(map_, code), type_text(map_), x, y, "point")
        for code, (x, y) in zip(codes(map_), points, strict=True)
    ]
    ways = {}
    for pair, beside in between.items():
        (x1, y1), (x2, y2) = (points[one] for one in pair)
        long = math.hypot(x2 - x1, y2 - y1)
        half = max(0.2, long / 2 - POINT) / long
        for number, (way, code) in enumerate(beside):
            aside = (number - (len(beside) - 1) / 2) * WAYS_APART / long
            at = (
                (x1 + x2) / 2 - (y2 - y1) * aside,
                (y1 + y2) / 2 + (x2 - x1) * aside,
                (x2 - x1) * half,
                (y2 - y1) * half,
            )
            x, y, east, south = (round(one, 3) for one in at)
            ways[way, code] = Place(scalar_text(way, code), type_text(way), x, y, "way", along=(east, south))
    places += [ways[way, code] for way, _ in drawn.ways for code in codes(way)]
    lines = tuple((*points[one], *points[other]) for one, other in sorted(pairs - between.keys()))
    links = tuple(
        (name, tuple((*points[one], *points[to]) for one, ends in enumerate(other) for to in sorted(ends) if one < to))
        for name, other in drawn.others
    )
    axes = []
    for one, (x, y) in enumerate(points):  # the name stands where there are no lines
        others = [points[pair[1 - pair.index(one)]] for pair in joined if one in pair]
        name = places[one].name.replace("_", " ")
        spots = ((0.0, 0.62), (0.0, -0.6), *(CORNERS if len(name) <= SHORT else ()))
        lines_to = [math.atan2(b - y, a - x) for a, b in others]
        at = max(
            spots, key=lambda spot: min((_apart_by(math.atan2(spot[1], spot[0]), to) for to in lines_to), default=0)
        )
        axes.append(Axis(name, x + at[0], y + at[1]))
    width, height = (max(point[axis] for point in points) + MARGIN for axis in (0, 1))
    return Board(type_text(map_), "graph", width, height, tuple(places), lines, tuple(axes), other_lines=links)


def _apart_by(one: float, other: float) -> float:
    """Return the angle between two directions, of wide ones that they are wide."""
    return min(CLEAR, abs((one - other + math.pi) % (2 * math.pi) - math.pi))


def _placed_by_names(names: Sequence[str], joined: Iterable[tuple[int, int]]) -> list[tuple[float, float]]:
    """Return where points are that are called as on a board, `d7`, or by where they lie, `outer_northwest`.

    Empty if some are not, or if two would lie on each other.
    """
    at = [_place_by_name(name) for name in names]
    placed = [one for one in at if one is not None]
    return _clear(placed, joined) if len(placed) == len(names) and len(set(placed)) == len(placed) else []


def _clear(placed: Sequence[complex], joined: Iterable[tuple[int, int]]) -> list[tuple[float, float]]:
    """Return where points lie that have been placed in steps; empty if one lies on a line between others."""
    for one, other in joined:
        way = placed[other] - placed[one]
        for passed in placed:
            along = (passed - placed[one]) / way
            if 0 < along.real < 1 and abs(along.imag) * abs(way) < POINT:
                return []
    left, top = min(point.real for point in placed), min(point.imag for point in placed)
    return [
        (round((point.real - left) * SPACE + MARGIN, 3), round((point.imag - top) * SPACE + MARGIN, 3))
        for point in placed
    ]


def _place_by_name(name: str) -> complex | None:
    """Return where a point lies as its name says, in steps to the east, and to the south."""
    if len(name) > 1 and name[0].isalpha() and name[1:].isdecimal():
        return complex(ord(name[0]), -int(name[1:]))
    found = PLACES.fullmatch(name.lower())
    if found is None:
        return None
    across, down = WEST_TO_EAST.get((found["across"] or "c")[0], 0), NORTH_TO_SOUTH.get((found["up"] or "c")[0], 0)
    return complex(across, down) * (2 if found["ring"] == "outer" else 1)


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
    ways = [at[other] - at[one] for one, others in enumerate(near) for other in others]
    for fold in (4, 6):  # of squares, of hexagons: lines in most of these directions become straight ones
        mean = sum((way / abs(way)) ** fold for way in ways) / max(1, len(ways))
        if abs(mean) > STRAIGHT:
            at = [point * cmath.exp(-1j * cmath.phase(mean) / fold) for point in at]
            break
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
