"""Fixed pseudo-random numbers: the values of `hash` in the rules language, the same on every machine.

A value stands for words of 64 bits: a scalar for its code, a set for its bits. Up to a modulus of 2^31 values are
hashed one after the other, and the upper half of the result is scaled. Beyond that, as histories have it, all words are
folded at once, which a processor does side by side, and the remainder of 63 bits is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import xor

from ggp.language.typed.symbols import Value
from ggp.language.typed.types import SetType, Type, size

WORD = 0xFFFF_FFFF_FFFF_FFFF
MAX_SCALED = 1 << 31


def scramble(value: int) -> int:
    """Return splitmix64's output for a 64-bit input, an unsigned 64-bit word."""
    value = (value + 0x9E37_79B9_7F4A_7C15) & WORD
    value = ((value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9) & WORD
    value = ((value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB) & WORD
    return value ^ (value >> 31)


def hash_values(values: Sequence[tuple[Value, Type]], modulus: int) -> int:
    """Return the rules language's `hash` of values with their types: a number in 0..modulus-1 fixed by them."""
    words = [words_of(value, type_) for value, type_ in values]
    if modulus > MAX_SCALED:
        return (scramble(folded([word for some in words for word in some])) >> 1) % modulus
    hashed = 0
    for some in words:
        hashed = scramble(hashed ^ (folded(some) if len(some) > 1 else some[0] & WORD))
    return ((hashed >> 32) * modulus) >> 32


def words_of(value: Value, type_: Type) -> list[int]:
    """Return the words that stand for a value."""
    if not isinstance(type_, SetType):
        assert isinstance(value, int)
        return [value]
    assert isinstance(value, frozenset)
    bits = sum(1 << code for code in value)
    return [bits >> first & WORD for first in range(0, size(type_.element), 64)]


def folded(words: Sequence[int]) -> int:
    """Return one word made of several: each times a factor of its place, both halves of the products put together."""
    return reduce(xor, map(spread, words, factors(len(words))), 0)


def factors(count: int) -> list[int]:
    """Return the factors of the first places."""
    return [scramble(place) | 1 for place in range(count)]


def spread(word: int, factor: int) -> int:
    """Return both halves, of 64 bits, of a product put together."""
    product = (word & WORD) * (factor & WORD)
    return (product ^ product >> 64) & WORD
