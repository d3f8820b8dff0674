"""Which phases playouts write once for each player."""

from __future__ import annotations

import pytest

from ggp.rules_compiler.rewrite.turns import turn_variable
from tests.support.library import typed_game

RULES = """game turns "t"
players {players}
state
    turn: player = ann
    n[player]: 0..99 = 0
    other_turn: player = ann
    s: set of 0..60 = {{}}
phase go
    {actor} chooses x in 1..3 where {where}
    {updates}
    next end if 5 in s else go
payoff[p] = n[p]
"""
LITTLE = (
    "s := {y + z + x for y in 0..9, z in 0..40 if y * z + 3 * x > 7 and y != z and y + z < 40 or x == 2 and z > 17}"
)


@pytest.mark.parametrize(
    ("players", "actor", "where", "updates", "apart"),
    [
        ("ann, bob", "turn", "x > 1", f"turn := other(turn)\n    {LITTLE}", True),
        ("ann, bob", "turn", "x > 1", f"turn := other(turn) if x == 2\n    {LITTLE}", False),
        ("ann, bob", "turn", "x > 1", LITTLE, False),
        ("ann, bob", "turn", "x > n[turn]", "turn := other(turn) if x == 2\n    n[turn] := x", True),
        ("ann, bob", "other_turn", "x > 1", "turn := other(turn)", False),
        ("ann, bob", "ann", "x > 1", "turn := other(turn)", False),
        ("ann, bob, eve", "turn", "x > 1", "turn := after(turn)", False),
    ],
)
def test_phases_are_written_for_each_player_where_that_pays(
    players: str, actor: str, where: str, updates: str, apart: bool
) -> None:
    text = RULES.format(players=players, actor=actor, where=where, updates=updates)
    game = typed_game(text)
    found = turn_variable(game, game.phases[0])
    assert (found.name if found else None) == ("turn" if apart else None)
