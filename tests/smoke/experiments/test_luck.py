"""The luck that is subtracted from results in Pig: what is left is what the players lost by errors."""

from __future__ import annotations

from itertools import pairwise

import pytest

import ggp
from experiments.mcms13_figure_1 import PANELS, Match, bar_of, luck_of, share_won
from players.agents.candidate_trial import random_play
from players.agents.solved_agent import Solution


def test_with_exact_values_only_errors_are_left() -> None:
    game = ggp.load("pig", goal="20", dice="1")
    solution = Solution(game)
    value = float(solution.values.value[solution.values.game.find(game.initial().words)])
    for play in range(5):
        history = list(random_play(game, play + 1))
        errors = 0.0
        for before, after in pairwise(history):
            if not before.is_chance():
                (role,) = before.actors()
                actions = [before.apply({role: action}).words for action in before.legal(role)]
                lost = float(solution.losses(before.words, role)[actions.index(after.words)])
                errors += lost if role == 1 else -lost
        assert history[-1].utilities()[0] - luck_of(history, solution.values) == pytest.approx(value + errors, abs=1e-3)


def test_results_without_luck() -> None:
    played = [Match(won, luck, 0, 0.0) for won, luck in ((1.0, 1.1), (0.5, 0.1), (0.0, -0.9))]
    exact = bar_of(PANELS[0], "expss", "exp", 0.2, played).adjusted
    assert exact is not None
    assert (exact.estimate, exact.half_width) == pytest.approx((0.45, 0), abs=1e-9)
    assert bar_of(PANELS[1], "expss", "exp", 0.2, played).adjusted is None
    assert share_won([1.0] * 20).low == pytest.approx(0.839, abs=1e-3)  # Wilson's interval
