"""The players `cfr` and `rnr` as searches: what they approach, growth, memory, slices, re-rooting, best responses."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import ggp
from experiments.model_confidence import CONFIDENCES, METHODS, MIX, RESTRICTED, Measuring, run_once, summary
from ggp.native.interface import NativeGame
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.components import order_components
from ggp.solvers.worlds.exploitability import Exploitability, ExploitabilityMeter
from ggp.solvers.worlds.exploration import explore_game
from ggp.solvers.worlds.state_graph import ROOT
from ggp.solvers.worlds.strategy_trees import strategy_tree
from players.agents.modelled_opponent import ModelledOpponentSearch
from players.player_options import PlayerText
from players.search.cfr.full_width import FullWidthSearch
from players.search.cfr.partial_tree import (
    DEPTH,
    FIRST,
    LAST,
    LENGTH,
    NODES,
    NONE,
    PARENT,
    PLACE,
    PREVIOUS,
    VALUED,
    WORDS,
    children,
    links_begin,
    values_begin,
)
from players.search.simultaneous.tree_strategies import node_strategies
from tests.support.native_games import BIASED_RPS, goofspiel_of, matrix_game
from tests.support.searches import SEED, search_at, state_after


@pytest.fixture(scope="module")
def goofspiel() -> NativeGame:
    return goofspiel_of(5)


def search_from(native: NativeGame, player: str, *joints: tuple[int, int, int], seed: int = SEED) -> FullWidthSearch:
    return search_at(FullWidthSearch, native, player, state_after(native, *joints), seed)


@pytest.mark.parametrize("player", ["cfr:nodes=5", "rnr:nodes=5,model_iterations=2"])
def test_nothing_is_left_to_do_where_the_root_does_not_fit(player: str) -> None:
    native = matrix_game(BIASED_RPS, 100)
    search = search_from(native, player)
    search.run_units(1000)
    assert search.settled
    assert search.strategy(0)[1] == pytest.approx([1 / 3] * 3)
    assert not search_from(native, player.replace("5", "50")).settled


def test_goofspiel_4_converges() -> None:
    # cumulative regret grows as sqrt(sweeps), so NashConv falls as 1 / sqrt(sweeps) or faster: Zinkevich et al. 2007
    loss = [losses("cfr", sweeps).nash_conv for sweeps in (30, 300, 3000)]
    assert loss[1] < loss[0] / 2
    assert loss[2] < loss[1] / 2
    assert loss[2] < 0.05
    assert losses("cfr:average=plain", 3000).nash_conv > loss[2]


def losses(player: str, sweeps: int) -> Exploitability:
    """Return what the strategies of `goofspiel(4)` with prizes in ascending order lose."""
    graph = explore_game(ggp.load("goofspiel", n=4, prizes="ascending").native())
    components = order_components(graph.graph)
    meter = ExploitabilityMeter(optimal_values(graph, components), components)
    search = search_at(FullWidthSearch, graph.native, player, graph.state_words(ROOT))
    search.run(sweeps)
    assert search.iterations == sweeps
    return meter.of_tree(strategy_tree(graph, node_strategies(search, graph.native)))


@pytest.mark.parametrize("player", ["cfr", "cfr:leaf=estimate,moves=20,rollouts=60", "rnr:model_iterations=500"])
def test_same_seed_same_tree_in_any_slices(player: str) -> None:
    native = goofspiel_of(7)
    whole, sliced = (search_from(native, player, (0, 0, 3)) for _ in range(2))
    whole.run(350)
    assert not whole.complete
    calls = 0
    while sliced.iterations < 250:
        sliced.run_units(500)
        calls += 1
    assert calls > 100
    assert sliced.iterations < 350
    sliced.run(350 - sliced.iterations)
    used = int(whole.tree.counters[WORDS])
    assert whole.tree.words[:used].tobytes() == sliced.tree.words[:used].tobytes()
    other = search_from(native, player, (0, 0, 3), seed=7)
    other.run(350)
    assert other.strategy(0)[1].tolist() != whole.strategy(0)[1].tolist()


def test_a_unit_of_work_is_small() -> None:
    # an expansion, a playout, or a node of a sweep: far from all the leaves of a root with 169 joint actions
    search = search_from(goofspiel_of(13), "cfr", (0, 0, 12))
    while search.progress.value_block[0] != FIRST or search.progress.samples[0] == 0:
        search.run_units(1)
    place, samples = int(search.progress.value_place[0]), int(search.progress.samples[0])
    search.run_units(1)
    assert (search.progress.value_place[0], search.progress.samples[0]) == (place, samples + 1)


def checked_blocks(search: FullWidthSearch) -> int:
    """Check that blocks lie breadth-first and know each other, and return how many nodes there are."""
    tree = search.tree
    block, before, nodes, depth = FIRST, NONE, 1, 0
    place_before = (NONE, -1)
    while block != tree.counters[WORDS]:
        header = tree.ints[2 * block :]
        assert header[PREVIOUS] == before
        assert header[DEPTH] >= depth
        if block != FIRST:
            parent, place = int(header[PARENT]), int(header[PLACE])
            assert (parent, place) > place_before
            assert tree.ints[links_begin(tree, parent) + place] == block
            assert header[DEPTH] == tree.ints[2 * parent + DEPTH] + 1
            place_before = parent, place
        nodes, depth, before = nodes + children(tree, block), int(header[DEPTH]), block
        block += int(header[LENGTH])
    assert tree.counters[LAST] == before
    assert tree.counters[NODES] == nodes
    return int(nodes)


def test_advance_keeps_what_is_below_and_forgets_the_rest(goofspiel: NativeGame) -> None:
    search = search_from(goofspiel, "cfr:rollouts=50", (0, 0, 3))
    search.run(900)
    nodes = checked_blocks(search)
    kept = {found.path: found for found in node_strategies(search, goofspiel)}
    # both bid card 3 (position 2 of five): joint action 12; then the prize 1 comes
    assert search.advance(12, state_after(goofspiel, (0, 0, 3), (2, 2, 0)))
    assert search.advance(0, state_after(goofspiel, (0, 0, 3), (2, 2, 0), (0, 0, 0)))
    assert checked_blocks(search) < nodes / 20
    below = {found.path: found for found in node_strategies(search, goofspiel)}
    assert () in below
    assert set(below) == {path[2:] for path in kept if path[:2] == (12, 0)}
    for path, found in below.items():
        before = kept[(12, 0, *path)]
        assert np.array_equal(found.state, before.state)
        assert found.visits == before.visits
        assert found.choices[0][1].tolist() == before.choices[0][1].tolist()
    search.run(10)
    assert search.complete
    assert checked_blocks(search) == search.nodes


def test_advance_to_a_leaf_begins_again() -> None:
    native = goofspiel_of(13)
    search = search_from(native, "cfr", (0, 0, 12))
    search.run(1)
    assert not search.advance(24, state_after(native, (0, 0, 12), (1, 11, 0)))
    assert search.root_visits == 0
    search.run(5)
    assert search.root_visits == 5


def test_trying_whether_the_tree_is_complete_leaves_no_trace() -> None:
    search = search_from(goofspiel_of(13), "cfr", (0, 0, 12))
    search.run(1)
    assert checked_blocks(search) == 170
    links = search.tree.ints[links_begin(search.tree, FIRST) :][:169]
    assert links.tolist() == [VALUED] * 169


@pytest.mark.parametrize("limit", ["memory=1", "nodes=20000"])
def test_full_tree_goes_on_sweeping(limit: str) -> None:
    search = search_from(goofspiel_of(9), f"cfr:leaf=estimate,{limit}", (0, 0, 8))
    search.run(1500)
    full = search.nodes, search.bytes_used
    assert full[1] > 0.98 * (1 << 20) if limit == "memory=1" else 19_000 < full[0] <= 20_000
    search.run(50)
    assert (search.nodes, search.bytes_used) == full
    assert search.bytes_used <= 1 << 20 or limit != "memory=1"
    assert checked_blocks(search) == search.nodes
    assert search.strategy(0)[1].sum() == pytest.approx(1)


def test_leaves_are_valued_by_playouts_until_they_settle() -> None:
    # with equal hands and no prize won, both players are as likely to win by random play
    search = search_from(goofspiel_of(13), "cfr:rollouts=100000", (0, 0, 12))
    search.run(1)
    values = search.tree.words[values_begin(search.tree, FIRST) :][:169].reshape(13, 13)
    assert np.abs(np.diag(values) - 0.5).max() < 0.15
    assert abs(values.mean() - 0.5) < 0.01
    # the greatest prize for one point of a card more than the other's
    assert np.diag(values, -1).mean() > np.diag(values, 1).mean() + 0.2


# --- against a model --------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_table_of_model_confidence() -> None:
    game = explore_game(ggp.load("goofspiel", n=4, prizes="ascending").native())
    payoffs = run_once(Measuring(game), PlayerText("duct:c=1,ties=0"), 3000, 12_000, SEED)
    rows = summary([payoffs])
    assert [(row.method, row.p) for row in rows] == [(method, p) for method in METHODS for p in CONFIDENCES]
    restricted, mix = rows[:5], rows[5:]
    # what restricted Nash maximises: nobody else may do better than by the error of 12,000 sweeps
    for own in restricted:
        gains = [own.p * row.exploitation + (1 - own.p) * row.worst_case for row in rows]
        assert own.p * own.exploitation + (1 - own.p) * own.worst_case > max(gains) - 1
    # so confidence pays against the model, and costs against a best response
    for one, next_lower in itertools.pairwise(restricted):
        assert one.exploitation > next_lower.exploitation - 1
        assert one.worst_case < next_lower.worst_case + 1
    assert restricted[0].exploitation > 65
    assert restricted[0].worst_case < 1
    assert restricted[4].worst_case > 49
    for end in (0, 4):
        assert payoffs[RESTRICTED, CONFIDENCES[end]] == payoffs[MIX, CONFIDENCES[end]]
    # a mixture of whole strategies gets the mean of what they get, and loses at most the mean to a best response
    for row in mix:
        mean = row.p * restricted[0].exploitation + (1 - row.p) * restricted[4].exploitation
        assert row.exploitation == pytest.approx(mean)
        assert row.worst_case >= row.p * restricted[0].worst_case + (1 - row.p) * restricted[4].worst_case - 1e-9


@pytest.mark.long
@pytest.mark.parametrize("role", [0, 1])
def test_full_confidence_is_a_best_response_and_none_is_an_equilibrium(role: int) -> None:
    graph = explore_game(ggp.load("goofspiel", n=4, prizes="ascending").native())
    components = order_components(graph.graph)
    meter = ExploitabilityMeter(optimal_values(graph, components), components)

    def met(p: float) -> tuple[ModelledOpponentSearch, float, Exploitability]:
        """Search; return also what we get from the model, and what our strategy and the model's lose."""
        search = search_from(graph.native, f"rnr:p={p},model_iterations=3000")
        assert isinstance(search, ModelledOpponentSearch)
        search.take_role(role)
        search.set_root(graph.state_words(ROOT).copy())
        search.run(3000)
        own = list(node_strategies(search, graph.native))
        free = search.strategy_at
        search.strategy_at = lambda node, player, actions: (  # type: ignore[method-assign]
            free(node, player, actions) if player == role else search.modelled_strategy_at(node)
        )
        found = list(node_strategies(search, graph.native))
        assert [one.choices[role][1].tolist() for one in own] == [one.choices[role][1].tolist() for one in found]
        tree = strategy_tree(graph, found)
        gain = meter.expected(tree) * (1 if role == 0 else -1)
        return search, gain, meter.of_tree(tree)

    # the value of this symmetric game is 0: a best response gains what the model loses to it, found independently
    search, gain, loss = met(1)
    assert loss.by_player[1 - role] > 0.1
    assert gain == pytest.approx(loss.by_player[1 - role], abs=2e-3)
    assert search.confidence == 1
    _, gain, loss = met(0)
    assert loss.by_player[role] < 0.03
    assert -0.03 < gain < loss.by_player[1 - role]


