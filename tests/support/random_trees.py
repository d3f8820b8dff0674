"""Random game trees, as many as there are outcomes of the first draw: everything about a node follows from a hash.

Decisions of either player, chance events (of one outcome too, which is an automatic phase) and ends of the game come in
any order, so chance may decide who moves next.
"""

from __future__ import annotations

from functools import cache

from ggp.game.game import Game
from ggp.game.state import State
from tests.support.library import game_of

TREES = 600
DECISION = """
    key := hash(2147483647, key, way)
    level := level + 1
    next end if level == 9 or (level > 1 and drawn < 2)
        else nature if drawn < 6
        else first_moves if drawn mod 2 == 1
        else second_moves
"""
RULES = f"""
game random_tree "Decisions, chance and ends in any order"
players first, second
type way_on = 0..3
state
    key: 0..2147483646 = 0
    level: 0..9 = 0
let drawn = hash(10, key, 100)
def is_there(way: way_on) = way <= hash(4, key, 101)
def worth(p: player) = if p == first then hash(9, key, 102) - 4 else 4 - hash(9, key, 102)
phase planting
    chance draws tree in 0..{TREES - 1}
    key := hash(2147483647, tree)
    next first_moves if drawn mod 2 == 1 else second_moves
phase first_moves
    first chooses way in way_on where is_there(way){DECISION}
phase second_moves
    second chooses way in way_on where is_there(way){DECISION}
phase nature
    chance draws way in {{w in way_on: is_there(w)}} weight 1 + hash(5, key, way){DECISION}
payoff[p] = worth(p)
payoff sum = 0
estimate[p] = worth(p)
"""
"""Payoffs are of nine values, so that there are ties and sure wins."""


@cache
def tree_game() -> Game:
    return game_of(RULES)


def root(tree: int) -> State:
    """Return the root of a tree: a decision."""
    return tree_game().initial().apply_outcome(tree)


def is_leaf(state: State, depth: int) -> bool:
    return state.is_terminal() or (depth == 0 and not state.is_chance())


def leaf_value(state: State) -> float:
    """Return the payoff or estimate of the first player, scaled to [0, 1]."""
    values = state.utilities() if state.is_terminal() else state.estimate()
    assert values is not None
    return (values[0] + 4) / 8


def exact_value(state: State, depth: int) -> float:
    """Return the depth-limited value to the first player, scaled to [0, 1], by its definition (MCMS13, eq. 1)."""
    if is_leaf(state, depth):
        return leaf_value(state)
    if state.is_chance():
        return sum(share * exact_value(state.apply_outcome(way), depth) for way, share in state.chance_outcomes())
    (player,) = state.actors()
    values = [exact_value(state.apply({player: way}), depth - 1) for way in state.legal(player)]
    return min(values) if player else max(values)
