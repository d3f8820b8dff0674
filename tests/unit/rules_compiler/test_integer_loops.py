"""Loops over integers end where a condition says so, and no fault is lost or added by that."""

from __future__ import annotations

import pytest

from tests.support.comparison import compare_plays
from tests.support.implementations import Interpreted, Plain
from tests.support.library import typed_game

RULES = """
game ways "Ways of several steps along a line"
players a, b
type place = 0..12
board cell = grid(4, 3)
let dirs = {{north, northeast, east, southeast, south, southwest, west, northwest}}
state
    n: place = 3
    mark[place]: 0..9 = {{0: 1, 1: 1, 2: 0, 3: 1, 4: 1, 5: 1, 6: 0, else 1}}
    stone[cell]: player or none = none
    turn: player = a
    found: 0..999 = 0
    made: 0..9 = 0
def clear(c: cell, d: direction, k: 1..4) = all i in 1..k: c + i*d is some and stone[c + i*d] is none
def between(c: cell, d: direction, k: 1..3) =
    c + (k + 1)*d is some and stone[c + (k + 1)*d] == turn and all i in 1..k: stone[c + i*d] == other(turn)
phase p
    turn chooses
        place by c in {{c in cell: stone[c] is none}}
        go by k in 0..6                                    where {where}
    found := {found}
    n := (n * 5 + 3) mod 13
    on place: stone[c] := turn
    turn := other(turn)
    made := made + 1
    next end if made == 9 else p
payoff[p] = found
"""


def rules(where: str = "k == 0", found: str = "0") -> str:
    return RULES.format(where=where, found=found)


RAYS = "count c in cell: stone[c] is none and {c + k*d for d in dirs, k in 1..4 if clear(c, d, k)} != {}"
TURNED = "sum c in cell: count({c + i*d for d in dirs, k in 1..3, i in 1..3 if i <= k and between(c, d, k)})"


@pytest.mark.parametrize(
    ("where", "found", "ending"),
    [
        ("k <= n and all i in 1..k: mark[i] > 0", RAYS, "end"),
        ("all i in 0..k - 1: mark[i + 1] > 0", TURNED, "end"),
        (
            "all i in 2..k + 3: mark[i] > 0",
            "count j in 0..6, i in 0..12: i <= j and mark[j] > 0 and mark[i] == 1",
            "end",
        ),
        ("all i in 2..k: mark[i] == 0", "count j in 0..6, i in 0..12: all h in 3..i: mark[h] > 0 or h == j", "end"),
        # what stands behind the first test that does not hold is not reached
        ("(all i in 1..k: mark[i] > 0) and 6 div mark[k] > 0", "0", "end"),
        ("6 div (2 - k) != 7 and all i in 1..k: mark[i] > 0", "0", "fault"),
        ("6 div mark[k] > 0 and k < 2", "0", "fault"),
        ("k < 2 and 6 div mark[k] > 0", "count j in 0..6, i in j..3: 6 div (4 - j) > 0 and mark[i] > 0", "end"),
        ("k == 0", "if (all i in 0..12: i >= n or mark[i] > 0) then count(1..n) else 0", "end"),
    ],
)
def test_no_fault_is_lost_or_added(where: str, found: str, ending: str) -> None:
    game = typed_game(rules(where, found))
    assert set(compare_plays(Interpreted(game), [Plain(game)], seed=1, games=1, limit=10)) == {ending}


@pytest.mark.parametrize("bound", ["m > k", "m >= k", "m > k + 2", "k < m and m > n", "2 * k <= m"])
@pytest.mark.parametrize("span", ["1..m - 1", "3..m", "0..m - 2", "k..m", "1..m + 1"])
def test_what_all_say_before_a_later_range_ends_the_loop_before_it(bound: str, span: str) -> None:
    found = f"count k in 1..6: any m in 2..9: {bound} and mark[m] == 1 and all i in {span}: mark[i] > 0 or i == n"
    game = typed_game(rules(found=found))
    assert set(compare_plays(Interpreted(game), [Plain(game)], seed=1, games=1, limit=10)) == {"end"}


def test_a_piece_beyond_a_row_of_others_is_sought_in_rows_that_begin_here_alone() -> None:
    row = "any m in 2..7: m > k and mark[m] == 1 and all i in 1..m - 1: mark[i] == 0"
    source = source_of(f"count k in 1..6: {row}")
    assert "b_i__" not in source, "no loop over what stands between"


def source_of(found: str) -> str:
    return Plain(typed_game(rules(found=found))).source


def test_a_loop_runs_to_the_bound_that_its_condition_states() -> None:
    assert "in range(s_n)" in source_of("count i in 0..12: i < n and mark[i] == 1")


def test_a_way_tests_each_step_once() -> None:
    source = source_of(RAYS.replace("k in 1..4", "k in 1..2"))  # not across the board: that is one search
    assert "if ended" in source
    assert "b_i__" not in source, "no loop over the steps before"


def test_a_search_whose_neighbours_depend_on_a_cell_is_not_written_for_each_cell() -> None:
    near = "def near(shut: cell, c: cell) = {c + d for d in {north, east} if stone[c] is none} - {shut}\n"
    shut = "count c in cell: c in (reach from {a1} through cell by near(c))"
    text = rules(found=shut).replace("phase p", f"{near}phase p")
    assert Plain(typed_game(text)).source.count("while front") < 12
