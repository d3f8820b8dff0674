"""The one generator of pseudo-random numbers, as plain Python; `rng_kernels` has it for kernels.

A generator is an array (or list) of one unsigned 64-bit word, never 0: xorshift64* (Vigna 2016, "An experimental
exploration of Marsaglia's xorshift generators, scrambled", table 1: shifts 12, 25, 27). Seeds are spread over the words
by splitmix64, so neighbouring seeds give unrelated streams.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.arithmetic.words import WORD, scramble

XORSHIFT_MULTIPLIER = 0x2545_F491_4F6C_DD1D


def seed_word(*seeds: int) -> int:
    """Return the first state of a generator for one or more integers, such as a match's seed and a player's number.

    Returns:
        An unsigned 64-bit word other than 0. Different sequences of seeds give unrelated words.
    """
    word = 0
    for seed in seeds:
        word = scramble(word ^ scramble(int(seed) & WORD))  # numpy's integers are narrower than WORD
    return word or 1


def next_word(rng: list[int]) -> int:
    """Advance a generator and return its next unsigned 64-bit output."""
    word = rng[0]
    word ^= word >> 12
    word ^= (word << 25) & WORD
    word ^= word >> 27
    rng[0] = word
    return (word * XORSHIFT_MULTIPLIER) & WORD


def below(rng: list[int], bound: int) -> int:
    """Draw an integer uniformly from 0 to `bound - 1`; `bound` from 1 to 2^31. Bias at most `bound / 2^32`."""
    return ((next_word(rng) >> 32) * bound) >> 32


def uniform(rng: list[int]) -> float:
    """Draw a real number uniformly from [0, 1), a multiple of 2^-53."""
    return (next_word(rng) >> 11) * (1.0 / 9007199254740992.0)


def draw(rng: list[int], probabilities: Sequence[float]) -> int:
    """Draw a place by its probability; where rounding leaves nothing, the last one of positive probability."""
    left = uniform(rng)
    chosen = 0
    for place, probability in enumerate(probabilities):
        if probability > 0:
            chosen = place
        left -= probability
        if left < 0:
            break
    return chosen
