"""Checks that a condition before them proves are left out; no other check is, and no fault is lost or added."""

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
def on_board(x: -9..12, y: -9..12) = x in line and 1 <= y and y <= 5
def has(p: player, x: -9..12, y: -9..12) = on_board(x, y) and mark[x, y] == p
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
LINES = (
    "any i in line, j in line, dx in 0..1, dy in -1..1: "
    "(dx == 1 or dy == 1) and all k in 0..2: has(a, i + k*dx, j + k*dy)"
)


@pytest.mark.parametrize(
    ("test", "left", "ending"),
    [
        ("x + 1 in line and row[x + 1] > 0", 0, "end"),
        ("x < 5 and row[x + 1] > 0", 0, "end"),
        ("not (x == 5 or y == 5) and row[x + 1] == row[y + 1]", 0, "end"),
        ("x + y > 5 or row[x + y] == 1", 0, "end"),
        ("x + y > 6 or row[x + y] == 1", 1, "fault"),
        ("(last is some and last.x == x) or last == b2 and last.y == 2", 0, "end"),
        ("count({d in {north, east}: last is some and last + d is some and (last + d).x > 1}) == 2", 0, "end"),
        ("(sum i in 1..9 if i < 6: row[i]) == 7 and (max i in 1..9 if i <= 5: row[i]) == 3", 0, "end"),
        ("(sum i in 1..6: if i > 5 then 0 else row[i]) == 7", 0, "end"),
        ("(sum i in 1..6: if i > 6 then 0 else row[i]) == 7", 1, "fault"),
        (LINES, 0, "end"),
        ("any n in 0..3: x + n in line and (any m in n..3: x + m in line) and row[x + n] == 3", 0, "end"),
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


def test_lines_on_an_array_by_columns_and_rows_are_moved_sets() -> None:
    source = Plain(typed_game(RULES.format(test=LINES))).source
    assert "range(-1, 2)" not in source
    assert "range(1, 6)" not in source.partition("def step_p")[2].partition("def ")[0]


SEARCH = "count(reach from {start} through all by near) > made"


def test_neighbours_by_direction_move_all_cells_at_once() -> None:
    start = "{cell(min(x, 4), 1)}"
    source = Plain(typed_game(RULES.format(test=SEARCH.replace("{start}", start)))).source
    search = source.partition("while front")[2].partition("while")[0]
    assert "left(front" in search
    assert "lowest_bit" not in search


def test_a_single_search_of_a_state_looks_at_the_neighbours_of_cells_that_it_reaches() -> None:
    source = Plain(typed_game(RULES.format(test=SEARCH.replace("{start}", "{a1}")))).source
    assert "while front" in source
    assert "left(front" not in source
