"""Sites and tuples of a game, drawn by chance from its declarations: what a learned evaluation looks at.

Sets over the same board, or over the same cards, lie in layers: a layer has a code for each cell, which says which of
the disjoint sets it is in. Layers with few codes become one. On a layer stand

- single cells, and random walks from cell to neighbour: their weights are shared by all cells that the symmetries of
  the game carry into each other,
- lines and squares of cells, whose weights are shared by all places of the board,
- and the number of elements of each set.

Numbers have a weight for each value, or group of values; neighbours in an array, and numbers that stand alone, have
tuples of two or three, in which large values are rounded. Of the numbers of a row there are the sum and the sum of
each times its place, of a set of whole numbers the least and the greatest: how many are left, how far they are, and
whether they have passed each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ggp.arithmetic.rng import below, seed_word
from ggp.codegen.kernels import I64
from ggp.language.typed.types import DIRECTIONS, CellType, IntType, lowest
from players.learning.declarations import Declarations, Number, Plane, is_player
from players.learning.symmetries import Rows, Symmetry

MAX_CODES = 6
"""Of layers that become one."""
MAX_WEIGHTS = 8192
"""Of the table of a walk."""
MAX_SHARED_WEIGHTS = 2500
"""Of the table of a line, or a square."""
LONGEST_WALK, LONGEST_LINE, SQUARE = 8, 5, 4
DENSITY = 6.0
"""How many random walks go through a cell."""
MAX_TRIES = 10_000
"""Walks that are begun; some come to an end where nothing ever stands."""
FEW_CODES = 7
"""Layers with more have no walks, whose weights are met too seldom; those of lines are shared by the whole board."""
MAX_VALUES = 64
"""A number of more values has groups of them."""
GROUPS = (0, 1, 2, 3, 4, 6, 9, 14)
"""Where the groups begin by which values are rounded in tuples of several numbers."""
MAX_PAIR_WEIGHTS = 4096
MAX_ALONE = 12
"""Numbers that stand alone and are taken in pairs."""
MAX_COUNT = 255
LEAST_ROW = 3
"""Numbers of which there are sums."""
BEYOND, MAX_SUM = 1.5, 2000
"""How much greater than in sampled states sums are told apart, and how great at most."""
MAX_EDGE = 63
"""Elements of a set whose least and greatest are read."""
GREATEST, LEAST = 0, -1
"""Instead of a number's step: what is read is an element of a set."""
STEPS = -1.0
"""Instead of a scale; see `Tuple`."""


@dataclass(slots=True)
class Layer:
    """Sites for the places of one kind, one behind the other.

    Attributes:
        places: how many.
        board: where they are cells.
        first: the first site.
        codes: how many codes a site has.
        planes: numbers of planes, and what an element of each adds to the code.
        numbers: by the place of a number: its own number, and the code of each value.
        live: places where something stood in sampled states.
    """

    places: int
    board: CellType | None
    first: int
    codes: int
    planes: dict[int, int]
    numbers: dict[int, list[int]] = field(default_factory=dict)
    live: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Tuple:
    """Sites, with a table.

    Attributes:
        sites: whose codes make the index, the first counting the most.
        table: number of the table.
        fixed: whether index 0 has no weight.
        plane: of a tuple that has no sites: the plane whose elements are counted.
        factors: of a sum: what the code of each site is multiplied by.
        scale: how hidden units read it: 0, weights for each index; STEPS, these too, but what is learned of an index is
            shared with others, the more the nearer; else one weight, for the index times this scale.
    """

    sites: tuple[int, ...]
    table: int
    fixed: bool = False
    plane: int = -1
    factors: tuple[int, ...] = ()
    scale: float = 0.0


@dataclass(slots=True)
class Features:
    """The sites and tuples of a game.

    Attributes:
        site_codes: of each site, how many codes it has.
        layers: of planes.
        seen: of each number, its sites with the code of each value.
        edges: of a plane, GREATEST and LEAST: its site.
        tuples: all.
        tables: how many weights each table has.
    """

    site_codes: list[int] = field(default_factory=list)
    layers: list[Layer] = field(default_factory=list)
    seen: dict[int, list[tuple[int, list[int]]]] = field(default_factory=dict)
    edges: dict[tuple[int, int], int] = field(default_factory=dict)
    tuples: list[Tuple] = field(default_factory=list)
    tables: list[int] = field(default_factory=list)

    def add_sites(self, count: int, codes: int) -> int:
        """Add sites of as many codes, and return the first."""
        self.site_codes += [codes] * count
        return len(self.site_codes) - count

    def add_table(self, weights: int) -> int:
        """Add a table, and return its number."""
        self.tables.append(weights)
        return len(self.tables) - 1

    def add(self, sites: Sequence[int], table: int | None = None, fixed: bool = False) -> int:
        """Add a tuple, with a table of its own unless one is given; return its table."""
        if table is None:
            table = self.add_table(math.prod(self.site_codes[site] for site in sites))
        self.tuples.append(Tuple(tuple(sites), table, fixed))
        return table


