"""Searches at the edges: rules that fail, long paths, counts and trees at their limit, moves of probability 0."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.native.interface import NativeGame
from players.agents.modelled_opponent import ModelledOpponentSearch
from players.search.cfr.frontier import COMPLETE
from players.search.cfr.full_width import FullWidthSearch
from players.search.cfr.partial_tree import CURRENT, FIRST, STRATEGY_SUM, reach_begin
from players.search.cfr.partial_tree import action_numbers as action_numbers_of
from players.search.foundation import memory
from players.search.foundation.kernel_arguments import LONGEST_PATH
from players.search.foundation.leaf_values import random_transition
from players.search.simultaneous import decoupled_uct
from players.search.simultaneous.decoupled_uct import SUMS
from players.search.simultaneous.simulation import NO_PLAY, expand
from players.search.simultaneous.tree import (
    MAX_COUNT,
    ROOT_ENTRY,
    TABLE_OF_CHILDREN,
    VISITS,
    action_numbers,
    add_decision,
    joint_counts,
    new_tree,
    root_of,
)
from players.search.simultaneous.tree_search import TreeSearch
from tests.support.faulty_rules import CASES, faulty_game
from tests.support.library import game_of, one_phase
from tests.support.native_games import BIASED_RPS, goofspiel_of, matrix_game
from tests.support.players import TREE_PLAYERS
from tests.support.searches import SEED, made_search, search_at, state_after
from tests.unit.players.search.test_tree_searches import search_from

SEARCHES = (*TREE_PLAYERS, "duct:leaf=estimate,moves=5", "cfr")
PATH = "each p chooses x in 1..2 where x == 1 or left == 2000\nleft := left - 1\nnext end if left == 1 else go"


def searched(native: NativeGame, player: str, iterations: int) -> TreeSearch | FullWidthSearch:
    search = search_at(TreeSearch | FullWidthSearch, native, player, state_after(native))
    search.run(iterations)
    return search


@pytest.mark.sweep
@pytest.mark.parametrize("where", CASES)
@pytest.mark.parametrize("player", SEARCHES)
def test_rules_that_fail_end_an_iteration_and_nothing_else(where: str, player: str) -> None:
    native = faulty_game(where).native()
    search = searched(native, player, 300)
    assert search.iterations == 300
    if where == "chance draws":
        assert search.nodes == 4  # the root and three outcomes, after which the next draw fails
    else:
        assert search.strategy(0)[1].sum() == pytest.approx(1)


@pytest.mark.parametrize("where", ["actions are listed", "nothing is legal", "chance draws"])
def test_where_the_rules_fail_nothing_is_played_or_expanded(where: str) -> None:
    native = faulty_game(where).native()
    search = searched(native, "duct:leaf=estimate,moves=5", 0)
    assert isinstance(search, TreeSearch)
    model, tree, work = search.model, search.tree, search.work
    words = native.shape.state_words
    work.states[:words] = state_after(native, (1, 0, 1))  # points are 0 then
    before = work.states.copy()
    assert not random_transition(model, work, 0, words)
    assert work.states.tolist() == before.tolist()
    if where != "chance draws":
        used = search.bytes_used
        assert expand(model, tree, work, ROOT_ENTRY, 0) == NO_PLAY
        assert search.bytes_used == used


def test_a_fault_is_worth_as_much_to_both() -> None:
    search = searched(faulty_game("actions are listed").native(), "duct", 10)
    assert isinstance(search, TreeSearch)
    sums = [action_numbers(search.tree, root_of(search.tree), player, SUMS) for player in range(2)]
    assert np.concatenate(sums).tolist() == pytest.approx([2.0, 1.5, 1.5, 5.0])


def test_a_constant_payoff_is_worth_half() -> None:
    search = searched(matrix_game(((7, 7), (7, 7)), 10), "duct", 8)
    assert isinstance(search, TreeSearch)
    sums = [action_numbers(search.tree, root_of(search.tree), player, SUMS).sum() for player in range(2)]
    assert sum(sums) == 8.0  # half of 8 for each of the two players


@pytest.mark.parametrize("player", [*(f"{name}:expansion=none" for name in TREE_PLAYERS), "cfr:rollouts=30"])
def test_paths_longer_than_the_longest_are_cut(player: str) -> None:
    game = game_of(one_phase(PATH, "left: 0..2000 = 2000"))
    search = searched(game.native(), player, 1500)
    assert search.root_visits == 1500
    assert search.strategy(0)[1].sum() == pytest.approx(1)
    if isinstance(search, FullWidthSearch):
        assert search.progress.status[0] == COMPLETE
        assert search.nodes == 1 + 4 * LONGEST_PATH
    else:
        assert isinstance(search, TreeSearch)
        assert search.work.path_node.size == LONGEST_PATH


def test_a_run_is_divided_into_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    native = goofspiel_of(5)
    whole = search_from(native, "oos:memory=1", (0, 0, 3))
    whole.run(2500)
    monkeypatch.setattr(memory, "ITERATIONS_A_CALL", 1000)
    calls = []
    divided = search_from(native, "oos:memory=1", (0, 0, 3))
    kernel = divided.family.search

    def counted(*arguments: object) -> None:
        calls.append(arguments[-1])
        kernel(*arguments)

    monkeypatch.setattr(divided, "family", decoupled_uct.Family(counted, kernel, divided.family.sizes, lambda _: None))
    divided.run(2500)
    assert calls == [1000, 1000, 500]
    assert divided.tree.words.tobytes() == whole.tree.words.tobytes()


# --- counts in 32 bits ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", TREE_PLAYERS)
def test_visits_stay_at_the_most_that_can_be_counted(player: str) -> None:
    search = search_from(matrix_game(BIASED_RPS, 100), player)
    search.run(1000)
    root = root_of(search.tree)
    search.tree.ints[2 * root + VISITS] = MAX_COUNT - 10
    if search.tree.joint_counts:
        joint_counts(search.tree, root)[:] = MAX_COUNT - 1
    search.run(1000)
    assert search.root_visits == MAX_COUNT
    if search.tree.joint_counts:
        assert set(joint_counts(search.tree, root).tolist()) <= {MAX_COUNT - 1, MAX_COUNT}


@pytest.mark.parametrize("counts", [(1 << 16, 1 << 16), (1 << 20, 1 << 12), (3, 1 << 30)])
def test_more_joint_actions_than_can_be_counted_are_not_expanded(counts: tuple[int, int]) -> None:
    tree = new_tree(64 << 20, 2, 0, 2, 0, 0)
    before = tree.counters.copy()
    actions = np.zeros(sum(counts) if sum(counts) < 1 << 22 else 1, np.int64)
    assert add_decision(tree, ROOT_ENTRY, np.array(counts), actions) == 0
    assert tree.counters.tolist() == before.tolist()
    assert TABLE_OF_CHILDREN not in tree.ints[:64].tolist()


# --- full width -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", ["cfr", "rnr:model_iterations=100"])
def test_learning_goes_on_after_moves_of_probability_0(player: str) -> None:
    native = goofspiel_of(4)
    search = search_at(FullWidthSearch, native, player, state_after(native, (0, 0, 3)))
    search.run(10)
    # both are certain to bid their last card at the next sweep; they then bid their first
    for role in range(2):
        action_numbers_of(search.tree, FIRST, CURRENT, role)[:] = (0.0, 0.0, 0.0, 1.0)
    search.run(1)
    state = state_after(native, (0, 0, 3), (0, 0, 0))
    assert search.advance(0, state)
    assert search.advance(1, state_after(native, (0, 0, 3), (0, 0, 0), (0, 0, 1)))
    fields = [action_numbers_of(search.tree, FIRST, STRATEGY_SUM, role) for role in range(2)]
    before = [field.sum() for field in fields]
    search.run(10)
    reach = reach_begin(FIRST)
    assert search.tree.words[reach : reach + 1 + search.tree.copies].tolist() == [1.0] * (1 + search.tree.copies)
    for role in range(2):
        # half of what was kept, and ten strategies of weight 1
        assert fields[role].sum() == pytest.approx(0.5 * before[role] + 10)


@pytest.mark.parametrize("player", ["cfr:nodes=100", "rnr:nodes=100,model=cfr:nodes=100"])
def test_a_root_that_does_not_fit_is_played_uniformly(player: str) -> None:
    native = goofspiel_of(13)
    search = made_search(FullWidthSearch, native, player)
    search.prepare(state_after(native))
    deals = [
        (0, 0, 12),
        *((card, card, 0) if turn % 2 else (0, 0, card) for card in range(11, 6, -1) for turn in (1, 0)),
    ]
    search.seed(SEED)
    search.set_root(state_after(native, *deals[:9]))  # nine cards a hand: 81 joint actions
    search.run(50)
    assert search.root_visits == 50
    assert search.strategy(0)[1].std() > 0
    search.set_root(state_after(native, *deals[:1]))  # thirteen
    search.run(50)
    assert search.root_visits == 0
    assert search.strategy(0)[1].tolist() == [1 / 13] * 13
    assert not search.advance(0, state_after(native, *deals[:9]))
    search.run(50)
    assert search.root_visits == 50


def test_the_opponent_cannot_be_learned_from_where_nothing_fits() -> None:
    native = goofspiel_of(13)
    search = search_at(ModelledOpponentSearch, native, "rnr:nodes=100,p=0.25", state_after(native, (0, 0, 12)))
    search.run(5)
    search.advance(0, state_after(native, (0, 0, 12), (0, 0, 0)))
    assert search.confidence == 0.25
