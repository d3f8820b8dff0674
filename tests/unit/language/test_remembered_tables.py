"""Tables that an earlier check of a file has worked out are not worked out again, unless something differs."""

from __future__ import annotations

import pytest

from ggp.language import SourceFile, check
from ggp.language.evaluation import constants
from ggp.language.evaluation.constants import Evaluator
from tests.support.library import one_phase, typed_game

TABLES = """def step(x: 0..9) = min(9, x + 2)
table far[x: 0..9]: 0..9 = step(step(x))
table even[x: 0..9]: bool = far[x] mod 2 == 0
table reached[x: 0..9, y: 0..9]: set of 0..9 = {z in 0..9: z < far[x] and even[y] and z != y}"""
RULES = one_phase("ann chooses x in 0..9", "", TABLES)
CHANGES = [
    ("x + 2", "x + 3"),
    ("min(9, x + 2)", "max(5, x)"),
    ("mod 2 == 0", "mod 2 == 1"),
    ("z != y", "z != x"),
    ("z < far", "z <= far"),
    ("set of 0..9 = {z in 0..9", "set of 0..9 = {z in 1..9"),
    ("step(step(x))", "step(x)"),
]


def tables(text: str) -> dict[str, object]:
    return {table.name: table.values for table in typed_game(text).tables}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[1])
def test_what_differs_is_worked_out_anew(change: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    changed = RULES.replace(*change)
    assert changed != RULES
    monkeypatch.setattr(constants, "_remembered", {})
    before = tables(RULES)
    after = tables("# higher up\n" + changed)
    monkeypatch.setattr(constants, "_remembered", {})
    assert after == tables(changed) != before


def test_nothing_is_worked_out_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "_remembered", {})
    worked_out = []
    value = Evaluator.value
    monkeypatch.setattr(Evaluator, "value", lambda *given: (worked_out.append(given), value(*given))[1])
    first = tables(RULES)
    assert len(worked_out) >= 120
    worked_out.clear()
    assert tables(RULES.replace("game one", "# a line more\ngame one")) == first
    assert len(worked_out) < 10


def test_what_is_remembered_took_no_more_steps_than_one_game_may(monkeypatch: pytest.MonkeyPatch) -> None:
    def steps() -> int:
        return sum(taken for _, taken in constants._remembered.values())

    monkeypatch.setattr(constants, "_remembered", {})
    tables(RULES)
    most = 3 * steps()
    monkeypatch.setattr(constants, "MAX_EVALUATION", most)
    for number in range(3, 8):
        tables(RULES.replace("x + 2", f"x + {number}"))
        assert 0 < steps() <= most


def test_steps_count_also_where_they_are_not_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "_remembered", {})
    tables(RULES)
    monkeypatch.setattr(constants, "MAX_EVALUATION", 300)
    texts = [found.message for found in check(SourceFile("g.rules", RULES)).diagnostics]
    monkeypatch.setattr(constants, "_remembered", {})
    assert any("takes too long" in text for text in texts)
    assert texts == [found.message for found in check(SourceFile("g.rules", RULES)).diagnostics]
