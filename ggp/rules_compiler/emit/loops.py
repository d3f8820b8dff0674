"""Loops over the values of binders, unrolled if that pays.

A domain that is known before play and small is unrolled: its values become constants, which folds much of the body.
Other sets are taken apart bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeAlias

from msgspec.structs import replace

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Break, Expression, For, If, Name, While
from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import ScalarType, codes, lowest
from ggp.language.typed.walk import parts as parts_of
from ggp.rules_compiler.emit.bits import WORD_MASK, selected_word
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.dispatch import condition, integer
from ggp.rules_compiler.emit.memory import laid_out
from ggp.rules_compiler.emit.module import identifier
from ggp.rules_compiler.emit.operands import Bits, element_of, is_known_set
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.rewrite import integer_loops
from ggp.rules_compiler.rewrite.memberships import split
from ggp.rules_compiler.size import Domain, known_codes, needs_direction, node_count

Parts: TypeAlias = "Sequence[typed.Expression | None]"

UNROLLED_VALUES = 4
"""Domains known before play are unrolled up to this size."""
UNROLLED_NODES = 400
"""provided that the unrolled bodies together stay below this size;"""
UNROLLED_DIRECTION_NODES = 6_400
"""or below this one if the value is a direction."""
UNROLLED_LOOPS = 2
"""Copies of a loop that is not unrolled."""
STATEMENT_NODES = 20
"""Size of a body without expressions: it still writes something, such as the number of an outcome."""


def unrolls(symbol: typed.Symbol, domain: Domain, body: Parts, copies: int) -> bool:
    """Return whether to write the body, written `copies` times already, once for each value of the domain."""
    values = known_codes(domain)
    if values is None:
        return False
    if len(values) <= 1:
        return True
    own = sum(node_count(part) for part in body if part is not None)
    nodes = copies * len(values) * (own or STATEMENT_NODES)
    if any(needs_direction(symbol, part) for part in body if part is not None):
        return nodes <= UNROLLED_DIRECTION_NODES
    return len(values) <= UNROLLED_VALUES and nodes <= UNROLLED_NODES


@contextmanager
def loop(b: Builder, symbol: typed.Symbol, domain: Domain) -> Iterator[None]:
    """Write a loop over a domain; inside, the symbol has each value in turn, in ascending order."""
    name = b.fresh(f"b_{identifier(symbol.name)}_")
    if isinstance(domain, (ScalarType, tuple)):
        if isinstance(domain, tuple):
            first, after = integer(b, domain[0]), ir.add(integer(b, domain[1]), 1)
        else:
            first, after = ir.integer(codes(domain).start), ir.integer(codes(domain).stop)
        with b.loop(symbol), b.repeat(name, first, after), b.bound(symbol, name):
            yield
        return
    element, given = element_of(domain.type), bits(b, domain)
    with b.loop(symbol), each_member(b, given, element, name, lowest(element)), b.bound(symbol, name):
        yield


@contextmanager
def each_member(b: Builder, given: Bits, element: ScalarType, name: Name, low: int = 0) -> Iterator[None]:
    """Write a loop over the members of a set; inside, a name has the position of each, plus `low`, in turn."""
    rest, words = b.fresh("rest"), set_words(element)
    some_left = ir.compare("unequal", rest, 0)

    def take_next(first: Expression) -> None:
        b.set(name, ir.add(ir.operation("lowest_bit", rest), first))
        b.set(rest, ir.operation("without_lowest", rest))

    if words == 1:
        b.set(rest, given.words[0])
        with b.repeat_while(some_left):
            take_next(ir.integer(low))
            yield
        return
    number = b.fresh("word")
    given = laid_out(b, given if given.place is not None else b.named_bits(given), element)
    with b.repeat(number, 0, words):
        b.set(rest, selected_word(given, number))
        with b.repeat_while(some_left):
            take_next(ir.add(ir.multiply(number, 64), low))
            yield


def for_each(
    b: Builder,
    binders: Sequence[typed.Binder],
    parts: Parts,
    body: Callable[[], None],
    leave: Expression | None = None,
    inner: Sequence[typed.Binder] = (),
) -> None:
    """Write `body` for each binding of the binders; `parts` are the expressions that `body` writes, `inner` its loops.

    `leave` is a condition, checked after each round, under which the loops are left. It is known only to real loops:
    an unrolled body has to check it itself.
    """
    if not binders:
        body()
        return
    first, *rest = binders
    first = replace(first, domain=_known_domain(b, first.domain))
    domains = [domain for binder in rest for domain in parts_of(binder)]
    if unrolls(first.symbol, first.domain, (*parts, *domains), b.copies) and _few_loops(
        b, first, (*rest, *inner), parts
    ):
        values = known_codes(first.domain) or []
        b.copies *= max(len(values), 1)
        for value in values:
            b.loops_around[first.symbol] = 0
            go_on = ir.TRUE if leave is None else ir.negation(leave)
            with b.bound(first.symbol, ir.integer(value)), b.when(go_on):
                for_each(b, rest, parts, body, leave, inner)
        b.copies //= max(len(values), 1)
        return
    with loop(b, first.symbol, first.domain):
        for_each(b, rest, parts, body, leave, inner)
        if leave is not None:
            with b.when(leave):
                b.leave_loop()
    if leave is not None:
        _leave_outer_loop(b, leave)


def _known_domain(b: Builder, domain: Domain) -> Domain:
    """Return a domain, as a constant if it is an argument that is known where the definition is called."""
    given = b.environment.get(domain.symbol) if isinstance(domain, typed.Local) else None
    if not isinstance(domain, typed.Local) or not is_known_set(given):
        return domain
    mask = sum((int(word.constant or 0) & WORD_MASK) << 64 * at for at, word in enumerate(given.words))
    low, members = lowest(element_of(domain.type)), range(mask.bit_length())
    return typed.Constant(frozenset(low + at for at in members if mask >> at & 1), domain.type, domain.span)


def _leave_outer_loop(b: Builder, leave: Expression) -> None:
    """Write the break out of the loop over a set's words, if the loop just written is one."""
    last = b.body[-1]
    if isinstance(last, For) and last.body and isinstance(last.body[-1], While):
        last.body.append(If([(leave, [Break()])]))


