"""Updates of sets of many words, one member at a time, and updates that share what they compute."""

from __future__ import annotations

import pytest

from ggp.language import typed
from tests.support.comparison import compare_all
from tests.support.implementations import Plain
from tests.support.library import one_phase, typed_game


def marks(mark: str, clear: str, always: str) -> typed.Game:
    """Return a game in which numbers are marked, and marks are taken away."""
    phase = f"""turn chooses
    mark by x in -3..400
    clear by x in marked
on mark:
    {mark}
    last := if x == 5 then none else x
on clear:
    {clear}
    last := none if x mod 2 == 0
{always}
turn := other(turn)
made := made + 1
next end if made == 30 else go"""
    state = "marked: set of -3..400 = {7, 63, 64, 400}\nbeside: set of -3..400 = {}\n"
    state += "last: -3..400 or none = none\nturn: player = ann\nmade: 0..30 = 0"
    payoff = "if p == ann then count(marked) + hash(1000, marked) else hash(1000, beside)"
    return typed_game(one_phase(phase, state, payoff=payoff))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("mark", "clear", "always"),
    [
        ("marked := marked + {x}", "marked := marked - {x}", "beside := beside + {made, -3, 64}"),
        ("marked := marked + {x, x div 2, last}", "marked := marked - {x, last}", "beside := {last} + beside"),
        ("marked := {last, 399} + marked", "marked := marked - {last, 0, x}", "beside := beside - {made}"),
        # of another variable, or the other way round: not a change of members
        ("marked := beside + {x}", "marked := {x, 3} - marked", "beside := marked + {made}"),
        ("marked := marked + {x} if x > 9", "marked := marked - {x} if last != none", "beside := marked - {made}"),
    ],
)
def test_members_are_added_and_taken_away(mark: str, clear: str, always: str) -> None:
    assert compare_all(marks(mark, clear, always), games=2, playouts=20) == ["end", "end"]


def test_a_member_added_twice_is_a_conflict() -> None:
    always = "marked := marked + {made} if made > 9 and last != none"
    game = marks("marked := marked + {x}", "marked := marked - {x}", always)
    assert compare_all(game, games=3, playouts=20) == ["fault"] * 3


SHARED = one_phase(
    """turn chooses
    place by c in all - stones[ann] - stones[bob]
    pass
on place:
    stones[turn] := stones[turn] + {c}
    stones[other(turn)] := stones[other(turn)] - chain(c)
    beads[turn, j] := beads[turn, j] + count(chain(c))                for j in 1..4
    beads[other(turn), j] := beads[other(turn), j] - count(chain(c))  for j in 2..4
on pass:
    beads[turn, 1] := beads[turn, 2 + made mod 3]
    beads[other(turn), made mod 4 + 1] := 3
turn := other(turn)
made := made + 1
next end if made == 30 else go""",
    "stones[player]: set of cell = {}\nbeads[player, 1..4]: 0..40 = 20\nturn: player = ann\nmade: 0..30 = 0",
    "board cell = grid(5, 5)",
    defs="def chain(c: cell) = reach from {c} through stones[turn] + {c} by {north, east}",
    payoff="sum j in 1..4: beads[p, j] * j",
)
"""Both sides change by the same laborious number."""


@pytest.mark.long
def test_updates_of_one_kind_share_what_they_compute() -> None:
    game = typed_game(SHARED)
    assert all(update.exclusive for update in game.phases[0].updates)
    assert set(compare_all(game, games=30, playouts=200)) == {"end", "fault"}
    step = Plain(game).source.split("def step_go")[1].split("\ndef ")[0]
    assert step.count("f_chain(") == 1


@pytest.mark.parametrize(
    ("second", "apart"),
    [("other(who)", True), ("who", False), ("q", False), ("other(q)", False), ("other(other(who))", False)],
)
def test_indices_that_differ(second: str, apart: bool) -> None:
    phase = f"ann chooses x in 1..3\na[who] := x if x > 1\na[{second}] := x if x < 3"
    text = one_phase(phase, "a[player]: 0..9 = 0\nwho: player = ann\nq: player = ann")
    assert [update.exclusive for update in typed_game(text).phases[0].updates] == [apart, apart]


@pytest.mark.parametrize(
    ("updates", "apart"),
    [
        ("a[n] := 1 if x > 1\na[n + 1] := 2 if x < 3", True),
        ("a[n] := 1 if x > 1\na[n - 1] := 2 if x < 3", True),
        ("a[n] := 1 if x > 1\na[n + 0] := 2 if x < 3", False),
        ("a[n] := 1 if x > 1\na[x + 1] := 2 if x < 3", False),
        ("a[j] := 1 for j in 1..3\na[j + 1] := 2 for j in 1..3", False),
        ("a[j] := 1 for j in 1..3 if j == x\na[j + 1] := 2 for j in 1..3 if j == x", False),
    ],
)
def test_numbers_that_differ(updates: str, apart: bool) -> None:
    text = one_phase(f"ann chooses x in 1..3\n{updates}", "a[0..9]: 0..9 = 0\nn: 1..8 = 4")
    assert all(update.exclusive for update in typed_game(text).phases[0].updates) == apart


@pytest.mark.long
def test_computed_sets_of_hundreds_of_words() -> None:
    text = one_phase(
        "ann chooses x in 1..9\nlet more = held + {x}\n"
        "value := count(more) + if x + 900 in held + other_held then 1 else 2",
        "held: set of 1..15000 = {5, 900, 910, 14999}\nother_held: set of 1..15000 = {3, 905, 15000}\n"
        "value: 0..100000 = 0",
        payoff="if held & other_held == {} then value else 0",
    )
    assert compare_all(typed_game(text), games=6, playouts=1, limit=3) == ["end"] * 6


def test_old_values_of_many_words_are_kept_for_next() -> None:
    text = one_phase(
        "ann chooses x in 0..9\nv := v + {x, x + 200}\nmade := made + 1\n"
        "next end if made == 5 or count(v - old v) == 0 else go",
        "v: set of 0..300 = {7}\nv_4: 0..9 = 3\nmade: 0..5 = 0",
        payoff="count(v) + made + v_4",
    )
    assert compare_all(typed_game(text), games=6, playouts=1, limit=6) == ["end"] * 6
