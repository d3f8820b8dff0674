"""Histories of random plays."""

from __future__ import annotations

from random import Random

from ggp.game.history import History


def random_histories(history: History, rng: Random, most: int = 60) -> list[History]:
    """Return a history and those that follow on it in a random play, after at most `most` transitions."""
    found = [history]
    while not history.state.is_terminal() and len(found) <= most:
        state = history.state
        if state.is_chance():
            history = history.apply_outcome(state.sample_outcome(rng))
        else:
            history = history.apply({player: rng.choice(state.legal(player)) for player in state.actors()})
        found.append(history)
    return found
