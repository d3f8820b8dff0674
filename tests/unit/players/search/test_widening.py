"""Progressive widening: how many actions are considered, that the others are left alone, and in whose order all is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ggp.native.interface import GameShape, NativeGame
from players.agents.registry import read_player
from players.search.foundation.kernel_arguments import DEPTH, EXPAND_WIDEN, ITERATION, WEIGHT, LeafOptions, new_work
from players.search.foundation.leaf_values import note_utilities
from players.search.simultaneous import exp3
from players.search.simultaneous.expansion import choose_untried, widened
from players.search.simultaneous.tree import (
    HEADER_INTS,
    ROOT_ENTRY,
    VISITS,
    WORDS,
    add_decision,
    joint_counts,
    new_tree,
    numbers_begin,
    root_of,
)
from players.search.simultaneous.tree_search import TreeSearch
from players.search.simultaneous.tree_strategies import node_strategies
from tests.support.kernel_forms import compiled
from tests.support.native_games import goofspiel_of, matrix_game
from tests.support.players import TREE_PLAYERS, family_module
from tests.support.searches import search_at, state_after

LARGEST = 2**31 - 1

# random words wrap, of which numpy warns outside of compiled code
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


def options(c: float, alpha: float) -> LeafOptions:
    return LeafOptions(0, 0, 100, EXPAND_WIDEN, c, alpha)


def search_of(native: NativeGame, player: str, seed: int = 7) -> TreeSearch:
    return search_at(TreeSearch, native, player, state_after(native), seed)


@pytest.mark.parametrize(
    ("c", "alpha", "considered"),
    [
        (1.0, 0.5, {1: 1, 2: 2, 4: 2, 5: 3, 9: 3, 10: 4, 100: 10, 101: 11}),
        (2.5, 0.0, {1: 3, 10**6: 3}),
        (0.5, 1.0, {1: 1, 2: 1, 3: 2, 1000: 500}),
        (10_000.0, 1.0, {LARGEST: LARGEST}),
    ],
)
def test_as_many_actions_are_considered_as_the_formula_says(c: float, alpha: float, considered: dict[int, int]) -> None:
    for visits, count in considered.items():
        assert compiled(widened)(options(c, alpha), visits) == widened(options(c, alpha), visits) == count
        tree, work = new_tree(1 << 16, 2, 0, 2, 0, 0), new_work(GameShape(2, 1, 3, 1, 1))
        node = int(add_decision(tree, ROOT_ENTRY, np.array([3, 3]), np.arange(6)))
        tree.ints[2 * node + VISITS] = visits - 1
        assert not choose_untried(tree, work, node, options(c, alpha))
        assert work.path_limit[0] == count


class NarrowNode:
    """A node with 2 and 3 actions; the choice (1, 1) was made where two of each player are considered."""

    def __init__(self, joint_numbers: int) -> None:
        self.tree = new_tree(1 << 16, 2, 0, 2, joint_numbers, joint_numbers)
        self.number = int(add_decision(self.tree, ROOT_ENTRY, np.array([2, 3]), np.arange(5)))
        begin = int(numbers_begin(self.tree, self.number))
        self.regrets = self.tree.words[begin : begin + 5]
        self.regrets[:] = 1, 2, 1, 2, 1000
        self.sums = self.tree.words[begin + 5 : begin + 10]
        if joint_numbers:
            self.tree.words[begin + 10 : begin + 16] = 0.5, 0.5, 100, 0.5, 0.5, 100
            joint_counts(self.tree, self.number)[:] = 1
        self.work = new_work(GameShape(2, 1, 3, 1, 1))
        self.work.rng[0] = 12345
        self.work.path_node[0] = self.number
        self.work.path_choice[0] = 1, 1
        self.work.path_joint[0] = 4
        self.work.path_limit[0] = 2
        self.work.path_probability[0] = 0.5
        for utilities in ((0, 1), (1, 0), (0.75, 0.25)):
            self.work.utility[:] = utilities
            note_utilities(self.work)
        self.work.cursor[DEPTH] = 0
        self.work.cursor[ITERATION] = 1  # the second player explores


@pytest.mark.parametrize("player", TREE_PLAYERS)
def test_what_is_not_considered_is_neither_chosen_nor_changed_nor_counted(player: str) -> None:
    module = family_module(player)
    options = module.FAMILY.options(read_player(f"{player}:expansion=widen").settings)
    node = NarrowNode(module.FAMILY.sizes.joint_numbers)
    node.sums[:] = 1, 1, 1, 1, 0  # of DUCT they are counts, and an action that was never chosen would come first
    for _ in range(100):
        module.select(node.tree, node.work, node.number, True, options)
        assert node.work.path_choice[0, 1] < 2
    assert node.sums[4] == 0
    assert node.sums[2:4].sum() - 2 == pytest.approx(0) or node.sums[2:4].sum() - 2 == pytest.approx(100)  # 1 each time
    node.work.path_choice[0] = 1, 1
    node.work.path_probability[0] = 0.5
    node.work.sampling[WEIGHT] = 8.0
    module.update(node.tree, node.work, node.number, 0, options)
    assert node.regrets[4] == 1000
    assert np.abs(node.regrets[:4]).max() < 50  # of the mean 100, and the regret 1000, nothing came in


@pytest.fixture(scope="module")
def wide() -> NativeGame:
    """Row 17 and column 4 are dominant."""
    payoffs = np.zeros((20, 30))
    payoffs[17] += 2
    payoffs[:, 4] -= 1
    return matrix_game(payoffs, 0.0)


@pytest.mark.parametrize("visits", [1, 2, 3, 10, 50, 100])
def test_a_search_reaches_exactly_the_actions_considered(wide: NativeGame, visits: int) -> None:
    search = search_of(wide, "duct:expansion=widen,widen_c=1.5,widen_alpha=0.4")
    search.run(visits)
    for role, actions in enumerate((20, 30)):
        strategy = search.strategy(role)[1]  # shares of visits; DUCT chooses at once what was never chosen
        assert np.count_nonzero(strategy) == min(math.ceil(1.5 * visits**0.4), visits, actions)
        assert strategy.size == actions


@pytest.mark.parametrize("player", TREE_PLAYERS)
def test_actions_never_considered_have_probability_0_and_order_is_by_seed(wide: NativeGame, player: str) -> None:
    reached = []
    for seed in (1, 2, 2):
        search = search_of(wide, f"{player}:expansion=widen,widen_c=3,widen_alpha=0", seed)
        search.run(2000)
        strategy = search.strategy(1)[1]
        assert np.count_nonzero(strategy) <= 3
        assert strategy.sum() == pytest.approx(1)
        node = root_of(search.tree)
        begin = 2 * node + HEADER_INTS + 2 + 20
        reached.append(search.tree.ints[begin : begin + 3].tolist())
        assert {action - 10 for action in reached[-1]} >= set(np.flatnonzero(strategy).tolist())
    assert reached[1] == reached[2] != reached[0]


@pytest.mark.parametrize("player", TREE_PLAYERS)
def test_strategies_are_in_the_order_of_the_legal_actions(wide: NativeGame, player: str) -> None:
    search = search_of(wide, f"{player}:expansion=widen,widen_c=1,widen_alpha=0.5")
    search.run(20_000)
    assert [int(search.strategy(role)[1].argmax()) for role in range(2)] == [17, 4]


@pytest.mark.parametrize("player", TREE_PLAYERS)
def test_with_all_actions_from_the_start_it_is_as_without(player: str) -> None:
    native = goofspiel_of(5)
    wide, none = (search_of(native, f"{player}:{rest}") for rest in ("expansion=widen,widen_c=5", "expansion=none"))
    for search in (wide, none):
        search.run(3000)
    used = int(none.tree.counters[WORDS])
    assert wide.tree.words[:used].tobytes() == none.tree.words[:used].tobytes()


def test_play_is_followed_to_the_right_child() -> None:
    native = goofspiel_of(5)
    search = search_of(native, "duct:c=9,expansion=widen,widen_c=2,widen_alpha=0.5")
    search.set_root(state_after(native, (0, 0, 3)))
    search.run(20_000)
    kept = {found.path: found for found in node_strategies(search, native)}
    assert search.advance(8, state_after(native, (0, 0, 3), (1, 3, 0)))  # row-major over five actions each
    assert search.advance(0, state_after(native, (0, 0, 3), (1, 3, 0), (0, 0, 0)))
    below = {found.path: found for found in node_strategies(search, native)}
    assert below[()].visits > 50
    for path, found in below.items():
        assert np.array_equal(found.state, kept[(8, 0, *path)].state)
        assert found.choices[1][1].tolist() == kept[(8, 0, *path)].choices[1][1].tolist()


def test_exp3_starts_a_new_action_at_the_mean_of_those_before() -> None:
    node = NarrowNode(0)
    node.regrets[:] = 1, 2, 4, 2, 0  # estimated sums: of 2 and of 3 actions
    leaf = options(1.0, 0.5)
    for visits, expected in ((3, 0.0), (4, 3.0)):
        node.tree.ints[2 * node.number + VISITS] = visits
        assert not choose_untried(node.tree, node.work, node.number, leaf)
        for start in (exp3.start_widened, compiled(exp3.start_widened)):
            node.regrets[4] = 0
            start(node.tree, node.work, node.number)
            assert node.regrets.tolist() == [1, 2, 4, 2, expected]
