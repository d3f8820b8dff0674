"""Random playouts by the thousand, for measurements and statistics."""

from __future__ import annotations

from ggp.model.native.calls import call_playout
from ggp.model.native.interface import NativeFunctions
from ggp.model.native.jit import F64, I64, U64, kernel

PLAYOUT_LIMIT = 1_000_000


@kernel
def random_playouts(functions: NativeFunctions, state: I64, rng: U64, utilities: F64, count: int) -> int:
    """Play random games from a state.

    Args:
        functions: of the game.
        state: `[W]`, read.
        rng: `[1]`, changed.
        utilities: `[P]`, overwritten with those of the last game that ended.
        count: how many games.

    Returns:
        The transitions of all games; one that did not end counts PLAYOUT_LIMIT.
    """
    transitions = 0
    for _ in range(count):
        made = call_playout(functions.playout, state, 0, rng, 0, utilities, 0, PLAYOUT_LIMIT)
        transitions += made if made >= 0 else PLAYOUT_LIMIT
    return transitions
