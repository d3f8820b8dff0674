"""Sets as bits in words: operations, membership, folds. Bit `position` of the whole stands for the value there."""

from __future__ import annotations

from ggp.language import typed
from ggp.language.types import ScalarType, SetType, lowest, size
from ggp.model.faults import FaultSite
from ggp.model.generate.builder import Builder, position_text
from ggp.model.generate.expressions import bounds, common_type, compiles, converted, integer, operand
from ggp.model.generate.operands import (
    Bits,
    Code,
    element_of,
    is_name,
    none_of,
    paren,
    truth,
)
from ggp.model.layout import encode_set, set_words, signed

WORD_MASK = (1 << 64) - 1


def bits(b: Builder, node: typed.Expression, type_: SetType | None = None) -> Bits:
    """Return an expression that is a set, as a set of `type_`."""
    result = converted(b, operand(b, node), node.type, type_ or node.type)
    assert isinstance(result, Bits), node
    return result


def full_words(element: ScalarType) -> list[int]:
    """Return the words of the set of all values."""
    return words_of_mask((1 << size(element)) - 1, set_words(element))


def words_of_mask(mask: int, count: int) -> list[int]:
    """Return the signed words of an unbounded bit mask."""
    return [signed(mask >> (64 * word) & WORD_MASK) for word in range(count)]


def is_number(text: str) -> bool:
    """Return whether a text is an integer."""
    return text.lstrip("-").isdigit()


def word_and(left: str, right: str) -> str:
    """Return the bits in both words, folded."""
    if "0" in (left, right):
        return "0"
    if left == "-1" or left == right:
        return right
    if right == "-1":
        return left
    if is_number(left) and is_number(right):
        return str(int(left) & int(right))
    return f"{paren(left)} & {paren(right)}"


def word_or(left: str, right: str) -> str:
    """Return the bits in either word, folded."""
    if left == "0" or left == right:
        return right
    if right == "0":
        return left
    if is_number(left) and is_number(right):
        return str(int(left) | int(right))
    return f"{paren(left)} | {paren(right)}"


def word_without(left: str, right: str) -> str:
    """Return the bits of the first word that are not in the second, folded."""
    if right == "0" or left == "0":
        return left
    if is_number(right):
        return word_and(left, str(~int(right)))
    return f"{paren(left)} & ~{paren(right)}"


def is_empty(given: Bits) -> Code:
    """Return whether a set has no members."""
    text = "0"
    for word in given.words:
        text = word_or(text, word)
    return truth(text == "0") if is_number(text) else Code(f"{paren(text)} == 0", truth=True)


def member_count(given: Bits) -> str:
    """Return the number of members."""
    counts = [str(int(word) % (1 << 64)) if is_number(word) else f"popcount({word})" for word in given.words]
    known = sum(int(count).bit_count() for count in counts if count.isdigit())
    texts = [count for count in counts if not count.isdigit()]
    return " + ".join(texts + ([str(known)] if known or not texts else []))


