"""PIMC, the belief sampler, and the exact values of open games that it rests on."""

from __future__ import annotations

import numpy as np
import pytest

import ggp
from ggp.codegen.kernels import I64
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.exploration import explore_game
from players.agents.agent import Budget
from players.search.information_sets.perfect_information_sampling import open_values
from tests.support.searches import belief_agent


def test_the_values_of_an_open_game_are_those_of_its_perfect_information_form() -> None:
    hidden, shown = (ggp.load("goofspiel", n=3, bids=bids).native() for bids in ("hidden", "shown"))
    found = open_values(hidden, 100_000)
    assert found is not None
    assert found.root == pytest.approx(optimal_values(explore_game(shown)).root, abs=1e-9)
    assert open_values(hidden, 10) is None


def test_a_game_for_three_has_no_such_values() -> None:
    assert open_values(ggp.load("kuhn_poker_three").native(), 100_000) is None


@pytest.mark.sweep
@pytest.mark.parametrize("player", ["belief-sampler", "pimc"])
def test_most_possible_states_are_won_by_the_same_move(player: str) -> None:
    # cross has the middle and a corner: the opposite corner wins, unless one of nought's two marks is there
    game = ggp.load("phantom_tic_tac_toe")
    agent = belief_agent(f"{player}:final=mix,world=20", game, 0, 3)
    cells = [f"{column}{row}" for row in range(1, 4) for column in "abc"]
    for tried in ("b2", "a1"):
        agent.choose(cells, Budget(lambda: 0.0, iterations=10))
        agent.observe(tried, [("settled", True)])
        agent.observe(None, [('"your move"', "your move")])
        cells.remove(tried)
    agent.choose(cells, Budget(lambda: 0.0, iterations=20_000))
    _, listed = agent.belief.information_state(cells) or (None, [])
    numbers: I64 = np.array(listed, np.int64)
    votes = agent.search.strategy(np.zeros(4, np.uint64), 0, numbers)
    names = [game.action_text(int(number)) for number in numbers]
    assert names[int(votes.argmax())] == "c3"


def test_pimc_takes_the_others_to_see_everything() -> None:
    # it bets the highest card in Kuhn poker, and folds the lowest when the other has bet
    game = ggp.load("kuhn_poker")
    for card, best in ((3, "bet"), (1, "pass")):
        agent = belief_agent("pimc:world=100", game, 1, 5)
        agent.observe(None, [("b", card)])
        agent.observe(None, [("move", "bet")])
        assert agent.choose(["pass", "bet"], Budget(lambda: 0.0, iterations=4000)) == best
