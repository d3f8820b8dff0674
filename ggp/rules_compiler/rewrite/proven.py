"""Checks that a condition before them makes superfluous, as in `x + 1 in 1..8 and board[x + 1] == p`.

A check that cannot fail where it stands gets an empty reason: it is no fault, and what it checks may be computed early,
for many values at once, or not at all. Definitions are looked into where this rids them of their checks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import typed
from ggp.language.typed.types import IntType, OptionType
from ggp.language.typed.walk import EXPRESSIONS, STATEMENTS, calls, nodes_of, same
from ggp.language.typed.work import kept_values
from ggp.rules_compiler.rewrite.conditions import steps
from ggp.rules_compiler.rewrite.integer_loops import OPPOSITE
from ggp.rules_compiler.rewrite.memberships import negated
from ggp.rules_compiler.rewrite.opened import opened, taken_apart
from ggp.rules_compiler.size import can_fail

UNBOUNDED = 1 << 62
MAX_TERMS = 8
"""Terms of a sum that is reasoned about."""
Factors: TypeAlias = "tuple[object, ...]"
"""What a term multiplies, in some order; of a number nothing."""
Sum: TypeAlias = "dict[Factors, int]"
"""A sum of terms, each with its coefficient."""
Range: TypeAlias = tuple[int, int]


class Fact(Struct, frozen=True):
    """A sum without its number lies in a range."""

    sum: Sum
    range: Range


class Facts(Struct, frozen=True):
    """What is known where an expression stands.

    Attributes:
        sums: ranges of sums.
        some: keys of options that are not none.
        steps: steps that do not lead off the board.
        ranges: what runs over integers, and its ends.
    """

    sums: tuple[Fact, ...] = ()
    some: frozenset[object] = frozenset()
    steps: tuple[typed.CellStep, ...] = ()
    ranges: tuple[tuple[typed.Symbol, tuple[typed.Expression, typed.Expression]], ...] = ()

    def within(self, binders: Sequence[typed.Binder]) -> Facts:
        """Return this inside some binders."""
        ranges = [(one.symbol, one.domain) for one in binders if isinstance(one.domain, tuple)]
        return replace(self, ranges=(*self.ranges, *ranges))

    def with_some(self, option: typed.Expression, test: typed.Expression) -> Facts:
        """Return this with an option that is not none, as a condition says."""
        return replace(self, some=self.some | {_key(option)}, steps=(*self.steps, *steps(test)))


def without_proven_checks(game: typed.Game) -> typed.Game:
    """Return a game whose superfluous checks have no reason."""
    if not any(isinstance(node, typed.Guard | typed.Unwrap) for node in nodes_of(game.phases, game.payoff)):
        return game
    changed = _Prover(calls(game))
    return replace(
        game, phases=changed(game.phases, Facts()), payoff=changed(game.payoff, Facts()),
        estimate=changed(game.estimate, Facts()),
    )  # fmt: skip


def proven(node: typed.Expression, times_called: Counter[typed.Function]) -> typed.Expression:
    """Return an expression whose superfluous checks have no reason."""
    changed: typed.Expression = _Prover(times_called)(node, Facts())
    return changed


class _Prover:
    """One pass over a game."""

    def __init__(self, times_called: Counter[typed.Function]) -> None:
        self._calls = times_called
        self._functions: dict[typed.Function, typed.Function] = {}
        self._types: dict[object, Range] = {}
        """The range that the type of each factor gives it."""

    def __call__(self, node: Any, facts: Facts) -> Any:
        """Return an expression, a statement or a tuple of them, without checks that some facts make superfluous."""
        match node:
            case tuple():
                new = tuple(self(part, facts) for part in node)
                return node if all(a is b for a, b in zip(node, new, strict=True)) else new
            case typed.Guard(operand=operand, reason=reason) if reason:
                node = self._parts(node, facts)
                fits = isinstance(operand.type, IntType) and self._fits(node.operand, node.type, facts)
                return replace(node, reason="") if fits else node
            case typed.Unwrap(operand=operand, reason=reason) if reason:
                node = self._parts(node, facts)
                is_step = isinstance(operand, typed.CellStep) and any(
                    _leads_to(one, operand, facts) for one in facts.steps
                )
                return replace(node, reason="") if is_step or _key(operand) in facts.some else node
            case typed.Binary(operator="and" | "or" as operator, left=left):
                learned = self._learned(left if operator == "and" else negated(left), facts)
                return self._parts(node, facts, right=learned)
            case typed.If(condition=test):
                yes, no = self._learned(test, facts), self._learned(negated(test), facts)
                return self._parts(node, facts, then=yes, otherwise=no)
            case typed.Quantifier() | typed.Aggregate() | typed.Comprehension() | typed.Update():
                facts = facts.within(node.binders)
                condition = None if isinstance(node, typed.Quantifier) else node.condition
                inside = facts if condition is None else self._learned(condition, facts)
                return self._parts(node, inside, condition=facts, binders=facts)
            case typed.Call():
                return self._call(self._parts(node, facts), facts)
            case typed.Function():
                return self._function(node)
        return self._parts(node, facts) if isinstance(node, EXPRESSIONS) or type(node) in STATEMENTS else node

    def _parts(self, node: Any, facts: Facts, **others: Facts) -> Any:
        """Return a node whose parts are changed, some of them by other facts."""
        names = [name for name in node.__struct_fields__ if name not in ("type", "span", "function", "symbol", "value")]
        if isinstance(node, typed.Update):
            names.append("value")
        new = {name: self(getattr(node, name), others.get(name, facts)) for name in names}
        new = {name: part for name, part in new.items() if part is not getattr(node, name)}
        return replace(node, **new) if new else node

    def _function(self, function: typed.Function) -> typed.Function:
        if function not in self._functions:
            body = self(function.body, Facts())
            self._functions[function] = function if body is function.body else replace(function, body=body)
            self._calls[self._functions[function]] = self._calls[function]
        return self._functions[function]

    def _call(self, call: typed.Call, facts: Facts) -> typed.Expression:
        """Return a call, or what its definition says without checks, if facts make all of them superfluous."""
        function = self._function(call.function)
        call = call if function is call.function else replace(call, function=function)
        if can_fail(function.body) and kept_values(function, self._calls[function]) is None:
            body = opened(call)
            new = None if body is None else self(body, facts)
            if new is not None and not can_fail(new):
                return new  # type: ignore[no-any-return]
        return call

    # --- what conditions say ------------------------------------------------------------------------------------------

    def _learned(self, test: typed.Expression, facts: Facts) -> Facts:
        """Return facts with those that hold where a condition does."""
        match test:
            case typed.Binary("and", left, right):
                return self._learned(right, self._learned(left, facts))
            case typed.Unary("not", typed.Binary(operator="and" | "or") as operand):
                if (opposite := negated(operand)) != test:
                    return self._learned(opposite, facts)
            case typed.Unary("not", typed.Binary(operator=operator) as operand) if operator in OPPOSITE:
                return self._learned(replace(operand, operator=OPPOSITE[operator]), facts)
            case typed.Unary("not", typed.Unary("is_none", operand)):
                return facts.with_some(operand, test)
            case typed.Binary() if isinstance(test.left.type, IntType) and isinstance(test.right.type, IntType):
                return self._compared(test, facts)
            case typed.Binary("equal", left, right):
                for side, value in ((left, right), (right, left)):
                    is_known = isinstance(value, typed.Constant) and value.value is not None
                    is_some = is_known or isinstance(value, typed.Wrap) or not isinstance(value.type, OptionType)
                    if isinstance(side.type, OptionType) and is_some:
                        facts = replace(facts, some=facts.some | {_key(side)})
                return facts
            case typed.Member(element=element, set=members):
                if isinstance(element.type, OptionType):
                    return facts.with_some(element, test)
                if isinstance(element.type, IntType) and isinstance(members, typed.Constant) and members.value:
                    codes: Any = members.value
                    return self._bounded(self._sum(element), min(codes), max(codes), facts)
            case typed.Quantifier(kind="any", binders=binders, body=body):
                return self._learned(body, facts.within(binders))
            case typed.Call() if (said := opened(test)) is not None:
                return self._learned(said, facts)
            case typed.Unary("not", typed.Call() as call) if (said := opened(call)) is not None:
                return self._learned(negated(said), facts)
        return facts

    def _compared(self, test: typed.Binary, facts: Facts) -> Facts:
        """Return facts with what a comparison of integers says."""
        difference = _added(self._sum(test.left), self._sum(test.right), -1)
        match test.operator:
            case "less" | "less_equal":
                return self._bounded(difference, -UNBOUNDED, -1 if test.operator == "less" else 0, facts)
            case "greater" | "greater_equal":
                return self._bounded(difference, 1 if test.operator == "greater" else 0, UNBOUNDED, facts)
            case "equal":
                return self._bounded(difference, 0, 0, facts)
            case "unequal" if 0 in (ends := self._range(difference, facts)):
                return self._bounded(difference, ends[0] + (not ends[0]), ends[1] - (not ends[1]), facts)
        return facts

    def _bounded(self, given: Sum, low: int, high: int, facts: Facts) -> Facts:
        if len(given) > MAX_TERMS:
            return facts
        number = given.get((), 0)
        rest = {term: times for term, times in given.items() if term}
        old_low, old_high = self._range(rest, facts)
        fact = Fact(rest, (max(old_low, low - number), min(old_high, high - number)))
        return replace(facts, sums=(*facts.sums, fact))

    # --- sums ---------------------------------------------------------------------------------------------------------

    def _sum(self, node: typed.Expression) -> Sum:
        """Return an integer as a sum of products of what cannot be taken apart."""
        match node:
            case typed.Constant(value=int() as value):
                return {(): value} if value else {}
            case typed.Binary("add", left, right):
                return _added(self._sum(left), self._sum(right), 1)
            case typed.Binary("subtract", left, right):
                return _added(self._sum(left), self._sum(right), -1)
            case typed.Unary("negate", operand):
                return _added({}, self._sum(operand), -1)
            case typed.Guard(operand=operand):
                return self._sum(operand)
            case typed.Binary("multiply", left, right):
                first, second = self._sum(left), self._sum(right)
                if len(first) * len(second) <= MAX_TERMS:
                    product: Sum = {}
                    for (a, m), (b, n) in ((one, other) for one in first.items() for other in second.items()):
                        product = _added(product, {tuple(sorted((*a, *b), key=id_of)): m * n}, 1)
                    return product
        key = _key(node)
        assert isinstance(node.type, IntType)
        self._types[key] = (node.type.low, node.type.high)
        return {(key,): 1}

    def _by_type(self, given: Sum) -> Range:
        """Return the range of a sum by the types of its parts."""
        low = high = 0
        for factors, times in given.items():
            ends = (times, times)
            for factor in factors:
                a, b = self._types[factor]
                products = [x * y for x in ends for y in (a, b)]
                ends = (min(products), max(products))
            low, high = low + ends[0], high + ends[1]
        return low, high

    def _range(self, given: Sum, facts: Facts) -> Range:
        """Return a range in which a sum lies."""
        low, high = self._by_type(given)
        for fact in facts.sums:
            for sign in (1, -1):
                rest = _added(given, fact.sum, -sign)
                if len(rest) < len(given):
                    begin, end = self._range(rest, facts)
                    ends = [sign * one for one in fact.range]
                    low, high = max(low, min(ends) + begin), min(high, max(ends) + end)
        return low, high

    def _fits(self, node: typed.Expression, type_: IntType, facts: Facts) -> bool:
        low, high = self._range(self._sum(node), facts)
        return type_.low <= low and high <= type_.high


def id_of(part: object) -> int:
    """Return a number by which the factors of a product are sorted."""
    return hash(part)


def _added(first: Sum, second: Sum, times: int) -> Sum:
    """Return the first sum and some times the second."""
    result = dict(first)
    for term, number in second.items():
        result[term] = result.get(term, 0) + times * number
    return {term: number for term, number in result.items() if number}


def _key(node: object) -> object:
    """Return a key that expressions share which are written alike."""
    if isinstance(node, tuple):
        return tuple(map(_key, node))
    if isinstance(node, typed.Local):
        return node.symbol
    if isinstance(node, typed.Guard):
        return _key(node.operand)
    if isinstance(node, (*EXPRESSIONS, typed.Binder)):
        names = [name for name in cast("Any", node).__struct_fields__ if name not in ("type", "span", "reason")]
        return (type(node), *(_key(getattr(node, name)) for name in names))
    return node


def _leads_to(fact: typed.CellStep, step: typed.CellStep, facts: Facts) -> bool:
    """Return whether a step cannot lead off the board if another one does not: it is at most as long."""
    if not same(fact.cell, step.cell) or not same(fact.direction, step.direction):
        return False
    if same(fact.times, step.times):
        return True
    shortest, times = fact.times.type, step.times.type
    assert isinstance(shortest, IntType)
    assert isinstance(times, IntType)
    if times.low < 0 or shortest.low < 0:
        return False
    ends = {symbol: last for symbol, (_, last) in facts.ranges}
    farthest = ends.get(step.times.symbol, step.times) if isinstance(step.times, typed.Local) else step.times
    (end, more), (reached, distance) = taken_apart(farthest), taken_apart(fact.times)
    return times.high <= shortest.low or (same(end, reached) and more <= distance)
