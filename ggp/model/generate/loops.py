"""Binders: running over domains, quantifiers, aggregates, comprehensions.

A domain that is known before play and small is unrolled: its values become constants, which folds much of the body.
Other sets are taken apart bit by bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from ggp.language import typed
from ggp.language.types import (
    BoolType,
    CellType,
    EnumType,
    IntType,
    RealType,
    ScalarType,
    SetType,
    Type,
    codes,
    lowest,
)
from ggp.model.faults import FaultSite
from ggp.model.generate.bits import is_number, selected_word
from ggp.model.generate.builder import LOCAL_WORDS, Builder, bits_in_memory, identifier
from ggp.model.generate.conversion import bounds, converted_code
from ggp.model.generate.dispatch import code, compiles, condition, integer
from ggp.model.generate.memory import laid_out, local_memory
from ggp.model.generate.operands import (
    Bits,
    Code,
    as_integer,
    element_of,
    literal,
    negated,
    none_of,
    paren,
    plus,
    truth,
)
from ggp.model.generate.sets import add_in_memory, bits, bits_of, empty_in_memory
from ggp.model.generate.size import can_fail, mentions, needs_direction, node_count
from ggp.model.layout import set_words

Domain: TypeAlias = "ScalarType | typed.Expression | tuple[typed.Expression, typed.Expression]"

UNROLLED_VALUES = 4
"""Domains known before play are unrolled up to this size."""
UNROLLED_NODES = 400
"""As far as the unrolled bodies stay below this size together;"""
UNROLLED_DIRECTION_NODES = 6_400
"""and those in which the value is a direction below this."""


def known_codes(domain: Domain) -> list[int] | None:
    """Return the codes of a domain that is known before play, in order; None where it is not."""
    match domain:
        case BoolType() | IntType() | EnumType() | CellType():
            return list(codes(domain))
        case typed.Constant(value=frozenset() as members):
            return sorted(members)
        case (typed.Constant(value=int() as first), typed.Constant(value=int() as last)):
            return list(range(first, last + 1))
    return None


def unrolls(symbol: typed.Symbol, domain: Domain, body: tuple[typed.Expression | None, ...], copies: int) -> bool:
    """Return whether to write the body, written `copies` times already, once for each value of the domain."""
    values = known_codes(domain)
    if values is None:
        return False
    if len(values) <= 1:
        return True
    nodes = copies * len(values) * sum(node_count(part) for part in body if part is not None)
    if any(needs_direction(symbol, part) for part in body if part is not None):
        return nodes <= UNROLLED_DIRECTION_NODES
    return len(values) <= UNROLLED_VALUES and nodes <= UNROLLED_NODES


@contextmanager
def loop(b: Builder, symbol: typed.Symbol, domain: Domain) -> Iterator[None]:
    """Write a loop over a domain; inside, the symbol has each value in turn, in ascending order."""
    name = b.fresh(f"b_{identifier(symbol.name)}_")
    bound = Code(name)
    if isinstance(domain, (BoolType, IntType, EnumType, CellType)):
        values = codes(domain)
        with b.loop(f"for {name} in range({values.start}, {values.stop}):", symbol), b.bound(symbol, bound):
            yield
        return
    if isinstance(domain, tuple):
        first, last = integer(b, domain[0]), integer(b, domain[1])
        last = str(int(last) + 1) if is_number(last) else f"{last} + 1"
        with b.loop(f"for {name} in range({first}, {last}):", symbol), b.bound(symbol, bound):
            yield
        return
    element = element_of(domain.type)
    given = bits(b, domain)
    word = b.fresh("rest")
    low = lowest(element)
    if set_words(element) == 1:
        b.emit(f"{word} = {given.words[0]}")
        with b.loop(f"while {word} != 0:", symbol), b.bound(symbol, bound):
            b.emit(f"{name} = lowest_bit({word}){_added(low)}")
            b.emit(f"{word} = without_lowest({word})")
            yield
        return
    number = b.fresh("word")
    given = laid_out(b, given if given.place is not None else b.named_bits(given), element)
    with b.loop(f"for {number} in range({set_words(element)}):", symbol):
        b.emit(f"{word} = {selected_word(given, number)}")
        with b.block(f"while {word} != 0:"), b.bound(symbol, bound):
            b.emit(f"{name} = lowest_bit({word}) + 64 * {number}{_added(low)}")
            b.emit(f"{word} = without_lowest({word})")
            yield


def _added(low: int) -> str:
    if low == 0:
        return ""
    return f" + {low}" if low > 0 else f" - {-low}"


def loop_depth(domain: Domain) -> int:
    """Return how many Python loops a loop over a domain is."""
    if isinstance(domain, (BoolType, IntType, EnumType, CellType, tuple)):
        return 1
    assert isinstance(domain.type, SetType)
    return 1 if set_words(domain.type.element) == 1 else 2


def for_each(
    b: Builder,
    binders: tuple[typed.Binder, ...],
    parts: tuple[typed.Expression | None, ...],
    body: Callable[[], None],
    leave: str | None = None,
) -> None:
    """Write `body` for each binding of the binders; `parts` are the expressions that `body` writes.

    `leave` is a condition, checked after each round, under which the loops are left. It is known only to real loops:
    an unrolled body has to check it itself.
    """
    if not binders:
        body()
        return
    first, *rest = binders
    domains = tuple(domain for binder in rest for domain in _expressions(binder.domain))
    if unrolls(first.symbol, first.domain, (*parts, *domains), b.copies):
        values = known_codes(first.domain) or []
        b.copies *= max(len(values), 1)
        for value in values:
            b.loops_around[first.symbol] = 0
            with b.bound(first.symbol, literal(value)):
                if leave is None:
                    for_each(b, tuple(rest), parts, body, leave)
                else:
                    with b.block(f"if not {leave}:"):
                        for_each(b, tuple(rest), parts, body, leave)
        b.copies //= max(len(values), 1)
        return
    with loop(b, first.symbol, first.domain):
        for_each(b, tuple(rest), parts, body, leave)
        if leave is not None:
            with b.block(f"if {leave}:"):
                b.emit("break")
    if leave is not None and loop_depth(first.domain) == 2:
        last = b.lines[-1]
        assert isinstance(last, list)
        last += [f"if {leave}:", ["break"]]


def _expressions(domain: Domain) -> tuple[typed.Expression, ...]:
    if isinstance(domain, tuple):
        return domain
    return () if isinstance(domain, (BoolType, IntType, EnumType, CellType)) else (domain,)


def fully_unrolled(b: Builder, binders: tuple[typed.Binder, ...], parts: tuple[typed.Expression | None, ...]) -> bool:
    """Return whether `for_each` writes no loop for these binders."""
    copies = b.copies
    for place, binder in enumerate(binders):
        domains = tuple(domain for later in binders[place + 1 :] for domain in _expressions(later.domain))
        if not unrolls(binder.symbol, binder.domain, (*parts, *domains), copies):
            return False
        copies *= max(len(known_codes(binder.domain) or ()), 1)
    return True


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
        test = condition(b, node.condition)
        if test.constant == 0:
            return
        if node.kind == "count":
            counted = condition(b, node.body)
            _when(b, test, lambda: _when(b, counted, lambda: b.emit(f"{total} += 1")))
            return
        with b.capture() as lines:
            b.emit(_added_to(total, as_integer(converted_code(b, node.body, node.type)), node.body.type))
        _when(b, test, lambda: b.lines.extend(lines))

    for_each(b, node.binders, (node.condition, node.body), body)
    return Code(total)


def _added_to(total: str, text: str, type_: Type) -> str:
    if isinstance(type_, RealType) and not (math.isfinite(type_.low) and math.isfinite(type_.high)):
        return f"{total} = defined({total} + {paren(text)})"
    return f"{total} += {text}"


def _when(b: Builder, test: Code, body: Callable[[], object]) -> None:
    """Write `body` under a condition, or plainly where the condition is known."""
    if test.constant is not None:
        if test.constant:
            body()
        return
    with b.block(f"if {test.text}:"):
        body()


def _extreme(b: Builder, node: typed.Aggregate) -> Code:
    real = isinstance(node.type, RealType)
    result, found = b.fresh("best"), b.fresh("some")
    b.emit(f"{result} = {'0.0' if real else bounds(node.type)[0]}")
    b.emit(f"{found} = False")
    better = "<" if node.kind == "minimum" else ">"

    def body() -> None:
        test = condition(b, node.condition)
        if test.constant == 0:
            return
        with b.capture() as lines:
            value = b.assign(as_integer(converted_code(b, node.body, node.type)), "x")
            with b.block(f"if not {found} or {value} {better} {result}:"):
                b.emit(f"{result} = {value}")
            b.emit(f"{found} = True")
        _when(b, test, lambda: b.lines.extend(lines))

    for_each(b, node.binders, (node.condition, node.body), body)
    site = b.module.site(FaultSite("empty", f"the {node.kind} of nothing", node.span), None)
    with b.block(f"if not {found}:"):
        b.emit(f"fail(0, {site}, {b.fault})")
    return Code(result)


@compiles(typed.Comprehension)
def _comprehension(b: Builder, node: typed.Comprehension) -> Bits:
    element = element_of(node.type)
    ends = _range_ends(node)
    if ends is not None:
        return _range_bits(b, element, ends)
    collected = _collected(node)
    if collected is None and set_words(element) > LOCAL_WORDS:
        return _wide_comprehension(b, node, element)
    names = [b.fresh("set") for _ in range(set_words(element))]
    for name in names:
        b.emit(f"{name} = 0")
    if collected is not None:
        _collect(b, node, collected, names)
        return Bits(tuple(names))

    def body() -> None:
        test = condition(b, node.condition)
        if test.constant == 0:
            return
        with b.capture() as lines:
            value = b.named(Code(as_integer(code(b, node.element))))
            for name, word in zip(names, bits_of(b, element, node.element, value).words, strict=True):
                if word != "0":
                    b.emit(f"{name} |= {word}")
        _when(b, test, lambda: b.lines.extend(lines))

    for_each(b, node.binders, (node.condition, node.element), body)
    return Bits(tuple(names))


def _range_ends(node: typed.Comprehension) -> tuple[typed.Expression, typed.Expression] | None:
    """Return the ends of a range that a comprehension is, `{x in a..b}` as it were; None where it is something else."""
    binder, *others = node.binders
    if others or node.condition is not None or not isinstance(binder.domain, tuple):
        return None
    is_it = isinstance(node.element, typed.Local) and node.element.symbol is binder.symbol
    return binder.domain if is_it else None


def _range_bits(b: Builder, element: ScalarType, ends: tuple[typed.Expression, typed.Expression]) -> Bits:
    """Return the set of the integers between two ends without a loop over them."""
    first, after = (
        b.assign(plus(paren(integer(b, end)), str(distance)), "end")
        for end, distance in zip(ends, (-lowest(element), 1 - lowest(element)), strict=True)
    )

    def word(begin: str) -> str:
        below = f"low_bits({plus(after, begin)})"
        return below if first == "0" else f"{below} & ~low_bits({plus(first, begin)})"

    if set_words(element) <= LOCAL_WORDS:
        return Bits(tuple(word(str(-64 * number)) for number in range(set_words(element))))
    memory, number = local_memory(b, SetType(element)), b.fresh("word")
    with b.block(f"for {number} in range({set_words(element)}):"):
        b.emit(f"{memory.pointer}[{number}] = {word(f'{number} * -64')}")
    return bits_in_memory(memory, set_words(element))


def _wide_comprehension(b: Builder, node: typed.Comprehension, element: ScalarType) -> Bits:
    """Return a set of many words, written member by member in memory."""
    memory = empty_in_memory(b, element)

    def body() -> None:
        test = condition(b, node.condition)
        if test.constant == 0:
            return
        with b.capture() as lines:
            value = b.named(Code(as_integer(code(b, node.element))))
            add_in_memory(b, memory, element, value.text, none_of(node.element.type))
        _when(b, test, lambda: b.lines.extend(lines))

    for_each(b, node.binders, (node.condition, node.element), body)
    return bits_in_memory(memory, set_words(element))


def _collected(node: typed.Comprehension) -> typed.Expression | None:
    """Return the set of which a comprehension takes all members, as in `{c for d in direction, c in f(d)}`, or None."""
    *_, last = node.binders
    if isinstance(last.domain, (tuple, BoolType, IntType, EnumType, CellType)):
        return None
    if not isinstance(node.element, typed.Local) or node.element.symbol is not last.symbol:
        return None
    # a condition is then tested once, before the set is known: the same only if neither can be a fault
    together = node.condition is None or not (
        mentions(last.symbol, node.condition) or can_fail(node.condition) or can_fail(last.domain)
    )
    return last.domain if together else None


def _collect(b: Builder, node: typed.Comprehension, collected: typed.Expression, names: list[str]) -> None:
    """Write the union of a set over all bindings but the last: words at once, not member by member."""
    assert isinstance(node.type, SetType)
    type_ = node.type

    def body() -> None:
        test = condition(b, node.condition)
        if test.constant == 0:
            return
        with b.capture() as lines:
            for name, word in zip(names, bits(b, collected, type_).words, strict=True):
                if word != "0":
                    b.emit(f"{name} |= {word}")
        _when(b, test, lambda: b.lines.extend(lines))

    for_each(b, node.binders[:-1], (node.condition, collected), body)
