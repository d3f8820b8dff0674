"""Games that the interpreter, the generated source and the machine code once took differently."""

from __future__ import annotations

import pytest

from ggp.faults import LimitExceeded, RulesFault
from ggp.language import SourceFile, check
from ggp.rules_compiler.rules_backend import game_of_rules, rules_of
from tests.support.comparison import compare_all
from tests.support.implementations import Plain, native_of
from tests.support.library import one_phase, typed_game


def endings(text: str, games: int = 2) -> list[str]:
    """Compare plays and playouts of all implementations, and return how the plays ended."""
    return compare_all(typed_game(text), games, playouts=games, limit=9)


@pytest.mark.parametrize("above", [0, 9])
def test_a_player_who_acts_twice_is_a_fault_of_playouts_too(above: int) -> None:
    phase = f"first chooses x in 1..3\nsecond chooses y in 1..3 where y > {above}"
    game = game_of_rules(typed_game(one_phase(phase, "first: player = ann\nsecond: player = ann")))
    with pytest.raises(RulesFault, match="acts twice"):
        game.initial().actors()
    with pytest.raises(RulesFault, match="acts twice"):
        rules_of(game).plain.playout(game.initial().words, [1], 10)
    assert native_of(game).playout(list(game.initial().words), [1], 10)[0] == -2


def test_the_move_of_a_player_who_does_not_act_is_none() -> None:
    rules = typed_game(
        one_phase(
            "ann chooses x in 1..3\nsecond chooses y in 1..3\nsecond := if second == bob then eve else bob\n"
            "sees all: move[ann], move[bob], move[eve]\nsees each p: move[p]\nnext go if second == eve else end",
            "second: player = bob",
            players="ann, bob, eve",
        )
    )
    assert compare_all(rules, games=3, limit=9) == ["end"] * 3
    state = game_of_rules(rules).initial().apply({"ann": "2", "bob": "3"})
    told = [value for _, value in state.readable_observation("eve")]
    assert told == ["2", "3", None, None]


def test_a_step_far_beyond_the_board_takes_no_longer_than_a_short_one() -> None:
    rules = one_phase(
        "chance draws d in {north, east, southwest}, forth in bool\n"
        "here := here + (if forth then times * times else -times * times) * d\n"
        "times := 1\nnext go if times > 1 else end",
        "here: set of cell = all\ntimes: 0..90000000 = 90000000",
        "board cell = grid(3, 2)",
        payoff="count(here)",
    )
    assert compare_all(typed_game(rules), games=6, limit=9) == ["end"] * 6


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
    text = one_phase("ann chooses y in 999..1000\nx := y", "x: 0..1000 = 1000", payoff=payoff)
    source = SourceFile("found.rules", text)
    if utility is None:
        (found,) = check(source).diagnostics
        assert "no bounds can be proven" in found.message
        return
    rules = typed_game(source.text)
    assert compare_all(rules, games=4, limit=9) == ["end"] * 4
    state = game_of_rules(rules).initial().apply("1000")
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


@pytest.mark.sweep
@pytest.mark.parametrize(("low", "high"), [(-70, 300), (-7, 63), (-6, 58), (1, 64), (0, 128), (5, 5), (7, 6)])
def test_ranges_as_sets(low: int, high: int) -> None:
    rules = typed_game(RANGES.format(low=low, high=high))
    ending = "fault" if low > high else "end"  # nothing to choose from
    assert compare_all(rules, games=3, playouts=3, limit=40) == [ending] * 3


FOLDED_STATE = """zero: 0..3 = 0
one: 0..3 = 1
nobody: player or none = none
somewhere: cell or none = none
flag: bool = no
here: set of cell = {}"""


@pytest.mark.sweep
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
        "here := {cell(1, 1)} - all - (if {fault} then all else {})",
        "here := here - here - (if {fault} then all else {})",
        "flag := cell(1, 1) + 0 * north == somewhere or {fault}",
    ],
)
def test_a_fault_is_one_whatever_is_done_with_the_value(line: str, fault: str) -> None:
    phase = f"chance draws d in 1..2\n{line.replace('{fault}', fault)}"
    head = "board cell = grid(3, 2)\ntable rank[1..3]: 0..3 = [0, 0, 0]"
    assert endings(one_phase(phase, FOLDED_STATE, head)) == ["fault"] * 2


