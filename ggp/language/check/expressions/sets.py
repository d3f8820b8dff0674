"""Checks of sets, and of what runs over them: binders, quantifiers, comprehensions."""

from __future__ import annotations

import math
from typing import Literal, cast

from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import coerce, described, join, number, truth
from ggp.language.check.costs import domain_size
from ggp.language.check.expressions.binders import bind
from ggp.language.check.expressions.literals import needs_hint
from ggp.language.check.expressions.operators import both, negation, ordered
from ggp.language.check.expressions.sequences import as_sequence, contains
from ggp.language.limits import MAX_INTEGER
from ggp.language.typed import Binder, Expression, ranges
from ggp.language.typed.types import BOOL, IntType, OptionType, RealType, ScalarType, SequenceType, SetType, Type


def everything(checking: Checking, node: syntax.Everything, hint: Type | None) -> Expression:
    """Check `all`: the set of all values of the expected type."""
    if not isinstance(hint, SetType):
        checking.fail(node.span, "the type of `all` is not clear here", "write the name of a type instead")
    return checking.full_set(hint.element, node.span)


def braces(checking: Checking, node: syntax.Braces, hint: Type | None) -> Expression:
    """Check `{a, b}` and `{}`."""
    wanted = hint.element if isinstance(hint, SetType) else None
    if not node.elements:
        if wanted is None:
            checking.fail(node.span, "the type of `{}` is not clear here", "compare or combine it with a set")
        return checking.constant(frozenset(), SetType(wanted), node.span)
    order = sorted(node.elements, key=lambda part: needs_hint(checking, part))
    known: list[Type | None] = [wanted]

    def check(part: syntax.Expression) -> Expression:
        made = checking.infer(part, known[-1])
        if wanted is None:
            known.append(made.type)
        return made

    made = dict(zip(order, checking.each(check, order), strict=True))
    elements = [made[part] for part in node.elements]
    element = _element_type(checking, elements[0], wanted)
    for part in elements[1:]:
        together = join(element, _element_type(checking, part, wanted))
        if not isinstance(together, ScalarType):
            checking.fail(
                part.span,
                f"expected {described(element)}, found {described(part.type)}",
                "a set holds values of one type",
            )
        element = together
    checking.limit_set(node.span, element)
    fitting = [
        coerce(checking, part, OptionType(element) if isinstance(part.type, OptionType) else element, "a set's element")
        for part in elements
    ]
    return checking.make(typed.SetLiteral(tuple(fitting), SetType(element), node.span))


def _element_type(checking: Checking, part: Expression, wanted: ScalarType | None) -> ScalarType:
    """Return the type of set elements that `part` is good for; the expected one, if it fits."""
    type_ = part.type.inner if isinstance(part.type, OptionType) else part.type
    if not isinstance(type_, ScalarType):
        checking.fail(part.span, f"a set cannot hold {described(part.type)}")
    return wanted if wanted is not None and join(wanted, type_) == wanted else type_


def membership(checking: Checking, node: syntax.Membership, hint: Type | None) -> Expression:
    """Check `x in S`, `x not in S`, `x in a..b`."""
    if isinstance(node.domain, syntax.Range):
        low, high = node.domain.low, node.domain.high
        element, first, last = checking.each(checking.infer, (node.element, low, high))
        above, below = checking.several(
            lambda: ordered(checking, ">=", element, first, node.span),
            lambda: ordered(checking, "<=", element, last, node.span),
        )
        inside = both(checking, above, below, node.span)
    else:
        inside = _member(checking, node, node.domain)
    return negation(checking, inside, node.span) if node.negated else inside


def _member(checking: Checking, node: syntax.Membership, domain: syntax.Expression) -> Expression:
    if needs_hint(checking, domain):
        element = checking.infer(node.element)
        type_ = element.type.inner if isinstance(element.type, OptionType) else element.type
        if not isinstance(type_, ScalarType):
            checking.fail(element.span, f"{described(element.type)} is in no set")
        members = checking.infer(domain, SetType(type_))
    else:
        members = checking.infer(domain)
        wanted = members.type.element if isinstance(members.type, SetType | SequenceType) else None
        element = checking.infer(node.element, wanted)
    sequence = as_sequence(members)
    if sequence is not None:
        return contains(checking, sequence, element, node.span)
    if not isinstance(members.type, SetType):
        checking.fail(members.span, f"expected a set, found {described(members.type)}")
    inner = element.type.inner if isinstance(element.type, OptionType) else element.type
    if join(inner, members.type.element) is None:
        checking.fail(node.span, f"{described(element.type)} is never in {described(members.type)}")
    return checking.make(typed.Member(element, members, BOOL, node.span))


