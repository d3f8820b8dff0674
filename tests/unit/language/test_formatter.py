from __future__ import annotations

from textwrap import dedent

import pytest

from ggp.language.text.formatter import format_rules
from ggp.language.text.source import SourceFile


def formatted(text: str) -> str:
    result, diagnostics = format_rules(SourceFile("t.rules", text))
    assert result is not None, diagnostics
    again, _ = format_rules(SourceFile("t.rules", result))
    assert again == result
    return result


def test_what_is_made_of_a_named_value_stands_under_its_let() -> None:
    messy = dedent("""\
        def f(x: digit) =
             let k=x+1 :
               let far = if k > 3 then k
                 else 0:
          far+k
        let a = let k = n:
          k
        """)
    assert formatted(messy) == dedent("""\
        def f(x: digit) =
            let k = x + 1:
            let far = if k > 3 then k
                      else 0:
            far + k
        let a = let k = n:
            k
        """)


def test_blanks_and_indentation() -> None:
    messy = dedent("""\

        game  g   "A  title"
        param n:2 .. 20=13
        players a,b
        table t [ a ]:0..1=[ 0,1 ]
        state
          hand[ player ] :set of card=all
          best:0..n*( n+1 )/2= - 1 + min( 1 ,2 )
        phase play
          each p chooses c in hand [p]-{ 1,2 }
          x :=(a+b) *c   if not  c in{1}
          on  raise :
             y:= at .x
          next end if hand[a]=={  } else  play
        payoff[ p ]=if x then 1.50 else-1
        """)
    assert formatted(messy) == dedent("""\
        game g "A  title"

        param n: 2..20 = 13
        players a, b
        table t[a]: 0..1 = [0, 1]

        state
            hand[player]: set of card = all
            best: 0..n*(n + 1)/2 = -1 + min(1, 2)

        phase play
            each p chooses c in hand[p] - {1, 2}
            x := (a + b) * c                                       if not c in {1}
            on raise:
                y := at.x
            next end if hand[a] == {} else play

        payoff[p] = if x then 1.50 else -1
        """)


def test_tails_are_aligned_within_neighbours_only() -> None:
    long = "a" * 60
    text = f"phase p\n    x := 1 if c\n    {long} := 2 if c\n\n    y := 1 if c\n"
    assert formatted(text).splitlines() == [
        "phase p",
        "    x := 1" + " " * 61 + "if c",
        f"    {long} := 2  if c",
        "",
        "    y := 1" + " " * 49 + "if c",
    ]


def test_a_very_long_line_does_not_push_its_neighbours() -> None:
    long = "a" * 90
    text = f"phase p\n    x := 1 if c # one\n    {long} := 2 if c # two\n"
    assert formatted(text).splitlines()[1] == "    x := 1" + " " * 49 + "if c  # one"
    assert formatted(text).splitlines()[2] == f"    {long} := 2  if c  # two"


def test_a_tail_on_a_line_of_its_own() -> None:
    assert formatted("phase p\n  x := 1\n      for q in s\n      if c\n      and d\n").splitlines()[1:] == [
        "    x := 1",
        " " * 59 + "for q in s",
        " " * 59 + "if c",
        " " * 62 + "and d",
    ]


def test_comments_are_aligned() -> None:
    text = "param n: 1..2 = 1 # one\nparam longer: 1..3 = 2#two\n\n" + f"param {'a' * 40}: 1..2 = 1 # three\n"
    assert formatted(text) == (
        "param n: 1..2 = 1" + " " * 30 + "# one\nparam longer: 1..3 = 2" + " " * 25 + "#two\n\n"
        f"param {'a' * 40}: 1..2 = 1  # three\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Between two statements of one block: as the block.
        ("state\n  x: t = 1\n# c\n  y: t = 1\n", "state\n    x: t = 1\n    # c\n    y: t = 1\n"),
        # Where a block begins: as the block.
        ("state\n# c\n  x: t = 1\n", "state\n    # c\n    x: t = 1\n"),
        # Where a block ends: as it was indented, and before the blank line, or behind it.
        ("state\n  x: t = 1\n  # c\ntype a = b\n", "state\n    x: t = 1\n    # c\n\ntype a = b\n"),
        ("state\n  x: t = 1\n# c\ntype a = b\n", "state\n    x: t = 1\n\n# c\ntype a = b\n"),
        # Amid a statement: as the line behind it.
        ("let x = (a\n# c\n  + b)\n", "let x = (a\n         # c\n         + b)\n"),
        # In a file without statements, and at the end of one.
        ("   # c\n\n\n# d", "# c\n\n# d\n"),
        ("state\n  x: t = 1\n\n\n# c\n\n\n", "state\n    x: t = 1\n\n# c\n"),
    ],
)
def test_comments_on_lines_of_their_own(text: str, expected: str) -> None:
    assert formatted(text) == expected


def test_blank_lines() -> None:
    head = 'game g "t"\n# about n\nparam n: 1..2 = 1\n\n\n\ntype a = b\n'
    text = head + "state\n\n\n  x: t = 1\n\n\n  y: t = 1\npayoff[p] = 1\n"
    assert formatted(text) == dedent("""\
        game g "t"

        # about n
        param n: 1..2 = 1

        type a = b

        state
            x: t = 1

            y: t = 1

        payoff[p] = 1
        """)


CONTINUED = """\
type tile = {ra, god,
             gold}
table worth[tile]: 0..9 = {
    ra: 1,
    god: 2,
    gold: 3
}

def reached(p: player,
            c: cell) =
    if c in men[p] then (bites[p, c]
                         & side(p))
    else (if c in knights then hops[c]
          else if c in kings then steps[c]
          else {}) - side(p)
def attacked(c: cell) =
    hops[c] != {}
    or steps[c] != {}
    or any d in {north,
                 east}:
        c + d in side
let far = distance from {c}
    through all
    by {north}

phase play
    turn chooses a in side(turn),
                 b in {t in reached(turn, a): safe(turn, a, t)
                                              and t != a}
    points[p] := points[p]
        + 1                                                for p in player if p == turn
    next end if over
        else play if again
        else end
"""


def test_continued_lines_stand_under_what_they_continue() -> None:
    flat = "\n".join(
        "         " + line.lstrip() if line.startswith("     ") else line for line in CONTINUED.split("\n")
    )
    expected = CONTINUED.replace("points[p]\n        + 1   ", "points[p]\n                 + 1   ").replace(
        " " * 48 + "for p", " " * 39 + "for p"
    )
    assert formatted(CONTINUED) == expected
    assert formatted(flat) == expected


def test_a_line_may_end_behind_the_first_word() -> None:
    assert formatted("players\n red,\n   blue\n") == "players\n    red,\n    blue\n"
    assert formatted("players red,\n blue\n") == "players red,\n        blue\n"


def test_errors_of_syntax_leave_the_file_alone() -> None:
    result, diagnostics = format_rules(SourceFile("t.rules", "param n 1..2 = 1\n"))
    assert result is None
    assert [diagnostic.severity for diagnostic in diagnostics] == ["error"]


@pytest.mark.long
def test_time_is_linear_in_blank_lines_and_comments() -> None:
    text = "state\n" + "\n# c\n" * 12_000 + "    x: t = (1\n" + "# d\n\n" * 12_000 + ")\n"
    assert len(formatted(text)) > 60_000
