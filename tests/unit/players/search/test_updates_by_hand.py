"""Each search's equations on one node, against numbers computed by hand; compiled and as plain Python."""

from __future__ import annotations

import math
from types import ModuleType

import numpy as np
import pytest

from ggp.native.interface import GameShape
from players.search.foundation.kernel_arguments import (
    DEPTH,
    EXPAND_COVER,
    EXPAND_JOINT,
    EXPAND_NONE,
    SAMPLED,
    WEIGHT,
    LeafOptions,
    Work,
    new_work,
)
from players.search.foundation.leaf_values import note_utilities
from players.search.foundation.settings import (
    DecoupledRegretMatchingSettings,
    Exp3Settings,
    OutcomeSamplingPlusSettings,
    OutcomeSamplingSettings,
    RegretMatchingSettings,
    TreeSettings,
)
from players.search.simultaneous import (
    decoupled_regret_matching,
    decoupled_uct,
    exp3,
    outcome_sampling,
    outcome_sampling_plus,
    regret_matching,
)
from players.search.simultaneous.simulation import choose_untried, pass_on
from players.search.simultaneous.tree import (
    ROOT_ENTRY,
    VISITS,
    Tree,
    action_numbers,
    add_decision,
    joint_counts,
    joint_numbers,
    new_tree,
    node_numbers,
    numbers_begin,
)
from players.search.simultaneous.tree_search import average_strategy
from tests.support.kernel_forms import both_forms, form

ROWS, COLUMNS = 2, 3
DUCT = decoupled_uct.Options(0.0, 0.0, 0, 0.0)

# random words wrap, of which numpy warns outside of compiled code
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


def leaf_options(expansion: int) -> LeafOptions:
    return LeafOptions(estimate=0, moves=0, playout_limit=100, expansion=expansion)


class Node:
    """The root of a tree with 2 x 3 joint actions, and the path of one iteration through it."""

    def __init__(self, module: ModuleType, choice: tuple[int, int] = (1, 2), mean: bool = False) -> None:
        sizes = module.FAMILY.sizes
        self.tree: Tree = new_tree(
            1 << 16, 2, 3 if mean else 0, sizes.action_numbers, sizes.joint_numbers, sizes.joint_counts
        )
        actions = np.arange(ROWS + COLUMNS, dtype=np.int64)
        self.number = int(add_decision(self.tree, ROOT_ENTRY, np.array([ROWS, COLUMNS]), actions))
        self.work: Work = new_work(GameShape(2, 4, 3, 1, 1))
        self.work.rng[0] = 12345
        self.work.path_node[0] = self.number
        self.work.path_choice[0] = choice
        self.work.path_joint[0] = choice[0] * COLUMNS + choice[1]
        self.work.cursor[DEPTH] = 1

    def field(self, number: int) -> np.ndarray:
        """The five action numbers of a field: two of the row player, three of the column player; a view."""
        begin = numbers_begin(self.tree, self.number) + self.tree.node_numbers + number * (ROWS + COLUMNS)
        return self.tree.words[begin : begin + ROWS + COLUMNS]

    @property
    def means(self) -> np.ndarray:
        return joint_numbers(self.tree, self.number)

    @property
    def counts(self) -> np.ndarray:
        return joint_counts(self.tree, self.number)

    def select_many(self, select, times: int) -> list[np.ndarray]:
        """How often each action of each player was chosen by `select`, as shares."""
        shares = [np.zeros(ROWS), np.zeros(COLUMNS)]
        self.work.cursor[DEPTH] = 0
        for _ in range(times):
            select()
            for player in range(2):
                shares[player][self.work.path_choice[0, player]] += 1 / times
        return shares


@both_forms
def test_duct_update(plain: bool) -> None:
    node = Node(decoupled_uct)
    node.work.utility[:] = 0.75, 0.25
    for _ in range(2):
        form(decoupled_uct.update, plain)(node.tree, node.work, node.number, 0, DUCT)
    assert node.field(0).tolist() == [0, 1.5, 0, 0, 0.5]
    assert node.field(1).tolist() == [0, 2, 0, 0, 2]


