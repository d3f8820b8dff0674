"""Expressions taken apart: what a call's definition says of its arguments, and distances from a symbol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ggp.language import typed
from ggp.language.typed.types import IntType
from ggp.language.typed.walk import rebuilt
from ggp.rules_compiler.size import can_fail, node_count

PLACES = (typed.Local, typed.CellCoordinate)
OPENED_NODES, ARGUMENT_NODES = 80, 15
"""Largest definition that is looked into, and largest argument that is written wherever the definition reads it."""


def substituted(node: Any, values: Mapping[typed.Symbol, typed.Expression]) -> Any:
    """Return an expression in which symbols are replaced by expressions that read no symbol bound in it."""
    return rebuilt(node, lambda part: values.get(part.symbol, part) if isinstance(part, typed.Local) else part)


def opened(call: typed.Call, most: int = OPENED_NODES) -> typed.Expression | None:
    """Return what a call's definition says of its arguments; None if that is too long, or an argument has a check."""
    function = call.function
    fits = all(
        (argument.type == symbol.type or (isinstance(argument.type, IntType) and isinstance(symbol.type, IntType)))
        and not can_fail(argument) and node_count(argument) <= ARGUMENT_NODES
        for argument, symbol in zip(call.arguments, function.arguments, strict=True)
    )  # fmt: skip
    if not fits or node_count(function.body) > most or call.type != function.body.type:
        return None
    values = dict(zip(function.arguments, call.arguments, strict=True))
    body: typed.Expression = substituted(function.body, values)
    return body


def taken_apart(index: typed.Expression) -> tuple[typed.Expression, int]:
    """Return an index as a symbol or a coordinate and a distance from it; others with distance 0."""
    match index:
        case typed.Binary("add", left, typed.Constant(value=int() as distance)) if isinstance(left, PLACES):
            return left, distance
        case typed.Binary("add", typed.Constant(value=int() as distance), right) if isinstance(right, PLACES):
            return right, distance
        case typed.Binary("subtract", left, typed.Constant(value=int() as distance)) if isinstance(left, PLACES):
            return left, -distance
    return index, 0