def for_each_where(
    b: Builder,
    binders: Sequence[typed.Binder],
    where: typed.Expression | None,
    parts: Parts,
    body: Callable[[], None],
    leave: Expression | None = None,
) -> None:
    """Write `body` for each binding of the binders for which `where` holds, for each one where that is None.

    `leave` is as for `for_each`.
    """
    if not binders:
        _write_where(b, where, body)
        return
    if not unrolls(binders[-1].symbol, binders[-1].domain, (where, *parts), b.copies):
        binders, where = integer_loops.narrowed(binders, where)
    first, *rest = binders
    if rest:
        domains = [domain for binder in rest for domain in parts_of(binder)]
        inside = partial(for_each_where, b, rest, where, parts, body, leave)
        for_each(b, [first], (where, *domains, *parts), inside, leave, rest)
        return
    found = split(first, where)
    if found is not None and found.certain is None:
        first, where = replace(first, domain=found.domain), found.test
    way = integer_loops.way(first, where)
    if way is None:
        for_each(b, [first], (where, *parts), lambda: _write_where(b, where, body), leave)
        return
    ended = b.start("ended", ir.FALSE)

    def along() -> None:
        with b.when(condition(b, way.begun)):
            b.set(ended, ir.negation(condition(b, way.test)))
        with b.when(ir.negation(ended)):
            _write_where(b, way.rest, body)

    with b.when(condition(b, way.before)):
        done = ended if leave is None else ir.disjunction([ended, leave])
        for_each(b, [first], (way.test, where, *parts), along, done)


def _write_where(b: Builder, where: typed.Expression | None, body: Callable[[], None]) -> None:
    test = condition(b, where)
    if test.constant != 0:
        with b.when(test):
            body()


def _few_loops(b: Builder, first: typed.Binder, rest: Sequence[typed.Binder], parts: Parts) -> bool:
    """Return whether few loops are written if the first binder is unrolled: LLVM takes minutes for hundreds.

    A direction that becomes a constant is worth them.
    """
    if any(needs_direction(first.symbol, part) for part in parts if part is not None):
        return True
    copies = b.copies * max(len(known_codes(first.domain) or ()), 1)
    return copies <= UNROLLED_LOOPS or fully_unrolled(b, rest, parts, copies)


def fully_unrolled(b: Builder, binders: Sequence[typed.Binder], parts: Parts, copies: int | None = None) -> bool:
    """Return whether `for_each` writes no loop for these binders, in code that is written so many times already."""
    copies = b.copies if copies is None else copies
    for place, binder in enumerate(binders):
        domains = tuple(domain for later in binders[place + 1 :] for domain in parts_of(later))
        if not unrolls(binder.symbol, binder.domain, (*parts, *domains), copies):
            return False
        copies *= max(len(known_codes(binder.domain) or ()), 1)
    return True
