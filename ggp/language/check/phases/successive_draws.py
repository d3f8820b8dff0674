"""Draws that chance can make one after the other, and phases with so many of them that they are played in parts.

Whatever enumerates what chance can do needs a list of the outcomes of one transition, so these are limited. A phase
with more of them, such as one that throws fifteen dice, becomes several phases, each of which draws a part, keeps it in
variables of the state that no name reads, and tells what the rules tell of it. The last one does the rest, and clears
these variables. Nothing behind the checker knows of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ggp.language import typed
from ggp.language.check.checking import Checking
from ggp.language.check.costs import domain_size
from ggp.language.limits import MAX_ACTIONS, MAX_BINDERS, MAX_OUTCOMES, MAX_PART_OUTCOMES
from ggp.language.text.source import Span
from ggp.language.typed import (
    Chance,
    Component,
    Expression,
    Function,
    Kept,
    Phase,
    Sees,
    Symbol,
    Transfer,
    Update,
    Variable,
)
from ggp.language.typed.types import ScalarType, SetType, codes, lowest, size
from ggp.language.typed.walk import rebuilt, same, symbols_read, walk

Node = TypeVar("Node")


# --- what can be drawn one after the other ----------------------------------------------------------------------------


def in_succession(checking: Checking, components: Sequence[Component]) -> tuple[Component, ...] | None:
    """Return the draws with the sizes of their domains, if each can be drawn by itself, after those before it.

    That gives all combinations the same probability if the number of values of each draw does not depend on those
    before it: if its domain reads none of them, or is a set without some of its members that were drawn before, such as
    the deck without the cards of others. Where that are too many for one transition, members of large subsets are drawn
    one by one, in any order.

    Returns:
        The components; None where the number may depend on other draws.
    """
    taken: dict[Symbol, _Taken] = {}
    made: list[list[Component]] = []
    draws = {part.symbol for part in components}
    for group in groups(components):
        first = group[0]
        base, removed = _without(first.domain, draws)
        if base is None or not _are_different_members(base, removed, taken):
            return None
        made.append([replace(first, most=max(0, domain_size(base) - len(removed))), *group[1:]])
        for place, part in enumerate(group):
            taken[part.symbol] = _Taken(base, {*removed, *(other.symbol for other in group[:place])})
    if needs_parts([part for group in made for part in group]):
        made = [_one_by_one(checking, group) for group in made]
    return tuple(part for group in made for part in group)


class _Taken(Struct, frozen=True):
    """From what a draw is taken, and the draws that it surely differs from."""

    base: ScalarType | Expression
    others: set[Symbol]


def groups(components: Sequence[Component]) -> Iterator[Sequence[Component]]:
    """Yield the components, those of a subset together."""
    for place, part in enumerate(components):
        if not part.follows:
            yield components[place : place + part.together]


def _without(
    domain: ScalarType | Expression, draws: set[Symbol]
) -> tuple[ScalarType | Expression | None, frozenset[Symbol]]:
    """Return a set that reads no draws, and the draws that a domain leaves out of it; None: it is not of that form."""
    removed: set[Symbol] = set()
    while not isinstance(domain, ScalarType):
        match domain:
            case typed.SetOperation("difference", left, typed.SetLiteral(elements)) if all(
                isinstance(part, typed.Local) and part.symbol in draws for part in elements
            ):
                removed |= {part.symbol for part in elements if isinstance(part, typed.Local)}
                domain = left
            case _:
                return (None if symbols_read(domain) & draws else domain), frozenset(removed)
    return domain, frozenset(removed)


def _are_different_members(
    base: ScalarType | Expression, removed: frozenset[Symbol], taken: Mapping[Symbol, _Taken]
) -> bool:
    """Return whether some draws are surely members of a set, and all different."""
    ordered = [symbol for symbol in taken if symbol in removed]
    return all(
        same(_members(taken[symbol].base), _members(base)) and taken[symbol].others.issuperset(ordered[:place])
        for place, symbol in enumerate(ordered)
    )


def _members(domain: ScalarType | Expression) -> object:
    """Return a domain in a form in which those known before play can be compared."""
    if isinstance(domain, ScalarType):
        return frozenset(codes(domain))
    return domain.value if isinstance(domain, typed.Constant) else domain


def _one_by_one(checking: Checking, group: Sequence[Component]) -> list[Component]:
    """Return the draw of a large subset as draws of its members in any order, each without those before it."""
    first = group[0]
    assert first.most is not None
    if typed.combinations(group) <= MAX_PART_OUTCOMES:
        return list(group)
    made = []
    for place, part in enumerate(group):
        domain = left_by(checking, group[:place], first.domain, part.symbol.span)
        made.append(replace(part, domain=domain, together=1, follows=False, most=max(0, first.most - place)))
    return made


def left_by(
    checking: Checking, drawn: Sequence[Component], values: ScalarType | Expression, span: Span
) -> ScalarType | Expression:
    """Return a set without what some draws took from it."""
    if not drawn:
        return values
    type_ = drawn[0].type
    if isinstance(values, ScalarType):
        values = checking.constant(frozenset(codes(type_)), SetType(type_), span)
    taken = tuple(checking.local(part.symbol, span) for part in drawn)
    literal = checking.make(typed.SetLiteral(taken, SetType(type_), span))
    return checking.make(typed.SetOperation("difference", values, literal, SetType(type_), span))


def needs_parts(components: Sequence[Component]) -> bool:
    """Return whether draws are too many for one transition."""
    return (
        len(components) > MAX_BINDERS
        or math.prod(size(part.type) for part in components) > MAX_ACTIONS
        or typed.combinations(components) > MAX_OUTCOMES
    )


# --- phases in parts --------------------------------------------------------------------------------------------------


def in_parts(checking: Checking, phase: Phase) -> list[Phase]:
    """Return a chance phase whose draws are too many for one transition as several phases, in order of play."""
    assert phase.chance is not None
    drawn = list(_parts(phase.chance.components))
    part_of = {part.symbol: number for number, components in enumerate(drawn) for part in components}
    kept = _variables(checking, [part for components in drawn[:-1] for part in components])
    lifting = _Lifting(tuple(kept))
    values: dict[Symbol, Expression] = {}
    names = [phase.name, *(f"{phase.name} ({number + 2})" for number in range(len(drawn) - 1))]
    told = _told_in_parts(phase, part_of, len(drawn))
    made = []
    for number, components in enumerate(drawn[:-1]):
        updates = tuple(_update(kept[part.symbol], _read(checking, part), part.symbol) for part in components)
        chance = Chance(tuple(components), None, phase.chance.successive, phase.chance.span)
        following = Transfer(names[number + 1], None, phase.span)
        sees = tuple(told[number])
        part = Phase(names[number], chance, (), (), updates, sees, (following,), phase.span, follows=number > 0)
        made.append(lifting.replaced(part, values))
        for component in components:
            symbol = component.symbol
            values[symbol] = checking.make(typed.StateRead(kept[symbol], (), symbol.type, symbol.span))
    cleared = tuple(
        _update(kept[part.symbol], checking.constant(lowest(part.type), part.type, part.symbol.span), part.symbol)
        for components in drawn[:-1]
        for part in components
    )
    # what comes next is decided in the new state, in which the variables are cleared
    old = {symbol: Symbol(f"old {symbol.name}", symbol.type, "choice", symbol.span) for symbol in kept}
    in_next = {symbol: typed.Local(local, local.type, local.span) for symbol, local in old.items()}
    transfers = lifting.replaced(phase.transfers, in_next)
    last = lifting.replaced(
        replace(
            phase,
            name=names[-1],
            chance=replace(phase.chance, components=tuple(drawn[-1])),
            functions=(),
            sees=tuple(told[-1]),
            transfers=(),
            follows=True,
        ),
        values,
    )
    conditions = [transfer.condition for transfer in transfers if transfer.condition is not None]
    read = {part.symbol for whole in conditions for part in walk(whole) if isinstance(part, typed.Local)}
    also_kept = tuple(Kept(local, values[symbol], None) for symbol, local in old.items() if local in read)
    return [
        *made,
        replace(last, updates=last.updates + cleared, transfers=transfers, kept=last.kept + also_kept),
    ]


def _parts(components: Sequence[Component]) -> Iterator[list[Component]]:
    """Yield the draws of each part: few enough to list all combinations without thinking."""
    part: list[Component] = []
    for group in groups(components):
        joined = [*part, *group]
        if part and (typed.combinations(joined) > MAX_PART_OUTCOMES or len(joined) > MAX_BINDERS):
            yield part
            joined = list(group)
        part = joined
    yield part


def _variables(checking: Checking, components: Sequence[Component]) -> dict[Symbol, Variable]:
    """Return variables that keep draws; phases share them, as they are clear outside of the phase."""
    kept: dict[Symbol, Variable] = {}
    used: dict[ScalarType, int] = {}
    for part in components:
        place = used[part.type] = used.get(part.type, 0) + 1
        if (part.type, place) not in checking.drawn:
            name = f"drawn_{len(checking.drawn) + 1}"
            while name in checking.later:
                name += "_"
            variable = Variable(name, part.type, lowest(part.type), part.symbol.span, is_kept=True)
            checking.drawn[part.type, place] = variable
        kept[part.symbol] = checking.drawn[part.type, place]
    return kept


def _read(checking: Checking, part: Component) -> Expression:
    return checking.local(part.symbol, part.symbol.span)


def _update(variable: Variable, value: Expression, symbol: Symbol) -> Update:
    return Update(variable, (), value, (), None, None, True, symbol.span)


def _told_in_parts(phase: Phase, part_of: Mapping[Symbol, int], parts: int) -> list[list[Sees]]:
    """Return what each part tells: every value as soon as it is known, in the order of the rules.

    Where two values have the same label, all is told at the end: a player could tell by the transition which one it is.
    Of a phase without `sees` all is told at once, a subset member by member.
    """
    if all(sees.span == phase.span for sees in phase.sees):
        return _told_at_once(phase, part_of, parts)
    labels = [label for sees in phase.sees for label in sees.labels]
    told: list[list[Sees]] = [[] for _ in range(parts)]
    if len(set(labels)) < len(labels):
        told[-1] += phase.sees
        return told
    reached = 0

    def known_at(*evaluated: Expression | None) -> int:
        return max((part_of[symbol] for part in evaluated if part for symbol in symbols_read(part)), default=0)

    for sees in phase.sees:
        places = []
        for value in sees.values:
            reached = max(reached, known_at(sees.audience, sees.condition, value))
            places.append(reached)
        for place in dict.fromkeys(places):
            chosen = [number for number, other in enumerate(places) if other == place]
            values = tuple(sees.values[number] for number in chosen)
            told[place].append(replace(sees, values=values, labels=tuple(sees.labels[number] for number in chosen)))
    return told


def _told_at_once(phase: Phase, part_of: Mapping[Symbol, int], parts: int) -> list[list[Sees]]:
    told: list[list[Sees]] = [[] for _ in range(parts)]
    for sees in phase.sees:
        for label, value in zip(sees.labels, sees.values, strict=True):
            members = value.elements if isinstance(value, typed.SetLiteral) else (value,)
            by_part: dict[int, list[Expression]] = {}
            for member in members:
                by_part.setdefault(max(part_of[symbol] for symbol in symbols_read(member)), []).append(member)
            for place, known in by_part.items():
                of_part = replace(value, elements=tuple(known)) if isinstance(value, typed.SetLiteral) else value
                told[place].append(replace(sees, values=(of_part,), labels=(label,)))
    return told


@dataclass(slots=True)
class _Lifting:
    """Puts other values in place of some draws; definitions that read them take them as arguments instead."""

    symbols: tuple[Symbol, ...]
    lifted: dict[Function, tuple[Function, tuple[Symbol, ...]]] = field(default_factory=dict)

    def replaced(self, node: Node, values: Mapping[Symbol, Expression]) -> Node:
        """Return a statement, an expression or a tuple with these values for the draws."""

        def change(part: Expression) -> Expression:
            if isinstance(part, typed.Local):
                return values.get(part.symbol, part)
            if isinstance(part, typed.Call):
                function, read = self._without_draws(part.function)
                if read:
                    given = tuple(values.get(draw, typed.Local(draw, draw.type, part.span)) for draw in read)
                    return replace(part, function=function, arguments=part.arguments + given)
            return part

        changed: Node = rebuilt(node, change)
        return changed

    def _without_draws(self, function: Function) -> tuple[Function, tuple[Symbol, ...]]:
        if function not in self.lifted:
            found = symbols_read(function.body)
            read = tuple(symbol for symbol in self.symbols if symbol in found)
            made = function
            if read:
                arguments = {draw: Symbol(f"drawn {draw.name}", draw.type, "bound", draw.span) for draw in read}
                given = {old: typed.Local(new, new.type, new.span) for old, new in arguments.items()}
                body = self.replaced(function.body, given)
                made = replace(function, arguments=(*function.arguments, *arguments.values()), body=body)
            self.lifted[function] = made, read
        return self.lifted[function]
