"""The updates of a transition: all right sides are computed before anything is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Allocate, Assign, Block, Expression, If, Kind, Name, Statement, Store
from ggp.encoding.arrays_as_sets import values_of
from ggp.encoding.state_layout import element_words, type_words
from ggp.faults import FaultSite
from ggp.language import typed
from ggp.language.typed.types import ArrayType, array_length, codes
from ggp.rules_compiler.emit.bits import has_bit
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.conversion import converted, converted_code
from ggp.rules_compiler.emit.dispatch import condition, integer, operand
from ggp.rules_compiler.emit.loops import for_each, fully_unrolled
from ggp.rules_compiler.emit.memory import element_at, position, store
from ggp.rules_compiler.emit.module import StateNeed, identifier
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, Operand, element_of, flat
from ggp.rules_compiler.emit.sets import include_bit
from ggp.rules_compiler.emit.value_names import bits_in_memory, names_for, names_in, need_of, position_of


@dataclass
class Changes:
    """The changes of one phase while they are written.

    `new_state` is where variables in memory go at once; None where the state is changed in place, so that changes wait
    until everything is computed.
    """

    b: Builder
    phase: typed.Phase
    kind_tests: Mapping[str, Expression]
    new_state: Name | None
    targets: list[typed.Variable] = field(default_factory=list)
    new_names: dict[typed.Variable, Operand] = field(default_factory=dict)
    destinations: dict[typed.Variable, Memory] = field(default_factory=dict)
    flags: dict[typed.Variable, Name | Memory] = field(default_factory=dict)
    waiting: Block = field(default_factory=list)
    beginnings: Block = field(default_factory=list)
    depth: int = 0

    def write(self) -> None:
        """Write the computation of all changes, and then the changes."""
        b = self.b
        self.targets = list(dict.fromkeys(update.target for update in self.phase.updates))
        for kept in self.phase.kept:
            names = names_for(kept.symbol.type, f"k_{identifier(kept.symbol.name)}")
            if kept.kind is not None:
                b.set_all(names_in(names), [ir.ZERO] * len(names_in(names)))
            with b.when(self._chosen(kept.kind)):
                b.set_all(names_in(names), flat(operand(b, kept.value)))
            b.environment[kept.symbol] = names
        start, self.depth = len(b.body), len(b.memos)
        for target in self.targets:
            self._prepare(target)
        for kind, updates in groupby(self.phase.updates, lambda update: update.kind):
            self._write_updates(kind, list(updates))
        b.body[start:start] = self.beginnings
        # delayed changes read old values by their names, so they come before these names get their new values
        b.body.extend(self.waiting)
        for target in self.targets:
            if target in self.new_names:
                old = b.need(need_of(target))
                b.set_all(names_in(old), flat(self.new_names[target]))
            elif self.new_state is None and target in self.destinations:
                store(b, b.place_of(target), self.destinations[target], target.type)
        b.forget_all()

    def _prepare(self, target: typed.Variable) -> None:
        b = self.b
        need = need_of(target)
        if isinstance(need, StateNeed):
            new = names_for(target.type, f"n_{identifier(target.name)}")
            self.new_names[target] = new
            b.set_all(names_in(new), flat(b.need(need)))
        elif self.new_state is not None:
            self.destinations[target] = Memory(self.new_state, ir.integer(b.module.layout.offset[target]))
        elif self._in_loops(target):
            shadow = Memory(Name(f"n_{identifier(target.name)}", Kind.WORDS), ir.ZERO)
            b.module.count_local_words(type_words(target.type))
            b.add(Allocate(shadow.row, type_words(target.type)))
            store(b, shadow, b.place_of(target), target.type)
            self.destinations[target] = shadow
        updates = [update for update in self.phase.updates if update.target is target]
        alone = len(updates) == 1 and not updates[0].binders
        if not alone and any(not update.exclusive for update in updates):
            self._prepare_flags(target)

    def _in_loops(self, target: typed.Variable) -> bool:
        updates = [update for update in self.phase.updates if update.target is target]
        wide = isinstance(target.type, ArrayType) and any(not update.indices for update in updates)
        return wide or any(not fully_unrolled(self.b, update.binders, _parts(update)) for update in updates)

    def _prepare_flags(self, target: typed.Variable) -> None:
        b = self.b
        words = (self._elements(target) + 63) // 64
        if words == 1:
            self.flags[target] = b.start("assigned", 0)
            return
        flags = b.allocate("assigned", words)
        at = b.fresh("at")
        with b.repeat(at, 0, words):
            b.store(flags, at, 0)
        self.flags[target] = Memory(flags, ir.ZERO)

    def _elements(self, target: typed.Variable) -> int:
        type_ = self.b.module.arrays.get(target, target).type
        return array_length(type_) if isinstance(type_, ArrayType) else 1

    def _chosen(self, kind: str | None) -> Expression:
        return ir.TRUE if kind is None else self.kind_tests.get(kind, ir.FALSE)

    def _write_updates(self, kind: str | None, updates: Sequence[typed.Update]) -> None:
        """Write consecutive updates for one kind of action, which share what they compute."""
        test = self._chosen(kind)
        if test.constant != 0:
            with self.b.when(test):
                for update in updates:
                    self._write_update(update)

    def _write_update(self, update: typed.Update) -> None:
        b = self.b

        def body() -> None:
            holds = condition(b, update.condition)
            if holds.constant != 0:
                with b.when(holds):
                    self._assign(update)

        for_each(b, update.binders, _parts(update), body)

    def _change_word(self, target: typed.Variable, number: int, word: int, out: Expression, in_: Expression) -> None:
        """Write the change of a word of one of the sets that an array is kept as: bits taken out, and put in."""
        new = self.new_names.get(target)
        if isinstance(new, Elements):
            name = names_in(new.items[number])[word]
            self.b.set(name, ir.either(ir.without(name, out), in_))
            return
        assert isinstance(target.type, ArrayType)
        place = self.destinations.get(target) or self.b.place_of(target)
        place = place.at(number * element_words(target.type.element) + word)
        change = Store(place.row, place.base, ir.either(ir.without(place.entry(), out), in_))
        if target in self.destinations:
            self.b.add(change)
        else:
            self._wait([change])

    def _assign(self, update: typed.Update) -> None:
        b, target = self.b, update.target
        if target in b.module.arrays:
            self._assign_value(update, b.module.arrays[target])
            return
        if update.indices:
            assert isinstance(target.type, ArrayType)
            at = b.assign(position(b, target.type.indices, update.indices), "i")
            value = converted(b, operand(b, update.value), update.value.type, target.type.element)
            self._note_assignment(update, at)
            self._assign_element(target, target.type, at, value)
            return
        self._assign_whole(update)

    def _assign_value(self, update: typed.Update, array: typed.Variable) -> None:
        """Write the assignment to an element of an array that is kept as sets."""
        b, (place,) = self.b, update.indices
        assert isinstance(array.type, ArrayType)
        assert isinstance(update.target.type, ArrayType)
        code = b.assign(ir.as_integer(converted_code(b, update.value, array.type.element)), "v")
        at = b.assign(position_of(element_of(update.target.type.element), integer(b, place)), "i")
        self._note_assignment(update, at)
        words = element_words(update.target.type.element)
        for word in range(words):
            here = ir.TRUE if words == 1 else ir.equal(ir.operation("right", at, 6), word)
            bit = b.assign(ir.chosen(here, ir.bit(ir.both(at, 63) if words > 1 else at), 0), "bit")
            for number, one in enumerate(codes(values_of(array.type))):
                self._change_word(update.target, number, word, bit, ir.chosen(ir.equal(code, one), bit, 0))

    def _assign_whole(self, update: typed.Update) -> None:
        b, target = self.b, update.target
        value = converted(b, operand(b, update.value), update.value.type, target.type)
        elements = array_length(target.type) if isinstance(target.type, ArrayType) else 1
        for at_number in range(elements if target in self.flags else 0):
            self._note_assignment(update, ir.integer(at_number))
        if target in self.new_names:
            self._assign_names(self.new_names[target], value, target)
        elif target in self.destinations:
            store(b, self.destinations[target], value, target.type)
        else:
            assert isinstance(value, Bits)
            self._wait_to_store([b.assign(word, "v") for word in value.words], b.place_of(target))

    def _assign_names(self, names: Operand, value: Operand, target: typed.Variable) -> None:
        if isinstance(value, Memory):
            assert isinstance(target.type, ArrayType)
            items = [element_at(self.b, value, target.type, ir.integer(i)) for i in range(array_length(target.type))]
            value = Elements(tuple(items))
        self.b.set_all(names_in(names), flat(value))

    def _assign_element(self, target: typed.Variable, type_: ArrayType, at: Expression, value: Operand) -> None:
        b = self.b
        words = element_words(type_.element)
        if target in self.new_names:
            new = self.new_names[target]
            assert isinstance(new, Elements)
            if at.constant is not None:
                self._assign_names(new.items[int(at.constant)], value, target)
                return
            values = [b.assign(part, "v") for part in flat(value)]
            for number, item in enumerate(new.items):
                with b.when(ir.equal(at, number)):
                    b.set_all(names_in(item), values)
        elif target in self.destinations:
            store(b, self.destinations[target].at(ir.multiply(at, words)), value, type_.element)
        else:
            place = b.place_of(target).at(ir.multiply(at, words))
            self._wait_to_store([b.assign(part, "v") for part in flat(value)], place)

    def _wait_to_store(self, values: Sequence[Expression], place: Memory) -> None:
        self._wait([Store(place.row, ir.add(place.base, i), value) for i, value in enumerate(values)])

    def _wait(self, stores: Sequence[Statement]) -> None:
        """Write into memory after everything is computed, if this statement is reached."""
        b = self.b
        if len(b.memos) == self.depth:
            self.waiting.extend(stores)
            return
        due = b.fresh("due", Kind.BOOL)
        self.beginnings.append(Assign(due, ir.FALSE))
        b.set(due, ir.TRUE)
        self.waiting.append(If([(due, list(stores))]))

    def _note_assignment(self, update: typed.Update, at: Expression) -> None:
        """Record a fault where the element was assigned before."""
        if update.target not in self.flags or update.exclusive:
            return
        b, flags = self.b, self.flags[update.target]
        elements = self._elements(update.target)
        reason = f"`{update.target.name}` is assigned twice in one transition"
        site = b.module.site(FaultSite("conflict", reason, update.span), None)
        assigned = Bits((flags,)) if isinstance(flags, Name) else bits_in_memory(flags, (elements + 63) // 64)
        with b.when(has_bit(b, assigned, at)):
            b.fail(site)
        if isinstance(flags, Name):
            b.include(flags, ir.bit(at))
        else:
            include_bit(b, flags, at)


def _parts(update: typed.Update) -> tuple[typed.Expression | None, ...]:
    return (*update.indices, update.value, update.condition)
