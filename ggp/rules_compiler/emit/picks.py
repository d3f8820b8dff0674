"""Random choices and draws: straight from sets where possible, without listing the legal actions.

A kind of action is drawn from its candidates (`rewrite.candidates`). Where the domain of one component
depends on those before it, the sets that it takes are kept in a table, one row for each combination before it, and
further dependent domains are drawn from all values of their type. What is drawn counts only if it is legal, so every
legal action is equally likely; after some tries the legal actions are listed instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression, Name
from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import lowest, size
from ggp.rules_compiler.emit.bits import kth_known, kth_member, member_count
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import (
    Choice,
    absent_code,
    binders_of,
    counting_function,
    finding_function,
    take_apart,
)
from ggp.rules_compiler.emit.dispatch import condition
from ggp.rules_compiler.emit.loops import for_each
from ggp.rules_compiler.emit.memory import laid_out
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, flat
from ggp.rules_compiler.emit.random_values import below, draw_subset, draw_value
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.emit.value_names import bits_in_memory
from ggp.rules_compiler.rewrite.candidates import Plan, planned
from ggp.rules_compiler.size import known_codes, mentions, node_count

TRIES = 16
"""Candidates are drawn this often before all legal actions are listed;"""
TRIES_OF_ALL_VALUES = 48
"""this often if a dependent domain is drawn from all values of its type."""
LISTED_WORK = 2_000
"""Legal actions that take at most this many operations to list are counted, and no draw is rejected."""
MAX_TEST_NODES = 40
"""Conditions of up to this many nodes are tested if actions are drawn from a word of bits."""
MAX_CANDIDATES = 1 << 20
"""Largest number for several kinds together, such that dividing 32 random bits among them has no visible bias."""


class Targets(Struct, frozen=True):
    """The names that receive a choice.

    Attributes:
        names: for each kind, the names for the components' values.
        kind: the name for the number of the kind, if there are several.
        dead_end: writes the code for a state without a legal action.
    """

    names: Sequence[Sequence[Name]]
    kind: Name
    dead_end: Callable[[], None]


def pick(b: Builder, choice: Choice, targets: Targets) -> None:
    """Write a uniformly random choice; the chooser's binder is bound."""
    kinds = choice.chooser.kinds
    if len(kinds) == 1 and _pick_directly(b, kinds[0], targets):
        return
    plans = [planned(kind) for kind in kinds]
    too_many = len(kinds) > 1 and sum(plan.most for plan in plans) > MAX_CANDIDATES
    exact = all(plan.exact for plan in plans)
    little = sum(plan.listing_work for plan in plans) <= LISTED_WORK
    single = all(len(kind.components) <= 1 for kind in kinds)  # then all counts are sizes of sets
    if too_many or (single if exact else little):
        _pick_of_all(b, choice, targets)
        return
    names = [
        [of_kind[[one.symbol for one in kind.components].index(component.symbol)] for component in plan.kind.components]
        for kind, plan, of_kind in zip(kinds, plans, targets.names, strict=True)
    ]
    found = _Drawing(b, plans, replace(targets, names=names)).write()
    with b.when(ir.negation(found)):
        _pick_of_all(b, choice, targets)


def _pick_directly(b: Builder, kind: typed.ActionKind, targets: Targets) -> bool:
    """Write the choice from one domain, or from several of fixed size; return whether that can be done."""
    if kind.where is not None:
        return False
    if kind.components and kind.components[0].together == len(kind.components) > 1:
        draw_subset(b, kind.components[0], targets.names[0], targets.dead_end)
        return True
    known = [known_codes(component.domain) for component in kind.components]
    if len(known) > 1 and any(values is None for values in known):
        return False
    for component, values, name in zip(kind.components, known, targets.names[0], strict=True):
        draw_value(b, component, values, name, targets.dead_end)
    return True


def drawn_in_word(b: Builder, choice: Choice, dead_end: Callable[[], None]) -> Expression | None:
    """Return the number of a random action among few, such as fold, call and raise, drawn as a bit of a word.

    This avoids jumps that could not be predicted; if an action's kind and components are needed, they come anyway. None
    if there are too many actions, or their conditions are too long.
    """
    first = choice.blocks[0].base
    if choice.blocks[-1].base + choice.blocks[-1].count - first > 64:
        return None
    actions: list[tuple[typed.Expression | None, int]] = []
    for kind, block in zip(choice.chooser.kinds, choice.blocks, strict=True):
        known = [known_codes(component.domain) for component in kind.components]
        if len(known) > 1 or any(codes is None for codes in known):
            return None
        if kind.where is not None:
            depends = any(mentions(component.local, kind.where) for component in kind.components)
            if depends or node_count(kind.where) > MAX_TEST_NODES:
                return None
        values = [[code] for code in known[0] or ()] if known else [[]]
        actions.append((kind.where, sum(1 << (block.encode(value) - first) for value in values)))
    legal = b.start("legal", 0)
    for test, mask in actions:
        b.include(legal, ir.chosen(condition(b, test), ir.word(mask), 0))
    count = b.assign(ir.operation("popcount", legal), "count")
    with b.when(ir.equal(count, 0)):
        dead_end()
    return ir.add(ir.operation("nth_bit", legal, below(b, count)), first)


