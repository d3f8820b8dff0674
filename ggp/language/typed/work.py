"""How laborious expressions are, and which functions the generated code computes once a state.

The checker's limits count what is computed once as once, so both read it here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from math import prod
from typing import Any, TypeVar

from ggp.language import typed
from ggp.language.typed.types import ArrayType, RealType, ScalarType, SetType, size
from ggp.language.typed.walk import parts

REACH_WORK = 100
"""Assumed cost of a breadth-first search, in operations;"""
LINE_WORK = 15
"""and one along a line."""
SCALE = 1_000_000
"""Sizes are cut off here: a chain of definitions can be of exponential size."""

KEPT_WORK = 80
"""Functions of the state alone with so much work for each argument are computed once a state for each combination of
arguments."""
MAX_KEPT_WORDS = 600
"""As far as their results take no more words,"""
MAX_SHARED_WORDS = 4096
"""or than this, of several arguments in three places or more: in two, backgammon plays slower with so much kept."""


class Held:
    """Keeps a node alive while something of it is remembered; equal to another that holds the same node."""

    def __init__(self, node: Any) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and other.node is self.node

    def __hash__(self) -> int:
        return id(self.node)


Node = TypeVar("Node")
Result = TypeVar("Result")


def remembered(function: Callable[[Node], Result]) -> Callable[[Node], Result]:
    """Return a function of a node that remembers its results for the nodes themselves, not for equal ones."""
    of_held = lru_cache(maxsize=65536)(lambda held: function(held.node))
    return wraps(function)(lambda node: of_held(Held(node)))


@remembered
def work(node: typed.Expression) -> int:
    """Return roughly how many operations one evaluation of an expression can take."""
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


def kept_values(function: typed.Function, calls: int = 1) -> int | None:
    """Return for how many values of its arguments a function is computed once a state and kept; None: it is not.

    It is if it is laborious, of the state alone, and of few small values besides. With several arguments it is seldom
    called twice with the same ones unless it is called in several places: `calls` is in how many, if that is known.
    """
    arguments = len(function.arguments)
    if (function.phase is not None and calls < 2) or work(function.body) < KEPT_WORK * max(1, arguments):
        return None
    if arguments > 1 and calls < 2:
        return None
    if isinstance(function.type, (ArrayType, RealType)):
        return None
    values = 1
    for symbol in function.arguments:
        if not isinstance(symbol.type, ScalarType):
            return None
        values *= size(symbol.type)
    result = (size(function.type.element) + 63) // 64 if isinstance(function.type, SetType) else 1
    most = MAX_SHARED_WORDS if arguments > 1 and calls > 2 else MAX_KEPT_WORDS
    return values if kept_flags(values) + values * result <= most else None


def kept_flags(values: int) -> int:
    """Return how many words say which of so many values are known."""
    return (values + 63) // 64
