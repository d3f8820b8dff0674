"""Tracking: the true state is always among those held possible, and the only one with perfect information."""

from __future__ import annotations

import pytest

import ggp
from ggp.arithmetic.rng import below
from players.beliefs import Inconsistent, Tracker


def play_and_track(game: ggp.Game, seed: int) -> list[tuple[int, ...]]:
    """Play at random; return, for each observation told, how many states each player held possible."""
    rng = [seed]
    trackers = [Tracker(game, role) for role in range(len(game.players))]
    state = game.initial()
    sizes = []
    while not state.is_terminal():
        before, joint = state, {}
        if state.is_chance():
            state = state.apply_outcome(state.sample_outcome(rng))
        else:
            for role in state.actors():
                legal = state.legal(role)
                joint[role] = legal[below(rng, len(legal))]
                assert before.words in trackers[role].deciding([str(action) for action in legal])
            state = state.apply(joint)
        for role, tracker in enumerate(trackers):
            observation = state.readable_observation(role)
            if observation or role in joint:
                tracker.tell(str(joint[role]) if role in joint else None, observation)
                assert state.words in tracker.possible
        sizes.append(tuple(len(tracker.possible) for tracker in trackers))
    return sizes


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_perfect_information_leaves_one_state(seed: int) -> None:
    sizes = play_and_track(ggp.load("goofspiel", n=5), seed)
    assert set(sizes) == {(1, 1)}


@pytest.mark.parametrize("seed", [4, 5])
def test_hidden_bids_leave_several(seed: int) -> None:
    sizes = play_and_track(ggp.load("goofspiel", n=6, bids="hidden", prizes="descending"), seed)
    assert max(size for both in sizes for size in both) > 1


@pytest.mark.parametrize("seed", [6, 7])
def test_silent_transitions_are_followed(seed: int) -> None:
    # the opponent's failed tries are not told at all
    play_and_track(ggp.load("phantom_tic_tac_toe"), seed)


def test_impossible_observations_are_refused() -> None:
    game = ggp.load("goofspiel", n=4)
    state = game.initial()
    tracker = Tracker(game, 0)
    with pytest.raises(Inconsistent):
        tracker.tell("1", state.apply_outcome(state.chance_outcomes()[0][0]).readable_observation(0))
    with pytest.raises(Inconsistent):
        tracker.deciding(["no such action"])
