"""Roots for upper confidence bounds, from a table or from their last value.

ISMCTS needs them at every decision; with those of the standard library an iteration takes a tenth longer. The entries
used most fit in the processor's first cache.
"""

from __future__ import annotations

import math

import numpy as np

from ggp.codegen.kernels import F64, bit_length, inline_kernel

COLUMN_BITS, LONGEST = 10, 32
COLUMNS = 1 << COLUMN_BITS
ROWS = LONGEST - COLUMN_BITS
LARGER = np.arange(COLUMNS // 2, COLUMNS) * 2.0 ** np.arange(1, ROWS + 1)[:, np.newaxis]
ROOTS_OF_LOGARITHMS: F64 = np.sqrt(np.log(np.concatenate([np.maximum(np.arange(COLUMNS), 1.0), LARGER.ravel()])))
"""Of the numbers below COLUMNS, then by row of larger ones: COLUMN_BITS bits and as many zeros as the row's number."""
EXACT_ROOTS = 64
"""Numbers below it, of which the reciprocal root is not found from the last one."""


@inline_kernel
def root_of_logarithm(number: int) -> float:
    """Return the square root of the natural logarithm of a number below 2^32, too small by a 2700th at most.

    0 and 1 give 0; numbers below 1,024 give the exact value.
    """
    row = max(bit_length(number) - COLUMN_BITS, 0)
    return float(ROOTS_OF_LOGARITHMS[np.uint64((row << (COLUMN_BITS - 1)) + (number >> row))])


@inline_kernel
def next_reciprocal_root(last: float, number: float) -> float:
    """Return 1 / sqrt(number), with a relative error below 1e-4.

    Args:
        last: of the number before; not read below EXACT_ROOTS.
        number: at least 1.
    """
    if number < EXACT_ROOTS:
        return 1.0 / math.sqrt(number)
    return last * (1.5 - 0.5 * number * last * last)  # a step of Newton's method
