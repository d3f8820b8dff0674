"""Loops over small domains are written out, but not those around other loops: LLVM took minutes for 256 of these."""

from __future__ import annotations

import pytest

from ggp.codegen.python.printer import module_text
from tests.support.library import game_of

RULES = """
game pegs "A code of four pegs, and where it is put"
players a, b
type peg = 1..4
state
    places: set of peg = {{1, 2}}
phase p
    a chooses first in peg, second in peg, third in peg, fourth in {fourth} where first < second or places != {{}}
    places := {{second}}
    next end
payoff[p] = 0
"""


@pytest.mark.parametrize(("fourth", "bodies"), [("places", 1), ("{1, 3}", 32)])
def test_a_loop_is_copied_twice_at_most(fourth: str, bodies: int) -> None:
    code = module_text(game_of(RULES.format(fourth=fourth)).backend.plain.code)
    assert code.partition("def count_p")[2].partition("def ")[0].count("n += 1") == bodies


SEARCHES = """
game searches "Whom one reaches, by neighbours that depend on a cell"
players a, b
board cell = grid(4, 3)
state
    stone[cell]: player or none = none
    found: 0..12 = 0
def near(shut: cell, c: cell) = {c + d for d in {north, east} if stone[c] is none} - {shut}
phase p
    a chooses s in cell
    stone[s] := a
    found := count c in cell: c in (reach from {a1} through cell by near(c))
    next end
payoff[p] = found
"""


def test_a_search_whose_neighbours_depend_on_a_cell_is_not_written_for_each_cell() -> None:
    assert module_text(game_of(SEARCHES).backend.plain.code).count("while front") < 12
