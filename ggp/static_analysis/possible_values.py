"""What expressions can come to where nothing is known of the state: sound, seldom exact.

The values of a set are told by the members that it surely has and those that it may have, all others by a set of
alternatives, or by `ANYTHING` where these are many.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, TypeAlias, cast

from msgspec.structs import replace

from ggp.language import typed
from ggp.language.evaluation.boards import distances, stepped_cell, stepped_set
from ggp.language.evaluation.expressions import evaluate
from ggp.language.evaluation.faults import RulesFault
from ggp.language.evaluation.scope import Scope
from ggp.language.typed import Expression, Function, Symbol, Value, Variable
from ggp.language.typed.types import (
    BoolType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    ScalarType,
    SetType,
    Type,
    codes,
    lowest,
    size,
)
from ggp.language.typed.walk import EXPRESSIONS

MAX_ALTERNATIVES = 512
MAX_COMBINATIONS = 4_096
"""Of the alternatives of an operation's operands."""
MAX_IN_VAIN = 64
"""A definition of which nothing was found out for so many arguments in a row is not looked into again."""


class Members(NamedTuple):
    """The values of a set: all that hold `sure`, and hold nothing but `possible`."""

    sure: frozenset[int]
    possible: frozenset[int]


Alternatives: TypeAlias = "frozenset[Any] | None"
ANYTHING = None
Values: TypeAlias = "Members | Alternatives"
YES, NO, EITHER = frozenset([1]), frozenset([0]), frozenset([0, 1])


class TooLaborious(Exception):
    """More was looked at than is allowed."""


def exactly(value: Value) -> Values:
    """Return a single value."""
    return Members(value, value) if isinstance(value, frozenset) else frozenset([value])


@lru_cache(1024)
def any_of(type_: Type) -> Values:
    """Return all values of a type."""
    match type_:
        case SetType(element):
            return Members(frozenset(), frozenset(codes(element)))
        case OptionType(inner):
            found = any_of(inner)
            return ANYTHING if found is ANYTHING else frozenset([*found, None])
        case BoolType() | IntType() | EnumType() | CellType() if size(type_) <= MAX_ALTERNATIVES:
            return frozenset(codes(type_))
    return ANYTHING


def _joined(found: Sequence[Values], type_: Type) -> Values:
    """Return what is one of some values; all of the type where there are none, or too many."""
    if found and isinstance(type_, SetType):
        sets = cast("Sequence[Members]", found)
        return Members(
            frozenset.intersection(*(one.sure for one in sets)), frozenset().union(*(s.possible for s in sets))
        )
    if not found or ANYTHING in found:
        return any_of(type_)
    values = frozenset[Any]().union(*cast("Sequence[frozenset[Any]]", found))
    if isinstance(type_, IntType):
        values = frozenset(value for value in values if value in codes(type_))
    return values if 0 < len(values) <= MAX_ALTERNATIVES else any_of(type_)


def _not(values: Values) -> Values:
    return frozenset(1 - value for value in cast("frozenset[int]", values))


