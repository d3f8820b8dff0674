"""Small games with native functions made by hand, for the tests of searches; states as docs/architecture.md says."""

from __future__ import annotations

import numpy as np

import ggp
from ggp.codegen.kernels import F64, I64, U64
from ggp.native.interface import GameShape, NativeFunctions, NativeGame
from ggp.native.rng_kernels import below
from tests.support import native_functions

MATRIX, ROWS, COLUMNS, TOTAL = np.zeros((1, 1)), 1, 1, 0.0
"""Each game has its own."""
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

    addresses, code = native_functions.compiled(
        FUNCTIONS, MATRIX=matrix, ROWS=rows, COLUMNS=columns, TOTAL=float(total)
    )
    return NativeGame(
        NativeFunctions(**addresses, estimate=0),
        GameShape(2, STATE_WORDS, max(rows, columns), 1, 2),
        (float(matrix.min()), total - float(matrix.max())),
        (float(matrix.max()), total - float(matrix.min())),
        utility_sum=total,
        perfect_information=True,
        faults=(),
        owner=code,
    )


def init(state: I64) -> None:
    state[0] = state[1] = state[2] = state[3] = 0


def actors(state: I64) -> int:
    return -1 if state[PHASE] else 3


def legal(_state: I64, player: int, out: I64) -> int:
    count = ROWS if player == 0 else COLUMNS
    for action in range(count):
        out[action] = 10 * player + action
    return count


def chance(_state: I64, _out: I64, _probability: F64) -> int:
    return 0


def sample_chance(_state: I64, _rng: U64) -> int:
    return 0


def step(_old: I64, new: I64, joint: I64) -> None:
    new[PHASE], new[1] = 1, 0
    new[ROW] = joint[0]
    new[COLUMN] = joint[1] - 10


def observe(_old: I64, _new: I64, joint: I64, _player: int, out: I64) -> int:
    out[0], out[1] = joint[0], joint[1]
    return 2


def utility(state: I64, out: F64) -> int:
    out[0] = MATRIX[state[ROW], state[COLUMN]]
    out[1] = TOTAL - out[0]
    return 0


def playout(state: I64, rng: U64, out: F64, _limit: int) -> int:
    made = 0
    row, column = state[ROW], state[COLUMN]
    if not state[PHASE]:
        row, column = below(rng, 0, ROWS), below(rng, 0, COLUMNS)
        made = 1
    out[0] = MATRIX[row, column]
    out[1] = TOTAL - out[0]
    return made


FUNCTIONS = {
    function.__name__: function
    for function in (init, actors, legal, chance, sample_chance, step, observe, utility, playout)
}
