"""The memory of self-play: the present state, those that may follow it, and what is kept of each state of a game."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F32, F64, F64_2D, I32, I64, U64
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

    states: I64  # [3 * W] the present state, one that may follow, and the next, or one that may follow that
    joint: I64  # [P + 1]
    actions: I64  # [P * A]
    further: I64  # [A] actions with which a turn goes on
    counts: I64  # [P]
    indices: I32  # [T]
    hidden: F32  # [H] sums of the hidden units
    pulls: F32  # [H] how far their sums are to move
    before: Before  # the present state, from which those that may follow differ little
    values: F64  # [O]
    best: F64  # [O]
    ending: F64  # [O] where a turn goes on
    utility: F64  # [P]
    places: I32  # [MAX_LENGTH * T] the weights of each state of the game; -1: none
    inner: I64  # [MAX_LENGTH * (T + 1)] where the weights of hidden units begin that are added in each; H > 0
    inputs: I64  # [MAX_LENGTH] how many these are
    read: I64  # [MAX_LENGTH * (T + 1)] the tuple and, times 2^32, its index; -1 for the weights always added
    steps: F32  # [.] what values have in common, by the lesser
    kinds: I64  # [MAX_LENGTH] what came after each
    views: I64  # [MAX_LENGTH] 1 where it was read with seats exchanged
    standing: F64_2D  # [MAX_LENGTH, O] what the rules' estimate adds
    ahead: F64_2D  # [MAX_LENGTH, O] the value one action ahead
    sums: F64  # [P * A] for the choice among simultaneous actions
    times: I64  # [P * A]
    rng: U64  # [1]
    errors: F32  # [weights] sums of errors, and
    sizes: F32  # [weights] of their sizes
    often: I32  # [weights] scratch memory: how often a state uses a weight; 0 between uses
    counters: I64  # [COUNTERS]


def new_table(native: NativeGame, evaluation: Evaluation, seed: int) -> Table:
    """Return memory for self-play with an evaluation; nothing is learned yet."""
    shape, tuples, values = native.shape, evaluation.base.size, len(evaluation.scale)
    return Table(
        states=np.zeros(3 * shape.state_words, np.int64),
        joint=np.zeros(shape.players + 1, np.int64),
        actions=np.zeros(shape.players * shape.max_actions, np.int64),
        further=np.zeros(shape.max_actions, np.int64),
        counts=np.zeros(shape.players, np.int64),
        indices=np.zeros(tuples, np.int32),
        hidden=np.zeros(evaluation.hidden_units, np.float32),
        pulls=np.zeros(evaluation.hidden_units, np.float32),
        before=new_before(evaluation),
        values=np.zeros(values),
        best=np.zeros(values),
        ending=np.zeros(values),
        utility=np.zeros(shape.players),
        places=np.zeros(MAX_LENGTH * tuples, np.int32),
        inner=np.zeros(MAX_LENGTH * (tuples + 1) if evaluation.hidden_units else 0, np.int64),
        inputs=np.zeros(MAX_LENGTH, np.int64),
        read=np.full(MAX_LENGTH * (tuples + 1) if evaluation.hidden_units else 0, -1, np.int64),
        steps=np.cumsum(1 / np.arange(1, int(evaluation.last.max(initial=0)) + 2)).astype(np.float32),
        kinds=np.zeros(MAX_LENGTH, np.int64),
        views=np.zeros(MAX_LENGTH, np.int64),
        standing=np.zeros((MAX_LENGTH, values)),
        ahead=np.zeros((MAX_LENGTH, values)),
        sums=np.zeros(shape.players * shape.max_actions),
        times=np.zeros(shape.players * shape.max_actions, np.int64),
        rng=np.array([seed], np.uint64),
        errors=np.zeros(evaluation.weights.size, np.float32),
        sizes=np.zeros(evaluation.weights.size, np.float32),
        often=np.zeros(evaluation.weights.size, np.int32),
        counters=np.zeros(COUNTERS, np.int64),
    )
