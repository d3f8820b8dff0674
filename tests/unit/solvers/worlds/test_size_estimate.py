"""Estimates of the number of world states, against exploring the whole game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ggp
from ggp.cli.game_size import told_of
from ggp.errors import GgpError
from ggp.solvers.worlds import size_estimate
from ggp.solvers.worlds.exploration import FaultInRules, Limits, NotSolvable, explore_game
from ggp.solvers.worlds.size_estimate import SizeEstimate, estimate_size, expand, number_of_successors
from ggp.solvers.worlds.state_graph import PROBABILITIES, TRANSITIONS, bytes_of
from tests.support.library import game_of, one_phase


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("goofspiel", {"n": 4}), ("tic_tac_toe", {}), ("nim", {}), ("pig", {"goal": 12}), ("oshi_zumo", {"coins": 10})],
)
def test_what_fits_in_the_sample_is_counted_exactly(name: str, parameters: dict) -> None:
    native = ggp.load(name, **parameters).native()
    graph = explore_game(native)
    found = estimate_size(native)
    assert found.exact
    assert found.states == found.states_high == graph.states
    assert found.transitions == graph.graph.counters[TRANSITIONS]
    assert found.probabilities == graph.graph.counters[PROBABILITIES]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("goofspiel", {"n": 5}),
        ("goofspiel", {"n": 6, "prizes": "descending"}),
        ("random_game", {"branching": 4, "depth": 4}),
        ("tron", {"width": 4, "height": 5}),
    ],
)
def test_what_does_not_fit_is_estimated(name: str, parameters: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    native = ggp.load(name, **parameters).native()
    truth = explore_game(native).states
    monkeypatch.setattr(size_estimate, "SAMPLE", 1200)
    found = estimate_size(native)
    assert not found.exact
    assert found.states_low < truth < found.states_high
    assert 0.5 * truth < found.states < 1.25 * truth


def test_states_known_from_earlier_generations_are_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    # the same purses are come to by many bids or by few: a sum over all generations would be over four times as much
    native = ggp.load("oshi_zumo", coins=30).native()
    monkeypatch.setattr(size_estimate, "SAMPLE", 2400)
    assert estimate_size(native).states == pytest.approx(explore_game(native).states, rel=0.4)


def test_the_work_is_bounded_and_what_was_counted_is_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    native = ggp.load("oshi_zumo", coins=30).native()
    whole = estimate_size(native)
    monkeypatch.setattr(size_estimate, "MAX_EXPANDED", 3000)
    part = estimate_size(native)
    assert whole.exact
    assert not part.exact
    assert 3000 < part.states < whole.states


@pytest.mark.long
@pytest.mark.parametrize("limits", [Limits(states=10**7), Limits(memory_bytes=10**9)])
def test_a_game_that_is_surely_too_large_is_not_looked_at_further(
    limits: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    expanded = []
    monkeypatch.setattr(size_estimate, "expand", lambda *given: expanded.append(len(given[1])) or expand(*given))
    found = estimate_size(ggp.load("chess").native(), limits)
    assert found.ended_early
    assert not found.may_fit(ggp.load("chess").native().shape, limits)
    assert sum(expanded) < 16_000, "one generation of a game with small states"


def test_a_game_that_fits_is_estimated_with_limits_as_without() -> None:
    native = ggp.load("goofspiel", n=6, prizes="descending").native()
    limits = Limits(states=round(explore_game(native).states * 1.01))
    found = estimate_size(native, limits)
    assert found.may_fit(native.shape, limits)
    assert found == replace(estimate_size(native), seconds=found.seconds)


def test_unseen_successors_by_hand() -> None:
    hits = np.array([1, 1, 1, 2, 2])
    assert number_of_successors(hits, 1.0) == 5
    # five seen, and half of three times two by twice three unseen
    assert number_of_successors(hits, 0.5) == pytest.approx(5.5)
    # nothing coincides: no more than if every transition led to a state of its own
    assert number_of_successors(np.ones(10, np.int64), 0.5) == pytest.approx(20)
    assert number_of_successors(np.array([3, 4]), 0.1) == 2


def test_a_sample_of_one_state_is_its_successors() -> None:
    game = ggp.load("goofspiel", n=3)
    words, hits, transitions, outcomes, done = expand(game.native(), np.array([game.initial().words]))
    assert done == 1
    after = [game.initial().apply_outcome(outcome) for outcome, _ in game.initial().chance_outcomes()]
    assert [tuple(row) for row in words.tolist()] == [tuple(state.words) for state in after]
    assert (hits.tolist(), transitions, outcomes) == ([1, 1, 1], 3, 3)


@pytest.mark.parametrize("parameters", [{"n": 4}, {"n": 5}])
def test_memory_is_that_of_the_arrays(parameters: dict) -> None:
    native = ggp.load("goofspiel", **parameters).native()
    found = estimate_size(native)
    graph = explore_game(native).graph
    # the table of states has a power of two as its size, so that this is true but for a factor
    assert 1.4 * bytes_of(graph) < found.memory_bytes(native.shape) < 3 * bytes_of(graph)
    assert found.memory_bytes(native.shape, 2 * found.states) == pytest.approx(2 * found.memory_bytes(native.shape))


def test_what_cannot_be_explored_is_told() -> None:
    with pytest.raises(NotSolvable, match="hides information"):
        estimate_size(ggp.load("kuhn_poker").native())
    rules = one_phase("ann chooses by in 1..2\nleft := left - by\nnext go if left > 0 else end", "left: 0..3 = 3")
    with pytest.raises(FaultInRules):
        estimate_size(game_of(rules).native())


def told(estimate: SizeEstimate, states: int, gibibytes: float, anyway: bool = False) -> list[str]:
    shape = ggp.load("goofspiel", n=3).native().shape
    return list(told_of(estimate, shape, Limits(states, int(gibibytes * 2**30)), anyway))


def test_what_is_said_before_exploring() -> None:
    quick = SizeEstimate(1e6, False, 4e6, 0, 1.0)
    slow = SizeEstimate(1e7, False, 4e7, 0, 100.0)
    assert told(quick, 10**9, 100) == []
    (line,) = told(slow, 10**9, 100)
    assert line.startswith("an estimated 10 million world states or more")
    (line,) = told(replace(slow, ended_early=True), 10**9, 100)
    assert line.startswith("more than 10 million world states:")
    with pytest.raises(GgpError, match="only what was counted until the estimate ended; the whole game needs more"):
        told(replace(slow, ended_early=True), 10**6, 100)
    assert "100 s to find them" in line
    assert "may not fit" in told(slow, 15_000_000, 100)[1]
    assert "may not fit" in told(slow, 10**9, 3)[1]
    for limits in ((7_000_000, 100.0), (10**9, 0.1)):
        with pytest.raises(GgpError, match="at least about 8 million world states"):
            told(slow, *limits)
        (line,) = told(slow, *limits, anyway=True)
        assert "it will probably be given up" in line


def test_long_games_with_many_actions_are_estimated_quickly_and_in_little_memory(monkeypatch) -> None:
    # a bound of 10,000 on the actions of each of two players must not become room for all of their pairs
    rules = one_phase(
        "each p chooses x in 0..99, y in 0..99 where x < 3 and y < 3\n"
        "last[p] := (x[p] * 3 + y[p] + last[p]) mod 100 for p in player\n"
        "n := n + 1\nnext end if n == 1000 else go",
        "n: 0..1000 = 0\nlast[player]: 0..99 = 0",
        payoff="sign(last[p] - last[other(p)])",
    )
    native = game_of(rules).native()
    assert native.shape.max_actions == 10_000
    monkeypatch.setattr(size_estimate, "SAMPLE", 500)
    monkeypatch.setattr(size_estimate, "ENOUGH_STATES", 3e4)
    assert 2e4 < estimate_size(native).states < 1e6


def test_a_sample_that_does_not_fit_into_memory_is_smaller(monkeypatch) -> None:
    native = ggp.load("goofspiel", n=6).native()
    whole = estimate_size(native).states
    monkeypatch.setattr(size_estimate, "SAMPLE_MEMORY", 3_000_000)
    assert 0.3 * whole < estimate_size(native).states < 3 * whole
