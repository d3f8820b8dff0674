"""Words of 64 bits: signed and unsigned, mixed into pseudo-random ones, folded into one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

WORD = 0xFFFF_FFFF_FFFF_FFFF
SPLITMIX_FACTORS = 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB


def signed(word: int) -> int:
    """Return the signed 64-bit word with the same low 64 bits."""
    return ((word + (1 << 63)) & 0xFFFF_FFFF_FFFF_FFFF) - (1 << 63)


def scramble(value: int) -> int:
    """Return splitmix64's output for a 64-bit input, an unsigned 64-bit word."""
    value = (value + 0x9E37_79B9_7F4A_7C15) & WORD
    value = ((value ^ (value >> 30)) * SPLITMIX_FACTORS[0]) & WORD
    value = ((value ^ (value >> 27)) * SPLITMIX_FACTORS[1]) & WORD
    return value ^ (value >> 31)


def spread(word: int, factor: int) -> int:
    """Return both halves, of 64 bits, of a product put together."""
    product = (word & WORD) * (factor & WORD)
    return (product ^ product >> 64) & WORD


def factors(count: int) -> list[int]:
    """Return the factors of the first places."""
    return [scramble(place) | 1 for place in range(count)]


def folded(words: Sequence[int]) -> int:
    """Return one word made of several: each times a factor of its place, both halves of the products put together."""
    return reduce(xor, map(spread, words, factors(len(words))), 0)
