"""Exact methods on rules that fail in play: an error, never a value."""

from __future__ import annotations

import pytest
from faulty_rules import CASES, faulty_game

from ggp.analysis.exploration import FaultInRules, explore_game


@pytest.mark.parametrize("where", CASES)
def test_a_fault_is_found_wherever_it_is(where: str) -> None:
    game = faulty_game(where)
    with pytest.raises(FaultInRules, match=r"fault site|has no legal action"):
        explore_game(game.native())
