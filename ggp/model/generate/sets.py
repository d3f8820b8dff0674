"""Expressions on sets: bit `position` of the whole stands for the value there."""

from __future__ import annotations

from contextlib import nullcontext

from ggp.language import typed
from ggp.language.typed.types import (
    ScalarType,
    SetType,
    lowest,
)
from ggp.model.faults import FaultSite
from ggp.model.generate.bits import (
    extreme_member,
    has_bit,
    is_empty,
    is_number,
    member_count,
    member_sum,
    single,
    union,
    word_and,
    word_or,
    word_without,
)
from ggp.model.generate.builder import (
    LOCAL_WORDS,
    Builder,
    bits_in_memory,
    position_text,
)
from ggp.model.generate.conversion import bounds, common_type, converted
from ggp.model.generate.dispatch import compiles, integer, operand
from ggp.model.generate.memory import local_memory
from ggp.model.generate.operands import (
    Bits,
    Code,
    Memory,
    element_of,
    none_of,
    truth,
)
from ggp.model.state_layout import set_words


def bits(b: Builder, node: typed.Expression, type_: SetType | None = None) -> Bits:
    """Return an expression that is a set, as a set of `type_`."""
    result = converted(b, operand(b, node), node.type, type_ or node.type)
    assert isinstance(result, Bits), node
    return result


@compiles(typed.SetOperation)
def _set_operation(b: Builder, node: typed.SetOperation) -> Bits:
    assert isinstance(node.type, SetType)
    left, right = bits(b, node.left, node.type), bits(b, node.right, node.type)
    combine = {"union": word_or, "difference": word_without, "intersection": word_and}[node.operator]
    return Bits(tuple(combine(a, c) for a, c in zip(left.words, right.words, strict=True)))


@compiles(typed.Member)
def _member(b: Builder, node: typed.Member) -> Code:
    element = element_of(node.set.type)
    value = b.named(Code(integer(b, node.element)))
    given = bits(b, node.set)
    low, high = bounds(element)
    value_low, value_high = bounds(node.element.type)
    if is_number(value.text):
        if not low <= int(value.text) <= high or int(value.text) == none_of(node.element.type):
            return truth(False)
        return has_bit(b, given, position_text(element, value.text))
    tests = []
    none = none_of(node.element.type)
    if value_low < low:
        tests.append(f"{value.text} >= {low}")
    elif none is not None and none >= low:
        tests.append(f"{value.text} != {none}")
    if value_high > high:
        tests.append(f"{value.text} <= {high}")
    if not tests:
        return has_bit(b, given, position_text(element, value.text))
    if given.place is None:
        given = b.named_bits(given)
    test = has_bit(b, given, position_text(element, value.text))
    return Code(f"({' and '.join([*tests, test.text])})", truth=True)


@compiles(typed.Subset)
def _subset(b: Builder, node: typed.Subset) -> Code:
    common = common_type(node.left.type, node.right.type)
    assert isinstance(common, SetType)
    left, right = bits(b, node.left, common), bits(b, node.right, common)
    return is_empty(Bits(tuple(word_without(a, c) for a, c in zip(left.words, right.words, strict=True))))


@compiles(typed.SetLiteral)
def _set_literal(b: Builder, node: typed.SetLiteral) -> Bits:
    element = element_of(node.type)
    total = Bits(("0",) * set_words(element))
    for item in node.elements:
        total = union(total, bits_of(b, element, item, b.named(Code(integer(b, item)))))
    return total


def bits_of(b: Builder, element: ScalarType, node: typed.Expression, value: Code) -> Bits:
    """Return the set of an expression's value, given its code; of none, the empty set."""
    none = none_of(node.type)
    if set_words(element) > LOCAL_WORDS and not is_number(value.text):
        return _wide_single(b, element, value.text, none)
    if none is None:
        return single(b, element, value.text)
    if is_number(value.text):
        return Bits(("0",) * set_words(element)) if int(value.text) == none else single(b, element, value.text)
    words = single(b, element, value.text).words
    return Bits(tuple(f"({word} if {value.text} != {none} else 0)" for word in words))


def _wide_single(b: Builder, element: ScalarType, value: str, none: int | None) -> Bits:
    """Return the set of one value, or of none, in memory: a comparison for each of many words would be much code."""
    memory = empty_in_memory(b, element)
    add_in_memory(b, memory, element, value, none)
    return bits_in_memory(memory, set_words(element))


def empty_in_memory(b: Builder, element: ScalarType) -> Memory:
    """Return new memory of the function's own with an empty set in it."""
    memory, number = local_memory(b, SetType(element)), b.fresh("word")
    with b.block(f"for {number} in range({set_words(element)}):"):
        b.emit(f"{memory.pointer}[{number}] = 0")
    return memory


def add_in_memory(b: Builder, memory: Memory, element: ScalarType, value: str, none: int | None) -> None:
    """Add a value to a set in memory of the function's own, unless it is none."""
    with nullcontext() if none is None else b.block(f"if {value} != {none}:"):
        at = b.assign(position_text(element, value), "i")
        b.emit(f"{memory.pointer}[{at} >> 6] |= bit({at} & 63)")


@compiles(typed.SetFold)
def _set_fold(b: Builder, node: typed.SetFold) -> Code:
    element = element_of(node.set.type)
    low = lowest(element)
    given = b.named_bits(bits(b, node.set))
    if node.kind == "count":
        return Code(member_count(given))
    if node.kind == "sum":
        return Code(member_sum(given, low))
    empty = is_empty(given)
    site = b.module.site(FaultSite("empty", f"the {node.kind} of nothing", node.span), None)
    result = b.fresh("x")
    with b.block(f"if {empty.text}:"):
        b.emit(f"fail(0, {site}, {b.fault})")
        b.emit(f"{result} = {bounds(node.type)[0]}")
    with b.block("else:"):
        b.emit(f"{result} = {extreme_member(given, node.kind == 'minimum', low)}")
    return Code(result)
