"""Sequences that are worked out: a definition or a `let` that gives one, and what is handed to a definition.

Each is two functions of the typed tree, its number of items and the item at a place, so that a sequence costs the same
wherever it is used, however long the expression is that gives it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from msgspec.structs import replace

from ggp.language import typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce
from ggp.language.check.expressions.indices import invoke
from ggp.language.check.expressions.sequence_parts import Parts
from ggp.language.check.expressions.sequences import kept
from ggp.language.check.scope import SequenceFunction, SequenceValue
from ggp.language.text.source import Span
from ggp.language.typed import Constant, Expression, Function, Symbol
from ggp.language.typed.types import ArrayType, IntType, OptionType
from ggp.language.typed.walk import rebuilt, symbols_read, walk


def worked_out(
    checking: Checking, name: str, arguments: tuple[Symbol, ...], value: SequenceValue, is_let: bool = False
) -> SequenceFunction:
    """Return the functions that give a sequence.

    Args:
        checking: the check under way.
        name: of the definition, for messages.
        arguments: what the sequence depends on beside the state and the choices of the phase.
        value: the sequence.
        is_let: whether a name without arguments stands for it.
    """
    places, span = IntType(1, max(1, value.type.most)), value.span
    place = Symbol("place", places, "bound", span)
    count, element = IntType(0, value.type.most), OptionType(value.type.element)
    read = value.item(checking.local(place, span))
    size, item = coerce(checking, value.size, count, name), coerce(checking, read, element, name)
    phase = checking.phase if symbols_read(size) | symbols_read(item) else None
    return SequenceFunction(
        Function(name, arguments, size, size.type, is_let, phase, span),
        Function(name, (*arguments, place), item, item.type, is_let, phase, span),
        value.type,
    )


def given_by(
    checking: Checking, function: SequenceFunction, arguments: tuple[Expression, ...], span: Span
) -> SequenceValue:
    """Return the sequence that these functions give for some arguments."""

    def read(place: Expression) -> Expression:
        return invoke(checking, function.item, (*arguments, place), span)

    size = invoke(checking, function.size, arguments, span)
    item = Parts(checking, span).within(function.sequence, read)
    return SequenceValue(function.sequence, size, item, span, (function, arguments))


def handed(checking: Checking, value: SequenceValue) -> SequenceValue:
    """Return a sequence as a definition can take it: what is not kept in the state becomes two functions."""
    if value.kept is not None:
        return value
    places = IntType(1, max(1, value.type.most))
    place = Symbol("place", places, "bound", value.span)
    item = value.item(checking.local(place, value.span))
    free = [
        symbol for symbol in _free(value.size, item) if symbol is not place and not isinstance(symbol.type, ArrayType)
    ]
    own, changed = _as_arguments(free)
    inside = replace(value, size=changed(value.size), item=lambda at: changed(value.item(at)))
    function = worked_out(checking, "this sequence", own, inside)
    return given_by(checking, function, _read(checking, free, value.span), value.span)


def named(checking: Checking, name: str, value: Expression) -> Expression:
    """Return what a name for a value stands for: a function of what the value depends on in its expression.

    What several players choose at once is no argument: a value of that is written out where the name stands.
    """
    if isinstance(sequence := cast("object", value), SequenceValue):
        return cast("Expression", handed(checking, sequence))
    free = _free(value)
    if isinstance(value, Constant | typed.Local) or any(isinstance(symbol.type, ArrayType) for symbol in free):
        return value
    own, changed = _as_arguments(free)
    body = changed(value)
    phase = checking.phase if symbols_read(body) else None
    function = Function(name, own, body, body.type, True, phase, value.span)
    return invoke(checking, function, _read(checking, free, value.span), value.span)


def _as_arguments(free: list[Symbol]) -> tuple[tuple[Symbol, ...], Callable[[Expression], Expression]]:
    """Return arguments of a function in place of some symbols, and what changes an expression so."""
    own = {symbol: Symbol(symbol.name, symbol.type, "bound", symbol.span, symbol.most) for symbol in free}

    def renamed(node: Expression) -> Expression:
        if isinstance(node, typed.Local) and node.symbol in own:
            return typed.Local(own[node.symbol], node.type, node.span)
        return node

    return tuple(own.values()), lambda expression: cast("Expression", rebuilt(expression, renamed))


def _read(checking: Checking, symbols: list[Symbol], span: Span) -> tuple[Expression, ...]:
    return tuple(checking.local(symbol, span) for symbol in symbols)


def renewed(checking: Checking, value: SequenceValue) -> SequenceValue:
    """Return a sequence that is kept, read at indices that are arguments of a definition."""
    assert value.kept is not None
    place, _ = value.kept
    if isinstance(place, Symbol):
        return value
    if isinstance(place, SequenceFunction):
        symbols = [Symbol(one.name, one.type, "bound", value.span, one.most) for one in place.size.arguments]
    else:
        symbols = [Symbol(f"index {number}", type_, "bound", value.span) for number, type_ in enumerate(place.indices)]
    locals_ = tuple(checking.local(symbol, value.span) for symbol in symbols)
    if isinstance(place, SequenceFunction):
        return given_by(checking, place, locals_, value.span)
    return cast("SequenceValue", kept(checking, place, locals_, value.span))


def _free(*expressions: Expression) -> list[Symbol]:
    """Return the local names that some expressions read and do not bind themselves, in the order that they are met."""
    nodes = [node for expression in expressions for node in walk(expression)]
    bound = {binder.symbol for node in nodes for binder in getattr(node, "binders", ())}
    bound |= {node.binder for node in nodes if isinstance(node, typed.ArrayOf)}
    return [*dict.fromkeys(node.symbol for node in nodes if isinstance(node, typed.Local) and node.symbol not in bound)]