@both_forms
def test_duct_selects_the_greatest_upper_bound(plain: bool) -> None:
    node = Node(decoupled_uct)
    node.work.cursor[DEPTH] = 0
    node.field(1)[:] = 9, 1, 4, 4, 2
    # row bounds: 8/9 + C sqrt(ln 10 / 9), 0 + C sqrt(ln 10): equal at C = 8/9 / (sqrt(ln 10) - sqrt(ln 10 / 9))
    node.field(0)[:] = 8, 0, 2, 1, 1
    equal = (8 / 9) / (math.sqrt(math.log(10)) * (1 - 1 / 3))
    for factor, row in ((0.99, 0), (1.01, 1)):
        options = decoupled_uct.Options(equal * factor, 0.0, 0, 0.0)
        form(decoupled_uct.select, plain)(node.tree, node.work, node.number, True, options)
        assert node.work.path_choice[0, 0] == row
    # column bounds with C = 0: 1/2, 1/4, 1/2: a tie, broken at random
    shares = node.select_many(
        lambda: form(decoupled_uct.select, plain)(node.tree, node.work, node.number, True, DUCT),
        400,
    )
    assert shares[1][1] == 0
    assert abs(shares[1][0] - 0.5) < 4 * 0.5 / 20
    # bounds 0.52, 0.25, 0.5: a tie where 0.02 counts as none, and only there
    node.field(0)[2] = 2.08
    for ties, first in ((0.019, 1.0), (0.021, 0.5)):
        options = decoupled_uct.Options(0.0, ties, 0, 0.0)
        shares = node.select_many(
            lambda: form(decoupled_uct.select, plain)(node.tree, node.work, node.number, True, options),  # noqa: B023
            400,
        )
        assert shares[1][1] == 0
        assert abs(shares[1][0] - first) < 4 * math.sqrt(first * (1 - first) / 400) + 1e-9


def test_duct_strategies() -> None:
    node = Node(decoupled_uct)
    node.field(0)[:] = 0, 0, 2, 1, 4
    node.field(1)[:] = 0, 0, 4, 2, 10
    out = np.zeros(3)
    decoupled_uct.strategy(node.tree, node.number, 1, 0.0, out)
    assert out.tolist() == [4 / 16, 2 / 16, 10 / 16]
    decoupled_uct.strategy(node.tree, node.number, 1, 1.0, out)
    assert out.tolist() == [0.5, 0.5, 0]


@pytest.mark.parametrize(
    ("family", "settings"),
    [
        (regret_matching, RegretMatchingSettings),
        (decoupled_regret_matching, DecoupledRegretMatchingSettings),
        (exp3, Exp3Settings),
        (outcome_sampling, OutcomeSamplingSettings),
        (outcome_sampling_plus, OutcomeSamplingPlusSettings),
    ],
)
def test_average_strategies_and_their_most_probable_actions(family: ModuleType, settings: type[TreeSettings]) -> None:
    node = Node(family)
    node.field(1)[:] = 0, 0, 4, 2, 10
    out = np.zeros(3)
    family.FAMILY.strategy(node.tree, node.number, 1, family.kernel_options(settings(final="mix")).least, out)
    assert out.tolist() == [4 / 16, 2 / 16, 10 / 16]
    family.FAMILY.strategy(node.tree, node.number, 1, family.kernel_options(settings(final="max")).least, out)
    assert out.tolist() == [0, 0, 1]
    node.field(1)[2] = 10
    family.FAMILY.strategy(node.tree, node.number, 1, family.kernel_options(settings(final="max")).least, out)
    assert out.tolist() == [0.5, 0, 0.5]


