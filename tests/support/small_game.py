"""A small game with a weighted deal, simultaneous bids and several kinds of move, and variations of it."""

from __future__ import annotations

from ggp.language import typed
from ggp.language.text.source import Span
from tests.support.library import typed_game

RULES = """game small ""

players one, two
state
    card: 1..3 or none = none
    bidders: set of player = {one, two}
    bids[player]: 1..3 or none = none
    turn: player = one
    pot: 0..9 = 5
phase deal
    chance draws a in 1..3 weight a - 1
    card := a
    sees one: a
    next bid
phase bid
    each p in bidders chooses b in 1..3 where b != card
    bids[p] := b[p] for p in player
    sees each w: b[w]
    sees all: "bid made" if b[one] == 2
    next end if bids[one] == bids[two] else talk
phase talk
    turn chooses
        fold
        raise by k in 1..2 where card > 1
    turn := two
    on raise: pot := pot + k
    on raise: sees two: move
    next end
payoff[p] = if p == turn then pot else -pot
"""
GAME = typed_game(RULES)
DEAL, BID, TALK = GAME.phases
ONE, TWO = 0, 1
SPAN = Span(1, 1, 1, 2)


def varied(*changes: tuple[str, str]) -> typed.Game:
    """Return the game with parts of its text, each of which stands in one place, replaced by others."""
    text = RULES
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return typed_game(text)
