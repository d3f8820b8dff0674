"""The equations of SSS09, figures 4 to 6, and of restricted Nash, on one node, against numbers computed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.native.interface import GameShape
from players.search.cfr.counterfactual_regret import (
    SweepOptions,
    chance_value,
    sweep,
    update,
    update_restricted,
    write_reach,
    write_restricted_reach,
)
from players.search.cfr.frontier import SUM, look_again, new_progress, sampled_enough
from players.search.cfr.partial_tree import (
    CUMULATIVE_REGRET,
    CURRENT,
    ENDED,
    FIRST,
    FIXED,
    NONE,
    STRATEGY_SUM,
    PartialTree,
    action_numbers,
    add_block,
    clear,
    new_partial_tree,
    numbers_begin,
    reach_begin,
    set_value,
    values_begin,
)
from players.search.foundation.node_kinds import CHANCE, DECISION
from tests.support.kernel_forms import both_forms, form

PLAIN_CFR = SweepOptions(plain=1, kept=1.0, role=0, confidence=0.0)
CFR = PLAIN_CFR._replace(plain=0)
RPS = ((0.5, 0, 1), (1, 0.5, 0), (0, 1, 0.5))


def decision(payoffs, copies: int = 1) -> PartialTree:
    """Return a tree of one decision with the given values of its children."""
    matrix = np.array(payoffs, np.float64)
    tree = new_partial_tree(1 << 14, copies, copies + 2, 1000)
    clear(tree)
    assert add_block(tree, DECISION, *matrix.shape, NONE, 0, 0) == FIRST
    for place, value in enumerate(matrix.flat):
        set_value(tree, FIRST, place, value, ENDED)
    return tree


@both_forms
def test_the_worked_example_of_section_4(plain: bool) -> None:
    tree = decision(RPS)
    action_numbers(tree, FIRST, CURRENT, 0)[:] = 1, 0, 0
    action_numbers(tree, FIRST, CURRENT, 1)[:] = 0, 1, 0
    assert form(update, plain)(tree, FIRST, CFR, np.zeros(6)) == 0  # rock loses to paper
    assert action_numbers(tree, FIRST, CUMULATIVE_REGRET, 0).tolist() == [0, 0.5, 1]
    assert action_numbers(tree, FIRST, CURRENT, 0).tolist() == pytest.approx([0, 1 / 3, 2 / 3])
    # paper got 1; rock would have got 0.5, scissors 0: nothing to regret, so uniform
    assert action_numbers(tree, FIRST, CUMULATIVE_REGRET, 1).tolist() == [-0.5, 0, -1]
    assert action_numbers(tree, FIRST, CURRENT, 1).tolist() == pytest.approx([1 / 3] * 3)


@both_forms
@pytest.mark.parametrize(("options", "weights"), [(CFR, (0.25, 0.5)), (PLAIN_CFR, (1, 1))], ids=["reach", "plain"])
def test_values_regrets_and_averages(plain: bool, options: SweepOptions, weights: tuple[float, float]) -> None:
    tree = decision(((0.2, 0.8, 0.4), (0.6, 0.0, 1.0)))
    action_numbers(tree, FIRST, CURRENT, 0)[:] = 0.75, 0.25
    action_numbers(tree, FIRST, CURRENT, 1)[:] = 0.5, 0.25, 0.25
    action_numbers(tree, FIRST, CUMULATIVE_REGRET, 0)[:] = 1.0, 0.5
    action_numbers(tree, FIRST, STRATEGY_SUM, 0)[:] = 4, 8
    tree.words[reach_begin(FIRST) : reach_begin(FIRST) + 2] = 0.25, 0.5
    # the first player's actions are worth 0.1 + 0.2 + 0.1 = 0.4 and 0.3 + 0 + 0.25 = 0.55, together 0.3 + 0.1375
    value = form(update, plain)(tree, FIRST, options._replace(kept=0.5), np.zeros(5))
    assert value == pytest.approx(0.4375)
    regrets = [0.5 + 0.5 * (0.4 - 0.4375), 0.25 + 0.5 * (0.55 - 0.4375)]
    assert action_numbers(tree, FIRST, CUMULATIVE_REGRET, 0).tolist() == pytest.approx(regrets)
    # against the second player's: 0.15 + 0.15 = 0.3, 0.6, 0.3 + 0.25 = 0.55; it wants them low
    others = [0.25 * (0.4375 - worth) for worth in (0.3, 0.6, 0.55)]
    assert action_numbers(tree, FIRST, CUMULATIVE_REGRET, 1).tolist() == pytest.approx(others)
    assert action_numbers(tree, FIRST, CURRENT, 0).tolist() == pytest.approx(
        [regrets[0] / sum(regrets), regrets[1] / sum(regrets)]
    )
    assert action_numbers(tree, FIRST, CURRENT, 1).tolist() == [1, 0, 0]
    assert action_numbers(tree, FIRST, STRATEGY_SUM, 0).tolist() == pytest.approx(
        [2 + 0.75 * weights[0], 4 + 0.25 * weights[0]]
    )
    assert action_numbers(tree, FIRST, STRATEGY_SUM, 1).tolist() == pytest.approx(
        [share * weights[1] for share in (0.5, 0.25, 0.25)]
    )


def three_levels(copies: int = 1) -> tuple[PartialTree, int, int]:
    """Return a decision, the chance node behind its joint action (1, 0), and a decision behind the second outcome."""
    tree = decision(((0.2, 0.8, 0.4), (0.6, 0.0, 1.0)), copies)
    chance = add_block(tree, CHANCE, 2, 1, FIRST, 3, 0)
    first = numbers_begin(tree, chance)
    tree.words[first : first + 2] = 0.4, 0.6
    set_value(tree, chance, 0, 0.5, ENDED)
    below = add_block(tree, DECISION, 1, 2, chance, 1, 0)
    for place, value in enumerate((0.0, 1.0)):
        set_value(tree, below, place, value, ENDED)
    action_numbers(tree, FIRST, CURRENT, 0)[:] = 0.75, 0.25
    action_numbers(tree, FIRST, CURRENT, 1)[:] = 0.5, 0.25, 0.25
    return tree, chance, below


@both_forms
def test_reach_probabilities(plain: bool) -> None:
    tree, chance, below = three_levels()
    for block in (FIRST, chance, below):
        form(write_reach, plain)(tree, block)
    assert tree.words[reach_begin(chance) : reach_begin(chance) + 2].tolist() == pytest.approx([0.25, 0.5])
    assert tree.words[reach_begin(below) : reach_begin(below) + 2].tolist() == pytest.approx([0.15, 0.3])
    tree.words[values_begin(tree, chance) + 1] = 0.9
    assert form(chance_value, plain)(tree, chance, 0) == pytest.approx(0.4 * 0.5 + 0.6 * 0.9)


@both_forms
def test_a_sweep_is_one_pass_down_and_one_up_in_any_slices(plain: bool) -> None:
    tree, chance, below = three_levels()
    progress = new_progress(GameShape(2, 1, 3, 2, 1))
    look_again(progress)
    for _ in range(100):
        form(sweep, plain)(tree, progress, CFR, 1, 1)
    assert progress.sweeps[0] == 1
    assert progress.sweep_block[0] == FIRST
    # below: the second player is indifferent to nothing yet, 0.5; chance: 0.2 + 0.3; so 0.5 behind (1, 0)
    assert tree.words[values_begin(tree, chance) + 1] == 0.5
    assert tree.words[values_begin(tree, FIRST) + 3] == pytest.approx(0.5)
    assert progress.node_value[0] == pytest.approx(0.75 * 0.4 + 0.25 * (0.25 + 0 + 0.25))
    # weighed by the first player's 0.25 and chance's 0.6
    assert action_numbers(tree, below, CUMULATIVE_REGRET, 1).tolist() == pytest.approx([0.075, -0.075])
    assert action_numbers(tree, below, STRATEGY_SUM, 1).tolist() == pytest.approx([0.15, 0.15])


@both_forms
@pytest.mark.parametrize("role", [0, 1])
def test_restricted_nash(plain: bool, role: int) -> None:
    # from the other side the same game is the transposed one, with values 1 - v
    matrix = np.array(((0.2, 0.8, 0.4), (0.6, 0.0, 1.0)))
    tree = decision(matrix if role == 0 else 1 - matrix.T, copies=2)
    action_numbers(tree, FIRST, CURRENT, role)[:] = 0.75, 0.25
    action_numbers(tree, FIRST, CURRENT, 1 - role)[:] = 0.5, 0.25, 0.25
    action_numbers(tree, FIRST, FIXED, 1 - role)[:] = 0, 0.5, 0.5
    reach = reach_begin(FIRST)
    tree.words[[reach + role, reach + 1 - role, reach + 2]] = 0.25, 0.5, 0.125
    values = np.zeros(2)
    options = SweepOptions(plain=0, kept=1.0, role=role, confidence=0.8)
    form(update_restricted, plain)(tree, FIRST, options, np.zeros(10), values)
    # against the free opponent our actions are worth 0.4 and 0.55, against the fixed one 0.6 and 0.5: 0.575 together
    assert (values if role == 0 else 1 - values).tolist() == pytest.approx([0.4375, 0.575])
    expected = [
        0.2 * 0.5 * (0.4 - 0.4375) + 0.8 * 0.125 * (0.6 - 0.575),
        0.2 * 0.5 * (0.55 - 0.4375) + 0.8 * 0.125 * (0.5 - 0.575),
    ]
    assert action_numbers(tree, FIRST, CUMULATIVE_REGRET, role).tolist() == pytest.approx(expected)
    free = [0.25 * (0.4375 - worth) for worth in (0.3, 0.6, 0.55)]
    assert action_numbers(tree, FIRST, CUMULATIVE_REGRET, 1 - role).tolist() == pytest.approx(free)
    assert action_numbers(tree, FIRST, STRATEGY_SUM, role).tolist() == pytest.approx([0.75 * 0.25, 0.25 * 0.25])


@both_forms
@pytest.mark.parametrize(("role", "fixed"), [(0, 0.2), (1, 0.9)])
def test_reach_probability_of_the_fixed_opponent(plain: bool, role: int, fixed: float) -> None:
    tree, chance, below = three_levels(copies=2)
    action_numbers(tree, FIRST, FIXED, 0)[:] = 0.1, 0.9
    action_numbers(tree, FIRST, FIXED, 1)[:] = 0.2, 0.3, 0.5
    options = SweepOptions(plain=0, kept=1.0, role=role, confidence=0.5)
    for block in (FIRST, chance, below):
        form(write_restricted_reach, plain)(tree, block, options)
    reach = reach_begin(below)
    assert tree.words[reach : reach + 3].tolist() == pytest.approx([0.15, 0.3, 0.6 * fixed])


@both_forms
def test_leaves_are_sampled_until_25_more_change_little(plain: bool) -> None:
    def samples(utilities, rollouts: int) -> int:
        progress = new_progress(GameShape(2, 1, 1, 1, 1))
        for count, utility in enumerate(utilities, 1):
            if form(sampled_enough, plain)(progress, utility, rollouts):
                assert progress.sums[SUM] == pytest.approx(sum(utilities[:count]))
                return count
        raise AssertionError("never enough")

    assert samples([0.5] * 100, 1000) == 50
    assert samples([0.5] * 100, 10) == 10
    assert samples([0.0] * 25 + [1.0] * 2000, 700) == 700
    assert samples([0.0] * 25 + [1.0] * 2000, 1000) == 825  # 25/n - 25/(n + 25) is below 0.001 from n = 800 on
