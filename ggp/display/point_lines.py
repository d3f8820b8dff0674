"""Straight lines of points that tables list, such as mills, rows to complete and jumps: where their points lie."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import combinations, islice, pairwise, permutations, product
from typing import TypeAlias, cast

from ggp.language import typed
from ggp.language.typed.types import CellType, ScalarType, SetType, lowest, size, type_text

Line: TypeAlias = tuple[int, ...]
"""Points in their order along a line, by their places in their type."""

LEAST = 3
"""Points of a line."""
MAX_POLES, SWEEPS, MAX_WAYS = 40, 60, 6


def lines_of(game: typed.Game, points: ScalarType, near: Sequence[Set[int]]) -> list[Line]:
    """Return the lines of points that a table lists as sets or in a row each, or several tables together.

    These are `mill[1..16]: set of point`, `jump[1..18, 1..3]: hole` and `from[jump]`, `over[jump]`, `into[jump]`.
    Those that have two points in common are one. The order of points comes from those that are `near`, or, without
    these, from the one in which they are listed.
    """
    listed, low = [], lowest(points)
    together = defaultdict[ScalarType, list[typed.Table]](list)
    for table in game.tables:
        element, indices = table.type.element, table.type.indices
        if element == points and table.name == type_text(points):
            continue  # what makes a pair of its parts, `card(2, orange)`
        if element == SetType(points) and points not in indices:
            sets = [sorted(cast("frozenset[int]", value)) for value in table.values]
            listed += [row for row in sets if len(row) >= LEAST]
        elif element == points and len(indices) == 2 and points not in indices:
            wide = size(indices[1])
            listed += [list(table.values[at : at + wide]) for at in range(0, len(table.values), wide)]  # type: ignore[arg-type]
        elif element == points and len(indices) == 1 and indices[0] != points:
            together[indices[0]].append(table)
    for tables in together.values():
        if len(tables) == LEAST:
            listed += _in_order([cast("Line", one.values) for one in tables])
    lines = [tuple(point - low for point in row) for row in listed if LEAST <= len({*row}) == len(row)]
    pairs = {frozenset(pair) for line in lines for pair in pairwise(line)}
    joined = (
        [{*others} for others in near]
        if any(near)
        else [{other for pair in pairs if point in pair for other in pair - {point}} for point in range(size(points))]
    )
    found = [line for points in _merged(lines) if (line := _path(points, joined))]
    on = Counter(point for line in found for point in line)
    # what joins points of two lines may be part of another way
    more = ((one, other) for one, others in enumerate(near) for other in sorted(others) if one < other)
    between = [
        pair for pair in more if on[pair[0]] == on[pair[1]] == 1 and not any({*pair} <= {*each} for each in found)
    ]
    return [*found, *between] if found else []


def _in_order(columns: Sequence[Line]) -> Iterator[list[int]]:
    """Yield the rows of three columns, that in the middle which is beside both others: fewest pairs are joined then."""

    def joined(order: Sequence[Line]) -> int:
        return len({frozenset(pair) for row in zip(*order, strict=True) for pair in pairwise(row)})

    yield from map(list, zip(*min(permutations(columns), key=joined), strict=True))


def _merged(lines: Iterable[Line]) -> list[frozenset[int]]:
    """Return the points of lines; those that share two points are one."""
    found: list[frozenset[int]] = []
    for line in lines:
        whole = frozenset(line)
        while True:
            same = [one for one in found if len(one & whole) > 1]
            if not same:
                break
            found = [one for one in found if one not in same]
            whole = whole.union(*same)
        found.append(whole)
    return found


def _path(points: Set[int], near: Sequence[Set[int]]) -> Line:
    """Return points in the order in which each is near the next, the lowest end first; empty: they are no path."""
    ends = [one for one in sorted(points) if len(near[one] & points) == 1]
    path = ends[:1]
    while path and len(path) < len(points):
        following = (near[path[-1]] & points) - {*path}
        if len(following) != 1:
            return ()
        path += following
    return tuple(path) if len(ends) == 2 else ()


def placed_in_lines(count: int, lines: Sequence[Line]) -> list[complex]:
    """Return where points lie of which each is on one line from west to east, and one from north to south.

    Other lines, such as diagonals, may lie anyhow. Empty: there is no such way, or not without points on each other.
    """
    flat, upright = _two_ways(lines)
    across = {point: number for number, line in enumerate(flat) for point in line}
    along = {point: number for number, line in enumerate(upright) for point in line}
    if not len(across) == len(along) == count or sum(map(len, flat)) + sum(map(len, upright)) > 2 * count:
        return []
    east = islice(_levels(len(upright), [[along[point] for point in line] for line in flat]), MAX_WAYS)
    south = islice(_levels(len(flat), [[across[point] for point in line] for line in upright]), MAX_WAYS)
    ways = (
        [complex(columns[along[point]], rows[across[point]]) for point in range(count)]
        for columns, rows in product(east, south)
    )
    clear = (at for at in ways if len({*at}) == count)
    return min(clear, key=lambda at: _crossings(at, flat, upright), default=[])


def _crossings(at: Sequence[complex], flat: Sequence[Line], upright: Sequence[Line]) -> int:
    """Return how many lines from west to east cross lines from north to south beside their points."""

    def is_within(one: float, first: float, last: float) -> bool:
        return min(first, last) <= one <= max(first, last)

    return sum(
        is_within(at[up[0]].real, at[row[0]].real, at[row[-1]].real)
        and is_within(at[row[0]].imag, at[up[0]].imag, at[up[-1]].imag)
        for row, up in product(flat, upright)
        if not {*row} & {*up}
    )


def _two_ways(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Return lines that run one way, and those that cross them; what crosses both, as diagonals do, is in neither.

    The first ones are those along which the points are counted.
    """
    meets = {one: [other for other in lines if other != one and {*one} & {*other}] for one in lines}
    rest = sorted(lines, key=lambda line: len(meets[line]))
    ways: tuple[list[Line], list[Line]] = ([], [])
    while rest:
        line = next((line for line in rest if any(other in meets[line] for way in ways for other in way)), rest[0])
        rest.remove(line)
        free = [way for way in ways if not any(other in meets[line] for other in way)]
        if free:
            free[0].append(line)
    first, second = sorted(ways, key=lambda way: sum(abs(b - a) for line in way for a, b in pairwise(line)))
    return sorted(first, key=min), sorted(second, key=min)


