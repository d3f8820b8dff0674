"""Games that the interpreter, the generated source and the machine code once took differently."""

from __future__ import annotations

import pytest
from comparison import compare_playouts, compare_plays
from implementations import Interpreted, Native, Plain

from ggp.language import SourceFile, check, render_all, typed
from ggp.model.faults import RulesFault
from ggp.model.game import Game

TWICE = """game twice "Two choose, and the second may be the first"
players ann, bob
state
    first: player = ann
    second: player = ann
phase go
    first chooses x in 1..3
    second chooses y in 1..3 where y > {above}
    next end
payoff[p] = 0
"""
THREE = """game three "Two of three choose"
players ann, bob, eve
state
    second: player = bob
phase go
    ann chooses x in 1..3
    second chooses y in 1..3
    second := if second == bob then eve else bob
    sees all: move[ann], move[bob], move[eve]
    sees each p: move[p]
    next go if second == eve else end
payoff[p] = 0
"""


def rules_of(text: str) -> typed.Game:
    source = SourceFile("found.rules", text)
    result = check(source)
    assert result.game is not None, render_all(result.diagnostics, source)
    return result.game


@pytest.mark.parametrize("above", [0, 9])
def test_a_player_who_acts_twice_is_a_fault_of_playouts_too(above: int) -> None:
    game = Game(rules_of(TWICE.format(above=above)))
    with pytest.raises(RulesFault, match="acts twice"):
        game.initial().actors()
    with pytest.raises(RulesFault, match="acts twice"):
        game.plain.playout(game.initial().words, [1], 10)
    plain = Plain(game.rules)
    made, _ = Native(game.rules, plain.source).playout(plain.initial(), [1], 10)
    assert made == -2


def test_the_move_of_a_player_who_does_not_act_is_none() -> None:
    rules = rules_of(THREE)
    plain = Plain(rules)
    assert compare_plays(Interpreted(rules), [plain, Native(rules, plain.source)], 1, games=3, limit=9) == ["end"] * 3
    state = Game(rules).initial().apply({"ann": "2", "bob": "3"})
    told = [value for _, value in state.readable_observation("eve")]
    assert told == ["2", "3", None, None]


FAR = """game far "A step as far as numbers go"
players ann, bob
board cell = grid(3, 2)
state
    here: set of cell = all
    times: 0..90000000 = 90000000
phase go
    chance draws d in {north, east, southwest}, forth in bool
    here := here + (if forth then times * times else -times * times) * d
    times := 1
    next go if times > 1 else end
payoff[p] = count(here)
"""


def test_a_step_far_beyond_the_board_takes_no_longer_than_a_short_one() -> None:
    rules = rules_of(FAR)
    plain = Plain(rules)
    assert compare_plays(Interpreted(rules), [plain, Native(rules, plain.source)], 1, games=6, limit=9) == ["end"] * 6


UNDEFINED = """game undefined "Real numbers beyond all bounds"
players ann, bob
state
    x: 0..1000 = 1000
phase go
    ann chooses y in 999..1000
    x := y
    next end
payoff[p] = {payoff}
"""


@pytest.mark.parametrize(
    ("payoff", "utility"),
    [
        ("tanh(exp(x) - exp(x))", 0.0),
        ("tanh(exp(x) / exp(x))", 0.0),
        ("tanh((x - x) * exp(x))", 0.0),
        ("tanh(sum i in 1..3: exp(x) * (i - 2))", 0.0),
        ("tanh(sum i in 1..3: exp(x) * (if i == 1 then -1 else 1))", 1.0),  # added up from the left
        ("tanh((0 - exp(x)) ^ 3)", -1.0),
        ("tanh((x * (0 - 1e200)) ^ 3)", -1.0),
        ("tanh(sqrt(exp(x) - exp(x)))", 0.0),
        ("max(0.5, exp(x + 800) - exp(x + 800))", None),
        ("if exp(x) - exp(x) == 0 then 1 else 2", 1.0),
    ],
)
def test_reals_are_never_undefined(payoff: str, utility: float | None) -> None:
    source = SourceFile("found.rules", UNDEFINED.format(payoff=payoff))
    if utility is None:
        (found,) = check(source).diagnostics
        assert "no bounds that can be proven" in found.message
        return
    rules = rules_of(source.text)
    plain = Plain(rules)
    others = [plain, Native(rules, plain.source)]
    assert compare_plays(Interpreted(rules), others, 1, games=4, limit=9) == ["end"] * 4
    state = Game(rules).initial().apply("1000")
    assert state.utilities()[0] == pytest.approx(utility)
    low, high = rules.utility_bounds[0]
    assert low <= utility <= high


RANGES = """game ranges "Sets of integers in a row"
players ann, bob
state
    low: -70..300 = {low}
    high: -70..300 = {high}
    narrow: set of -5..60 = {{}}
    wide: set of -70..300 = {{}}
    third: set of 0..150 = {{}}
phase go
    ann chooses a in low..high
    next draw
phase draw
    chance draws b in min(low, high)..high
    narrow := {{x for x in max(-5, low)..min(60, high)}}
    wide := {{x for x in low..high}} + {{x for x in b..high}}
    third := {{x for x in 3..abs(high) if x < 150}}
    low := min(300, low + 61)
    next go if low < high else end
payoff[p] = sum(narrow) + sum(wide) + count(third)
"""


@pytest.mark.parametrize(("low", "high"), [(-70, 300), (-7, 63), (-6, 58), (1, 64), (0, 128), (5, 5), (7, 6)])
def test_ranges_as_sets(low: int, high: int) -> None:
    rules = rules_of(RANGES.format(low=low, high=high))
    plain = Plain(rules)
    others = [plain, Native(rules, plain.source)]
    ending = "fault" if low > high else "end"  # nothing to choose from
    assert compare_plays(Interpreted(rules), others, 1, games=3, limit=40) == [ending] * 3
    compare_playouts(plain, others[1], 1, games=3, limit=40)


FOLDED = """game folded "What a fault's value is used for makes no difference"
players ann, bob
board cell = grid(3, 2)
table rank[1..3]: 0..3 = [0, 0, 0]
state
    zero: 0..3 = 0
    one: 0..3 = 1
    nobody: player or none = none
    somewhere: cell or none = none
    flag: bool = no
    here: set of cell = {{}}
phase go
    chance draws d in 1..2
    {line}
    next end
payoff[p] = 0
"""


@pytest.mark.parametrize("fault", ["1 div zero == 1", "5 mod zero == 1", "somewhere.x == 1", "rank[one + 3] == 1"])
@pytest.mark.parametrize(
    "line",
    [
        "flag := {fault} or yes",
        "flag := not ({fault} and no)",
        "one := 2 if {fault} or d > 0 or yes",
        "one := 2 if (if {fault} then 0 else 0) == d",
        "somewhere := if {fault} or yes then none else none",
        "flag := (if {fault} then one else one) == 1",
        "here := {{cell(1, 1)}} - all - (if {fault} then all else {{}})",
        "here := here - here - (if {fault} then all else {{}})",
        "flag := cell(1, 1) + 0 * north == somewhere or {fault}",
    ],
)
def test_a_fault_is_one_whatever_is_done_with_the_value(line: str, fault: str) -> None:
    rules = rules_of(FOLDED.format(line=line.format(fault=fault)))
    plain = Plain(rules)
    others = [plain, Native(rules, plain.source)]
    assert compare_plays(Interpreted(rules), others, 1, games=2, limit=9) == ["fault"] * 2
    compare_playouts(plain, others[1], 1, games=2, limit=9)
