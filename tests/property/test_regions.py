"""Conditions on the regions of a board that are connected, against the interpreter."""

from __future__ import annotations

import pytest

from tests.support.comparison import compare_all
from tests.support.library import typed_game

RULES = """game regions "Sets of cells whose regions have something in common"
param width: 2..19 = 3
param height: 2..19 = 3
players ann, bob
board cell = grid(width, height)
let beside = {north, east, south, west}
state
    stones[player]: set of cell = {}
    marked: set of cell = {}
    turn: player = ann
    made: 0..40 = 0
let empty = all - stones[ann] - stones[bob]
def around(s: set of cell) = (s + north) + (s + east) + (s + south) + (s + west)
def chain(c: cell) = reach from {c} through stones[turn] by beside
def part(from: set of cell, s: set of cell) = reach from from & s through s by beside
def alone(c: cell, s: set of cell) = count(around(part({c}, s)) & empty) == 1
def far(c: cell) = count(chain(c)) > 2
phase go
    turn chooses
        place by q in empty
        mark by z in cell
    on place:
        stones[turn] := stones[turn] + {q}
    on mark:
        marked := DOMAIN_AND_TEST
    turn := other(turn)
    made := made + 1
    next end if made == 40 or empty == {} else go
payoff[p] = hash(1000, marked, p)
"""

CONDITIONS = [
    "{c in cell: far(c)}",
    "{c in stones[turn] - {z}: around(chain(c)) & empty == {z}}",
    "{c in stones[ann] + stones[bob]: z in chain(c)}",
    "{c in empty + stones[turn] - {z}: alone(c, stones[turn] + {z})}",
    "{c in empty: count(reach from {c} through empty by {east, west}) > made mod 4}",
    "{c in cell: count(reach from {c} through empty by {northeast, southwest, east, west}) > 2 and turn == ann}",
    "{c in stones[turn]: far(c) and alone(c, stones[turn])}",
    "{c in {d in cell: alone(d, stones[ann])}: count(around(part({c}, empty)) & stones[turn]) > 1}",
    "{c in cell: count(reach from {c} through empty by {north, east}) > 3}",
    "{c in cell: count(chain(c)) > 1 and c.x > 1}",
    "{c in cell: count(reach from {c} through empty - {c} by beside) > 3}",
    "{c in cell: count(reach from {c, z} through empty by beside) > 3}",
    "{c in cell: min(chain(c)) == z}",
    "{c in cell: (distance from {c} through empty by beside)[z] < 3}",
    "{c in cell: count(reach from {c} & stones[turn] through empty by beside) > 3}",
    "{c in cell: far(c) and count(reach from {c} through empty by beside) > 2}",
    "{c in cell: any d in around({c}): count(chain(d)) > 1}",
    "{c + east for c in stones[turn] if far(c)}",
    "{c for c in empty, d in around({c}) & stones[ann] if count(reach from {c} through empty by beside) > 2}",
]


@pytest.mark.sweep
@pytest.mark.parametrize("form", CONDITIONS)
def test_regions(form: str) -> None:
    game = typed_game(RULES.replace("DOMAIN_AND_TEST", form), width=3, height=3)
    assert "end" in compare_all(game, games=2, playouts=20, limit=50)


def test_boards_of_two_words() -> None:
    game = typed_game(RULES.replace("DOMAIN_AND_TEST", CONDITIONS[3]), width=8, height=9)
    assert "end" in compare_all(game, games=1, playouts=20, limit=50)