@pytest.mark.parametrize("line", ["long[2] := x", "long[x] := 7", "few := {x, d + 200}", "long[2] := x if d == 3"])
def test_arrays_take_old_values_in_playouts_too(line: str) -> None:
    phase = f"chance draws d in {{3, 5}}\nx := d\n{line}\nnext end if x == 5 else go"
    state = "x: 1..9 = 2\nlong[1..9]: 0..9 = 0\nfew: set of 1..300 = {}"
    assert endings(one_phase(phase, state, payoff="long[2] * 10 + long[3] + count(few)"), games=5) == ["end"] * 5


@pytest.mark.parametrize(
    ("line", "utility"),
    [
        ("r := max(0, above(low, high) - above(high, low))", 400.0),
        ("r := count p in player, q in player: (sum x in many: count y in many: of[p] < of[q]) > 9", 1.0),
        ("both[p, q] := sum x in many: count y in many: of[p] < of[q] for p in player, q in player", 400.0),
    ],
)
def test_what_is_moved_before_a_loop_is_not_taken_for_another(line: str, utility: float) -> None:
    state = "low: 0..9 = 1\nhigh: 0..9 = 7\nof[player]: 0..9 = {ann: 1, bob: 7}\nr: 0..400 = 0\n"
    head = "type many = 1..20\ndef above(a: 0..9, b: 0..9) = sum x in many: count y in many: a < b"
    payoff = "r + both[ann, bob] + 2 * both[bob, ann]"
    text = one_phase(line, f"{state}both[player, player]: 0..400 = 0", head, payoff=payoff)
    assert endings(text) == ["end"] * 2
    plain = Plain(typed_game(text))
    assert plain.playout(plain.initial(), [1], 9) == (1, [utility, utility])


@pytest.mark.parametrize(
    ("collected", "ending"),
    [
        ("{c for d in 0..5, c in nothing if 1 div zero == d}", "end"),
        ("{c for d in 0..5, c in (if 1 div zero == d then all else nothing) if zero == 1}", "fault"),
        ("{c for d in 0..5, c in (if 1 div zero == d then all else nothing)}", "fault"),
        ("{c for d in {x for x in 0..5 if x > 7}, c in (if 1 div zero == d then all else nothing)}", "end"),
    ],
)
def test_a_condition_of_a_set_is_a_fault_where_it_is_tested(collected: str, ending: str) -> None:
    state = "zero: 0..3 = 0\nnothing: set of 0..9 = {}\ntaken: set of 0..9 = {}"
    text = one_phase(f"chance draws e in 0..5\ntaken := {collected}", state, payoff="count(taken)")
    assert endings(text) == [ending] * 2


@pytest.mark.parametrize(
    ("line", "index"), [("row[10 div zero] := 1", "5"), ("zero := row[10 div zero] mod 2", "5"), ("", "10 div zero")]
)
def test_nothing_beside_an_array_is_written_after_a_fault(line: str, index: str) -> None:
    # the rows that machine code is given lie between canaries
    ending = "fault" if line else "end"
    text = one_phase(line or "next end", "row[5..10]: 0..9 = 0\nzero: 0..2 = 0", payoff=f"row[{index}]")
    assert endings(text) == [ending] * 2


@pytest.mark.parametrize(
    "domain", ["(if 1 div zero == 1 then few else few)", "1..2 where 1 div zero == 1", "all - (all - few)"]
)
def test_a_fault_before_a_dead_end_is_a_fault(domain: str) -> None:
    text = one_phase(f"ann chooses x in {domain}", "zero: 0..3 = 0\nfew: set of 0..3 = {}")
    assert endings(text) == ["fault"] * 2


