"""Plans how an action of a kind is drawn at random: its candidates, and the tests that they must pass.

A *candidate* is a combination of values of a kind's components. Where the rules list only the values that pass a
costly test, as in `b in {t in reached(a): safe(a, t)}` or `where safe(a, b)`, the test is taken out of the domain:
then only the few candidates that are drawn are tested, and not all of them. Memberships go the other way, from the
conditions into the domains.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.text.source import Span
from ggp.language.typed.types import BOOL, ScalarType, SetType, codes, size
from ggp.language.typed.walk import EXPRESSIONS, symbols_read
from ggp.language.typed.work import work
from ggp.rules_compiler.rewrite.memberships import together, within
from ggp.rules_compiler.rewrite.opened import substituted
from ggp.rules_compiler.size import can_fail, conjuncts, mentions

LABORIOUS_WORK = 40
"""Conditions with at least this many operations are taken out of domains."""
MAX_ROWS = 400
MAX_TABLE_WORDS = 4_096
"""Largest number of rows and of words of a table of candidates."""


class Plan(Struct, frozen=True):
    """How the candidates of a kind are drawn.

    Attributes:
        kind: the kind, its domains without costly tests.
        table: the place of the component whose sets lie in a table; None without a table.
        gates: conditions that must hold for there to be any candidate; they read no component.
        row_tests: conditions that must hold for a row of the table; they read only components before it.
        tests: the conditions that a candidate must satisfy.
        whole: the places of components that are drawn from larger sets than their domains.
    """

    kind: typed.ActionKind
    table: int | None
    gates: tuple[typed.Expression, ...]
    row_tests: tuple[typed.Expression, ...]
    tests: tuple[typed.Expression, ...]
    whole: frozenset[int]

    @property
    def most(self) -> int:
        """The number of candidates that there can be."""
        return prod(size(component.type) for component in self.kind.components)

    @property
    def listing_work(self) -> int:
        """Approximate number of operations to list the legal actions."""
        domains = [component.domain for component in self.kind.components if type(component.domain) in EXPRESSIONS]
        parts = (*self.tests, *self.row_tests, *domains)
        return self.most * (1 + sum(work(cast("typed.Expression", part)) for part in parts))

    @property
    def exact(self) -> bool:
        """Whether every candidate is legal."""
        return not self.tests and not self.whole


def planned(kind: typed.ActionKind) -> Plan:
    """Return how a kind's candidates are drawn."""
    kind, tests = _loosened(kind)
    components = kind.components
    table: int | None = None
    whole: set[int] = set()
    for place, component in enumerate(components):
        if not reads(component.domain, components):
            continue
        rows = prod(size(before.type) for before in components[:place])
        words = rows * (1 + len(components) + set_words(component.type))
        if not whole and table is None and rows <= MAX_ROWS and words <= MAX_TABLE_WORDS:
            table = place
        else:
            whole.add(place)
    gates, row_tests, others = [], [], []
    for test in tests:
        if not can_fail(test) and not reads(test, components) and (components or work(test) < LABORIOUS_WORK):
            gates.append(test)
        elif not can_fail(test) and table is not None and not reads(test, components[table:]):
            row_tests.append(test)
        else:
            others.append(test)
    return Plan(kind, table, tuple(gates), tuple(row_tests), tuple(others), frozenset(whole))


def reads(node: object, components: Sequence[typed.Component]) -> bool:
    """Return whether an expression or domain depends on any of some components."""
    if isinstance(node, tuple):
        return any(reads(part, components) for part in node)
    if not isinstance(node, EXPRESSIONS):
        return False
    expression = cast("typed.Expression", node)
    read = symbols_read(expression)
    return any(mentions(component.local, expression) or component.local in read for component in components)


def _loosened(kind: typed.ActionKind) -> tuple[typed.ActionKind, list[typed.Expression]]:
    """Return a kind with wider domains, and the conditions that its candidates must satisfy besides."""
    components, tests = [], []
    for component in kind.components:
        domain, taken = _peeled(component)
        tests += taken
        components.append(replace(component, domain=domain))
    tests += conjuncts(kind.where)
    kept = []
    for test in tests:
        found = _membership(test, components)
        if found is None:
            kept.append(test)
            continue
        component, members = found
        components = _behind(component, members, components)
        place = components.index(component)
        components[place] = replace(component, domain=_narrowed(component, members))
    return replace(kind, components=tuple(components), where=None), kept


