"""What random plays show of who is told what, compared with what the rules say."""

from __future__ import annotations

import pytest

import ggp
from ggp.codegen.kernels import kernel
from ggp.model.game import State
from ggp.model.native.rng import below
from players.search.belief.openness import Openness, is_open, new_openness, watch
from players.search.walk.kernel_arguments import new_model
from tests.unit.players.belief_plays import load


@kernel
def counts_as_open(openness: Openness, phase: int, actors: int, role: int, count: int, first: int) -> bool:
    return is_open(openness, phase, actors, role, count, first)


def open_shares(game: ggp.Game, seed: int) -> dict[str, set[bool]]:
    """Return, by phase, whether what one who does not act was told counts as open, along a random play."""
    native = game.native()
    openness = watch(new_model(native), native.shape, 30_000)
    found: dict[str, set[bool]] = {}
    rng, state = [seed], game.initial()
    while not state.is_terminal():
        phase, actors = state.words[0], 0 if state.is_chance() else sum(1 << actor for actor in state.actors())
        name = game.codec.phase_name(phase) or ""
        state = random_successor(state, rng)
        for role in range(len(game.players)):
            told = state.readable_observation(role)
            if told and not actors >> role & 1:
                (words,) = game.codec.observation_words(told)
                found.setdefault(name, set()).add(counts_as_open(openness, phase, actors, role, len(words), words[0]))
    return found


def random_successor(state: State, rng: list[int]) -> State:
    if state.is_chance():
        return state.apply_outcome(state.sample_outcome(rng))
    chosen = {}
    for actor in state.actors():
        legal = state.legal(actor)
        chosen[actor] = legal[below(rng, len(legal))]
    return state.apply(chosen)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mastermind", {"guess": {True}}),
        ("salvo", {"fire": {True}}),
        ("phantom_tic_tac_toe", {"place": {False}}),
        ("stratego", {"place": {False}, "move": {True}}),
    ],
)
def test_what_is_public_counts_as_open(name: str, expected: dict[str, set[bool]]) -> None:
    found = open_shares(load(name), 5)
    assert {phase: found[phase] for phase in expected} == expected


def test_who_is_told_nothing_at_times_is_not_shown_all() -> None:
    shares = open_shares(load("hearts"), 5)
    assert shares["play"] == {True}
    assert shares["deal"] == {False}  # others are dealt cards, too, which nobody else sees


def test_nothing_counts_as_open_before_it_was_seen() -> None:
    assert not counts_as_open(new_openness(), 0, 1, 1, 3, 7)
