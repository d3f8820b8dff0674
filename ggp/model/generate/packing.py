"""Arrays of small numbers in the bytes of words: their layout, and access to single elements.

A state variable whose cells are computed in a loop, such as the pits of a mancala board, is kept in names, with one
byte per element and eight to a word, so that one operation computes eight elements (`ggp.model.generate.lanes`). In the
state each element has its own word; functions pack what they read and unpack what they write. A byte is the element's
code minus the lowest code. Each row of the last index begins in a new word; bytes without an element are 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.language import typed
from ggp.language.typed.types import ArrayType, Type, lowest, size
from ggp.model.generate.bits import selected_word
from ggp.model.generate.builder import Builder
from ggp.model.generate.dispatch import integer
from ggp.model.generate.operands import Bits, Elements, Memory, Packed, flat
from ggp.model.generate.packable import BYTES, lowest_code, row_words, rows_of
from ggp.model.ir import build as ir
from ggp.model.ir.nodes import Expression


def packed_from(place: Memory, type_: Type) -> Packed:
    """Return the packed words of an array in memory, which has one word per element."""
    assert isinstance(type_, ArrayType)
    return Packed(tuple(word for row in range(rows_of(type_)) for word in row_from(place, type_, ir.integer(row))))


def row_from(place: Memory, type_: ArrayType, row: Expression) -> list[Expression]:
    """Return the packed words of one row of an array in memory."""
    return [
        ir.effect("pack_bytes", place.row, ir.add(place.base, at), count, lowest_code(type_))
        for at, count in _pieces(type_, row)
    ]


def unpack(b: Builder, packed: Packed, place: Memory, type_: Type) -> None:
    """Write all rows of an array into memory, one word per element."""
    assert isinstance(type_, ArrayType)
    for row in range(rows_of(type_)):
        number = ir.integer(row)
        unpack_row(b, row_of(b, packed, type_, number), place, type_, number)


def unpack_row(b: Builder, words: Sequence[Expression], place: Memory, type_: ArrayType, row: Expression) -> None:
    """Write one row into memory, one word per element."""
    for word, (at, count) in zip(words, _pieces(type_, row), strict=True):
        b.effect("unpack_bytes", place.row, ir.add(place.base, at), count, lowest_code(type_), word)


def _pieces(type_: ArrayType, row: Expression) -> list[tuple[Expression, int]]:
    """Return where the elements of each word of a row begin in memory, and how many there are."""
    length = size(type_.indices[-1])
    first = ir.multiply(row, length)
    return [(ir.add(first, at), min(BYTES, length - at)) for at in range(0, length, BYTES)]


def row_position(b: Builder, type_: ArrayType, indices: Sequence[typed.Expression]) -> Expression:
    """Return the number of a row, given all indices but the last."""
    row: Expression = ir.ZERO
    for index_type, index in zip(type_.indices, indices, strict=False):
        row = ir.add(ir.multiply(row, size(index_type)), ir.add(integer(b, index), -lowest(index_type)))
    return row


def row_of(b: Builder, packed: Packed, type_: ArrayType, row: Expression) -> list[Expression]:
    """Return the words of a row."""
    width, words = row_words(type_), flat(packed)
    if row.constant is not None:
        return words[int(row.constant) * width : (int(row.constant) + 1) * width]
    if len(words) > 2:  # one comparison chooses between two
        row = b.assign(row, "row")
    return [selected_word(Bits(tuple(words[at::width])), row) for at in range(width)]


def element_of_packed(b: Builder, packed: Packed, type_: ArrayType, indices: Sequence[typed.Expression]) -> Expression:
    """Return an element's code."""
    words = row_of(b, packed, type_, row_position(b, type_, indices[:-1]))
    at = ir.add(integer(b, indices[-1]), -lowest(type_.indices[-1]))
    if len(words) > 1:
        at = b.assign(at, "i")
    return ir.add(byte_at(words, at), lowest_code(type_))


def byte_at(words: Sequence[Expression], at: Expression) -> Expression:
    """Return a byte of a row, by its position."""
    word = words[0] if len(words) == 1 else selected_word(Bits(tuple(words)), ir.operation("right", at, 3))
    return ir.operation("byte_of", word, at)


def with_element(
    b: Builder, packed: Packed, type_: ArrayType, indices: Sequence[typed.Expression], code: Expression
) -> list[Expression]:
    """Return the words of an array with one element changed, given its new code."""
    width = row_words(type_)
    row = b.assign(row_position(b, type_, indices[:-1]), "row")
    at = b.assign(ir.add(integer(b, indices[-1]), -lowest(type_.indices[-1])), "i")
    number = ir.add(ir.multiply(row, width), ir.operation("right", at, 3))
    number = b.assign(number, "word")
    distance = b.assign(ir.multiply(ir.both(at, BYTES - 1), 8), "distance")
    byte = b.assign(ir.operation("left", ir.add(code, -lowest_code(type_)), distance), "byte")
    mask = b.assign(ir.operation("left", 255, distance), "mask")
    return [
        ir.chosen(ir.equal(number, place), ir.either(ir.without(word, mask), byte), word)
        for place, word in enumerate(flat(packed))
    ]


def unpacked(packed: Packed, type_: Type) -> Elements:
    """Return all elements' codes."""
    assert isinstance(type_, ArrayType)
    width, length, low = row_words(type_), size(type_.indices[-1]), lowest_code(type_)
    rows = [flat(packed)[row * width : (row + 1) * width] for row in range(rows_of(type_))]
    return Elements(tuple(ir.add(byte_at(row, ir.integer(at)), low) for row in rows for at in range(length)))
