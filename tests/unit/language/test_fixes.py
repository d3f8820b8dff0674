"""Edits that mend mistakes: each is made, and the mistake is gone."""

from __future__ import annotations

import pytest

from ggp.language import SourceFile, check
from ggp.language.fixes import fixes

RULES = """\
game one "One"
players row, col
state
    turn: player = row
phase go
    turn chooses x in 1..3
    turn := other(turn)
    next end if x == 3 else go
payoff[p] = if p == turn then 1 else -1
"""


@pytest.mark.parametrize(
    ("right", "wrong", "code", "title"),
    [
        ("other(turn)", "other(trun)", "unknown-name", "replace `trun` by `turn`"),
        ("other(turn)", "other(turn", "is-never-closed", "add a `)`"),
        ("other(turn)", "other(turn)]", "closes-a-bracket-that-was-never-opened", "remove `]`"),
        ("turn :=", "turn =", "expected-or", "replace `=` by `:=`"),
        ("x == 3", "x = 3", "expected", "replace `=` by `==`"),
        ("phase go", "phas go", "no-statement-begins-with", "replace `phas` by `phase`"),
        ("else go", "else og", "unknown-phase", "replace `og` by `go`"),
        ('"One"', '"One', "this-text-is-never-closed", 'add a `"`'),
    ],
)
def test_a_fix_mends_its_mistake(right: str, wrong: str, code: str, title: str) -> None:
    source = SourceFile("one.rules", RULES.replace(right, wrong))
    found = check(source).diagnostics[0]
    assert found.code == code
    (fix,) = fixes(found, source)
    assert fix.title == title
    lines = source.text.split("\n")
    line, span = lines[fix.span.line - 1], fix.span
    lines[span.line - 1] = line[: span.column - 1] + fix.text + line[span.end_column - 1 :]
    assert "\n".join(lines) == RULES


def test_facts_tell_ranges_codes_and_notes() -> None:
    (found, *_) = check(SourceFile("one.rules", RULES.replace("turn chooses x", "turn chooses turn"))).diagnostics
    facts = found.facts()
    assert (facts["line"], facts["column"], facts["end_line"], facts["end_column"]) == (6, 18, 6, 22)
    assert facts["code"] == "is-declared-twice"
    (note,) = facts["notes"]
    assert (note["line"], note["column"], note["message"]) == (4, 5, "`turn` was declared here")


def test_an_unreadable_line_damages_only_itself() -> None:
    for line, right in enumerate(RULES.split("\n")[:-1]):
        for wrong in (right[: len(right) * 2 // 3], right + " )", right.replace(")", "", 1), right + " x y"):
            lines = RULES.split("\n")
            lines[line] = wrong
            errors = [one for one in check(SourceFile("t", "\n".join(lines))).diagnostics if one.severity == "error"]
            assert len(errors) <= 2, (wrong, errors)
