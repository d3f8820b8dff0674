"""*-Minimax on random trees: pruning changes no value, sampled or not, and visits no more states than doing without."""

from __future__ import annotations

import numpy as np
import pytest

from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import I64, U64, kernel
from ggp.game.state import State
from ggp.native.calls import call_sample_chance
from ggp.native.hashing import state_key
from players.search.star import star_search
from players.search.star.nodes import seed_from
from players.search.star.star_search import StarSearch
from tests.support.random_trees import TREES, exact_value, is_leaf, leaf_value, root, tree_game
from tests.support.searches import made_search

DEPTHS = (1, 2, 3, 5)


@pytest.fixture(autouse=True)
def prune_at_every_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(star_search, "UNPRUNED_DEPTH", 0)


def make(player: str) -> StarSearch:
    return made_search(StarSearch, tree_game().native(), player)


def searched(search: StarSearch, tree: int) -> tuple[float, int]:
    """Return the value that a search of fixed depth finds, and how many states its last iteration visited."""
    search.seed(seed_word(tree, 1))
    search.set_root(np.array(root(tree).words))
    search.run(1 << 40)
    assert search.settled
    last = search.found[-1]
    assert last.high - last.low < 1e-9
    return search.value(), last.visited - (search.found[-2].visited if len(search.found) > 1 else 0)


@pytest.mark.sweep
@pytest.mark.parametrize("table", [0, 1])
@pytest.mark.parametrize("depth", DEPTHS)
def test_pruning_changes_no_value(depth: int, table: int) -> None:
    plain, star1, star2 = (make(f"{name}:depth={depth},table={table}") for name in ("expectimax", "star1", "star2"))
    visited = np.zeros((TREES, 3), np.int64)
    for tree in range(TREES):
        values = []
        for number, search in enumerate((plain, star1, star2)):
            value, visited[tree, number] = searched(search, tree)
            values.append(value)
        assert values == pytest.approx([values[0]] * 3, abs=1e-9)
        if tree < 150:
            assert values[0] == pytest.approx(exact_value(root(tree), depth), abs=1e-12)
    plain_visits, star1_visits, star2_visits = visited.sum(axis=0)
    assert (visited[:, 1:] <= visited[:, :1]).all()
    # Probes cost more than they save in some trees, and pay over all of them.
    assert star2_visits <= (0.95 if depth > 1 else 1.0) * star1_visits
    if depth == max(DEPTHS):
        assert max(star1_visits, star2_visits) < 0.5 * plain_visits


@pytest.mark.long
@pytest.mark.parametrize(("samples", "depth"), [(1, 6), (3, 4), (8, 3)])
def test_sampled_searches_agree_when_they_draw_the_same(samples: int, depth: int) -> None:
    searches = [make(f"{name}:depth={depth},samples={samples},table=0") for name in ("expss", "star1ss", "star2ss")]
    differs = 0
    for tree in range(TREES):
        found = [searched(search, tree) for search in searches]
        assert [value for value, _ in found] == pytest.approx([found[0][0]] * 3, abs=1e-9)
        assert found[1][1] <= found[0][1]
        if tree < 60:
            seed = int(np.uint64(seed_word(tree, 1)).astype(np.int64))
            sampled = sampled_value(root(tree), depth, samples, seed, {})
            assert found[0][0] == pytest.approx(sampled, abs=1e-9)
            differs += abs(sampled - exact_value(root(tree), depth)) > 1e-3
    assert differs > 15


@kernel
def draw(function: int, state: I64, seed: int, rng: U64, out: I64) -> None:
    """Draw the outcomes that a sampled search draws at a state."""
    seed_from(rng, seed, state_key(state, 0, state.size))
    for number in range(out.size):
        out[number] = call_sample_chance(function, state, 0, rng, 0)


def sampled_value(state: State, depth: int, samples: int, seed: int, known: dict[tuple[State, int], float]) -> float:
    """Return the estimated depth-limited value by its definition: a mean over draws at each chance event."""
    if is_leaf(state, depth):
        return leaf_value(state)

    def value_after(after: State, depth: int) -> float:
        if (after, depth) not in known:
            known[after, depth] = sampled_value(after, depth, samples, seed, known)
        return known[after, depth]

    if state.is_chance():
        drawn, function = np.zeros(samples, np.int64), tree_game().native().functions.sample_chance
        draw(function, np.array(state.words), seed, np.ones(1, np.uint64), drawn)
        return sum(value_after(state.apply_outcome(int(way)), depth) for way in drawn) / samples
    (player,) = state.actors()
    values = [value_after(state.apply({player: way}), depth - 1) for way in state.legal(player)]
    return min(values) if player else max(values)


@pytest.mark.sweep
@pytest.mark.parametrize("player", ["expectimax", "star1", "star2"])
def test_the_move_is_a_best_one(player: str) -> None:
    search = make(f"{player}:depth=4")
    for tree in range(60):
        searched(search, tree)
        (role,) = root(tree).actors()
        actions, strategy = search.strategy(role)
        best = root(tree).apply({role: int(actions[strategy.argmax()])})
        assert exact_value(best, 3) == pytest.approx(exact_value(root(tree), 4), abs=1e-9)


@pytest.mark.long
def test_a_search_in_slices_finds_the_same() -> None:
    whole, sliced = make("star2:depth=6"), make("star2:depth=6")
    for tree in range(40):
        value, _ = searched(whole, tree)
        sliced.seed(seed_word(tree, 1))
        sliced.set_root(np.array(root(tree).words))
        while not sliced.settled:
            sliced.run(1 + tree % 7)
        assert (sliced.value(), sliced.iterations) == (value, whole.iterations)
