"""Exact methods on rules that fail in play: an error, never a value."""

from __future__ import annotations

import pytest

from ggp.analysis.exploration import FaultInRules, explore_game
from ggp.language import SourceFile
from ggp.model.loading import game_from_source, load

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
    "chance draws": (1, "    chance draws x in left weight 6 div points\n    points := points - 1\n    next go", "0"),
    "the state changes": (1, CHOOSE.replace("points - 1", "points - 9"), "0"),
}  # fmt: skip


@pytest.mark.parametrize("where", CASES)
def test_a_fault_is_found_wherever_it_is(where: str) -> None:
    points, phase, payoff = CASES[where]
    text = RULES.format(where=where, points=points, phase=phase, payoff=payoff)
    game = game_from_source(SourceFile("faulty.rules", text))
    with pytest.raises(FaultInRules, match=r"faulty\.rules:\d+:\d+: ") as caught:
        explore_game(game.native())
    place = str(caught.value).partition("faulty.rules:")[2]
    line = text.splitlines()[int(place.partition(":")[0]) - 1]
    assert line in {*phase.splitlines(), f"payoff[p] = {payoff}"}


def test_a_fault_too_seldom_for_random_play_is_told_with_its_place() -> None:
    """A hundred and one draws in a row have to be ones."""
    text = """game seldom "Fails once in a long while"
players ann
state
    ones: 0..100 = 0
phase draw
    chance draws c in 1..6
    ones := ones + 1
    next draw if c == 1 else end
payoff[p] = ones
"""
    game = game_from_source(SourceFile("seldom.rules", text))
    with pytest.raises(FaultInRules, match=r"seldom\.rules:7:\d+: "):
        explore_game(game.native())


def test_twenty_one_can_be_solved_though_a_hand_of_aces_is_drawn_on() -> None:
    """A hand of 21 aces is one point short of too much: the next card is its 22nd."""
    graph = explore_game(load("twenty_one").native())
    assert graph.states > 1000
