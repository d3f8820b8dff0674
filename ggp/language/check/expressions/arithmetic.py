"""Checks of arithmetic: the ranges of its results, and powers of integers, which are products or tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce, described, number_hint, plain
from ggp.language.limits import MAX_INTEGER
from ggp.language.text.source import Span
from ggp.language.typed import BinaryOperator, Expression, ranges
from ggp.language.typed.types import DIRECTION, ArrayType, IntType, RealType, codes, size

_ARITHMETIC: dict[str, BinaryOperator] = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "div": "div", "mod": "mod", "^": "power",
}  # fmt: skip
_OF_INTEGERS: dict[str, Callable[[tuple[int, int], tuple[int, int]], tuple[int, int]]] = {
    "+": ranges.add, "-": ranges.subtract, "*": ranges.multiply, "div": ranges.floor_divide, "mod": ranges.modulo,
}  # fmt: skip
_OF_REALS: dict[str, Callable[[tuple[float, float], tuple[float, float]], tuple[float, float]]] = {
    "+": ranges.add, "-": ranges.subtract, "*": ranges.multiply, "^": ranges.power,
}  # fmt: skip
"""The ranges of results."""
MAX_POWERS = 4_096
"""Powers of integers that a table may hold."""


def arithmetic(checking: Checking, node: syntax.Binary, left: Expression, right: Expression) -> Expression:
    """Return arithmetic on two operands that were checked, with the range of its result."""
    left, right = (plain(checking, part, f"`{node.operator}` needs a number") for part in (left, right))
    for part in (left, right):
        if not isinstance(part.type, IntType | RealType):
            hint = number_hint(part)
            hint = "a direction is added to a cell or a set of cells" if part.type == DIRECTION else hint
            checking.fail(part.span, f"`{node.operator}` needs numbers, found {described(part.type)}", hint)
    a, b = cast("IntType | RealType", left.type), cast("IntType | RealType", right.type)
    operator = _ARITHMETIC[node.operator]
    if isinstance(a, IntType) and isinstance(b, IntType) and node.operator not in ("/", "^"):
        return _on_integers(checking, node, operator, left, right)
    if node.operator == "^" and isinstance(a, IntType) and isinstance(b, IntType):
        whole = _whole_power(checking, node, left, right)
        if whole is not None:
            return whole
    if node.operator in ("div", "mod"):
        part = left if isinstance(a, RealType) else right
        checking.fail(part.span, f"`{node.operator}` needs integers, found a real number")
    first, second = (float(a.low), float(a.high)), (float(b.low), float(b.high))
    if node.operator == "/":
        bounds = ranges.divide(first, second, whole=isinstance(b, IntType))
    else:
        bounds = _OF_REALS[node.operator](first, second)
    reals = [
        coerce(checking, part, RealType(*ends), "a real number") for part, ends in ((left, first), (right, second))
    ]
    return checking.make(typed.Binary(operator, reals[0], reals[1], RealType(*bounds), node.span))


def _whole_power(checking: Checking, node: syntax.Binary, left: Expression, right: Expression) -> Expression | None:
    """Return a power of integers as an integer; None where it may be none, or too large for one.

    A known exponent becomes a product, anything else a look into a table of all powers.
    """
    base, exponent = cast("IntType", left.type), cast("IntType", right.type)
    largest = max(abs(base.low), abs(base.high))
    if exponent.low < 0 or exponent.high > 64 or largest**exponent.high > MAX_INTEGER:
        return None
    if exponent.low == exponent.high:
        if exponent.high == 0:
            return checking.constant(1, IntType(1, 1), node.span)
        product = left
        for count in range(2, exponent.high + 1):
            product = _power_step(checking, product, left, count, node.span)
        return product
    if size(base) * size(exponent) > MAX_POWERS:
        return None
    powers = tuple(x**y for x in codes(base) for y in codes(exponent))
    name = f"power of {base.low}..{base.high} to {exponent.low}..{exponent.high}"
    type_ = ArrayType((base, exponent), IntType(min(powers), max(powers)))
    return checking.looked_up(name, type_, powers, (left, right), node.span)


def _power_step(checking: Checking, product: Expression, base_: Expression, exponent: int, span: Span) -> Expression:
    """Return a product times its base once more, which makes it a power of `exponent`."""
    base = cast("IntType", base_.type)
    ends = [end**exponent for end in (base.low, base.high)]
    low = 0 if exponent % 2 == 0 and base.low <= 0 <= base.high else min(ends)
    return checking.make(typed.Binary("multiply", product, base_, IntType(low, max(ends)), span))


def _on_integers(
    checking: Checking, node: syntax.Binary, operator: BinaryOperator, left: Expression, right: Expression
) -> Expression:
    a, b = cast("IntType", left.type), cast("IntType", right.type)
    first, second = (a.low, a.high), (b.low, b.high)
    if node.operator in ("div", "mod") and second == (0, 0) and not checking.unreachable:
        checking.fail(right.span, "division by zero")
    low, high = _OF_INTEGERS[node.operator](first, second)
    if max(-low, high) > MAX_INTEGER:
        checking.fail(node.span, "this number may grow too large", f"integers go up to {MAX_INTEGER}")
    return checking.make(typed.Binary(operator, left, right, IntType(low, high), node.span))
