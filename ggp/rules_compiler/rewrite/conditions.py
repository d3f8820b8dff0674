"""Conditions over the cells of a board, rewritten so that they show what holds for many cells at once.

Short loops over integers are written out, and two loops over columns and rows become one over cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Literal

from ggp.language import typed
from ggp.language.evaluation.constants import Evaluator
from ggp.language.evaluation.faults import GameError
from ggp.language.text.source import Span
from ggp.language.typed.types import BOOL, BoolType, IntType
from ggp.language.typed.walk import parts, rebuilt
from ggp.rules_compiler.rewrite.opened import substituted
from ggp.rules_compiler.size import can_fail, known_codes, mentions, node_count

MAX_WRITTEN_OUT = 8
"""Values of an integer for each of which a condition is written;"""
MAX_NODES = 800
"""up to this many nodes together."""


def written_out(node: typed.Quantifier, swept: frozenset[typed.Symbol]) -> typed.Expression | None:
    """Return a quantifier over a few integers as a condition for each, if it is about some cells; None for others."""
    first, *others = node.binders
    if others or not isinstance(first.symbol.type, IntType) or not any(mentions(one, node.body) for one in swept):
        return None
    values = known_codes(first.domain) or ()
    if not 0 < len(values) <= MAX_WRITTEN_OUT or len(values) * node_count(node.body) > MAX_NODES:
        return None
    cases = [folded(substituted(node.body, {first.symbol: number(value, node.span)})) for value in values]
    operator: Literal["and", "or"] = "and" if node.kind == "all" else "or"
    result: typed.Expression = reduce(lambda a, b: typed.Binary(operator, a, b, BOOL, node.span), cases)
    return typed.Unary("not", result, BOOL, node.span) if node.kind == "no" else result


def number(value: int, span: Span) -> typed.Constant:
    """Return an integer known before play."""
    return typed.Constant(value, IntType(value, value), span)


def added(node: typed.Expression, distance: int) -> typed.Expression:
    """Return an integer plus a distance."""
    if not distance:
        return node
    if isinstance(node, typed.Constant) and isinstance(node.value, int):
        return number(node.value + distance, node.span)
    assert isinstance(node.type, IntType)
    type_ = IntType(node.type.low + distance, node.type.high + distance)
    return typed.Binary("add", node, number(distance, node.span), type_, node.span)


def steps(test: typed.Expression) -> tuple[typed.CellStep, ...]:
    """Return the steps that are not none where a condition holds."""
    match test:
        case typed.Binary("and", left, right):
            return (*steps(left), *steps(right))
        case typed.Unary("not", typed.Unary("is_none", typed.CellStep() as step)):
            return (step,)
        case typed.Member(element=typed.CellStep() as step):
            return (step,)
    return ()


def depend(binder: typed.Binder, binders: Sequence[typed.Binder]) -> bool:
    """Return whether the domain of a binder depends on another, or can be a fault."""
    return any(can_fail(part) or any(mentions(one.symbol, part) for one in binders) for part in parts(binder))


def folded(node: typed.Expression) -> typed.Expression:
    """Return an expression with arithmetic on constants computed."""
    evaluator = Evaluator()

    def change(part: typed.Expression) -> typed.Expression:
        match part:
            case typed.Binary(operator="and" | "or" as operator, left=typed.Constant(value=known), right=other):
                return other if bool(known) == (operator == "and") else part.left
            case typed.If(condition=typed.Constant(value=known)):
                return part.then if known else part.otherwise
            case typed.Member(typed.Constant(value=known), typed.Constant(value=frozenset() as members)):
                return typed.Constant(int(known in members), BOOL, part.span)
            case typed.Binary(operator="add" | "subtract", left=other, right=typed.Constant(value=0)):
                return other
            case typed.Binary(operator="and" | "or" as operator, left=other, right=typed.Constant(value=known)):
                return other if bool(known) == (operator == "and") else part
        arithmetic = isinstance(part, typed.Binary | typed.Unary | typed.Guard)
        if not arithmetic or not isinstance(part.type, IntType | BoolType):
            return part
        operands = [getattr(part, name) for name in ("left", "right", "operand") if hasattr(part, name)]
        if not all(isinstance(one, typed.Constant) for one in operands):
            return part
        try:
            value = evaluator.value(part, {})
        except GameError:
            return part
        assert isinstance(value, int)
        return typed.Constant(value, BOOL, part.span) if part.type == BOOL else number(value, part.span)

    result: typed.Expression = rebuilt(node, change)
    return result
