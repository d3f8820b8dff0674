"""The state of a check: names in scope, error reporting, and constant folding of typed nodes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias, TypeVar, cast

from msgspec import Struct

from ggp.language import syntax, typed
from ggp.language.check.costs import NOTHING, ONE, Cost, domain_size, inside, of_kept, of_search, of_sets
from ggp.language.check.scope import Names, Recorded, Selection, SequenceFunction, Vector
from ggp.language.diagnostics import Diagnostics
from ggp.language.evaluation.constants import FOLDABLE, Evaluator
from ggp.language.evaluation.faults import LimitExceeded, RulesFault
from ggp.language.limits import MAX_BINDERS, MAX_BINDINGS, MAX_NODES, MAX_SET, MAX_TOTAL_DEPTH
from ggp.language.text.source import Span
from ggp.language.typed import Constant, Expression, Function, Symbol, Value
from ggp.language.typed.types import ArrayType, EnumType, IntType, ScalarType, SequenceType, SetType, Type, codes, size
from ggp.language.typed.walk import parts
from ggp.language.typed.work import kept_values

Made = TypeVar("Made")
Mode: TypeAlias = Literal["constant", "state"]
"""Whether an expression may read the state."""
Rule = Callable[["Checking", Any, "Type | None"], Expression]


class Invalid(Exception):
    """An error that was already reported; the construct that contains it is not checked further."""


class Facts(Struct, frozen=True):
    """What is known of a typed expression beside its type.

    `free`: the bound symbols it reads from outside of itself, None if it reads the state, choices or draws. `cost`: of
    its evaluation at most. `depth`: how deeply it is nested, functions included. `nodes`:
    how many nodes it has, one that stands in several places counted at each, functions not included.
    """

    free: frozenset[Symbol] | None
    cost: Cost
    depth: int
    nodes: int


class Product(NamedTuple):
    """The two parts of a product type, `type card = rank of suit`: their types, and the names they are read by."""

    types: tuple[ScalarType, ScalarType]
    names: tuple[str, str]


@dataclass(slots=True)
class Checking:
    """The state of one check of one file.

    `rules` says how each sort of node is checked; it is handed in so that those modules can use this one.
    """

    found: Diagnostics
    names: Names
    rules: Mapping[type, Rule]
    evaluator: Evaluator = field(default_factory=Evaluator)
    players: EnumType | None = None
    mode: Mode = "constant"
    phase: str | None = None
    kind: str | None = None
    """The kind of action whose `on` is being checked."""
    choosers: tuple[typed.Chooser, ...] = ()
    """The choosers of the phase, where `move` may be read; else empty."""
    defining: str | None = None
    """The function or `let` whose body is being checked."""
    kept: list[typed.Kept] | None = None
    """What `old` refers to in the `next` that is being checked; None elsewhere."""
    vectors: dict[Symbol, tuple[str, Vector | Selection]] = field(default_factory=dict)
    """The choices and draws of several values, by the first of their symbols, with their names."""
    places_in_subsets: dict[Symbol, int] = field(default_factory=dict)
    """Of the members of a subset that is run over, how many come before each."""
    items_run_over: set[Symbol] = field(default_factory=set)
    """The symbols that stand for the places of a sequence whose items are run over."""
    sequence_arguments: dict[Symbol, SequenceType] = field(default_factory=dict)
    """The arguments of definitions that are sequences, each an array of its items."""
    templates: dict[Function, syntax.Definition] = field(default_factory=dict)
    """The definitions with arrays among their arguments, which are checked anew for the arrays handed to them."""
    instances: dict[tuple[object, ...], tuple[Function, object]] = field(default_factory=dict)
    """What that gave, by definition and arrays."""
    worked_out: dict[Function, SequenceFunction] = field(default_factory=dict)
    """Of the definitions that give a sequence, what they consist of."""
    recording: list[Recorded] = field(default_factory=list)
    """The histories of the game."""
    drawn: dict[tuple[ScalarType, int], typed.Variable] = field(default_factory=dict)
    """What keeps the draws of phases that are played in parts, by type and number."""
    products: dict[EnumType, Product] = field(default_factory=dict)
    """The product types, each an enumeration of pairs, with the parts that they are made of."""
    mixtures: set[tuple[int, int]] = field(default_factory=set)
    """The places of operators that were warned of, since some expressions are checked more than once."""
    written_by_player: set[str] = field(default_factory=set)
    """Which of `payoff` and `estimate` was written for one player: reported once each."""
    misplaced: set[Span] = field(default_factory=set)
    """Where choices were declared that were read outside of their `on`: reported once each."""
    kinds: frozenset[str] = frozenset()
    """The kinds of moves of the phase that is being checked."""
    chosen: frozenset[str] = frozenset()
    """The names of all that the phase that is being checked chooses without a kind of move, or draws."""
    choice_indices: set[str] = field(default_factory=set)
    """The names of the indices of the choices and draws of the phase that is being checked."""
    later: dict[str, Span] = field(default_factory=dict)
    """Where each name of the file's declarations is declared, also those that are still to come."""
    tables: dict[str, typed.Table] = field(default_factory=dict)
    """All tables by name, those of built-in functions included once they are used."""
    table_elements: int = 0
    """Elements of all tables so far, members of sets included."""
    exhausted: bool = False
    """Whether a limit on all of the game was met: what meets it next is not another mistake."""
    work: float = 0.0
    """The largest work of a phase so far."""
    unreachable: int = 0
    """Above 0 inside of what the parameters rule out: faults that would be certain are none there."""
    _full_sets: dict[ScalarType, frozenset[int]] = field(default_factory=dict)
    _facts: dict[int, tuple[Expression, Facts]] = field(default_factory=dict)
    _function_facts: dict[Function, Facts] = field(default_factory=dict)
    _values_kept: dict[Function, int | None] = field(default_factory=dict)

    # --- reporting ----------------------------------------------------------------------------------------------------

    def fail(
        self, span: Span, message: str, hint: str | None = None, notes: Iterable[tuple[Span, str]] = ()
    ) -> NoReturn:
        """Report an error and give up what contains it."""
        self.found.error(span, message, hint, notes)
        raise Invalid

    def fail_later(self, text: str, span: Span) -> NoReturn:
        """Report a name that is declared only further down."""
        notes = [(self.later[text], f"`{text}` is declared here")]
        self.fail(
            span, f"`{text}` is declared further down", "declare a name above the first place that uses it", notes
        )

    def fail_once(self, span: Span, message: str, hint: str | None = None) -> NoReturn:
        """Report that a limit on all of the game is met, if that is the first time, and give up what contains it."""
        if self.exhausted:
            raise Invalid
        self.exhausted = True
        self.fail(span, message, hint)

    def fail_with(self, fault: RulesFault) -> NoReturn:
        """Report that an expression without a state has no value."""
        found = fault.explanation if fault.value is None else f"{fault.reason}, and this is {fault.value}"
        self.fail(fault.span, found)

    def fail_outside(self, message: str, hint: str | None = None) -> NoReturn:
        """Report an error that stands in no place of the file, such as a wrong parameter."""
        self.found.error(None, message, hint)
        raise Invalid

    def several(self, *backends: Callable[[], Made]) -> list[Made]:
        """Call all backends even if some give up, so that each reports its own mistakes; then give up if any did."""
        made: list[Made] = []
        for backend in backends:
            try:
                made.append(backend())
            except Invalid:
                continue
        if len(made) < len(backends):
            raise Invalid
        return made

    def each(self, backend: Callable[..., Made], *sequences: Iterable[Any]) -> list[Made]:
        """Call a backend for each item, or for the items of several sequences in step, as `several` does."""
        return self.several(*(partial(backend, *items) for items in zip(*sequences, strict=True)))

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Go on behind the `with` if something inside of it was given up."""
        try:
            yield
        except Invalid:
            return

    @contextmanager
    def ruled_out(self, dead: bool) -> Iterator[None]:
        """Check what is inside of the `with` as something that, if `dead`, can never be evaluated."""
        self.unreachable += dead
        try:
            yield
        finally:
            self.unreachable -= dead

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """Check what is inside of the `with` as if it stood among the declarations of the file."""
        scopes, self.names.scopes = self.names.scopes, self.names.scopes[:1]
        before = self.mode, self.kind, self.choosers, self.defining, self.kept
        self.mode, self.kind, self.choosers, self.kept = "state", None, (), None
        try:
            yield
        finally:
            self.names.scopes = scopes
            self.mode, self.kind, self.choosers, self.defining, self.kept = before

    # --- expressions --------------------------------------------------------------------------------------------------

    def infer(self, node: syntax.Expression | syntax.Range, hint: Type | None = None) -> Expression:
        """Return an expression checked, whatever its type; `hint` is what would fit, for what depends on it."""
        return self.rules[type(node)](self, node, hint)

    def make(self, node: Expression) -> Expression:
        """Return a new typed node, or the constant it amounts to."""
        facts = self.facts(node)
        if facts.depth > MAX_TOTAL_DEPTH:
            self.fail(
                node.span, "this is nested too deep, the functions it calls included", "shorten the chain of calls"
            )
        if facts.nodes > MAX_NODES:
            self.fail(node.span, "this expression is too large", "name its parts with `let` or `def`")
        if facts.cost.direct > MAX_BINDINGS and (combinations := self.combinations(facts.cost)) > MAX_BINDINGS:
            self.fail(
                node.span,
                f"this may run through {many(combinations)} combinations of values; the limit is {many(MAX_BINDINGS)}",
                f"quantify over smaller sets{self._factors(node)}",
            )
        if isinstance(node, Constant) or facts.free is None or facts.free:
            return node
        try:
            value = self.evaluator.value(node, {})
        except RulesFault as fault:
            if self.unreachable:
                return node
            self.fail_with(fault)
        except LimitExceeded:
            return node
        except OverflowError:
            if self.unreachable:
                return node
            self.fail(node.span, "this number is too large")
        if isinstance(value, float) and not math.isfinite(value):
            self.fail(node.span, "this number is too large")
        return self.constant(value, node.type, node.span)

    def _factors(self, node: Expression) -> str:
        """Return what the cost of an expression with binders is made of, as the end of a hint."""
        if not isinstance(node, typed.Quantifier | typed.Aggregate | typed.Comprehension):
            return ""
        sizes = ", ".join(f"`{binder.symbol.name}` {many(domain_size(binder.domain))}" for binder in node.binders)
        each = sum((self.cost(part) for part in inside(node)), NOTHING)
        return f": values of {sizes}; combinations for each of these {many(self.combinations(each))}"

    def constant(self, value: Value, type_: Type, span: Span) -> Constant:
        """Return a constant; that of an integer has the one-value range."""
        if isinstance(type_, IntType):
            number = cast("int", value)
            type_ = IntType(number, number)
        made = Constant(value, type_, span)
        self._facts[id(made)] = (made, Facts(frozenset(), ONE, 1, 1))
        return made

    def local(self, symbol: Symbol, span: Span) -> Expression:
        """Return what reads a symbol."""
        return self.make(typed.Local(symbol, symbol.type, span))

    def looked_up(
        self, name: str, type_: ArrayType, values: Iterable[Value], indices: tuple[Expression, ...], span: Span
    ) -> Expression:
        """Return an element of a table that the language needs; it is made once, and known by a name of its own."""
        if name not in self.tables:
            self.tables[name] = typed.Table(name, type_, tuple(values), span)
        return self.make(typed.TableRead(self.tables[name], indices, type_.element, span))

    def full_set(self, type_: ScalarType, span: Span) -> Constant:
        """Return the set of all values of a type, which is made once however often it is written."""
        self.limit_set(span, type_)
        self.names.whole_types.add(type_)
        if type_ not in self._full_sets:
            try:
                self.evaluator.count_steps(size(type_))
            except LimitExceeded:
                self.fail_once(
                    span, "the constant sets of this game take too much memory", "use fewer and smaller types"
                )
            self._full_sets[type_] = frozenset(codes(type_))
        return self.constant(self._full_sets[type_], SetType(type_), span)

    def limit_set(self, span: Span, element: ScalarType) -> None:
        """Report a type of which a set could have too many members."""
        if size(element) > MAX_SET:
            self.fail(span, f"a set of {size(element)} possible members is too large; the limit is {MAX_SET}")

    def limit_binders(self, span: Span, count: int, what: str, limit: int = MAX_BINDERS) -> None:
        """Report a construct that binds too many names."""
        if count > limit:
            hint = (
                "draw one after the other, in a phase that comes again until all is drawn" if what == "draws" else None
            )
            self.fail(span, f"{count} {what} are too many; the limit is {limit}", hint)

    def facts(self, expression: Expression) -> Facts:
        """Return what is known of an expression."""
        known = self._facts.get(id(expression))
        if known is None:
            known = (expression, self._find_facts(expression))
            self._facts[id(expression)] = known
        return known[1]

    def function_facts(self, function: Function) -> Facts:
        """Return what is known of a function's body."""
        known = self._function_facts.get(function)
        if known is None:
            known = self._function_facts[function] = self.facts(function.body)
        return known

    def _find_facts(self, expression: Expression) -> Facts:
        free: frozenset[Symbol] | None = frozenset() if type(expression) in FOLDABLE else None
        cost, depth, nodes = ONE, 0, 1
        for part in parts(expression):
            inner = self.facts(part)
            free = None if free is None or inner.free is None else free | inner.free
            cost, depth, nodes = cost + inner.cost, max(depth, inner.depth), nodes + inner.nodes
        if isinstance(expression, typed.Local):
            free = frozenset([expression.symbol]) if expression.symbol.kind == "bound" else None
        elif isinstance(expression, typed.Call):
            body = self.function_facts(expression.function)
            free = None if body.free is None or body.free - set(expression.function.arguments) else free
            is_kept = self.values_kept(expression.function) is not None
            cost += of_kept(expression.function, body.cost) if is_kept else body.cost
            depth = max(depth, body.depth)
        elif isinstance(expression, typed.Quantifier | typed.Aggregate | typed.Comprehension):
            free = None if free is None else free - {binder.symbol for binder in expression.binders}
            cost = self.cost_of_bindings(expression.binders, inside(expression))
        elif isinstance(expression, typed.ArrayOf):
            free = None if free is None else free - {expression.binder}
        elif isinstance(expression, typed.Reach):
            cost = cost.more(of_search(expression))
            if isinstance(expression.steps, typed.ArrayOf):  # evaluated for each value that is reached
                cost += self.facts(expression.steps).cost.times(size(cast("SetType", expression.sources.type).element))
        cost = cost.more(of_sets(expression))
        return Facts(free, cost, depth + 1, nodes)

    def longest_work(self, payoff: Iterable[Expression]) -> float:
        """Return the work of the longest transition, and of a payoff: see `typed.Game.work`."""
        return self.work + sum(self.combinations(self.cost(part)) for part in payoff)

    def cost(self, expression: Expression | None) -> Cost:
        """Return what evaluating an expression costs; None is nothing."""
        return NOTHING if expression is None else self.facts(expression).cost

    def combinations(self, cost: Cost) -> float:
        """Return how many combinations of values an evaluation may run through, what is kept counted once."""
        if cost.kept is None:
            return cost.direct
        once = cost.once
        for function in cost.kept:
            once += (self.values_kept(function) or 1) * self.function_facts(function).cost.once
        return min(cost.direct, once)

    def values_kept(self, function: Function) -> int | None:
        """Return for how many values of its argument a function's result is kept in play; None: it is not."""
        if function not in self._values_kept:
            self._values_kept[function] = kept_values(function)
        return self._values_kept[function]

    def cost_of_bindings(self, binders: Iterable[typed.Binder], evaluated: Iterable[Expression | None]) -> Cost:
        """Return the cost of a nest of binders: each domain is evaluated once for every binding of those before it.

        Args:
            binders: from the outermost to the innermost.
            evaluated: what is evaluated for every binding of all of them; None is nothing.
        """
        bindings, cost = 1.0, NOTHING
        for binder in binders:
            cost += sum(map(self.cost, parts(binder)), ONE).times(bindings)
            bindings *= self._most_bound(binder)
        return cost + sum(map(self.cost, evaluated), ONE).times(bindings)

    def _most_bound(self, binder: typed.Binder) -> float:
        """Return how many values a binder has at most, on average over those of the binders before it."""
        values, place = float(domain_size(binder.domain)), self.places_in_subsets.get(binder.symbol, 0)
        if place == 0:
            return values
        # the largest value has none that is larger: of n values, n - 1 can come second
        return max(1.0, (values + 1 - place) / (place + 1))


def many(number: float) -> str:
    """Return a large number as text."""
    return f"{number:,.0f}" if number < 1e16 else f"{number:.0e}"