@both_forms
def test_rm_update_with_every_joint_action_tried(plain: bool) -> None:
    node = Node(regret_matching)
    node.work.utility[0] = 0.2
    node.tree.ints[2 * node.number + VISITS] = 6
    node.means[:] = 0.1, 0.2, 0.3, 0.4, 0.5, 0.6
    node.counts[:] = 1, 1, 1, 1, 1, 3
    form(regret_matching.update, plain)(node.tree, node.work, node.number, 0, regret_matching.Options(0.1))
    # player 0 regrets 0.3 - 0.2 for row 0; player 1, whose utility is 0.8, regrets (1 - mean) - 0.8
    assert node.field(0) == pytest.approx([0.1, 0, 0.2 - 0.4, 0.2 - 0.5, 0])
    assert node.means == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6 + (0.2 - 0.6) / 4])
    assert node.counts.tolist() == [1, 1, 1, 1, 1, 4]


@both_forms
@pytest.mark.parametrize(("expansion", "visits"), [(EXPAND_JOINT, 2), (EXPAND_NONE, 100), (EXPAND_COVER, 100)])
def test_rm_regrets_nothing_of_what_was_never_tried(expansion: int, visits: int, plain: bool) -> None:
    node = Node(regret_matching)
    node.means[:] = 0, 0, 0, 0, 0.5, 0
    node.counts[:] = 0, 0, 0, 0, 1, 0
    node.tree.ints[2 * node.number + VISITS] = visits
    node.work.utility[0] = 0.2
    options = regret_matching.Options(0.1, expansion=expansion)
    form(regret_matching.update, plain)(node.tree, node.work, node.number, 0, options)
    assert node.field(0) == pytest.approx([0, 0, 0, 0.2 - 0.5, 0])
    assert node.means[5] == 0.2


@both_forms
@pytest.mark.parametrize(
    ("module", "weight"), [(regret_matching, 1.0), (decoupled_regret_matching, 1.0)], ids=["rm", "drm"]
)
def test_regret_matching_strategy(module: ModuleType, weight: float, plain: bool) -> None:
    node = Node(module)
    node.field(0)[:] = 3, 1, -2, -1, 0
    times = 2000
    shares = node.select_many(
        lambda: form(module.select, plain)(node.tree, node.work, node.number, True, module.Options(0.2)), times
    )
    # eq. 5 without exploration in the average, with it in what is sampled; no positive regret: uniform
    assert node.field(1) / times == pytest.approx([0.75, 0.25, 1 / 3, 1 / 3, 1 / 3])
    for share, expected in zip(shares, ([0.7, 0.3], [1 / 3] * 3), strict=True):
        assert np.abs(share - expected).max() < 4 * 0.5 / math.sqrt(times)
    out = np.zeros(2)
    average_strategy(node.tree, node.number, 0, 0.0, out)
    assert out == pytest.approx([0.75, 0.25])


@both_forms
def test_drm_update(plain: bool) -> None:
    node = Node(decoupled_regret_matching)
    node.work.utility[:] = 0.75, 0.25
    node.work.path_probability[0] = 0.5, 0.25
    options = decoupled_regret_matching.Options(0.1)
    form(decoupled_regret_matching.update, plain)(node.tree, node.work, node.number, 0, options)
    # utilities 0.5 and -0.5: everything minus the utility, the chosen action plus utility / probability
    assert node.field(0).tolist() == [-0.5, -0.5 + 1, 0.5, 0.5, 0.5 - 2]


@both_forms
def test_exp3(plain: bool) -> None:
    node = Node(exp3)
    node.work.utility[:] = 0.75, 0.25
    node.work.path_probability[0] = 0.5, 0.25
    form(exp3.update, plain)(node.tree, node.work, node.number, 0, exp3.Options(0.4))
    assert node.field(0).tolist() == [0, 1.5, 0, 0, 1]
    form(exp3.update, plain)(node.tree, node.work, node.number, 0, exp3.Options(0.4, shift=0.5))
    assert node.field(0).tolist() == [0, 2, 0, 0, 0]  # 0.25 / 0.5 more, and 0.25 / 0.25 less
    node.field(0)[:2] = 1000.0, 1000.0 + 5 * math.log(3)  # eta = 0.4 / 2: weights 1 and 3
    out = np.zeros(2)
    form(exp3.exponential_strategy, plain)(action_numbers(node.tree, node.number, 0, exp3.GAINS), 0.4, out)
    assert out == pytest.approx([0.25, 0.75])


