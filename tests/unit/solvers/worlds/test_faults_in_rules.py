"""Exact methods on rules that fail in play: an error, never a value."""

from __future__ import annotations

import pytest

from ggp.rules_compiler.loading import load
from ggp.solvers.worlds.exploration import FaultInRules, explore_game
from tests.support.faulty_rules import CASES, faulty_game
from tests.support.library import game_of, one_phase

TOLD = {
    "payoffs are worked out": "13:30: division by zero",
    "who acts is found": "9:5: none where a value is needed: a player chooses",
    "everybody who acts is gone": "9:5: nobody acts in phase `go`",
    "actions are listed": "9:33: division by zero",
    "nothing is legal": "a player is to act in some reachable state but has no legal action",
    "chance draws": "9:35: division by zero",
    "the state changes": "11:15: `points` takes -9..9, got another value",
}


@pytest.mark.parametrize("where", CASES)
def test_a_fault_is_found_and_told_with_its_place(where: str) -> None:
    with pytest.raises(FaultInRules) as caught:
        explore_game(faulty_game(where).native())
    place = "" if where == "nothing is legal" else "play can run into an error of the rules: faulty.rules:"
    assert str(caught.value) == place + TOLD[where]


def test_a_fault_too_seldom_for_random_play_is_told_with_its_place() -> None:
    """A hundred and one draws in a row have to be ones."""
    draws = "chance draws c in 1..6\nones := ones + 1\nnext go if c == 1 else end"
    game = game_of(one_phase(draws, "ones: 0..100 = 0", payoff="ones", players="ann"))
    with pytest.raises(FaultInRules, match=r"test\.rules:7:\d+: "):
        explore_game(game.native())


def test_twenty_one_can_be_solved_though_a_hand_of_aces_is_drawn_on() -> None:
    """A hand of 21 aces is one point short of too much: the next card is its 22nd."""
    graph = explore_game(load("twenty_one").native())
    assert graph.states > 1000
