"""What expressions are like: how large, how laborious, whether they can fail, what they read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import prod

from ggp.language import typed
from ggp.language.typed.types import ScalarType, SetType, size
from ggp.language.typed.walk import parts
from ggp.model.state_layout import set_words

NARROW_WORDS = 4
"""Sets of up to so many words are worked on word by word without a second thought."""
REACH_WORK = 100
"""Assumed cost of a breadth-first search, in operations;"""
LINE_WORK = 15
"""and one along a line."""
SCALE = 1_000_000
"""Sizes are cut off here: a chain of definitions can be of exponential size."""


@lru_cache(maxsize=65536)
def _cached_count(holder: _Holder) -> int:
    node = holder.node
    total = 1 + sum(node_count(child) for child in parts(node))
    if isinstance(node, (typed.Quantifier, typed.Aggregate, typed.Comprehension)):
        total += 4 * len(node.binders)
    return min(total, SCALE)


class _Holder:
    """Keeps a node alive as long as its size is remembered; equal to another if it holds the same node."""

    def __init__(self, node: typed.Expression) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Holder) and other.node is self.node

    def __hash__(self) -> int:
        return id(self.node)


def node_count(node: typed.Expression) -> int:
    """Return the number of nodes of an expression, a call counted as one."""
    return _cached_count(_Holder(node))


def work(node: typed.Expression) -> int:
    """Return a rough number of operations that evaluating an expression once can take."""
    return _cached_work(_Holder(node))


@lru_cache(maxsize=65536)
def _cached_work(holder: _Holder) -> int:
    node = holder.node
    total = 1 + sum(work(part) for part in parts(node))
    match node:
        case typed.Call(function=function):
            total += work(function.body)
        case typed.Reach(steps=steps):
            total += LINE_WORK if _is_one_direction(steps) else REACH_WORK
        case (
            typed.Quantifier(binders=binders) | typed.Aggregate(binders=binders) | typed.Comprehension(binders=binders)
        ):
            total *= prod(min(size(_binder_type(binder)), SCALE) for binder in binders)
    return min(total, SCALE)


def _is_one_direction(steps: typed.Expression) -> bool:
    """Return whether a search goes in one direction alone."""
    match steps:
        case typed.SetLiteral(elements=elements):
            return len(elements) == 1
        case typed.Constant(value=frozenset() as directions):
            return len(directions) == 1
    return False


def _binder_type(binder: typed.Binder) -> ScalarType:
    type_ = binder.symbol.type
    assert isinstance(type_, ScalarType)
    return type_


def needs_direction(symbol: typed.Symbol, node: typed.Expression) -> bool:
    """Return whether a symbol decides a direction or distance in which sets are moved or searched."""
    if isinstance(node, typed.SetStep) and (mentions(symbol, node.direction) or mentions(symbol, node.times)):
        return True
    if isinstance(node, typed.CellStep) and mentions(symbol, node.direction):
        return True
    if isinstance(node, typed.Reach) and mentions(symbol, node.steps):
        return True
    if isinstance(node, typed.Call) and any(mentions(symbol, argument) for argument in node.arguments):
        for parameter, argument in zip(node.function.arguments, node.arguments, strict=True):
            if mentions(symbol, argument) and _argument_needs_direction(parameter, node.function):
                return True
    return any(needs_direction(symbol, child) for child in parts(node))


@lru_cache(maxsize=65536)
def _argument_needs_direction(parameter: typed.Symbol, function: typed.Function) -> bool:
    return needs_direction(parameter, function.body)


def can_fail(node: typed.Expression) -> bool:
    """Return whether evaluating an expression can be a fault."""
    return _cached_can_fail(_Holder(node))


@lru_cache(maxsize=65536)
def _cached_can_fail(holder: _Holder) -> bool:
    match holder.node:
        case typed.Guard() | typed.Unwrap() | typed.AtMost():
            return True
        case typed.Binary(operator="div" | "mod", right=divisor) if not isinstance(divisor, typed.Constant):
            return True
        case typed.SetFold(kind="minimum" | "maximum") | typed.Aggregate(kind="minimum" | "maximum"):
            return True
        case typed.Call(function=function) if can_fail(function.body):
            return True
    return any(can_fail(child) for child in parts(holder.node))


def conjuncts(node: typed.Expression | None) -> Iterator[typed.Expression]:
    """Yield the conditions that must all hold for one to hold."""
    if isinstance(node, typed.Binary) and node.operator == "and":
        yield from conjuncts(node.left)
        yield from conjuncts(node.right)
    elif node is not None:
        yield node


def symbols_in(node: typed.Expression) -> frozenset[typed.Symbol]:
    """Return the symbols read in an expression, those that it binds itself among them."""
    return _cached_symbols(_Holder(node))


@lru_cache(maxsize=65536)
def _cached_symbols(holder: _Holder) -> frozenset[typed.Symbol]:
    own = frozenset({holder.node.symbol}) if isinstance(holder.node, typed.Local) else frozenset()
    return own.union(*(symbols_in(child) for child in parts(holder.node)))


def mentions(symbol: typed.Symbol, node: typed.Expression) -> bool:
    """Return whether a symbol is read inside an expression."""
    if isinstance(node, typed.Local):
        return node.symbol is symbol
    return any(mentions(symbol, child) for child in parts(node))


def searches_widely(node: typed.Expression) -> bool:
    """Return whether an expression has a breadth-first search over sets of many words in it: much code each time."""
    if isinstance(node, typed.Reach) and isinstance(node.sources.type, SetType):
        return set_words(node.sources.type.element) > NARROW_WORDS
    return any(searches_widely(child) for child in parts(node))
