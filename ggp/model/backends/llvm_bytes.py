"""Operators on words of eight bytes for native code: vector instructions."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir as llvm

from ggp.model.backends.llvm_emitter import BOOL, BYTE, INT, INT32, Emission, Emitter, word

LANES = llvm.VectorType(BYTE, 8)


def _lanes(f: Emitter, value: llvm.Value) -> llvm.Value:
    return f.b.bitcast(value, LANES)


def _of_lanes(operate: Callable[..., llvm.Value]) -> Emission:
    """Return the emission of an operator on bytes, given one on vectors."""
    return lambda f, *values: f.b.bitcast(operate(f, *(_lanes(f, value) for value in values)), INT)


def _lane_test(symbol: str) -> Emission:
    return _of_lanes(lambda f, x, y: f.b.sext(f.b.icmp_unsigned(symbol, x, y), LANES))


def _byte_of(f: Emitter, value: llvm.Value, at: llvm.Value) -> llvm.Value:
    return f.b.and_(f.b.lshr(value, f.b.and_(f.b.shl(at, word(3)), word(56))), word(255))


def _only_byte(f: Emitter, at: llvm.Value) -> llvm.Value:
    return f.b.shl(word(255), f.b.and_(f.b.shl(at, word(3)), word(56)))


def _spread_byte(f: Emitter, value: llvm.Value) -> llvm.Value:
    byte = f.b.insert_element(llvm.Constant(LANES, llvm.Undefined), f.b.trunc(value, BYTE), llvm.Constant(INT32, 0))
    return f.b.bitcast(f.b.shuffle_vector(byte, byte, llvm.Constant(llvm.VectorType(INT32, 8), [0] * 8)), INT)


def _bytes_sum(f: Emitter, value: llvm.Value) -> llvm.Value:
    b, odd = f.b, word(0x00FF_00FF_00FF_00FF)
    pairs = b.add(b.and_(value, odd), b.and_(b.lshr(value, word(8)), odd))
    return b.lshr(b.mul(pairs, word(0x0001_0001_0001_0001)), word(48))


def _bytes_to_bits(f: Emitter, value: llvm.Value) -> llvm.Value:
    # sixteen bytes: for these there is one instruction; what the upper half holds does not matter
    lanes = _resized(f, _lanes(f, value), 16, llvm.Constant(LANES, llvm.Undefined))
    negative = f.b.icmp_signed("<", lanes, llvm.Constant(lanes.type, [0] * 16))
    return f.b.and_(f.b.zext(f.b.bitcast(negative, llvm.IntType(16)), INT), word(255))


def _bytes_chosen(f: Emitter, test: llvm.Value, then: llvm.Value, otherwise: llvm.Value) -> llvm.Value:
    holds = f.b.icmp_signed("<", _lanes(f, test), llvm.Constant(LANES, [0] * 8))
    return f.b.bitcast(f.b.select(holds, _lanes(f, then), _lanes(f, otherwise)), INT)


def _bits_to_bytes(f: Emitter, value: llvm.Value) -> llvm.Value:
    bits = f.b.bitcast(f.b.trunc(value, BYTE), llvm.VectorType(BOOL, 8))
    return f.b.bitcast(f.b.sext(bits, LANES), INT)


def _word_lanes(f: Emitter, row: llvm.Value, at: llvm.Value, count: llvm.Constant) -> tuple[llvm.Value, llvm.Type]:
    """Return the address of some words of a row as a vector, and its type."""
    type_ = llvm.VectorType(INT, count.constant)
    return f.b.bitcast(f.b.gep(row, [at], inbounds=True), type_.as_pointer()), type_


def _resized(f: Emitter, lanes: llvm.Value, count: int, fill: llvm.Value) -> llvm.Value:
    """Return a vector with so many lanes: the first ones of a longer vector, or more ones, all of `fill`."""
    given = lanes.type.count
    places = [min(at, given) for at in range(count)]
    return f.b.shuffle_vector(lanes, fill, llvm.Constant(llvm.VectorType(INT32, count), places))


def _pack_bytes(f: Emitter, row: llvm.Value, at: llvm.Value, count: llvm.Constant, low: llvm.Constant) -> llvm.Value:
    place, _ = _word_lanes(f, row, at, count)
    lanes = f.b.trunc(f.b.load(place, align=8), llvm.VectorType(BYTE, count.constant))
    if low.constant:
        lanes = f.b.sub(lanes, llvm.Constant(lanes.type, [low.constant & 255] * count.constant))
    return f.b.bitcast(_resized(f, lanes, 8, llvm.Constant(lanes.type, [0] * count.constant)), INT)


def _unpack_bytes(
    f: Emitter, row: llvm.Value, at: llvm.Value, count: llvm.Constant, low: llvm.Constant, word: llvm.Value
) -> llvm.Value:
    place, type_ = _word_lanes(f, row, at, count)
    lanes = _lanes(f, word)
    wide = f.b.zext(_resized(f, lanes, count.constant, lanes), type_)
    if low.constant:
        wide = f.b.add(wide, llvm.Constant(type_, [low.constant] * count.constant))
    return f.b.store(wide, place, align=8)


BYTE_EMISSIONS: dict[str, Emission] = {
    "byte_of": _byte_of, "only_byte": _only_byte, "spread_byte": _spread_byte,
    "bytes_add": _of_lanes(lambda f, x, y: f.b.add(x, y)), "bytes_subtract": _of_lanes(lambda f, x, y: f.b.sub(x, y)),
    "bytes_equal": _lane_test("=="), "bytes_less": _lane_test("<"), "bytes_sum": _bytes_sum,
    "bytes_to_bits": _bytes_to_bits, "bytes_chosen": _bytes_chosen, "bits_to_bytes": _bits_to_bytes,
    "pack_bytes": _pack_bytes, "unpack_bytes": _unpack_bytes,
}  # fmt: skip
"""How each operator is written."""
