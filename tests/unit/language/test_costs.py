"""Limits on combinations of values: what play computes once a state counts once."""

from __future__ import annotations

import pytest

from ggp.language import SourceFile, check
from ggp.language.check.costs import MAX_KEPT, NOTHING, ONE, Cost, of_kept
from ggp.model.makers.rules import game_of_rules

RULES = """game often "A laborious definition, used often"
players row, col
board cell = grid(25, 25)
state
    stones: set of cell = {}
    n: 0..3 = 0
DEFINITION
phase put
    row chooses c in {c in cell: USE}
    stones := stones + {c}
    n := n + 1
    next end if n == 3 else put
payoff[p] = n
"""
OF_THE_STATE = "let full = {c in cell: (count d in cell: d in stones and d.x == c.x) > 3}"
OF_ONE_VALUE = "def full(x: 1..25) = (count d in cell, y in 1..25: d in stones and d.x == x and d.y == y) > 3"
OF_TWO_VALUES = "def full(x: 1..25, y: 1..25) = (count d in cell, z in 1..25: d in stones and d.x == x and z < y) > 3"


def messages(definition: str, use: str) -> list[str]:
    result = check(SourceFile("often.rules", RULES.replace("DEFINITION", definition).replace("USE", use)))
    if result.game is not None:
        state = game_of_rules(result.game).initial()
        assert len(state.legal("row")) == 625
    return [found.message for found in result.diagnostics]


@pytest.mark.parametrize(
    ("definition", "use"),
    [(OF_THE_STATE, "c not in full and c + north not in full"), (OF_ONE_VALUE, "not full(c.x) and not full(c.y)")],
)
def test_what_is_kept_counts_once(definition: str, use: str) -> None:
    assert messages(definition, use) == []


def test_what_is_not_kept_counts_at_each_use() -> None:
    (message,) = messages(OF_TWO_VALUES, "not full(c.x, c.y)")
    assert message.startswith("this may run through ")


def test_costs_add_up() -> None:
    result = check(SourceFile("f.rules", RULES.replace("DEFINITION", OF_THE_STATE).replace("USE", "c not in full")))
    assert result.game is not None
    (full,) = result.game.functions
    body = Cost(400.0, 400.0)
    once = of_kept(full, body)
    assert once == Cost(400.0, 1.0, frozenset([full]))
    assert once.times(10) + ONE == Cost(4001.0, 11.0, frozenset([full]))
    assert NOTHING + ONE.more(2) == Cost(3.0, 3.0)
    assert (once + Cost(1.0, 1.0, None)).kept is None
    assert MAX_KEPT > 1
