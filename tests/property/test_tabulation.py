"""What depends on few small values alone is read from a table, and is what the interpreter computes."""

from __future__ import annotations

import pytest

from tests.support.comparison import compare_all
from tests.support.implementations import Plain
from tests.support.library import typed_game

GEOMETRY = """game geometry "Formulas of cells and numbers"
players one, two
board cell = grid(6, 6)
type spin = {clockwise, anticlockwise}
def turned(c: cell, s: spin) =
    if s == clockwise then cell((c.x - 1) div 3 * 3 + (c.y - 1) mod 3 + 1, (c.y - 1) div 3 * 3 + 3 - (c.x - 1) mod 3)
    else cell((c.x - 1) div 3 * 3 + 3 - (c.y - 1) mod 3, (c.y - 1) div 3 * 3 + (c.x - 1) mod 3 + 1)
def near(c: cell) = {t in cell: abs(t.x - c.x) + abs(t.y - c.y) == 1}
def third(n: -3..6) = 36 div (n - 3) + (if n > 2 then n * n * n else -n) + n mod 5
state
    men: set of cell = {cell(1, 2), cell(3, 5), cell(6, 6)}
    total: -10000..10000 = 0
    made: 0..12 = 0
    turn: player = one
phase play
    turn chooses
        spin by c in cell, s in spin
        jump by c in men, d in {north, southeast, west}, n in -3..6
            where c + d is some and c + 2 * d in men + near(c + d)
    on spin:
        men := {turned(m, s) for m in men + near(c)}
        total := count(near(c) & men) + count(near(cell(2, 2)))
    on jump:
        men := men - {c}
        total := third(n)
    made := made + 1
    turn := other(turn)
    next end if made == 12 or men == {} else play
payoff[p] = if p == one then total + (sum m in men: m.x + 7 * m.y) else 0
"""


@pytest.mark.long
def test_formulas_of_cells_and_numbers() -> None:
    game = typed_game(GEOMETRY)
    source = Plain(game).source
    assert source.count("\nVALUES_") >= 2
    assert "f_turned" not in source
    assert "abs(" not in source
    endings = set(compare_all(game, games=25))
    assert endings == {"end", "fault"}, "a formula that can fail is no table"
