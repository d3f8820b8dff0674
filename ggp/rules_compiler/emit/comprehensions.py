"""Sets of the values that an expression has over binders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression, Name
from ggp.encoding.state_layout import set_words
from ggp.language import typed
from ggp.language.typed.types import ScalarType, SetType, lowest
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.dispatch import integer
from ggp.rules_compiler.emit.loops import for_each_where
from ggp.rules_compiler.emit.memory import local_memory
from ggp.rules_compiler.emit.operands import Bits, element_of, none_of
from ggp.rules_compiler.emit.sets import add_in_memory, bits, bits_of, empty_in_memory
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS, bits_in_memory
from ggp.rules_compiler.rewrite import lines, memberships
from ggp.rules_compiler.rewrite.images import Image, image
from ggp.rules_compiler.size import can_fail, mentions


def write_comprehension(b: Builder, node: typed.Comprehension) -> Bits:
    """Write the set of the values of an expression."""
    element = element_of(node.type)
    ends = _range_ends(node)
    if ends is not None:
        return _range_bits(b, element, ends)
    if (decided := memberships.comprehension(node)) is not None:
        return bits(b, decided)
    if (found := lines.comprehension(node, b.is_known)) is not None:
        return bits(b, found)
    if _is_last(node) and (joined := image(node.binders, node.condition)) is not None:
        with given_members(b, joined):
            return bits(b, replace(node, binders=joined.binders))
    collected = _collected(node)
    if collected is None and set_words(element) > LOCAL_WORDS:
        return _wide_comprehension(b, node, element)
    names = [b.start("set", 0) for _ in range(set_words(element))]
    if collected is not None:
        _collect(b, node, collected, names)
        return Bits(tuple(names))

    def body() -> None:
        value = b.assign(integer(b, node.element))
        _add_words(b, names, bits_of(b, element, node.element, value))

    for_each_where(b, node.binders, node.condition, (node.element,), body)
    return Bits(tuple(names))


def _range_ends(node: typed.Comprehension) -> tuple[typed.Expression, typed.Expression] | None:
    """Return the ends of a comprehension that is a range, as in `{x in a..b}`; None for others."""
    binder, *others = node.binders
    if others or node.condition is not None or not isinstance(binder.domain, tuple):
        return None
    is_it = isinstance(node.element, typed.Local) and node.element.symbol is binder.symbol
    return binder.domain if is_it else None


def _range_bits(b: Builder, element: ScalarType, ends: tuple[typed.Expression, typed.Expression]) -> Bits:
    """Return the set of the integers between two ends, without a loop."""
    first, after = (
        b.assign(ir.add(integer(b, end), distance), "end")
        for end, distance in zip(ends, (-lowest(element), 1 - lowest(element)), strict=True)
    )

    def word(begin: Expression) -> Expression:
        below = ir.operation("low_bits", ir.add(after, begin))
        if first.constant == 0:
            return below
        return ir.without(below, ir.operation("low_bits", ir.add(first, begin)))

    if set_words(element) <= LOCAL_WORDS:
        return Bits(tuple(word(ir.integer(-64 * number)) for number in range(set_words(element))))
    memory, number = local_memory(b, SetType(element)), b.fresh("word")
    with b.repeat(number, 0, set_words(element)):
        b.store(memory.row, number, word(ir.multiply(number, -64)))
    return bits_in_memory(memory, set_words(element))


def _wide_comprehension(b: Builder, node: typed.Comprehension, element: ScalarType) -> Bits:
    """Return a set of many words, written member by member in memory."""
    memory = empty_in_memory(b, element)

    def body() -> None:
        add_in_memory(b, memory, element, b.assign(integer(b, node.element)), none_of(node.element.type))

    for_each_where(b, node.binders, node.condition, (node.element,), body)
    return bits_in_memory(memory, set_words(element))


@contextmanager
def given_members(b: Builder, joined: Image) -> Iterator[None]:
    """Bind the set of the cells whose neighbours are asked for, computed once."""
    b.loops_around[joined.given] = len(b.loops)
    with b.bound(joined.given, b.named_bits(bits(b, joined.members))):
        yield


def _is_last(node: typed.Comprehension) -> bool:
    """Return whether a comprehension collects the values of its last binder."""
    return isinstance(node.element, typed.Local) and node.element.symbol is node.binders[-1].symbol


def _collected(node: typed.Comprehension) -> typed.Expression | None:
    """Return the set whose members a comprehension collects, as in `{c for d in direction, c in f(d)}`, or None."""
    *_, last = node.binders
    if isinstance(last.domain, (tuple, ScalarType)):
        return None
    if not _is_last(node):
        return None
    # the condition is then tested once, before the set is computed: the same only if neither can be a fault
    together = node.condition is None or not (
        mentions(last.symbol, node.condition) or can_fail(node.condition) or can_fail(last.domain)
    )
    return last.domain if together else None


def _collect(b: Builder, node: typed.Comprehension, collected: typed.Expression, names: Sequence[Name]) -> None:
    """Write the union of a set over all bindings except the last, word by word, not member by member."""
    assert isinstance(node.type, SetType)
    type_ = node.type

    def body() -> None:
        _add_words(b, names, bits(b, collected, type_))

    for_each_where(b, node.binders[:-1], node.condition, (collected,), body)


def _add_words(b: Builder, names: Sequence[Name], added: Bits) -> None:
    """Write the union of a set whose words are names with another."""
    for name, word in zip(names, added.words, strict=True):
        b.include(name, word)
