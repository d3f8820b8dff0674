"""Running over the values of binders: loops over domains, unrolled where that pays.

A domain that is known before play and small is unrolled: its values become constants, which folds much of the body.
Other sets are taken apart bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from ggp.language import typed
from ggp.language.typed.types import ScalarType, codes, lowest
from ggp.model.generate.bits import is_number, selected_word
from ggp.model.generate.builder import Builder, identifier
from ggp.model.generate.dispatch import condition, integer
from ggp.model.generate.memory import laid_out
from ggp.model.generate.operands import Code, element_of, literal
from ggp.model.generate.sets import bits
from ggp.model.generate.size import needs_direction, node_count
from ggp.model.state_layout import set_words

Domain: TypeAlias = "ScalarType | typed.Expression | tuple[typed.Expression, typed.Expression]"

UNROLLED_VALUES = 4
"""Domains known before play are unrolled up to this size."""
UNROLLED_NODES = 400
"""As far as the unrolled bodies stay below this size together;"""
UNROLLED_DIRECTION_NODES = 6_400
"""and those in which the value is a direction below this."""


def known_codes(domain: Domain) -> list[int] | None:
    """Return the codes of a domain that is known before play, in order; None where it is not."""
    if isinstance(domain, ScalarType):
        return list(codes(domain))
    match domain:
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
    if isinstance(domain, ScalarType):
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
    if isinstance(domain, (ScalarType, tuple)):
        return 1
    return 1 if set_words(element_of(domain.type)) == 1 else 2


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
    return () if isinstance(domain, ScalarType) else (domain,)


def for_each_where(
    b: Builder,
    binders: tuple[typed.Binder, ...],
    where: typed.Expression | None,
    parts: tuple[typed.Expression | None, ...],
    body: Callable[[], None],
) -> None:
    """Write `body` for each binding of the binders for which `where` holds, for each one where that is None."""
    for_each(b, binders, (where, *parts), lambda: when(b, condition(b, where), body))


def when(b: Builder, test: Code, body: Callable[[], None]) -> None:
    """Write `body` under a condition; plainly, or not at all, where it is known whether it holds."""
    if test.constant is not None:
        if test.constant:
            body()
        return
    with b.block(f"if {test.text}:"):
        body()


def fully_unrolled(b: Builder, binders: tuple[typed.Binder, ...], parts: tuple[typed.Expression | None, ...]) -> bool:
    """Return whether `for_each` writes no loop for these binders."""
    copies = b.copies
    for place, binder in enumerate(binders):
        domains = tuple(domain for later in binders[place + 1 :] for domain in _expressions(later.domain))
        if not unrolls(binder.symbol, binder.domain, (*parts, *domains), copies):
            return False
        copies *= max(len(known_codes(binder.domain) or ()), 1)
    return True
