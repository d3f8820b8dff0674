"""Small games with native functions made by hand, for the tests of searches; states as docs/architecture.md says."""

from __future__ import annotations

import numpy as np
from numba import carray, cfunc, njit, types
from numba.core.types import CPointer

import ggp
from ggp.model.native.interface import GameShape, NativeFunctions, NativeGame
from ggp.model.native.rng_kernels import below

WORDS, GENERATOR, REALS = CPointer(types.int64), CPointer(types.uint64), CPointer(types.float64)
STATE_WORDS = 4
PHASE, ROW, COLUMN = 0, 2, 3

BIASED_RPS = ((50, 25, 100), (75, 50, 45), (0, 55, 50))
"""Biased rock, paper, scissors (Shafiei, Sturtevant, Schaeffer 2009, table 1); the column player gets 100 minus it."""


def goofspiel_of(cards: int) -> NativeGame:
    """Return goofspiel of the library, with shuffled prizes."""
    return ggp.load("goofspiel", n=cards).native()


def matrix_game(payoffs: object, total: float) -> NativeGame:
    """Return the game of one joint action; the second player gets `total` minus the payoff."""
    matrix = np.array(payoffs, np.float64)
    rows, columns = matrix.shape

    @njit
    def choices(player):
        return rows if player == 0 else columns

    def init(state):
        state[0] = state[1] = state[2] = state[3] = 0

    def actors(state):
        return -1 if state[PHASE] else 3

    def legal(_state, player, out):
        for action in range(choices(player)):
            out[action] = 10 * player + action
        return choices(player)

    def chance(_state, _out, _probability):
        return 0

    def sample_chance(_state, _rng):
        return 0

    def step(_old, new, joint):
        new[PHASE], new[1] = 1, 0
        new[ROW] = joint[0]
        new[COLUMN] = joint[1] - 10

    def observe(_old, _new, joint, _player, out):
        out[0], out[1] = joint[0], joint[1]
        return 2

    def utility(state, out):
        out[0] = matrix[state[ROW], state[COLUMN]]
        out[1] = total - out[0]
        return 0

    def playout(state, rng, out, _limit):
        generator = carray(rng, 1)
        made = 0
        row, column = state[ROW], state[COLUMN]
        if not state[PHASE]:
            row, column = below(generator, 0, rows), below(generator, 0, columns)
            made = 1
        out[0] = matrix[row, column]
        out[1] = total - out[0]
        return made

    return compiled(
        (init, actors, legal, chance, sample_chance, step, observe, utility, None, playout),
        GameShape(2, STATE_WORDS, max(rows, columns), 1, 2),
        ((float(matrix.min()), float(matrix.max())), (total - float(matrix.max()), total - float(matrix.min()))),
    )


def compiled(functions: tuple, shape: GameShape, bounds: tuple) -> NativeGame:
    """Compile Python functions with the ten signatures, in the order of `NativeFunctions`; None: no estimate."""
    integer, nothing = types.int64, types.void
    signatures = (
        nothing(WORDS),
        integer(WORDS),
        integer(WORDS, integer, WORDS),
        integer(WORDS, WORDS, REALS),
        integer(WORDS, GENERATOR),
        nothing(WORDS, WORDS, WORDS),
        integer(WORDS, WORDS, WORDS, integer, WORDS),
        integer(WORDS, REALS),
        integer(WORDS, REALS),
        integer(WORDS, GENERATOR, REALS, integer),
    )
    made = [function and cfunc(signature)(function) for function, signature in zip(functions, signatures, strict=True)]
    return NativeGame(
        NativeFunctions(*[function.address if function else 0 for function in made]),
        shape,
        tuple(low for low, _ in bounds),
        tuple(high for _, high in bounds),
        utility_sum=sum(bounds[0]),
        perfect_information=True,
        faults=(),
        owner=made,
    )
