"""Names that range over domains, and subsets of a given size, `3 of hand`, in choices, draws and quantifiers.

A subset of n members is n values in ascending order, and its name stands for their set. Nothing behind the checker
knows of subsets, except that a component may belong to the one before it (`typed.Component`).
"""

from __future__ import annotations

from typing import cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import constant_integer
from ggp.language.check.costs import most_members
from ggp.language.check.expressions.domains import as_set, domain, domain_or_sequence
from ggp.language.check.expressions.sequences import run_over
from ggp.language.check.scope import Selection, SequenceValue
from ggp.language.limits import MAX_MEMBERS
from ggp.language.text.source import Span
from ggp.language.typed import Binder, Constant, Expression, Symbol
from ggp.language.typed.types import ArrayType, ScalarType, SetType, codes, size


def subset(checking: Checking, node: syntax.Subsets) -> tuple[int, ScalarType | Expression, ScalarType]:
    """Return how many members a subset has, the set that they are members of, and their type."""
    hint = (
        "write a kind of move for each size, `two by s in 2 of hand`, or take one at a time in a phase that comes again"
    )
    count = constant_integer(checking, node.size, "the size of a subset", hint)
    if count < 1:
        checking.fail(node.size.span, f"a subset has at least 1 member, and this is {count}")
    checking.limit_binders(node.span, count, "members")
    found, type_ = domain(checking, node.members)
    values = as_set(checking, found, type_, node.members.span)
    if size(type_) > MAX_MEMBERS:
        checking.fail(
            node.members.span, f"a type of {size(type_)} values is too large for subsets; the limit is {MAX_MEMBERS}"
        )
    return count, values, type_


def need_members(
    checking: Checking, node: syntax.Subsets, count: int, values: ScalarType | Expression, type_: ScalarType
) -> None:
    """Report a subset to choose or draw with more members than there are; a quantifier may run over none."""
    most = size(type_) if isinstance(values, ScalarType) else most_members(values)
    if most < count and not checking.unreachable:
        checking.fail(node.span, f"there are never {count} members to choose from, at most {most}")


def further(checking: Checking, values: ScalarType | Expression, previous: Symbol, span: Span) -> Expression:
    """Return the members that come after the one before: those of `values` that are larger."""
    type_ = cast("ScalarType", previous.type)
    above = (frozenset(range(code + 1, codes(type_).stop)) for code in codes(type_))
    kind, at = ArrayType((type_,), SetType(type_)), checking.local(previous, span)
    larger = checking.looked_up(f"above {type_!r}", kind, above, (at,), span)
    if isinstance(values, ScalarType):
        return larger
    made = checking.make(typed.SetOperation("intersection", values, larger, SetType(type_), span))
    assert not isinstance(made, Constant), "it depends on a name that is bound"
    return made


def bind(checking: Checking, nodes: tuple[syntax.Binder, ...]) -> tuple[Binder, ...]:
    """Return binders checked, their names declared in the innermost scope; later ones may read earlier ones."""
    if nodes:
        checking.limit_binders(nodes[0].span.to(nodes[-1].span), len(nodes), "variables")
    made: list[Binder] = []
    for node in nodes:
        try:
            if isinstance(node.domain, syntax.Subsets):
                made += _bind_subset(checking, node.name, node.domain)
                continue
            values, type_ = domain_or_sequence(checking, node.domain)
        except Invalid:
            checking.names.damage(node.name.text)
            raise
        if isinstance(values, SequenceValue):
            binder, item = run_over(checking, values, node.name.text)
            checking.names.declare(node.name, "name", item)
            checking.items_run_over.add(binder.symbol)
            made.append(binder)
            continue
        symbol = Symbol(node.name.text, type_, "bound", node.name.span)
        checking.names.declare(node.name, "name", checking.local(symbol, node.name.span))
        made.append(Binder(symbol, values))
    return tuple(made)


def _bind_subset(checking: Checking, name: syntax.Word, node: syntax.Subsets) -> list[Binder]:
    count, values, type_ = subset(checking, node)
    binders: list[Binder] = []
    for number in range(count):
        symbol = Symbol(f"{name.text}[{number + 1}]", type_, "bound", name.span)
        domain_ = further(checking, values, binders[-1].symbol, node.span) if binders else values
        binders.append(Binder(symbol, domain_))
        checking.places_in_subsets[symbol] = number
    checking.names.declare(name, "name", Selection(tuple(binder.symbol for binder in binders)))
    return binders
