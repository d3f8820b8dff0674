"""Whole searches: strategies they approach, seeds, re-rooting, memory limits, leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ggp.arithmetic.rng import seed_word
from ggp.native.interface import NativeGame
from players.evaluation.measuring import Course, measured_run
from players.search.foundation.parallel import ParallelSearch
from players.search.simultaneous.decoupled_uct import COUNTS, SUMS
from players.search.simultaneous.tree import WORDS, action_numbers, root_of
from players.search.simultaneous.tree_search import TreeSearch
from players.search.simultaneous.tree_strategies import node_strategies
from tests.support.native_games import BIASED_RPS, goofspiel_of, matrix_game
from tests.support.players import TREE_PLAYERS
from tests.support.searches import SEED, search_at, state_after

EQUILIBRIUM = np.array([0.0625, 0.625, 0.3125])


@pytest.fixture(scope="module")
def rps() -> NativeGame:
    return matrix_game(BIASED_RPS, 100)


@pytest.fixture(scope="module")
def goofspiel() -> NativeGame:
    return goofspiel_of(5)


def search_from(native: NativeGame, player: str, *joints: tuple[int, int, int], seed: int = SEED) -> TreeSearch:
    """Return a search at the state after some transitions from the initial one."""
    return search_at(TreeSearch, native, player, state_after(native, *joints), seed)


@pytest.mark.parametrize(
    ("player", "distance"),
    [("rm", 0.02), ("oos", 0.02), ("oos+", 0.005), ("exp3:gamma=0.02", 0.1), ("drm:gamma=0.02", 0.1)],
)
def test_approaches_the_equilibrium_of_biased_rps(rps: NativeGame, player: str, distance: float) -> None:
    search = search_from(rps, player)
    search.run(300_000)
    for role in range(2):
        actions, strategy = search.strategy(role)
        assert actions.tolist() == [3 * role, 3 * role + 1, 3 * role + 2]
        assert np.abs(strategy - EQUILIBRIUM).max() < distance


@pytest.mark.parametrize(("player", "distance"), [("duct:unit=bounds,ties=0", 0.2), ("duct:unit=bounds", 0.02)])
def test_duct_does_not_find_the_equilibrium_of_biased_rps(rps: NativeGame, player: str, distance: float) -> None:
    # Shafiei, Sturtevant, Schaeffer 2009, section 3: UCT settles elsewhere
    search = search_from(rps, player)
    search.run(1_000_000)
    assert np.abs(search.strategy(0)[1] - EQUILIBRIUM).max() > distance


@pytest.mark.parametrize("player", [*TREE_PLAYERS, "rm:backup=mean", "rm:expansion=cover"])
def test_same_seed_same_tree_in_any_slices(goofspiel: NativeGame, player: str) -> None:
    whole, sliced = (search_from(goofspiel, player, (0, 0, 3)) for _ in range(2))
    other = search_from(goofspiel, player, (0, 0, 3), seed=7)
    whole.run(3000)
    for iterations in (1, 999, 2000):
        sliced.run(iterations)
    other.run(3000)
    used = int(whole.tree.counters[WORDS])
    assert whole.tree.words[:used].tobytes() == sliced.tree.words[:used].tobytes()
    assert whole.strategy(0)[1].tolist() == sliced.strategy(0)[1].tolist()
    assert whole.strategy(0)[1].tolist() != other.strategy(0)[1].tolist()


def test_last_card_is_played(goofspiel: NativeGame) -> None:
    joints: list[tuple[int, int, int]] = []
    for card in range(4):
        joints += [(0, 0, card), (card, card, 0)]
    search = search_from(goofspiel, "rm", *joints, (0, 0, 4))
    search.run(10)
    actions, strategy = search.strategy(1)
    assert actions.tolist() == [4]
    assert strategy.tolist() == [1.0]


def test_advance_keeps_the_child_and_forgets_the_rest(goofspiel: NativeGame) -> None:
    search = search_from(goofspiel, "duct:c=9", (0, 0, 3))
    search.run(20_000)
    kept = {found.path: found for found in node_strategies(search, goofspiel)}
    # both bid card 3 (position 2 of five): joint action 12; then the prize 1 comes
    assert search.advance(12, state_after(goofspiel, (0, 0, 3), (2, 2, 0)))
    assert search.advance(0, state_after(goofspiel, (0, 0, 3), (2, 2, 0), (0, 0, 0)))
    below = {found.path: found for found in node_strategies(search, goofspiel)}
    assert below[()].visits > 50
    for path, found in below.items():
        before = kept[(12, 0, *path)]
        assert found.visits == before.visits
        assert np.array_equal(found.state, before.state)
        assert found.choices[0][1].tolist() == before.choices[0][1].tolist()


def test_advance_to_an_unknown_child_begins_again(goofspiel: NativeGame) -> None:
    search = search_from(goofspiel, "rm", (0, 0, 3))
    search.run(3)
    assert not search.advance(24, state_after(goofspiel, (0, 0, 3), (4, 4, 0)))
    assert search.root_visits == 0
    search.run(5)
    assert search.root_visits == 5


def test_full_tree_goes_on_searching() -> None:
    native = goofspiel_of(13)
    search = search_from(native, "rm:memory=1", (0, 0, 12))
    search.run(20_000)
    full = search.nodes, search.bytes_used
    assert full[1] > 0.98 * (1 << 20)
    search.run(20_000)
    assert full[1] <= search.bytes_used <= 1 << 20
    assert search.root_visits == 40_000
    assert search.strategy(0)[1].sum() == pytest.approx(1)


def root_numbers(search: TreeSearch, field: int) -> np.ndarray:
    """A field of the action numbers of both players at the root."""
    return np.concatenate([action_numbers(search.tree, root_of(search.tree), player, field) for player in range(2)])


def test_leaves_without_estimate_count_half(goofspiel: NativeGame) -> None:
    # too few iterations to reach an end of the game by the tree; ten transitions end it
    without = replace(goofspiel, functions=goofspiel.functions._replace(estimate=0))
    cut, ended = (search_from(without, f"duct:leaf=estimate,moves={moves}", (0, 0, 3)) for moves in (0, 10))
    for search in (cut, ended):
        search.run(25)
    assert root_numbers(cut, COUNTS).tolist() == [5.0] * 10
    sums = [root_numbers(search, SUMS) for search in (cut, ended)]
    assert sums[0].tolist() == [2.5] * 10
    assert sums[1].tolist() != [2.5] * 10
    assert sums[1].sum() == pytest.approx(25)


def test_threads_search_trees_of_their_own_and_average(goofspiel: NativeGame) -> None:
    deal = state_after(goofspiel, (0, 0, 3))
    searches = [search_at(ParallelSearch, goofspiel, "duct:threads=3,memory=3", deal) for _ in range(2)]
    for search in searches:
        search.run(3001)
        assert search.root_visits == 3001
    first, second = (search.strategy(1) for search in searches)
    assert first[0].tolist() == [0, 1, 2, 3, 4]
    assert first[1].tolist() == second[1].tolist()
    assert first[1].sum() == pytest.approx(1)
    alone = search_from(goofspiel, "duct:memory=1", (0, 0, 3), seed=seed_word(SEED, 0))
    alone.run(1000)
    assert alone.strategy(1)[1].tolist() != first[1].tolist()
    assert np.abs(alone.strategy(1)[1] - first[1]).max() < 0.2


@pytest.mark.parametrize("player", ["rm:gamma=0.001", "oos", "oos+", "oos+:backup=sample", "cfr"])
def test_the_equilibrium_is_found_in_the_rules_of_the_library(player: str) -> None:
    # their payoffs add up to 100 and are bounded by -100 and 100: the bounds are not tight
    course = Course("rock_paper_scissors", (("payoffs", "biased"),), player, (300_000.0,))
    (measured,) = measured_run(course, 0, 0)
    assert measured.loss.nash_conv < 2


@pytest.mark.parametrize("c", [0.5, 1.5])
def test_duct_leaves_the_diagonal(c: float) -> None:
    # Lisý 2014, after eq. 3.2: the first action is better for both; who learns alike must be drawn apart by ties.
    # With exact ties they go round the diagonal for ever, and DUCT(max) plays either action, by the iterations' parity.
    lockstep = matrix_game(((0, 1), (-1, 0)), 0)
    for seed in range(1, 11):
        search = search_from(lockstep, f"duct:c={c},expansion=none,final=max", seed=seed)
        search.run(2000 + seed % 2)
        assert [search.strategy(role)[1].tolist() for role in (0, 1)] == [[1, 0]] * 2
    for ties, low, high in ((0.01, 0.85, 1.0), (0.0, 0.5, 0.55)):
        search = search_from(lockstep, f"duct:c={c},ties={ties},unit=bounds")
        search.run(3000)
        for role in range(2):
            assert low < search.strategy(role)[1][0] <= high


def test_oos_plus_that_passes_on_expected_values_comes_closer() -> None:
    pairs = (("n", "4"), ("prizes", "descending"))
    loss = {}
    for player in ("oos+", "oos+:backup=sample"):
        (measured,) = measured_run(Course("goofspiel", pairs, player, (100_000.0,)), 0, 0)
        loss[player] = measured.loss.nash_conv
    assert loss["oos+"] < 0.1 < loss["oos+:backup=sample"] / 2


@pytest.mark.parametrize("player", TREE_PLAYERS)
def test_a_search_gets_ready_at_any_root(goofspiel: NativeGame, rps: NativeGame, player: str) -> None:
    for native in (goofspiel, rps):  # chance at the root, and a decision
        search = search_from(native, player)
        search.prepare(state_after(native))
        search.set_root(state_after(native))
        search.run(100)
        assert search.root_visits == 100


def test_threads_average_before_they_reduce(goofspiel: NativeGame) -> None:
    strategies = []
    for final in ("mix", "max"):
        player = f"rm:threads=4,memory=4,final={final}"
        search = search_at(ParallelSearch, goofspiel, player, state_after(goofspiel, (0, 0, 3)))
        search.run(400)
        strategies.append(search.strategy(0)[1])
    average, reduced = strategies
    assert np.count_nonzero(average) > 1
    assert reduced.tolist() == [float(place == average.argmax()) for place in range(5)]


def test_improbable_actions_are_not_played(goofspiel: NativeGame) -> None:
    strategies = []
    for least in (0.0, 0.3, 1.0):
        search = search_from(goofspiel, f"rm:least={least}")
        search.set_root(state_after(goofspiel, (0, 0, 1)))
        search.run(60)
        strategies.append(search.strategy(0)[1])
    average, probable, best = strategies
    kept = np.where(average >= 0.3 * average.max(), average, 0.0)
    assert 1 < np.count_nonzero(kept) < np.count_nonzero(average)
    assert probable == pytest.approx(kept / kept.sum())
    assert best.tolist() == [float(place == average.argmax()) for place in range(5)]
