"""Random playouts by the thousand, for measurements and statistics."""

from __future__ import annotations

from ggp.model.native.calls import call_playout
from ggp.model.native.interface import NativeFunctions
from ggp.model.native.jit import F64, I64, U64, kernel

PLAYOUT_LIMIT = 100_000
"""Transitions after which a playout is cut."""

# what `random_playouts` adds up, by place in its totals
ENDED, FAULTED, CUT, TRANSITIONS, SQUARED_LENGTHS, UTILITIES = range(6)


def totals_size(players: int) -> int:
    """Return how many numbers the totals of `random_playouts` have."""
    return UTILITIES + 2 * players


@kernel
def random_playouts(
    functions: NativeFunctions, state: I64, rng: U64, utilities: F64, count: int, totals: F64, first_fault: U64
) -> None:
    """Play random games from a state, and add up how they ended.

    Args:
        functions: of the game.
        state: `[W]`, read.
        rng: `[1]`, changed.
        utilities: `[P]`, overwritten.
        count: how many games.
        totals: `[UTILITIES + 2 P]`, added to: games that ended, that ran into a fault of the rules, and that were cut
            after PLAYOUT_LIMIT transitions; transitions of those that ended or were cut; of those that ended the
            squares of their lengths, then each player's utilities, then their squares.
        first_fault: `[1]`, the generator's word before the first game with a fault, written when that is met.
    """
    players = utilities.size
    for _ in range(count):
        word = rng[0]
        made = call_playout(functions.playout, state, 0, rng, 0, utilities, 0, PLAYOUT_LIMIT)
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
