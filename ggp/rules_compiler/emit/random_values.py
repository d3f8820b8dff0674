"""Random numbers, and values and subsets drawn with them from one domain."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression, Name
from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import lowest
from ggp.rules_compiler.emit.bits import constant_bits, extreme_member, kth_known, kth_member, member_count, single
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.memory import laid_out
from ggp.rules_compiler.emit.module import RowNeed
from ggp.rules_compiler.emit.operands import Bits
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.size import known_codes

RNG = RowNeed("rng")


def below(b: Builder, bound: ir.Given) -> Expression:
    """Return a random number from 0 to below a bound."""
    return ir.effect("below", b.row(RNG), bound)


def draw_value(
    b: Builder, component: typed.Component, known: Sequence[int] | None, name: Name, empty: Callable[[], None]
) -> None:
    """Write a uniform draw of one component's value; `empty` writes the code for an empty domain."""
    if known is not None:
        if not known:
            empty()
            b.set(name, lowest(component.type))
        elif len(known) == 1:
            b.set(name, known[0])
        else:
            b.set(name, kth_known(b, known, below(b, len(known))))
        return
    assert isinstance(component.domain, typed.Expression)
    given = laid_out(b, b.named_bits(bits(b, component.domain)), component.type)
    count = b.assign(member_count(given), "count")
    with b.when(ir.equal(count, 0)):
        empty()
    k = below(b, count)
    b.set(name, kth_member(given, component.type, k if len(given.words) == 1 else b.start("k", k)))


def draw_subset(b: Builder, first: typed.Component, names: Sequence[Name], empty: Callable[[], None]) -> None:
    """Write the draw of a subset, uniformly, its members in ascending order; `empty` as in `draw_value`.

    Members are drawn one after the other without replacement, and sorted at the end.
    """
    known = known_codes(first.domain)
    if known is not None:
        low = lowest(first.type)
        given = constant_bits(sum(1 << code - low for code in known), set_words(first.type))
    else:
        assert isinstance(first.domain, typed.Expression)
        given = b.named_bits(bits(b, first.domain))
    rest = [b.start("rest", word) for word in given.words]
    drawn = [b.start("drawn", 0) for _ in rest]
    count = b.assign(member_count(Bits(tuple(rest))), "count")
    if count.constant is None or count.constant < len(names):
        with b.when(ir.compare("less", count, len(names))):
            empty()
    for number in range(len(names)):
        k = b.start("k", below(b, ir.subtract(count, number)))
        member = b.assign(kth_member(Bits(tuple(rest)), first.type, k), "member")
        for left, chosen, word in zip(rest, drawn, single(b, first.type, member).words, strict=True):
            b.set(left, ir.without(left, word))
            b.include(chosen, word)
    for name in names:
        b.set(name, extreme_member(Bits(tuple(drawn)), smallest=True, low=lowest(first.type)))
        for chosen, word in zip(drawn, single(b, first.type, name).words, strict=True):
            b.set(chosen, ir.without(chosen, word))
