"""Checks for none that a condition before them proves are left out; no other is, and no fault is lost or added."""

from __future__ import annotations

import pytest

from ggp.language import typed
from ggp.language.typed.walk import nodes_of
from ggp.rules_compiler.rewrite.proven import without_proven_checks
from tests.support.comparison import compare_plays
from tests.support.implementations import Interpreted, Plain
from tests.support.library import typed_game

RULES = """
game checks "What is tested before an element is read"
players a, b
type line = 1..5
board cell = grid(4, 3)
state
    mark[line, line]: player or none = none
    row[line]: 0..3 = [1, 2, 0, 3, 1]
    last: cell or none = none
    turn: player = a
    found: 0..999 = 0
    made: 0..9 = 0
def near(c: cell) = {{c + d for d in {{north, east, south, west}} if c.x != 2 or d == north and row[c.y] > made mod 3}}
phase p
    turn chooses x in line, y in line where mark[x, y] is none
    mark[x, y] := turn
    last := cell(min(x, 4), min(y, 3))
    found := if {test} then 1 else 2
    turn := other(turn)
    made := made + 1
    next end if made == 9 else p
payoff[p] = found
"""


@pytest.mark.parametrize(
    ("test", "left", "ending"),
    [
        ("last == a1 or last.x > 0", 1, "fault"),
        ("(last is some and last.x == x) or last == b2 and last.y == 2", 0, "end"),
        ("count({d in {north, east}: last is some and last + d is some and (last + d).x > 1}) == 2", 0, "end"),
        ("count(reach from {a1} through all by near) > made", 0, "end"),
        (
            "any c in cell: (made > 3 or c in near(c3)) and c.x + 1 > y and c != a1 and not (c.y == 3 and last == c)",
            0,
            "end",
        ),
    ],
)
def test_proven_checks_are_left_out(test: str, left: int, ending: str) -> None:
    game = typed_game(RULES.format(test=test))
    without = without_proven_checks(game)
    (update,) = (one for one in without.phases[0].updates if one.target.name == "found")
    checks = (node for node in nodes_of(update.value) if isinstance(node, typed.Guard | typed.Unwrap))
    assert sum(1 for check in checks if check.reason) == left
    assert set(compare_plays(Interpreted(game), [Plain(game)], seed=2, games=2, limit=10)) >= {ending}
