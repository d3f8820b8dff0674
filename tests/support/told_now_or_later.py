"""A game in which a player cannot tell which transition an observation came with."""

from __future__ import annotations

from ggp.game.game import Game
from tests.support.library import game_of

RULES = """
game told_now_or_later "Ann is told what she chose at once, or by the next transition, or never: she cannot tell which"

param times: 1..4 = 2

players ann, bob
state
    coin: 1..3 = 1
    said: 1..2 = 1
    asked: 0..times = 0

phase toss
    chance draws c in 1..3 weight c
    coin := c
    sees bob: c
    next ask

phase ask
    ann chooses a in 1..2
    said := a
    asked := asked + 1
    sees ann: "so be it"                                   if coin == 1
    next answer

phase answer
    bob chooses b in 1..2
    sees ann: "so be it"                                   if coin == 2 or b == 1 and coin == 3
    next ask if asked < times else end

payoff[p] = 0
"""


def told_now_or_later(times: int) -> Game:
    """Return the game in which the player is asked so many times."""
    return game_of(RULES, times=times)
