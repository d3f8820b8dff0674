"""The operators of `ggp.codegen.ir.operators` for native code."""

from __future__ import annotations

from llvmlite import ir as llvm

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Assign, For, Function, If, Kind, Module, Name, Return
from ggp.codegen.ir.operators import COMPARISONS
from ggp.codegen.llvm.emitter import BOOL, BYTE, BYTES, FLOAT, INT, REAL, VOID, Emission, Emitter, Values, word

MAX_LANES = 16
"""Entries that are written at once."""


def emit(operator: str, f: Emitter, values: Values) -> llvm.Value:
    """Write an operator on some values; return its value."""
    return EMISSIONS[operator](f, *values)


def _direct(method: str) -> Emission:
    return lambda f, *values: getattr(f.b, method)(*values)


def _compared(symbol: str, is_real: bool) -> Emission:
    if not is_real:
        return lambda f, x, y: f.b.icmp_signed(symbol, x, y)
    method = "fcmp_unordered" if symbol == "!=" else "fcmp_ordered"
    return lambda f, x, y: getattr(f.b, method)(symbol, x, y)


def _called(function: str) -> Emission:
    return lambda f, *values: f.b.call(f.functions[function], values)


def _library(name: str, arity: int = 1) -> Emission:
    return lambda f, *values: f.b.call(f.outside(name, REAL, *[REAL] * arity), values)


# --- integers and words -----------------------------------------------------------------------------------------------


def _floor_divide(f: Emitter, dividend: llvm.Value, divisor: llvm.Value) -> llvm.Value:
    """Python's `//`; the divisor is not 0, and -1 is left out, by which the smallest integer cannot be divided."""
    b = f.b
    by_minus_one = b.icmp_signed("==", divisor, word(-1))
    unusual = b.or_(by_minus_one, b.icmp_signed("==", divisor, word(0)))
    safe = b.select(unusual, word(1), divisor)
    result = b.sdiv(dividend, safe)
    inexact = b.icmp_signed("!=", b.mul(result, safe), dividend)
    opposite = b.icmp_signed("<", b.xor(dividend, safe), word(0))
    floored = b.sub(result, b.zext(b.and_(inexact, opposite), INT))
    return b.select(by_minus_one, b.neg(dividend), floored)


def _modulo(f: Emitter, dividend: llvm.Value, divisor: llvm.Value) -> llvm.Value:
    return f.b.sub(dividend, f.b.mul(_floor_divide(f, dividend, divisor), divisor))


def _lowest_bit(f: Emitter, value: llvm.Value) -> llvm.Value:
    return f.b.and_(f.b.cttz(value, llvm.Constant(BOOL, 0)), word(63))


def _highest_bit(f: Emitter, value: llvm.Value) -> llvm.Value:
    return f.b.and_(f.b.sub(word(63), f.b.ctlz(value, llvm.Constant(BOOL, 0))), word(63))


def _without_lowest(f: Emitter, value: llvm.Value) -> llvm.Value:
    return f.b.and_(value, f.b.sub(value, word(1)))


def _below_lowest(f: Emitter, value: llvm.Value) -> llvm.Value:
    return f.b.and_(f.b.not_(value), f.b.sub(value, word(1)))


def _from_highest(f: Emitter, value: llvm.Value) -> llvm.Value:
    position = f.b.sub(word(63), f.b.ctlz(f.b.or_(value, word(1)), llvm.Constant(BOOL, 1)))
    return f.b.shl(word(-1), position)


def _bit(f: Emitter, position: llvm.Value) -> llvm.Value:
    return f.b.shl(word(1), f.b.and_(position, word(63)))


def _low_bits(f: Emitter, count: llvm.Value) -> llvm.Value:
    # a shift by 64 is not defined: none and all 64 are chosen apart
    b = f.b
    some = b.lshr(word(-1), b.and_(b.sub(word(64), count), word(63)))
    at_most = b.select(b.icmp_signed(">=", count, word(64)), word(-1), some)
    return b.select(b.icmp_signed("<=", count, word(0)), word(0), at_most)


