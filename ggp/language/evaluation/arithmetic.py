"""Operators and folds on plain values, total but for their faults."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ggp.arithmetic.real_functions import REAL_FUNCTIONS
from ggp.language.evaluation.faults import RulesFault
from ggp.language.text.source import Span
from ggp.language.typed.ranges import real_power


def defined(value: float) -> float:
    """Return a real, with 0 in place of NaN, such as a difference of infinities."""
    return 0.0 if math.isnan(value) else value


UNARY_OPERATIONS: dict[str, Callable[[Any], int | float]] = {
    "not": lambda value: 1 - value,
    "negate": lambda value: -value,
    "absolute": abs,
    "sign": lambda value: (value > 0) - (value < 0),
    **{name: function.value for name, function in REAL_FUNCTIONS.items()},
    "real": float,
    "is_none": lambda value: int(value is None),
}

BINARY_OPERATIONS: dict[str, Callable[[Any, Any], int | float]] = {
    "add": lambda left, right: left + right,
    "subtract": lambda left, right: left - right,
    "multiply": lambda left, right: left * right,
    "divide": lambda left, right: left / right if right else 0.0,
    "minimum": min,
    "maximum": max,
    "power": real_power,
    "equal": lambda left, right: int(left == right),
    "unequal": lambda left, right: int(left != right),
    "less": lambda left, right: int(left < right),
    "less_equal": lambda left, right: int(left <= right),
    "greater": lambda left, right: int(left > right),
    "greater_equal": lambda left, right: int(left >= right),
}


def fold(kind: str, values: Sequence[int | float], span: Span) -> int | float:
    """Return the count, sum, minimum or maximum of some values.

    Raises:
        RulesFault: `empty` where there is no smallest or largest, at `span`.
    """
    if kind == "count":
        return len(values)
    if kind == "sum":
        total: int | float = 0
        for value in values:
            # one by one: what `sum` does with reals depends on the version of Python
            total = total + value
            total = defined(total) if isinstance(total, float) else total
        return total
    if not values:
        raise RulesFault("empty", span, f"the {kind} of nothing")
    return min(values) if kind == "minimum" else max(values)
