"""Expressions on sets: bit number `position` stands for the value at that position."""

from __future__ import annotations

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Constant, Expression
from ggp.encoding.state_layout import set_words
from ggp.faults import FaultSite
from ggp.language import typed
from ggp.language.typed.types import ScalarType, SetType, codes, lowest
from ggp.rules_compiler.emit.bits import (
    FLAT_WORDS,
    difference,
    extreme_member,
    has_bit,
    is_empty,
    masked,
    member_count,
    member_sum,
    no_bits,
    single,
    union,
)
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.conversion import common_type, converted
from ggp.rules_compiler.emit.dispatch import integer, operand
from ggp.rules_compiler.emit.memory import laid_out, local_memory
from ggp.rules_compiler.emit.operands import Bits, Memory, bounds, element_of, none_of
from ggp.rules_compiler.emit.value_names import LOCAL_WORDS, bits_in_memory, position_of


def bits(b: Builder, node: typed.Expression, type_: SetType | None = None) -> Bits:
    """Return an expression that is a set, as a set of `type_`."""
    result = converted(b, operand(b, node), node.type, type_ or node.type)
    assert isinstance(result, Bits), node
    return result


def write_set_operation(b: Builder, node: typed.SetOperation) -> Bits:
    """Write a union, difference or intersection."""
    assert isinstance(node.type, SetType)
    if node.operator == "intersection":
        for side, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(side, typed.Constant) and side.value == frozenset(codes(node.type.element)):
                return bits(b, other, node.type)
    left, right = bits(b, node.left, node.type), bits(b, node.right, node.type)
    return {"union": union, "difference": difference, "intersection": masked}[node.operator](left, right)


def write_member(b: Builder, node: typed.Member) -> Expression:
    """Write whether a value is in a set."""
    element = element_of(node.set.type)
    value = b.assign(integer(b, node.element))
    given = bits(b, node.set)
    low, high = bounds(element)
    value_low, value_high = bounds(node.element.type)
    none = none_of(node.element.type)
    if isinstance(value, Constant):
        if not low <= value.value <= high or value.value == none:
            return ir.FALSE
        return has_bit(b, given, position_of(element, value))
    tests = []
    if value_low < low:
        tests.append(ir.compare("greater_equal", value, low))
    elif none is not None and none >= low:
        tests.append(ir.compare("unequal", value, none))
    if value_high > high:
        tests.append(ir.compare("less_equal", value, high))
    if given.place is None and len(given.words) > FLAT_WORDS:
        given = laid_out(b, given, element)
    elif tests and given.place is None:
        given = b.named_bits(given)
    return ir.conjunction([*tests, has_bit(b, given, position_of(element, value))])


def write_subset(b: Builder, node: typed.Subset) -> Expression:
    """Write whether every member of one set is in another."""
    common = common_type(node.left.type, node.right.type)
    assert isinstance(common, SetType)
    return is_empty(difference(bits(b, node.left, common), bits(b, node.right, common)))


def write_set_literal(b: Builder, node: typed.SetLiteral) -> Bits:
    """Write the set of some values."""
    element = element_of(node.type)
    total = no_bits(set_words(element))
    for item in node.elements:
        total = union(total, bits_of(b, element, item, b.assign(integer(b, item))))
    return total


def bits_of(b: Builder, element: ScalarType, node: typed.Expression, value: Expression) -> Bits:
    """Return the set of one value, given its code; for none, the empty set."""
    none = none_of(node.type)
    if set_words(element) > LOCAL_WORDS and not isinstance(value, Constant):
        return _wide_single(b, element, value, none)
    if none is None:
        return single(b, element, value)
    if isinstance(value, Constant):
        return no_bits(set_words(element)) if value.value == none else single(b, element, value)
    words = single(b, element, value).words
    return Bits(tuple(ir.chosen(ir.compare("unequal", value, none), word, 0) for word in words))


def _wide_single(b: Builder, element: ScalarType, value: Expression, none: int | None) -> Bits:
    """Return the set of one value, or of none, in memory: comparing word by word would take much more code."""
    memory = empty_in_memory(b, element)
    add_in_memory(b, memory, element, value, none)
    return bits_in_memory(memory, set_words(element))


def empty_in_memory(b: Builder, element: ScalarType) -> Memory:
    """Return new local memory that holds an empty set."""
    memory, number = local_memory(b, SetType(element)), b.fresh("word")
    with b.repeat(number, 0, set_words(element)):
        b.store(memory.row, number, 0)
    return memory


def add_in_memory(b: Builder, memory: Memory, element: ScalarType, value: Expression, none: int | None) -> None:
    """Add a value to a set in local memory, unless it is none."""
    with b.when(ir.TRUE if none is None else ir.compare("unequal", value, none)):
        include_bit(b, memory, b.assign(position_of(element, value), "i"))


def include_bit(b: Builder, memory: Memory, at: Expression) -> None:
    """Add the value at a position, which is written more than once, to a set in memory."""
    number, bit = ir.operation("right", at, 6), ir.bit(ir.both(at, 63))
    place = ir.add(memory.base, number)
    b.store(memory.row, place, ir.either(ir.entry(memory.row, place), bit))


def write_at_most(b: Builder, node: typed.AtMost) -> Bits:
    """Write a set that must have at most a given number of members."""
    given = b.named_bits(bits(b, node.operand))
    site = b.module.site(FaultSite("out_of_range", node.reason, node.span), None)
    with b.when(ir.compare("greater", member_count(given), node.most)):
        b.fail(site)
    return given


def write_set_fold(b: Builder, node: typed.SetFold) -> Expression:
    """Write the number, the sum, the smallest or the largest of a set's members."""
    element = element_of(node.set.type)
    low = lowest(element)
    given = b.named_bits(bits(b, node.set))
    if node.kind == "count":
        return member_count(given)
    if node.kind == "sum":
        return member_sum(given, low)
    site = b.module.site(FaultSite("empty", node.shortage, node.span), None)
    result, empty = b.fresh("x"), is_empty(given)
    if empty.constant == 0:
        return extreme_member(given, node.kind == "minimum", low)
    with b.capture() as failing:
        b.fail(site)
        b.set(result, bounds(node.type)[0])
    if empty.constant:
        b.body.extend(failing)
        return result
    with b.when(empty):
        b.body.extend(failing)
    with b.otherwise():
        b.set(result, extreme_member(given, node.kind == "minimum", low))
    return result
