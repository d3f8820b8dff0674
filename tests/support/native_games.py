"""Small games for the tests of searches."""

from __future__ import annotations

from collections.abc import Sequence

import ggp
from ggp.native.interface import NativeGame
from tests.support.library import game_of

BIASED_RPS = ((50, 25, 100), (75, 50, 45), (0, 55, 50))
"""Biased rock, paper, scissors (Shafiei, Sturtevant, Schaeffer 2009, table 1); the column player gets 100 minus it."""


def goofspiel_of(cards: int) -> NativeGame:
    """Return goofspiel of the library, with shuffled prizes."""
    return ggp.load("goofspiel", n=cards).native()


def matrix_game(payoffs: Sequence[Sequence[int]], total: int) -> NativeGame:
    """Return the game of one joint action; the second player gets `total` minus the payoff.

    The actions of the first player are 0, 1, ..., those of the second the numbers that follow them.
    """
    low, high, count = min(map(min, payoffs)), max(map(max, payoffs)), len(payoffs)
    return game_of(f"""
game matrix "One choice of each"
players row, col
type line = 0..{2 * count - 1}
type place = 0..{count - 1}
table pay[place, place]: {low}..{high} = {[list(row) for row in payoffs]}
state
    won: {low}..{high} = {low}
phase choice
    each p chooses side in line where (side >= {count}) == (p == col)
    won := pay[side[row] mod {count}, side[col] mod {count}]
    next end
payoff[p] = if p == row then won else {total} - won
payoff sum = {total}
""").native()
