"""Cells on a line that rules find by distances: one search along the line, the same cells and the same faults."""

from __future__ import annotations

import re

import pytest

from tests.support.comparison import compare_plays
from tests.support.implementations import Interpreted, Plain
from tests.support.library import one_phase, typed_game

RULES = """
game lines "Cells along lines, by their distances"
players a, b
board cell = grid(4, 3)
let straight = {{north, east, south, west}}
state
    stone[cell]: player or none = {{b1: a, b2: b, else none}}
    holes: set of cell = {{c3}}
    weight[cell]: 0..9 = 1
    seen: set of cell = {{}}
    met: bool = no
    ahead: 0..9 = 0
    turn: player = a
    made: 0..5 = 0
phase p
    turn chooses c in {{c in cell: stone[c] is none}}
    seen := {{c + n*d for d in straight, n in 1..{longest} if {test}}}
    met := any d in straight, n in 1..{longest}: {test}
    ahead := count n in 1..{longest}: {eastward}
    stone[c] := turn
    weight[c] := made
    holes := holes + {{c}}
    turn := other(turn)
    made := made + 1
    sees all: move, seen, met, ahead
    next end if made == 5 else p
payoff[p] = if p == a then count(seen) else ahead
"""


def rules(test: str, longest: int = 3) -> str:
    return RULES.format(test=test, eastward=re.sub(r"\bd\b", "east", test), longest=longest)


FREE = "stone[c + k*d] is none"


@pytest.mark.parametrize(
    ("test", "is_search", "ending"),
    [
        (f"all k in 1..n: c + k*d is some and {FREE}", True, "end"),
        ("c + n*d not in holes and all k in 1..n - 1: c + k*d not in holes", True, "end"),
        (f"c + n*d is some and stone[c + n*d] != turn and all k in 1..n - 1: {FREE}", True, "end"),
        (f"c + n*d is some and (all k in 1..n - 1: {FREE}) and 6 div weight[c + n*d] > 0", True, "fault"),
        (
            f"c + n*d is some and (all k in 1..n - 1: {FREE}) and 6 div weight[c + n*d] > 0 and c + n*d not in holes",
            True,
            "fault",
        ),
        (f"(all k in 1..n - 1: c + k*d is some and {FREE}) and stone[c + n*d] != turn", False, "fault"),
        # what does not begin beside the cell is no way from it
        ("all k in 2..n - 1: c + k*d not in holes", False, "end"),
        ("all k in 0..n: c + k*d not in holes", False, "end"),
    ],
)
def test_the_cells_and_the_faults_are_the_same(test: str, is_search: bool, ending: str) -> None:
    game = typed_game(rules(test))
    plain = Plain(game)
    assert ("RAYS" in plain.source) == is_search
    assert ending in compare_plays(Interpreted(game), [plain], seed=1, games=2, limit=10)


def test_a_way_that_ends_early_is_no_search() -> None:
    assert "RAYS" not in Plain(typed_game(rules("all k in 1..n: c + k*d not in holes", longest=2))).source


@pytest.mark.parametrize(
    ("value", "is_search"),
    [
        ("if (all n in 1..3: c - n*north not in holes) then 1 else 0", True),
        ("if (no d in straight, n in 1..3: c + n*d in holes and weight[c] > 0 and n > 1) then 1 else 0", False),
        ("if (any d in straight, n in 1..3: c + n*d in holes and 6 div weight[c + n*d] > 0) then 1 else 0", False),
    ],
)
def test_quantifiers_look_along_lines(value: str, is_search: bool) -> None:
    game = typed_game(RULES.format(test="no", eastward="no", longest=2).replace("count n in 1..2: no", value))
    plain = Plain(game)
    assert ("RAYS" in plain.source) == is_search
    endings = compare_plays(Interpreted(game), [plain], seed=2, games=2, limit=10)
    assert ("fault" in endings) == ("6 div" in value)


def test_directions_that_are_an_argument_are_known_in_a_copy_of_the_definition() -> None:
    slides = (
        "def slides(c: cell, ways: set of direction) = {c + n*d for d in ways, n in 1..3 if c + n*d not in holes}\n"
    )
    calls = "min(9, count(slides(c, straight) + slides(c, {northeast}) & slides(c, {e in straight: c + e is some})))"
    text = rules("no").replace("phase p", f"{slides}phase p").replace("count n in 1..3: no", calls)
    plain = Plain(game := typed_game(text))
    assert plain.source.count("def f_slides") == 3
    assert "RAYS_4_3_northeast" in plain.source
    assert set(compare_plays(Interpreted(game), [plain], seed=1, games=2, limit=10)) == {"end"}


def test_sets_of_a_large_board_that_come_from_one_place_of_the_rules_are_told_apart() -> None:
    queens = one_phase(
        "ann chooses c in {c8, d8, e8}\n"
        "    where no d in {north, south}, n in 1..16: c + n*d is some and c + n*d in queens\n"
        "queens := queens + {c}\nmade := made + 1\nnext end if made == 2 else go",
        "queens: set of cell = {c3}\nmade: 0..3 = 0",
        "board cell = grid(17, 16)",
    )
    game = typed_game(queens)
    plain = Plain(game)
    assert len(plain.legal(plain.initial(), 0)) == 2
    assert set(compare_plays(Interpreted(game), [plain], seed=1, games=2, limit=5)) == {"end"}