# --- candidates -------------------------------------------------------------------------------------------------------


class _Candidates(Struct, frozen=True):
    """The candidates of a kind before the first draw.

    Attributes:
        plan: how they are drawn.
        count: their number; those drawn from all values of their type count for all of these.
        sets: the domains that are sets and the same for all candidates, by the components' places, and their sizes.
        rows: the table.
        in_rows: the number of candidates in it.
    """

    plan: Plan
    count: Name
    sets: dict[int, tuple[Bits, Name]]
    rows: Name | None
    in_rows: Name | None


class _Drawing:
    """The draw of one action while it is written."""

    def __init__(self, b: Builder, plans: Sequence[Plan], targets: Targets) -> None:
        self.b = b
        self.plans = plans
        self.targets = targets
        self.found = b.start("found", ir.FALSE)

    def write(self) -> Name:
        """Write the draw; return the name that says whether a legal action was found."""
        b = self.b
        for plan, of_kind in zip(self.plans, self.targets.names, strict=True):
            for component, name in zip(plan.kind.components, of_kind, strict=True):
                b.set(name, absent_code(component))
        candidates = [self._candidates(plan) for plan in self.plans]
        total = b.assign(ir.total(some.count for some in candidates), "total")
        tries = TRIES_OF_ALL_VALUES if any(plan.whole for plan in self.plans) else TRIES
        if all(plan.exact for plan in self.plans):
            tries = 1
        with b.when(ir.compare("greater", total, 0)), b.repeat(b.fresh("attempt"), 0, tries):
            self._write_try(candidates, total)
        return self.found

    def _candidates(self, plan: Plan) -> _Candidates:
        """Write what can be computed of a kind's candidates before the first draw."""
        b, components = self.b, plan.kind.components
        count = b.start("count", 0)
        rows, in_rows = None, None
        if plan.table is not None:
            rows = b.allocate("rows", _stride(plan) * prod(size(before.type) for before in components[: plan.table]))
            in_rows = b.start("in_rows", 0)
        sets: dict[int, tuple[list[Name], Name]] = {}
        own = range(0 if plan.table is None else plan.table + 1, len(components))
        for at in own:
            if at not in plan.whole and known_codes(components[at].domain) is None:
                sets[at] = [b.start("w", 0) for _ in range(set_words(components[at].type))], b.start("count", 0)
        with b.when(ir.conjunction(condition(b, gate) for gate in plan.gates)):
            if rows is not None and in_rows is not None:
                self._write_rows(plan, rows, in_rows)
            number: Expression = ir.ONE if in_rows is None else in_rows
            for at in own:
                component = components[at]
                known = known_codes(component.domain)
                if at in sets:
                    names, size_name = sets[at]
                    assert isinstance(component.domain, typed.Expression)
                    b.set_all(names, bits(b, component.domain).words)
                    b.set(size_name, member_count(Bits(tuple(names))))
                    number = ir.multiply(number, size_name)
                else:
                    number = ir.multiply(number, size(component.type) if known is None else len(known))
            b.set(count, number)
        laid = {
            at: (laid_out(b, Bits(tuple(names)), components[at].type), size_name)
            for at, (names, size_name) in sets.items()
        }
        return _Candidates(plan, count, laid, rows, in_rows)

    def _write_rows(self, plan: Plan, rows: Name, in_rows: Name) -> None:
        """Write the table; a row has the number of values of its component, the values before it, and their set."""
        b, at = self.b, plan.table
        assert at is not None
        components = plan.kind.components
        domain = components[at].domain
        assert isinstance(domain, typed.Expression)
        end = b.start("end", 0)

        def body() -> None:
            given = b.named_bits(bits(b, domain))
            members = b.assign(member_count(given), "count")
            with b.when(ir.compare("unequal", members, 0)):
                before = [flat(b.symbol(component.local))[0] for component in components[:at]]
                for place, value in enumerate([members, *before, *given.words]):
                    b.store(rows, ir.add(end, place), value)
                b.increase(end, _stride(plan))
                b.increase(in_rows, members)

        def tested() -> None:
            test = ir.conjunction(condition(b, row_test) for row_test in plan.row_tests)
            if test.constant != 0:
                with b.when(test):
                    body()

        for_each(b, binders_of(components[:at]), (domain, *plan.row_tests), tested)

    def _write_try(self, candidates: Sequence[_Candidates], total: Expression) -> None:
        b = self.b
        if len(candidates) == 1:
            self._write_kind(0, candidates[0])
            return
        rank = b.start("rank", below(b, total))
        for number in range(len(candidates)):
            through = ir.compare("less", rank, ir.total(before.count for before in candidates[: number + 1]))
            with b.arm(number, len(candidates) - 1, through):
                self._write_kind(number, candidates[number])

    def _write_kind(self, number: int, some: _Candidates) -> None:
        """Write the draw of a candidate of one kind, and leave the tries if it is legal."""
        environment = dict(self.b.environment)
        values = self._draw_row(some)
        for component, value in zip(some.plan.kind.components, values, strict=False):
            self.b.environment[component.local] = value
        self._draw_rest(number, some, values)
        self.b.environment = environment

    def _draw_row(self, some: _Candidates) -> list[Expression]:
        """Write the draw from the table; return the components' values up to the table's."""
        b, plan = self.b, some.plan
        if plan.table is None or some.rows is None or some.in_rows is None:
            return []
        component = plan.kind.components[plan.table]
        rank, row = b.start("k", below(b, some.in_rows)), b.start("row", 0)
        in_row = ir.entry(some.rows, row)
        with b.repeat_while(ir.compare("greater_equal", rank, in_row)):
            b.set(rank, ir.subtract(rank, in_row))
            b.increase(row, _stride(plan))
        drawn = [b.assign(ir.entry(some.rows, ir.add(row, 1 + place)), "drawn") for place in range(plan.table)]
        first = b.assign(ir.add(row, 1 + len(drawn)), "i")
        given = bits_in_memory(Memory(some.rows, first), set_words(component.type))
        value = b.assign(kth_member(given, component.type, rank), "drawn")
        return [*drawn, value]

    def _draw_rest(self, number: int, some: _Candidates, values: list[Expression]) -> None:
        b, plan = self.b, some.plan
        components = plan.kind.components
        at = len(values)
        if at == len(components):
            self._accept(number, some, values)
            return
        component = components[at]
        if at in plan.whole:
            assert isinstance(component.domain, typed.Expression)
            given = laid_out(b, b.named_bits(bits(b, component.domain)), component.type)
            k = b.start("k", below(b, size(component.type)))
            with b.when(ir.compare("less", k, member_count(given))):
                value = b.assign(kth_member(given, component.type, k), "drawn")
                b.environment[component.local] = value
                self._draw_rest(number, some, [*values, value])
            return
        if at in some.sets:
            given, count = some.sets[at]
            value = b.assign(kth_member(given, component.type, b.start("k", below(b, count))), "drawn")
        else:
            known = known_codes(component.domain) or [lowest(component.type)]
            drawn = ir.ZERO if len(known) == 1 else b.start("k", below(b, len(known)))
            value = ir.integer(known[0]) if len(known) == 1 else b.assign(kth_known(b, known, drawn), "drawn")
        b.environment[component.local] = value
        self._draw_rest(number, some, [*values, value])

    def _accept(self, number: int, some: _Candidates, values: list[Expression]) -> None:
        b = self.b

        def tested(tests: Sequence[typed.Expression]) -> None:
            if tests:
                test = condition(b, tests[0])
                if test.constant != 0:
                    with b.when(test):
                        tested(tests[1:])
                return
            b.set_all(self.targets.names[number], values)
            if len(self.plans) > 1:
                b.set(self.targets.kind, number)
            b.set(self.found, ir.TRUE)
            b.leave_loop()

        tested(some.plan.tests)


def _stride(plan: Plan) -> int:
    """Return the number of words of a row of the table."""
    assert plan.table is not None
    return 1 + plan.table + set_words(plan.kind.components[plan.table].type)


# --- legal actions ----------------------------------------------------------------------------------------------------


def _own(b: Builder, choice: Choice) -> list[Expression]:
    """Return the argument for the chooser's player, where there is one."""
    if choice.chooser.binder is None:
        return []
    value = b.symbol(choice.chooser.binder)
    assert not isinstance(value, (Bits, Elements, Memory))
    return [value]


def _pick_of_all(b: Builder, choice: Choice, targets: Targets) -> None:
    """Write the choice of one of all legal actions by its number."""
    own, count, n = _own(b, choice), counting_function(b.module, choice), b.fresh("count")
    b.call(count.name, [*own, *b.arguments(list(count.needs))], [n])
    with b.when(ir.equal(n, 0)):
        targets.dead_end()
    k, action = b.start("k", below(b, n)), b.fresh("action")
    find = finding_function(b.module, choice)
    b.call(find.name, [*own, k, *b.arguments(list(find.needs))], [action])
    take_apart(b, choice.blocks, action, targets.names, targets.kind)
