"""Quantifiers, and counts, sums and extremes over binders."""

from __future__ import annotations

import math

from msgspec.structs import replace

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression, Name
from ggp.faults import FaultSite
from ggp.language import typed
from ggp.language.typed.types import RealType, Type
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.comprehensions import given_members
from ggp.rules_compiler.emit.conversion import converted_code
from ggp.rules_compiler.emit.dispatch import condition
from ggp.rules_compiler.emit.loops import for_each, for_each_where
from ggp.rules_compiler.emit.operands import bounds
from ggp.rules_compiler.rewrite import integer_loops, lines, memberships
from ggp.rules_compiler.rewrite.images import image
from ggp.rules_compiler.rewrite.memberships import negated, together
from ggp.rules_compiler.rewrite.opened import opened


def write_quantifier(b: Builder, node: typed.Quantifier) -> Expression:
    """Write a quantifier: `all` is left at the first body that fails, `any` and `no` at the first that holds."""
    flat = _flat(node)
    if (joined := image(flat.binders, flat.body)) is not None:
        with given_members(b, joined):
            return condition(b, replace(flat, binders=joined.binders))
    if (decided := memberships.quantifier(node)) is not None:
        return condition(b, decided)
    if (found_on_lines := lines.quantifier(node, b.is_known)) is not None:
        return condition(b, found_on_lines)
    searched = node.kind != "all"
    sought = node.body if searched else negated(node.body)
    found = b.start("found", ir.FALSE)

    def body() -> None:
        test = condition(b, node.body)
        b.set(found, test if searched else ir.negation(test))

    if integer_loops.shortens(node.binders, sought):
        for_each_where(b, node.binders, sought, (), lambda: b.set(found, ir.TRUE), found)
    else:
        for_each(b, node.binders, (node.body,), body, leave=found)
    return found if node.kind == "any" else ir.negation(found)


def _flat(node: typed.Quantifier) -> typed.Quantifier:
    """Return whether a condition holds for any or no values of a quantifier's binders, and of those inside it."""
    kind, body = ("no", negated(node.body)) if node.kind == "all" else (node.kind, node.body)
    inside = opened(body) if isinstance(body, typed.Call) else body
    match inside:
        case typed.Quantifier("any", binders, test) | typed.Unary("not", typed.Quantifier("no", binders, test)):
            return replace(node, kind=kind, binders=(*node.binders, *binders), body=test)
        case typed.Unary("not", typed.Quantifier("all", binders, test)):
            return replace(node, kind=kind, binders=(*node.binders, *binders), body=negated(test))
    return replace(node, kind=kind, body=body)


def write_aggregate(b: Builder, node: typed.Aggregate) -> Expression:
    """Write a count, a sum, or an extreme."""
    if node.kind in ("minimum", "maximum"):
        return _extreme(b, node)
    total = b.start("total", ir.real(0) if isinstance(node.type, RealType) else ir.ZERO)

    if node.kind == "count":
        where = together("and", [test for test in (node.condition, node.body) if test is not None])
        for_each_where(b, node.binders, where, (), lambda: b.increase(total, 1))
        return total

    def body() -> None:
        _add_to(b, total, ir.as_integer(converted_code(b, node.body, node.type)), node.body.type)

    for_each_where(b, node.binders, node.condition, (node.body,), body)
    return total


def _add_to(b: Builder, total: Name, value: Expression, type_: Type) -> None:
    if isinstance(type_, RealType) and not (math.isfinite(type_.low) and math.isfinite(type_.high)):
        b.set(total, ir.operation("defined", ir.operation("real_add", total, value)))
    else:
        b.increase(total, value)


def _extreme(b: Builder, node: typed.Aggregate) -> Expression:
    real = isinstance(node.type, RealType)
    result = b.start("best", ir.real(0) if real else ir.integer(bounds(node.type)[0]))
    found = b.start("some", ir.FALSE)
    better = "less" if node.kind == "minimum" else "greater"

    def body() -> None:
        value = b.assign(ir.as_integer(converted_code(b, node.body, node.type)), "x")
        with b.when(ir.disjunction([ir.negation(found), ir.compare(better, value, result)])):
            b.set(result, value)
        b.set(found, ir.TRUE)

    for_each_where(b, node.binders, node.condition, (node.body,), body)
    site = b.module.site(FaultSite("empty", f"the {node.kind} of nothing", node.span), None)
    with b.when(ir.negation(found)):
        b.fail(site)
    return result
