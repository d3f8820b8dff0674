"""Proofs that payoffs add up, and what counts as seen."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import ggp
from ggp.faults import RulesFault
from ggp.language import typed
from ggp.rules_compiler.rules_backend import game_of_rules, rules_of
from ggp.static_analysis.payoffs import check_sum, known_sum, proven_sum, proven_teams, within_sum
from tests.support import small_game
from tests.support.library import one_phase, typed_game


def game_paying(first: str, second: str, definitions: str = "") -> typed.Game:
    table = "table wins[0..9]: 0..9 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"
    state, payoff = "n: 0..9 = 0\nm: 0..9 = 0\nout: set of player = {}", f"if p == ann then {first} else {second}"
    return typed_game(one_phase("each p chooses q in 0..1", state, table, defs=definitions, payoff=payoff))


@pytest.mark.parametrize(
    ("first", "second", "constant"),
    [
        ("n - m", "m - n", True),
        ("n - m", "n - m", False),
        ("sign(n - m)", "sign(m - n)", True),
        ("sign(n - m)", "sign(n - m)", False),
        ("n", "5 - n", True),
        ("(if n < m then 1 else -1)", "(if n < m then -1 else 1)", True),
        ("(if n < m then 1 else -1)", "(if n < m then 1 else -1)", False),
        ("(if n < m then 3 else 2)", "(if not n < m then 3 else 2)", True),
        ("wins[n]", "-wins[n]", True),
        ("wins[n]", "wins[n]", False),
        ("2 * wins[n]", "-2 * n", False),
        ("n / 2", "-0.5 * n", True),
        ("(if out == {} or out == all then 0 else if p in out then -1 else 1)",) * 2 + (True,),
        ("(if out == {} then 0 else if p in out then -1 else 1)",) * 2 + (False,),
        ("(if out == {p} then -1 else if out == {other(p)} then 1 else 0)",) * 2 + (True,),
        ("sign((count i in 0..9: wins[i] < n) - m)", "sign(m - (count j in 0..9: wins[j] < n))", True),
        ("sign((count i in 0..9: wins[i] < n) - m)", "sign(m - (count j in 0..9: wins[j] < m))", False),
        ("(sum i in 0..9: count j in 0..n: wins[i] < m)", "-(sum a in 0..9: count b in 0..n: wins[a] < m)", True),
        ("(sum i in 0..9: count j in 0..n: wins[i] < m)", "-(sum a in 0..9: count b in 0..n: wins[b] < m)", False),
        ("(sum i in 0..9: count j in 0..n: wins[j] < m)", "-(sum i in 0..9: count j in 0..m: wins[j] < m)", False),
        ("(sum i in 0..9 if i < n: wins[i])", "-(sum i in 0..9 if i < m: wins[i])", False),
        ("behind(count i in 0..9: wins[i] < n)", "-(sum i in 0..9: (count j in 0..9: wins[j] < n) + i)", False),
        ("behind(count i in 0..9: wins[i] < n)", "-(sum i in 0..9: (count j in 0..9: wins[i] < n) + i)", False),
        ("(if all i in 0..9: wins[i] < n then 1 else 0)", "(if all i in 0..9: wins[i] < n then -1 else 0)", True),
        ("count({wins[i] for i in 0..9 if i < n})", "-count({wins[i] for i in 0..9 if i < n})", True),
        ("count({wins[i] for i in 0..9 if i < n})", "-count({i for i in 0..9 if i < n})", False),
    ],
)
def test_proofs(first: str, second: str, constant: bool) -> None:
    definitions = "def behind(k: 0..10) = sum i in 0..9: k + i"
    assert (proven_sum(game_paying(first, second, definitions)) is not None) is constant


@pytest.mark.parametrize(
    ("payoff", "teams"),
    [
        ("if side[p] == winner then 1 else -1", (0, 1, 0, 1)),
        ("points(side[p]) - points(if side[p] == east_west then north_south else east_west)", (0, 1, 0, 1)),
        ("if side[p] == winner then 1 else if p == south then 0 else -1", (0, 1, 2, 1)),
        ("points(winner)", (0, 0, 0, 0)),
        ("(count q in player: q == p and won[q] > 1) + won[p]", (0, 1, 2, 3)),
    ],
)
def test_teams_are_those_whose_payoffs_never_differ(payoff: str, teams: tuple[int, ...]) -> None:
    rules = one_phase(
        "each p chooses q in 0..1",
        "won[player]: 0..9 = 0\nwinner: pair = north_south",
        "type pair = {north_south, east_west}\n"
        "table side[player]: pair = [north_south, east_west, north_south, east_west]",
        defs="def points(s: pair) = sum p in player if side[p] == s: won[p]",
        payoff=payoff,
        players="north, east, south, west",
    )
    assert proven_teams(typed_game(rules)) == teams


def test_a_chain_of_definitions_is_given_up() -> None:
    chain = "\n".join(["let f0 = min(n, 1)", *(f"let f{i + 1} = min(1, f{i} + f{i})" for i in range(12))])
    rules = game_paying("f12", "-f12", chain)
    assert proven_sum(rules) is None
    assert rules_of(game_of_rules(rules)).plain.source.count("def f_") < 60, "and its code stays small"


def test_what_is_stated_counts_and_what_is_neither_stated_nor_proven_does_not() -> None:
    rules = game_paying("(if n < m then 1 else 0)", "(if m * m > 81 then 1 else 0)")
    assert known_sum(rules) is None
    assert game_of_rules(rules).utility_sum is None
    stated = replace(rules, stated_sum=typed.StatedSum(1.0, small_game.SPAN))
    assert game_of_rules(stated).utility_sum == 1.0


def test_utilities_are_held_against_what_is_stated() -> None:
    stated = replace(small_game.GAME, stated_sum=typed.StatedSum(3.0, small_game.SPAN))
    check_sum(stated, (1.0, 2.0 + 1e-12))
    with pytest.raises(RulesFault, match="said to sum to 3, got 4"):
        check_sum(stated, (1.0, 3.0))


@pytest.mark.parametrize(
    ("bounds", "total", "narrowed"),
    [
        (((-100, 100), (-100, 100)), 100.0, ((0, 100), (0, 100))),
        (((0, 5), (-9, 9)), 0.0, ((0, 5), (-5, 0))),
        (((-9, 2), (-1, 4)), 1.0, ((-3, 2), (-1, 4))),
        (((-1, 1), (-1, 1)), None, ((-1, 1), (-1, 1))),
        (((0, 1), (0, 1), (0, 1)), 1.0, ((0, 1), (0, 1), (0, 1))),
        (((-2, 5), (-2, 5), (-2, 5)), 0.0, ((-2, 4), (-2, 4), (-2, 4))),
        (((0, 1), (0, 1)), 5.0, ((0, 1), (0, 1))),
    ],
)
def test_bounds_are_narrowed_by_the_sum(bounds, total, narrowed) -> None:
    assert within_sum(bounds, total) == narrowed


def test_native_bounds_agree_with_the_sum() -> None:
    native = ggp.load("rock_paper_scissors", payoffs="biased").native()
    assert (native.utility_sum, native.utility_low, native.utility_high) == (100.0, (0.0, 0.0), (100.0, 100.0))
