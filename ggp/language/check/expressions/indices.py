"""Checks of what stands for a value for each index: arrays, `let`s with indices, choices for each player."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from typing import cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce, expect, join
from ggp.language.check.scope import Vector
from ggp.language.text.source import Span
from ggp.language.typed import Constant, Expression, Function, Symbol
from ggp.language.typed.types import (
    BOOL,
    ArrayType,
    OptionType,
    ScalarType,
    SetType,
    Type,
    codes,
    scalar_text,
    type_text,
)


def selected(checking: Checking, symbols: Sequence[Symbol], player: Expression | None, span: Span) -> Expression:
    """Return the set of the members of a subset; after `each`, of what one player chose."""

    def member(symbol: Symbol) -> Expression:
        local = checking.local(symbol, span)
        if player is None:
            return local
        assert isinstance(symbol.type, ArrayType)
        return checking.make(typed.Index(local, (player,), symbol.type.element, span))

    members = tuple(map(member, symbols))
    inner = members[0].type.inner if isinstance(members[0].type, OptionType) else members[0].type
    return checking.make(typed.SetLiteral(members, SetType(cast("ScalarType", inner)), span))


def indices_of(vector: Vector) -> tuple[ScalarType, ...]:
    """Return the types of the indices with which `x[i in S, j in T]` is read: after `each`, players come first."""
    whole = vector.symbols[0].type
    return (*whole.indices, *vector.indices) if isinstance(whole, ArrayType) else vector.indices


def argument_types(symbols: Sequence[Symbol]) -> tuple[ScalarType, ...]:
    """Return the types of the arguments of a `let`, which are its indices."""
    return tuple(cast("ScalarType", symbol.type) for symbol in symbols)


def of_vector(
    checking: Checking, shown: str, vector: Vector, indices: tuple[Expression, ...], span: Span
) -> Expression:
    """Return what was chosen for some values of the indices of `x[i in S, j in T]`; after `each`, by one player."""
    by = indices[: len(indices) - len(vector.indices)]
    own = indices[len(by) :]
    possible = [
        (index.value,) if isinstance(index, Constant) else codes(cast("ScalarType", index.type)) for index in own
    ]
    listed = [
        (values, symbol)
        for values, symbol in zip(vector.codes, vector.symbols, strict=True)
        if all(value in those for value, those in zip(values, possible, strict=True))
    ]
    if not listed:
        which = ", ".join(
            scalar_text(type_, cast("int", index.value)) if isinstance(index, Constant) else "..."
            for index, type_ in zip(own, vector.indices, strict=True)
        )
        checking.fail(span, f"there is no `{shown}[{which}]`")
    found = [(values, _chosen(checking, symbol, by, span)) for values, symbol in listed]
    type_ = functools.reduce(lambda one, other: cast("Type", join(one, other)), (value.type for _, value in found))
    whole, last = type_, None
    if len(listed) < math.prod(map(len, possible)):  # of some values there is none
        whole = type_ if isinstance(type_, OptionType) else OptionType(cast("ScalarType", type_))
        last = checking.constant(None, whole, span)
    found = [(values, coerce(checking, value, whole, "one of these choices")) for values, value in found]
    made = by_values(checking, [*zip(own, vector.indices, strict=True)], found, last)
    return (
        made if whole == type_ else coerce(checking, made, type_, f"`{shown}` was not chosen or drawn for this index")
    )


def _chosen(checking: Checking, symbol: Symbol, by: tuple[Expression, ...], span: Span) -> Expression:
    """Return what a symbol stands for; after `each`, for one player."""
    local = checking.local(symbol, span)
    if not isinstance(symbol.type, ArrayType):
        return local
    return checking.make(typed.Index(local, by, symbol.type.element, span))


def by_values(
    checking: Checking,
    indices: Sequence[tuple[Expression, ScalarType]],
    found: Sequence[tuple[tuple[int, ...], Expression]],
    last: Expression | None,
    place: int = 0,
) -> Expression:
    """Return the one of some expressions that belongs to the values of the indices from a place on.

    Args:
        checking: the check under way.
        indices: what is compared with the values, and of which types these are.
        found: the values and the expression for each of them.
        last: the expression for all other values; None if there are none.
        place: of the first index that may differ.
    """
    if place == len(indices):
        return found[0][1]
    index, type_ = indices[place]
    groups = {code: list(group) for code, group in itertools.groupby(found, lambda one: one[0][place])}
    made = last
    for code, group in reversed(groups.items()):
        part = by_values(checking, indices, group, last, place + 1)
        if made is None or isinstance(index, Constant):
            made = part
            continue
        same = checking.make(typed.Binary("equal", index, checking.constant(code, type_, index.span), BOOL, index.span))
        made = checking.make(typed.If(same, part, made, part.type, index.span))
    assert made is not None
    return made


def array_indices(
    checking: Checking, shown: str, types: tuple[ScalarType, ...], nodes: tuple[syntax.Expression, ...], span: Span
) -> tuple[Expression, ...]:
    """Return the indices of an array checked against the types that it is indexed by."""
    if len(types) != len(nodes):
        wanted = ", ".join(type_text(type_) for type_ in types)
        found = f"`{shown}` has {counted(len(types), 'index', 'indices')}, not {len(nodes)}"
        checking.fail(
            span,
            found,
            f"{'write all in one pair of brackets: ' if len(nodes) < len(types) else ''}`{shown}[{wanted}]`",
        )
    made = checking.each(
        lambda node, type_: expect(checking, node, type_, f"`{shown}` is indexed by {type_text(type_)}"), nodes, types
    )
    return tuple(made)


def counted(count: int, one: str, more: str) -> str:
    """Return a number with the word for what is counted."""
    return f"{count} {one if count == 1 else more}"


def invoke(checking: Checking, function: Function, arguments: tuple[Expression, ...], span: Span) -> Expression:
    """Return a function of the rules applied to arguments that were checked."""
    facts = checking.function_facts(function)
    if checking.mode == "constant" and facts.free is None:
        checking.fail(span, f"`{function.name}` depends on the state, and this must be known before play")
    assert function.phase in (None, checking.phase), "a name declared in a phase is known in that phase alone"
    return checking.make(typed.Call(function, arguments, function.type, span))
