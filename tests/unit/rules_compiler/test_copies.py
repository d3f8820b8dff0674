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


@pytest.mark.parametrize(("fourth", "bodies"), [("places", 1), ("{1, 3}", 16)])
def test_a_loop_is_copied_twice_at_most(fourth: str, bodies: int) -> None:
    code = module_text(game_of(RULES.format(fourth=fourth)).backend.plain.code)
    assert code.partition("def count_p")[2].partition("def ")[0].count("n += 1") == bodies
