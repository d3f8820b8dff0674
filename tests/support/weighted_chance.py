"""A game whose chance is unequal before and after a simultaneous choice, with values computed by hand.

In rain the matrix is ((3, -1), (-1, 1)), whose value is (3 * 1 - 1 * 1) / 6 = 1/3 with heads played once in three
times; in sun ((8, -4), (-4, 2)), whose value is (8 * 2 - 4 * 4) / 18 = 0, with heads likewise; in a storm the first
gets 2 for certain. Rain, sun and storm have the weights 5, 3 and 2. In the end all that counts with 1/4, or else
nothing does. So the game is worth 1/4 (5/10 * 1/3 + 3/10 * 0 + 2/10 * 2) = 17/120.
"""

from __future__ import annotations

from ggp.game.game import Game
from tests.support.library import game_of

RULES = """
game weather "Two coins in the rain, in the sun, or in a storm"
players a, b
type coin = {heads, tails}
type sky = {rain, sun, storm}
table rain_pay[coin, coin]: -4..8 = [[3, -1], [-1, 1]]
table sun_pay[coin, coin]: -4..8 = [[8, -4], [-4, 2]]
state
    today: sky or none = none
    stake: -4..8 = 0
phase weather
    chance draws now in sky weight if now == rain then 5 else if now == sun then 3 else 2
    today := now
    next throw
phase throw
    each p chooses side in coin
    stake := if today == rain then rain_pay[side[a], side[b]]
             else if today == sun then sun_pay[side[a], side[b]] else 2
    next luck
phase luck
    chance draws kept in 0..1 weight if kept == 1 then 1 else 3
    stake := kept * stake
    next end
payoff[p] = if p == a then stake else -stake
"""
VALUE = 17 / 120
BY_SKY = {"rain": 1 / 12, "sun": 0.0, "storm": 0.5}
"""The value to the first player after the first draw."""

UNIFORM_LOSSES = (17 / 120 - 0.25 * (0.5 * 0.0 + 0.3 * -1.0 + 0.2 * 2), 0.25 * (0.5 * 1.0 + 0.3 * 2.0 + 0.4) - 17 / 120)
"""What each player's even throws lose to best responses: in rain these make (1, 0) for the rows and (1, 0) for the
columns, in sun (2, -1) and (2, -1)."""


def weather() -> Game:
    return game_of(RULES)
