"""Hashes of world states, by which searches look up states that they visited before."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import I64, inline_kernel


@inline_kernel
def state_key(states: I64, at: int, length: int) -> int:
    """Return a 64-bit hash of a world state."""
    key = np.int64(-7046029254386353131)
    for index in range(at, at + length):
        key = (key ^ states[index]) * np.int64(-4417276706812531889)
        key ^= (key >> np.int64(29)) & np.int64(0x7FFFFFFFF)  # an unsigned shift, which fills with zeros
    return int(key)