def _nth_bit(f: Emitter, bits: llvm.Value, n: llvm.Value) -> llvm.Value:
    b = f.b
    if f.has_pdep:
        deposit = f.outside("llvm.x86.bmi.pdep.64", INT, INT, INT)
        return b.cttz(b.call(deposit, [_bit(f, n), bits]), llvm.Constant(BOOL, 0))
    # Half of what is left is left out six times, without branches, which would be mispredicted.
    at = word(0)
    for width in (32, 16, 8, 4, 2, 1):
        below = b.ctpop(b.and_(bits, word((1 << width) - 1)))
        is_above = b.icmp_signed(">=", n, below)
        n = b.select(is_above, b.sub(n, below), n)
        at = b.select(is_above, b.add(at, word(width)), at)
        bits = b.select(is_above, b.lshr(bits, word(width)), bits)
    return b.select(b.icmp_signed("<", n, b.and_(bits, word(1))), at, word(64))


def _extreme(symbol: str, is_real: bool) -> Emission:
    compare = _compared(symbol, is_real)
    return lambda f, first, second: f.b.select(compare(f, second, first), second, first)


def _absolute(f: Emitter, value: llvm.Value) -> llvm.Value:
    return f.b.select(f.b.icmp_signed("<", value, word(0)), f.b.neg(value), value)


def _sign(is_real: bool) -> Emission:
    above, under = _compared(">", is_real), _compared("<", is_real)

    def emission(f: Emitter, value: llvm.Value) -> llvm.Value:
        zero = llvm.Constant(value.type, 0)
        return f.b.sub(f.b.zext(above(f, value, zero), INT), f.b.zext(under(f, value, zero), INT))

    return emission


def _spread_word(f: Emitter, value: llvm.Value, factor: llvm.Value) -> llvm.Value:
    """Return both halves of the product of two unsigned words put together."""
    double = llvm.IntType(128)
    product = f.b.mul(f.b.zext(value, double), f.b.zext(factor, double))
    return f.b.trunc(f.b.xor(product, f.b.lshr(product, double(64))), value.type)


def _scramble_word(f: Emitter, value: llvm.Value) -> llvm.Value:
    """Return what the finalizer of splitmix64 makes of a word."""
    b = f.b
    value = b.add(value, word(-7046029254386353131))
    value = b.mul(b.xor(value, b.lshr(value, word(30))), word(-4658895280553007687))
    value = b.mul(b.xor(value, b.lshr(value, word(27))), word(-7723592293110705685))
    return b.xor(value, b.lshr(value, word(31)))


def _scaled(f: Emitter, value: llvm.Value, bound: llvm.Value) -> llvm.Value:
    """Return a number below a bound in proportion to the upper half of a random word."""
    return f.b.lshr(f.b.mul(f.b.lshr(value, word(32)), bound), word(32))


def _step_cell(f: Emitter, cell: llvm.Value, *way: llvm.Value) -> llvm.Value:
    b = f.b
    along_x, along_y, width, height = way
    x, y = b.add(b.urem(cell, width), along_x), b.add(b.udiv(cell, width), along_y)
    inside = b.and_(b.icmp_unsigned("<", x, width), b.icmp_unsigned("<", y, height))
    return b.select(inside, b.add(b.mul(y, width), x), word(-1))


def _step_option(f: Emitter, cell: llvm.Value, *way: llvm.Value) -> llvm.Value:
    none = f.b.icmp_signed("<", cell, word(0))
    return f.b.select(none, word(-1), _step_cell(f, cell, *way))


# --- reals ------------------------------------------------------------------------------------------------------------


def _divide(f: Emitter, dividend: llvm.Value, divisor: llvm.Value) -> llvm.Value:
    zero = llvm.Constant(REAL, 0.0)
    is_zero = f.b.fcmp_ordered("==", divisor, zero)
    return f.b.select(is_zero, zero, f.b.fdiv(dividend, f.b.select(is_zero, llvm.Constant(REAL, 1.0), divisor)))


