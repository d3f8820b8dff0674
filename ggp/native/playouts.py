"""Random playouts by the thousand, for measurements and statistics."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, inline_kernel, kernel
from ggp.native.calls import call_playout
from ggp.native.interface import NativeFunctions, NativeGame

PLAYOUT_LIMIT = 100_000
"""Transitions after which a playout is cut."""

# what `random_playouts` adds up, by place in its totals
ENDED, FAULTED, CUT, TRANSITIONS, SQUARED_LENGTHS, UTILITIES = range(6)


def totals_size(players: int) -> int:
    """Return how many numbers the totals of `random_playouts` have."""
    return UTILITIES + 2 * players


def random_playouts(native: NativeGame, state: I64, rng: U64, count: int, totals: F64, first_fault: U64) -> None:
    """Play random games from a state, and add up how they ended.

    Args:
        native: the game.
        state: `[W]`, read.
        rng: `[1]`, changed.
        count: how many games.
        totals: `[UTILITIES + 2 P]`, added to: games that ended, that ran into a fault of the rules, and that were cut
            after PLAYOUT_LIMIT transitions; transitions of those that ended or were cut; of those that ended the
            squares of their lengths, then each player's utilities, then their squares.
        first_fault: `[1]`, the generator's word before a game with a fault, written where `totals` has none yet.
    """
    _play(native.functions, state, rng, np.zeros(native.shape.players), count, totals, first_fault)


@kernel
def _play(
    functions: NativeFunctions, state: I64, rng: U64, utilities: F64, count: int, totals: F64, first_fault: U64
) -> None:
    """Do the work of `random_playouts`, with `[P]` scratch memory for utilities."""
    for _ in range(count):
        word = rng[0]
        made = call_playout(functions.playout, state, 0, rng, 0, utilities, 0, PLAYOUT_LIMIT)
        _add(made, utilities, word, totals, first_fault)


@inline_kernel
def _add(made: int, utilities: F64, word: np.uint64, totals: F64, first_fault: U64) -> None:
    """Add up how one game ended."""
    players = utilities.size
    if made >= 0:
        totals[ENDED] += 1.0
        totals[TRANSITIONS] += made
        totals[SQUARED_LENGTHS] += float(made) * made
        for player in range(players):
            totals[UTILITIES + player] += utilities[player]
            totals[UTILITIES + players + player] += utilities[player] * utilities[player]
    elif made == -1:
        totals[CUT] += 1.0
        totals[TRANSITIONS] += PLAYOUT_LIMIT
    else:
        if totals[FAULTED] == 0.0:
            first_fault[0] = word
        totals[FAULTED] += 1.0
