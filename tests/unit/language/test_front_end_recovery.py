"""One mistake, one diagnostic: each with its line, its column, a caret and a hint where there is something to do."""

from __future__ import annotations

from textwrap import dedent

import pytest

from ggp.language import CheckResult, SourceFile, check, render_all


def checked(text: str) -> CheckResult:
    return check(SourceFile("t.rules", dedent(text)))


FIVE = """\
game nim "Take stones; who takes the last one wins"
param stones: 1..99 = 120
players first, second
state
    left: 0..stones = stones
    turn: player = first
phase take
    turn chooses k in 1..min(3, left)
    left := left - kk
    turn = other(turn)
    next end if left == 0 esle take
payoff[p] = if turn == p then -1 else 1 +
"""


def test_five_mistakes_give_five_diagnostics() -> None:
    source = SourceFile("t.rules", FIVE)
    found = check(source).diagnostics
    assert [(one.span.line, one.span.column, one.severity) for one in found if one.span] == [
        (2, 23, "error"),
        (9, 20, "error"),
        (10, 10, "error"),
        (11, 27, "error"),
        (12, 42, "error"),
    ]
    assert len(found) == 5
    text = render_all(found, source)
    assert text.count(" = hint: ") >= 3
    assert sum(set(line.strip()) == {"|", " ", "^"} for line in text.splitlines()) == 5


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("param stones: 1..99 = 20", "param stones 1..99 = 20"),
        ("players first, second", "players first second"),
        ("left: 0..stones = stones", "left: 0..stones stones"),
        ("turn: player = first", "turn player = first"),
        ("turn chooses k in 1..3", "turn chooses k at 1..3"),
        ("left := left - k", "left := left - (k"),
        ("next end if left == 0 else take", "next end if left == 0 otherwise take"),
        ("phase take", "phase 5"),
        ("state", "stat"),
    ],
)
def test_one_mistake_gives_one_diagnostic(wrong: str, right: str) -> None:
    text = (
        'game nim "Nim"\nparam stones: 1..99 = 20\nplayers first, second\nstate\n    left: 0..stones = stones\n'
        "    turn: player = first\nphase take\n    turn chooses k in 1..3\n    left := left - k if k <= left\n"
        "    turn := other(turn)\n    next end if left == 0 else take\npayoff[p] = if turn == p then -1 else 1\n"
    )
    assert checked(text).game is not None
    broken = text.replace(wrong, right)
    assert broken != text
    found = [one for one in checked(broken).diagnostics if one.severity == "error"]
    assert len(found) == 1, [one.message for one in found]


def test_a_file_of_mistakes_ends_with_a_word_that_there_is_more() -> None:
    found = checked("".join(f"let a{n} = b{n}\n" for n in range(200))).diagnostics
    assert len(found) == 51
    assert any("more than 50 mistakes" in one.message for one in found)


@pytest.mark.parametrize(
    ("name", "value", "words", "hint"),
    [
        ("n", "99", "parameter `n` takes 2..9, and `99` is not one of them", "its default is `3`"),
        ("n", "x", "parameter `n` takes 2..9", "its default is `3`"),
        ("m", "1", "the game has no parameter `m`", "did you mean `n`?"),
        ("kind", "shwon", "parameter `kind` takes {shown, hidden}", "did you mean `shown`?"),
        ("kind", "zzzzzz", "parameter `kind` takes {shown, hidden}", "its default is `shown`"),
        ("flag", "perhaps", "parameter `flag` takes yes or no", "its default is `no`"),
    ],
)
def test_wrong_parameters_give_one_line_each(name: str, value: str, words: str, hint: str) -> None:
    text = (
        'game g "G"\nparam n: 2..9 = 3\nparam kind: {shown, hidden} = shown\nparam flag: bool = no\nplayers a, b\n'
        "phase go\n    each p chooses x in 1..n\n    next end\n"
        "payoff[p] = if kind == shown and flag then 1 else 0\n"
    )
    found = check(SourceFile("t.rules", text), {name: value}).diagnostics
    assert len(found) == 1, found
    assert words in found[0].message
    assert found[0].span is None
    if not (name == "m" and found[0].hint and "it has" in found[0].hint):
        assert found[0].hint == hint