_KINDS: dict[str, Literal["count", "sum", "minimum", "maximum"]] = {
    "count": "count", "sum": "sum", "min": "minimum", "max": "maximum",
}  # fmt: skip


def quantified(checking: Checking, node: syntax.Quantified, hint: Type | None) -> Expression:
    """Check `all x in S: c` and its kin."""
    with checking.names.inner():
        binders = bind(checking, node.binders)
        condition = truth(checking, node.condition) if node.condition else None
        if node.kind in ("sum", "min", "max"):
            return _aggregate(checking, node, binders, condition, number(checking, node.body))
        body = truth(checking, node.body)
    if node.kind == "the":
        return _only(checking, node, binders, condition, body)
    if node.kind == "count":
        if condition is not None:
            body = checking.make(typed.Binary("and", condition, body, BOOL, node.span))
        most = _most(binders)
        return checking.make(typed.Aggregate("count", binders, None, body, IntType(0, most), node.span))
    if condition is not None and node.kind == "all":
        body = checking.make(typed.Binary("or", negation(checking, condition, condition.span), body, BOOL, node.span))
    elif condition is not None:
        body = checking.make(typed.Binary("and", condition, body, BOOL, node.span))
    kind = cast("Literal['all', 'any', 'no']", node.kind)
    return checking.make(typed.Quantifier(kind, binders, body, BOOL, node.span))


def _only(
    checking: Checking,
    node: syntax.Quantified,
    binders: tuple[Binder, ...],
    condition: Expression | None,
    body: Expression,
) -> Expression:
    """Return `the x in S: c`: the first value for which the condition holds, a fault where there is none."""
    if len(binders) > 1:
        checking.fail(node.span, "`the` takes one variable, not several", "write one `x in S`")
    symbol = binders[0].symbol
    if symbol in checking.items_run_over:
        checking.fail(
            node.span, "`the` finds a value of a set", "of a sequence, find the place: `the i in 1..count(s)`"
        )
    type_ = cast("ScalarType", symbol.type)
    if condition is not None:
        body = both(checking, condition, body, node.span)
    element = checking.local(symbol, node.span)
    found = checking.make(typed.Comprehension(binders, body, element, SetType(type_), node.span))
    return checking.make(typed.SetFold("minimum", found, type_, node.span, symbol.name))


def _most(binders: tuple[Binder, ...]) -> int:
    return math.prod(domain_size(binder.domain) for binder in binders)


def _aggregate(
    checking: Checking,
    node: syntax.Quantified,
    binders: tuple[Binder, ...],
    condition: Expression | None,
    body: Expression,
) -> Expression:
    kind = _KINDS[node.kind]
    bounds = cast("IntType | RealType", body.type)
    if kind != "sum":
        return checking.make(typed.Aggregate(kind, binders, condition, body, bounds, node.span))
    most = _most(binders)
    always = condition is None and all(isinstance(binder.domain, ScalarType) for binder in binders)
    low, high = ranges.multiply((bounds.low, bounds.high), (most if always else 0, most))
    if isinstance(bounds, IntType) and max(-low, high) > MAX_INTEGER:
        checking.fail(node.span, "this sum may grow too large", f"integers go up to {MAX_INTEGER}")
    type_ = replace(bounds, low=low, high=high)
    return checking.make(typed.Aggregate(kind, binders, condition, body, type_, node.span))


def comprehension(checking: Checking, node: syntax.Comprehension, hint: Type | None) -> Expression:
    """Check `{x in S: c}` and `{f(x) for x in S if c}`."""
    wanted = hint.element if isinstance(hint, SetType) else None
    with checking.names.inner():
        binders = bind(checking, node.binders)
        condition = truth(checking, node.condition) if node.condition else None
        element = checking.infer(node.element, wanted)
    type_ = _element_type(checking, element, wanted)
    checking.limit_set(node.span, type_)
    fitting = OptionType(type_) if isinstance(element.type, OptionType) else type_
    value = coerce(checking, element, fitting, "a set's element")
    return checking.make(typed.Comprehension(binders, condition, value, SetType(type_), node.span))
