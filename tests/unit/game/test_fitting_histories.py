"""Histories drawn from what a player knows: they fit, and come as often as counting all plays says."""

from __future__ import annotations

import itertools
from collections import Counter
from random import Random

import pytest

import ggp
from ggp.game.fitting_histories import NothingFits
from ggp.game.history import History, InformationState


def plays(history: History, probability: float, player: int, known: InformationState) -> dict[History, float]:
    """Return all histories with an information state in which the player acts, by walking through the whole game."""
    found: dict[History, float] = {}
    state = history.state
    if player in state.actors() and history.information_state(player) == known:
        found[history] = probability
    if state.is_chance():
        for outcome, share in state.chance_outcomes():
            found |= plays(history.apply_outcome(outcome), probability * share, player, known)
    elif not state.is_terminal():
        others = [state.legal(other) for other in state.actors() if other != player]
        share = 1.0
        for legal in others:
            share /= len(legal)
        for joint in itertools.product(*(state.legal(actor) for actor in state.actors())):
            found |= plays(history.apply(list(joint)), probability * share, player, known)
    return found


@pytest.mark.parametrize(
    ("name", "parameters", "moves"),
    [
        ("kuhn_poker", {}, ["bet"]),
        ("goofspiel", {"n": 3, "bids": "hidden"}, [["2", "1"]]),
        ("liars_dice", {"faces": 3}, ["bid 1 1"]),
    ],
)
def test_they_come_as_often_as_counting_says(name: str, parameters: dict[str, object], moves: list[object]) -> None:
    game = ggp.load(name, **parameters)
    history, left = game.history(), list(moves)
    while left or history.state.is_chance():
        state = history.state
        if state.is_chance():
            history = history.apply_outcome(state.chance_outcomes()[-1][0])
        else:
            history = history.apply(left.pop(0))
    player = history.state.actors()[-1]
    known = history.information_state(player)
    exact = plays(game.history(), 1.0, player, known)
    total, rng, n = sum(exact.values()), Random(1), 4000
    drawn = Counter(known.sample(rng) for _ in range(n))
    assert set(drawn) <= set(exact)
    assert len(exact) > 1
    for fitting, probability in exact.items():
        share = probability / total
        assert abs(drawn[fitting] / n - share) < 5 * (share * (1 - share) / n) ** 0.5 + 1e-9


def after(game: ggp.Game, transitions: int, rng: Random) -> History:
    """Return a random history of so many transitions, or to the end."""
    history = game.history()
    for _ in range(transitions):
        state = history.state
        if state.is_terminal():
            break
        if state.is_chance():
            history = history.apply_outcome(state.sample_outcome(rng))
        else:
            history = history.apply({player: rng.choice(state.legal(player)) for player in state.actors()})
    return history


@pytest.mark.parametrize(("name", "transitions"), [("hanabi", 18), ("oh_hell", 23)])
def test_they_are_mended_where_cards_are_shown_that_were_dealt_unseen(name: str, transitions: int) -> None:
    history, rng, states = after(ggp.load(name), transitions, Random(7)), Random(1), set()
    for player in range(2):
        known = history.information_state(player)
        drawn = [known.sample(rng) for _ in range(20)]
        assert all(one.information_state(player) == known for one in drawn)
        states |= {one.state for one in drawn}
    assert len(states) > len(history.game.players)


@pytest.mark.parametrize("name", ["phantom_tic_tac_toe", "love_letter", "battleship", "dark_hex", "hanabi"])
def test_they_fit_in_larger_games(name: str) -> None:
    rng = Random(2)
    history = after(ggp.load(name), 9, rng)
    for player in range(2):
        known = history.information_state(player)
        drawn = [known.sample(rng) for _ in range(5)]
        assert all(one.information_state(player) == known for one in drawn)
        if player in history.state.actors():
            assert all(player in one.state.actors() for one in drawn)


def test_what_cannot_be_known_fits_nothing() -> None:
    game = ggp.load("tic_tac_toe")
    with pytest.raises(NothingFits, match="tic_tac_toe"):
        InformationState(game, 0, (0, 0, 0)).sample(Random(1))