def _of_positive(name: str) -> Emission:
    def emission(f: Emitter, value: llvm.Value) -> llvm.Value:
        positive = f.b.fcmp_ordered(">", value, llvm.Constant(REAL, 0.0))
        result = _library(name)(f, f.b.select(positive, value, llvm.Constant(REAL, 1.0)))
        return f.b.select(positive, result, llvm.Constant(REAL, 0.0))

    return emission


def _defined(f: Emitter, value: llvm.Value) -> llvm.Value:
    return f.b.select(f.b.fcmp_unordered("uno", value, value), llvm.Constant(REAL, 0.0), value)


def _power(f: Emitter, base: llvm.Value, exponent: llvm.Value) -> llvm.Value:
    b, zero = f.b, llvm.Constant(REAL, 0.0)
    pole = b.and_(
        b.fcmp_ordered("==", base, zero),
        b.and_(b.fcmp_ordered("<", exponent, zero), b.fcmp_ordered(">", exponent, llvm.Constant(REAL, float("-inf")))),
    )
    return b.select(pole, zero, _defined(f, _library("pow", 2)(f, base, exponent)))


# --- faults -----------------------------------------------------------------------------------------------------------


def _fail(f: Emitter, value: llvm.Value, site: llvm.Value, fault: llvm.Value) -> None:
    """Only the first fault counts."""
    b = f.b
    with b.if_then(b.icmp_signed("==", b.load(fault), word(0)), likely=False):
        b.store(site, fault)
        b.store(value, b.gep(fault, [word(1)], inbounds=True))


def _guard(
    f: Emitter, value: llvm.Value, low: llvm.Value, high: llvm.Value, site: llvm.Value, fault: llvm.Value
) -> llvm.Value:
    b = f.b
    outside = b.or_(b.icmp_signed("<", value, low), b.icmp_signed(">", value, high))
    return _checked(f, outside, low, value, site, fault)


def _unwrap(f: Emitter, value: llvm.Value, none: llvm.Value, site: llvm.Value, fault: llvm.Value) -> llvm.Value:
    is_none = f.b.icmp_signed("==", value, none)
    return _checked(f, is_none, f.b.add(none, word(1)), value, site, fault)


def _checked(
    f: Emitter, wrong: llvm.Value, instead: llvm.Value, value: llvm.Value, site: llvm.Value, fault: llvm.Value
) -> llvm.Value:
    """Return a value, or another one and record a fault if it is wrong and needed."""
    is_fault, before = wrong, f.b.block
    for test in f.needed:
        is_fault = f.b.select(test, is_fault, llvm.Constant(BOOL, 0))
    with f.b.if_then(is_fault, likely=False):
        _fail(f, value, site, fault)
    if f.needed:  # each of the conditions may come out either way: one jump for all
        before.terminator.set_metadata("unpredictable", f.module.add_metadata([]))
    return f.b.select(wrong, instead, value)


def _floor_quotient(
    f: Emitter, dividend: llvm.Value, divisor: llvm.Value, otherwise: llvm.Value, site: llvm.Value, fault: llvm.Value
) -> llvm.Value:
    by_zero = f.b.icmp_signed("==", divisor, word(0))
    with f.b.if_then(by_zero, likely=False):
        _fail(f, word(0), site, fault)
    return f.b.select(by_zero, otherwise, _floor_divide(f, dividend, divisor))


def _floor_remainder(
    f: Emitter, dividend: llvm.Value, divisor: llvm.Value, site: llvm.Value, fault: llvm.Value
) -> llvm.Value:
    by_zero = f.b.icmp_signed("==", divisor, word(0))
    with f.b.if_then(by_zero, likely=False):
        _fail(f, word(0), site, fault)
    return f.b.select(by_zero, word(0), _modulo(f, dividend, divisor))


# --- memory and random numbers ----------------------------------------------------------------------------------------


