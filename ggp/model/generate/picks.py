"""Choices and draws at random: straight from sets where that can be done, without listing what is legal.

A kind of action is drawn from its candidates (`ggp.model.generate.candidates`). Where the domain of one component
depends on those before it, the sets that it takes are kept in a table, one row for each combination before it, and
further dependent domains are drawn from all values of their type. What is drawn counts only if it is legal, so every
legal action is equally likely; after some tries the legal actions are listed instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from ggp.language import typed
from ggp.language.typed.types import lowest, size
from ggp.model.generate.bits import kth_known, kth_member, member_count
from ggp.model.generate.builder import Builder, bits_in_memory, flat
from ggp.model.generate.candidates import Plan, planned
from ggp.model.generate.choices import Choice, absent_code, binders_of, take_apart
from ggp.model.generate.dispatch import condition
from ggp.model.generate.loops import for_each, known_codes
from ggp.model.generate.memory import laid_out
from ggp.model.generate.operands import (
    Bits,
    Code,
    Memory,
    as_condition,
    as_integer,
    plus,
)
from ggp.model.generate.sets import bits
from ggp.model.state_layout import set_words

TRIES = 16
"""Candidates are drawn so often before all legal actions are counted;"""
TRIES_OF_ALL_VALUES = 48
"""so often where a dependent domain is drawn from all values of its type."""
LISTED_WORK = 2_000
"""Legal actions that can be listed with so few operations are listed, and none is drawn in vain."""
FEW_CANDIDATES = 6
"""So few candidates are listed rather than tried."""
MAX_LISTED = 4_096
"""Up to so many legal actions are listed; of more the k-th is found."""
MAX_CANDIDATES = 1 << 20
"""Of several kinds together: a random word of 32 bits divides among so many with no bias that could be seen."""


def pick(
    b: Builder, choice: Choice, names: Sequence[Sequence[str]], kind_name: str, dead_end: Callable[[], None]
) -> None:
    """Write a uniformly random choice.

    Args:
        b: the function being written; it has `rng`. The chooser's binder is bound.
        choice: the chooser.
        names: for each kind the names that take the components' values.
        kind_name: the name that takes the number of the kind, where there are several.
        dead_end: writes the lines for where there is no legal action.
    """
    kinds = choice.chooser.kinds
    if len(kinds) == 1 and _pick_directly(b, kinds[0], names[0], dead_end):
        return
    plans = [planned(kind) for kind in kinds]
    if len(kinds) > 1 and sum(plan.most for plan in plans) > MAX_CANDIDATES:
        _pick_by_counting(b, choice, names, kind_name, dead_end)
        return
    if sum(plan.listing_work for plan in plans) <= LISTED_WORK and not all(plan.exact for plan in plans):
        _pick_by_counting(b, choice, names, kind_name, dead_end)
        return
    found = _Drawing(b, plans, names, kind_name).write()
    if found is None:
        return
    with b.block(f"if not {found}:"):
        _pick_by_listing(b, choice, names, kind_name, dead_end)


def _pick_directly(b: Builder, kind: typed.ActionKind, names: Sequence[str], dead_end: Callable[[], None]) -> bool:
    """Write the choice from one domain, or from several of fixed size; return whether that can be done."""
    if kind.where is not None:
        return False
    known = [known_codes(component.domain) for component in kind.components]
    if len(known) > 1 and any(values is None for values in known):
        return False
    for component, values, name in zip(kind.components, known, names, strict=True):
        draw_value(b, component, values, name, dead_end)
    return True


def draw_value(
    b: Builder, component: typed.Component, known: list[int] | None, name: str, empty: Callable[[], None]
) -> None:
    """Write the draw of one component's value, uniformly; `empty` writes the lines for where there is none."""
    if known is not None:
        if not known:
            empty()
            b.emit(f"{name} = {lowest(component.type)}")
            return
        if len(known) == 1:
            b.emit(f"{name} = {known[0]}")
            return
        drawn = f"below(rng, {len(known)})"
        row = kth_known(known, drawn)
        b.emit(f"{name} = {row if row is not None else b.module.known_value(known, drawn)}")
        return
    assert isinstance(component.domain, typed.Expression)
    given = laid_out(b, b.named_bits(bits(b, component.domain)), component.type)
    count = b.assign(member_count(given), "count")
    with b.block(f"if {count} == 0:"):
        empty()
    if len(given.words) == 1:
        b.emit(f"{name} = {kth_member(given, component.type, f'below(rng, {count})')}")
        return
    k = b.assign(f"below(rng, {count})", "k")
    b.emit(f"{name} = {kth_member(given, component.type, k)}")