@both_forms
def test_exp3_counts_utilities_as_shares_of_the_range_met(plain: bool) -> None:
    node = Node(exp3)
    node.work.path_probability[0] = 0.5, 0.25
    for low, high in ((0.4, 0.5), (0.44, 0.6)):
        node.work.utility[:] = low, high
        form(note_utilities, plain)(node.work)
    form(exp3.update, plain)(node.tree, node.work, node.number, 0, exp3.Options(0.4, by_range=1))
    assert node.field(0).tolist() == pytest.approx([0, 2, 0, 0, 4])  # the greatest of both players, over probabilities
    node.work.utility[:] = 0.41, 0.525
    form(exp3.update, plain)(node.tree, node.work, node.number, 0, exp3.Options(0.4, by_range=1))
    assert node.field(0).tolist() == pytest.approx([0, 2 + 0.25 / 0.5, 0, 0, 4 + 0.25 / 0.25])


@both_forms
def test_exp3_explores_but_leaves_exploration_out_of_the_average(plain: bool) -> None:
    node = Node(exp3)
    node.field(0)[:2] = 0.0, 5 * math.log(3)
    times = 2000
    shares = node.select_many(
        lambda: form(exp3.select, plain)(node.tree, node.work, node.number, True, exp3.Options(0.4)), times
    )
    assert node.field(1) / times == pytest.approx([0.25, 0.75, 1 / 3, 1 / 3, 1 / 3])
    assert np.abs(shares[0] - [0.6 * 0.25 + 0.2, 0.6 * 0.75 + 0.2]).max() < 4 * 0.5 / math.sqrt(times)
    row = node.work.path_choice[0, 0]
    assert node.work.path_probability[0, 0] == pytest.approx(0.35 if row == 0 else 0.65)


@both_forms
def test_exp3_learns_from_unscaled_payoffs_by_rate_and_shift(plain: bool) -> None:
    """Payoffs from -6 to 2 are 8 times as wide as scaled ones, and 0 is at 0.75 of their range."""
    node, options = Node(exp3), exp3.Options(0.4, 8.0, 0.75)
    payoff, probability = -2.0, 0.5
    node.work.utility[:] = (payoff + 6) / 8, 0.0
    node.work.path_probability[0] = probability, 0.25
    form(exp3.update, plain)(node.tree, node.work, node.number, 0, options)
    form(exp3.select, plain)(node.tree, node.work, node.number, False, options)
    weight = math.exp(0.4 / 2 * payoff / probability)  # of the action that was chosen; 1 of the other one
    assert node.field(1)[:2] == pytest.approx([1 / (1 + weight), weight / (1 + weight)])


@both_forms
def test_oos_select_and_update(plain: bool) -> None:
    node = Node(outcome_sampling)
    node.field(0)[:] = 3, 1, -1, 2, 2
    node.work.cursor[DEPTH] = 0
    options = outcome_sampling.Options(0.5)
    times = 2000
    probabilities = set()

    def select() -> None:
        node.work.sampling[SAMPLED] = 0.5
        form(outcome_sampling.select, plain)(node.tree, node.work, node.number, True, options)
        probability = float(node.work.sampling[SAMPLED]) / 0.5
        probabilities.add((int(node.work.path_choice[0, 0]), float(node.work.path_probability[0, 0]), probability))

    shares = node.select_many(select, times)
    assert probabilities == {(0, 0.75, 0.625), (1, 0.25, 0.375)}
    assert np.abs(shares[0] - [0.625, 0.375]).max() < 4 * 0.5 / math.sqrt(times)
    assert np.abs(shares[1] - [0, 0.5, 0.5]).max() < 4 * 0.5 / math.sqrt(times)
    # only the other player's average changes, each time by its strategy / 0.5
    assert node.field(1) == pytest.approx([0, 0, 0, times, times])
    node.work.path_choice[0, 0] = 1
    node.work.path_probability[0, 0] = 0.25
    node.work.sampling[WEIGHT] = 8.0
    form(outcome_sampling.update, plain)(node.tree, node.work, node.number, 0, options)
    assert node.work.sampling[WEIGHT] == 2.0
    assert node.field(0).tolist() == [3 - 2, 1 + 8 - 2, -1, 2, 2]