def _copy(
    f: Emitter, to: llvm.Value, to_base: llvm.Value, source: llvm.Value, base: llvm.Value, count: llvm.Value
) -> llvm.Value:
    b = f.b
    places = [b.bitcast(b.gep(row, [at], inbounds=True), BYTES) for row, at in ((to, to_base), (source, base))]
    copy = f.outside("llvm.memcpy.p0.p0.i64", VOID, BYTES, BYTES, INT, BOOL)
    return b.call(copy, [*places, b.mul(count, word(8)), llvm.Constant(BOOL, 0)])


def _put_bits(entry: llvm.Type) -> Emission:
    """Return what writes the lowest bits of a word as an entry each, by vectors."""

    def emission(f: Emitter, row: llvm.Value, at: llvm.Value, bits: llvm.Value, count: llvm.Value) -> None:
        b, done = f.b, 0
        first = b.gep(b.bitcast(row, entry.as_pointer()), [at], inbounds=True, source_etype=entry)
        while done < count.constant:
            left = count.constant - done
            lanes = min(1 << (left - 1).bit_length(), MAX_LANES)
            if lanes > left and lanes <= count.constant:  # rather some of them twice than several smaller vectors
                done = count.constant - lanes
            elif lanes > left:
                lanes //= 2
            some = b.trunc(b.lshr(bits, word(done)), llvm.IntType(lanes))
            flags = b.bitcast(some, llvm.VectorType(BOOL, lanes))
            vector = llvm.VectorType(entry, lanes)
            ones, zeros = llvm.Constant(vector, [1] * lanes), llvm.Constant(vector, [0] * lanes)
            place = b.bitcast(b.gep(first, [word(done)], inbounds=True, source_etype=entry), vector.as_pointer())
            b.store(b.select(flags, ones, zeros), place, align=1 if entry is BYTE else 4)
            done += lanes

    return emission


def _put_float(f: Emitter, row: llvm.Value, at: llvm.Value, value: llvm.Value) -> None:
    row = f.b.bitcast(row, FLOAT.as_pointer())
    f.b.store(f.b.fptrunc(value, FLOAT), f.b.gep(row, [at], inbounds=True, source_etype=FLOAT))


def _cleared(entry: llvm.Type, width: int) -> Emission:
    def emission(f: Emitter, row: llvm.Value, at: llvm.Value, count: llvm.Value) -> None:
        first = f.b.gep(f.b.bitcast(row, entry.as_pointer()), [at], inbounds=True, source_etype=entry)
        fill = f.outside("llvm.memset.p0.i64", VOID, BYTES, BYTE, INT, BOOL)
        size = f.b.mul(count, word(width))
        f.b.call(fill, [f.b.bitcast(first, BYTES), llvm.Constant(BYTE, 0), size, llvm.Constant(BOOL, 0)])

    return emission


def _from(f: Emitter, row: llvm.Value, at: llvm.Value) -> llvm.Value:
    """Return the address of an entry."""
    return f.b.gep(row, [at], inbounds=True)


def _next_word(f: Emitter, rng: llvm.Value) -> llvm.Value:
    """Return the next word of xorshift64*."""
    b = f.b
    state = b.load(rng)
    state = b.xor(state, b.lshr(state, word(12)))
    state = b.xor(state, b.shl(state, word(25)))
    state = b.xor(state, b.lshr(state, word(27)))
    b.store(state, rng)
    return b.mul(state, word(2685821657736338717))


def _below(f: Emitter, rng: llvm.Value, bound: llvm.Value) -> llvm.Value:
    return _scaled(f, _next_word(f, rng), bound)


def _uniform(f: Emitter, rng: llvm.Value) -> llvm.Value:
    numerator = f.b.sitofp(f.b.lshr(_next_word(f, rng), word(11)), REAL)
    return f.b.fmul(numerator, llvm.Constant(REAL, 2.0**-53))


