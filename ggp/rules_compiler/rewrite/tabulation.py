"""Expressions that depend on few small values alone, such as geometry written as a formula: tables made before play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression
from ggp.encoding.state_layout import encode_value, set_words
from ggp.language import typed
from ggp.language.evaluation.constants import Evaluator
from ggp.language.evaluation.faults import GameError
from ggp.language.typed.types import ScalarType, SetType, codes, lowest, size
from ggp.language.typed.work import Held, work
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.operands import Bits, Operand
from ggp.rules_compiler.size import MAX_EVALUATION, Scalar, free_scalars

MIN_WORK = 12
"""Operations that are dearer than reading a table."""
MAX_ENTRIES, MAX_WORDS = 1024, 4096
"""Of one table, and of all tables of a module, which should leave room in the first-level cache."""


def tabulated(b: Builder, node: typed.Expression) -> Operand | None:
    """Return the operand of an expression, read from a table or known; None if it is not worth one."""
    free = free_scalars(node)
    if free is None or work(node) < MIN_WORK or not _is_word(node):
        return None
    known: dict[Scalar, int] = {}
    unknown: dict[Scalar, Expression] = {}
    for scalar in free:
        value = b.symbol(scalar) if isinstance(scalar, typed.Symbol) else b.variable(scalar)
        assert isinstance(value, Expression)
        if isinstance(value, Constant):
            known[scalar] = int(value.value)
        else:
            unknown[scalar] = ir.as_integer(value)
    table = _table(b, node, known, tuple(unknown))
    if table is None:
        return None
    at: Expression = ir.ZERO
    for scalar, value in unknown.items():
        assert isinstance(scalar.type, ScalarType)
        at = ir.add(ir.multiply(at, size(scalar.type)), ir.add(value, -lowest(scalar.type)))
    word = b.module.known_value(table, at) if unknown else ir.integer(table[0])
    return Bits((b.assign(word, "w"),)) if isinstance(node.type, SetType) else word


def _is_word(node: typed.Expression) -> bool:
    """Return whether an expression has a value of one word."""
    if isinstance(node.type, SetType):
        return set_words(node.type.element) == 1
    return isinstance(node.type, ScalarType)


def _table(
    b: Builder, node: typed.Expression, known: dict[Scalar, int], unknown: tuple[Scalar, ...]
) -> tuple[int, ...] | None:
    """Return the values for all values of what is unknown; None if there are too many, or one is a fault."""
    tables = b.module.tabulated
    key = (Held(node), tuple(known.items()), unknown)
    if key not in tables:
        domains = [codes(scalar.type) for scalar in unknown if isinstance(scalar.type, ScalarType)]
        entries = prod(map(len, domains))
        room = MAX_WORDS - sum(len(table) for table in tables.values() if table is not None and len(table) > 1)
        tables[key] = None
        if entries <= min(MAX_ENTRIES, room) and entries * work(node) <= MAX_EVALUATION:
            cases = [{**known, **dict(zip(unknown, values, strict=True))} for values in product(*domains)]
            tables[key] = _evaluated(node, cases)
    return tables[key]


def _evaluated(node: typed.Expression, cases: Sequence[Mapping[Scalar, int]]) -> tuple[int, ...] | None:
    evaluator = Evaluator()
    try:
        return tuple(encode_value(node.type, evaluator.value(node, case))[0] for case in cases)
    except GameError:
        return None
