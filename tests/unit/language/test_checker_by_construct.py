"""What typed nodes come out of the checker: guards where a value may not fit, none where it is proven to."""

from __future__ import annotations

import pytest

from ggp.interpreter.interpreter import Interpreter
from ggp.language import typed
from ggp.language.typed.walk import walk
from tests.support.library import one_phase, typed_game


def game_of(*, state: str = "s: 0..9 = 0", phase: str = "", decl: str = "") -> typed.Game:
    lines = f"red chooses x in 1..3\n{phase}".rstrip("\n")
    return typed_game(one_phase(lines, state, decl.rstrip("\n"), players="red, blue"))


def value_of(expression: str, **more: str) -> typed.Expression:
    return game_of(phase=f"s := {expression}", **more).phases[0].updates[0].value


def has_guard(expression: typed.Expression) -> bool:
    return any(isinstance(part, typed.Guard) for part in walk(expression))


@pytest.mark.parametrize(
    ("expression", "guarded"),
    [
        ("x", False),
        ("s", False),
        ("s + 1", True),
        ("(s + 1) mod 10", False),
        ("s div 2", False),
        ("s - 1", True),
        ("max(s - 1, 0)", False),
        ("min(s + x, 9)", False),
        ("x * 3", False),
        ("x * 4", True),
        ("abs(s - 9)", False),
        ("if s > 3 then 2 else x", False),
        ("count q in 1..9: q > s", False),
        ("count q in 1..10: q > s", True),
        ("sum q in 1..3: x", False),
        ("sum q in 1..4: x", True),
    ],
)
def test_a_guard_stands_only_where_nothing_is_proven(expression: str, guarded: bool) -> None:
    assert has_guard(value_of(expression)) is guarded


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(0 - 7) div 2 + 9", 5),
        ("(0 - 7) mod 2", 1),
        ("if 1 < 2 then 4 else 5", 4),
        ("count({1, 2, 2})", 2),
        ("sum q in 1..3: q", 6),
        ("max(1, 8)", 8),
        ("f(3)", 4),
        ("t[2]", 5),
        ("n", 6),
        ("count(reach from {2} through all by ways)", 3),
        ("(distance from {3} through all - {2} by ways)[2]", 3),
        ("count(reach from {1} through all by two_ways[1])", 1),
        ("count(reach from {1} through all by two_ways[2])", 3),
        ("count(reach from {1} through all by hops(2))", 2),
        ("count w in 1..2: 3 in (reach from {1} through all by hops(w))", 2),
    ],
)
def test_what_the_parameters_decide_is_a_constant(expression: str, value: int) -> None:
    decl = "param n: 1..9 = 6\ntable t[1..3]: 0..9 = [4, 5, 6]\ndef f(i: 1..3) = i + 1\n"
    decl += "table ways[i: 1..3]: set of 1..3 = {max(1, i - 1), min(3, i + 1)}\n"
    decl += "table two_ways[w: 1..2, i: 1..3]: set of 1..3 = if w == 1 then {} else ways[i]\n"
    decl += "def hops(by: 1..2, i: 1..3) = {j in 1..3: j == i + by}\n"
    made = value_of(expression, decl=decl)
    assert isinstance(made, typed.Constant)
    assert made.value == value


def test_a_sum_of_opposite_infinities_is_0_before_play_as_it_is_in_play() -> None:
    # `exp` of so much is infinite; the difference is part of a constant, never a constant of its own.
    difference = "sum q in 1..2: exp(1000 * q * r) * (if q == 1 then 1.0 else -1.0)"
    made = value_of(f"count r in 1..1: ({difference}) == 0 * r")
    assert isinstance(made, typed.Constant)
    assert made.value == 1


def test_division_is_no_constant_where_the_state_divides() -> None:
    assert any(isinstance(part, typed.Binary) and part.operator == "div" for part in walk(value_of("9 div (s + 1)")))


def test_a_branch_that_the_parameters_rule_out_is_left_out() -> None:
    made = value_of("if n == 6 then x else 1 div 0", decl="param n: 1..9 = 6\n")
    assert isinstance(made, typed.Local)


@pytest.mark.parametrize("test", ["s < n", "s == n + 1", "more", "x > 1 and s != n", "s > n or s >= 2", "s <= n - 1"])
def test_an_update_whose_condition_is_never_true_is_left_out(test: str) -> None:
    # `s` has one value, as the round of a game of one round
    phase = f"let more = s < n\ns := s + 1 if {test}"
    made = game_of(state="s: 1..n = 1", decl="param n: 1..5 = 1\n", phase=phase)
    assert made.phases[0].updates == ()


