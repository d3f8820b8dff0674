"""A lower bound on the number of world states of a game, from how rarely random plays meet.

Of n plays that are drawn independently, two are in the same state after as many transitions with a probability of at
least 1 / N, where N is the number of states, however the plays are distributed. So if few of the n (n - 1) / 2 pairs
have met, there are many states. It takes a second where counting a part of them takes half a minute.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import I64, U64, kernel
from ggp.native.calls import call_actors, call_init, call_legal, call_sample_chance, call_step
from ggp.native.interface import CHANCE, NativeFunctions, NativeGame
from ggp.native.rng_kernels import below

PLAYS, SEED = 20_000, 1
PLAY_BYTES = 64 * 2**20
TRANSITIONS = (3, 3, 6, 12, 24)
"""Before each time that the plays are compared."""
SURELY = 10
"""That none meets where so many pairs are expected to has a probability of 1 in 20,000 (Poisson). Of those that have
met, twice as many are taken for expected."""


@kernel
def play_on(
    functions: NativeFunctions, states: I64, rng: U64, joint: I64, legal: I64, new: I64, transitions: int
) -> None:
    """Make random transitions in each of some plays; one that has ended, or fails, stays where it is.

    Args:
        functions: of the game.
        states: `[n * W]`, overwritten.
        rng: `[1]`.
        joint: `[P + 1]`, scratch.
        legal: `[A]`, scratch.
        new: `[W]`, scratch.
        transitions: of each play.
    """
    players, words = joint.size - 1, new.size
    for at in range(0, states.size, words):
        for _ in range(transitions):
            acting = call_actors(functions.actors, states, at)
            if acting < 0:
                break
            failed = False
            if acting == CHANCE:
                joint[players] = call_sample_chance(functions.sample_chance, states, at, rng, 0)
                failed = joint[players] < 0
            for player in range(players):
                if acting != CHANCE and acting >> player & 1:
                    count = call_legal(functions.legal, states, at, player, legal, 0)
                    failed = failed or count <= 0
                    if count > 0:
                        joint[player] = legal[below(rng, 0, count)]
            if failed:
                break
            call_step(functions.step, states, at, new, 0, joint, 0)
            states[at : at + words] = new


def least_states(native: NativeGame) -> float:
    """Return a number of world states that a game surely has; far too low where random plays meet early."""
    shape = native.shape
    plays = max(2, min(PLAYS, PLAY_BYTES // (8 * shape.state_words)))
    initial = np.zeros(shape.state_words, np.int64)
    call_init(native.functions.init, initial, 0)
    states, rng = np.tile(initial, plays), np.array([SEED], np.uint64)
    joint, legal = np.zeros(shape.players + 1, np.int64), np.zeros(shape.max_actions, np.int64)
    least = 1.0
    for transitions in TRANSITIONS:
        play_on(native.functions, states, rng, joint, legal, np.zeros_like(initial), transitions)
        _, times = np.unique(states.reshape(plays, -1), axis=0, return_counts=True)
        met = float((times * (times - 1)).sum()) / 2
        least = max(least, plays * (plays - 1) / 2 / (2 * met + SURELY))
    return least
