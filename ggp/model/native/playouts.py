"""Random playouts by the thousand, for measurements and statistics."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, inline_kernel, kernel
from ggp.model.native.calls import call_playout, call_playouts
from ggp.model.native.interface import NativeFunctions, NativeGame
from ggp.model.native.rng_kernels import next_word

PLAYOUT_LIMIT = 100_000
"""Transitions after which a playout is cut."""

MANY = 256
"""Games of one call of `playouts`."""

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
    rngs, lengths = np.zeros(MANY, np.uint64), np.zeros(MANY, np.int64)
    utilities = np.zeros(MANY * native.shape.players)
    _play(native.functions, native.playouts, state, rng, rngs, utilities, lengths, count, totals, first_fault)


@kernel
def _play(
    functions: NativeFunctions, many: int, state: I64, rng: U64, rngs: U64, utilities: F64, lengths: I64, count: int,
    totals: F64, first_fault: U64,
) -> None:  # fmt: skip
    """Do the work of `random_playouts`, with rows for MANY games."""
    players = utilities.size // MANY
    if many == 0:
        for _ in range(count):
            word = rng[0]
            made = call_playout(functions.playout, state, 0, rng, 0, utilities, 0, PLAYOUT_LIMIT)
            _add(made, utilities, 0, players, word, totals, first_fault)
        return
    for begun in range(0, count, MANY):
        games = min(MANY, count - begun)
        for game in range(games):
            rngs[game] = next_word(rng, 0)
        call_playouts(many, state, 0, 0, rngs, utilities, lengths, games, PLAYOUT_LIMIT)
        for game in range(games):
            _add(lengths[game], utilities, game * players, players, rngs[game], totals, first_fault)


@inline_kernel
def _add(made: int, utilities: F64, at: int, players: int, word: np.uint64, totals: F64, first_fault: U64) -> None:
    """Add up how one game ended."""
    if made >= 0:
        totals[ENDED] += 1.0
        totals[TRANSITIONS] += made
        totals[SQUARED_LENGTHS] += float(made) * made
        for player in range(players):
            totals[UTILITIES + player] += utilities[at + player]
            totals[UTILITIES + players + player] += utilities[at + player] * utilities[at + player]
    elif made == -1:
        totals[CUT] += 1.0
        totals[TRANSITIONS] += PLAYOUT_LIMIT
    else:
        if totals[FAULTED] == 0.0:
            first_fault[0] = word
        totals[FAULTED] += 1.0
