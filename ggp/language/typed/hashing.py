"""The fixed numbers that look random: what `hash` of the rules language gives, the same on every machine."""

from __future__ import annotations

WORD = 0xFFFF_FFFF_FFFF_FFFF


def scramble(value: int) -> int:
    """Return splitmix64's output for a 64-bit input, an unsigned 64-bit word."""
    value = (value + 0x9E37_79B9_7F4A_7C15) & WORD
    value = ((value ^ (value >> 30)) * 0xBF58_476D_1CE4_E5B9) & WORD
    value = ((value ^ (value >> 27)) * 0x94D0_49BB_1331_11EB) & WORD
    return value ^ (value >> 31)


def hash_words(operands: tuple[int, ...], modulus: int) -> int:
    """Return the rules language's `hash`: a number in 0..modulus-1 fixed by the operands, the same on every machine."""
    word = 0
    for operand in operands:
        word = scramble(word ^ (operand & WORD))
    return ((word >> 32) * modulus) >> 32
