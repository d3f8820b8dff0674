"""What a search says of positions is said of all that somebody chooses in."""

from __future__ import annotations

import pytest

import ggp
from studio.analysis import Analysis
from studio.table import Table

BOTH_THEN_ONE = """\
game both_then_one "Both, then one"

players ann, bob, cat

state
    got[player]: 0..9 = 0

phase both
    each p in {ann, bob} chooses n in 1..2
    got[p] := n[p]                                         for p in {ann, bob}
    next last

phase last
    cat chooses k in 1..5
    got[cat] := k
    next end

payoff[p] = got[p]
"""


def test_a_position_in_which_one_chooses_has_values_where_others_choose_at_once() -> None:
    table = Table(ggp.load_text(BOTH_THEN_ONE), 0)
    table.replay(["ann: 1; bob: 2"])
    found = Analysis(table.game).values_at(table, 1)
    assert found is not None
    values, advice = found
    assert values == pytest.approx([1, 2, 5], abs=0.5)
    assert advice is not None
    assert advice.actions[advice.shares.index(max(advice.shares))] == "5"
