"""Best responses against all pure strategies, one by one, and what must hold of exploitability in any game."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp.game.game import Game, State
from ggp.solvers.state_strategies import responses_to
from ggp.solvers.worlds.backward_induction import StateValues, equilibrium_profile, optimal_values
from ggp.solvers.worlds.components import Components, order_components
from ggp.solvers.worlds.exploitability import Exploitability, ExploitabilityMeter
from ggp.solvers.worlds.exploration import explore_game
from ggp.solvers.worlds.profiles import BadStrategy, uniform_profile
from ggp.solvers.worlds.strategy_trees import strategy_tree

Path: TypeAlias = tuple[int, ...]
Shares: TypeAlias = dict[Path, tuple[np.ndarray, np.ndarray]]
"""Distributions of both players after some histories; of a player who does not act, the only entry 1."""

GAMES = {
    "random": ("random_game", {"branching": 2, "depth": 2, "seed": 5}),
    "chance": ("goofspiel", {"n": 2}),
    "uneven": ("oshi_zumo", {"coins": 2, "half": 1}),
}
SMALL = ("random", "chance", "uneven")


@dataclass(frozen=True)
class Solved:
    game: Game
    values: StateValues
    components: Components


def solved(name: str, **parameters: int) -> Solved:
    game = ggp.load(name, **parameters)
    graph = explore_game(game.native())
    components = order_components(graph.graph)
    return Solved(game, optimal_values(graph, components), components)


BY_NAME = {key: solved(GAMES[key][0], **GAMES[key][1]) for key in SMALL}


@dataclass(frozen=True)
class After:
    path: Path
    choices: dict[int, tuple[np.ndarray, np.ndarray]]


def transitions(state: State) -> list[tuple[int, State]]:
    if state.is_chance():
        return [(outcome, state.apply_outcome(outcome)) for outcome, _ in state.chance_outcomes()]
    legal = [state.legal(player) or (None,) for player in (0, 1)]
    joint = itertools.product(*legal)
    return [
        (key, state.apply({player: action for player, action in enumerate(one) if action is not None}))
        for key, one in enumerate(joint)
    ]


def decisions(state: State, path: Path = ()) -> list[tuple[Path, State]]:
    if state.is_terminal():
        return []
    own = [] if state.is_chance() else [(path, state)]
    return own + [one for key, after in transitions(state) for one in decisions(after, (*path, key))]


def draw_strategies(game: Game, seed: int, kept: float) -> tuple[Shares, list[After]]:
    """Return random strategies: for every history, and those of the histories that a tree shall have.

    What the tree lacks is uniform in the first. A history is kept only with all before it, the beginning always, unless
    `kept` is less than 0.
    """
    rng = np.random.default_rng(seed)
    shares: Shares = {}
    tree: list[After] = []
    missing: set[Path] = set()
    for path, state in decisions(game.initial()):
        sizes = [max(1, len(state.legal(player))) for player in (0, 1)]
        if (rng.random() > kept if path else kept < 0) or any(path[:length] in missing for length in range(len(path))):
            missing.add(path)
            shares[path] = (np.full(sizes[0], 1 / sizes[0]), np.full(sizes[1], 1 / sizes[1]))
            continue
        both = tuple(rng.dirichlet(np.full(size, 0.6)) for size in sizes)
        shares[path] = (both[0], both[1])
        acting = state.actors()
        tree.append(After(path, {p: (np.array([int(a) for a in state.legal(p)]), both[p]) for p in acting}))
    return shares, tree


def expected(state: State, path: Path, shares: Shares, reply: dict[Path, int], responder: int) -> float:
    """Return the first player's expectation when `responder` plays the pure strategy `reply`."""
    if state.is_terminal():
        return state.utilities()[0]
    after = transitions(state)
    if state.is_chance():
        weights = [share for _, share in state.chance_outcomes()]
    else:
        both = list(shares[path])
        both[responder] = np.eye(len(both[responder]))[reply[path]]
        weights = np.outer(both[0], both[1]).ravel()
    return sum(
        weight * expected(following, (*path, key), shares, reply, responder)
        for weight, (key, following) in zip(weights, after, strict=True)
        if weight
    )


def best_by_enumeration(game: Game, shares: Shares, responder: int) -> float:
    found = decisions(game.initial())
    options = [range(max(1, len(state.legal(responder)))) for _, state in found]
    outcomes = [
        expected(game.initial(), (), shares, dict(zip((path for path, _ in found), pure, strict=True)), responder)
        for pure in itertools.product(*options)
    ]
    return max(outcomes) if responder == 0 else min(outcomes)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize(("seed", "kept"), [(1, 1.0), (2, 0.6)])
def test_best_responses_are_those_of_all_pure_strategies(name: str, seed: int, kept: float) -> None:
    one = BY_NAME[name]
    shares, tree = draw_strategies(one.game, seed, kept)
    loss = ExploitabilityMeter(one.values, one.components).of_tree(strategy_tree(one.values.game, tree))
    value = one.values.root
    assert loss.by_player[0] == pytest.approx(value - best_by_enumeration(one.game, shares, 1), abs=1e-9)
    assert loss.by_player[1] == pytest.approx(best_by_enumeration(one.game, shares, 0) - value, abs=1e-9)


