"""Checks of who acts in a phase, what is legal, and what chance draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid, many
from ggp.language.check.coercion import coerce, constant_integer, expect, is_finite, join, number, truth
from ggp.language.check.expressions.binders import further, need_members, subset
from ggp.language.check.expressions.domains import as_set, domain
from ggp.language.check.expressions.names import is_unknown, meant_by
from ggp.language.check.phases.dealing import hands, left, named
from ggp.language.check.phases.successive_draws import groups, in_succession
from ggp.language.check.scope import Entry, EntryKind, Selection, Vector
from ggp.language.limits import MAX_ACTIONS, MAX_DRAWS, MAX_LEGAL_ACTIONS, MAX_MEMBERS, MAX_OUTCOMES
from ggp.language.text.source import Span
from ggp.language.typed import ActionKind, Chance, Chooser, Component, Constant, Expression, Function, Symbol
from ggp.language.typed.types import (
    ArrayType,
    IntType,
    OptionType,
    RealType,
    ScalarType,
    SetType,
    Type,
    codes,
    size,
    type_text,
)
from ggp.language.typed.walk import symbols_read


def chance(checking: Checking, node: syntax.Chance) -> tuple[Chance, list[Function]]:
    """Return what chance draws, and what names of hands stand for, declared for the rest of the phase."""
    checking.limit_binders(node.span, len(node.choices), "draws", MAX_DRAWS)
    components: tuple[Component, ...] = ()
    made: list[Function] = []
    for choice in node.choices:
        components += _draws(checking, choice, components, node.deals)
        if isinstance(choice.domain, syntax.Subsets) and choice.indices:
            types, rows = _indices(checking, choice)
            made.append(hands(checking, choice, types, rows, [*groups(components)][-len(rows) :]))
    checking.limit_binders(node.span, len(components), "draws", MAX_DRAWS)
    weight = None
    if node.weight is not None:
        value = number(checking, node.weight)
        bounds = cast("IntType | RealType", value.type)
        if bounds.high <= 0 and not checking.unreachable:
            checking.fail(node.weight.span, "these weights are never positive", "a weight is a number above 0")
        if isinstance(bounds, RealType) and not is_finite(bounds):
            checking.fail(node.weight.span, "no bounds can be proven for this weight", "bound it with `min` and `max`")
        weight = coerce(checking, value, RealType(float(bounds.low), float(bounds.high)), "a weight is a number")
    successive = in_succession(checking, components) if weight is None else None
    for drawn in [components] if successive is None else groups(successive):
        checking.limit_binders(node.span, len(drawn), "draws of which one depends on another")
        _check_numbered(checking, node.span, math.prod(size(part.type) for part in drawn), "chance outcomes")
        _check_listed(checking, node.span, typed.combinations(drawn), "chance outcomes", MAX_OUTCOMES)
    return Chance(successive or components, weight, successive is not None, node.span), made


def _draws(checking: Checking, node: syntax.Choice, before: Sequence[Component], deals: bool) -> tuple[Component, ...]:
    made = [*before]
    for name, values, type_, together in _domains(checking, node, made, deals):
        symbol = Symbol(name, type_, "draw", node.name.span)
        made.append(Component(symbol, symbol, type_, values, together, together == 0))
    own = made[len(before) :]
    if not (isinstance(node.domain, syntax.Subsets) and node.indices):
        _declare(checking, node, [part.symbol for part in own], "draw")
    return tuple(own)


def _domains(
    checking: Checking, node: syntax.Choice, made: Sequence[Component], deals: bool = False
) -> Iterator[tuple[str, ScalarType | Expression, ScalarType, int]]:
    """Yield the components that a choice has: of `x[i in S, j in T]`, one for each i and j, of `x in 3 of S`, three.

    Args:
        checking: the check under way.
        node: the choice.
        made: the components made of what was yielded so far, behind those of the choices before.
        deals: whether each is taken from what those before it left.

    Yields:
        A name, a domain and its type, and of how many components that are a subset together this is the first; 0 of a
        further one.
    """
    if not node.indices:
        if isinstance(node.domain, syntax.Subsets):
            yield from _members(checking, node, node.domain, made, node.name.text, deals)
            return
        found, type_ = _domain(checking, node)
        yield node.name.text, left(checking, node, found, type_, made, deals), type_, 1
        return
    if isinstance(node.domain, syntax.Subsets) and not deals:
        checking.names.damage(node.name.text)
        checking.fail(
            node.span,
            "a choice with an index cannot be of subsets",
            "hands from one set are dealt, `chance deals h[p in player] in 5 of deck`; else write one choice for each",
        )
    types, indices = _indices(checking, node)
    checking.choice_indices.update(index.name.text for index in node.indices)
    for values in indices:
        name = named(node, types, values)
        with _standing_for(checking, node, types, values):
            if isinstance(node.domain, syntax.Subsets):
                yield from _members(checking, node, node.domain, made, name, deals)
                continue
            found, type_ = _domain(checking, node)
        yield name, left(checking, node, found, type_, made, deals), type_, 1


@contextmanager
def _standing_for(
    checking: Checking, node: syntax.Choice, types: Sequence[ScalarType], values: Sequence[int]
) -> Iterator[None]:
    """Let the names of the first indices of `x[i in S, j in T]` stand for some values."""
    with checking.names.inner():
        for index, type_, code in zip(node.indices, types, values, strict=False):
            constant = checking.constant(code, type_, index.name.span)
            checking.names.declare(index.name, "name", constant).used = True
        yield


def _members(
    checking: Checking,
    node: syntax.Choice,
    domain_node: syntax.Subsets,
    made: Sequence[Component],
    name: str,
    deals: bool,
) -> Iterator[tuple[str, ScalarType | Expression, ScalarType, int]]:
    try:
        count, values, type_ = subset(checking, domain_node)
        need_members(checking, domain_node, count, values, type_)
    except Invalid:
        checking.names.damage(node.name.text)
        raise
    values = left(checking, node, values, type_, made, deals)
    yield f"{name}[1]", values, type_, count
    for place in range(1, count):
        domain_ = further(checking, values, made[-1].local, domain_node.span)
        yield f"{name}[{place + 1}]", domain_, type_, 0


def _indices(checking: Checking, node: syntax.Choice) -> tuple[tuple[ScalarType, ...], list[tuple[int, ...]]]:
    """Return the types and the values of the indices of `x[i in S, j in T]`, which must be known before play."""
    types: tuple[ScalarType, ...] = ()
    rows: list[tuple[int, ...]] = [()]
    try:
        for index in node.indices:
            further_rows, found = [], cast("Type | None", None)
            for row in rows:
                with _standing_for(checking, node, types, row):
                    type_, known = _values(checking, index)
                found = type_ if found is None else join(found, type_)
                further_rows += [(*row, code) for code in known]
            if not further_rows:
                checking.fail(index.domain.span, f"there is nothing that `{index.name.text}` could be")
            checking.limit_binders(index.span, len(further_rows), "values", MAX_DRAWS)
            types, rows = (*types, cast("ScalarType", found)), further_rows
    except Invalid:
        checking.names.damage(node.name.text)
        raise
    return types, rows


def _values(checking: Checking, index: syntax.Binder) -> tuple[ScalarType, Sequence[int]]:
    """Return the type and the values of one index, those before it being known."""
    values, type_ = domain(checking, index.domain)
    found = as_set(checking, values, type_, index.domain.span)
    if found is type_:
        return type_, codes(type_)
    if not isinstance(found, Constant):
        checking.fail(
            index.domain.span,
            f"the values of `{index.name.text}` must be known before play",
            f"make one for each of `{type_text(type_)}`, and read those that count",
        )
    return type_, sorted(cast("frozenset[int]", found.value))


def _declare(checking: Checking, node: syntax.Choice, symbols: Sequence[Symbol], kind: EntryKind) -> None:
    checking.names.declare(node.name, kind, _meaning(checking, node, symbols))


def _meaning(checking: Checking, node: syntax.Choice, symbols: Sequence[Symbol]) -> Expression | Vector | Selection:
    """Return what the name of a choice or draw stands for: its one component, or several."""
    if isinstance(node.domain, syntax.Subsets):
        selection = Selection(tuple(symbols))
        checking.vectors[symbols[0]] = node.name.text, selection
        return selection
    if not node.indices:
        return checking.local(symbols[0], node.name.span)
    types, indices = _indices(checking, node)
    vector = Vector(types, tuple(indices), tuple(symbols))
    checking.vectors[symbols[0]] = node.name.text, vector
    return vector


def _domain(checking: Checking, node: syntax.Choice) -> tuple[ScalarType | Expression, ScalarType]:
    try:
        _check_members_declared(checking, node)
        found, type_ = domain(checking, node.domain)
        values = as_set(checking, found, type_, node.domain.span)
    except Invalid:
        checking.names.damage(node.name.text)
        raise
    if isinstance(values, Constant) and not values.value and not checking.unreachable:
        checking.fail(node.domain.span, f"there is nothing that `{node.name.text}` could be")
    return values, type_


def _check_members_declared(checking: Checking, node: syntax.Choice) -> None:
    """Report once that nothing in `x in {call, fold}` is declared: the author meant an enumeration.

    Raises:
        Invalid: that is so.
    """
    if not isinstance(node.domain, syntax.Braces):
        return
    words = [element.text for element in node.domain.elements if isinstance(element, syntax.Name)]
    if (
        len(words) < 2
        or len(words) < len(node.domain.elements)
        or not all(is_unknown(checking, word) for word in words)
    ):
        return
    if all(meant_by(checking, word) is not None for word in words):
        return  # misspelt
    for word in words:
        checking.names.damage(word)
    listed = ", ".join(words)
    is_free = node.name.text != "answer" and is_unknown(checking, "answer")
    free = "answer" if is_free else "reply"
    checking.fail(
        node.domain.span,
        f"unknown names {', '.join(f'`{word}`' for word in words)}",
        f"declare them above as a type, such as `type {free} = {{{listed}}}`, and write `{node.name.text} in {free}`",
    )


_IN_SEVERAL_PHASES = "choose or draw in several phases, or in one that comes again for each, or from smaller {}"


def _check_listed(checking: Checking, span: Span, count: int, what: str, limit: int) -> None:
    if count > limit:
        message = f"there may be {many(count)} {what} at once; the limit is {many(limit)}"
        checking.fail(span, message, _IN_SEVERAL_PHASES.format("sets"))


def _check_numbered(checking: Checking, span: Span, count: int, what: str) -> None:
    if count > MAX_ACTIONS:
        message = f"there are {many(count)} different {what} here; the limit is {many(MAX_ACTIONS)}"
        checking.fail(span, message, _IN_SEVERAL_PHASES.format("types"))


def chooser(checking: Checking, node: syntax.Chooser, before: Sequence[Chooser]) -> Chooser:
    """Return who acts and what is legal, the choices' names declared for the rest of the phase.

    Args:
        checking: the check under way.
        node: the statement.
        before: the choosers above it, who act at the same time and whose choices are not known yet.
    """
    if checking.players is None:
        raise Invalid
    if len(node.kinds) > MAX_MEMBERS:
        checking.fail(node.span, f"{len(node.kinds)} kinds of moves are too many; the limit is {MAX_MEMBERS}")
    actors, actor = _who(checking, node)
    hidden = {part.symbol for other in before for kind in other.kinds for part in kind.components}
    with checking.names.inner():
        binder = None
        if node.binder is not None:
            binder = Symbol(node.binder.text, checking.players, "bound", node.binder.span)
            local = checking.local(binder, node.binder.span)
            checking.names.declare(node.binder, "name", local)
        is_all = isinstance(actors, Constant) and actors.value == frozenset(codes(checking.players))
        made = checking.each(lambda kind: _kind(checking, kind, binder, is_all, hidden), node.kinds)
    kinds = tuple(made)
    named = [kind.name for kind in kinds if kind.name is not None]
    if binder is not None and named:
        checking.fail(
            node.kinds[0].span,
            "only a single player can choose between kinds of moves",
            "let `each` choose from an enumeration instead",
        )
    for position, kind in enumerate(node.kinds):
        if kind.name is not None and kind.name.text in named[:position]:
            checking.fail(kind.name.span, f"two kinds of moves are called `{kind.name.text}`")
    count = sum(math.prod(size(part.type) for part in kind.components) for kind in kinds)
    _check_numbered(checking, node.span, count, "actions")
    listed = sum(typed.combinations(kind.components) for kind in kinds)
    _check_listed(checking, node.span, listed, "legal actions", MAX_LEGAL_ACTIONS)
    _declare_choices(checking, node, kinds)
    return Chooser(binder, actors, actor, kinds, node.span)


def _who(checking: Checking, node: syntax.Chooser) -> tuple[Expression | None, Expression | None]:
    players = checking.players
    assert players is not None
    if node.actor is not None:
        return None, expect(checking, node.actor, players, "a player chooses")
    if node.actors is None:
        return checking.constant(frozenset(codes(players)), SetType(players), node.span), None
    wanted = SetType(players)
    return expect(checking, node.actors, wanted, "`each` runs over a set of players"), None


def _kind(
    checking: Checking, node: syntax.Kind, binder: Symbol | None, is_all: bool, hidden: set[Symbol]
) -> ActionKind:
    checking.limit_binders(node.span, len(node.choices), "choices")
    with checking.names.inner():
        components = tuple(part for choice in node.choices for part in _components(checking, choice, binder, is_all))
        checking.limit_binders(node.span, len(components), "choices")
        where = truth(checking, node.where) if node.where is not None else None
    for part in (where, *(part.domain for part in components)):
        if part is not None and not isinstance(part, ScalarType) and symbols_read(part) & hidden:
            checking.fail(node.span, "players who act at once do not know each other's choices")
    return ActionKind(node.name.text if node.name else None, components, where, node.span)


def _components(checking: Checking, node: syntax.Choice, binder: Symbol | None, is_all: bool) -> list[Component]:
    made: list[Component] = []
    for name, values, type_, together in _domains(checking, node, made):
        local = Symbol(name, type_, "choice" if binder is None else "bound", node.name.span)
        symbol = local
        if binder is not None:
            assert checking.players is not None
            whole: Type = ArrayType((checking.players,), type_ if is_all else OptionType(type_))
            symbol = Symbol(name, whole, "choice", node.name.span)
        made.append(Component(symbol, local, type_, values, together, together == 0))
    _declare(checking, node, [part.local for part in made], "choice")
    return made


def _declare_choices(checking: Checking, node: syntax.Chooser, kinds: tuple[ActionKind, ...]) -> None:
    """Declare the choices for the rest of the phase; those of a kind of move mean something only in its `on`."""
    for kind_node, kind in zip(node.kinds, kinds, strict=True):
        components = iter(kind.components)
        for choice in kind_node.choices:
            if isinstance(choice.domain, syntax.Subsets):
                count = constant_integer(checking, choice.domain.size, "the size of a subset")
            else:
                count = len(_indices(checking, choice)[1])
            meaning = _meaning(checking, choice, [next(components).symbol for _ in range(count)])
            known = checking.names.lookup(choice.name.text)
            if known is None or known.confined is None or kind.name is None:
                checking.names.declare(choice.name, "choice", meaning, confined=kind.name).used = True
            else:
                known.also += (kind.name,)


def kind_scope(choosers: Sequence[Chooser], name: str, checking: Checking) -> dict[str, Entry] | None:
    """Return the names that mean something where a kind of move was chosen; None if there is no such kind."""
    for made in choosers:
        for kind in made.kinds:
            if kind.name == name:
                return dict(_entries(checking, kind))
    return None


def _entries(checking: Checking, kind: ActionKind) -> Iterator[tuple[str, Entry]]:
    for part in kind.components:
        symbol = part.symbol
        meaning: Expression | Vector | Selection = checking.local(symbol, symbol.span)
        name = symbol.name
        if symbol in checking.vectors:
            name, meaning = checking.vectors[symbol]
        yield name, Entry(name, "choice", symbol.span, meaning, used=True)
