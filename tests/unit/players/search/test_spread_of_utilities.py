"""Exploration is measured by the utilities that a search meets, not by what the rules allow."""

from __future__ import annotations

import math

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.native.interface import GameShape
from players.search.foundation.kernel_arguments import Work, new_work
from players.search.foundation.leaf_values import FIRST_ITERATIONS, forget_utilities, note_utilities, spread_seen
from players.search.simultaneous.tree_search import TreeSearch
from players.search.uct.graph_search import GraphSearch
from tests.support.library import game_of
from tests.support.searches import search_at

COINS = """
game coins "Ten throws, each for a coin that is safe or one that may win more"
players a, b
state
    points: 0..MOST = 0
    throws: 0..10 = 0
phase choose
    a chooses risk in bool
    next throw if risk else safe
phase throw
    chance draws gain in {0, 3}
    points := points + gain
    throws := throws + 1
    next end if throws == 10 else choose
phase safe
    points := points + 1
    throws := throws + 1
    next end if throws == 10 else choose
payoff[p] = if p == a then points else -points
"""


def coins(most: int) -> ggp.Game:
    return game_of(COINS.replace("MOST", str(most)))


def noted(utilities: list[float], work: Work | None = None) -> Work:
    work = work or new_work(GameShape(1, 1, 1, 1, 1))
    for utility in utilities:
        work.utility[0] = utility
        note_utilities(work)
    return work


@pytest.mark.parametrize("player", ["mcts", "duct"])
def test_bounds_that_are_never_reached_change_nothing(player: str) -> None:
    shares = []
    for most in (30, 3_000):
        game = coins(most)
        search = search_at(GraphSearch | TreeSearch, game.native(), player, game.initial().words, seed_word(3, 1))
        search.run(5_000)
        visits = np.abs(search.action_values(0)[1]) if isinstance(search, GraphSearch) else search.strategy(0)[1]
        shares.append(visits / visits.sum())
    assert shares[0] == pytest.approx(shares[1], abs=0.05)
    assert shares[0].argmax() == 1


def test_the_spread_is_the_range_of_plays_that_are_won_and_lost() -> None:
    assert spread_seen(noted([0.0, 1.0] * 50), 0) == 1.0
    assert spread_seen(noted([0.0, 0.5, 0.5, 1.0] * 50), 0) == 1.0
    assert 0 < spread_seen(noted([0.3] * 50), 0) < 1e-5


def test_the_spread_of_sums_is_a_share_of_their_range() -> None:
    sums = np.random.default_rng(4).normal(0.5, 0.02, FIRST_ITERATIONS).tolist()
    share = 9 * np.var(sums) / (max(sums) - min(sums)) ** 2
    work = noted(sums)
    assert spread_seen(work, 0) == pytest.approx(share * (max(sums) - min(sums)))
    assert share < 0.4
    forget_utilities(work)  # at the next decision the range is measured again, and the share is known
    assert math.isclose(spread_seen(noted([0.4, 0.6], work), 0), 0.2 * share)
