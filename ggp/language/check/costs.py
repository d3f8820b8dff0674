"""How much work an evaluation may take, counted in combinations of values; how many values a domain has at most."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import cast

from msgspec import Struct

from ggp.language import typed
from ggp.language.typed import Constant, Expression, Function, Symbol
from ggp.language.typed.types import DIRECTIONS, CellType, IntType, ScalarType, SetType, size
from ggp.language.typed.walk import parts

MAX_KEPT = 64
"""Functions that a cost keeps apart, so that adding many costs stays quick."""
WORDS_A_UNIT = 16
"""64-bit words of a set that an operation handles in the time of one unit of cost."""
SLOPES = tuple((x, y) for x in range(-2, 3) for y in range(-2, 3))
"""Weights of x and y that are tried as a height which every step of a search increases."""

WHOLE_SETS = (
    typed.SetOperation, typed.SetStep, typed.SetLiteral, typed.Comprehension, typed.AtMost,
    typed.If, typed.Binary, typed.Subset, typed.SetFold, typed.Hash,
)  # fmt: skip
"""Nodes that read or write all words of their sets."""


class Cost(Struct, frozen=True):
    """What an evaluation costs, each node and each combination of a nest of binders counted as one.

    `direct`: with every call counted at each of its uses. `once`: with calls of functions whose results are kept
    (`ggp.language.typed.work`) counted as one node. `kept`: these functions, those that they call themselves included;
    None: too many to tell apart.
    """

    direct: float = 0.0
    once: float = 0.0
    kept: frozenset[Function] | None = frozenset()

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.direct + other.direct, self.once + other.once, _joined(self.kept, other.kept))

    def times(self, count: float) -> Cost:
        """Return the cost of evaluating it so many times in the same state."""
        return Cost(self.direct * count, self.once * count, self.kept)

    def more(self, count: float) -> Cost:
        """Return the cost with so much added."""
        return Cost(self.direct + count, self.once + count, self.kept)


NOTHING, ONE = Cost(), Cost(1.0, 1.0)


def of_kept(function: Function, body: Cost) -> Cost:
    """Return what a call of a function whose results are kept costs beside its arguments."""
    return Cost(body.direct, 1.0, _joined(body.kept, frozenset([function])))


def _joined(first: frozenset[Function] | None, second: frozenset[Function] | None) -> frozenset[Function] | None:
    if first is None or second is None:
        return None
    if not first or not second or first is second:
        return first or second
    joined = first | second
    return joined if len(joined) <= MAX_KEPT else None


def of_sets(node: Expression) -> float:
    """Return what handling the sets of a node costs, its operands not counted: nothing much unless they are large."""
    if not isinstance(node, WHOLE_SETS):
        return 0.0
    types = [node.type, *(part.type for part in parts(node))]
    return max((_words(type_) for type_ in types if isinstance(type_, SetType)), default=0) / WORDS_A_UNIT


def of_search(node: typed.Reach) -> float:
    """Return what a breadth-first search costs, its operands and computed neighbours not counted.

    Each round handles all words of a set, however few values it adds.
    """
    kind = cast("SetType", node.sources.type)
    # in a graph, the neighbours of each value that is reached are joined besides
    joined = 0 if isinstance(node.steps.type, SetType) else size(kind.element)
    return (most_rounds(node) + joined) * _words(kind) / WORDS_A_UNIT


def most_rounds(node: typed.Reach) -> int:
    """Return how many rounds a search takes at most.

    In general each round but the last adds a value of `through`. On a board, if every direction leads upwards on some
    slope, the difference in height between two corners is a bound too.
    """
    rounds = most_members(node.through) + 1
    element = cast("SetType", node.sources.type).element
    if isinstance(node.steps, Constant) and isinstance(element, CellType) and isinstance(node.steps.value, frozenset):
        directions = [DIRECTIONS[code][1:] for code in node.steps.value]
        for along_x, along_y in SLOPES:
            if all(along_x * x + along_y * y > 0 for x, y in directions):
                rounds = min(rounds, abs(along_x) * (element.width - 1) + abs(along_y) * (element.height - 1) + 1)
    return rounds


def _words(type_: SetType) -> int:
    return (size(type_.element) + 63) // 64


def inside(expression: typed.Quantifier | typed.Aggregate | typed.Comprehension) -> tuple[Expression | None, ...]:
    """Return what is evaluated for every binding of an expression's binders."""
    match expression:
        case typed.Quantifier():
            return (expression.body,)
        case typed.Aggregate():
            return (expression.condition, expression.body)
        case typed.Comprehension():
            return (expression.condition, expression.element)


def domain_size(domain: ScalarType | Expression | tuple[Expression, Expression]) -> int:
    """Return how many values a domain has at most."""
    if isinstance(domain, tuple):
        low, high = (cast("IntType", end.type) for end in domain)
        return max(0, high.high - low.low + 1)
    if isinstance(domain, ScalarType):
        return size(domain)
    return most_members(domain)


def most_members(node: Expression) -> int:
    """Return how many members a set has at most, by its type and by what it is made of."""
    whole = size(cast("SetType", node.type).element)
    match node:
        case Constant(value=frozenset() as known):
            return len(known)
        case typed.TableRead(table=table):
            return max((len(row) for row in table.values if isinstance(row, frozenset)), default=0)
        case typed.SetLiteral(elements=elements):
            return min(whole, len(elements))
        case typed.SetOperation(operator="intersection", left=left, right=right):
            return min(most_members(left), most_members(right))
        case typed.SetOperation(operator="difference", left=left):
            return most_members(left)
        case typed.SetOperation(left=left, right=right):
            return min(whole, most_members(left) + most_members(right))
        case typed.AtMost(operand=members, most=most):
            return min(most, most_members(members))
        case (
            typed.StateRead(variable=typed.Variable(most=int() as most))
            | typed.Local(symbol=Symbol(most=int() as most))
        ):
            return min(whole, most)
        case typed.SetStep(set=moved):
            return most_members(moved)
        case typed.Comprehension(binders=binders):
            return min(whole, math.prod(domain_size(binder.domain) for binder in binders))
        case typed.If(then=then, otherwise=otherwise):
            return max(most_members(then), most_members(otherwise))
        case typed.Call(function=function):
            return _most_members_of_function(function)
    return whole


@lru_cache(maxsize=4096)
def _most_members_of_function(function: Function) -> int:
    # remembered, because a chain of definitions that each call the one before twice would take exponential time
    return most_members(function.body)
