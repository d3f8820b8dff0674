"""Rows of bits as texts: the words of sets, combined, shifted, counted; folded where they are known."""

from __future__ import annotations

from ggp.language.typed.types import (
    ScalarType,
    lowest,
)
from ggp.model.generate.builder import (
    Builder,
    position_text,
)
from ggp.model.generate.operands import (
    Bits,
    Code,
    paren,
    plus,
    truth,
)
from ggp.model.state_layout import set_words, signed

WORD_MASK = (1 << 64) - 1


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
    if given.place is None and all(is_number(word) for word in given.words):
        word = b.module.known_value([int(word) for word in given.words], f"{at} >> 6")
    else:
        word = paren(selected_word(given, f"{at} >> 6"))
    return Code(f"{word} >> ({at} & 63) & 1 != 0", truth=True)


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


def extreme_member(given: Bits, smallest: bool, low: int) -> str:
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


def member_sum(given: Bits, low: int) -> str:
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


def kth_known(known: list[int], k: str) -> str | None:
    """Return the k-th of some codes in a row; None where they are not in a row."""
    if known and known[-1] - known[0] + 1 == len(known):
        return plus(k, str(known[0]))
    return None if known else k


def kth_member(given: Bits, type_: ScalarType, k: str) -> str:
    """Return the k-th member of a set, which has more than k."""
    low = lowest(type_)
    if len(given.words) == 1:
        return plus(f"nth_bit({given.words[0]}, {k})", str(low))
    if given.place is not None and len(given.words) > 4:
        text = f"nth_bit_of({given.place.pointer}, {given.place.base}, {len(given.words)}, {k})"
        return plus(text, str(low))
    text = "0"
    before = ""
    parts: list[tuple[str, str, str]] = []
    for number, word in enumerate(given.words):
        parts.append((word, before, str(64 * number + low)))
        before = f"{before} + popcount({word})" if before else f"popcount({word})"
    for number, (word, skipped, start) in reversed(list(enumerate(parts))):
        rank = f"{k} - ({skipped})" if skipped else k
        here = plus(f"nth_bit({word}, {rank})", start)
        if number == len(parts) - 1:
            text = here
        else:
            through = f"{skipped} + popcount({word})" if skipped else f"popcount({word})"
            text = f"({here} if {k} < {through} else {text})"
    return text
