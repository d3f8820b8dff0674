"""Walks through typed expressions: their parts, and what they read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import typed
from ggp.language.typed import Binder, Expression, Function, Symbol, Table
from ggp.language.typed.types import RealType

EXPRESSIONS: tuple[type, ...] = get_args(typed.Expression)
_EXPRESSIONS = frozenset(EXPRESSIONS)
STATEMENTS = frozenset([
    typed.ActionKind, typed.Binder, typed.Chance, typed.Chooser, typed.Component, typed.Display, typed.DisplayBoard,
    typed.DisplayLine, typed.DisplayRule, typed.Function, typed.Kept, typed.Look, typed.Phase, typed.Sees,
    typed.Transfer, typed.Update,
])  # fmt: skip
_NO_PARTS = frozenset(
    ["type", "span", "symbol", "variable", "table", "function", "operator", "kind", "value", "binder", "most"]
)


@cache
def _part_names(node_type: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in node_type.__struct_fields__ if name not in _NO_PARTS)


def parts(expression: Expression | Binder) -> Iterator[Expression]:
    """Yield the expressions directly inside an expression or a binder, those in domains included."""
    node_type: type = type(expression)
    for name in _part_names(node_type):
        yield from _expressions_in(getattr(expression, name))


def _expressions_in(part: object) -> Iterator[Expression]:
    if type(part) in _EXPRESSIONS:
        yield cast("Expression", part)
    elif isinstance(part, Binder):
        yield from _expressions_in(part.domain)
    elif isinstance(part, tuple):
        for element in part:
            yield from _expressions_in(element)


def unguarded(expression: Expression) -> Expression:
    """Return an expression without the tests of its value: where one fails, the game is over."""
    while isinstance(expression, typed.Guard | typed.Unwrap | typed.Wrap | typed.AtMost):
        expression = expression.operand
    return expression


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all expressions in it; not the bodies of the functions it calls."""
    waiting = [expression]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += parts(current)


def nodes_of(*roots: object) -> Iterator[Expression]:
    """Yield every expression in statements and expressions, and once each in the body of each function called there."""
    seen: set[Function] = set()
    waiting = [*roots]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif type(part) in _EXPRESSIONS:
            yield cast("Expression", part)
            waiting += parts(cast("Expression", part))
            if isinstance(part, typed.Call):
                waiting.append(part.function)
        elif isinstance(part, Function):
            if part not in seen:
                seen.add(part)
                waiting.append(part.body)
        elif type(part) in STATEMENTS:
            waiting += [getattr(part, name) for name in cast("Any", part).__struct_fields__]


def calls(game: typed.Game) -> Counter[Function]:
    """Count in how many places each definition is called in play, which does not evaluate the estimate."""
    return Counter(node.function for node in nodes_of(game.phases, game.payoff) if isinstance(node, typed.Call))


def rebuilt(node: Any, change: Callable[[Expression], Expression]) -> Any:
    """Return an expression, a statement or a tuple of them, changed from the innermost expressions outwards.

    What does not change stays the same object. Functions that are called stay as they are.
    """
    if isinstance(node, tuple):
        new = tuple(rebuilt(part, change) for part in node)
        return node if all(a is b for a, b in zip(node, new, strict=True)) else new
    is_expression = type(node) in _EXPRESSIONS
    if not is_expression and (type(node) not in STATEMENTS or isinstance(node, Function)):
        return node
    old = {name: getattr(node, name) for name in node.__struct_fields__ if name not in ("type", "span")}
    values = {name: rebuilt(part, change) for name, part in old.items()}
    if any(values[name] is not part for name, part in old.items()):
        node = replace(node, **values)
    return change(node) if is_expression else node


def walk_through(expression: Expression) -> Iterator[Expression]:
    """Yield an expression, all expressions in it, and once those in the body of each function it calls."""
    seen: set[Function] = set()
    waiting = [expression]
    while waiting:
        for part in walk(waiting.pop()):
            yield part
            if isinstance(part, typed.Call) and part.function not in seen:
                seen.add(part.function)
                waiting.append(part.function.body)


def symbols_read(expression: Expression) -> set[Symbol]:
    """Return the choices and draws an expression reads, through the functions it calls."""
    read = (part.symbol for part in walk_through(expression) if isinstance(part, typed.Local))
    return {symbol for symbol in read if symbol.kind != "bound"}


def same(first: object, second: object) -> bool:
    """Return whether two expressions are written alike, wherever they stand."""
    if isinstance(first, tuple) and isinstance(second, tuple):
        return len(first) == len(second) and all(same(a, b) for a, b in zip(first, second, strict=True))
    if type(first) in _EXPRESSIONS and type(first) is type(second):
        names = [name for name in cast("Any", first).__struct_fields__ if name not in ("span", "type")]
        return all(same(getattr(first, name), getattr(second, name)) for name in names)
    return first == second


def form(node: object, met: dict[object, int]) -> object:
    """Return a key that expressions share which are written alike and read equal tables, in this or in another file.

    Args:
        node: an expression, a symbol, or a tuple of them.
        met: the symbols, functions and tables met so far: each is described once, and has its number from then on.
    """
    if isinstance(node, tuple):
        return tuple(form(part, met) for part in node)
    if isinstance(node, Symbol | Function | Table):
        if node in met:
            return met[node]
        met[node] = len(met)
        match node:
            case Symbol(type=type_):
                return type_
            case Function(arguments=arguments, body=body):
                return form((arguments, body), met)
            case Table(type=type_, values=values):
                return type_, repr(values) if isinstance(type_.element, RealType) else values
    node_type: type = type(node)
    if node_type in _EXPRESSIONS or node_type is Binder:
        names = _field_names(node_type)
        return node_type, tuple(form(getattr(node, name), met) for name in names)
    return repr(node) if isinstance(node, float) else node  # 0.0 equals -0.0


@cache
def _field_names(node_type: type[Struct]) -> tuple[str, ...]:
    return tuple(name for name in node_type.__struct_fields__ if name != "span")
