"""Quantifiers, and counts, sums and extremes over binders."""

from __future__ import annotations

import math

from ggp.language import typed
from ggp.language.typed.types import RealType, Type
from ggp.model.faults import FaultSite
from ggp.model.generate.builder import Builder
from ggp.model.generate.conversion import bounds, converted_code
from ggp.model.generate.dispatch import compiles, condition
from ggp.model.generate.loops import for_each, for_each_where, fully_unrolled, when
from ggp.model.generate.operands import Code, as_integer, negated, paren, truth


@compiles(typed.Quantifier)
def _quantifier(b: Builder, node: typed.Quantifier) -> Code:
    """`all` is left at the first body that fails, `any` and `no` at the first that holds."""
    searched = node.kind != "all"
    if fully_unrolled(b, node.binders, (node.body,)):
        simple = _as_one_condition(b, node, searched)
        if simple is not None:
            return negated(simple) if node.kind == "no" else simple
    result = b.fresh("found")
    b.emit(f"{result} = False")

    def body() -> None:
        test = condition(b, node.body)
        b.emit(f"{result} = {(test if searched else negated(test)).text}")

    for_each(b, node.binders, (node.body,), body, leave=result)
    found = Code(result, truth=True)
    return found if node.kind == "any" else negated(found)


def _as_one_condition(b: Builder, node: typed.Quantifier, searched: bool) -> Code | None:
    """Return an unrolled quantifier as one condition; None where a body needs lines of its own."""
    tests: list[Code] = []

    def body() -> None:
        tests.append(condition(b, node.body))

    with b.capture() as lines:
        for_each(b, node.binders, (node.body,), body)
    if lines:
        return None
    kept = []
    for test in tests:
        if test.constant is None:
            kept.append(test.text)
        elif bool(test.constant) == searched:
            kept.append("True" if searched else "False")
            break
    if not kept:
        return truth(not searched)
    if kept == [str(searched)]:
        return truth(searched)
    return Code(kept[0] if len(kept) == 1 else f"({(' or ' if searched else ' and ').join(kept)})", truth=True)


@compiles(typed.Aggregate)
def _aggregate(b: Builder, node: typed.Aggregate) -> Code:
    if node.kind in ("minimum", "maximum"):
        return _extreme(b, node)
    real = isinstance(node.type, RealType)
    total = b.fresh("total")
    b.emit(f"{total} = {'0.0' if real else '0'}")

    def body() -> None:
        if node.kind == "count":
            when(b, condition(b, node.body), lambda: b.emit(f"{total} += 1"))
        else:
            b.emit(_added_to(total, as_integer(converted_code(b, node.body, node.type)), node.body.type))

    for_each_where(b, node.binders, node.condition, (node.body,), body)
    return Code(total)


def _added_to(total: str, text: str, type_: Type) -> str:
    if isinstance(type_, RealType) and not (math.isfinite(type_.low) and math.isfinite(type_.high)):
        return f"{total} = defined({total} + {paren(text)})"
    return f"{total} += {text}"


def _extreme(b: Builder, node: typed.Aggregate) -> Code:
    real = isinstance(node.type, RealType)
    result, found = b.fresh("best"), b.fresh("some")
    b.emit(f"{result} = {'0.0' if real else bounds(node.type)[0]}")
    b.emit(f"{found} = False")
    better = "<" if node.kind == "minimum" else ">"

    def body() -> None:
        value = b.assign(as_integer(converted_code(b, node.body, node.type)), "x")
        with b.block(f"if not {found} or {value} {better} {result}:"):
            b.emit(f"{result} = {value}")
        b.emit(f"{found} = True")

    for_each_where(b, node.binders, node.condition, (node.body,), body)
    site = b.module.site(FaultSite("empty", f"the {node.kind} of nothing", node.span), None)
    with b.block(f"if not {found}:"):
        b.emit(f"fail(0, {site}, {b.fault})")
    return Code(result)
