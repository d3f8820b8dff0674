"""Rules that fail in play, one for each place where rules can fail, for tests of error handling."""

from __future__ import annotations

from ggp.game.game import Game
from ggp.language import SourceFile
from ggp.rules_compiler.loading import game_from_source

RULES = """game faulty "Fails where {where}"
players ann, bob
state
    left: set of 1..3 = all
    turn: player or none = ann
    acting: set of player = all
    points: -9..9 = {points}
phase go
{phase}
payoff[p] = {payoff}
"""
CHOOSE = """    ann chooses x in left
    left := left - {x}
    points := points - 1
    next end if left == {} else go"""
CASES = {
    "payoffs are worked out": (3, CHOOSE, "if p == ann then 6 div points else -(6 div points)"),
    "who acts is found": (1, CHOOSE.replace("ann chooses", "turn chooses") + "\n    turn := none", "0"),
    "everybody who acts is gone": (1, CHOOSE.replace("ann chooses", "each p in acting chooses").replace(
        "{x}", "{1}") + "\n    acting := {}", "0"),
    "actions are listed": (1, CHOOSE.replace("in left", "in left where 6 div points != 0"), "0"),
    "nothing is legal": (1, CHOOSE.replace("in left", "in left where points != 0"), "0"),
    "chance draws": (1, "    chance draws x in left weight 6 div points\n    points := points - 1\n    next go", "0"),
    "the state changes": (1, CHOOSE.replace("points - 1", "points - 9"), "0"),
}  # fmt: skip

RARE_FAULT = """game rare_fault "Ten bits, and a sum that has no room for the last one"

players row, col

state
    heads: 0..9 = 0
    tosses: 0..10 = 0

phase toss
    row chooses k in 0..1
    heads := heads + k
    tosses := tosses + 1
    next end if tosses == 10 else toss

payoff[p] = if p == row then heads else -heads
"""
"""All ten bits are 1 in one play of 1024."""


def faulty_game(where: str) -> Game:
    """Return a game that fails where one of CASES says."""
    points, phase, payoff = CASES[where]
    text = RULES.format(where=where, points=points, phase=phase, payoff=payoff)
    return game_from_source(SourceFile("faulty.rules", text))
