"""Operations on words of lanes, one byte per lane: spreading, comparing, choosing, conversion to and from bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ggp.model.generate.builder import Builder
from ggp.model.generate.operands import Bits
from ggp.model.generate.packable import BYTES
from ggp.model.ir import build as ir
from ggp.model.ir.nodes import Constant, Expression

Words: TypeAlias = Sequence[Expression]


class NotInLanes(Exception):
    """An expression that cannot be computed for all values at once."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number in each lane: its byte is the number minus `bias`, modulo 256; if `clean`, bytes beyond them are 0."""

    words: Words
    bias: int
    low: int
    high: int
    clean: bool = False


@dataclass
class LaneWords:
    """Writes operations on words of lanes.

    Attributes:
        b: where they are written.
        width: number of words of the lanes.
    """

    b: Builder
    width: int = field(init=False)

    def of(self, positions: Sequence[int]) -> Words:
        """Return the lanes at some positions."""
        chosen = frozenset(positions)
        return constant([255 * (at in chosen) for at in range(self.width * BYTES)])

    def every(self, operator: str, *operands: Words) -> Words:
        """Return an operator on each word."""
        return [self.b.assign(ir.operation(operator, *parts), "w") for parts in zip(*operands, strict=True)]

    def each(self, combine: Callable[..., Expression], *operands: Words) -> Words:
        """Return the combination of each word."""
        return [self.b.assign(combine(*parts), "w") for parts in zip(*operands, strict=True)]

    def spread(self, value: Expression) -> Words:
        """Return a value in each lane."""
        return [self.b.assign(ir.operation("spread_byte", value), "w")] * self.width

    def chosen(self, test: Words, then: Words, otherwise: Words) -> Words:
        """Return one of two bytes in each lane."""
        if not any(word.constant != 0 for word in then):
            return self.each(ir.without, otherwise, test)
        return self.every("bytes_chosen", test, then, otherwise)

    def biased(self, given: Numbers, bias: int) -> Words:
        """Return numbers as bytes with another bias."""
        distance = (given.bias - bias) & 255
        return self.every("bytes_add", given.words, self.spread(ir.integer(distance))) if distance else given.words

    def aligned(self, left: Numbers, right: Numbers) -> tuple[Words, Words]:
        """Return two numbers as bytes with a common bias, their least value, so that bytes compare as they do."""
        low = min(left.low, right.low)
        if max(left.high, right.high) - low > 255:
            raise NotInLanes
        return self.biased(left, low), self.biased(right, low)

    def lanes_of(self, members: Bits) -> Words:
        """Return the lanes of a set's members."""
        (word,) = self.b.named_bits(members).words
        parts = [ir.operation("bits_to_bytes", ir.shift_right(word, BYTES * at)) for at in range(self.width)]
        return [self.b.assign(part, "w") for part in parts]

    def bits_of(self, test: Words) -> Expression:
        """Return the set of the values in whose lanes a condition holds."""
        parts = [ir.shift_left(ir.operation("bytes_to_bits", word), BYTES * at) for at, word in enumerate(test)]
        return ir.balanced(parts, ir.either)


def inverted(word: Expression) -> Expression:
    """Return the other lanes of a word of lanes."""
    return ir.without(-1, word)


def constant(values: Sequence[Any]) -> list[Constant]:
    """Return words of bytes known before play."""
    padded = [*values, *[0] * (-len(values) % BYTES)]
    groups = [padded[at : at + BYTES] for at in range(0, len(padded), BYTES)]
    return [ir.word(int.from_bytes(bytes(value & 255 for value in group), "little")) for group in groups]