def _levels(count: int, rows: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield ways to lay out several lines: how far each lies from one side, so that all rows lead one way.

    Between two of them, the poles, each lies in the middle of those beside it; then all rows rise or fall. This is
    Tutte's drawing of a planar graph, in one dimension.

    Source: Tutte 1963, "How to draw a graph".
    """
    beside: list[set[int]] = [set() for _ in range(count)]
    for one, other in (pair for row in rows for pair in pairwise(row)):
        beside[one].add(other)
        beside[other].add(one)
    for first, last in islice(combinations(range(count), 2), MAX_POLES):
        at = [0.0] * count
        at[first], at[last] = -1.0, 1.0
        for _ in range(SWEEPS):
            for one in range(count):
                if one not in (first, last) and beside[one]:
                    at[one] = sum(at[other] for other in beside[one]) / len(beside[one])
        ways = [row if at[row[0]] < at[row[-1]] else row[::-1] for row in rows]
        if all(at[other] - at[one] > 1e-3 for row in ways for one, other in pairwise(row)):
            levels = [0] * count
            for one in sorted(range(count), key=at.__getitem__):
                before = [a for row in ways for a, b in pairwise(row) if b == one]
                levels[one] = max((levels[a] + 1 for a in before), default=0)
            yield levels


def routes_of(game: typed.Game, board: CellType) -> Iterator[tuple[int, int]]:
    """Yield the pairs of cells that lie beside each other on a way over the board that a table lists, cell by cell.

    Most steps of such a way lead to a neighbour, `loop[1..24]: cell`, `route[player, step]: cell`, and some to nowhere.
    """
    for table in game.tables:
        last = table.type.indices[-1]
        if table.type.element != board or isinstance(last, CellType) or size(last) < 2 * LEAST or "." in table.name:
            continue  # `road.hex` is no way, but the cell of each pair
        rows = [cast("Line", table.values[at : at + size(last)]) for at in range(0, len(table.values), size(last))]
        steps = [step for row in rows for step in pairwise(row) if step[0] != step[1]]
        strides = [_stride(board, *step) for step in steps]
        if 3 * sum(max(stride) == 1 for stride in strides) >= 2 * len(steps):
            yield from steps
            yield from ((row[-1], row[0]) for row in rows if _stride(board, row[-1], row[0]) in strides)  # a loop


def _stride(board: CellType, one: int, other: int) -> tuple[int, ...]:
    """Return how far apart two cells lie, the shorter way first."""
    pairs = zip(divmod(one, board.width), divmod(other, board.width), strict=True)
    return tuple(sorted(abs(a - b) for a, b in pairs))
