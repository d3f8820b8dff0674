"""The generator of `ggp.arithmetic.rng` as kernels: the same words, the same draws.

A generator is one word of a uint64 array, at index `at`.
"""

from __future__ import annotations

import numpy as np

from ggp.arithmetic.rng import XORSHIFT_MULTIPLIER
from ggp.arithmetic.words import SPLITMIX_FACTORS
from ggp.codegen.kernels import F64, U64, inline_kernel

MULTIPLIER = np.uint64(XORSHIFT_MULTIPLIER)
MIX_1, MIX_2 = np.uint64(SPLITMIX_FACTORS[0]), np.uint64(SPLITMIX_FACTORS[1])
GOLDEN_SECTION = 0.6180339887498949
UNIT = 1.0 / 9007199254740992.0  # 2^-53
# constants of the same type as the words: signed and unsigned numbers do not mix
S11, S12, S25, S27 = np.uint64(11), np.uint64(12), np.uint64(25), np.uint64(27)
S30, S31, S32 = np.uint64(30), np.uint64(31), np.uint64(32)


@inline_kernel
def mixed(word: np.uint64) -> np.uint64:
    """Return a word that looks unrelated to the one given (splitmix64's finaliser)."""
    word = (word ^ (word >> S30)) * MIX_1
    word = (word ^ (word >> S27)) * MIX_2
    return np.uint64(word ^ (word >> S31))


@inline_kernel
def next_word(rng: U64, at: int) -> np.uint64:
    """Advance generator `at` and return its next 64-bit output."""
    word = rng[at]
    word ^= word >> S12
    word ^= word << S25
    word ^= word >> S27
    rng[at] = word
    return np.uint64(word * MULTIPLIER)


@inline_kernel
def below(rng: U64, at: int, bound: int) -> int:
    """Draw an integer uniformly from 0 to `bound - 1`; `bound` from 1 to 2^31."""
    return int(np.int64(((next_word(rng, at) >> S32) * np.uint64(bound)) >> S32))


@inline_kernel
def uniform(rng: U64, at: int) -> float:
    """Draw a real number uniformly from [0, 1), a multiple of 2^-53."""
    return float(next_word(rng, at) >> S11) * UNIT


@inline_kernel
def drawn_place(rng: U64, at: int, sums: F64, count: int) -> int:
    """Draw one of `count` places, at least one, by weights; `sums[:count]` are the weights up to each place."""
    drawn = uniform(rng, at) * sums[count - 1]
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > drawn:
            high = middle
        else:
            low = middle + 1
    return low


@inline_kernel
def drawn_by(rng: U64, probabilities: F64) -> int:
    """Draw a place by probabilities that sum to 1."""
    left, last = uniform(rng, 0), probabilities.size - 1
    for place in range(last):
        left -= probabilities[place]
        if left < 0.0:
            return place
    return int(last)


@inline_kernel
def coprime_stride(size: int) -> int:
    """Return a step near the golden section of `size` that visits all of 0..size-1 before it repeats."""
    stride = int(size * GOLDEN_SECTION) + 1
    while True:
        a, b = size, stride
        while b:
            a, b = b, a % b
        if a == 1:
            return stride
        stride += 1
