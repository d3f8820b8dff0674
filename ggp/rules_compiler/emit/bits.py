"""Rows of bits: the words of sets, combined, shifted, counted."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.arithmetic.words import signed
from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression
from ggp.encoding.state_layout import set_words
from ggp.language.typed.types import ScalarType, lowest
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.operands import Bits
from ggp.rules_compiler.emit.value_names import position_of

WORD_MASK = (1 << 64) - 1
FLAT_WORDS = 8
"""Sets of more words are searched by bisection: Python cannot nest hundreds of conditions."""


def constant_bits(mask: int, count: int) -> Bits:
    """Return the words of an unbounded bit mask."""
    return Bits(tuple(ir.word(mask >> (64 * word)) for word in range(count)))


def no_bits(count: int) -> Bits:
    """Return an empty set of some words."""
    return Bits((ir.ZERO,) * count)


def is_empty(given: Bits) -> Expression:
    """Return whether a set has no members."""
    return ir.equal(ir.balanced(given.words, ir.either), 0)


def member_count(given: Bits) -> Expression:
    """Return the number of members."""
    return ir.total(ir.operation("popcount", word) for word in given.words)


def has_bit(b: Builder, given: Bits, at: Expression) -> Expression:
    """Return whether a set has the value at a position, which is inside the element type."""
    if isinstance(at, Constant):
        position = int(at.value)
        return ir.compare("unequal", ir.both(given.words[position // 64], signed(1 << position % 64)), 0)
    if len(given.words) == 1:
        return ir.compare("unequal", ir.both(ir.operation("right", given.words[0], at), 1), 0)
    at = b.assign(at, "i")
    if given.place is None and all(isinstance(word, Constant) for word in given.words):
        known = [int(word.constant or 0) for word in given.words]
        word = b.module.known_value(known, ir.operation("right", at, 6))
    else:
        word = selected_word(given, ir.operation("right", at, 6))
    return ir.compare("unequal", ir.both(ir.operation("right", word, ir.both(at, 63)), 1), 0)


def selected_word(given: Bits, index: Expression) -> Expression:
    """Return the word of a set at an index that is not known before play."""
    if given.place is not None:
        return given.place.entry(index)
    word = given.words[-1]
    for number in reversed(range(len(given.words) - 1)):
        word = ir.chosen(ir.equal(index, number), given.words[number], word)
    return word


def single(b: Builder, element: ScalarType, value: Expression) -> Bits:
    """Return the set of one value inside the element type."""
    words = set_words(element)
    at = position_of(element, value)
    if isinstance(at, Constant):
        return constant_bits(1 << int(at.value), words)
    if words == 1:
        return Bits((ir.bit(at),))
    at = b.assign(at, "i")
    number, bit = ir.operation("right", at, 6), ir.bit(ir.both(at, 63))
    return Bits(tuple(ir.chosen(ir.equal(number, word), bit, 0) for word in range(words)))


def shifted(b: Builder, given: Bits, distance: int, words: int) -> Bits:
    """Return the bits moved `distance` positions up (down if negative), in `words` words; bits that leave are lost."""
    given = b.named_bits(given)
    return Bits(tuple(_shifted_word(given, 64 * word - distance) for word in range(words)))


def _shifted_word(given: Bits, start: int) -> Expression:
    """Return the 64 bits of a set from bit `start` on."""
    number, low = divmod(start, 64)
    word: Expression = ir.ZERO
    if 0 <= number < len(given.words):
        word = ir.shift_right(given.words[number], low)
    if low and 0 <= number + 1 < len(given.words):
        word = ir.either(word, ir.shift_left(given.words[number + 1], 64 - low))
    return word


def masked(given: Bits, mask: Bits) -> Bits:
    """Return the members that are also in another set."""
    return Bits(tuple(ir.both(a, c) for a, c in zip(given.words, mask.words, strict=True)))


def union(left: Bits, right: Bits) -> Bits:
    """Return the members of either set."""
    return Bits(tuple(ir.either(a, c) for a, c in zip(left.words, right.words, strict=True)))


def difference(left: Bits, right: Bits) -> Bits:
    """Return the members of the first set that are not in the second."""
    return Bits(tuple(ir.without(a, c) for a, c in zip(left.words, right.words, strict=True)))


def extreme_member(given: Bits, smallest: bool, low: int) -> Expression:
    """Return the smallest or largest member of a set that has one."""
    kind = "lowest_bit" if smallest else "highest_bit"
    parts = [(word, ir.add(ir.operation(kind, word), 64 * n + low)) for n, word in enumerate(given.words)]
    return _first_member(parts if smallest else parts[::-1])


def _first_member(parts: Sequence[tuple[Expression, Expression]]) -> Expression:
    """Return the value of the first part whose word is not empty, or of the last, with little nesting."""
    if len(parts) == 1:
        return parts[0][1]
    middle = (len(parts) + 1) // 2 if len(parts) > FLAT_WORDS else 1
    words = ir.balanced([word for word, _ in parts[:middle]], ir.either)
    return ir.chosen(ir.compare("unequal", words, 0), _first_member(parts[:middle]), _first_member(parts[middle:]))


def member_sum(given: Bits, low: int) -> Expression:
    """Return the sum of the members, from the number of members with each bit set in their position."""
    terms = []
    for number, word in enumerate(given.words):
        if 64 * number + low:
            terms.append(ir.multiply(ir.operation("popcount", word), 64 * number + low))
        for power in range(6):
            mask = signed(sum(1 << at for at in range(64) if at >> power & 1))
            terms.append(ir.multiply(ir.operation("popcount", ir.both(word, mask)), 1 << power))
    return ir.total(terms)


def kth_known(b: Builder, known: Sequence[int], k: Expression) -> Expression:
    """Return the k-th of some codes known before play; 0 where there are none."""
    if not known:
        return ir.ZERO
    if known[-1] - known[0] + 1 == len(known):
        return ir.add(k, known[0])
    return b.module.known_value(known, k)


def kth_member(given: Bits, type_: ScalarType, k: Expression) -> Expression:
    """Return the k-th member of a set with more than k members; with several words, `k` is written repeatedly."""
    low = lowest(type_)
    if len(given.words) == 1:
        return ir.add(ir.operation("nth_bit", given.words[0], k), low)
    if given.place is not None and len(given.words) > 4:
        row, base = given.place.row, given.place.base
        return ir.add(ir.operation("nth_bit_of", row, base, len(given.words), k), low)
    skipped: Expression = ir.ZERO
    parts: list[tuple[Expression, Expression]] = []
    for number, word in enumerate(given.words):
        here = ir.add(ir.operation("nth_bit", word, ir.subtract(k, skipped)), 64 * number + low)
        skipped = ir.add(skipped, ir.operation("popcount", word))
        parts.append((skipped, here))
    result = parts[-1][1]
    for through, here in reversed(parts[:-1]):
        result = ir.chosen(ir.compare("less", k, through), here, result)
    return result
