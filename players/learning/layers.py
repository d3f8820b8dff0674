"""Layers of a game's sets, and of the numbers on the cells of its boards, with the tuples that lie on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from ggp.arithmetic.rng import below
from ggp.codegen.kernels import I64
from ggp.language.typed.types import DIRECTIONS, CellType
from players.learning.declarations import Declarations, Plane
from players.learning.number_tuples import rounded_codes
from players.learning.symmetries import Rows, Symmetry
from players.learning.tuples import Features, Layer

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


def add_layers(found: Features, declared: Declarations, rows: Rows) -> None:
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
        codes = rounded_codes(first)
        layer = Layer(len(members), board, found.add_sites(len(members), max(codes) + 1), max(codes) + 1, {})
        layer.live.update(range(layer.places))
        for place, number in enumerate(members):
            layer.numbers[number] = codes
            found.seen.setdefault(number, []).append((layer.first + place, codes))
        found.layers.append(layer)


def _carried(layer: Layer, cell: int, by: Symmetry) -> int:
    return by.cell(layer.board, cell) if layer.board is not None else cell


def add_cells(found: Features, layer: Layer, turns: Sequence[Symmetry]) -> None:
    """Add the cells one by one; those that symmetries carry into each other share their weights."""
    tables: dict[int, int] = {}
    for cell in range(layer.places):
        least = min(_carried(layer, cell, by) for by in turns)
        tables[least] = found.add([layer.first + cell], tables.get(least), True)


def _neighbours(board: CellType, cell: int) -> list[int]:
    y, x = divmod(cell, board.width)
    steps = ((x + dx, y + dy) for _, dx, dy in DIRECTIONS)
    return [y * board.width + x for x, y in steps if 0 <= x < board.width and 0 <= y < board.height]


def add_walks(found: Features, layer: Layer, turns: Sequence[Symmetry], rng: list[int]) -> None:
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


def add_shared(found: Features, layer: Layer, turns: Sequence[Symmetry]) -> None:
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
