"""Operators on numbers: what types their results have, and how they are written in LLVM's language.

As in numpy, a number written in the source takes the type of what it meets. Signed and unsigned numbers do not meet
without a conversion, nor do float32 and integers.
"""

from __future__ import annotations

import ast
import operator
import struct
from collections.abc import Callable

from ggp.codegen.kernels.types import REALS, Scalar, Tuple, Type
from ggp.codegen.kernels.values import Value, Writer, items_of, scalar, tuple_of


class Mismatch(Exception):
    """Operands of types that do not go together; the text says why."""


def constant(value: float) -> Value:
    """Return a number or truth value that is known."""
    if isinstance(value, bool):
        return Value(Scalar.BOOL, (str(value).lower(),), value)
    if isinstance(value, int):
        if not -(1 << 63) <= value < 1 << 64:
            raise Mismatch(f"{value} has more than 64 bits")
        return Value(Scalar.INT, (str(value),), value)
    return Value(Scalar.REAL, (real(value),), value)


def real(value: float) -> str:
    """Return a real number in LLVM's language, exactly."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def literal_as(value: Value, type_: Scalar) -> Value:
    """Return a number that is written in the source as one of another type."""
    number = value.literal
    assert number is not None
    if type_ is Scalar.WORD and number < 0:
        raise Mismatch("a negative number meets np.uint64")
    if type_ is Scalar.REAL:
        return scalar(type_, real(float(number)))
    if type_ is Scalar.REAL32:
        return scalar(type_, real(struct.unpack("<f", struct.pack("<f", number))[0]))
    return scalar(type_, str(int(number)))


def converted(w: Writer, value: Value, type_: Type) -> Value:
    """Return a value as one of a type that it can stand for without loss: a truth value is 0 or 1.

    Raises:
        Mismatch: it cannot.
    """
    if value.type == type_:
        if value.literal is not None and type_ is Scalar.INT and value.literal >= 1 << 63:
            raise Mismatch(f"{value.literal} does not fit into 64 bits")
        return value
    match value.type, type_:
        case Tuple(given), Tuple(wanted) if len(given) == len(wanted):
            pairs = zip(items_of(value), wanted, strict=True)
            return tuple_of([converted(w, item, item_type) for item, item_type in pairs])
        case Scalar.BOOL, (Scalar.INT | Scalar.WORD):
            return scalar(type_, w.let(f"zext i1 {value.only} to i64"))
        case Scalar.BOOL, (Scalar.REAL | Scalar.REAL32):
            return scalar(type_, w.let(f"uitofp i1 {value.only} to {type_.llvm}"))
        case Scalar.INT, (Scalar.REAL | Scalar.WORD | Scalar.REAL32) if value.literal is not None:
            return literal_as(value, type_)
        case Scalar.REAL, Scalar.REAL32 if value.literal is not None:
            return literal_as(value, type_)
        case Scalar.INT, Scalar.REAL:
            return scalar(Scalar.REAL, w.let(f"sitofp i64 {value.only} to double"))
        case Scalar.REAL32, Scalar.REAL:
            return scalar(Scalar.REAL, w.let(f"fpext float {value.only} to double"))
    raise Mismatch(f"{value.type} where {type_} is expected")


def cast(w: Writer, value: Value, type_: Scalar) -> Value:
    """Return a number as one of another type, as calling the type does: reals lose their fraction, words their sign.

    Raises:
        Mismatch: it is not a number.
    """
    if not isinstance(value.type, Scalar):
        raise Mismatch(f"{value.type} where a number is expected")
    if type_ is Scalar.BOOL:
        return truth(w, value)
    if value.literal is not None and not isinstance(value.literal, float):
        return literal_as(value, type_) if type_ is not Scalar.INT else value
    match value.type, type_:
        case (Scalar.INT, Scalar.WORD) | (Scalar.WORD, Scalar.INT):
            return scalar(type_, value.only)
        case ((Scalar.REAL | Scalar.REAL32), (Scalar.INT | Scalar.WORD)):
            to = "fptosi" if type_ is Scalar.INT else "fptoui"
            return scalar(type_, w.let(f"{to} {value.type.llvm} {value.only} to i64"))
        case Scalar.WORD, (Scalar.REAL | Scalar.REAL32):
            return scalar(type_, w.let(f"uitofp i64 {value.only} to {type_.llvm}"))
        case ((Scalar.INT | Scalar.BOOL), Scalar.REAL32):
            return scalar(type_, w.let(f"sitofp i64 {converted(w, value, Scalar.INT).only} to float"))
        case Scalar.REAL, Scalar.REAL32:
            return scalar(type_, w.let(f"fptrunc double {value.only} to float"))
    return converted(w, value, type_)


def truth(w: Writer, value: Value) -> Value:
    """Return whether a number is not 0.

    Raises:
        Mismatch: it is not a number.
    """
    if value.type is Scalar.BOOL:
        return value
    if value.type in REALS:
        return scalar(Scalar.BOOL, w.let(f"fcmp une {value.type.parts[0]} {value.only}, 0.0"))
    if value.type in (Scalar.INT, Scalar.WORD):
        return scalar(Scalar.BOOL, w.let(f"icmp ne i64 {value.only}, 0"))
    raise Mismatch(f"{value.type} where a condition is expected")


def met(w: Writer, left: Value, right: Value) -> tuple[Value, Value, Scalar]:
    """Return two numbers that meet in an operator as numbers of one type, and this type.

    Raises:
        Mismatch: they do not go together.
    """
    for value in (left, right):
        if not isinstance(value.type, Scalar):
            raise Mismatch(f"{value.type} where a number is expected")
    kinds = {left.type, right.type} - {Scalar.BOOL} or {Scalar.INT}
    fixed = {value.type for value in (left, right) if value.literal is None} or kinds
    common: Scalar
    if kinds <= {Scalar.INT}:
        common = Scalar.INT
    elif len(kinds) == 1:
        (common,) = kinds  # type: ignore[assignment]
    elif fixed == {Scalar.WORD} and Scalar.REAL not in kinds:
        common = Scalar.WORD
    elif fixed == {Scalar.REAL32}:
        common = Scalar.REAL32
    elif kinds in ({Scalar.INT, Scalar.REAL}, {Scalar.REAL32, Scalar.REAL}):
        common = Scalar.REAL
    else:
        raise Mismatch(f"{left.type} meets {right.type}; convert one of them")
    return converted(w, left, common), converted(w, right, common), common


_WHOLE: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("add", "add"), ast.Sub: ("sub", "sub"), ast.Mult: ("mul", "mul"), ast.BitAnd: ("and", "and"),
    ast.BitOr: ("or", "or"), ast.BitXor: ("xor", "xor"), ast.LShift: ("shl", "shl"), ast.RShift: ("ashr", "lshr"),
}  # fmt: skip
"""Instructions for signed and unsigned numbers."""
_REAL: dict[type[ast.operator], str] = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_KNOWN: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}  # fmt: skip
"""What is computed at once of numbers that are known."""
_TRUTH = (ast.BitAnd, ast.BitOr, ast.BitXor)
_COMPARISONS: dict[type[ast.cmpop], tuple[str, str, str]] = {
    ast.Eq: ("eq", "eq", "oeq"), ast.NotEq: ("ne", "ne", "une"), ast.Lt: ("slt", "ult", "olt"),
    ast.LtE: ("sle", "ule", "ole"), ast.Gt: ("sgt", "ugt", "ogt"), ast.GtE: ("sge", "uge", "oge"),
}  # fmt: skip


def binary(w: Writer, node: ast.operator, left: Value, right: Value) -> Value:
    """Return the result of an operator with two operands.

    Whole numbers have 64 bits and wrap around. Division by zero gives what numpy's does: kernels raise nothing.

    Raises:
        Mismatch: it has no result for these types.
    """
    kind = type(node)
    if isinstance(left.literal, int) and isinstance(right.literal, int) and kind in _KNOWN and right.literal >= 0:
        return constant(_KNOWN[kind](left.literal, right.literal))
    if left.type is right.type is Scalar.BOOL and kind in _TRUTH:
        return scalar(Scalar.BOOL, w.let(f"{_WHOLE[kind][0]} i1 {left.only}, {right.only}"))
    if kind is ast.Pow:
        return _power(w, left, right)
    left, right, common = met(w, left, right)
    if kind is ast.Div and common not in REALS:
        if common is Scalar.WORD:
            raise Mismatch("np.uint64 is divided with `//`")
        left, right, common = converted(w, left, Scalar.REAL), converted(w, right, Scalar.REAL), Scalar.REAL
    if common in REALS:
        if kind not in _REAL:
            raise Mismatch(f"{common} has no such operator")
        return scalar(common, w.let(f"{_REAL[kind]} {common.llvm} {left.only}, {right.only}"))
    if kind in (ast.FloorDiv, ast.Mod):
        return _divided(w, kind is ast.Mod, left, right, common)
    if kind not in _WHOLE:
        raise Mismatch(f"{common} has no such operator")
    instruction = _WHOLE[kind][common is Scalar.WORD]
    return scalar(common, w.let(f"{instruction} i64 {left.only}, {right.only}"))


def _divided(w: Writer, is_remainder: bool, left: Value, right: Value, common: Scalar) -> Value:
    """Return a quotient rounded down, or what is left of it; 0 where the divisor is."""
    sign, known = "u" if common is Scalar.WORD else "s", right.literal
    if isinstance(known, int) and known > 0 and known & (known - 1) == 0:
        shift = "lshr" if sign == "u" else "ashr"
        to, by = ("and", known - 1) if is_remainder else (shift, known.bit_length() - 1)
        return scalar(common, w.let(f"{to} i64 {left.only}, {by}"))
    by_zero = w.let(f"icmp eq i64 {right.only}, 0")
    divisor = w.let(f"select i1 {by_zero}, i64 1, i64 {right.only}")
    quotient = w.let(f"{sign}div i64 {left.only}, {divisor}")
    rest = w.let(f"sub i64 {left.only}, {w.let(f'mul i64 {quotient}, {divisor}')}")
    if sign == "s":  # rounded towards zero so far
        opposite = w.let(f"icmp slt i64 {w.let(f'xor i64 {rest}, {divisor}')}, 0")
        inexact = w.let(f"icmp ne i64 {rest}, 0")
        below = w.let(f"and i1 {opposite}, {inexact}")
        if is_remainder:
            rest = w.let(f"select i1 {below}, i64 {w.let(f'add i64 {rest}, {divisor}')}, i64 {rest}")
        else:
            quotient = w.let(f"sub i64 {quotient}, {w.let(f'zext i1 {below} to i64')}")
    found = rest if is_remainder else quotient
    return scalar(common, w.let(f"select i1 {by_zero}, i64 0, i64 {found}"))


def _power(w: Writer, base: Value, exponent: Value) -> Value:
    known = exponent.literal
    if isinstance(known, int) and 1 <= known <= 4:
        result = base
        for _ in range(known - 1):
            result = binary(w, ast.Mult(), result, base)
        return result
    if Scalar.REAL not in (base.type, exponent.type):
        raise Mismatch("`**` has a real operand, or an exponent from 1 to 4 that is written there")
    base, exponent = converted(w, base, Scalar.REAL), converted(w, exponent, Scalar.REAL)
    return scalar(Scalar.REAL, w.let(f"call double @pow(double {base.only}, double {exponent.only})"))


def unary(w: Writer, operator: ast.unaryop, value: Value) -> Value:
    """Return the result of an operator with one operand.

    Raises:
        Mismatch: it has no result for this type.
    """
    if isinstance(operator, ast.Not):
        return scalar(Scalar.BOOL, w.let(f"xor i1 {truth(w, value).only}, true"))
    if isinstance(operator, ast.USub) and value.literal is not None:
        return constant(-value.literal)
    if value.type in REALS and isinstance(operator, ast.USub):
        return Value(value.type, (w.let(f"fneg {value.type.parts[0]} {value.only}"),))
    whole = converted(w, value, Scalar.INT) if value.type is Scalar.BOOL else value
    if whole.type in (Scalar.INT, Scalar.WORD):
        if isinstance(operator, ast.USub):
            return Value(whole.type, (w.let(f"sub i64 0, {whole.only}"),))
        if isinstance(operator, ast.Invert):
            return Value(whole.type, (w.let(f"xor i64 {whole.only}, -1"),))
    raise Mismatch(f"{value.type} has no such operator")


def compared(w: Writer, operator: ast.cmpop, left: Value, right: Value) -> Value:
    """Return whether a comparison holds.

    Raises:
        Mismatch: these types cannot be compared.
    """
    if type(operator) not in _COMPARISONS:
        raise Mismatch("kernels have no such comparison")
    left, right, common = met(w, left, right)
    signed, unsigned, ordered = _COMPARISONS[type(operator)]
    if common in REALS:
        return scalar(Scalar.BOOL, w.let(f"fcmp {ordered} {common.llvm} {left.only}, {right.only}"))
    test = unsigned if common is Scalar.WORD else signed
    return scalar(Scalar.BOOL, w.let(f"icmp {test} i64 {left.only}, {right.only}"))
