"""Loops over small domains are written out, but not those around other loops: LLVM took minutes for 256 of these."""

from __future__ import annotations

import pytest

from ggp.codegen.python.printer import module_text
from tests.support.library import game_of, one_phase


@pytest.mark.parametrize(("fourth", "bodies"), [("places", 1), ("{1, 3}", 32)])
def test_a_loop_is_copied_twice_at_most(fourth: str, bodies: int) -> None:
    pegs = f"first in peg, second in peg, third in peg, fourth in {fourth}"
    phase = f"ann chooses {pegs} where first < second or places != {{}}\nplaces := {{second}}"
    game = game_of(one_phase(phase, "places: set of peg = {1, 2}", "type peg = 1..4"))
    code = module_text(game.backend.plain.code)
    assert code.partition("def count_go")[2].partition("def ")[0].count("n += 1") == bodies
