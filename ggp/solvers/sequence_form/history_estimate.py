"""Estimates the number of histories of a game by random descents, before it is unfolded.

Source: Knuth 1975, Estimating the efficiency of backtrack programs. A descent chooses each successor with the same
probability; the product of the numbers of successors above it is an unbiased estimate of how many histories have its
length.
"""

from __future__ import annotations

import math
import time

import numpy as np
from msgspec import Struct

from ggp.arithmetic.rng import seed_word
from ggp.codegen.kernels import I64, U64, kernel
from ggp.native.calls import call_actors, call_chance, call_init, call_legal, call_step
from ggp.native.interface import CHANCE, TERMINAL, GameShape, NativeFunctions, NativeGame
from ggp.native.rng_kernels import below
from ggp.solvers.sequence_form.unfolding_kernels import Buffers, new_buffers

BATCHES = 20
"""Groups of descents; the spread of their means gives the error."""

DESCENTS_A_BATCH = 50
MAX_LENGTH = 100_000
MAX_HISTORIES = 1e100
"""Descents stop when they are longer than the first, or represent more histories than the second."""


class HistoryEstimate(Struct, frozen=True):
    """An estimated number of histories; different histories of one world state count separately.

    Attributes:
        mean: the estimate.
        low: a lower bound that holds with a probability of about 0.95 unless the sample is misleading.
    """

    mean: float
    low: float


def estimate_histories(native: NativeGame, seconds: float) -> HistoryEstimate:
    """Return an estimate of the number of histories.

    Args:
        native: the game; a descent that runs into a fault of the rules ends there.
        seconds: approximate time to spend.
    """
    buffers, rng = new_buffers(native.shape), np.array([seed_word(0)], np.uint64)
    states, totals, rounds = np.zeros(2 * native.shape.state_words, np.int64), np.zeros(BATCHES), 0
    end = time.perf_counter() + seconds
    while rounds == 0 or time.perf_counter() < end:
        for batch in range(BATCHES):
            totals[batch] += descend(native.functions, native.shape, buffers, states, rng, DESCENTS_A_BATCH)
        rounds += 1
    means = totals / (rounds * DESCENTS_A_BATCH)
    mean, error = float(means.mean()), float(means.std(ddof=1)) / math.sqrt(BATCHES)
    return HistoryEstimate(mean, max(mean - 2 * error, mean / 100))


@kernel
def descend(
    functions: NativeFunctions, shape: GameShape, buffers: Buffers, states: I64, rng: U64, descents: int
) -> float:
    """Return the sum, over random descents, of each one's estimate of the number of histories.

    Args:
        functions: of the game.
        shape: of the game.
        buffers: overwritten.
        states: `[2 * W]` overwritten.
        rng: `[1]` generator.
        descents: how many.
    """
    total = 0.0
    for _ in range(descents):
        here, weight = 0, 1.0
        call_init(functions.init, states, 0)
        total += 1.0
        for _ in range(MAX_LENGTH):
            if weight > MAX_HISTORIES:
                break
            actors = call_actors(functions.actors, states, here)
            if actors == TERMINAL:
                break
            successors = 1.0
            if actors == CHANCE:
                count = call_chance(functions.chance, states, here, buffers.outcomes, 0, buffers.probability, 0)
                if count <= 0:
                    break
                buffers.joint[shape.players] = buffers.outcomes[below(rng, 0, count)]
                successors *= count
            else:
                for player in range(shape.players):
                    if actors >> player & 1:
                        count = call_legal(functions.legal, states, here, player, buffers.actions, 0)
                        if count <= 0:
                            break
                        buffers.joint[player] = buffers.actions[below(rng, 0, count)]
                        successors *= count
                if count <= 0:
                    break
            weight *= successors
            total += weight
            call_step(functions.step, states, here, states, shape.state_words - here, buffers.joint, 0)
            here = shape.state_words - here
    return total