# --- candidates -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The candidates of a kind as they lie before the first draw.

    Attributes:
        plan: how they are drawn.
        count: their number, as text; those drawn from all values of their type count for all of these.
        drawn: for each component with a domain of its own the values known before play, or the set, and their number.
        rows: the table's memory, and the number of candidates in it; empty without a table.
    """

    plan: Plan
    count: str
    drawn: dict[int, tuple[list[int] | None, Bits | None, str]]
    rows: str
    in_rows: str


class _Drawing:
    """The draw of one action while it is written."""

    def __init__(self, b: Builder, plans: Sequence[Plan], names: Sequence[Sequence[str]], kind_name: str) -> None:
        self.b = b
        self.plans = plans
        self.names = names
        self.kind_name = kind_name
        self.found = b.fresh("found")

    def write(self) -> str | None:
        """Write the draw; return the name that says whether a legal action was found."""
        b = self.b
        candidates = [self._candidates(plan) for plan in self.plans]
        for plan, of_kind in zip(self.plans, self.names, strict=True):
            for component, name in zip(plan.kind.components, of_kind, strict=True):
                b.emit(f"{name} = {absent_code(component)}")
        b.emit(f"{self.found} = False")
        total = b.assign(" + ".join(some.count for some in candidates), "total")
        tries = TRIES_OF_ALL_VALUES if any(plan.whole for plan in self.plans) else TRIES
        least = FEW_CANDIDATES
        if all(plan.exact for plan in self.plans):
            tries, least = 1, 0
        with b.block(f"if {total} > {least}:"), b.block(f"for {b.fresh('attempt')} in range({tries}):"):
            self._write_try(candidates, total)
        return self.found

    def _candidates(self, plan: Plan) -> _Candidates:
        """Write what is known of a kind's candidates before the first draw."""
        b, components = self.b, plan.kind.components
        count = b.fresh("count")
        before = b.fresh("rows") if plan.table is not None else ""
        in_rows = b.fresh("in_rows") if plan.table is not None else ""
        if before:
            assert plan.table is not None
            words = self._stride(plan) * prod(size(component.type) for component in components[: plan.table])
            b.module.count_local_words(words)
            b.emit(f"{before} = local_words({words})")
            b.emit(f"{in_rows} = 0")
        drawn: dict[int, tuple[list[int] | None, Bits | None, str]] = {}
        places = range(0 if plan.table is None else plan.table + 1, len(components))
        sets = [at for at in places if at not in plan.whole and known_codes(components[at].domain) is None]
        b.emit(f"{count} = 0")
        holders: dict[int, tuple[list[str], str]] = {}
        for at in sets:
            holders[at] = [b.fresh("w") for _ in range(set_words(components[at].type))], b.fresh("count")
            for name in (*holders[at][0], holders[at][1]):
                b.emit(f"{name} = 0")

        def body() -> None:
            if plan.table is not None:
                self._write_rows(plan, before, in_rows)
            factors = [in_rows] if in_rows else []
            for at in places:
                component = components[at]
                known = known_codes(component.domain)
                if at in plan.whole:
                    factors.append(str(size(component.type)))
                elif known is not None:
                    factors.append(str(len(known)))
                else:
                    assert isinstance(component.domain, typed.Expression)
                    of_set, size_name = holders[at]
                    for name, word in zip(of_set, bits(b, component.domain).words, strict=True):
                        b.emit(f"{name} = {word}")
                    b.emit(f"{size_name} = {member_count(Bits(tuple(of_set)))}")
                    factors.append(size_name)
            b.emit(f"{count} = {' * '.join(factors) or '1'}")

        tests = [condition(b, gate) for gate in plan.gates]
        open_tests = [test for test in tests if test.constant is None]
        if not any(test.constant == 0 for test in tests):
            if open_tests:
                with b.block(f"if {' and '.join(f'({as_condition(test)})' for test in open_tests)}:"):
                    body()
            else:
                body()
        for at in places:
            known = known_codes(components[at].domain)
            if at in holders:
                of_set, size_name = holders[at]
                drawn[at] = (None, laid_out(b, Bits(tuple(of_set)), components[at].type), size_name)
            elif known is not None:
                drawn[at] = (known, None, str(len(known)))
        return _Candidates(plan, count, drawn, before, in_rows)

    def _stride(self, plan: Plan) -> int:
        assert plan.table is not None
        return 1 + plan.table + set_words(plan.kind.components[plan.table].type)

    def _write_rows(self, plan: Plan, rows: str, in_rows: str) -> None:
        """Write the table; a row has the number of values of its component, the values before it, and their set."""
        b, at = self.b, plan.table
        assert at is not None
        components = plan.kind.components
        component = components[at]
        end = b.fresh("end")
        b.emit(f"{end} = 0")

        def body() -> None:
            assert isinstance(component.domain, typed.Expression)
            given = b.named_bits(bits(b, component.domain))
            number = b.assign(member_count(given), "count")
            with b.block(f"if {number} != 0:"):
                b.emit(f"{rows}[{end}] = {number}")
                for place, before in enumerate(components[:at]):
                    value = b.symbol(before.local)
                    assert isinstance(value, Code)
                    b.emit(f"{rows}[{plus(end, str(1 + place))}] = {as_integer(value)}")
                for place, word in enumerate(given.words):
                    b.emit(f"{rows}[{plus(end, str(1 + at + place))}] = {word}")
                b.emit(f"{end} += {self._stride(plan)}")
                b.emit(f"{in_rows} += {number}")

        def tested() -> None:
            tests = [condition(b, test) for test in plan.row_tests]
            open_tests = [f"({as_condition(test)})" for test in tests if test.constant is None]
            if any(test.constant == 0 for test in tests):
                return
            if not open_tests:
                body()
                return
            with b.block(f"if {' and '.join(open_tests)}:"):
                body()

        for_each(b, binders_of(components[:at]), (component.domain, *plan.row_tests), tested)  # type: ignore[arg-type]

    def _write_try(self, candidates: Sequence[_Candidates], total: str) -> None:
        b = self.b
        if len(candidates) == 1:
            self._write_kind(0, candidates[0])
            return
        rank = b.assign(f"below(rng, {total})", "rank")
        for number, some in enumerate(candidates):
            if number == len(candidates) - 1:
                header = "else:"
            else:
                below = " + ".join(before.count for before in candidates[: number + 1])
                header = f"{'elif' if number else 'if'} {rank} < {below}:"
            with b.block(header):
                self._write_kind(number, some)

    def _write_kind(self, number: int, some: _Candidates) -> None:
        """Write the draw of a candidate of one kind, and leave the tries if it is legal."""
        plan, components = some.plan, some.plan.kind.components
        environment = dict(self.b.environment)
        values: list[str] = []
        if plan.table is not None:
            values += self._draw_row(some)
            for component, value in zip(components, values, strict=False):
                self.b.environment[component.local] = Code(value)
        self._draw_rest(number, some, values)
        self.b.environment = environment

    def _draw_row(self, some: _Candidates) -> list[str]:
        """Write the draw from the table; return the names of the components' values up to the table's."""
        b, plan = self.b, some.plan
        assert plan.table is not None
        component = plan.kind.components[plan.table]
        rank, row = b.fresh("k"), b.fresh("row")
        b.emit(f"{rank} = below(rng, {some.in_rows})")
        b.emit(f"{row} = 0")
        with b.block(f"while {rank} >= {some.rows}[{row}]:"):
            b.emit(f"{rank} -= {some.rows}[{row}]")
            b.emit(f"{row} += {self._stride(plan)}")
        values = [b.assign(f"{some.rows}[{plus(row, str(1 + place))}]", "drawn") for place in range(plan.table)]
        first = b.assign(plus(row, str(1 + plan.table)), "i")
        given = bits_in_memory(Memory(some.rows, first), set_words(component.type))
        return [*values, b.assign(kth_member(given, component.type, rank), "drawn")]

    def _draw_rest(self, number: int, some: _Candidates, values: list[str]) -> None:
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
            k = b.assign(f"below(rng, {size(component.type)})", "k")
            with b.block(f"if {k} < {member_count(given)}:"):
                value = b.assign(kth_member(given, component.type, k), "drawn")
                b.environment[component.local] = Code(value)
                self._draw_rest(number, some, [*values, value])
            return
        known, known_set, count = some.drawn[at]
        if known_set is not None:
            k = b.assign(f"below(rng, {count})", "k")
            value = b.assign(kth_member(known_set, component.type, k), "drawn")
        elif len(known or []) == 1:
            value = str((known or [])[0])
        else:
            k = b.assign(f"below(rng, {max(len(known or []), 1)})", "k")
            row = kth_known(known or [], k)
            value = b.assign(row if row is not None else b.module.known_value(known or [0], k), "drawn")
        b.environment[component.local] = Code(value, int(value) if value.lstrip("-").isdigit() else None)
        self._draw_rest(number, some, [*values, value])

    def _accept(self, number: int, some: _Candidates, values: list[str]) -> None:
        b = self.b

        def accept() -> None:
            for name, value in zip(self.names[number], values, strict=True):
                b.emit(f"{name} = {value}")
            if len(self.plans) > 1:
                b.emit(f"{self.kind_name} = {number}")
            b.emit(f"{self.found} = True")
            b.emit("break")

        def tested(tests: Sequence[typed.Expression]) -> None:
            if not tests:
                accept()
                return
            test = condition(b, tests[0])
            if test.constant == 0:
                return
            if test.constant is not None:
                tested(tests[1:])
                return
            with b.block(f"if {test.text}:"):
                tested(tests[1:])

        tested(some.plan.tests)


