"""The services of `runtime` for native code: some in LLVM's language, the rest in the same part of Python."""

from __future__ import annotations

import ast

from llvmlite import ir

from ggp.model.backends.lowering_expressions import BOOL, INT, REAL, VOID, ExpressionLowering, Service, Value


def _popcount(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    return Value(f.builder.ctpop(f.integer(arguments[0])), "int")


def _lowest_bit(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    position = f.builder.cttz(f.integer(arguments[0]), ir.Constant(BOOL, 0))
    return Value(f.builder.and_(position, ir.Constant(INT, 63)), "int")


def _highest_bit(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    zeros = f.builder.ctlz(f.integer(arguments[0]), ir.Constant(BOOL, 0))
    return Value(f.builder.and_(f.builder.sub(ir.Constant(INT, 63), zeros), ir.Constant(INT, 63)), "int")


def _bit(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    position = f.builder.and_(f.integer(arguments[0]), ir.Constant(INT, 63))
    return Value(f.builder.shl(ir.Constant(INT, 1), position), "int")


def _low_bits(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    b, count = f.builder, f.integer(arguments[0])
    # a shift by 64 is not defined: none and all 64 are chosen apart
    distance = b.and_(b.sub(ir.Constant(INT, 64), count), ir.Constant(INT, 63))
    some = b.lshr(ir.Constant(INT, -1), distance)
    at_most = b.select(b.icmp_signed(">=", count, ir.Constant(INT, 64)), ir.Constant(INT, -1), some)
    return Value(b.select(b.icmp_signed("<=", count, ir.Constant(INT, 0)), ir.Constant(INT, 0), at_most), "int")


def _left(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    return Value(f.builder.shl(f.integer(arguments[0]), f.integer(arguments[1])), "int")


def _logical_right(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    return Value(f.builder.lshr(f.integer(arguments[0]), f.integer(arguments[1])), "int")


def _nth_bit(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    word, n = f.integer(arguments[0]), f.integer(arguments[1])
    if not f.owner.has_pdep:
        function, _, _ = f.owner.functions["nth_bit_by_clearing"]
        return Value(f.builder.call(function, [word, n]), "int")
    deposit = f.owner.intrinsic("llvm.x86.bmi.pdep.64", INT, INT, INT)
    wanted = f.builder.shl(ir.Constant(INT, 1), f.builder.and_(n, ir.Constant(INT, 63)))
    position = f.builder.cttz(f.builder.call(deposit, [wanted, word]), ir.Constant(BOOL, 0))
    return Value(f.builder.and_(position, ir.Constant(INT, 63)), "int")


def _local(kind: ir.Type, name: str) -> Service:
    def service(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
        assert isinstance(arguments[0], ast.Constant)
        place = f.allocations.alloca(kind, size=ir.Constant(INT, arguments[0].value))
        return Value(place, "Words" if name == "Words" else "Reals")

    return service


def _copy(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    target, target_base, source, source_base, count = arguments
    byte_pointer = ir.IntType(8).as_pointer()
    places = [
        f.builder.bitcast(f.builder.gep(f.expression(row).llvm, [f.integer(base)], inbounds=True), byte_pointer)
        for row, base in ((target, target_base), (source, source_base))
    ]
    copy = f.owner.intrinsic("llvm.memcpy.p0.p0.i64", VOID, byte_pointer, byte_pointer, INT, BOOL)
    length = f.builder.mul(f.integer(count), ir.Constant(INT, 8))
    return Value(f.builder.call(copy, [*places, length, ir.Constant(BOOL, 0)]), "None")


def _division(operation: str) -> Service:
    def service(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
        dividend, divisor = f.integer(arguments[0]), f.integer(arguments[1])
        return Value(getattr(f.builder, operation)(dividend, divisor), "int")

    return service


def _extreme(symbol: str) -> Service:
    def service(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
        first, second = f.expression(arguments[0]), f.expression(arguments[1])
        if first.kind == "float":
            test = f.builder.fcmp_ordered(symbol, second.llvm, first.llvm)
        else:
            test = f.builder.icmp_signed(symbol, second.llvm, first.llvm)
        return Value(f.builder.select(test, second.llvm, first.llvm), first.kind)

    return service


def _float(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    return Value(f.builder.sitofp(f.integer(arguments[0]), REAL), "float")


def _absolute(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    value = f.expression(arguments[0])
    if value.kind == "float":
        return Value(f.builder.call(f.owner.intrinsic("llvm.fabs.f64", REAL, REAL), [value.llvm]), "float")
    negative = f.builder.icmp_signed("<", value.llvm, ir.Constant(INT, 0))
    return Value(f.builder.select(negative, f.builder.neg(value.llvm), value.llvm), "int")


def _sign(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
    value = f.expression(arguments[0])
    zero = ir.Constant(value.llvm.type, 0)
    compare = f.builder.fcmp_ordered if value.kind == "float" else f.builder.icmp_signed
    above = f.builder.zext(compare(">", value.llvm, zero), INT)
    return Value(f.builder.sub(above, f.builder.zext(compare("<", value.llvm, zero), INT)), "int")


def _library(name: str, arity: int) -> Service:
    def service(f: ExpressionLowering, arguments: list[ast.expr]) -> Value:
        function = f.owner.intrinsic(name, REAL, *[REAL] * arity)
        return Value(f.builder.call(function, [f.real(argument) for argument in arguments]), "float")

    return service


LIBRARY_FUNCTIONS = {"tanh": 1, "exp": 1, "log": 1, "pow": 2}
"""Functions of the C library that native code calls, with the number of their arguments."""

SERVICES: dict[str, Service] = {
    "popcount": _popcount,
    "lowest_bit": _lowest_bit,
    "highest_bit": _highest_bit,
    "bit": _bit,
    "low_bits": _low_bits,
    "left": _left,
    "logical_right": _logical_right,
    "nth_bit": _nth_bit,
    "local_words": _local(INT, "Words"),
    "local_reals": _local(REAL, "Reals"),
    "copy_words": _copy,
    "copy_reals": _copy,
    "quotient": _division("udiv"),
    "remainder": _division("urem"),
    "signed_quotient": _division("sdiv"),
    "smaller": _extreme("<"),
    "larger": _extreme(">"),
    "float": _float,
    "abs": _absolute,
    "sign": _sign,
    "c_sqrt": _library("llvm.sqrt.f64", 1),
    **{name if name == "tanh" else f"c_{name}": _library(name, arity) for name, arity in LIBRARY_FUNCTIONS.items()},
}

PRELUDE = """
def without_lowest(word: int) -> int:
    return word & (word - 1)

def nth_bit_by_clearing(word: int, n: int) -> int:
    for i in range(n):
        word = word & (word - 1)
    return lowest_bit(word)

def nth_bit_of(words: Words, base: int, count: int, n: int) -> int:
    for number in range(count - 1):
        here = popcount(words[base + number])
        if n < here:
            return 64 * number + nth_bit(words[base + number], n)
        n -= here
    return 64 * (count - 1) + nth_bit(words[base + count - 1], n)

def same_words(left_words: Words, left_base: int, right: Words, right_base: int, count: int) -> bool:
    for i in range(count):
        if left_words[left_base + i] != right[right_base + i]:
            return False
    return True

def fail(value: int, site: int, fault: Words) -> None:
    if fault[0] == 0:
        fault[0] = site
        fault[1] = value

def guard(value: int, low: int, high: int, site: int, fault: Words) -> int:
    if value < low or value > high:
        fail(value, site, fault)
        return low
    return value

def unwrap(value: int, none: int, site: int, fault: Words) -> int:
    if value == none:
        fail(value, site, fault)
        return none + 1
    return value

def floored(dividend: int, divisor: int) -> int:
    if divisor == -1:
        return -dividend
    result = signed_quotient(dividend, divisor)
    if result * divisor != dividend and (dividend < 0) != (divisor < 0):
        return result - 1
    return result

def modulo(dividend: int, divisor: int) -> int:
    return dividend - floored(dividend, divisor) * divisor

def floor_quotient(dividend: int, divisor: int, otherwise: int, site: int, fault: Words) -> int:
    if divisor == 0:
        fail(0, site, fault)
        return otherwise
    return floored(dividend, divisor)

def floor_remainder(dividend: int, divisor: int, site: int, fault: Words) -> int:
    if divisor == 0:
        fail(0, site, fault)
        return 0
    return modulo(dividend, divisor)

def divide(dividend: float, divisor: float) -> float:
    if divisor == 0.0:
        return 0.0
    return dividend / divisor

def square_root(value: float) -> float:
    if value > 0.0:
        return c_sqrt(value)
    return 0.0

def logarithm(value: float) -> float:
    if value > 0.0:
        return c_log(value)
    return 0.0

def exponential(value: float) -> float:
    return c_exp(value)

def defined(value: float) -> float:
    if value != value:
        return 0.0
    return value

def power(base: float, exponent: float) -> float:
    if base == 0.0 and exponent < 0.0 and exponent > -inf:
        return 0.0
    return defined(c_pow(base, exponent))

def step_cell(cell: int, along_x: int, along_y: int, width: int, height: int) -> int:
    x = remainder(cell, width) + along_x
    y = quotient(cell, width) + along_y
    if x < 0 or x >= width or y < 0 or y >= height:
        return -1
    return y * width + x

def step_option(cell: int, along_x: int, along_y: int, width: int, height: int) -> int:
    if cell < 0:
        return -1
    return step_cell(cell, along_x, along_y, width, height)

def scramble_word(word: int) -> int:
    word = word + -7046029254386353131
    word = (word ^ logical_right(word, 30)) * -4658895280553007687
    word = (word ^ logical_right(word, 27)) * -7723592293110705685
    return word ^ logical_right(word, 31)

def hash_below(word: int, modulus: int) -> int:
    return logical_right(logical_right(word, 32) * modulus, 32)

def next_word(rng: Words) -> int:
    word = rng[0]
    word = word ^ logical_right(word, 12)
    word = word ^ (word << 25)
    word = word ^ logical_right(word, 27)
    rng[0] = word
    return word * 2685821657736338717

def below(rng: Words, bound: int) -> int:
    return logical_right(logical_right(next_word(rng), 32) * bound, 32)

def uniform(rng: Words) -> float:
    return float(logical_right(next_word(rng), 11)) * 0.00000000000000011102230246251565
"""
