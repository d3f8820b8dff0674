"""What players can choose: listing, counting, finding the k-th, drawing one at random, and taking actions apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ggp.language import typed
from ggp.language.types import ArrayType, ScalarType, lowest, size
from ggp.model.faults import FaultSite
from ggp.model.generate.builder import Builder, flat, identifier, symbol_names
from ggp.model.generate.expressions import bounds, code, condition, integer, offset
from ggp.model.generate.loops import for_each, known_codes
from ggp.model.generate.operands import (
    Bits,
    Code,
    Elements,
    as_integer,
    is_name,
    none_of,
    plus,
    times,
    truth,
)
from ggp.model.generate.sets import bits, has_bit, member_count
from ggp.model.generate.size import mentions
from ggp.model.layout import Block

REJECTIONS = 16
"""Random choices with a `where` are tried so often before all legal actions are counted."""


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
    """Write a fault for where nobody acts."""
    if all(chooser.actors is None for chooser in phase.choosers):
        return
    site = b.module.site(FaultSite("empty", f"nobody acts in phase `{phase.name}`", phase.choosers[0].span), None)
    with b.block("if acting == 0:"):
        b.emit(f"fail(0, {site}, {b.fault})")


# --- enumerating ------------------------------------------------------------------------------------------------------


def binders_of(components: Sequence[typed.Component]) -> tuple[typed.Binder, ...]:
    """Return binders that run over the components' domains."""
    return tuple(typed.Binder(component.local, component.domain) for component in components)


def number_of(b: Builder, block: Block) -> str:
    """Return the number of the action whose components' values are bound."""
    text = "0"
    for component in block.components:
        value = b.symbol(component.local)
        assert isinstance(value, Code)
        text = plus(times(text, size(component.type)), offset(as_integer(value), -lowest(component.type)))
    return plus(text, str(block.base))


def each_action(b: Builder, kind: typed.ActionKind, body: Callable[[], None], binders: int | None = None) -> None:
    """Write `body` for each legal action of a kind; for the combinations of the first `binders` components alone."""
    components = kind.components if binders is None else kind.components[:binders]

    def tested() -> None:
        test = condition(b, kind.where) if binders is None else truth(True)
        if test.constant is not None:
            if test.constant:
                body()
            return
        with b.block(f"if {test.text}:"):
            body()

    later = () if binders is None else tuple(_domains(kind.components[binders:]))
    for_each(b, binders_of(components), (kind.where, *later), tested)


def _domains(components: Sequence[typed.Component]) -> list[typed.Expression]:
    return [
        component.domain for component in components if known_codes(component.domain) is None
        and isinstance(component.domain, typed.Expression.__args__)
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
    assert isinstance(component.domain, typed.Expression.__args__)
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
        count, value = str(len(known)), _kth_known(component.type, known, "k")
    else:
        assert isinstance(component.domain, typed.Expression.__args__)
        given = b.named_bits(bits(b, component.domain))
        count, value = b.assign(member_count(given), "count"), kth_member(given, component.type, "k")
    with b.block(f"if k < {count}:"):
        if value is None:
            value = b.module.known_value(b, known or [], "k")
        with b.bound(component.local, Code(value)):
            b.emit(f"return {number_of(b, block)}")
    b.emit(f"k -= {count}")


def _kth_known(type_: ScalarType, known: list[int], k: str) -> str | None:
    """Return the k-th of some codes in a row; None where they are not in a row."""
    del type_
    if known and known[-1] - known[0] + 1 == len(known):
        return plus(k, str(known[0]))
    return None if known else k


def kth_member(given: Bits, type_: ScalarType, k: str) -> str:
    """Return the k-th member of a set, which has more than k."""
    low = lowest(type_)
    if len(given.words) == 1:
        return plus(f"nth_bit({given.words[0]}, {k})", str(low))
    if given.place is not None and len(given.words) > 4:
        text = f"nth_bit_of({given.place.pointer}, {given.place.base}, {len(given.words)}, {k})"
        return plus(text, str(low))
    text = "0"
    before = ""
    parts: list[tuple[str, str, str]] = []
    for number, word in enumerate(given.words):
        parts.append((word, before, str(64 * number + low)))
        before = f"{before} + popcount({word})" if before else f"popcount({word})"
    for number, (word, skipped, start) in reversed(list(enumerate(parts))):
        rank = f"{k} - ({skipped})" if skipped else k
        here = plus(f"nth_bit({word}, {rank})", start)
        if number == len(parts) - 1:
            text = here
        else:
            through = f"{skipped} + popcount({word})" if skipped else f"popcount({word})"
            text = f"({here} if {k} < {through} else {text})"
    return text


# --- drawing at random ------------------------------------------------------------------------------------------------


def pick(b: Builder, choice: Choice, names: Sequence[Sequence[str]], kind_name: str, dead_end: str) -> None:
    """Write a uniformly random choice.

    Args:
        b: the function being written; it has `rng`. The chooser's binder is bound.
        choice: the chooser.
        names: for each kind the names that take the components' values.
        kind_name: the name that takes the number of the kind, where there are several.
        dead_end: the line to write for where there is no legal action.
    """
    kinds = choice.chooser.kinds
    if len(kinds) == 1 and _pick_directly(b, kinds[0], names[0], dead_end):
        return
    if len(kinds) == 1 and _independent(kinds[0]):
        found = b.fresh("found")
        _pick_by_trying(b, kinds[0], names[0], found)
        with b.block(f"if not {found}:"):
            _pick_by_counting(b, choice, names, kind_name, dead_end)
        return
    _pick_by_counting(b, choice, names, kind_name, dead_end)


def _pick_directly(b: Builder, kind: typed.ActionKind, names: Sequence[str], dead_end: str) -> bool:
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
    b: Builder, component: typed.Component, known: list[int] | None, name: str, empty: str | Callable[[], None]
) -> None:
    """Write the draw of one component's value, uniformly; `empty` is written for where there is none."""

    def nothing() -> None:
        if isinstance(empty, str):
            b.emit(empty)
        else:
            empty()

    if known is not None:
        if not known:
            nothing()
            b.emit(f"{name} = {lowest(component.type)}")
            return
        if len(known) == 1:
            b.emit(f"{name} = {known[0]}")
            return
        drawn = f"below(rng, {len(known)})"
        row = _kth_known(component.type, known, drawn)
        b.emit(f"{name} = {row if row is not None else b.module.known_value(b, known, drawn)}")
        return
    assert isinstance(component.domain, typed.Expression.__args__)
    given = b.named_bits(bits(b, component.domain))
    count = b.assign(member_count(given), "count")
    with b.block(f"if {count} == 0:"):
        nothing()
    if len(given.words) == 1:
        b.emit(f"{name} = {kth_member(given, component.type, f'below(rng, {count})')}")
        return
    k = b.assign(f"below(rng, {count})", "k")
    b.emit(f"{name} = {kth_member(given, component.type, k)}")