EMISSIONS: dict[str, Emission] = {
    "add": _direct("add"), "subtract": _direct("sub"), "multiply": _direct("mul"), "and": _direct("and_"),
    "or": _direct("or_"), "xor": _direct("xor"), "right": _direct("ashr"), "left": _direct("shl"),
    "logical_right": _direct("lshr"), "invert": _direct("not_"), "negate": _direct("neg"), "not": _direct("not_"),
    "quotient": _direct("udiv"), "remainder": _direct("urem"), "popcount": _direct("ctpop"),
    **{name: _compared(symbol, False) for name, symbol in COMPARISONS.items()},
    **{f"real_{name}": _compared(symbol, True) for name, symbol in COMPARISONS.items()},
    "floor_divide": _floor_divide, "modulo": _modulo, "lowest_bit": _lowest_bit, "highest_bit": _highest_bit,
    "without_lowest": _without_lowest, "below_lowest": _below_lowest, "from_highest": _from_highest, "bit": _bit,
    "low_bits": _low_bits, "nth_bit": _nth_bit, "nth_bit_of": _called("nth_bit_of"), "smaller": _extreme("<", False),
    "larger": _extreme(">", False), "absolute": _absolute, "sign": _sign(False), "scramble_word": _scramble_word,
    "spread_word": _spread_word, "hash_below": _scaled, "step_cell": _step_cell, "step_option": _step_option,
    "real_add": _direct("fadd"), "real_subtract": _direct("fsub"), "real_multiply": _direct("fmul"),
    "real_over": _direct("fdiv"), "real_negate": _direct("fneg"), "real": lambda f, value: f.b.sitofp(value, REAL),
    "real_smaller": _extreme("<", True), "real_larger": _extreme(">", True),
    "real_absolute": _library("llvm.fabs.f64"), "real_sign": _sign(True), "divide": _divide, "power": _power,
    "tanh": _library("tanh"), "exp": _library("exp"), "sqrt": _of_positive("llvm.sqrt.f64"),
    "log": _of_positive("log"), "defined": _defined,
    "fail": _fail, "guard": _guard, "unwrap": _unwrap, "floor_quotient": _floor_quotient,
    "floor_remainder": _floor_remainder,
    "copy_words": _copy, "copy_reals": _copy, "words_from": _from, "reals_from": _from,
    "put_flags": _put_bits(BYTE), "put_floats": _put_bits(FLOAT), "put_float": _put_float,
    "clear_flags": _cleared(BYTE, 1), "clear_floats": _cleared(FLOAT, 4),
    "same_words": _called("same_words"), "below": _below, "uniform": _uniform,
}  # fmt: skip
"""How each operator is written."""


def loops() -> Module:
    """Return the operators that are loops, as functions of the intermediate representation."""
    row, other = ir.words("row"), ir.words("other")
    base, other_base, count, n = (Name(name, Kind.INT) for name in ("base", "other_base", "count", "n"))
    at, here = Name("at", Kind.INT), Name("here", Kind.INT)

    def found(number: ir.Given) -> Return:
        inside = ir.operation("nth_bit", ir.entry(row, ir.add(base, number)), n)
        return Return((ir.add(ir.multiply(number, 64), inside),))

    over_words = Function(
        "nth_bit_of", (row, base, count, n), (Kind.INT,),
        [
            For(at, ir.ZERO, ir.add(count, -1), [
                Assign(here, ir.operation("popcount", ir.entry(row, ir.add(base, at)))),
                If([(ir.compare("less", n, here), [found(at)])]),
                Assign(n, ir.subtract(n, here)),
            ]),
            found(ir.add(count, -1)),
        ],
    )  # fmt: skip
    different = ir.compare("unequal", ir.entry(row, ir.add(base, at)), ir.entry(other, ir.add(other_base, at)))
    same = Function(
        "same_words", (row, base, other, other_base, count), (Kind.BOOL,),
        [For(at, ir.ZERO, count, [If([(different, [Return((ir.FALSE,))])])]), Return((ir.TRUE,))],
    )  # fmt: skip
    return Module("", {}, [over_words, same])
