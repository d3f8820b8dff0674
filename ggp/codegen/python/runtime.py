"""The operators of generated code that Python lacks: words, bits, boards, faults, random numbers.

`ggp.codegen.llvm.operators` has the same for native code; a property test holds the two together. A word is a
signed 64-bit integer wherever it is a row of bits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

from ggp.arithmetic.real_functions import REAL_FUNCTIONS
from ggp.arithmetic.rng import below, uniform
from ggp.arithmetic.words import WORD, scramble, signed, spread

Words: TypeAlias = "list[int]"
Reals: TypeAlias = "list[float]"


class FaultSignal(Exception):
    """A fault at a numbered site, caught where the sites are known."""

    def __init__(self, site: int, value: int) -> None:
        super().__init__(site, value)
        self.site = site
        self.value = value


# --- bits -------------------------------------------------------------------------------------------------------------


def popcount(word: int) -> int:
    """Return how many bits are set."""
    return (word & WORD).bit_count()


def lowest_bit(word: int) -> int:
    """Return the position of the lowest bit that is set; of 0: 0."""
    return (word & -word).bit_length() - 1 if word else 0


def highest_bit(word: int) -> int:
    """Return the position of the highest bit that is set; of 0: 63."""
    return (word & WORD).bit_length() - 1 if word else 63


def without_lowest(word: int) -> int:
    """Return the word with its lowest bit taken away."""
    return signed(word & (word - 1))


def bit(position: int) -> int:
    """Return the word with one bit, 0 to 63."""
    return signed(1 << (position & 63))


def low_bits(count: int) -> int:
    """Return the word with so many bits set, from the lowest on: none where the count is below 0, 64 at most."""
    return signed((1 << min(max(count, 0), 64)) - 1)


def left(word: int, distance: int) -> int:
    """Return the word moved up by 1 to 63 positions."""
    return signed(word << distance)


def logical_right(word: int, distance: int) -> int:
    """Return the word moved down by 1 to 63 positions, zeros coming in."""
    return (word & WORD) >> distance


def below_lowest(word: int) -> int:
    """Return the bits below the lowest one that is set; all where none is."""
    return signed(~word & (word - 1))


def from_highest(word: int) -> int:
    """Return the bits from the highest one that is set on; all where none is, or the lowest alone."""
    return signed(-1 << (((word | 1) & WORD).bit_length() - 1))


def nth_bit(word: int, n: int) -> int:
    """Return the position of the bit that has `n` set bits below it; 64 where there is none."""
    word &= WORD
    for _ in range(n):
        word &= word - 1
    return (word & -word).bit_length() - 1 if word else 64


def nth_bit_of(words: Words, base: int, count: int, n: int) -> int:
    """Return the position, over several words, of the bit that has `n` set bits below it."""
    for number in range(count - 1):
        here = popcount(words[base + number])
        if n < here:
            return 64 * number + nth_bit(words[base + number], n)
        n -= here
    return 64 * (count - 1) + nth_bit(words[base + count - 1], n)


# --- memory -----------------------------------------------------------------------------------------------------------


def words_row(length: int) -> Words:
    """Return a new row of words of a function's own."""
    return [0] * length


def reals_row(length: int) -> Reals:
    """Return a new row of reals of a function's own."""
    return [0.0] * length


def copy_words(to: Words, to_base: int, source: Sequence[int], source_base: int, count: int) -> None:
    """Copy words; the two stretches do not overlap."""
    to[to_base : to_base + count] = source[source_base : source_base + count]


def copy_reals(to: Reals, to_base: int, source: Sequence[float], source_base: int, count: int) -> None:
    """Copy reals; the two stretches do not overlap."""
    to[to_base : to_base + count] = source[source_base : source_base + count]


def put_flags(row: Words, at: int, bits: int, count: int) -> None:
    """Write the lowest bits of a word, the lowest first, as a byte each."""
    row[at : at + count] = [bits >> place & 1 for place in range(count)]


put_floats = put_flags
"""The same as a float each."""


def put_float(row: Reals, at: int, value: float) -> None:
    """Write a float."""
    row[at] = value


def clear_flags(row: Words, at: int, count: int) -> None:
    """Write bytes of 0."""
    row[at : at + count] = [0] * count


clear_floats = clear_flags
"""The same of floats."""


class Part:
    """A row's part from an entry on: what is written to it is written to the row."""

    def __init__(self, row: Any, at: int) -> None:
        self._row = row
        self._at = at

    def _place(self, index: int | slice) -> int | slice:
        return slice(index.start + self._at, index.stop + self._at) if isinstance(index, slice) else index + self._at

    def __getitem__(self, index: int | slice) -> Any:
        return self._row[self._place(index)]

    def __setitem__(self, index: int | slice, value: Any) -> None:
        self._row[self._place(index)] = value


