"""Choices and draws at random: straight from sets where that can be done, without listing what is legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.language import typed
from ggp.language.typed.types import lowest
from ggp.model.generate.bits import kth_known, kth_member, member_count
from ggp.model.generate.builder import Builder, flat
from ggp.model.generate.choices import Choice, take_apart
from ggp.model.generate.dispatch import condition
from ggp.model.generate.loops import known_codes
from ggp.model.generate.memory import laid_out
from ggp.model.generate.operands import (
    Bits,
    Code,
)
from ggp.model.generate.sets import bits
from ggp.model.generate.size import mentions

REJECTIONS = 16
"""Random choices with a `where` are tried so often before all legal actions are counted."""


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
    if len(kinds) == 1 and _independent(kinds[0]):
        found = b.fresh("found")
        _pick_by_trying(b, kinds[0], names[0], found)
        with b.block(f"if not {found}:"):
            _pick_by_counting(b, choice, names, kind_name, dead_end)
        return
    _pick_by_counting(b, choice, names, kind_name, dead_end)


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


def _independent(kind: typed.ActionKind) -> bool:
    """Return whether no domain reads another component, so that combinations can be tried at random."""
    return all(
        not isinstance(component.domain, typed.Expression)
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
            assert isinstance(component.domain, typed.Expression)
            given = laid_out(b, b.named_bits(bits(b, component.domain)), component.type)
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
                row = kth_known(known or [], k)
                b.emit(f"{name} = {row if row is not None else b.module.known_value(known or [], k)}")
        environment = dict(b.environment)
        for component, name in zip(kind.components, names, strict=True):
            b.environment[component.local] = Code(name)
        test = condition(b, kind.where)
        with b.block(f"if {test.text}:"):
            b.emit(f"{found} = True")
            b.emit("break")
        b.environment = environment


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