class PossibleValues:
    """Finds out what the expressions of a game can come to.

    Args:
        limit: expressions that may be looked at, bindings, and choices; a million take about a second.

    Attributes:
        symbols: what is known of symbols.
        variables: the same of state variables that have no index.
        steps: how many are left of the limit.
    """

    def __init__(self, limit: int) -> None:
        self.symbols: dict[Symbol, Values] = {}
        self.variables: dict[Variable, Values] = {}
        self._results: dict[object, Values] = {}
        self._in_vain: Counter[Function] = Counter()
        self._operations: dict[int, tuple[Expression, list[tuple[Symbol, Expression]], Expression]] = {}
        self._evaluated: dict[tuple[object, ...], Values] = {}
        self.steps = limit

    def count_steps(self, steps: int = 1) -> None:
        """Count expressions, bindings, choices.

        Raises:
            TooLaborious: there were too many.
        """
        self.steps -= steps
        if self.steps < 0:
            raise TooLaborious

    def of(self, node: Expression) -> Values:
        """Return what an expression can come to.

        Raises:
            TooLaborious: too much was looked at.
        """
        self.count_steps()
        match node:
            case typed.Constant(value):
                return exactly(value)
            case typed.Local(symbol, type_):
                return self.symbols[symbol] if symbol in self.symbols else any_of(type_)
            case typed.StateRead(variable, (), type_):
                return self.variables[variable] if variable in self.variables else any_of(type_)
            case typed.StateRead() | typed.MoveRead() | typed.ArrayOf():
                return any_of(node.type)
        method = _METHODS.get(type(node), PossibleValues._operation)
        return method(self, node)

    def members(self, node: Expression) -> Members:
        """Return what a set can come to."""
        return cast("Members", self.of(node))

    def alternatives(self, node: Expression) -> Alternatives:
        """Return what something else than a set can come to."""
        return cast("Alternatives", self.of(node))

    def domain(self, domain: ScalarType | Expression | tuple[Expression, Expression]) -> Members:
        """Return which values a domain has."""
        if isinstance(domain, ScalarType):
            sure = possible = codes(domain)
        elif isinstance(domain, tuple):
            low, high = (self.alternatives(end) or codes(cast("IntType", end.type)) for end in domain)
            sure, possible = range(max(low), min(high) + 1), range(min(low), max(high) + 1)
        else:
            return self.members(domain)
        self.count_steps(len(possible))
        return Members(frozenset(sure), frozenset(possible))

    def _operation(self, node: Expression) -> Values:
        """Return what an operation comes to for all combinations of its operands' alternatives, each evaluated."""
        if id(node) not in self._operations:
            # the node goes with it, or another one could have its number
            self._operations[id(node)] = *_with_symbols(node), node
        _, operands, _ = self._operations[id(node)]
        alternatives: list[frozenset[Value]] = []
        for _, operand in operands:
            found = self.of(operand)
            if found is ANYTHING or (isinstance(found, Members) and found.sure != found.possible):
                return any_of(node.type)
            alternatives.append(frozenset([found.sure]) if isinstance(found, Members) else found)
        combinations = prod(map(len, alternatives))
        if combinations > MAX_COMBINATIONS:
            return any_of(node.type)
        # most come again with the same operands, for another variable or another kind of action
        key = id(node), *alternatives
        if key not in self._evaluated:
            self.count_steps(combinations)
            self._evaluated[key] = self._all_combinations(node, alternatives)
        return self._evaluated[key]

    def _all_combinations(self, node: Expression, alternatives: Sequence[frozenset[Value]]) -> Values:
        operation, operands, _ = self._operations[id(node)]
        values = []
        for combination in itertools.product(*alternatives):
            scope = Scope({}, dict(zip((symbol for symbol, _ in operands), combination, strict=True)))
            try:
                values.append(exactly(evaluate(operation, scope)))
            except RulesFault:  # ends the game
                continue
        return _joined(values, node.type)

    # --- definitions, conditions --------------------------------------------------------------------------------------

    def _call(self, node: typed.Call) -> Values:
        function = node.function
        arguments = tuple(self.of(argument) for argument in node.arguments)
        key = function, arguments
        if function.phase is None and key in self._results:
            return self._results[key]
        unknown = any_of(function.type)
        if self._in_vain[function] >= MAX_IN_VAIN:
            return unknown
        self.symbols.update(zip(function.arguments, arguments, strict=True))
        found = self.of(function.body)
        self._in_vain[function] = self._in_vain[function] + 1 if found == unknown else 0
        if function.phase is None:
            self._results[key] = found
        return found

    def _if(self, node: typed.If) -> Values:
        condition = self.of(node.condition)
        taken = (
            [node.then] if condition == YES else [node.otherwise] if condition == NO else [node.then, node.otherwise]
        )
        return _joined([self.of(branch) for branch in taken], node.type)

    def _binary(self, node: typed.Binary) -> Values:
        if node.operator not in ("and", "or"):
            return self._operation(node)
        deciding, other = (NO, YES) if node.operator == "and" else (YES, NO)
        left = self.of(node.left)
        if left == deciding:
            return deciding
        right = self.of(node.right)
        return right if left == other or right == deciding else EITHER

    # --- sets ---------------------------------------------------------------------------------------------------------

    def _set_operation(self, node: typed.SetOperation) -> Values:
        left, right = self.members(node.left), self.members(node.right)
        match node.operator:
            case "union":
                return Members(left.sure | right.sure, left.possible | right.possible)
            case "intersection":
                return Members(left.sure & right.sure, left.possible & right.possible)
            case "difference":
                return Members(left.sure - right.possible, left.possible - right.sure)

    def _member(self, node: typed.Member) -> Values:
        element, members = self.alternatives(node.element), self.members(node.set)
        if element is ANYTHING:
            return EITHER if members.possible else NO
        return YES if element <= members.sure else EITHER if element & members.possible else NO

    def _subset(self, node: typed.Subset) -> Values:
        left, right = self.members(node.left), self.members(node.right)
        return YES if left.possible <= right.sure else EITHER if left.sure <= right.possible else NO

    def _set_literal(self, node: typed.SetLiteral) -> Values:
        return self._set_of(((self.alternatives(element), True) for element in node.elements), node.type)

    def _comprehension(self, node: typed.Comprehension) -> Values:
        chosen = self._chosen(node.binders, node.condition)
        return self._set_of(((self.alternatives(node.element), sure) for sure in chosen), node.type)

    def _set_of(self, elements: Iterator[tuple[Alternatives, bool]], type_: Type) -> Values:
        """Return a set of some elements, of which some are surely there."""
        sure, possible = set[Any](), set[Any]()
        for values, there in elements:
            if values is ANYTHING:
                return any_of(type_)
            possible |= values
            if there and len(values) == 1:
                sure |= values
        return Members(frozenset(sure - {None}), frozenset(possible - {None}))

    def _set_fold(self, node: typed.SetFold) -> Values:
        members = self.members(node.set)
        if members.sure == members.possible or node.kind == "sum":
            return self._operation(node)
        if node.kind == "count":
            return frozenset(range(len(members.sure), len(members.possible) + 1))
        return members.possible

    def _set_step(self, node: typed.SetStep) -> Values:
        cells, directions, times = self.members(node.set), self.of(node.direction), self.of(node.times)
        if directions is ANYTHING or times is ANYTHING:
            return any_of(node.type)
        board = cast("CellType", cast("SetType", node.type).element)
        steps = [*itertools.product(directions, times)]
        moved = [Members(*(stepped_set(board, part, *step) for part in cells)) for step in steps]
        return _joined(moved, node.type)

    def _reach(self, node: typed.Reach) -> Values:
        if node.kind == "distance":
            return ANYTHING
        sources, through = self.members(node.sources), self.members(node.through)
        element, steps = cast("SetType", node.sources.type).element, node.steps
        ways = ANYTHING if isinstance(steps, typed.ArrayOf) else self.of(steps)

        def neighbours(value: int) -> list[int]:
            if isinstance(steps, typed.ArrayOf):
                self.symbols[steps.binder] = frozenset([value])
                return sorted(self.members(steps.body).possible)
            if isinstance(ways, Members):
                moved = (stepped_cell(cast("CellType", element), value, way, 1) for way in ways.possible)
                return [cell for cell in moved if cell is not None]
            if ways is ANYTHING:
                return sorted(through.possible)
            return sorted(frozenset().union(*(array[value - lowest(element)] for array in ways)))

        return Members(sources.sure, frozenset(distances(sources.possible, through.possible, neighbours)))

    # --- binders ------------------------------------------------------------------------------------------------------

    def _chosen(self, binders: tuple[typed.Binder, ...], condition: Expression | None) -> Iterator[bool]:
        """Bind symbols to all values for which a condition may hold, and say whether they surely count."""
        if binders:
            members = self.domain(binders[0].domain)
            for value in sorted(members.possible):
                self.symbols[binders[0].symbol] = frozenset([value])
                for sure in self._chosen(binders[1:], condition):
                    yield sure and value in members.sure
            return
        self.count_steps()
        holds = YES if condition is None else self.of(condition)
        if holds != NO:
            yield holds == YES

    def _quantifier(self, node: typed.Quantifier) -> Values:
        found: Values = NO
        for sure in self._chosen(node.binders, None):
            holds = self.of(node.body)
            if node.kind == "all":
                holds = _not(holds)
            if sure and holds == YES:
                found = YES
                break
            if holds != NO:
                found = EITHER
        return found if node.kind == "any" else _not(found)

    def _aggregate(self, node: typed.Aggregate) -> Values:
        if node.kind not in ("count", "sum"):
            return any_of(node.type)
        totals: frozenset[Any] = frozenset([0])
        for sure in self._chosen(node.binders, node.condition):
            values = self.of(node.body)
            if values is ANYTHING or len(totals) * len(values) > MAX_COMBINATIONS:
                return any_of(node.type)
            totals = frozenset(a + b for a in totals for b in (values if sure else {*values, 0}))
        return _joined([totals], node.type)


