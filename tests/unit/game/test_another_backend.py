"""A game that is made of no rules: a Python class behind the seam is played, searched, solved, tracked and refereed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest

import ggp
from ggp.adapters.openspiel_games import OpenSpielBackend
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.rules_compiler.rules_backend import NoRules, rules_of
from players.agents.registry import read_player
from players.beliefs.belief import Belief
from players.evaluation.matches import TimeControl, play_games
from server.referee.rules_steps import Step, make_step
from tests.support.belief_plays import PlainTracker, followed

OPEN, HIDDEN = "openspiel:goofspiel(num_cards=3)", "openspiel:goofspiel(num_cards=3,imp_info=True)"
FAILING = 1
"""The card that cannot be drawn."""


class Failing(OpenSpielBackend):
    """Fails where a certain card is drawn."""

    def step(self, old: Sequence[int], joint: Sequence[int]) -> list[int]:
        if self.actors(old) == 0 and joint[-1] == FAILING:
            raise ValueError("this card fails")
        return super().step(old, joint)


def test_what_needs_rules_says_so() -> None:
    with pytest.raises(NoRules, match="goofspiel was not made from a rules file"):
        rules_of(ggp.load(OPEN))


def test_faults_are_told_by_the_backend() -> None:
    game = Game(Failing("goofspiel(num_cards=3)"))
    state = game.initial()
    with pytest.raises(GgpError, match="this card fails"):
        state.apply_outcome(FAILING)
    assert not state.apply_outcome(2).is_terminal()
    failures = [make_step(game, Step(state.words, seed=str(seed)), (GgpError,)).failure for seed in range(12)]
    assert {failure is None for failure in failures} == {True, False}


@pytest.mark.parametrize(
    ("name", "players"), [(OPEN, ["rm", "duct"]), (OPEN, ["random", "rm"]), (HIDDEN, ["ismcts", "random"])]
)
def test_searches_play_it(name: str, players: list[str]) -> None:
    specs = [read_player(player) for player in players]
    for result in play_games(ggp.load(name), specs, range(2), 1, True, TimeControl(iterations=50)):
        assert sum(result.utilities) == 0
        assert result.errors == (0, 0)


def test_its_equilibrium() -> None:
    assert ggp.solve(ggp.load(OPEN)).value == pytest.approx((0.0, 0.0), abs=1e-7)


def test_the_referee_makes_its_transitions() -> None:
    game, step, told = ggp.load(OPEN), Step(), []
    for draws in itertools.count():
        result = make_step(game, step, (GgpError,))
        assert result.failure is None
        told.append(result.told)
        if result.utilities is not None:
            break
        joint = {player: next(iter(legal.values())) for player, legal in result.legal.items()}
        step = Step(result.words, result.phase, joint or None, "seed", draws)
    assert len(told) == 1 + 2 * 2  # the last bids are forced
    assert told[2] == [[(player, game.action_text(0)) for player in game.players]] * 2
    assert result.utilities == (0.0, 0.0)


def test_a_belief_holds_what_may_be() -> None:
    game = ggp.load(HIDDEN)
    belief, plain = Belief(game, 100, field=0, uniform=1.0, equal=True), PlainTracker(game, 1)
    belief.begin(5, 1)
    for state in followed(game, belief, 1, 5, plain.tell):
        held = {tuple(words) for words in belief.states.tolist()}
        assert held == plain.deciding([str(action) for action in state.legal(1)])
        assert state.words in held
