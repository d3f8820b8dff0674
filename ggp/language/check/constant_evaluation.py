"""Evaluation before play of expressions that depend on parameters alone. `typed` defines what each node means."""

from __future__ import annotations

import math
import operator
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any, cast

from ggp.arithmetic.real_functions import REAL_FUNCTIONS
from ggp.language import typed
from ggp.language.limits import MAX_EVALUATION
from ggp.language.text.source import Span
from ggp.language.typed import Expression, Symbol, Value
from ggp.language.typed.hashing import hash_values
from ggp.language.typed.types import (
    DIRECTIONS,
    ArrayType,
    CellType,
    OptionType,
    RealType,
    ScalarType,
    SetType,
    codes,
    lowest,
    size,
)

Environment = Mapping[Symbol, Value]


class Fault(Exception):
    """A constant expression that has no value."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class TooLong(Exception):
    """Evaluation took more steps than allowed."""


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": lambda a, b: a / b if b else 0.0,
    "minimum": min,
    "maximum": max,
    "equal": operator.eq,
    "unequal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
_UNARY: dict[str, Callable[[Any], Any]] = {
    "not": lambda a: int(not a),
    "negate": operator.neg,
    "absolute": abs,
    "sign": lambda a: (a > 0) - (a < 0),
    **{name: function.value for name, function in REAL_FUNCTIONS.items()},
    "real": float,
    "is_none": lambda a: int(a is None),
}
_READS = (typed.Constant, typed.Local, typed.TableRead, typed.Index)
_SETS: dict[str, Callable[[frozenset[int], frozenset[int]], frozenset[int]]] = {
    "union": operator.or_,
    "difference": operator.sub,
    "intersection": operator.and_,
}


class Evaluator:
    """Evaluates expressions that read no state; the steps of all evaluations of one game are counted together."""

    def __init__(self) -> None:
        self._steps = 0

    def value(self, expression: Expression, environment: Environment) -> Value:
        """Return an expression's value.

        Raises:
            Fault: it has none, such as a division by zero.
            TooLong: the steps allowed for one game are used up.
        """
        self.count_steps(1)
        value = cast("Value", _RULES[type(expression)](self, expression, environment))
        if isinstance(value, frozenset | tuple):
            # Reading it is free, but what is done with it is not.
            self.count_steps(len(value) >> 4 if isinstance(expression, _READS) else len(value))
        return value

    def count_steps(self, steps: int) -> None:
        """Count work that was done or will be.

        Raises:
            TooLong: the steps allowed for one game are used up.
        """
        self._steps += steps
        if self._steps > MAX_EVALUATION:
            raise TooLong

    def bindings(
        self, binders: tuple[typed.Binder, ...], condition: Expression | None, environment: Environment
    ) -> Iterator[Environment]:
        """Yield the environments in which the condition holds, in order."""
        if not binders:
            if condition is None or self.value(condition, environment):
                yield environment
            return
        first, *rest = binders
        for code in self._domain(first.domain, environment):
            self.count_steps(1)
            yield from self.bindings(tuple(rest), condition, {**environment, first.symbol: code})

    def _domain(
        self, domain: ScalarType | Expression | tuple[Expression, Expression], environment: Environment
    ) -> list[int] | range:
        if isinstance(domain, tuple):
            low, high = (cast("int", self.value(end, environment)) for end in domain)
            return range(low, high + 1)
        if type(domain) in _RULES:
            return sorted(cast("frozenset[int]", self.value(cast("Expression", domain), environment)))
        return codes(cast("ScalarType", domain))


def _binary(ev: Evaluator, e: typed.Binary, env: Environment) -> Value:
    if e.operator in ("and", "or"):
        left = ev.value(e.left, env)
        if bool(left) == (e.operator == "or"):
            return left
        return ev.value(e.right, env)
    left, right = cast("Any", ev.value(e.left, env)), cast("Any", ev.value(e.right, env))
    if e.operator in ("div", "mod"):
        if right == 0:
            raise Fault("division by zero", e.span)
        return cast("int", left // right if e.operator == "div" else left % right)
    if e.operator == "power":
        try:
            return math.pow(left, right)
        except (OverflowError, ValueError, ZeroDivisionError):
            raise Fault("this power has no value", e.span) from None
    result = _BINARY[e.operator](left, right)
    if isinstance(result, float):
        return _defined(result)
    return int(result) if isinstance(result, bool) else cast("Value", result)


def _defined(value: float) -> float:
    """Return a real, with 0 in place of NaN, such as a difference of infinities."""
    return 0.0 if math.isnan(value) else value


def _guard(ev: Evaluator, e: typed.Guard, env: Environment) -> Value:
    code = cast("int", ev.value(e.operand, env))
    if not e.type.low <= code <= e.type.high:
        raise Fault(f"{e.reason}, and this is {code}", e.span)
    return code


def _at_most(ev: Evaluator, e: typed.AtMost, env: Environment) -> Value:
    members = cast("frozenset[int]", ev.value(e.operand, env))
    if len(members) > e.most:
        raise Fault(f"{e.reason}, and this has {len(members)}", e.span)
    return members


def _unwrap(ev: Evaluator, e: typed.Unwrap, env: Environment) -> Value:
    value = ev.value(e.operand, env)
    if value is None:
        raise Fault(f"this is none: {e.reason}", e.span)
    return value


def _fold(kind: str, values: list[Any], span: Span) -> Value:
    if kind == "count":
        return sum(map(bool, values))
    if kind == "sum":
        return cast("Value", sum(values))
    if not values:
        raise Fault(f"the {kind} of nothing", span)
    return cast("Value", min(values) if kind == "minimum" else max(values))


def _aggregate(ev: Evaluator, e: typed.Aggregate, env: Environment) -> Value:
    values = [ev.value(e.body, inner) for inner in ev.bindings(e.binders, e.condition, env)]
    if e.kind == "sum" and isinstance(e.type, RealType):
        # one by one: what `sum` does with reals depends on the version of Python
        return reduce(lambda total, value: _defined(total + value), cast("list[float]", values), 0.0)
    return _fold(e.kind, values, e.span)


def _set_fold(ev: Evaluator, e: typed.SetFold, env: Environment) -> Value:
    members = sorted(cast("frozenset[int]", ev.value(e.set, env)))
    return len(members) if e.kind == "count" else _fold(e.kind, members, e.span)


def _quantifier(ev: Evaluator, e: typed.Quantifier, env: Environment) -> Value:
    found = any(bool(ev.value(e.body, inner)) != (e.kind == "all") for inner in ev.bindings(e.binders, None, env))
    return int(found == (e.kind == "any"))


def _row_major(indices: list[int], type_: ArrayType) -> int:
    position = 0
    for code, index in zip(indices, type_.indices, strict=True):
        position = position * size(index) + code - lowest(index)
    return position


def _element(
    values: Value, type_: ArrayType, indices: tuple[Expression, ...], ev: Evaluator, env: Environment
) -> Value:
    position = _row_major([cast("int", ev.value(index, env)) for index in indices], type_)
    return cast("tuple[Value, ...]", values)[position]


def _table_read(ev: Evaluator, e: typed.TableRead, env: Environment) -> Value:
    return _element(e.table.values, e.table.type, e.indices, ev, env) if e.indices else e.table.values


def _index(ev: Evaluator, e: typed.Index, env: Environment) -> Value:
    return _element(ev.value(e.array, env), cast("ArrayType", e.array.type), e.indices, ev, env)


def _call(ev: Evaluator, e: typed.Call, env: Environment) -> Value:
    arguments = [ev.value(argument, env) for argument in e.arguments]
    return ev.value(e.function.body, dict(zip(e.function.arguments, arguments, strict=True)))


def _moved(board: CellType, code: int, direction: int, times: int) -> int | None:
    _, dx, dy = DIRECTIONS[direction]
    x, y = code % board.width + times * dx, code // board.width + times * dy
    return y * board.width + x if 0 <= x < board.width and 0 <= y < board.height else None


def _cell_step(ev: Evaluator, e: typed.CellStep, env: Environment) -> Value:
    cell, direction, times = (cast("Any", ev.value(part, env)) for part in (e.cell, e.direction, e.times))
    board = cast("CellType", cast("OptionType", e.type).inner)
    return None if cell is None else _moved(board, cell, direction, times)


def _set_step(ev: Evaluator, e: typed.SetStep, env: Environment) -> Value:
    cells, direction, times = (cast("Any", ev.value(part, env)) for part in (e.set, e.direction, e.times))
    board = cast("CellType", cast("SetType", e.type).element)
    moved = (_moved(board, cell, direction, times) for cell in cells)
    return frozenset(cell for cell in moved if cell is not None)


def _coordinate(ev: Evaluator, e: typed.CellCoordinate, env: Environment) -> Value:
    code, width = cast("int", ev.value(e.cell, env)), cast("CellType", e.cell.type).width
    return (code % width if e.axis == "x" else code // width) + 1


def _cell_at(ev: Evaluator, e: typed.CellAt, env: Environment) -> Value:
    x, y = cast("int", ev.value(e.x, env)), cast("int", ev.value(e.y, env))
    return (y - 1) * cast("CellType", e.type).width + x - 1


def _array_of(ev: Evaluator, e: typed.ArrayOf, env: Environment) -> Value:
    (index,) = cast("ArrayType", e.type).indices
    ev.count_steps(size(index))
    return tuple(ev.value(e.body, {**env, e.binder: code}) for code in codes(index))


def _reach(ev: Evaluator, e: typed.Reach, env: Environment) -> Value:
    sources, through = (cast("frozenset[int]", ev.value(part, env)) for part in (e.sources, e.through))
    element = cast("SetType", e.sources.type).element
    computed = e.steps if isinstance(e.steps, typed.ArrayOf) else None
    steps = None if computed is not None else ev.value(e.steps, env)
    distance = dict.fromkeys(sources, 0)
    waiting = deque(sorted(sources))
    while waiting:
        code = waiting.popleft()
        ev.count_steps(1)
        near: set[int | None]
        if computed is not None:
            near = set(cast("frozenset[int]", ev.value(computed.body, {**env, computed.binder: code})))
        elif isinstance(steps, frozenset):
            near = {_moved(cast("CellType", element), code, direction, 1) for direction in steps}
        else:
            near = set(cast("frozenset[int]", cast("tuple[Value, ...]", steps)[code - lowest(element)]))
        for other in near:
            if other is not None and other in through and other not in distance:
                distance[other] = distance[code] + 1
                waiting.append(other)
    if e.kind == "reach":
        return frozenset(distance)
    return tuple(distance.get(code, size(element)) for code in codes(element))


def _hash(ev: Evaluator, e: typed.Hash, env: Environment) -> Value:
    values = [(ev.value(operand, env), operand.type) for operand in e.operands]
    return hash_values(values, e.modulus)


_RULES: dict[type, Callable[[Evaluator, Any, Environment], Any]] = {
    typed.Constant: lambda _ev, e, _env: e.value,
    typed.Local: lambda _ev, e, env: env[e.symbol],
    typed.TableRead: _table_read,
    typed.Index: _index,
    typed.Call: _call,
    typed.Guard: _guard,
    typed.Unwrap: _unwrap,
    typed.Wrap: lambda ev, e, env: ev.value(e.operand, env),
    typed.Unary: lambda ev, e, env: _UNARY[e.operator](ev.value(e.operand, env)),
    typed.Binary: _binary,
    typed.If: lambda ev, e, env: ev.value(e.then if ev.value(e.condition, env) else e.otherwise, env),
    typed.SetOperation: lambda ev, e, env: _SETS[e.operator](
        cast("frozenset[int]", ev.value(e.left, env)), cast("frozenset[int]", ev.value(e.right, env))
    ),
    typed.Member: lambda ev, e, env: int(ev.value(e.element, env) in cast("frozenset[int]", ev.value(e.set, env))),
    typed.Subset: lambda ev, e, env: int(
        cast("frozenset[int]", ev.value(e.left, env)) <= cast("frozenset[int]", ev.value(e.right, env))
    ),
    typed.SetLiteral: lambda ev, e, env: frozenset(
        value for value in (ev.value(element, env) for element in e.elements) if value is not None
    ),
    typed.Quantifier: _quantifier,
    typed.Aggregate: _aggregate,
    typed.Comprehension: lambda ev, e, env: frozenset(
        value
        for value in (ev.value(e.element, inner) for inner in ev.bindings(e.binders, e.condition, env))
        if value is not None
    ),
    typed.SetFold: _set_fold,
    typed.CellStep: _cell_step,
    typed.SetStep: _set_step,
    typed.CellCoordinate: _coordinate,
    typed.CellAt: _cell_at,
    typed.Reach: _reach,
    typed.ArrayOf: _array_of,
    typed.AtMost: _at_most,
    typed.Hash: _hash,
}
FOLDABLE = frozenset(_RULES)
"""The nodes that can be evaluated before play, if their parts can."""
