"""Stitched strategies of agents whose strategies are known beforehand."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ggp.game.game import Game
from ggp.rules_compiler.loading import load
from ggp.solvers.sequence_form.best_responses import realization_plans, strategies_of_plans, uniform
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree
from ggp.solvers.sequence_form.unfolding import information_tree
from players.agents.registry import read_player
from players.agents.solved_hidden_agent import StrategyAgent
from players.evaluation.information_measuring import InformationMeter, stitched_strategies, value_of
from players.evaluation.measuring import Course, measured_run
from players.evaluation.stitched_strategies import Stitcher, Thought
from tests.support.strategies import random_strategies

ONCE = Thought(iterations=1)


class Scripted(StrategyAgent):
    """Plays one of some strategies, each in its turn for a match, whatever the seeds."""

    def __init__(self, tree: SequenceFormTree, choices: Sequence[Any], plans: bool = False) -> None:
        self._sequences, self._choices, self._plans = tree, itertools.cycle(choices), plans

    def start(self, game: Game, role: int, seed: int) -> None:
        super().start(game, role, seed)
        self._playing = next(self._choices)

    def _strategy(self, key: tuple[int, int], actions: Sequence[int]) -> list[float]:
        number = self._sequences.find(self._role, key)
        assert number is not None
        sequences = self._sequences.sequences_at(number)
        assert self._sequences.action[sequences].tolist() == list(actions)
        self._last: list[float] = self._playing[sequences].tolist()
        return self._last

    def last_strategy(self) -> Sequence[float]:
        return self._last

    def plan(self, keys: Any, actions: Any) -> tuple[float, Any] | None:
        key = tuple(keys[2 * self._role : 2 * self._role + 2].tolist())
        return (3.0, np.array(self._strategy(key, actions))) if self._plans else None


@pytest.fixture(scope="module")
def kuhn() -> tuple[Game, SequenceFormTree]:
    game = load("kuhn_poker")
    return game, information_tree(game.native())


def test_full_stitching_finds_the_strategy_that_is_played(kuhn: tuple[Game, SequenceFormTree]) -> None:
    game, tree = kuhn
    wanted = random_strategies(tree, np.random.default_rng(1))
    plan = np.zeros(tree.sequences)
    for role in range(2):
        stitcher = Stitcher(game, tree, Scripted(tree, [wanted]), role, ONCE)
        stitcher.stitch_all(7)
        plan += stitcher.plan
    assert strategies_of_plans(tree, plan) == pytest.approx(wanted)


def test_a_player_that_mixes_whole_strategies_is_stitched_by_its_own_reach(kuhn: tuple[Game, SequenceFormTree]) -> None:
    game, tree = kuhn
    rng = np.random.default_rng(2)
    both = [random_strategies(tree, rng), random_strategies(tree, rng)]
    stitcher = Stitcher(game, tree, Scripted(tree, both), 0, ONCE)
    # three passages a round, one for each card: two rounds lead every way once with each strategy
    stitcher.stitch_all(7)
    stitcher.stitch_all(8)
    mixture = sum(realization_plans(tree, strategies) for strategies in both)
    own = tree.own_sequences(0)
    assert strategies_of_plans(tree, stitcher.plan)[own] == pytest.approx(strategies_of_plans(tree, mixture)[own])


def test_the_aggregate_takes_plans_for_what_may_still_come(kuhn: tuple[Game, SequenceFormTree]) -> None:
    game, tree = kuhn
    wanted = random_strategies(tree, np.random.default_rng(3))
    stitcher = Stitcher(game, tree, Scripted(tree, [wanted], plans=True), 0, ONCE)
    for match in range(30):
        stitcher.add_match(match)
    strategies = strategies_of_plans(tree, stitcher.plan)
    assert strategies[tree.own_sequences(0)] == pytest.approx(wanted[tree.own_sequences(0)])
    # 30 first moves, each with a plan for the second: a card comes up some ten times, three visits each
    first = tree.sequences_at(tree.own_sets(0)[0])
    assert stitcher.plan[first].sum() == pytest.approx(3.0 * round(stitcher.plan[first].sum() / 3.0))
    assert stitcher.plan[tree.own_sequences(0)].sum() > 3.0 * 60 - 1e-9


def test_the_random_player_is_uniform(kuhn: tuple[Game, SequenceFormTree]) -> None:
    game, tree = kuhn
    for matches in (None, 200):
        _, strategies = stitched_strategies(game, tree, read_player("random"), ONCE, matches, 5)
        assert strategies == pytest.approx(uniform(tree))


def test_losses_add_up_to_nash_conv(kuhn: tuple[Game, SequenceFormTree]) -> None:
    _, tree = kuhn
    assert value_of(tree) == pytest.approx(-1 / 18)
    # uniform play: 0.5 against the best second player, and so on; by open_spiel NashConv is 11/12
    loss = InformationMeter(tree).loss(uniform(tree))
    assert loss.nash_conv == pytest.approx(11 / 12)
    assert min(loss.by_player) > 0


@pytest.mark.parametrize("way", ["root", "stitched", "matches"])
def test_a_run_depends_on_its_seed_alone(way: str) -> None:
    course = Course("kuhn_poker", (), "ismcts", (20.0, 200.0), way=way, matches=20)
    first, again = (list(measured_run(course, 3, 0)) for _ in range(2))
    other = list(measured_run(course, 4, 0))
    assert [one.loss for one in first] == [one.loss for one in again]
    assert [one.loss for one in first] != [one.loss for one in other]
    assert [one.iterations for one in first] == [20, 200]
    assert all(0 < one.loss.nash_conv < 1.5 for one in first)


@pytest.mark.long
def test_players_of_open_games_are_stitched_too() -> None:
    course = Course("goofspiel", (("n", "3"),), "rm", (1000.0,), way="stitched")
    (found,) = measured_run(course, 1, 0)
    assert 0 < found.loss.nash_conv < 0.5
