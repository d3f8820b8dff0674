"""The luck that is subtracted from results: its mean is 0, and it is what the estimates say."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import ggp
from experiments.luck import luck_in, share_won, without_luck
from ggp.arithmetic.rng import below
from ggp.game.game import Game, State
from players.agents.candidate_trial import random_decisions, random_play
from players.agents.solved_agent import Solution


def chance_states(game: Game, plays: int) -> list[State]:
    """Return states of random plays in which chance acts."""
    found = []
    for play in range(plays):
        rng = [play + 1]
        for state in random_decisions(game, play + 1):
            legal = state.legal(state.actors()[0])
            after = state.apply({state.actors()[0]: legal[below(rng, len(legal))]})
            found += [after] if not after.is_terminal() and after.is_chance() else []
    return found


def best_after(state: State) -> float:
    """Return the first player's value of a state, without kernels."""
    game = state.game
    while not state.is_terminal() and state.is_chance() and len(state.chance_outcomes()) == 1:
        state = state.apply_outcome(state.chance_outcomes()[0][0])

    def standing(one: State) -> float:
        estimate = one.utilities() if one.is_terminal() else game.steps.estimate(np.array(one.words).tobytes())
        assert estimate is not None
        return float(estimate[0])

    if state.is_terminal() or state.is_chance():
        return standing(state)
    (role,) = state.actors()
    values = [standing(state.apply({role: action})) for action in state.legal(role)]
    return max(values) if role == 0 else min(values)


@pytest.mark.parametrize("name", ["pig", "einstein", "ra"])
def test_luck_is_what_the_estimates_say_and_0_on_average(name: str) -> None:
    game = ggp.load(name)
    luck = luck_in(game)
    states = chance_states(game, 2)[:12]
    assert len(states) > 5
    for state in states:
        outcomes = [(state.apply_outcome(outcome), chance) for outcome, chance in state.chance_outcomes()]
        expected = math.fsum(chance * best_after(after) for after, chance in outcomes)
        lucks = [luck([state.words, after.words]) for after, _ in outcomes]
        assert lucks == pytest.approx([best_after(after) - expected for after, _ in outcomes], abs=1e-9)
        assert math.fsum(chance * one for (_, chance), one in zip(outcomes, lucks, strict=True)) == pytest.approx(0)


def test_with_exact_values_only_errors_are_left() -> None:
    game = ggp.load("pig", goal="20", dice="1")
    solution = Solution(game)
    luck = luck_in(game, solution.values)
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
        assert history[-1].utilities()[0] - luck([state.words for state in history]) == pytest.approx(
            value + errors, abs=1e-3
        )


def test_results_without_luck() -> None:
    rng = np.random.default_rng(0)
    luck = rng.normal(size=400)
    won = 0.6 + 0.3 * luck + 0.01 * rng.normal(size=400)
    found = without_luck(won.tolist(), (2 * luck).tolist())
    assert found is not None
    assert found.low < 0.6 < found.high
    assert found.half_width < 0.0015 < 0.02 < share_won(won.tolist()).half_width
    exact = without_luck([1.0, 0.5, 0.0], [1.1, 0.1, -0.9], 0.5)
    assert exact is not None
    assert (exact.estimate, exact.half_width) == pytest.approx((0.45, 0), abs=1e-9)
    assert without_luck([1.0] * 20, luck[:20].tolist()) is None
    assert without_luck([0.0, 1.0] * 4, luck[:8].tolist()) is None
    assert share_won([1.0] * 20).low == pytest.approx(0.839, abs=1e-3)  # Wilson's interval
