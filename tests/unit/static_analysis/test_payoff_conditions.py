"""Conditions of payoffs that cannot hold together, against the payoffs of every state that can be reached."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from ggp.interpreter.interpreter import Interpreter, WorldState
from ggp.language import typed
from ggp.static_analysis.payoffs import proven_bounds, proven_sum
from tests.support.library import one_phase, typed_game

PHASE = """chance draws w in player, x in 0..2, y in 0..2, e in kind, f in bool, s in bool, l in 1..2
turn := w
points[a] := x
points[b] := y
ended := e
first := f
second := s
last := l                                                  if f
left := {l}                                                if s
winner := w                                                if e != draw
out := (if f then {w} else {}) + (if s then {b} else {})"""
STATE = """turn: player = a
points[player]: 0..2 = 0
ended: kind = draw
first: bool = yes
second: bool = no
left: set of 1..2 = {}
last: 1..2 or none = none
winner: player or none = none
out: set of player = {}"""


def game_of(payoff: str) -> typed.Game:
    return typed_game(one_phase(PHASE, STATE, "type kind = {win, draw, loss}", payoff=payoff, players="a, b"))


@cache
def endings() -> tuple[WorldState, ...]:
    interpreter = Interpreter(game_of("0"))
    start = interpreter.initial()
    return tuple(interpreter.step(start, outcome) for outcome, _ in interpreter.chance_outcomes(start))


def sums(game: typed.Game) -> set[float]:
    """Return what the payoffs sum to in any ending."""
    interpreter = Interpreter(game)
    return {sum(interpreter.utilities(state)) for state in endings()}


def extremes(game: typed.Game) -> list[tuple[float, float]]:
    """Return the least and the most that each player has in any ending."""
    interpreter = Interpreter(game)
    return [(min(own), max(own)) for own in zip(*map(interpreter.utilities, endings()), strict=True)]


MANY_FACTS = " or ".join(f"points[a] * {k} > points[b] + {k}" for k in range(2, 16))
"""More than can be tried in all combinations."""


@pytest.mark.parametrize(
    ("payoff", "total"),
    [
        (f"if {MANY_FACTS} then if p == turn then 1 else -1 else 0", 0),
        (f"if {MANY_FACTS} then if p == turn then 1 else -1 else 1", None),
        ("if p == turn then -1 else 1", 0),
        ("if turn == p then 3 else 1", 4),
        ("if p != turn then 1 else 0", 1),
        ("if points[p] > points[other(p)] then 1 else if points[p] < points[other(p)] then -1 else 0", 0),
        ("if points[p] >= points[other(p)] then 1 else if points[p] == points[other(p)] then 5 else -1", None),
        ("if points[a] <= 1 and points[a] > 1 then 7 else 0", 0),
        ("if points[a] < 1 or points[a] > 0 then 2 else if p == a then 9 else 8", 4),
        ("if points[a] < 1 or points[a] > 1 then 2 else if p == a then 9 else 8", None),
        ("if ended == win or ended == loss or ended == draw then 0 else 1", 0),
        ("if ended == win or ended == loss then 0 else 1", None),
        ("if first == second then 0 else if first == (p == a) then 1 else -1", 0),
        ("if (first and not second) == (p == a) then 1 else -1", 0),
        ("if last == 1 or last == 2 then 0 else if p == a then 1 else 2", None),
        ("if left < {1} or {1} < left or left == {1} then 1 else 0", None),
        ("if 1 > points[a] then 1 else if points[a] >= 1 then 1 else 4", 2),
        ("if points[a] / 2 < 0.4 and points[a] / 2 > 0.6 then 1 else 0", 0),
        ("if winner is none then 0 else if winner == p then 1 else -1", 0),
        ("if winner == p then 2 else if winner == other(p) then -1 else 0.5", 1),
        ("if winner is some and winner != p and winner != other(p) then 9 else 0", 0),
        ("if (p in out) == (other(p) in out) then 0 else if p in out then -1 else 1", 0),
        ("count(out - {p}) - count(out - {other(p)})", 0),
        ("if count(out) != 1 then 0 else if p in out then -1 else 1", 0),
        ("if (count q in player: q in out) >= 2 or 2 == count(player - out) then 0 else if p in out then -1 else 1", 0),
        ("if count(out) < 2 then 0 else if p in out then -1 else 1", None),
        ("if 0 < count(player & out) then 0 else if p in out then -1 else 1", None),
        ("if 0 == count(player & out) then 0 else if p in out + {a} then 1 else 1", None),
    ],
)
def test_conditions_that_cannot_hold_together_are_left_out(payoff: str, total: float | None) -> None:
    game = game_of(payoff)
    assert proven_sum(game) == total
    assert (sums(game) == {total}) is (total is not None)


ATOMS = (
    "p == turn", "turn == a", "turn != b", "points[p] < points[other(p)]", "points[a] >= points[b]", "points[a] == 1",
    "points[b] != 2", "2 > points[p]", "ended == win", "draw == ended", "ended != loss", "first", "second == first",
    "first != (p == a)", "last == 1", "last != 2", "left == {}", "left <= {1}", "1 in left", "points[p] * 2 <= 3",
    "points[p] / 3 > 0.4", "last is none", "winner is none",
    "winner == p", "winner != other(p)", "winner == a", "p in out", "other(p) in out", "count(out) == 1",
    "(count q in player: q in out) < 2", "count(player - out) > 0", "p in out + {a}", "1 >= count(out & {p})",
)  # fmt: skip


def condition(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.3:
        return random.choice(ATOMS)
    left, right = condition(random, depth - 1), condition(random, depth - 1)
    return random.choice(
        [f"({left}) and ({right})", f"({left}) or ({right})", f"not ({left})", f"({left}) != ({right})"]
    )


@pytest.mark.parametrize("payoff", ["if last is none then 0 else last", "0 - (if last is none then 0 else last)"])
def test_a_payoff_of_what_may_be_none_has_the_bounds_of_its_type(payoff: str) -> None:
    game = game_of(payoff)
    assert proven_bounds(game) == game.utility_bounds


@pytest.mark.long
def test_what_is_proven_is_so_in_every_ending() -> None:
    random = Random(7)
    proven = narrowed = 0
    for _ in range(120):
        one, two = condition(random, 2), condition(random, 1)
        worth = random.choice(
            [
                *("1", "if p == turn then 2 else -2", "points[p] - points[other(p)]", "if p == a then 1 else -1"),
                f"(if {one} then points[p] else 0) + (if {one} then 0 else 2)",
            ]
        )
        payoff = f"if {one} then {worth} else if {two} then {random.choice([worth, '0', '1'])} else {worth}"
        game = game_of(payoff)
        total = proven_sum(game)
        bounds = proven_bounds(game)
        narrowed += bounds != game.utility_bounds
        for (low, high), (least, most) in zip(bounds, extremes(game), strict=True):
            assert low <= least <= most <= high, payoff
        if total is not None:
            proven += 1
            assert sums(game) == {total}, payoff
    assert proven > 10
    assert narrowed > 10


@pytest.mark.parametrize(
    "payoff",
    [
        "if points[p] > 0 then points[p] - points[p] * 2 else 1",
        "(if first then points[a] else -2) - (if first then points[b] else -2) + points[b]",
        "(sum q in player: points[q]) - points[p]",
        "(if p == turn then (sum q in player if q != turn: points[q]) else 0) - (if p == turn then 0 else 2)",
        "sign((if first then points[a] else -1) - (if first then 3 else 0))",
        "tanh(points[p] - points[p] + points[a] / 2)",
        "if points[p] == 2 then 3 else points[p] - (if points[p] == 2 then 9 else 1)",
    ],
)
def test_cases_bound_payoffs_more_closely_than_types(payoff: str) -> None:
    game = game_of(payoff)
    bounds = proven_bounds(game)
    assert bounds != game.utility_bounds
    for (low, high), (least, most) in zip(bounds, extremes(game), strict=True):
        assert low <= least <= most <= high