@pytest.mark.long
def test_without_confidence_it_is_cfr(goofspiel: NativeGame) -> None:
    deal = (0, 0, 3), (2, 1, 0), (0, 0, 0)
    plain, restricted = search_from(goofspiel, "cfr", *deal), search_from(goofspiel, "rnr:p=0", *deal)
    for search in (plain, restricted):
        search.run(500)
        assert search.complete
    for one, other in zip(node_strategies(plain, goofspiel), node_strategies(restricted, goofspiel), strict=True):
        assert one.path == other.path
        np.testing.assert_allclose(one.choices[0][1], other.choices[0][1])
        np.testing.assert_allclose(one.choices[1][1], other.choices[1][1])


def test_the_model_is_the_search_it_names(goofspiel: NativeGame) -> None:
    search = search_from(goofspiel, "rnr:model=rm:memory=9,model_iterations=2000", (0, 0, 3))
    assert isinstance(search, ModelledOpponentSearch)
    search.run(1)
    assert search.modelled.iterations == 2000
    expected = search.modelled.strategy_at(search.modelled.root_node, 1, 5)
    assert search.modelled_strategy_at(FIRST).tolist() == expected.tolist()
    assert expected.tolist() != [0.2] * 5


def test_confidence_follows_the_opponents_actions(goofspiel: NativeGame) -> None:
    search = search_from(goofspiel, "rnr:p=0.5,model_iterations=2000", (0, 0, 3))
    assert isinstance(search, ModelledOpponentSearch)
    search.run(120)
    fixed, free = search.modelled_strategy_at(FIRST)[1], search.strategy(1)[1][1]
    search.advance(2 * 5 + 1, state_after(goofspiel, (0, 0, 3), (2, 1, 0)))
    assert search.confidence == pytest.approx(fixed / (fixed + free))
    search.seed(SEED)
    assert search.confidence == 0.5


def test_mixing_tosses_a_coin_once_a_match(goofspiel: NativeGame) -> None:
    search = search_from(goofspiel, "rnr:p=0.25,method=mix")
    assert isinstance(search, ModelledOpponentSearch)
    confidences = []
    for seed in range(1, 401):
        search.seed(seed)
        confidences.append(search.confidence)
    assert set(confidences) == {0.0, 1.0}
    assert abs(sum(confidences) - 100) < 4 * np.sqrt(400 * 0.25 * 0.75)
