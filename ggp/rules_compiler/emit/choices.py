"""What players can choose: listing, counting, finding the k-th, and taking actions apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression, Kind, Name
from ggp.encoding.numbering import Block
from ggp.faults import FaultSite
from ggp.language import typed
from ggp.language.typed.types import BOOL, ArrayType, lowest, size
from ggp.rules_compiler.emit.bits import has_bit, kth_known, kth_member, member_count
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.dispatch import code, integer
from ggp.rules_compiler.emit.loops import for_each, for_each_where
from ggp.rules_compiler.emit.memory import laid_out
from ggp.rules_compiler.emit.module import GameModule, Generated, identifier
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, bounds, none_of
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.emit.value_names import symbol_name
from ggp.rules_compiler.size import known_codes


class Choice(Struct, frozen=True):
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


PLAYER = Name("player", Kind.INT)
"""The parameter of functions about one player."""
COUNT = Name("n", Kind.INT)
"""The number of actions listed so far."""
OUT = Name("out", Kind.WORDS)
"""The row that receives the listed actions."""
ACTING = Name("acting", Kind.INT)
"""The mask of the players who act."""
RANK = Name("k", Kind.INT)
"""The number of the legal action to find."""


def choices_of(b: Builder, phase: typed.Phase) -> tuple[Choice, ...]:
    """Return the choosers of a phase."""
    blocks = b.module.layout.choice_blocks[b.module.layout.phase_index[phase.name]]
    return tuple(
        Choice(phase, place, chooser, of_chooser)
        for place, (chooser, of_chooser) in enumerate(zip(phase.choosers, blocks, strict=True))
    )


def acts(b: Builder, choice: Choice, player: ir.Given) -> Expression:
    """Return whether a player acts in this chooser."""
    chooser = choice.chooser
    if chooser.actors is not None:
        return has_bit(b, bits(b, chooser.actors), ir.given(player))
    assert chooser.actor is not None
    return ir.equal(code(b, chooser.actor), player)


def each_acting(b: Builder, phase: typed.Phase) -> Iterator[Choice]:
    """Yield the choosers of a phase in which `player` may act; what is then written is for the case that it does."""
    for choice in choices_of(b, phase):
        acting = acts(b, choice, PLAYER)
        if acting.constant != 0:
            with b.when(acting):
                if choice.chooser.binder is not None:
                    b.environment[choice.chooser.binder] = PLAYER
                yield choice


def add_actors(b: Builder, choice: Choice) -> None:
    """Add the players who act in this chooser to the mask `acting`; it is a fault if one acts twice."""
    site = b.module.site(FaultSite("conflict", "a player acts twice in one phase", choice.chooser.span), None)
    if choice.chooser.actors is not None:
        mask = b.assign(bits(b, choice.chooser.actors).words[0], "mask")
    else:
        assert choice.chooser.actor is not None
        mask = b.assign(ir.bit(integer(b, choice.chooser.actor)), "mask")
    if choice.place > 0:
        with b.when(ir.compare("unequal", ir.both(ACTING, mask), 0)):
            b.fail(site)
    b.set(ACTING, ir.either(ACTING, mask))


def check_actors(b: Builder, phase: typed.Phase) -> None:
    """Write a fault for the case that nobody acts, by the mask `acting`."""
    if not can_lack_actors(phase):
        return
    site = b.module.site(FaultSite("empty", f"nobody acts in phase `{phase.name}`", phase.choosers[0].span), None)
    with b.when(ir.equal(ACTING, 0)):
        b.fail(site)


def can_lack_actors(phase: typed.Phase) -> bool:
    """Return whether a phase may have nobody to act."""
    return not any(
        chooser.actor is not None or (isinstance(chooser.actors, typed.Constant) and chooser.actors.value)
        for chooser in phase.choosers
    )


def can_act_twice(phase: typed.Phase) -> bool:
    """Return whether a player may act twice in a phase; different constants are different players."""
    return len(phase.choosers) > 1 and not all(isinstance(chooser.actor, typed.Constant) for chooser in phase.choosers)


def binders_of(components: Sequence[typed.Component]) -> tuple[typed.Binder, ...]:
    """Return binders that run over the components' domains."""
    return tuple(typed.Binder(component.local, component.domain) for component in components)