@pytest.mark.parametrize(
    ("phase", "exclusive"),
    [
        ("s := 1", [True]),
        ("s := 1 if s == 2\ns := 2 if s == 3", [True, True]),
        ("s := 1 if s == 2\ns := 2 if not (s == 2)", [True, True]),
        ("s := 1 if s < 2\ns := 2 if s >= 2", [True, True]),
        ("s := 1 if s < 2\ns := 2 if s < 5", [False, False]),
        ("s := 1 if s == x\ns := 2 if s == 2", [False, False]),
    ],
)
def test_updates_are_exclusive_only_where_that_is_proven(phase: str, exclusive: list[bool]) -> None:
    assert [made.exclusive for made in game_of(phase=phase).phases[0].updates] == exclusive


def test_updates_of_one_element_for_each_binding_are_exclusive() -> None:
    state = "a[player]: 0..9 = 0\ns: 0..9 = 0"
    one = game_of(state=state, phase="a[p] := 1     for p in player").phases[0].updates
    assert one[0].exclusive
    other = game_of(state=state, phase="a[red] := p    for p in 1..3 if p == s").phases[0].updates
    assert not other[0].exclusive
    apart = game_of(state=state, phase="a[red] := 1\na[blue] := 2").phases[0].updates
    assert [made.exclusive for made in apart] == [True, True]


def test_everybody_sees_what_was_chosen_where_the_rules_do_not_say() -> None:
    (sees,) = game_of().phases[0].sees
    assert isinstance(sees.audience, typed.Constant)
    assert sees.audience.value == frozenset([0, 1])
    assert sees.labels == ("move",)
    assert game_of(phase="sees nothing").phases[0].sees == ()


def test_an_array_begins_with_the_values_of_a_table_of_another_range() -> None:
    game = game_of(decl="table t[1..3]: 0..3 = [1, 2, 3]\n", state="s: 0..9 = 0\na[1..3]: 0..9 = t")
    assert Interpreter(game).initial().values[1] == (1, 2, 3)


def draw_of(draws: str) -> typed.Chance:
    state = "deck: set of card = all\nhand: set of card, at most 4 = {}"
    game = typed_game(one_phase(f"chance draws {draws}", state, "type card = 1..12"))
    assert game.phases[0].chance is not None
    return game.phases[0].chance


@pytest.mark.parametrize(
    ("draws", "combinations"),
    [
        ("c in 1..6, d in 1..6", 36),
        ("a in card, b in card - {a}, c in card - {a, b}", 12 * 11 * 10),
        ("a in deck, b in deck - {a}, c in deck - {b}", 12 * 11 * 11),
        ("a in 4 of deck, b in 4 of deck - a", 495 * 70),
        ("a in 4 of deck, b in deck - a, c in 2 of deck - a - {b}", 495 * 8 * 21),
        ("a in 3 of hand, b in hand - a", 4),
    ],
)
def test_draws_that_can_be_made_one_after_the_other(draws: str, combinations: int) -> None:
    assert draw_of(draws).successive
    assert typed.combinations(draw_of(draws).components) == combinations


@pytest.mark.parametrize(
    "draws",
    [
        "c in 1..6 weight c",
        "c in 1..6, d in 1..c",
        "a in card, b in card, c in card - {a, b}",  # two cards may be the same one
        "a in card, b in deck - {a}",  # it may not be in the deck
        "a in card - {1}, b in card - {a}, c in card - {1} - {b}",
        "a in deck, b in {c in deck: c > a} + {1}",
        "a in 2 of deck, b in 2 of deck, c in deck - a - b",
    ],
)
def test_draws_of_which_one_decides_how_many_another_has(draws: str) -> None:
    assert not draw_of(draws).successive


def test_membership_in_a_range_reads_its_element_once() -> None:
    made = value_of("if s + x in 1..5 then 1 else 0")
    assert isinstance(made, typed.If)
    assert isinstance(made.condition, typed.Binary)
    assert made.condition.operator == "and"


@pytest.mark.parametrize(("written", "code"), [("c2", 6), ("a1", 0), ("d3", 11), ("cell(3, 2)", 6), ("b3", 9)])
def test_a_cell_is_written_as_it_prints(written: str, code: int) -> None:
    decl = "board cell = grid(4, 3)\nboard pond = grid(9, 9)\ndef d(e3: cell) = e3\n"
    game = game_of(decl=decl, state="at: cell = a1", phase=f"at := d({written})")
    constants = {part.value for part in walk(game.phases[0].updates[0].value) if isinstance(part, typed.Constant)}
    assert code in constants


@pytest.mark.parametrize(("firms", "expected"), [(2, (5, 6)), (4, (5, 6, 7, 7))])
def test_else_may_stand_for_no_player(firms: int, expected: tuple[int, ...]) -> None:
    text = """game g "t"
param n: 2..4 = 2
players firm[n]
state
    capacity[player]: 1..9 = {firm1: 5, firm2: 6, else 7}
phase go
    next end
payoff[p] = capacity[p]
"""
    assert typed_game(text, n=firms).variables[0].initial == expected
