"""Tracking where nothing is hidden: the state of the match is found from what one player did and was told."""

from __future__ import annotations

from itertools import islice

import pytest

import ggp
from players.agents.candidate_trial import random_play
from players.beliefs import Inconsistent, Tracker


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("name", ["goofspiel", "pig", "cant_stop"])
def test_every_player_knows_the_state(name: str, seed: int) -> None:
    game = ggp.load(name)
    trackers = [Tracker(game, role) for role in range(len(game.players))]
    for state in islice(random_play(game, seed), 1, None):
        for role, tracker in enumerate(trackers):
            action, observation = state.action_taken(role), state.readable_observation(role)
            if observation or action is not None:
                tracker.tell(None if action is None else str(action), observation)
                # what follows of itself is followed at once
                assert tracker.words == state.words or state.forced_outcome() is not None


def test_impossible_observations_are_refused() -> None:
    game = ggp.load("goofspiel", n=4)
    state = game.initial()
    with pytest.raises(Inconsistent):
        Tracker(game, 0).tell("1", state.apply_outcome(state.chance_outcomes()[0][0]).readable_observation(0))