def _membership(
    test: typed.Expression, components: Sequence[typed.Component]
) -> tuple[typed.Component, typed.Expression] | None:
    """Return the component that a condition requires to be in a set, and the set; None for other conditions."""
    if can_fail(test):
        return None
    for component in components:
        members = within(test, component.local)
        if members is None or members.type != SetType(component.type) or component.local.type != component.type:
            continue
        whole = isinstance(component.domain, ScalarType) or component.domain.type == members.type
        order = _behind(component, members, components)
        if whole and not reads(members, order[order.index(component) :]):
            return component, members
    return None


def _behind(
    component: typed.Component, members: typed.Expression, components: Sequence[typed.Component]
) -> list[typed.Component]:
    """Return components in an order in which one comes after those that a set depends on, if no other depends on it."""
    place = components.index(component)
    last = max((at for at, other in enumerate(components) if reads(members, [other])), default=-1)
    if last <= place or any(other.together > 1 or reads(other.domain, [component]) for other in components):
        return list(components)
    return [*components[:place], *components[place + 1 : last + 1], component, *components[last + 1 :]]


def _narrowed(component: typed.Component, members: typed.Expression) -> typed.Expression:
    """Return the values of a component's domain that are in a set."""
    if isinstance(component.domain, ScalarType):
        return members
    if isinstance(component.domain, typed.Constant) and component.domain.value == frozenset(codes(component.type)):
        return members
    return typed.SetOperation("intersection", component.domain, members, members.type, members.span)


def _peeled(component: typed.Component) -> tuple[ScalarType | typed.Expression, list[typed.Expression]]:
    """Return a wider domain of a component, and the conditions under which its values are in the domain itself."""
    if isinstance(component.domain, ScalarType):
        return component.domain, []
    type_ = SetType(component.type)
    value = typed.Local(component.local, component.type, component.domain.span)
    return _widened(component.domain, type_, value)


def _widened(
    domain: typed.Expression, type_: SetType, value: typed.Local
) -> tuple[typed.Expression, list[typed.Expression]]:
    """Return a set that contains another, and the conditions under which its values are in the other."""
    if domain.type != type_:
        return domain, []
    match domain:
        case typed.Comprehension(binders=(binder,), condition=condition) if condition is not None:
            within = _whole_domain(domain, binder, type_)
            if within is not None and work(condition) >= LABORIOUS_WORK:
                return within, [substituted(test, {binder.symbol: value}) for test in conjuncts(condition)]
        case typed.SetOperation(operator="union", left=left, right=right):
            wide_left, of_left = _widened(left, type_, value)
            wide_right, of_right = _widened(right, type_, value)
            if of_left or of_right:
                sides = ((wide_left, of_left), (wide_right, of_right))
                tests = [_all_of([typed.Member(value, wide, BOOL, value.span), *of], value.span) for wide, of in sides]
                either = together("or", sorted(tests, key=work))
                return replace(domain, left=wide_left, right=wide_right), [either] if either else []
        case typed.If(condition=condition, then=then, otherwise=otherwise):
            wide_then, of_then = _widened(then, type_, value)
            wide_otherwise, of_otherwise = _widened(otherwise, type_, value)
            if of_then or of_otherwise:
                then, otherwise = _all_of(of_then, domain.span), _all_of(of_otherwise, domain.span)
                test = typed.If(condition, then, otherwise, BOOL, domain.span)
                return replace(domain, then=wide_then, otherwise=wide_otherwise), [test]
    return domain, []


def _whole_domain(node: typed.Comprehension, binder: typed.Binder, type_: SetType) -> typed.Expression | None:
    """Return the set S of a comprehension `{t in S: condition}`; None for other expressions."""
    if not isinstance(node.element, typed.Local) or node.element.symbol is not binder.symbol:
        return None
    if isinstance(binder.domain, tuple):
        return None
    if isinstance(binder.domain, ScalarType):
        whole = typed.Constant(frozenset(codes(binder.domain)), type_, node.span)
        return whole if binder.domain == type_.element else None
    return binder.domain if binder.domain.type == type_ else None


def _all_of(tests: Sequence[typed.Expression], span: Span) -> typed.Expression:
    """Return whether all of some conditions hold."""
    return together("and", tests) or typed.Constant(1, BOOL, span)
