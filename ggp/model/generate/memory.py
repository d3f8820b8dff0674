"""Arrays as operands: positions, elements, and values in memory of a function's own."""

from __future__ import annotations

from ggp.language import typed
from ggp.language.typed.types import (
    ArrayType,
    ScalarType,
    SetType,
    Type,
    lowest,
    size,
)
from ggp.model.generate.builder import (
    LOCAL_WORDS,
    Builder,
    bits_in_memory,
    flat,
)
from ggp.model.generate.dispatch import integer
from ggp.model.generate.operands import (
    Bits,
    Code,
    Elements,
    Memory,
    Operand,
    as_integer,
    is_real,
    plus,
    times,
)
from ggp.model.state_layout import element_words, type_words


def position(b: Builder, types: tuple[ScalarType, ...], indices: tuple[typed.Expression, ...]) -> str:
    """Return the row-major position of an element."""
    text = "0"
    for type_, index in zip(types, indices, strict=True):
        text = plus(times(text, size(type_)), offset(integer(b, index), -lowest(type_)))
    return text


def offset(text: str, distance: int) -> str:
    """Return an integer text plus a constant."""
    return plus(text, str(distance))


def element_at(b: Builder, array: Operand, type_: ArrayType, at: str) -> Operand:
    """Return the element of an array at a position."""
    if isinstance(array, Elements):
        if at.isdigit():
            return array.items[int(at)]
        at = b.assign(at, "i")
        chosen = array.items[-1]
        for i in reversed(range(len(array.items) - 1)):
            chosen = _chosen(f"{at} == {i}", array.items[i], chosen)
        return chosen
    assert isinstance(array, Memory)
    words = element_words(type_.element)
    place = plus(array.base, times(at, words))
    if not isinstance(type_.element, SetType):
        return Code(f"{array.pointer}[{place}]")
    place = place if place.isdigit() else b.assign(place, "i")
    return bits_in_memory(Memory(array.pointer, place), words)


def _chosen(test: str, then: Operand, otherwise: Operand) -> Code | Bits:
    """Return one of two operands of the same kind, both cheap to evaluate."""
    if isinstance(then, Code) and isinstance(otherwise, Code):
        if then.constant is not None and then.constant == otherwise.constant:
            return then
        return Code(f"({as_integer(then)} if {test} else {as_integer(otherwise)})")
    assert isinstance(then, Bits)
    assert isinstance(otherwise, Bits)
    pairs = zip(then.words, otherwise.words, strict=True)
    return Bits(tuple(left if left == right else f"({left} if {test} else {right})" for left, right in pairs))


def local_memory(b: Builder, type_: Type) -> Memory:
    """Return new memory of the function's own for a value of a type; what is in it is not defined."""
    name = b.fresh("local")
    service = "local_reals" if is_real(type_) else "local_words"
    words = type_words(type_)
    b.module.count_local_words(words)
    b.emit(f"{name} = {service}({words})")
    return Memory(name, "0")


def in_memory(b: Builder, value: Operand, type_: Type) -> Memory:
    """Return a value as it lies in memory, copied there if it does not yet."""
    if isinstance(value, Memory):
        return value
    if isinstance(value, Bits) and value.place is not None:
        return value.place
    memory = local_memory(b, type_)
    store(b, memory, value, type_)
    return memory


def laid_out(b: Builder, given: Bits, element: ScalarType) -> Bits:
    """Return a set as it lies in memory if it has many words: code for a word not known before play stays short."""
    if given.place is not None or len(given.words) <= LOCAL_WORDS:
        return given
    return Bits(given.words, in_memory(b, given, SetType(element)))


def store(b: Builder, to: Memory, value: Operand, type_: Type) -> None:
    """Write a value into memory."""
    source = value.place if isinstance(value, Bits) else value
    if isinstance(source, Memory):
        service = "copy_reals" if is_real(type_) else "copy_words"
        b.emit(f"{service}({to.pointer}, {to.base}, {source.pointer}, {source.base}, {type_words(type_)})")
        return
    for i, text in enumerate(flat(value)):
        b.emit(f"{to.pointer}[{plus(to.base, str(i))}] = {text}")
