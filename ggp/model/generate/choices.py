"""What players can choose: listing, counting, finding the k-th, and taking actions apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ggp.language import typed
from ggp.language.typed.types import ArrayType, lowest, size
from ggp.model.faults import FaultSite
from ggp.model.generate.bits import has_bit, kth_known, kth_member, member_count
from ggp.model.generate.builder import Builder, flat, identifier, symbol_names
from ggp.model.generate.conversion import bounds
from ggp.model.generate.dispatch import code, integer
from ggp.model.generate.loops import for_each, for_each_where, known_codes
from ggp.model.generate.memory import laid_out, offset
from ggp.model.generate.operands import (
    Code,
    Elements,
    as_integer,
    is_name,
    none_of,
    plus,
    times,
    truth,
)
from ggp.model.generate.sets import bits
from ggp.model.numbering import Block


@dataclass(frozen=True, slots=True)
class Choice:
    """One chooser of a phase, with the numbers of its actions."""

    phase: typed.Phase
    place: int
    chooser: typed.Chooser
    blocks: tuple[Block, ...]

    @property
    def stem(self) -> str:
        """The end of the names of this chooser's functions."""
        several = len(self.phase.choosers) > 1
        return identifier(self.phase.name) + (f"_{self.place}" if several else "")


def choices_of(b: Builder, phase: typed.Phase) -> tuple[Choice, ...]:
    """Return the choosers of a phase."""
    blocks = b.module.layout.choice_blocks[b.module.layout.phase_index[phase.name]]
    return tuple(
        Choice(phase, place, chooser, of_chooser)
        for place, (chooser, of_chooser) in enumerate(zip(phase.choosers, blocks, strict=True))
    )


def acts(b: Builder, choice: Choice, player: str) -> Code:
    """Return whether a player acts in this chooser."""
    chooser = choice.chooser
    if chooser.actors is not None:
        return has_bit(b, bits(b, chooser.actors), player)
    assert chooser.actor is not None
    actor = code(b, chooser.actor)
    if is_name(as_integer(actor)) and actor.constant is not None and player.isdigit():
        return truth(actor.constant == int(player))
    return Code(f"{as_integer(actor)} == {player}", truth=True)


def add_actors(b: Builder, choice: Choice) -> None:
    """Write the players who act in this chooser into the mask `acting`; one who acts twice is a fault."""
    site = b.module.site(FaultSite("conflict", "a player acts twice in one phase", choice.chooser.span), None)
    if choice.chooser.actors is not None:
        mask = b.assign(bits(b, choice.chooser.actors).words[0], "mask")
    else:
        assert choice.chooser.actor is not None
        mask = b.assign(f"bit({integer(b, choice.chooser.actor)})", "mask")
    if choice.place > 0:
        with b.block(f"if acting & {mask} != 0:"):
            b.emit(f"fail(0, {site}, {b.fault})")
    b.emit(f"acting |= {mask}")


def check_actors(b: Builder, phase: typed.Phase) -> None:
    """Write a fault for where nobody acts, by the mask `acting`."""
    if not can_lack_actors(phase):
        return
    site = b.module.site(FaultSite("empty", f"nobody acts in phase `{phase.name}`", phase.choosers[0].span), None)
    with b.block("if acting == 0:"):
        b.emit(f"fail(0, {site}, {b.fault})")


def can_lack_actors(phase: typed.Phase) -> bool:
    """Return whether it may be that nobody acts in a phase."""
    return not any(
        chooser.actor is not None or (isinstance(chooser.actors, typed.Constant) and chooser.actors.value)
        for chooser in phase.choosers
    )


def can_act_twice(phase: typed.Phase) -> bool:
    """Return whether a player may act twice in a phase; known players who act beside others are different ones."""
    return len(phase.choosers) > 1 and not all(isinstance(chooser.actor, typed.Constant) for chooser in phase.choosers)


def binders_of(components: Sequence[typed.Component]) -> tuple[typed.Binder, ...]:
    """Return binders that run over the components' domains."""
    return tuple(typed.Binder(component.local, component.domain) for component in components)


def number_of(b: Builder, block: Block) -> str:
    """Return the number of the action whose components' values are bound."""
    text = "0"
    for component, type_, places in zip(block.components, block.types, block.places, strict=True):
        value = b.symbol(component.local)
        assert isinstance(value, Code)
        place = offset(as_integer(value), -lowest(type_))
        text = plus(times(text, size(type_)), place if places is None else b.module.known_value(places, place))
    return plus(text, str(block.base))


def each_action(b: Builder, kind: typed.ActionKind, body: Callable[[], None], binders: int | None = None) -> None:
    """Write `body` for each legal action of a kind; for the combinations of the first `binders` components alone."""
    components = kind.components if binders is None else kind.components[:binders]

    if binders is None:
        for_each_where(b, binders_of(components), kind.where, (), body)
    else:
        later = _domains(kind.components[binders:])
        for_each(b, binders_of(components), (kind.where, *later), body)


def _domains(components: Sequence[typed.Component]) -> list[typed.Expression]:
    return [
        component.domain for component in components if known_codes(component.domain) is None
        and isinstance(component.domain, typed.Expression)
    ]  # fmt: skip