@both_forms
def test_oos_plus_update(plain: bool) -> None:
    node = Node(outcome_sampling_plus, choice=(0, 1))
    node.field(0)[:] = 3, 1, 1, 1, -1
    node.means[:] = 0.1, 0.2, 0.3, 0.4, 0.5, 0.6
    node.counts[:] = 1, 1, 1, 1, 0, 1
    node.work.utility[:] = 0.9, 0.1
    node.work.path_probability[0, outcome_sampling_plus.ABOVE] = 0.5
    options = outcome_sampling_plus.Options(0.5, expected=1)
    form(outcome_sampling_plus.update, plain)(node.tree, node.work, node.number, 0, options)
    # against (1/2, 1/2, 0): v = (0.1 + 0.9) / 2, (0.4 + 0.9) / 2, where 0.9 stands in for the one never tried
    expected = 0.75 * 0.5 + 0.25 * 0.65
    assert node.work.utility == pytest.approx([expected, 1 - expected])
    assert node.field(0) == pytest.approx([3 + 2 * (0.5 - expected), 1 + 2 * (0.65 - expected), 1, 1, -1])
    assert node.means[1] == pytest.approx(0.2 + (0.9 - 0.2) / 2)
    assert node.counts[1] == 2


@both_forms
def test_oos_plus_values_of_the_column_player(plain: bool) -> None:
    node = Node(outcome_sampling_plus, choice=(0, 1))
    node.field(0)[:] = 3, 1, 1, 1, -1
    node.means[:] = 0.1, 0.2, 0.3, 0.4, 0.5, 0.6
    node.counts[:] = 1
    node.work.utility[:] = 0.9, 0.1
    values = np.zeros(3)
    expected = form(outcome_sampling_plus.add_values, plain)(node.tree, node.work, node.number, 0, 1, values)
    assert values == pytest.approx([0.75 * 0.9 + 0.25 * 0.6, 0.75 * 0.1 + 0.25 * 0.5, 0.75 * 0.7 + 0.25 * 0.4])
    assert expected == pytest.approx((values[0] + values[1]) / 2)


@both_forms
def test_mean_backup_passes_on_the_mean(plain: bool) -> None:
    node = Node(regret_matching, mean=True)
    for utility, mean in ((1.0, 1.0), (0.0, 0.5), (0.2, 0.4)):
        node.work.utility[:] = utility, 1 - utility
        form(pass_on, plain)(node.tree, node.work, node.number, 1)
        assert node.work.utility == pytest.approx([mean, 1 - mean])
    assert node_numbers(node.tree, node.number) == pytest.approx([1.2, 1.8, 3])
    form(pass_on, plain)(node.tree, node.work, node.number, 0)
    assert node.work.utility == pytest.approx([0.4, 0.6])


@both_forms
@pytest.mark.parametrize(("expansion", "count"), [(EXPAND_JOINT, 6), (EXPAND_COVER, 3), (EXPAND_NONE, 0)])
def test_expansion_tries_everything_once(expansion: int, count: int, plain: bool) -> None:
    node = Node(regret_matching)
    node.work.cursor[DEPTH] = 0
    tried = []
    for made in range(count):
        node.tree.ints[2 * node.number + VISITS] = made
        assert form(choose_untried, plain)(node.tree, node.work, node.number, leaf_options(expansion))
        tried.append(tuple(int(choice) for choice in node.work.path_choice[0]))
    node.tree.ints[2 * node.number + VISITS] = count
    assert not form(choose_untried, plain)(node.tree, node.work, node.number, leaf_options(expansion))
    assert len(set(tried)) == count
    if count:
        assert {row for row, _ in tried} == set(range(ROWS))
        assert {column for _, column in tried} == set(range(COLUMNS))