def _independent(kind: typed.ActionKind) -> bool:
    """Return whether no domain reads another component, so that combinations can be tried at random."""
    return all(
        not isinstance(component.domain, typed.Expression.__args__)
        or not any(mentions(other.local, component.domain) for other in kind.components)
        for component in kind.components
    ) and bool(kind.components)


def _pick_by_trying(b: Builder, kind: typed.ActionKind, names: Sequence[str], found: str) -> None:
    """Write some tries of a random combination; the `where` decides. `found` says whether one was legal."""
    domains: list[tuple[list[int] | None, Bits | None, str]] = []
    for component, name in zip(kind.components, names, strict=True):
        known = known_codes(component.domain)
        given, count = None, str(len(known or []))
        if known is None:
            assert isinstance(component.domain, typed.Expression.__args__)
            given = b.named_bits(bits(b, component.domain))
            count = b.assign(member_count(given), "count")
        domains.append((known, given, count))
        b.emit(f"{name} = {lowest(component.type)}")
    b.emit(f"{found} = False")
    possible = " and ".join(f"{count} > 0" for _, _, count in domains if not count.isdigit() or count == "0")
    header = f"if {possible}:" if possible else "if True:"
    with b.block(header), b.block(f"for {b.fresh('attempt')} in range({REJECTIONS}):"):
        for component, name, (known, given, count) in zip(kind.components, names, domains, strict=True):
            k = b.assign(f"below(rng, {count})", "k") if count != "0" else "0"
            if given is not None:
                b.emit(f"{name} = {kth_member(given, component.type, k)}")
            else:
                row = _kth_known(component.type, known or [], k)
                b.emit(f"{name} = {row if row is not None else b.module.known_value(b, known or [], k)}")
        environment = dict(b.environment)
        for component, name in zip(kind.components, names, strict=True):
            b.environment[component.local] = Code(name)
        test = condition(b, kind.where)
        with b.block(f"if {test.text}:"):
            b.emit(f"{found} = True")
            b.emit("break")
        b.environment = environment


def _pick_by_counting(
    b: Builder, choice: Choice, names: Sequence[Sequence[str]], kind_name: str, dead_end: str
) -> None:
    count, find = b.module.choice_functions(choice)
    binder = choice.chooser.binder
    own = [] if binder is None else flat(b.symbol(binder))
    n = b.assign(f"{count.name}({', '.join([*own, *b.arguments(count.needs)])})", "count")
    with b.block(f"if {n} == 0:"):
        b.emit(dead_end)
    k = b.assign(f"below(rng, {n})", "k")
    action = b.assign(f"{find.name}({', '.join([*own, k, *b.arguments(find.needs)])})", "action")
    take_apart(b, choice.blocks, action, names, kind_name)


# --- taking apart -----------------------------------------------------------------------------------------------------


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
    below = 1
    places = []
    for component in reversed(block.components):
        places.append((component, below))
        below *= size(component.type)
    for number, ((component, unit), name) in enumerate(zip(reversed(places), names, strict=True)):
        text = rest if unit == 1 else f"quotient({rest}, {unit})"
        if number > 0:
            text = f"remainder({text}, {size(component.type)})"
        b.emit(f"{name} = {offset(text, lowest(component.type))}")


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
