"""Checks of domains: what choices, draws and quantified variables range over."""

from __future__ import annotations

from typing import TypeAlias, cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import described, integer
from ggp.language.check.expressions.sequences import as_sequence
from ggp.language.check.expressions.sequences import members as items_of
from ggp.language.check.scope import Meant, SequenceValue
from ggp.language.text.source import Span
from ggp.language.typed import Binder, Constant, Expression, Symbol
from ggp.language.typed.types import IntType, ScalarType, SetType, Type, size

Domain: TypeAlias = "ScalarType | Expression | tuple[Expression, Expression]"


def domain(checking: Checking, node: syntax.Domain, hint: Type | None = None) -> tuple[Domain, ScalarType]:
    """Return a domain checked, and the type of the values in it: of a sequence, the set of its items."""
    found, type_ = domain_or_sequence(checking, node, hint)
    return (items_of(checking, found) if isinstance(found, SequenceValue) else found), type_


def domain_or_sequence(
    checking: Checking, node: syntax.Domain, hint: Type | None = None
) -> tuple[Domain | SequenceValue, ScalarType]:
    """Return a domain checked, a sequence as it is, and the type of the values in it."""
    if isinstance(node, syntax.Range):
        return _range(checking, node)
    if isinstance(node, syntax.Name):
        entry = checking.names.lookup(node.text)
        if entry is not None and isinstance(entry.meaning, Meant):
            checking.names.use(entry, node.span)
            type_ = entry.meaning.type
            if isinstance(type_, ScalarType):
                checking.limit_set(node.span, type_)
                checking.names.whole_types.add(type_)
                return type_, type_
    members = checking.infer(node, hint)
    sequence = as_sequence(members)
    if sequence is not None:
        return sequence, sequence.type.element
    if not isinstance(members.type, SetType):
        advice = "write `1..n` for the integers from 1 to n" if isinstance(members.type, IntType) else None
        checking.fail(members.span, f"expected a set, found {described(members.type)}", advice)
    element = members.type.element
    if isinstance(members, Constant) and len(cast("frozenset[int]", members.value)) == size(element):
        return element, element
    return members, element


def _range(checking: Checking, node: syntax.Range) -> tuple[Domain, ScalarType]:
    low, high = checking.each(lambda end: integer(checking, end, "a range has integer ends"), (node.low, node.high))
    first, last = cast("IntType", low.type), cast("IntType", high.type)
    type_ = IntType(first.low, max(first.low, last.high))
    checking.limit_set(node.span, type_)
    if isinstance(low, Constant) and isinstance(high, Constant) and first.low <= last.high:
        return type_, type_
    return (low, high), type_


def as_set(checking: Checking, values: Domain, type_: ScalarType, span: Span) -> ScalarType | Expression:
    """Return a domain as a type or a set: a range whose ends depend on the state becomes a set of integers."""
    if not isinstance(values, tuple):
        return values
    symbol = Symbol("value", type_, "bound", span)
    element = checking.local(symbol, span)
    return checking.make(typed.Comprehension((Binder(symbol, values),), None, element, SetType(type_), span))
