"""The table of operators: the kinds of their operands and result, what they do besides, and how Python writes them.

`ggp.codegen.python.runtime` defines in Python those that Python lacks; `ggp.codegen.llvm.operators` defines all
for native code.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ggp.arithmetic.real_functions import REAL_FUNCTIONS
from ggp.arithmetic.words import signed
from ggp.codegen.ir.nodes import Kind

WORD_MASK = (1 << 64) - 1
INT, REAL, BOOL, WORDS, REALS = Kind.INT, Kind.REAL, Kind.BOOL, Kind.WORDS, Kind.REALS


@dataclass(frozen=True, slots=True)
class Operator:
    """One operator.

    Attributes:
        operands: the kinds of its operands.
        result: the kind of its value; None for a statement.
        text: its symbol or the name of its function in Python.
        precedence: as an infix or prefix operator of Python; 0 for a function.
        pure: whether its value depends on its operands alone, and it does nothing else.
        fold: its value for operands known before play, or None.
        slow: whether evaluating it needlessly costs more than a jump.
    """

    operands: tuple[Kind, ...]
    result: Kind | None
    text: str
    precedence: int = 0
    pure: bool = True
    fold: Callable[..., Any] | None = None
    slow: bool = False


SUM, PRODUCT, SHIFT, BIT_AND, BIT_XOR, BIT_OR, COMPARISON, NEGATION, UNARY = 9, 10, 8, 7, 6, 5, 4, 3, 11
"""Precedences of Python, the higher the closer."""


def _infix(kind: Kind, text: str, precedence: int, fold: Callable[..., Any], result: Kind | None = None) -> Operator:
    return Operator((kind, kind), result or kind, text, precedence, fold=fold)


def _function(text: str, operands: tuple[Kind, ...], result: Kind | None, **facts: Any) -> Operator:
    return Operator(operands, result, text, **({"slow": True} | facts))


def _real_function(text: str, arity: int = 1) -> Operator:
    return _function(text, (REAL,) * arity, REAL)


COMPARISONS = {"equal": "==", "unequal": "!=", "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">="}
"""Symbols by name; those of reals begin with `real_`."""
FOLDED_COMPARISONS = {
    "equal": python.eq, "unequal": python.ne, "less": python.lt, "less_equal": python.le, "greater": python.gt,
    "greater_equal": python.ge,
}  # fmt: skip

OPERATORS: dict[str, Operator] = {
    # integers and words
    "add": _infix(INT, "+", SUM, python.add),
    "subtract": _infix(INT, "-", SUM, python.sub),
    "multiply": _infix(INT, "*", PRODUCT, python.mul),
    "and": _infix(INT, "&", BIT_AND, python.and_),
    "or": _infix(INT, "|", BIT_OR, python.or_),
    "xor": _infix(INT, "^", BIT_XOR, python.xor),
    "right": _infix(INT, ">>", SHIFT, python.rshift),
    "invert": Operator((INT,), INT, "~", UNARY, fold=python.invert),
    "negate": Operator((INT,), INT, "-", UNARY, fold=python.neg),
    "floor_divide": Operator((INT, INT), INT, "//", PRODUCT, slow=True),
    "modulo": Operator((INT, INT), INT, "%", PRODUCT, slow=True),
    **{
        name: _infix(INT, text, COMPARISON, FOLDED_COMPARISONS[name], BOOL) for name, text in COMPARISONS.items()
    },
    "not": Operator((BOOL,), BOOL, "not", NEGATION, fold=python.not_),
    "left": _function("left", (INT, INT), INT, fold=lambda word, distance: signed(word << distance), slow=False),
    "logical_right": _function("logical_right", (INT, INT), INT,
                               fold=lambda word, distance: signed((word & WORD_MASK) >> distance), slow=False),
    "popcount": _function("popcount", (INT,), INT, fold=lambda word: (word & WORD_MASK).bit_count(), slow=False),
    "lowest_bit": _function("lowest_bit", (INT,), INT),
    "highest_bit": _function("highest_bit", (INT,), INT),
    "without_lowest": _function("without_lowest", (INT,), INT, slow=False),
    "below_lowest": _function("below_lowest", (INT,), INT, slow=False),
    "from_highest": _function("from_highest", (INT,), INT, slow=False),
    "bit": _function("bit", (INT,), INT, fold=lambda position: signed(1 << (position & 63)), slow=False),
    "low_bits": _function("low_bits", (INT,), INT),
    "nth_bit": _function("nth_bit", (INT, INT), INT),
    "nth_bit_of": _function("nth_bit_of", (WORDS, INT, INT, INT), INT, pure=False),
    "quotient": _function("quotient", (INT, INT), INT),
    "remainder": _function("remainder", (INT, INT), INT),
    "smaller": _function("smaller", (INT, INT), INT, slow=False),
    "larger": _function("larger", (INT, INT), INT, slow=False),
    "absolute": _function("abs", (INT,), INT, slow=False),
    "sign": _function("sign", (INT,), INT, slow=False),
    "scramble_word": _function("scramble_word", (INT,), INT),
    "spread_word": _function("spread_word", (INT, INT), INT, slow=False),
    "hash_below": _function("hash_below", (INT, INT), INT),
    "step_cell": _function("step_cell", (INT, INT, INT, INT, INT), INT),
    "step_option": _function("step_option", (INT, INT, INT, INT, INT), INT),
    # reals
    "real_add": _infix(REAL, "+", SUM, python.add),
    "real_subtract": _infix(REAL, "-", SUM, python.sub),
    "real_multiply": _infix(REAL, "*", PRODUCT, python.mul),
    "real_over": Operator((REAL, REAL), REAL, "/", PRODUCT, slow=True),
    "real_negate": Operator((REAL,), REAL, "-", UNARY, fold=python.neg),
    **{
        f"real_{name}": _infix(REAL, text, COMPARISON, FOLDED_COMPARISONS[name], BOOL)
        for name, text in COMPARISONS.items()
    },
    "real": _function("float", (INT,), REAL, fold=float, slow=False),
    "real_smaller": _real_function("smaller", 2),
    "real_larger": _real_function("larger", 2),
    "real_absolute": _real_function("abs"),
    "real_sign": _function("sign", (REAL,), INT),
    "divide": _real_function("divide", 2),
    "power": _real_function("power", 2),
    **{name: _real_function(name) for name in REAL_FUNCTIONS},
    "defined": _real_function("defined"),
    # what can be a fault: the site's number and the fault words come last
    "fail": _function("fail", (INT, INT, WORDS), None, pure=False),
    "guard": _function("guard", (INT, INT, INT, INT, WORDS), INT, pure=False),
    "unwrap": _function("unwrap", (INT, INT, INT, WORDS), INT, pure=False),
    "floor_quotient": _function("floor_quotient", (INT, INT, INT, INT, WORDS), INT, pure=False),
    "floor_remainder": _function("floor_remainder", (INT, INT, INT, WORDS), INT, pure=False),
    # memory: row and base of where to, row and base of where from, length
    "copy_words": _function("copy_words", (WORDS, INT, WORDS, INT, INT), None, pure=False),
    "copy_reals": _function("copy_reals", (REALS, INT, REALS, INT, INT), None, pure=False),
    "words_from": _function("words_from", (WORDS, INT), WORDS, pure=False),
    "reals_from": _function("reals_from", (REALS, INT), REALS, pure=False),
    "same_words": _function("same_words", (WORDS, INT, WORDS, INT, INT), BOOL, pure=False),
    # bytes and 32-bit floats of a row that is only written to: row, place, what is written, how many (a constant)
    "put_flags": _function("put_flags", (WORDS, INT, INT, INT), None, pure=False),
    "put_floats": _function("put_floats", (WORDS, INT, INT, INT), None, pure=False),
    "put_float": _function("put_float", (WORDS, INT, REAL), None, pure=False),
    "clear_flags": _function("clear_flags", (WORDS, INT, INT), None, pure=False),
    "clear_floats": _function("clear_floats", (WORDS, INT, INT), None, pure=False),
    # random numbers
    "below": _function("below", (WORDS, INT), INT, pure=False),
    "uniform": _function("uniform", (WORDS,), REAL, pure=False),
}  # fmt: skip
"""Every operator by name. Shifts are by 0 to 63 positions; `right` keeps the sign, `quotient` and `remainder` are of
numbers that are not negative. `below_lowest`: the bits below the lowest one of a word, all where it has none;
`from_highest`: the bits from the highest one on, all where it has none; `words_from`, `reals_from`: a row's part from
an entry on, for code that computes nothing twice from rows, since passes know rows by their names."""