def _with_symbols(node: Expression) -> tuple[Expression, list[tuple[Symbol, Expression]]]:
    """Return an operation whose operands are symbols, and the operands."""
    operands: list[tuple[Symbol, Expression]] = []

    def stand_in(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(stand_in(one) for one in part)
        if type(part) not in EXPRESSIONS:
            return part
        symbol = Symbol("", part.type, "bound", part.span)
        operands.append((symbol, part))
        return typed.Local(symbol, part.type, part.span)

    fields = {name: getattr(node, name) for name in node.__struct_fields__ if name not in ("type", "span")}
    return replace(node, **{name: stand_in(part) for name, part in fields.items()}), operands


_METHODS: dict[type, Callable[[PossibleValues, Any], Values]] = {
    typed.Call: PossibleValues._call,
    typed.If: PossibleValues._if,
    typed.Binary: PossibleValues._binary,
    typed.SetOperation: PossibleValues._set_operation,
    typed.Member: PossibleValues._member,
    typed.Subset: PossibleValues._subset,
    typed.SetLiteral: PossibleValues._set_literal,
    typed.SetFold: PossibleValues._set_fold,
    typed.SetStep: PossibleValues._set_step,
    typed.Reach: PossibleValues._reach,
    typed.Quantifier: PossibleValues._quantifier,
    typed.Aggregate: PossibleValues._aggregate,
    typed.Comprehension: PossibleValues._comprehension,
    typed.AtMost: lambda self, node: self.of(node.operand),
}
