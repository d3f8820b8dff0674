"""Rules files made to take time or memory are refused by `load`; their messages are in `tests/golden`."""

from __future__ import annotations

import pytest

from ggp.language import SourceFile, check
from ggp.rules_compiler import loading
from tests.support.hostile_rules import hostile_files
from tests.support.library import typed_game


def test_hostile_file_is_refused_by_load() -> None:
    text = next(text for name, text, _ in hostile_files() if name == "a state of 10^12 words")
    with pytest.raises(loading.RulesInvalid, match="the limit is"):
        loading.game_from_source(SourceFile("hostile.rules", text))


def test_tables_and_intersections_count_as_large_as_they_can_be() -> None:
    text = """game g "t"
players a, b
board cell = grid(19, 19)
table touch[c: cell]: set of cell = {c + d for d in {north, east, south, west}}
state
    s: set of cell = {}
def near(c: cell) = {n in touch[c] & s: (any m in touch[n]: m in (reach from {m} through s by {north}))}
phase p
    a chooses c in {c in s: near(c) != {}}
    next end
payoff[p] = 0
"""
    typed_game(text)
    wide = check(SourceFile("g.rules", text.replace("n in touch[c] & s", "n in s").replace("m in touch[n]", "m in s")))
    assert wide.game is None
    assert "values of `c` 361; combinations for each of these" in (wide.diagnostics[0].hint or "")