def features_of_game(declared: Declarations, rows: Rows, turns: Sequence[Symmetry], seed: int) -> Features:
    """Return the sites and tuples of a game.

    Args:
        declared: its declarations.
        rows: `[n, W]` states, which show what sets are disjoint.
        turns: symmetries without an exchange of seats, the identity among them.
        seed: of random walks.
    """
    found = Features()
    rng = [seed_word(seed, 31)]
    _add_layers(found, declared, rows)
    for layer in found.layers:
        _add_cells(found, layer, turns)
        if layer.board is not None:
            _add_shared(found, layer, turns)
            if layer.codes <= FEW_CODES:
                _add_walks(found, layer, turns, rng)
    for place, plane in enumerate(declared.planes):
        table = found.add_table(min(plane.size, MAX_COUNT) + 1)
        found.tuples.append(Tuple((), table, False, place))
    _add_edges(found, declared)
    _add_numbers(found, declared, rows)
    return found


# --- layers -----------------------------------------------------------------------------------------------------------


def _bits(rows: Rows, plane: Plane) -> Iterator[I64]:
    """Yield the words of a plane, each of all states."""
    for word in range(plane.word, plane.word + (plane.size + 63) // 64):
        yield rows[:, word]


def _occupied(rows: Rows, plane: Plane) -> list[int]:
    """Return the elements that a plane has in any of the states."""
    words = [int(np.bitwise_or.reduce(word)) for word in _bits(rows, plane)]
    return [place for place in range(plane.size) if words[place // 64] >> (place % 64) & 1]


def _disjoint(rows: Rows, planes: Sequence[Plane]) -> bool:
    """Return whether no element is in two planes in any of the states."""
    for words in zip(*(_bits(rows, plane) for plane in planes), strict=True):
        for one, other in combinations(words, 2):
            if (one & other).any():
                return False
    return True


def _add_layers(found: Features, declared: Declarations, rows: Rows) -> None:
    """Make layers of the planes, and of the numbers that stand on the cells of a board."""
    groups: dict[tuple[object, int], dict[str, list[int]]] = {}
    for number, plane in enumerate(declared.planes):
        kind: object = plane.elements if plane.elements is not None else plane.variable
        groups.setdefault((kind, plane.size), {}).setdefault(plane.variable, []).append(number)
    for (kind, places), variables in groups.items():
        board = kind if isinstance(kind, CellType) else None
        parts: list[list[int]] = []
        for members in variables.values():
            whole = _disjoint(rows, [declared.planes[one] for one in members])
            parts += [members] if whole else [[one] for one in members]
        layers: list[Layer] = []
        for part in parts:
            last = layers[-1] if layers else None
            if last is None or last.codes * (len(part) + 1) > MAX_CODES:
                layers.append(last := Layer(places, board, 0, 1, {}))
            last.planes.update({one: last.codes * (place + 1) for place, one in enumerate(part)})
            last.codes *= len(part) + 1
        for layer in layers:
            layer.first = found.add_sites(places, layer.codes)
            layer.live = {cell for one in layer.planes for cell in _occupied(rows, declared.planes[one])}
        found.layers += layers
    _add_number_layers(found, declared)


def _add_number_layers(found: Features, declared: Declarations) -> None:
    """Make layers of arrays whose index is a cell."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, one in enumerate(declared.numbers):
        if sum(isinstance(index, CellType) for index in one.indices) == 1:
            rest = tuple(
                code for index, code in zip(one.indices, one.key, strict=True) if not isinstance(index, CellType)
            )
            groups.setdefault((one.variable, rest), []).append(number)
    for members in groups.values():
        first = declared.numbers[members[0]]
        board = next(index for index in first.indices if isinstance(index, CellType))
        codes = _rounded_codes(first)
        layer = Layer(len(members), board, found.add_sites(len(members), max(codes) + 1), max(codes) + 1, {})
        layer.live.update(range(layer.places))
        for place, number in enumerate(members):
            layer.numbers[number] = codes
            found.seen.setdefault(number, []).append((layer.first + place, codes))
        found.layers.append(layer)


# --- tuples on layers -------------------------------------------------------------------------------------------------


def _carried(layer: Layer, cell: int, by: Symmetry) -> int:
    return by.cell(layer.board, cell) if layer.board is not None else cell


def _add_cells(found: Features, layer: Layer, turns: Sequence[Symmetry]) -> None:
    tables: dict[int, int] = {}
    for cell in range(layer.places):
        least = min(_carried(layer, cell, by) for by in turns)
        tables[least] = found.add([layer.first + cell], tables.get(least), True)


def _neighbours(board: CellType, cell: int) -> list[int]:
    y, x = divmod(cell, board.width)
    steps = ((x + dx, y + dy) for _, dx, dy in DIRECTIONS)
    return [y * board.width + x for x, y in steps if 0 <= x < board.width and 0 <= y < board.height]


def _add_walks(found: Features, layer: Layer, turns: Sequence[Symmetry], rng: list[int]) -> None:
    """Add random walks, carried by all symmetries, until enough go through a typical cell."""
    board = layer.board
    assert board is not None
    length = min(int(math.log(MAX_WEIGHTS) / math.log(layer.codes)), LONGEST_WALK, layer.places - 1)
    live = sorted(layer.live)
    passing, tries = 0, 0
    while length >= 2 and passing < DENSITY * len(live) and tries < MAX_TRIES:
        tries += 1
        walk = [live[below(rng, len(live))]]
        while len(walk) < length:
            free = [one for cell in walk for one in _neighbours(board, cell) if one not in walk and one in layer.live]
            if not free:
                break
            walk.append(free[below(rng, len(free))])
        if len(walk) < length:
            continue
        places = {tuple(layer.first + _carried(layer, cell, by) for cell in walk) for by in turns}
        table = None
        for sites in sorted(places):
            table = found.add(sites, table, True)
        passing += length * len(places)


def _add_shared(found: Features, layer: Layer, turns: Sequence[Symmetry]) -> None:
    """Add lines in all directions and squares, each at every place where it fits."""
    board = layer.board
    assert board is not None
    longest = min(int(math.log(MAX_SHARED_WEIGHTS) / math.log(layer.codes)), LONGEST_LINE)
    tables: dict[tuple[int, int], int] = {}
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        least, along = min((by.step(sign * dx, sign * dy), sign) for by in turns for sign in (1, -1))
        room = [board.width if dx else 1, board.height if dy else 1]
        length = min(longest, *(side for side, step in zip(room, (dx, dy), strict=True) if step))
        if length < 2:
            continue
        for cell in range(layer.places):
            y, x = divmod(cell, board.width)
            far_x, far_y = x + (length - 1) * dx, y + (length - 1) * dy
            if 0 <= far_x < board.width and 0 <= far_y < board.height:
                line = [(y + step * dy) * board.width + x + step * dx for step in range(length)][::along]
                if not layer.live.isdisjoint(line):
                    tables[least] = found.add([layer.first + cell for cell in line], tables.get(least), True)
    if layer.codes**SQUARE <= MAX_SHARED_WEIGHTS and len(turns) in (1, 8):
        table = None
        for y in range(board.height - 1):
            for x in range(board.width - 1):
                corner = y * board.width + x
                square = [corner, corner + 1, corner + board.width, corner + board.width + 1]
                if not layer.live.isdisjoint(square):
                    table = found.add([layer.first + cell for cell in square], table, True)


# --- numbers ----------------------------------------------------------------------------------------------------------


def _exact_codes(number: Number) -> list[int]:
    if number.groups <= MAX_VALUES:
        return list(range(number.groups))
    return [value * MAX_VALUES // number.groups for value in range(number.groups)]


def _rounded_codes(number: Number) -> list[int]:
    """Return the codes of the values, at most eight and none: large ones in groups by their distance from 0."""
    if number.size <= len(GROUPS):
        return list(range(number.size))
    zero = number.none - (lowest(number.type) if number.size > number.none else 0)  # type: ignore[arg-type]
    zero = zero if number.none <= zero < number.size else number.none
    groups = []
    for value in range(0, number.size, number.step):
        far = abs(value - zero)
        group = max(place for place, least in enumerate(GROUPS) if far >= least)
        groups.append(-1 if value < number.none else group if value >= zero else -group - 1)
    order = sorted(set(groups), key=lambda group: (group >= 0, abs(group)))
    zero_first = [0, *(group for group in order if group != 0)] if 0 in order else order
    return [zero_first.index(group) for group in groups]


def _add_edges(found: Features, declared: Declarations) -> None:
    """Add the least and the greatest element of each set of whole numbers, and the sums of those of both players."""
    together: dict[tuple[str, int], list[int]] = {}
    for place, plane in enumerate(declared.planes):
        if isinstance(plane.elements, IntType) and LEAST_ROW <= plane.size <= MAX_EDGE:
            for edge in (GREATEST, LEAST):
                site = found.edges[place, edge] = found.add_sites(1, plane.size + 1)
                found.tuples.append(Tuple((site,), found.add_table(plane.size + 1), scale=STEPS))
                if len(plane.indices) == 1 and is_player(plane.indices[0]):
                    together.setdefault((plane.variable, edge), []).append(site)
    for sites in together.values():
        if len(sites) == 2:
            table = found.add_table(sum(found.site_codes[site] - 1 for site in sites) + 1)
            found.tuples.append(Tuple(tuple(sites), table, factors=(1, 1), scale=STEPS))


def _add_sums(found: Features, declared: Declarations, rows: Rows, row: Sequence[int]) -> None:
    """Add the sum of the numbers of a row, and the sum of each times its place."""
    codes = np.stack([rows[:, declared.numbers[one].word] - declared.numbers[one].low for one in row], axis=1)
    sites = tuple(found.seen[one][0][0] for one in row)
    for factors in ((1,) * len(row), tuple(range(1, len(row) + 1))):
        seen = int((codes * np.array(factors)).sum(axis=1).max())
        possible = sum(found.site_codes[site] * factor for site, factor in zip(sites, factors, strict=True))
        most = min(possible, int(BEYOND * seen), MAX_SUM)
        if seen > 0:
            found.tuples.append(Tuple(sites, found.add_table(most + 1), factors=factors, scale=2.0 / seen))


def _add_numbers(found: Features, declared: Declarations, rows: Rows) -> None:
    """Add a tuple for each number, for neighbours and sums in arrays, and for pairs of numbers that stand alone."""
    rounded: dict[int, int] = {}

    def rounded_site(number: int) -> int:
        if number not in rounded:
            codes = _rounded_codes(declared.numbers[number])
            rounded[number] = found.add_sites(1, max(codes) + 1)
            found.seen.setdefault(number, []).append((rounded[number], codes))
        return rounded[number]

    alone: list[int] = []
    arrays: dict[str, list[int]] = {}
    for place, number in enumerate(declared.numbers):
        if place in found.seen:
            continue
        codes = _exact_codes(number)
        site = found.add_sites(1, max(codes) + 1)
        found.seen[place] = [(site, codes)]
        scale = STEPS if isinstance(number.type, IntType) else 0.0
        found.tuples.append(Tuple((site,), found.add_table(found.site_codes[site]), scale=scale))
        arrays.setdefault(number.variable, []).append(place)
    for members in arrays.values():
        one = declared.numbers[members[0]]
        if all(is_player(index) for index in one.indices):
            alone += members
            continue
        lines: dict[tuple[int, ...], list[int]] = {}
        for member in members:
            number = declared.numbers[member]
            seats = [code for index, code in zip(number.indices, number.key, strict=True) if is_player(index)]
            lines.setdefault(tuple(seats), []).append(member)
        others = [index for index in one.indices if not is_player(index)]
        summed = len(others) == 1 and isinstance(others[0], IntType) and isinstance(one.type, IntType) and not one.none
        for row in lines.values():
            if summed and len(row) >= LEAST_ROW and one.size <= MAX_VALUES:
                _add_sums(found, declared, rows, row)
            for first in range(len(row) - 1):
                near = [rounded_site(member) for member in row[first : first + 3]]
                if math.prod(found.site_codes[site] for site in near) <= MAX_PAIR_WEIGHTS:
                    found.add(near)
    for pair in combinations(alone[:MAX_ALONE], 2):
        both = [rounded_site(member) for member in pair]
        if math.prod(found.site_codes[site] for site in both) <= MAX_PAIR_WEIGHTS:
            found.add(both)
