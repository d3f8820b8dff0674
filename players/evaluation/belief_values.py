"""Values of beliefs: what a best response is worth depends on the histories held and not on how they came about.

Orders of one's own moves that the others cannot notice, and that leave the same histories with the same shares, lead to
one belief. It is walked once; a table keeps what a unit of reach is worth there, to a best response and at random.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import kernel
from ggp.native.hashing import START, extended
from ggp.native.information_states import KEY_WORDS
from players.evaluation.response_memory import Walk

SHARES = float(1 << 40)
"""Shares of histories are compared to one part in so many: the same product in another order may differ in its last
bits."""


@kernel
def write_belief(walk: Walk, width: int, key: int, responder: int, first: int, histories: int) -> float:
    """Write the hash of the histories held from row `first` on to `walk.belief`; return their reach together.

    The order of the histories does not count, and neither does the responder's key, at the word `key` of each.
    """
    total = 0.0
    for row in range(first, first + histories):
        total += walk.held.reals[row * width + width - 1]
    low, high = np.uint64(responder), np.uint64(histories)
    for row in range(first, first + histories):
        at = row * width
        share = np.int64(walk.held.reals[at + width - 1] / total * SHARES + 0.5)
        hashed = extended(START, np.uint64(share))
        for word in range(at, at + width - 1):
            if word < at + key or word >= at + key + KEY_WORDS:
                hashed = extended(hashed, walk.held.keys[word])
        low = np.uint64(low + hashed)
        high = np.uint64(high + extended(hashed, START))
    walk.belief[0], walk.belief[1] = extended(START, low), extended(START, high)
    return total