words_from = reals_from = Part


def same_words(left_words: Sequence[int], left_base: int, right: Sequence[int], right_base: int, count: int) -> bool:
    """Return whether two stretches of words are equal."""
    return all(left_words[left_base + i] == right[right_base + i] for i in range(count))


# --- faults -----------------------------------------------------------------------------------------------------------


def fail(value: int, site: int, fault: Words) -> None:
    """Record a fault; only the first counts. The plain form leaves at once."""
    fault[0], fault[1] = site, value
    raise FaultSignal(site, value)


def guard(value: int, low: int, high: int, site: int, fault: Words) -> int:
    """Return the value; outside its bounds it is a fault, and natively the lower bound."""
    if not low <= value <= high:
        fail(value, site, fault)
    return value


def unwrap(value: int, none: int, site: int, fault: Words) -> int:
    """Return the value; none is a fault, and natively the code after it."""
    if value == none:
        fail(value, site, fault)
    return value


def floor_quotient(dividend: int, divisor: int, otherwise: int, site: int, fault: Words) -> int:
    """Return the quotient rounded down; division by 0 is a fault, and natively `otherwise`."""
    if divisor == 0:
        fail(0, site, fault)
        return otherwise
    return dividend // divisor


def floor_remainder(dividend: int, divisor: int, site: int, fault: Words) -> int:
    """Return the remainder of the division rounded down; division by 0 is a fault, and natively 0."""
    if divisor == 0:
        fail(0, site, fault)
    return dividend % divisor


# --- numbers ----------------------------------------------------------------------------------------------------------


def quotient(dividend: int, divisor: int) -> int:
    """Return the quotient of a number that is not negative by a positive one."""
    return dividend // divisor


def remainder(dividend: int, divisor: int) -> int:
    """Return the remainder of a number that is not negative by a positive one."""
    return dividend % divisor


def sign(value: float) -> int:
    """Return -1, 0 or 1."""
    return (value > 0) - (value < 0)


def smaller(first: float, second: float) -> float:
    """Return the smaller of two numbers."""
    return second if second < first else first


def larger(first: float, second: float) -> float:
    """Return the larger of two numbers."""
    return second if second > first else first


def divide(dividend: float, divisor: float) -> float:
    """Return the quotient; by 0 it is 0."""
    return dividend / divisor if divisor != 0.0 else 0.0


def power(base: float, exponent: float) -> float:
    """Return the power; 0 where it is not defined, infinite where it is too large."""
    try:
        return math.pow(base, exponent)
    except ValueError:
        return 0.0
    except OverflowError:
        return -math.inf if base < 0.0 and exponent % 2.0 == 1.0 else math.inf


def defined(value: float) -> float:
    """Return a real, with 0 in place of NaN, such as a difference of infinities."""
    return value if value == value else 0.0


# --- boards -----------------------------------------------------------------------------------------------------------


def step_cell(cell: int, along_x: int, along_y: int, width: int, height: int) -> int:
    """Return the cell some way off, -1 beyond the edge."""
    x, y = cell % width + along_x, cell // width + along_y
    return y * width + x if 0 <= x < width and 0 <= y < height else -1


def step_option(cell: int, along_x: int, along_y: int, width: int, height: int) -> int:
    """Return the same for a cell that may be none (-1), which stays none."""
    return -1 if cell < 0 else step_cell(cell, along_x, along_y, width, height)


# --- pseudo-random numbers --------------------------------------------------------------------------------------------


def scramble_word(word: int) -> int:
    """Return splitmix64's output as a signed word."""
    return signed(scramble(word & WORD))


def spread_word(word: int, factor: int) -> int:
    """Return both halves of the product of two unsigned words put together, as a signed word."""
    return signed(spread(word, factor))


def hash_below(word: int, modulus: int) -> int:
    """Return a number in 0..modulus-1 from a scrambled word."""
    return (((word & WORD) >> 32) * modulus) >> 32


_IMPORTED = ("Any", "Sequence", "TypeAlias", "signed", "scramble", "spread")
NAMESPACE: dict[str, object] = {
    name: value
    for name, value in globals().items()
    if not name.startswith("_") and callable(value) and name not in _IMPORTED
}
NAMESPACE |= {name: function.value for name, function in REAL_FUNCTIONS.items()}
NAMESPACE |= {"below": below, "uniform": uniform, "inf": math.inf}
"""What the plain form of a generated module finds as globals."""
