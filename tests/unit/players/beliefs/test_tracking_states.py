"""Tracking where nothing is hidden: the state of the match is found from what one player did and was told."""

from __future__ import annotations

import pytest

import ggp
from ggp.arithmetic.rng import below
from players.beliefs import Inconsistent, Tracker


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["goofspiel", "pig", "cant_stop"])
def test_every_player_knows_the_state(name: str, seed: int) -> None:
    rng, game = [seed], ggp.load(name)
    trackers = [Tracker(game, role) for role in range(len(game.players))]
    state = game.initial()
    while not state.is_terminal():
        joint = {}
        if state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
        else:
            joint = {role: actions[below(rng, len(actions))] for role, actions in
                     ((role, state.legal(role)) for role in state.actors())}  # fmt: skip
            state = state.apply(joint)
        for role, tracker in enumerate(trackers):
            observation = state.readable_observation(role)
            if observation or role in joint:
                tracker.tell(str(joint[role]) if role in joint else None, observation)
                # what follows of itself is followed at once
                assert tracker.words == state.words or state.forced_outcome() is not None


def test_impossible_observations_are_refused() -> None:
    game = ggp.load("goofspiel", n=4)
    state = game.initial()
    with pytest.raises(Inconsistent):
        Tracker(game, 0).tell("1", state.apply_outcome(state.chance_outcomes()[0][0]).readable_observation(0))
