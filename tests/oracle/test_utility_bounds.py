"""Proven bounds of utilities, against the extremes of every play of small games."""

from __future__ import annotations

from itertools import product

import pytest

import ggp
from ggp.game.state import State


def extremes(game: ggp.Game) -> list[tuple[float, float]]:
    """Return the lowest and highest utility of each player over all terminal states that can be reached."""
    found: set[tuple[float, ...]] = set()
    seen: set[tuple[int, ...]] = set()
    open_: list[State] = [game.initial()]
    while open_:
        state = open_.pop()
        if state.words in seen:
            continue
        seen.add(state.words)
        if state.is_terminal():
            found.add(tuple(state.utilities()))
        elif state.is_chance():
            open_ += [state.apply_outcome(outcome) for outcome, _ in state.chance_outcomes()]
        else:
            choices = product(*(state.legal(player) for player in state.actors()))
            open_ += [state.apply(dict(zip(state.actors(), joint, strict=True))) for joint in choices]
    return [(min(own), max(own)) for own in zip(*found, strict=True)]


TIGHT = [
    ("kuhn_poker", {}),
    ("kuhn_poker", {"cards": 5}),
    ("kuhn_poker_three", {}),
    ("liars_dice", {"faces": 2}),
    ("matching_pennies", {}),
    ("nim", {}),
    ("poker", {}),
    ("rock_paper_scissors", {"payoffs": "biased"}),
    ("tic_tac_toe", {}),
    ("goofspiel", {"n": 3}),
]


@pytest.mark.parametrize(("name", "parameters"), TIGHT, ids=lambda value: str(value))
def test_bounds_are_the_extremes(name: str, parameters: dict[str, object]) -> None:
    game = ggp.load(name, **parameters)
    assert list(game.utility_bounds) == extremes(game)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("goofspiel", {"n": 3, "winner": "point_difference"}),
        ("random_game", {"depth": 3, "branching": 3}),
        ("blotto", {"coins": 4}),
        ("rock_paper_scissors", {"rounds": 2}),
    ],
    ids=lambda value: str(value),
)
def test_no_play_is_outside_of_them(name: str, parameters: dict[str, object]) -> None:
    game = ggp.load(name, **parameters)
    for (low, high), (least, most) in zip(game.utility_bounds, extremes(game), strict=True):
        assert low <= least <= most <= high
