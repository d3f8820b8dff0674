"""The memory of self-play: the present state, those that may follow it, and what is kept of each state of a game."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F32, F64, I32, I64, U64, allocated
from ggp.native.interface import NativeGame
from players.learning.differences import Before, new_before
from players.learning.evaluation import Evaluation

ENDED, PASSED, CHOSEN, STRAYED = range(4)
"""What came after a state: nothing, since it is the last; what chance or several players chose; what a player chose;
a random action."""
MAX_LENGTH = 600
"""Transitions after which a game is cut; its last state then is worth what the evaluation says."""
GAMES, POSITIONS, COUNTERS = range(3)


class Table(NamedTuple):
    """The memory of self-play."""

    states: Annotated[I64, "3 * W"]  # the present state, one that may follow, and the next, or one that may follow that
    joint: Annotated[I64, "P + 1"]
    actions: Annotated[I64, "P * A"]
    further: Annotated[I64, "A"]  # actions with which a turn goes on
    counts: Annotated[I64, "P"]
    indices: Annotated[I32, "T"]
    hidden: Annotated[F32, "H"]  # sums of the hidden units
    pulls: Annotated[F32, "H"]  # how far their sums are to move
    before: Before  # the present state, from which those that may follow differ little
    values: Annotated[F64, "O"]
    best: Annotated[F64, "O"]
    ending: Annotated[F64, "O"]  # where a turn goes on
    utility: Annotated[F64, "P"]
    places: Annotated[I32, "MAX_LENGTH * T"]  # the weights of each state of the game; -1: none
    inner: Annotated[I64, "MAX_LENGTH * (T + 1) * min(H, 1)"]  # where the weights of hidden units begin that are added
    #     in each
    inputs: Annotated[I64, "MAX_LENGTH"]  # how many these are
    read: Annotated[I64, "MAX_LENGTH * (T + 1) * min(H, 1)"]  # the tuple and, times 2^32, its index; -1 for the weights
    #     always added
    steps: F32  # what values have in common, by the lesser
    kinds: Annotated[I64, "MAX_LENGTH"]  # what came after each
    views: Annotated[I64, "MAX_LENGTH"]  # 1 where it was read with seats exchanged
    standing: Annotated[F64, "MAX_LENGTH, O"]  # what the rules' estimate adds
    ahead: Annotated[F64, "MAX_LENGTH, O"]  # the value one action ahead
    sums: Annotated[F64, "P * A"]  # for the choice among simultaneous actions
    times: Annotated[I64, "P * A"]
    rng: Annotated[U64, "1"]
    errors: Annotated[F32, "weights"]  # sums of errors, and
    sizes: Annotated[F32, "weights"]  # of their sizes
    often: Annotated[I32, "weights"]  # scratch memory: how often a state uses a weight; 0 between uses
    counters: Annotated[I64, "COUNTERS"]


def new_table(native: NativeGame, evaluation: Evaluation, seed: int) -> Table:
    """Return memory for self-play with an evaluation; nothing is learned yet."""
    made = allocated(
        Table,
        before=new_before(evaluation),
        steps=np.cumsum(1 / np.arange(1, int(evaluation.last.max(initial=0)) + 2)).astype(np.float32),
        T=evaluation.base.size,
        H=evaluation.hidden_units,
        weights=evaluation.weights.size,
        **(native.shape.lengths | {"O": len(evaluation.scale)}),
    )
    made.read[:] = -1
    made.rng[0] = seed
    return made
