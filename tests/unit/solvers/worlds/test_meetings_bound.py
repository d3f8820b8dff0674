"""The bound from random plays that meet, against counting all states."""

from __future__ import annotations

import pytest

import ggp
from ggp.solvers.worlds.exploration import Limits, explore_game
from ggp.solvers.worlds.meetings_bound import least_states
from ggp.solvers.worlds.size_estimate import estimate_size
from tests.support.library import game_of

DRAWS = """game draws "Numbers, and then nothing"
players one
state
    n[1..3]: 0..99 = 0
phase draw
    chance draws a in 0..99, b in 0..99, c in 0..99
    n[1] := a
    n[2] := b
    n[3] := c
    next rest
phase rest
    one chooses x in 0..0
    next rest
payoff[p] = 0
"""


def test_plays_that_are_anywhere_with_equal_probability_meet_as_often_as_by_hand() -> None:
    # of 2e8 pairs one of a million meets: some 200, of which twice as many and ten are taken for expected
    assert least_states(game_of(DRAWS).native()) == pytest.approx(2e8 / 410, rel=0.25)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("goofspiel", {"n": 5}), ("tic_tac_toe", {}), ("pig", {"goal": 12}), ("tron", {"width": 4, "height": 5})],
)
def test_there_are_never_fewer_states(name: str, parameters: dict[str, int]) -> None:
    native = ggp.load(name, **parameters).native()
    assert 1 < least_states(native) <= explore_game(native).states


@pytest.mark.long
def test_large_games_are_refused_after_a_look_at_some_thousands_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(memory_bytes=10**9)
    found = estimate_size(ggp.load("backgammon").native(), limits)
    assert found.ended_early
    assert not found.may_fit(ggp.load("backgammon").native().shape, limits)
    monkeypatch.setattr("ggp.solvers.worlds.size_estimate.least_states", lambda _: 1.0)
    monkeypatch.setattr("ggp.solvers.worlds.size_estimate.MAX_EXPANDED", 60_000)
    assert estimate_size(ggp.load("backgammon").native(), limits).states < found.states
