"""Proofs that payoffs add up, and what counts as seen."""

from __future__ import annotations

import dataclasses

import pytest
import small_game
from expression_games import REAL, SPAN, const, expression_game, integer, operation, read, variable

import ggp
from ggp.language import typed
from ggp.language.typed.types import BOOL, ArrayType, IntType
from ggp.model.faults import RulesFault
from ggp.model.makers.rules import game_of_rules, rules_of
from ggp.model.payoffs import check_sum, known_sum, proven_sum, within_sum

N = variable("n", IntType(0, 9), 0)
M = variable("m", IntType(0, 9), 0)
SMALL = IntType(-99, 99)
LESS = operation("less", read(N), read(M))
DIFFERENCE = operation("subtract", read(N), read(M), SMALL)
REVERSED = operation("subtract", read(M), read(N), SMALL)


def sign(node: typed.Expression) -> typed.Expression:
    return typed.Unary("sign", node, SMALL, SPAN)


def when(condition: typed.Expression, then: int, otherwise: int) -> typed.Expression:
    return typed.If(condition, integer(then), integer(otherwise), SMALL, SPAN)


def entry(factor: int) -> typed.Expression:
    values = tuple(factor * value for value in range(10))
    table = typed.Table("wins", ArrayType((IntType(0, 9),), SMALL), values, SPAN)
    return typed.TableRead(table, (read(N),), SMALL, SPAN)


@pytest.mark.parametrize(("first", "second", "constant"), [
    (DIFFERENCE, REVERSED, True), (DIFFERENCE, DIFFERENCE, False), (sign(DIFFERENCE), sign(REVERSED), True),
    (sign(DIFFERENCE), sign(DIFFERENCE), False), (read(N), operation("subtract", integer(5), read(N), SMALL), True),
    (when(LESS, 1, -1), when(LESS, -1, 1), True), (when(LESS, 1, -1), when(LESS, 1, -1), False),
    (when(LESS, 3, 2), when(typed.Unary("not", LESS, BOOL, SPAN), 3, 2), True), (entry(1), entry(-1), True),
    (entry(1), entry(1), False), (entry(2), operation("multiply", integer(-2), read(N), SMALL), False),
    (operation("divide", read(N), integer(2), REAL), operation("multiply", const(-0.5, REAL), read(N), REAL), True),
])  # fmt: skip
def test_proofs(first: typed.Expression, second: typed.Expression, constant: bool) -> None:
    assert (proven_sum(expression_game([N, M], [first, second])) is not None) is constant


def test_a_chain_of_definitions_is_given_up() -> None:
    body: typed.Expression = read(N)
    for level in range(40):
        function = typed.Function(f"f{level}", (), body, SMALL, is_let=False, phase=None, span=SPAN)
        call = typed.Call(function, (), SMALL, SPAN)
        body = operation("add", call, call, SMALL)
    rules = expression_game([N], [body, typed.Unary("negate", body, SMALL, SPAN)])
    assert proven_sum(rules) is None
    assert rules_of(game_of_rules(rules)).plain.source.count("def f_") < 60, "and its code stays small"


def test_what_is_stated_counts_and_what_is_neither_stated_nor_proven_does_not() -> None:
    rules = expression_game([N, M], [when(LESS, 1, 0), when(operation("greater", read(M), integer(9)), 1, 0)])
    assert known_sum(rules) is None
    assert game_of_rules(rules).utility_sum is None
    stated = dataclasses.replace(rules, stated_sum=typed.StatedSum(1.0, SPAN))
    assert game_of_rules(stated).utility_sum == 1.0


def test_utilities_are_held_against_what_is_stated() -> None:
    stated = dataclasses.replace(small_game.GAME, stated_sum=typed.StatedSum(3.0, SPAN))
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
    ],
)
def test_bounds_are_narrowed_by_the_sum(bounds, total, narrowed) -> None:
    assert within_sum(bounds, total) == narrowed


def test_native_bounds_agree_with_the_sum() -> None:
    native = ggp.load("rock_paper_scissors", payoffs="biased").native()
    assert (native.utility_sum, native.utility_low, native.utility_high) == (100.0, (0.0, 0.0), (100.0, 100.0))