def has_bit(b: Builder, given: Bits, at: str) -> Code:
    """Return whether a set has the value at a position, which is inside the element type."""
    if at.isdigit():
        word = given.words[int(at) // 64]
        if is_number(word):
            return truth(bool(int(word) >> int(at) % 64 & 1))
        mask = signed(1 << int(at) % 64)
        return Code(f"{paren(word)} & {mask} != 0", truth=True)
    if len(given.words) == 1:
        return Code(f"{paren(given.words[0])} >> {paren(at)} & 1 != 0", truth=True)
    at = b.assign(at, "i")
    return Code(f"{paren(selected_word(given, f'{at} >> 6'))} >> ({at} & 63) & 1 != 0", truth=True)


def selected_word(given: Bits, index: str) -> str:
    """Return the word of a set with a number not known before play."""
    if given.place is not None:
        base = given.place.base
        return f"{given.place.pointer}[{index}]" if base == "0" else f"{given.place.pointer}[{base} + ({index})]"
    text = given.words[-1]
    for number in reversed(range(len(given.words) - 1)):
        text = f"({given.words[number]} if {index} == {number} else {text})"
    return text


def single(b: Builder, element: ScalarType, value: str) -> Bits:
    """Return the set of one value inside the element type."""
    words = set_words(element)
    at = position_text(element, value)
    if at.isdigit():
        return Bits(tuple(str(word) for word in words_of_mask(1 << int(at), words)))
    if words == 1:
        return Bits((f"bit({at})",))
    at = b.assign(at, "i")
    return Bits(tuple(f"(bit({at} & 63) if {at} >> 6 == {word} else 0)" for word in range(words)))


def shifted(b: Builder, given: Bits, distance: int, words: int) -> Bits:
    """Return the bits moved `distance` positions up (down if negative), in `words` words; bits that leave are lost."""
    given = b.named_bits(given)
    return Bits(tuple(_shifted_word(given, 64 * word - distance) for word in range(words)))


def _shifted_word(given: Bits, start: int) -> str:
    """Return the 64 bits of a set from bit `start` on."""
    number, low = divmod(start, 64)
    text = "0"
    if 0 <= number < len(given.words):
        text = _shift_right(given.words[number], low)
    if low and 0 <= number + 1 < len(given.words):
        text = word_or(text, _shift_left(given.words[number + 1], 64 - low))
    return text


def _shift_right(word: str, distance: int) -> str:
    if distance == 0:
        return word
    if is_number(word):
        return str(signed((int(word) & WORD_MASK) >> distance))
    return f"(({paren(word)} >> {distance}) & {(1 << (64 - distance)) - 1})"


def _shift_left(word: str, distance: int) -> str:
    return str(signed(int(word) << distance)) if is_number(word) else f"left({word}, {distance})"


def masked(given: Bits, mask: list[int]) -> Bits:
    """Return the members that are also in a constant set."""
    return Bits(tuple(word_and(word, str(part)) for word, part in zip(given.words, mask, strict=True)))


def union(left: Bits, right: Bits) -> Bits:
    """Return the members of either set."""
    return Bits(tuple(word_or(a, c) for a, c in zip(left.words, right.words, strict=True)))


def guarded_set(b: Builder, value: Bits, node: typed.Guard, site: int) -> Bits:
    """Return a set whose members must all be in the element type of the guard."""
    common = common_type(node.operand.type, node.type)
    assert isinstance(common, SetType)
    wide = converted(b, value, node.operand.type, common)
    assert isinstance(wide, Bits)
    wide = b.named_bits(wide)
    target = element_of(node.type)
    low, high = bounds(target)
    inside = encode_set(common.element, frozenset(range(low, high + 1)))
    outside = Bits(tuple(word_without(word, str(part)) for word, part in zip(wide.words, inside, strict=True)))
    empty = is_empty(outside)
    if empty.constant is None:
        with b.block(f"if not ({empty.text}):"):
            b.emit(f"fail(0, {site}, {b.fault})")
    result = converted(b, masked(wide, inside), common, node.type)
    assert isinstance(result, Bits)
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
    given = b.named_bits(given)
    with b.capture() as lines:
        test = has_bit(b, given, position_text(element, value.text))
    b.lines.extend(lines)
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
    if none is None:
        return single(b, element, value.text)
    if is_number(value.text):
        return Bits(("0",) * set_words(element)) if int(value.text) == none else single(b, element, value.text)
    words = single(b, element, value.text).words
    return Bits(tuple(f"({word} if {value.text} != {none} else 0)" for word in words))


@compiles(typed.SetFold)
def _set_fold(b: Builder, node: typed.SetFold) -> Code:
    element = element_of(node.set.type)
    low = lowest(element)
    given = b.named_bits(bits(b, node.set))
    if node.kind == "count":
        return Code(member_count(given))
    if node.kind == "sum":
        return Code(_position_sum(given, low))
    empty = is_empty(given)
    site = b.module.site(FaultSite("empty", f"the {node.kind} of nothing", node.span), None)
    result = b.fresh("x")
    with b.block(f"if {empty.text}:"):
        b.emit(f"fail(0, {site}, {b.fault})")
        b.emit(f"{result} = {bounds(node.type)[0]}")
    with b.block("else:"):
        b.emit(f"{result} = {_extreme(given, node.kind == 'minimum', low)}")
    return Code(result)


def _extreme(given: Bits, smallest: bool, low: int) -> str:
    """Return the smallest or largest member of a set that has one."""
    service = "lowest_bit" if smallest else "highest_bit"
    order = list(enumerate(given.words))
    if smallest:
        order.reverse()
    text = ""
    for number, word in order:
        here = f"{service}({word}){f' + {64 * number + low}' if 64 * number + low else ''}"
        text = f"({here} if {word} != 0 else {text})" if text else here
    return text


def _position_sum(given: Bits, low: int) -> str:
    """Return the sum of the members: each bit of their positions is worth its popcount."""
    terms = []
    for number, word in enumerate(given.words):
        start = 64 * number + low
        if start:
            terms.append(f"popcount({word}) * {start}")
        for power in range(6):
            mask = signed(sum(1 << at for at in range(64) if at >> power & 1))
            terms.append(f"popcount({word_and(word, str(mask))}) * {1 << power}")
    return f"({' + '.join(terms)})"


def all_names(given: Bits) -> bool:
    """Return whether every word of a set may be written more than once."""
    return all(is_name(word) for word in given.words)
