"""Fixed pseudo-random numbers: the values of `hash` in the rules language, the same on every machine.

A value stands for words of 64 bits: a scalar for its code, a set for its bits. Up to a modulus of 2^31 values are
hashed one after the other, and the upper half of the result is scaled. Beyond that, as histories have it, all words are
folded at once, which a processor does side by side, and the remainder of 63 bits is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.arithmetic.words import WORD, folded, scramble
from ggp.language.typed.symbols import Value
from ggp.language.typed.types import SetType, Type, size

MAX_SCALED = 1 << 31


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
