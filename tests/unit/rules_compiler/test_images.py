"""Neighbours of sets of cells: moved at once, the same cells and the same faults."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.support.comparison import compare_plays
from tests.support.implementations import Interpreted, Plain
from tests.support.library import typed_game

RULES = """
game images "Neighbours of sets of cells"
players a, b
board cell = grid({size}, 3)
let four = {{north, east, south, west}}
state
    stone[cell]: player or none = {{b1: a, b2: b, else none}}
    holes: set of cell = {{c3}}
    weight[cell]: 0..9 = 1
    seen[1..9]: set of cell = {{}}
    turn: player = a
    made: 0..5 = 0
def near(c: cell) = {{c + d for d in four}}
def inner(c: cell) = {{c + d for d in four if c + d is some}} - holes
def knight(c: cell) = {{c + 2*d + e for d in four, e in four if e != d}} + {{c, c + northeast}}
def of(p: player) = {{c in cell: stone[c] == p}}
phase p
    turn chooses c in {{c in cell: stone[c] is none}}
{seen}
    stone[c] := turn
    weight[c] := made
    holes := holes + {{c}}
    turn := other(turn)
    made := made + 1
    sees all: move, seen
    next end if made == 5 else p
payoff[p] = if p == a then made else 0
"""
SETS = (
    "{n for x in of(turn), n in near(x) if stone[n] is none}",
    "{n for x in of(turn), n in inner(x)}",
    "{n for x in of(a), n in knight(x) if n not in holes and n != c}",
    "{x in cell: stone[x] is none and any n in near(x): stone[n] == turn}",
    "{x in cell: no n in near(x): n in holes}",
    "{x in cell: all n in inner(x): stone[n] != turn}",
    "{x in holes: any n in knight(x): stone[n] == a}",
    "{x in cell: any d in four: x + d is some and stone[x + d] == turn}",
)
CONDITIONS = (
    "any x in of(turn): any n in near(x): stone[n] is none and n != c",
    "no x in of(a), n in knight(x): n in holes",
    "all x in of(b): no n in inner(x): stone[n] is none",
    "all x in of(b): all n in near(x): n not in holes",
)


def loops(sets: Sequence[str], size: int = 4, of: str = "lowest_bit") -> int:
    """Compare implementations; return how often the generated module takes the next member of a set."""
    seen = "\n".join(f"    seen[{number}] := {one}" for number, one in enumerate(sets, 1))
    game = typed_game(RULES.format(seen=seen, size=size))
    plain = Plain(game)
    compare_plays(Interpreted(game), [plain], seed=1, games=2, limit=10)
    return plain.source.count(of)


def test_neighbours_of_a_set_take_no_loop() -> None:
    conditions = [f"if {condition} then holes else {{}}" for condition in CONDITIONS]
    assert loops(SETS) == loops(conditions) == loops([])


def test_neighbours_of_a_set_of_many_words() -> None:
    assert loops([SETS[0], SETS[3]], size=86)


@pytest.mark.parametrize(
    "one",
    [
        "{n for x in of(a), n in near(x) if 6 div weight[n] > 0}",
        "{x in cell: any n in near(x): 6 div weight[x] > 0 and n in holes}",
        "{n for x in of(turn), n in near(x) if x in holes}",
        "if any x in of(turn): any n in near(x): n.x > x.x then holes else {}",
    ],
)
def test_what_reads_the_cell_itself_or_may_fail_is_tested_cell_by_cell(one: str) -> None:
    assert loops([one]) > loops([])


def test_a_set_that_takes_a_search_is_computed_once() -> None:
    group = "reach from {c} through of(turn) by four"
    assert loops([f"{{n for x in {group}, n in near(x)}}"], of="while") == loops([group], of="while")