def membership(component: typed.Component) -> typed.Expression | None:
    """Return the test whether a component's value is in its domain; None: every value of its type is."""
    if not isinstance(component.domain, typed.Expression):
        return None
    span = component.symbol.span
    return typed.Member(typed.Local(component.local, component.type, span), component.domain, BOOL, span)


def number_of(b: Builder, block: Block) -> Expression:
    """Return the number of the action whose components' values are bound."""
    number: Expression = ir.ZERO
    for component, type_, places in zip(block.components, block.types, block.places, strict=True):
        value = b.symbol(component.local)
        assert not isinstance(value, (Bits, Elements, Memory))
        value = ir.as_integer(value)
        if places is None:
            place = ir.add(value, -lowest(type_))
        else:
            place = b.module.known_value(places, ir.add(value, -lowest(component.type)))
        number = ir.add(ir.multiply(number, size(type_)), place)
    return ir.add(number, block.base)


def each_action(b: Builder, kind: typed.ActionKind, body: Callable[[], None], binders: int | None = None) -> None:
    """Write `body` for each legal action of a kind, or for the combinations of its first `binders` components."""
    if binders is None:
        for_each_where(b, binders_of(kind.components), kind.where, (), body)
    else:
        later = _domains(kind.components[binders:])
        for_each(b, binders_of(kind.components[:binders]), (kind.where, *later), body)


def _domains(components: Sequence[typed.Component]) -> list[typed.Expression]:
    return [
        component.domain for component in components if known_codes(component.domain) is None
        and isinstance(component.domain, typed.Expression)
    ]  # fmt: skip


def list_actions(b: Builder, choice: Choice) -> None:
    """Write all legal actions to `out`, their number to `n`."""
    for kind, block in zip(choice.chooser.kinds, choice.blocks, strict=True):

        def body(block: Block = block) -> None:
            b.store(OUT, COUNT, number_of(b, block))
            b.increase(COUNT, 1)

        each_action(b, kind, body)


def count_actions(b: Builder, choice: Choice) -> None:
    """Write the number of legal actions to `n`."""
    for kind in choice.chooser.kinds:
        if kind.where is None and kind.components:
            last = kind.components[-1]
            each_action(b, kind, lambda last=last: b.increase(COUNT, _countable(b, last)), len(kind.components) - 1)  # type: ignore[misc]
        else:
            each_action(b, kind, lambda: b.increase(COUNT, 1))


def _countable(b: Builder, component: typed.Component) -> Expression:
    """Return the number of values of a component, given the components before it."""
    known = known_codes(component.domain)
    if known is not None:
        return ir.integer(len(known))
    assert isinstance(component.domain, typed.Expression)
    return member_count(bits(b, component.domain))


def find_action(b: Builder, choice: Choice) -> None:
    """Write the return of the k-th legal action, counted from 0; `k` is the name of a parameter."""
    for kind, block in zip(choice.chooser.kinds, choice.blocks, strict=True):
        if kind.where is None and kind.components:
            last = len(kind.components) - 1
            each_action(b, kind, lambda kind=kind, block=block: _find_last(b, kind, block), last)  # type: ignore[misc]
            continue

        def body(block: Block = block) -> None:
            with b.when(ir.equal(RANK, 0)):
                b.leave(number_of(b, block))
            b.increase(RANK, -1)

        each_action(b, kind, body)
    b.leave(-1)


def _find_last(b: Builder, kind: typed.ActionKind, block: Block) -> None:
    component = kind.components[-1]
    known = known_codes(component.domain)
    if known is not None:
        count: Expression = ir.integer(len(known))
        value = kth_known(b, known, RANK)
    else:
        assert isinstance(component.domain, typed.Expression)
        given = laid_out(b, b.named_bits(bits(b, component.domain)), component.type)
        count, value = b.assign(member_count(given), "count"), kth_member(given, component.type, RANK)
    with b.when(ir.compare("less", RANK, count)), b.bound(component.local, value):
        b.leave(number_of(b, block))
    b.set(RANK, ir.subtract(RANK, count))


