"""Rules files made to take time or memory get an error in bounded time, never a traceback."""

from __future__ import annotations

import time

import pytest

from ggp.language import SourceFile, check
from ggp.rules_compiler import loading
from tests.support.hostile_rules import hostile_files

FILES = {name: (text, words) for name, text, words in hostile_files()}
SECONDS = 20.0
"""Far above what any of them takes, and far below what it would take without the limit that it meets."""


@pytest.mark.parametrize("name", FILES)
def test_hostile_file_gets_a_clear_error_soon(name: str) -> None:
    text, words = FILES[name]
    began = time.process_time()
    result = check(SourceFile("hostile.rules", text))
    assert time.process_time() - began < SECONDS
    assert result.game is None
    errors = [diagnostic.message for diagnostic in result.diagnostics if diagnostic.severity == "error"]
    assert any(words in message for message in errors), errors[:3]
    assert len(errors) <= 51


def test_hostile_file_is_refused_by_load() -> None:
    text, _ = FILES["a state of 10^12 words"]
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
    result = check(SourceFile("g.rules", text))
    assert result.game is not None, result.diagnostics
    wide = check(SourceFile("g.rules", text.replace("n in touch[c] & s", "n in s").replace("m in touch[n]", "m in s")))
    assert wide.game is None
    assert "values of `c` 361; combinations for each of these" in (wide.diagnostics[0].hint or "")
