"""Walks through typed expressions: their parts, and what they read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any, cast, get_args

from ggp.language import typed
from ggp.language.typed import Binder, Expression, Function, Symbol

_EXPRESSIONS: tuple[type, ...] = get_args(typed.Expression)
_STATEMENTS = frozenset([
    typed.ActionKind, typed.Binder, typed.Chance, typed.Chooser, typed.Component, typed.Function, typed.Phase,
    typed.Sees, typed.Transfer, typed.Update,
])  # fmt: skip
_NO_PARTS = frozenset(
    ["type", "span", "symbol", "variable", "table", "function", "operator", "kind", "value", "binder", "most"]
)


@cache
def _part_names(node_type: type) -> tuple[str, ...]:
    return tuple(part.name for part in fields(node_type) if part.name not in _NO_PARTS)


def parts(expression: Expression | Binder) -> Iterator[Expression]:
    """Yield the expressions directly inside an expression or a binder, those in domains included."""
    node_type: type = type(expression)
    for name in _part_names(node_type):
        yield from _expressions_in(getattr(expression, name))


def _expressions_in(part: object) -> Iterator[Expression]:
    if isinstance(part, _EXPRESSIONS):
        yield cast("Expression", part)
    elif isinstance(part, Binder):
        yield from _expressions_in(part.domain)
    elif isinstance(part, tuple):
        for element in part:
            yield from _expressions_in(element)


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all expressions in it; not the bodies of the functions it calls."""
    waiting = [expression]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += parts(current)


def calls(game: typed.Game) -> Counter[Function]:
    """Count in how many places each definition is called in play, which does not evaluate the estimate."""
    found: Counter[Function] = Counter()
    waiting: list[object] = [game.phases, game.payoff]
    while waiting:
        part = waiting.pop()
        if isinstance(part, typed.Call):
            if part.function not in found and part.function in game.functions:
                waiting.append(part.function.body)
            found[part.function] += 1
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, _EXPRESSIONS):
            waiting += parts(cast("Expression", part))
        elif type(part) in _STATEMENTS:
            waiting += [getattr(part, field.name) for field in fields(cast("Any", part))]
    return found


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
    if isinstance(first, _EXPRESSIONS) and type(first) is type(second):
        names = [part.name for part in fields(cast("typed.Constant", first)) if part.name not in ("span", "type")]
        return all(same(getattr(first, name), getattr(second, name)) for name in names)
    return first == second