# --- functions of choosers --------------------------------------------------------------------------------------------


def counting_function(module: GameModule, choice: Choice) -> Generated:
    """Return the function that counts a chooser's legal actions."""

    def write(b: Builder) -> None:
        b.set(COUNT, 0)
        count_actions(b, choice)
        b.leave(COUNT)

    return _of_choice(module, choice, "count", (), write)


def finding_function(module: GameModule, choice: Choice) -> Generated:
    """Return the function that finds a chooser's k-th legal action."""
    return _of_choice(module, choice, "find", (RANK,), lambda b: find_action(b, choice))


def _of_choice(
    module: GameModule, choice: Choice, verb: str, parameters: Sequence[Name], write: Callable[[Builder], None]
) -> Generated:
    """Return a function about one chooser; its parameters are the chooser's player, some more, and its needs."""
    key = (verb, choice.phase.name, choice.place)
    if key not in module.written:
        b = Builder(module, module.unique(f"{verb}_{choice.stem}"))
        binder = choice.chooser.binder
        if binder is not None:
            b.environment[binder] = PLAYER
        write(b)
        player = [] if binder is None else [PLAYER]
        module.finish(b.name, [*player, *parameters, *b.parameters()], [Kind.INT], b.body)
        module.written[key] = Generated(b.name, b.needs)
    return module.written[key]


# --- taking apart -----------------------------------------------------------------------------------------------------


def take_apart(
    b: Builder, blocks: Sequence[Block], action: Expression, names: Sequence[Sequence[Name]], kind: Name
) -> None:
    """Write an action's kind and the values of its components; components of other kinds get any value, or none."""
    if len(blocks) == 1:
        _decode(b, blocks[0], action, names[0])
        return
    for block, of_kind in zip(blocks, names, strict=True):
        for component, name in zip(block.components, of_kind, strict=True):
            b.set(name, absent_code(component))
    for number, (block, of_kind) in enumerate(zip(blocks, names, strict=True)):
        below = ir.compare("less", action, block.base + block.count)
        with b.arm(number, len(blocks) - 1, below):
            b.set(kind, number)
            _decode(b, block, action, of_kind)


def absent_code(component: typed.Component) -> int:
    """Return the code of a component whose kind was not chosen."""
    if isinstance(component.symbol.type, ArrayType):
        none = none_of(component.symbol.type.element)
        if none is not None:
            return none
    return bounds(component.type)[0]


def _decode(b: Builder, block: Block, action: Expression, names: Sequence[Name]) -> None:
    rest = ir.add(action, -block.base)
    unit = math.prod(size(type_) for type_ in block.types)
    components = zip(block.components, block.types, block.places, names, strict=True)
    for number, (component, type_, places, name) in enumerate(components):
        unit //= size(type_)
        value = rest if unit == 1 else ir.operation("quotient", rest, unit)
        if number > 0:
            value = ir.operation("remainder", value, size(type_))
        low = lowest(type_)
        if places is not None:
            # if another kind of the same number has a text that this one lacks, any value will do
            known = [max(0, places.index(at)) if at in places else 0 for at in range(size(type_))]
            value, low = b.module.known_value(known, value), lowest(component.type)
        b.set(name, ir.add(value, low))


def component_names(choice: Choice, player: int | None) -> list[list[Name]]:
    """Return the names for the values of each kind's components; those of one player if `each` acts."""
    return [[symbol_name(component.symbol, player) for component in kind.components] for kind in choice.chooser.kinds]


def kind_name(choice: Choice, player: int | None) -> Name:
    """Return the name for the number of the chosen kind."""
    return Name(f"kind_{choice.place}" + ("" if player is None else f"_{player}"), Kind.INT)


def actor_of(b: Builder, choice: Choice) -> Expression:
    """Return the one player who acts, in a form that may be written more than once."""
    assert choice.chooser.actor is not None
    return b.assign(integer(b, choice.chooser.actor), "actor")
