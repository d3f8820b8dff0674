"""Small games for the tests of searches."""

from __future__ import annotations

from collections.abc import Sequence

import ggp
from ggp.native.interface import NativeGame
from tests.support.library import game_of, one_phase

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
    rules = one_phase(
        f"each p chooses side in line where (side >= {count}) == (p == bob)\n"
        f"won := pay[side[ann] mod {count}, side[bob] mod {count}]",
        f"won: {low}..{high} = {low}",
        f"type line = 0..{2 * count - 1}\ntype place = 0..{count - 1}\n"
        f"table pay[place, place]: {low}..{high} = {[list(row) for row in payoffs]}",
        payoff=f"if p == ann then won else {total} - won\npayoff sum = {total}",
    )
    return game_of(rules).native()