def limited(one: Solved, state: State, path: Path, shares: Shares, responder: int, depth: int) -> float:
    """Return the recursion of Lanctot, Lisý, Winands 2013, 4.3, for the first player's utility."""
    if state.is_terminal():
        return state.utilities()[0]
    if depth == 0:
        return float(one.values.value[one.values.game.find(state.words)])
    after = [
        limited(one, following, (*path, key), shares, responder, depth - 1) for key, following in transitions(state)
    ]
    if state.is_chance():
        return sum(share * value for (_, share), value in zip(state.chance_outcomes(), after, strict=True))
    first, second = shares[path]
    payoff = np.array(after).reshape(len(first), len(second))
    return float((payoff @ second).max() if responder == 0 else (first @ payoff).min())


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("depth", [0, 1, 2, 3, 9])
@pytest.mark.parametrize("kept", [1.0, 0.3, -1.0])
def test_depth_limited_exploitability_is_that_of_the_definition(name: str, depth: int, kept: float) -> None:
    one = BY_NAME[name]
    shares, tree = draw_strategies(one.game, 3, kept)
    loss = ExploitabilityMeter(one.values, one.components, depth).of_tree(strategy_tree(one.values.game, tree))
    best = [limited(one, one.game.initial(), (), shares, responder, depth) for responder in (0, 1)]
    assert loss.by_player == pytest.approx((one.values.root - best[1], best[0] - one.values.root), abs=1e-9)
    if depth == 0:
        assert loss.by_player == (0, 0)
    if depth == 9:
        assert loss == ExploitabilityMeter(one.values, one.components).of_tree(strategy_tree(one.values.game, tree))
    if depth == 9 and not tree:
        uniform = responses_to(one.values.game, uniform_profile(one.values.game), one.components)
        assert loss.by_player == pytest.approx(np.subtract(uniform.best, one.values.to_players())[::-1])


def mean(state: State, path: Path, shares: Shares) -> float:
    """Return the first player's expectation when both play their strategies."""
    if state.is_terminal():
        return state.utilities()[0]
    weights = [share for _, share in state.chance_outcomes()] if state.is_chance() else np.outer(*shares[path]).ravel()
    return sum(
        weight * mean(following, (*path, key), shares)
        for weight, (key, following) in zip(weights, transitions(state), strict=True)
    )


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("kept", [1.0, 0.3])
def test_expected_utilities_are_those_of_all_plays(name: str, kept: float) -> None:
    one = BY_NAME[name]
    shares, tree = draw_strategies(one.game, 4, kept)
    for depth in (None, 1):
        meter = ExploitabilityMeter(one.values, one.components, depth)
        found = meter.expected(strategy_tree(one.values.game, tree))
        assert found == pytest.approx(mean(one.game.initial(), (), shares), abs=1e-9)


@pytest.mark.long
@settings(max_examples=8)
@given(seed=st.integers(0, 10_000), branching=st.integers(2, 3), kept=st.floats(0, 1))
def test_losses_are_never_negative_and_an_equilibrium_has_none(seed: int, branching: int, kept: float) -> None:
    one = solved("random_game", branching=branching, depth=2, seed=seed)
    meter = ExploitabilityMeter(one.values, one.components)
    _, tree = draw_strategies(one.game, seed, kept)
    assert min(meter.of_tree(strategy_tree(one.values.game, tree)).by_player) > -1e-9

    equilibrium = equilibrium_profile(one.values)
    assert responses_to(one.values.game, equilibrium, one.components).nash_conv == pytest.approx(0, abs=1e-8)
    nodes = []
    for path, state in decisions(one.game.initial()):
        number = one.values.game.find(state.words)
        nodes.append(
            After(path, {p: (np.array([int(a) for a in state.legal(p)]), equilibrium.of(p, number)) for p in (0, 1)})
        )
    assert meter.of_tree(strategy_tree(one.values.game, nodes)).nash_conv == pytest.approx(0, abs=1e-8)


def test_a_known_loss() -> None:
    # biased rock, paper, scissors (Shafiei, Sturtevant, Schaeffer 2009): rows (50 25 100), (75 50 45), (0 55 50).
    # Against the uniform row the columns give 41.67, 43.33, 65; against the uniform column the rows give 58.33,
    # 56.67, 35
    one = solved("rock_paper_scissors", payoffs="biased")
    loss = ExploitabilityMeter(one.values, one.components).of_tree(strategy_tree(one.values.game, ()))
    assert loss == Exploitability(pytest.approx((50 - 125 / 3, 175 / 3 - 50)))
    assert loss.nash_conv == pytest.approx(50 / 3)


def test_strategies_that_are_none_are_refused() -> None:
    graph = BY_NAME["random"].values.game
    legal = np.array([int(action) for action in BY_NAME["random"].game.initial().legal(0)])
    half = np.full(2, 0.5)
    with pytest.raises(BadStrategy, match="not a distribution"):
        strategy_tree(graph, [After((), {0: (legal, np.array([0.5, 0.6])), 1: (legal, half)})])
    with pytest.raises(BadStrategy, match="legal actions"):
        strategy_tree(graph, [After((), {0: (legal[::-1], half), 1: (legal, half)})])
