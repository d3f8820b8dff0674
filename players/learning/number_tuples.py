"""Tuples of numbers: each alone, neighbours in arrays, sums of rows, and the ends of sets of whole numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ggp.language.typed.types import IntType, lowest
from players.learning.declarations import Declarations, Number, is_player
from players.learning.symmetries import Rows
from players.learning.tuples import GREATEST, LEAST, STEPS, Features, Tuple

MAX_VALUES = 64
"""A number of more values has groups of them."""
GROUPS = (0, 1, 2, 3, 4, 6, 9, 14)
"""Where the groups begin by which values are rounded in tuples of several numbers."""
MAX_PAIR_WEIGHTS = 4096
MAX_ALONE = 12
"""Numbers that stand alone and are taken in pairs."""
LEAST_ROW = 3
"""Numbers of which there are sums."""
BEYOND, MAX_SUM = 1.5, 2000
"""How much greater than in sampled states sums are told apart, and how great at most."""
MAX_EDGE = 63
"""Elements of a set whose least and greatest are read."""


def _exact_codes(number: Number) -> list[int]:
    if number.groups <= MAX_VALUES:
        return list(range(number.groups))
    return [value * MAX_VALUES // number.groups for value in range(number.groups)]


def rounded_codes(number: Number) -> list[int]:
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


def add_edges(found: Features, declared: Declarations) -> None:
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


def add_numbers(found: Features, declared: Declarations, rows: Rows) -> None:
    """Add a tuple for each number, for neighbours and sums in arrays, and for pairs of numbers that stand alone."""
    rounded: dict[int, int] = {}

    def rounded_site(number: int) -> int:
        if number not in rounded:
            codes = rounded_codes(declared.numbers[number])
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