def _pick_by_listing(
    b: Builder, choice: Choice, names: Sequence[Sequence[str]], kind_name: str, dead_end: Callable[[], None]
) -> None:
    """Write the choice from a list of all legal actions, so that each is looked at once."""
    most = sum(block.count for block in choice.blocks)
    if most > MAX_LISTED:
        _pick_by_counting(b, choice, names, kind_name, dead_end)
        return
    listing = b.module.list_function(choice)
    listed = b.fresh("listed")
    b.module.count_local_words(most)
    b.emit(f"{listed} = local_words({most})")
    own = [] if choice.chooser.binder is None else flat(b.symbol(choice.chooser.binder))
    n = b.assign(f"{listing.name}({', '.join([listed, *own, *b.arguments(listing.needs)])})", "count")
    with b.block(f"if {n} == 0:"):
        dead_end()
    action = b.assign(f"{listed}[below(rng, {n})]", "action")
    take_apart(b, choice.blocks, action, names, kind_name)


def _pick_by_counting(
    b: Builder, choice: Choice, names: Sequence[Sequence[str]], kind_name: str, dead_end: Callable[[], None]
) -> None:
    count, find = b.module.choice_functions(choice)
    binder = choice.chooser.binder
    own = [] if binder is None else flat(b.symbol(binder))
    n = b.assign(f"{count.name}({', '.join([*own, *b.arguments(count.needs)])})", "count")
    with b.block(f"if {n} == 0:"):
        dead_end()
    k = b.assign(f"below(rng, {n})", "k")
    action = b.assign(f"{find.name}({', '.join([*own, k, *b.arguments(find.needs)])})", "action")
    take_apart(b, choice.blocks, action, names, kind_name)
