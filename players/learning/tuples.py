"""Sites and tuples of a game: what a learned evaluation looks at.

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
from collections.abc import Sequence
from dataclasses import dataclass, field

from ggp.language.typed.types import CellType

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