@pytest.mark.parametrize(("length", "is_taken"), [(90, True), (110, False)])
def test_code_that_python_does_not_take_is_too_large(length: int, is_taken: bool) -> None:
    ways = "".join(f"else go if x == {at} " for at in range(4, length))
    rules = typed_game(one_phase(f"x := x + 1\nnext end if x == 3 {ways}else go", "x: 0..999 = 0", payoff="x"))
    if is_taken:
        assert Plain(rules).playout([0, 0, 0], [1], 9) == (3, [3.0, 3.0])
    else:
        with pytest.raises(LimitExceeded, match="nested blocks"):
            Plain(rules)


@pytest.mark.parametrize(
    ("choice", "utilities"),
    [
        ("row chooses drop[s in step] in 0..3 where total(drop) == 2\nx := drop[1]", {0, 1, 2}),
        ("row chooses drop[s in step] in s..3 where twice(drop, 2) == 8\nx := drop[1] + total(drop)", {5, 6}),
        ("each p chooses drop[s in step] in 0..3 where total(drop) == 2\nx := drop[row, 1]", {0, 1, 2}),
        (
            "row chooses\n    a by drop[s in step] in 0..3 where total(drop) == 2\n    pass\non a: x := drop[1] + 3",
            {0, 3, 4, 5},
        ),
        ("chance draws drop[s in step] in 0..3 weight if total(drop) == 2 then 1 else 0\nx := drop[2]", {0, 1, 2}),
        (
            "row chooses drop[s in step] in 0..1, up in 0..total(drop) where twice(drop, 1) < 2\n"
            "x := up + 10 * total(drop)",
            {0, 10, 11},
        ),
    ],
)
def test_a_definition_reads_what_is_being_chosen_or_drawn(choice: str, utilities: set[float]) -> None:
    defs = "def total(drop[step]: 0..3) = sum s in step: drop[s]\n"
    defs += "def twice(drop[step]: 0..3, by: 1..2) = by * total(drop) + x * 0"
    text = one_phase(choice, "x: 0..99 = 0", "type step = 1..2", defs=defs, payoff="x", players="row, col")
    assert endings(text, games=20) == ["end"] * 20
    plain = Plain(typed_game(text))
    played = [plain.playout(plain.initial(), [seed], 9) for seed in range(40)]
    assert {utility for _, (utility, _) in played} == utilities


FLAGS = """game flags "A quantifier stored in an array of truth values"
players one
board cell = grid(2, 5)
state
    steps: 0..99 = 0
    seen[cell]: bool = no
phase look
    seen[cell(2, 2)] := any x in 1..min(3, steps): hash(2, steps, 4) == 1
    steps := steps + 1
    next end if steps >= 6 else fill
phase fill
    seen[i] := yes for i in cell
    steps := steps + 1
    next look
payoff[p] = steps
"""


def test_a_truth_value_computed_in_a_loop_goes_into_a_packed_array() -> None:
    assert endings(FLAGS) == ["end"] * 2


def test_an_array_is_kept_as_sets_whatever_unused_definitions_do_with_it() -> None:
    rules = one_phase(
        "turn chooses c in 1..9 where owner[c] is none\nowner[c] := turn\nturn := other(turn)\n"
        "next end if no s in 1..9: owner[s] is none else go",
        "owner[1..9]: player or none = none\nturn: player = ann",
        defs="def hidden(k: 1..3) = owner == owner and k > 1",
        payoff="count c in 1..9: owner[c] == p",
    )
    assert compare_all(typed_game(rules), games=2, playouts=2, limit=20) == ["end"] * 2


@pytest.mark.parametrize(
    "option",
    ["if n >= 0 or yes then n == 2 else none", "if x == 1 then n == 2 else none", "if x > 0 then no else none"],
)
def test_truth_values_that_may_be_none(option: str) -> None:
    phase = f"ann chooses x in 1..2\nfound := 7 if ({option}) is some\nn := n + 1\nnext end if n == 3 else go"
    assert endings(one_phase(phase, "n: 0..9 = 0\nfound: 0..9 = 0", payoff="found", players="ann")) == ["end", "end"]