def list_actions(b: Builder, choice: Choice) -> None:
    """Write all legal actions to `out`, their number to `n`."""
    for kind, block in zip(choice.chooser.kinds, choice.blocks, strict=True):

        def body(block: Block = block) -> None:
            b.emit(f"out[n] = {number_of(b, block)}")
            b.emit("n += 1")

        each_action(b, kind, body)


def countable(b: Builder, component: typed.Component) -> str:
    """Return how many values a component can take, given the components before it."""
    known = known_codes(component.domain)
    if known is not None:
        return str(len(known))
    assert isinstance(component.domain, typed.Expression)
    return member_count(bits(b, component.domain))


def count_actions(b: Builder, choice: Choice) -> None:
    """Write the number of legal actions to `n`."""
    for kind in choice.chooser.kinds:
        if kind.where is None and kind.components:
            last = len(kind.components) - 1
            each_action(b, kind, lambda kind=kind: b.emit(f"n += {countable(b, kind.components[-1])}"), last)  # type: ignore[misc]
        else:
            each_action(b, kind, lambda: b.emit("n += 1"))


def find_action(b: Builder, choice: Choice) -> None:
    """Write the return of the k-th legal action, counted from 0; `k` is the name of a parameter."""
    for kind, block in zip(choice.chooser.kinds, choice.blocks, strict=True):
        if kind.where is None and kind.components:
            last = len(kind.components) - 1
            each_action(b, kind, lambda kind=kind, block=block: _find_last(b, kind, block), last)  # type: ignore[misc]
            continue

        def body(block: Block = block) -> None:
            with b.block("if k == 0:"):
                b.emit(f"return {number_of(b, block)}")
            b.emit("k -= 1")

        each_action(b, kind, body)
    b.emit("return -1")


def _find_last(b: Builder, kind: typed.ActionKind, block: Block) -> None:
    component = kind.components[-1]
    known = known_codes(component.domain)
    if known is not None:
        count, value = str(len(known)), kth_known(known, "k")
    else:
        assert isinstance(component.domain, typed.Expression)
        given = laid_out(b, b.named_bits(bits(b, component.domain)), component.type)
        count, value = b.assign(member_count(given), "count"), kth_member(given, component.type, "k")
    with b.block(f"if k < {count}:"):
        if value is None:
            value = b.module.known_value(known or [], "k")
        with b.bound(component.local, Code(value)):
            b.emit(f"return {number_of(b, block)}")
    b.emit(f"k -= {count}")


def take_apart(
    b: Builder, blocks: Sequence[Block], action: str, names: Sequence[Sequence[str]], kind_name: str
) -> None:
    """Write an action's kind and the values of its components; those of other kinds get some value or none."""
    if len(blocks) == 1:
        _decode(b, blocks[0], action, names[0])
        return
    for block, of_kind in zip(blocks, names, strict=True):
        for component, name in zip(block.components, of_kind, strict=True):
            b.emit(f"{name} = {absent_code(component)}")
    for number, (block, of_kind) in enumerate(zip(blocks, names, strict=True)):
        if number == 0:
            header = f"if {action} < {block.base + block.count}:"
        elif number == len(blocks) - 1:
            header = "else:"
        else:
            header = f"elif {action} < {block.base + block.count}:"
        with b.block(header):
            b.emit(f"{kind_name} = {number}")
            _decode(b, block, action, of_kind)


def absent_code(component: typed.Component) -> int:
    """Return the code that a component has where its kind was not chosen."""
    if isinstance(component.symbol.type, ArrayType):
        none = none_of(component.symbol.type.element)
        if none is not None:
            return none
    return bounds(component.type)[0]


def _decode(b: Builder, block: Block, action: str, names: Sequence[str]) -> None:
    rest = offset(action, -block.base)
    unit = math.prod(size(type_) for type_ in block.types)
    for number, (type_, places, name) in enumerate(zip(block.types, block.places, names, strict=True)):
        unit //= size(type_)
        text = rest if unit == 1 else f"quotient({rest}, {unit})"
        if number > 0:
            text = f"remainder({text}, {size(type_)})"
        if places is not None:
            # where another kind of the same number has a text that this one has not, any value will do
            text = b.module.known_value(
                [max(0, places.index(at)) if at in places else 0 for at in range(size(type_))], text
            )
        b.emit(f"{name} = {offset(text, lowest(type_))}")


def component_names(choice: Choice, player: int | None) -> list[list[str]]:
    """Return the names that take the values of each kind's components; of one player where `each` acts."""
    names = []
    for kind in choice.chooser.kinds:
        operands = [symbol_names(component.symbol) for component in kind.components]
        names.append(
            [
                flat(operand.items[player] if isinstance(operand, Elements) and player is not None else operand)[0]
                for operand in operands
            ]
        )
    return names


def actor_of(b: Builder, choice: Choice) -> str:
    """Return the one player who acts, as a text that may be written more than once."""
    assert choice.chooser.actor is not None
    return b.assign(integer(b, choice.chooser.actor), "actor")
