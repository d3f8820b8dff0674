"""The built-in functions of one real number: what they give, within which bounds, and how they are explained.

One row here, and one of the same name in `ggp.codegen.llvm.operators`, is all that a function of this kind
needs: checker, evaluation before play, reference interpreter, generated Python and editors read this table.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

RealFunctionName: TypeAlias = Literal["tanh", "sqrt", "exp", "log"]

_LARGEST_EXPONENT = math.log(sys.float_info.max)


class RealFunction(Struct, frozen=True):
    """A function of one real number; it is total.

    Attributes:
        value: its value.
        bounds: the lowest and highest value between two numbers; the third argument says that these are integers and
            so are all numbers between them.
        explanation: for hover and completion.
    """

    value: Callable[[float], float]
    bounds: Callable[[float, float, bool], tuple[float, float]]
    explanation: str


def _exp(value: float) -> float:
    return math.exp(value) if value <= _LARGEST_EXPONENT else math.inf


def _sqrt(value: float) -> float:
    return math.sqrt(value) if value > 0 else 0.0


def _log(value: float) -> float:
    return math.log(value) if value > 0 else 0.0


def _rising(function: Callable[[float], float]) -> Callable[[float, float, bool], tuple[float, float]]:
    """Return the bounds of a function that never falls."""
    return lambda low, high, _whole: (function(low), function(high))


def _log_bounds(low: float, high: float, whole: bool) -> tuple[float, float]:
    """Return the bounds of the logarithm, which counts as 0 for what is not positive."""
    logs = [math.log(end) if 0 < end < math.inf else end for end in (low, high) if end > 0]
    if low > 0:
        return min(logs), max(logs)
    return (min([*logs, 0.0]) if whole else -math.inf), max([*logs, 0.0])


REAL_FUNCTIONS: Mapping[RealFunctionName, RealFunction] = {
    "tanh": RealFunction(math.tanh, _rising(math.tanh), "`tanh(x)`: bends any number into -1 to 1; for estimates."),
    "sqrt": RealFunction(_sqrt, _rising(_sqrt), "`sqrt(x)`: the square root; 0 where x is not positive."),
    "exp": RealFunction(_exp, _rising(_exp), "`exp(x)`: e to the power x."),
    "log": RealFunction(_log, _log_bounds, "`log(x)`: the natural logarithm; 0 where x is not positive."),
}
