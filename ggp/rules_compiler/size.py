"""Properties of expressions: size, cost, whether they can fail, what they read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import TypeAlias

from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.evaluation.constants import Evaluator
from ggp.language.evaluation.faults import GameError
from ggp.language.typed.types import ScalarType, SetType, codes
from ggp.language.typed.walk import parts
from ggp.language.typed.work import SCALE, remembered, work

Domain: TypeAlias = "ScalarType | typed.Expression | tuple[typed.Expression, typed.Expression]"
"""What a binder or a component runs over."""
Scalar: TypeAlias = "typed.Symbol | typed.Variable"
"""What may have one number: a symbol, or a variable of the state."""

MAX_EVALUATION = 40_000
"""Operations for one table: some hundredths of a second, and far from the limit of the evaluator."""
NARROW_WORDS = 4
"""Sets of up to this many words are always handled word by word."""


@remembered
def node_count(node: typed.Expression) -> int:
    """Return the number of nodes of an expression, counting a call as one."""
    total = 1 + sum(node_count(child) for child in parts(node))
    if isinstance(node, (typed.Quantifier, typed.Aggregate, typed.Comprehension)):
        total += 4 * len(node.binders)
    return min(total, SCALE)


def needs_direction(symbol: typed.Symbol, node: typed.Expression) -> bool:
    """Return whether a direction or distance in which sets are moved or searched depends on a symbol."""
    if isinstance(node, typed.SetStep) and (mentions(symbol, node.direction) or mentions(symbol, node.times)):
        return True
    if isinstance(node, typed.CellStep) and mentions(symbol, node.direction):
        return True
    if isinstance(node, typed.Reach) and isinstance(node.steps.type, SetType) and mentions(symbol, node.steps):
        return True
    if isinstance(node, typed.Call) and any(mentions(symbol, argument) for argument in node.arguments):
        for parameter, argument in zip(node.function.arguments, node.arguments, strict=True):
            if mentions(symbol, argument) and _argument_needs_direction(parameter, node.function):
                return True
    return any(needs_direction(symbol, child) for child in parts(node))


@lru_cache(maxsize=65536)
def _argument_needs_direction(parameter: typed.Symbol, function: typed.Function) -> bool:
    return needs_direction(parameter, function.body)


@remembered
def can_fail(node: typed.Expression) -> bool:
    """Return whether evaluating an expression can be a fault."""
    match node:
        case typed.Guard(reason=reason) | typed.Unwrap(reason=reason) if reason:
            return True
        case typed.AtMost():
            return True
        case typed.Binary(operator="div" | "mod", right=divisor) if not isinstance(divisor, typed.Constant):
            return True
        case typed.SetFold(kind="minimum" | "maximum") | typed.Aggregate(kind="minimum" | "maximum"):
            return True
        case typed.Call(function=function) if can_fail(function.body):
            return not _never_fails(node)
    return any(can_fail(child) for child in parts(node))


def _never_fails(node: typed.Expression) -> bool:
    """Return whether an expression that depends on few small values alone is a fault for none of them."""
    free = free_scalars(node)
    domains = [codes(scalar.type) for scalar in free or () if isinstance(scalar.type, ScalarType)]
    if free is None or prod(map(len, domains)) * work(node) > MAX_EVALUATION:
        return False
    evaluator = Evaluator()
    try:
        for values in product(*domains):
            evaluator.value(node, dict(zip(free, values, strict=True)))
    except GameError:
        return False
    return True


@remembered
def free_scalars(node: typed.Expression) -> tuple[Scalar, ...] | None:
    """Return the symbols and variables that an expression depends on; None if it reads arrays or sets, or searches."""
    found: dict[Scalar, None] = {}
    own = {binder.symbol for binder in getattr(node, "binders", ())}
    match node:
        case typed.MoveRead() | typed.Reach():
            return None
        case typed.StateRead(variable=variable):
            return (variable,) if isinstance(variable.type, ScalarType) else None
        case typed.Local(symbol=symbol):
            return (symbol,) if isinstance(symbol.type, ScalarType) else None
        case typed.Call(function=function):
            if (inside := free_scalars(function.body)) is None:
                return None
            found.update(dict.fromkeys(scalar for scalar in inside if scalar not in function.arguments))
    for part in parts(node):
        if (inside := free_scalars(part)) is None:
            return None
        found.update(dict.fromkeys(scalar for scalar in inside if scalar not in own))
    return tuple(found)


def known_codes(domain: Domain) -> Sequence[int] | None:
    """Return the codes of a domain that is known before play, in order; None for others."""
    if isinstance(domain, ScalarType):
        return codes(domain)
    match domain:
        case typed.Constant(value=frozenset() as members):
            return sorted(members)
        case (typed.Constant(value=int() as first), typed.Constant(value=int() as last)):
            return range(first, last + 1)
    return None


def conjuncts(node: typed.Expression | None) -> Iterator[typed.Expression]:
    """Yield the operands of a conjunction, nested ones too."""
    if isinstance(node, typed.Binary) and node.operator == "and":
        yield from conjuncts(node.left)
        yield from conjuncts(node.right)
    elif node is not None:
        yield node


@remembered
def symbols_in(node: typed.Expression) -> frozenset[typed.Symbol]:
    """Return the symbols read in an expression, including those that it binds."""
    own = frozenset({node.symbol}) if isinstance(node, typed.Local) else frozenset()
    return own.union(*map(symbols_in, parts(node)))


def mentions(symbol: typed.Symbol, node: typed.Expression) -> bool:
    """Return whether a symbol is read inside an expression."""
    return symbol in symbols_in(node)


def searches_widely(node: typed.Expression) -> bool:
    """Return whether an expression contains a breadth-first search over sets of many words, which is much code."""
    if isinstance(node, typed.Reach) and isinstance(node.sources.type, SetType):
        return set_words(node.sources.type.element) > NARROW_WORDS
    return any(searches_widely(child) for child in parts(node))
