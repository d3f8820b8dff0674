"""A bound on the transitions of a play, from the rules alone: something grows with each of them, and cannot for ever.

What grows is a weighted sum of measures of the state: of numbers, and of how many members sets have. For each phase
and each kind of action it is found out between which bounds each measure changes; the weights that give the least bound
are the solution of a linear program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import prod
from operator import or_
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ggp.codegen.kernels import F64
from ggp.language import typed
from ggp.language.typed import Constant, Expression, StateRead, Symbol, Variable
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
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
from ggp.language.typed.walk import rebuilt, same, unguarded
from ggp.language.typed.work import work
from ggp.linear_programs import Program, SparseMatrix, solve_program
from ggp.static_analysis.possible_values import NO, YES, PossibleValues, TooLaborious, Values, any_of

MAX_STEPS = 200_000
"""See `PossibleValues`; they take some tenths of a second."""
MAX_WORK = 500
"""See `ggp.language.typed.work`: what takes more to evaluate is seldom known."""
MAX_ATOMS = 12
"""Sets and single values that are told apart in one transition."""
MAX_APART = 8
"""Elements of an array of so many are measured one by one, too; and sets only in such arrays."""
MAX_BINDINGS = 64
"""Of one assignment."""
MAX_RANGE = 1_000_000
"""Of a number that is measured."""
IMPOSSIBLE = 1e6
"""The cost of what a transition fails to add."""

Interval: TypeAlias = tuple[int, int]
Element: TypeAlias = tuple[Variable, int]
"""An array and a place in it, row-major; a variable that is no array, and 0."""


class Measure(NamedTuple):
    """The sum of some elements of a variable, or how many members they have together."""

    variable: Variable
    places: range
    range: Interval
    initial: int


class Edge(NamedTuple):
    """A kind of transition: from and to which phase (None: the end), and between which bounds each measure changes."""

    source: str
    target: str | None
    changes: tuple[Interval, ...]


class Change(NamedTuple):
    """An assignment to some place of a variable, None where that is not known, and whether it is surely made."""

    variable: Variable
    place: int | None
    old: StateRead
    value: Expression
    sure: bool


def bound_on_plays(game: typed.Game) -> int | None:
    """Return a number of transitions, those of chance counted, that no play exceeds; None where none was found."""
    values, measures = PossibleValues(MAX_STEPS), [*_measures(game)]
    sets = [(one.variable, one.places[0]) for one in measures if len(one.places) == 1 and _holds_sets(one.variable)]
    disjoint = {pair for pair in combinations(sets, 2) if not _initial(*pair[0]) & _initial(*pair[1])}
    """Sets without a common member before every transition: those of which no transition shows otherwise."""
    before, edges = -1, set[Edge]()
    try:
        while len(disjoint) != before:
            before, edges = len(disjoint), set()
            for phase in game.phases:
                one_acts = len(phase.choosers) == 1 and phase.choosers[0].binder is None
                for kind in phase.choosers[0].kinds if one_acts else [None]:
                    for known in _actors(phase) if one_acts else [{}]:
                        case = Transition(phase, kind, known, values, sets, disjoint)
                        disjoint -= {pair for pair in disjoint if case.may_overlap(*pair)}
                        changes = tuple(map(case.change, measures))
                        edges |= {Edge(phase.name, target, changes) for target in case.targets()}
    except TooLaborious:
        return None
    return _bound(game.phases, measures, sorted(edges, key=repr))


def _actors(phase: typed.Phase) -> Sequence[Mapping[Variable, int]]:
    match phase.choosers[0].actor:
        case StateRead(Variable(type=EnumType() as type_) as variable, ()):
            return [{variable: player} for player in codes(type_)]
    return [{}]


def _element_type(variable: Variable) -> Type:
    return variable.type.element if isinstance(variable.type, ArrayType) else variable.type


def _holds_sets(variable: Variable) -> bool:
    return isinstance(_element_type(variable), SetType)


def _elements(variable: Variable) -> int:
    return prod(map(size, variable.type.indices)) if isinstance(variable.type, ArrayType) else 1


def _initial(variable: Variable, place: int) -> Any:
    return variable.initial[place] if isinstance(variable.type, ArrayType) else variable.initial  # type: ignore[index]


def _measures(game: typed.Game) -> Iterator[Measure]:
    for variable in game.variables:
        count = _elements(variable)
        apart = count if count <= MAX_APART else 0
        for places in [range(count), *(range(place, place + 1) for place in range(apart if count > 1 else 0))]:
            initial = [_initial(variable, place) for place in places]
            match _element_type(variable):
                case SetType(element) if apart:
                    yield Measure(variable, places, (0, size(element)), len(frozenset().union(*initial)))
                case BoolType() | IntType() as number:
                    low, high = (end * len(places) for end in (codes(number)[0], codes(number)[-1]))
                    if high - low <= MAX_RANGE:
                        yield Measure(variable, places, (low, high), sum(initial))


class Transition:
    """What is known of the transitions of one kind.

    A set is a number, whose bits are the combinations of the atoms in which something is a member of it: atoms are the
    sets before the transition, single values, and what is not known.

    Args:
        kind: of action; None: several players choose, or chance draws.
        known: values of variables before it.
        sets: the elements that are sets, and are measured.
        disjoint: pairs of these that have no common member before it.
    """

    def __init__(
        self,
        phase: typed.Phase,
        kind: typed.ActionKind | None,
        known: Mapping[Variable, int],
        values: PossibleValues,
        sets: Sequence[Element],
        disjoint: set[tuple[Element, Element]],
    ) -> None:
        self._phase, self._kind, self._known, self._values = phase, kind, known, values
        self._atoms: list[tuple[object, int, bool]] = []
        """An element or expression, its combinations, and whether it is a single value."""
        self._made = [change for update in phase.updates for change in self._changes(update)]
        self._sets = {element: self._old_and_new(element) for element in sets}
        self._allowed = (1 << (1 << MAX_ATOMS)) - 1
        for one, other in disjoint:
            self._allowed &= ~(self._sets[one][0] & self._sets[other][0])
        for value, members, holds in self._facts():
            if any(single and same(unguarded(value), key) for key, _, single in self._atoms):
                table = self._members(members)
                self._allowed &= ~self._atom(unguarded(value), single=True) | (table if holds else ~table)

    # --- expressions --------------------------------------------------------------------------------------------------

    def _written(self, node: Any, bound: Mapping[Symbol, Expression]) -> Any:
        """Return an expression with its definitions written out, and what is known filled in."""

        def change(part: Expression) -> Expression:
            self._values.count_steps()
            match part:
                case typed.Local(symbol) if symbol in bound:
                    return bound[symbol]
                case typed.Call(function, arguments):
                    given = dict(zip(function.arguments, arguments, strict=True))
                    return self._written(function.body, {**bound, **given})  # type: ignore[no-any-return]
                case StateRead(variable, (), type_, span) if variable in self._known:
                    return Constant(self._known[variable], type_, span)
            return part

        return rebuilt(node, change)

    def _of(self, node: Expression) -> Values:
        """Return what an expression can come to, whatever the choices in it."""
        self._values.symbols.clear()
        return self._values.of(node) if work(node) <= MAX_WORK else any_of(node.type)

    def _place(self, variable: Variable, indices: Sequence[Expression]) -> int | None:
        """Return which element is meant; None if that is not known."""
        place, types = 0, variable.type.indices if isinstance(variable.type, ArrayType) else ()
        for index, type_ in zip(indices, types, strict=True):
            found = self._of(index)
            if not isinstance(found, frozenset) or len(found) != 1 or found == {None}:
                return None
            place = place * size(type_) + min(found) - lowest(type_)
        return place

    def _matches(self, kind: str | None) -> bool | None:
        """Return whether a statement about a kind of action is meant; None: perhaps."""
        return kind is None or (None if self._kind is None else kind == self._kind.name)

    # --- assignments --------------------------------------------------------------------------------------------------

    def _changes(self, update: typed.Update) -> Iterator[Change]:
        matches, bindings = self._matches(update.kind), [*self._bindings(update.binders, {})]
        if len(bindings) > MAX_BINDINGS or (isinstance(update.target.type, ArrayType) and not update.indices):
            raise TooLaborious
        for bound, there in bindings:
            holds = YES if update.condition is None else self._of(self._written(update.condition, bound))
            if matches is not False and holds != NO:
                indices, value = self._written((update.indices, update.value), bound)
                old = StateRead(update.target, indices, _element_type(update.target), update.span)
                sure = there and holds == YES and matches is True
                yield Change(update.target, self._place(update.target, indices), old, value, sure)

    def _bindings(
        self, binders: tuple[typed.Binder, ...], bound: dict[Symbol, Expression]
    ) -> Iterator[tuple[dict[Symbol, Expression], bool]]:
        """Yield what binders can stand for, and whether they surely do."""
        if not binders:
            yield bound, True
            return
        symbol, domain = binders[0].symbol, binders[0].domain
        self._values.symbols.clear()
        members = self._values.domain(domain if isinstance(domain, ScalarType) else self._written(domain, bound))
        for value in sorted(members.possible):
            for found, there in self._bindings(
                binders[1:], {**bound, symbol: Constant(value, symbol.type, symbol.span)}
            ):
                yield found, there and value in members.sure

    def change(self, measure: Measure) -> Interval:
        """Return the bounds between which a measure changes."""
        variable, places = measure.variable, measure.places
        if _holds_sets(variable):
            old = new = 0
            for place in places:
                old, new = old | self._sets[variable, place][0], new | self._sets[variable, place][1]
            more, less = self._how_many(new & ~old, measure), self._how_many(old & ~new, measure)
            return more[0] - less[1], more[1] - less[0]
        low = high = 0
        for made in self._made:
            if made.variable is variable and (made.place is None or made.place in places):
                least, most = self._growth(made.value, made.old)
                if not made.sure or (made.place is None and len(places) < _elements(variable)):
                    least, most = min(least, 0), max(most, 0)
                low, high = low + least, high + most
        most = measure.range[1] - measure.range[0]  # or a value is out of its range, and the game over
        return max(low, -most), min(high, most)

    def _growth(self, value: Expression, old: Expression) -> Interval:
        """Return the bounds of the difference of two numbers."""
        value = unguarded(value)
        if same(value, old):
            return 0, 0
        first, second = self._range(value), self._range(old)
        low, high = first[0] - second[1], first[1] - second[0]
        match value:
            case typed.Binary("add" | "subtract" as operator, left, right):
                for one, other in [(left, right), (right, left)][: 2 if operator == "add" else 1]:
                    grown, (least, most) = self._growth(one, old), self._range(other)
                    if operator == "subtract":
                        least, most = -most, -least
                    low, high = max(low, grown[0] + least), min(high, grown[1] + most)
            case typed.Binary("minimum" | "maximum" as operator, left, right):
                pick = min if operator == "minimum" else max
                low, high = map(pick, self._growth(left, old), self._growth(right, old))
            case typed.If(condition, then, otherwise):
                holds = self._of(condition)
                branches = [*([] if holds == NO else [then]), *([] if holds == YES else [otherwise])]
                ends = [self._growth(branch, old) for branch in branches]
                low, high = min(least for least, _ in ends), max(most for _, most in ends)
        return low, high

    def _range(self, node: Expression) -> Interval:
        found, type_ = self._of(node), node.type.inner if isinstance(node.type, OptionType) else node.type
        if isinstance(found, frozenset) and found and None not in found:
            return min(found), max(found)
        assert isinstance(type_, BoolType | IntType)
        return codes(type_)[0], codes(type_)[-1]

    # --- sets ---------------------------------------------------------------------------------------------------------

    def _atom(self, key: object, single: bool = False) -> int:
        """Return the combinations of an atom; of a new one where the key is None."""
        for other, table, is_single in self._atoms:
            if key is not None and is_single == single and same(key, other):
                return table
        place = len(self._atoms)
        if place == MAX_ATOMS:
            raise TooLaborious
        block = ((1 << (1 << place)) - 1) << (1 << place)
        table = sum(block << start for start in range(0, 1 << MAX_ATOMS, 2 << place))
        self._atoms.append((key, table, single))
        return table

    def _members(self, node: Expression) -> int:
        """Return the combinations in which something is a member of a set."""
        match node := unguarded(node):
            case Constant(frozenset() as members, SetType(element)) if not members or (
                len(members) == size(element) and not isinstance(element, IntType)
            ):
                return -1 if members else 0
            case typed.SetOperation(operator, left, right):
                one, other = self._members(left), self._members(right)
                return one | other if operator == "union" else one & (~other if operator == "difference" else other)
            case typed.SetLiteral(elements):
                return reduce(or_, (self._atom(unguarded(element), single=True) for element in elements), 0)
            case typed.If(condition, then, otherwise):
                holds = self._of(condition)
                taken = -1 if holds == YES else 0 if holds == NO else self._atom(None)
                return taken & self._members(then) | ~taken & self._members(otherwise)
            case typed.Comprehension((typed.Binder(symbol, domain),), _, typed.Local(shown)) if (
                shown is symbol and not isinstance(domain, ScalarType | tuple)
            ):
                return self._members(domain) & self._atom(node)
            case StateRead(variable, indices):
                place = self._place(variable, indices)
                return self._atom(node if place is None else (variable, place))
        return self._atom(node)

    def _old_and_new(self, element: Element) -> tuple[int, int]:
        old = new = self._atom(element)
        for made in self._made:
            if made.variable is element[0] and made.place in (element[1], None):
                unchanged = 0 if made.sure and made.place is not None else self._atom(None)
                new = unchanged & new | ~unchanged & self._members(made.value)
        return old, new

    def _facts(self) -> Iterator[tuple[Expression, Expression, bool]]:
        """Yield values, sets, and whether they are members: choices and draws, and what `where` says of them."""
        lone = [self._kind] if self._kind else [self._phase.chance] if self._phase.chance else []
        for part in (part for one in lone for part in one.components):
            if not isinstance(part.domain, ScalarType):
                yield typed.Local(part.symbol, part.symbol.type, part.symbol.span), self._written(part.domain, {}), True
        conditions = [self._written(self._kind.where, {})] if self._kind and self._kind.where else []
        while conditions:
            match conditions.pop():
                case typed.Binary("and", left, right):
                    conditions += [left, right]
                case typed.Member(value, members):
                    yield value, members, True
                case typed.Unary("not", typed.Member(value, members)):
                    yield value, members, False

    def _how_many(self, combinations: int, measure: Measure) -> Interval:
        """Return how many values can be in some combinations."""
        combinations &= self._allowed
        singles = [table for _, table, single in self._atoms if single]
        met, elsewhere = 0, combinations
        for table in singles:
            met, elsewhere = met + bool(combinations & table), elsewhere & ~table
        surely = any(not self._allowed & table & ~combinations for table in singles)
        return int(surely), measure.range[1] if elsewhere else min(met, measure.range[1])

    def may_overlap(self, one: Element, other: Element) -> bool:
        """Return whether two sets may have a common member afterwards."""
        return bool(self._allowed & self._sets[one][1] & self._sets[other][1])

    def targets(self) -> Iterator[str | None]:
        """Yield the phases that may come next; None for the end."""
        for transfer in self._phase.transfers:
            matches = self._matches(transfer.kind)
            holds = YES if transfer.condition is None else self._of(transfer.condition)
            if matches is not False and holds != NO:
                yield transfer.target
                if matches and holds == YES:
                    return


def _bound(phases: Sequence[typed.Phase], measures: Sequence[Measure], edges: Sequence[Edge]) -> int | None:
    """Return how much a sum can grow that grows by 1 or more with each transition; None where there is none.

    The columns of the program are the weights of all measures, and of what each lacks of its highest value; then what
    it is worth to be in a phase but the first, and at the end; then what transitions fail to add.
    """
    count, (first, *others) = len(measures), (phase.name for phase in phases)
    columns: dict[str | None, int] = {name: 2 * count + place for place, name in enumerate([*others, None])}
    width = 2 * count + len(columns) + 1
    stays = [Edge(phase.name, None, ((0, 0),) * count) for phase in phases]  # the sum is no less where play is stuck
    cost, rows = np.zeros(width), np.zeros((len(edges) + len(stays), width))
    cost[:count] = [one.range[1] - one.initial for one in measures]
    cost[count : 2 * count] = [one.initial - one.range[0] for one in measures]
    cost[columns[None]], cost[-1] = 1, IMPOSSIBLE
    for row, (source, target, changes) in zip(rows, [*edges, *stays], strict=True):
        row[:count], row[count : 2 * count] = [low for low, _ in changes], [-high for _, high in changes]
        for name, sign in (target, 1), (source, -1):
            if name != first:
                row[columns[name]] += sign
        row[-1] = 1
    least, (row_of, column_of) = np.zeros(width), np.nonzero(rows)
    least[2 * count : -1] = -IMPOSSIBLE
    needed, matrix = np.repeat([1.0, 0.0], [len(edges), len(stays)]), rows[row_of, column_of]
    program = Program(cost, least, SparseMatrix(row_of, column_of, matrix), needed, np.full(len(rows), np.inf))
    weights = [Fraction(weight) for weight in solve_program(program)[0][:-1]]
    weights[: 2 * count] = [max(weight, Fraction(0)) for weight in weights[: 2 * count]]

    def weighted(entries: F64) -> Fraction:
        return sum((weights[at] * int(entries[at]) for at in np.flatnonzero(entries[:-1])), Fraction(0))

    # exact: the solver need only be nearly right
    slowest = min(map(weighted, rows[: len(edges)]))
    return int(weighted(cost) / slowest) if slowest > Fraction(1, 2) else None
