"""What changes in a transition: all right sides are computed before anything is changed, then all changes are made."""

from __future__ import annotations

from dataclasses import dataclass, field

from ggp.language import typed
from ggp.language.typed.types import ArrayType, array_length
from ggp.model.faults import FaultSite
from ggp.model.generate.bits import has_bit
from ggp.model.generate.builder import (
    Builder,
    Lines,
    MemoryNeed,
    StateNeed,
    bits_in_memory,
    flat,
    identifier,
    lives_in_names,
    names_for,
)
from ggp.model.generate.conversion import converted
from ggp.model.generate.dispatch import condition, operand
from ggp.model.generate.loops import for_each, fully_unrolled
from ggp.model.generate.memory import element_at, position, store
from ggp.model.generate.operands import Bits, Code, Elements, Memory, Operand, plus, times
from ggp.model.state_layout import element_words, type_words


@dataclass
class Changes:
    """The changes of one phase while they are written.

    `new_state` is where variables in memory go at once; None where the state is changed in place, so that changes wait
    until everything is computed.
    """

    b: Builder
    phase: typed.Phase
    kind_tests: dict[str, Code]
    new_state: str | None
    targets: list[typed.Variable] = field(default_factory=list)
    new_names: dict[typed.Variable, Operand] = field(default_factory=dict)
    destinations: dict[typed.Variable, Memory] = field(default_factory=dict)
    flags: dict[typed.Variable, Memory] = field(default_factory=dict)
    waiting: Lines = field(default_factory=list)
    beginnings: Lines = field(default_factory=list)
    depth: int = 0

    def write(self) -> None:
        """Write the computation of all changes, and then the changes."""
        b = self.b
        self.targets = list(dict.fromkeys(update.target for update in self.phase.updates))
        start, self.depth = len(b.lines), len(b.memos)
        for target in self.targets:
            self._prepare(target)
        for update in self.phase.updates:
            self._write_update(update)
        b.lines[start:start] = self.beginnings
        # what waits reads old values by their names, so it comes before these names get their new values
        b.lines.extend(self.waiting)
        for target in self.targets:
            if target in self.new_names:
                old = b.need(StateNeed(target))
                for name, new in zip(flat(old), flat(self.new_names[target]), strict=True):
                    b.emit(f"{name} = {new}")
            elif self.new_state is None and target in self.destinations:
                place = b.need(MemoryNeed(target))
                assert isinstance(place, Memory)
                store(b, place, self.destinations[target], target.type)
        b.forget_all()

    def _prepare(self, target: typed.Variable) -> None:
        b = self.b
        if lives_in_names(target.type):
            new = names_for(target.type, f"n_{identifier(target.name)}")
            self.new_names[target] = new
            for name, old in zip(flat(new), flat(b.need(StateNeed(target))), strict=True):
                b.emit(f"{name} = {old}")
        elif self.new_state is not None:
            self.destinations[target] = Memory(self.new_state, str(b.module.layout.offset[target]))
        elif self._in_loops(target):
            shadow = Memory(f"n_{identifier(target.name)}", "0")
            b.module.count_local_words(type_words(target.type))
            b.emit(f"{shadow.pointer} = local_words({type_words(target.type)})")
            place = b.need(MemoryNeed(target))
            assert isinstance(place, Memory)
            store(b, shadow, place, target.type)
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
        elements = array_length(target.type) if isinstance(target.type, ArrayType) else 1
        words = (elements + 63) // 64
        flags = Memory(b.fresh("assigned"), "0")
        b.module.count_local_words(words)
        b.emit(f"{flags.pointer} = local_words({words})")
        with b.block(f"for {b.fresh('at')} in range({words}):"):
            b.emit(f"{flags.pointer}[at{b.counter}] = 0")
        self.flags[target] = flags

    def _write_update(self, update: typed.Update) -> None:
        b = self.b
        test = self.kind_tests.get(update.kind, Code("False", 0, truth=True)) if update.kind else None

        def body() -> None:
            holds = condition(b, update.condition)
            if holds.constant == 0:
                return
            if holds.constant is not None:
                self._assign(update)
                return
            with b.block(f"if {holds.text}:"):
                self._assign(update)

        if test is None or test.constant == 1:
            for_each(b, update.binders, _parts(update), body)
        elif test.constant is None:
            with b.block(f"if {test.text}:"):
                for_each(b, update.binders, _parts(update), body)

    def _assign(self, update: typed.Update) -> None:
        b, target = self.b, update.target
        if update.indices:
            assert isinstance(target.type, ArrayType)
            at = position(b, target.type.indices, update.indices)
            at = at if at.isdigit() else b.assign(at, "i")
            value = converted(b, operand(b, update.value), update.value.type, target.type.element)
            self._note_assignment(update, at)
            self._assign_element(target, target.type, at, value)
            return
        value = converted(b, operand(b, update.value), update.value.type, target.type)
        elements = array_length(target.type) if isinstance(target.type, ArrayType) else 1
        for at_number in range(elements if target in self.flags else 0):
            self._note_assignment(update, str(at_number))
        if target in self.new_names:
            self._assign_names(flat(self.new_names[target]), value, target)
        elif target in self.destinations:
            store(b, self.destinations[target], value, target.type)
        else:
            assert isinstance(value, Bits)
            place = b.need(MemoryNeed(target))
            assert isinstance(place, Memory)
            self._wait([b.assign(word, "v") for word in value.words], place)

    def _assign_names(self, names: list[str], value: Operand, target: typed.Variable) -> None:
        b = self.b
        if isinstance(value, Memory):
            assert isinstance(target.type, ArrayType)
            items = [element_at(b, value, target.type, str(i)) for i in range(array_length(target.type))]
            value = Elements(tuple(item for item in items if isinstance(item, (Code, Bits))))
        for name, text in zip(names, flat(value), strict=True):
            b.emit(f"{name} = {text}")

    def _assign_element(self, target: typed.Variable, type_: ArrayType, at: str, value: Operand) -> None:
        b = self.b
        words = element_words(type_.element)
        if target in self.new_names:
            new = self.new_names[target]
            assert isinstance(new, Elements)
            if at.isdigit():
                self._assign_names(flat(new.items[int(at)]), value, target)
                return
            texts = [b.assign(text, "v") for text in flat(value)]
            for number, item in enumerate(new.items):
                with b.block(f"if {at} == {number}:"):
                    for name, text in zip(flat(item), texts, strict=True):
                        b.emit(f"{name} = {text}")
            return
        if target in self.destinations:
            place = self.destinations[target]
            store(b, Memory(place.pointer, plus(place.base, times(at, words))), value, type_.element)
            return
        home = b.need(MemoryNeed(target))
        assert isinstance(home, Memory)
        place = Memory(home.pointer, plus(home.base, times(at, words)))
        self._wait([b.assign(text, "v") for text in flat(value)], place)

    def _wait(self, texts: list[str], place: Memory) -> None:
        """Write values into memory after everything is computed, if this line is reached."""
        b = self.b
        lines = [f"{place.pointer}[{plus(place.base, str(i))}] = {text}" for i, text in enumerate(texts)]
        if len(b.memos) == self.depth:
            self.waiting.extend(lines)
            return
        due = b.fresh("due")
        self.beginnings.append(f"{due} = False")
        b.emit(f"{due} = True")
        self.waiting.append(f"if {due}:")
        self.waiting.append(list(lines))

    def _note_assignment(self, update: typed.Update, at: str) -> None:
        """Record a fault where the element was assigned before."""
        if update.target not in self.flags or update.exclusive:
            return
        b, flags = self.b, self.flags[update.target]
        elements = array_length(update.target.type) if isinstance(update.target.type, ArrayType) else 1
        words = bits_in_memory(flags, (elements + 63) // 64)
        reason = f"`{update.target.name}` is assigned twice in one transition"
        site = b.module.site(FaultSite("conflict", reason, update.span), None)
        with b.block(f"if {has_bit(b, words, at).text}:"):
            b.emit(f"fail(0, {site}, {b.fault})")
        if at.isdigit():
            b.emit(f"{flags.pointer}[{int(at) // 64}] |= bit({int(at) % 64})")
        else:
            b.emit(f"{flags.pointer}[{at} >> 6] |= bit({at} & 63)")


def _parts(update: typed.Update) -> tuple[typed.Expression | None, ...]:
    return (*update.indices, update.value, update.condition)
