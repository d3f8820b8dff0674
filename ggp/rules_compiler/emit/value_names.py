"""The names and words that hold values: state variables, choices, parameters, constants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Expression, Kind, Name
from ggp.encoding.state_layout import element_words, set_words, type_words
from ggp.language import typed
from ggp.language.typed.types import ArrayType, SetType, Type, array_length, lowest
from ggp.rules_compiler.emit.module import MemoryNeed, Need, RowNeed, StateNeed, SymbolNeed, identifier
from ggp.rules_compiler.emit.operands import Bits, Elements, Memory, Operand, flat, is_real, kind_of

LOCAL_ELEMENTS = 4
LOCAL_WORDS = 4
"""Arrays with at most `LOCAL_ELEMENTS`, and sets of at most `LOCAL_WORDS` words, are kept in names, not in memory."""


def lives_in_names(type_: Type) -> bool:
    """Return whether a variable or local array of this type is kept in names, not in memory."""
    if isinstance(type_, ArrayType):
        words = element_words(type_.element)
        few = array_length(type_) <= LOCAL_ELEMENTS or (isinstance(type_.element, SetType) and type_words(type_) <= 6)
        return few and words <= LOCAL_WORDS
    return type_words(type_) <= LOCAL_WORDS


def need_of(variable: typed.Variable) -> Need:
    """Return how functions find a state variable."""
    return StateNeed(variable) if lives_in_names(variable.type) else MemoryNeed(variable)


def names_for(type_: Type, stem: str) -> Operand:
    """Return names that can hold a value, whether a variable of its type `lives_in_names` or not."""
    if isinstance(type_, ArrayType):
        items = tuple(names_for(type_.element, f"{stem}_{i}") for i in range(array_length(type_)))
        return Elements(tuple(item for item in items if isinstance(item, (Name, Bits))))
    if isinstance(type_, SetType) and set_words(type_.element) > 1:
        return Bits(tuple(Name(f"{stem}_{word}", Kind.INT) for word in range(set_words(type_.element))))
    name = Name(stem, kind_of(type_))
    return Bits((name,)) if isinstance(type_, SetType) else name


def names_in(operand: Operand) -> list[Name]:
    """Return the names in an operand that consists only of names."""
    return [part for part in flat(operand) if isinstance(part, Name)]


def bits_in_memory(memory: Memory, words: int) -> Bits:
    """Return the set whose words lie in memory."""
    return Bits(tuple(memory.entry(word) for word in range(words)), memory)


def memory_names(stem: str, type_: Type) -> Memory:
    """Return the names of a row, and of the position in it where a parameter lies."""
    return Memory(Name(stem, Kind.REALS if is_real(type_) else Kind.WORDS), Name(f"{stem}_at", Kind.INT))


def parameter_names(need: Need) -> Operand:
    """Return the names under which a need is a parameter."""
    match need:
        case StateNeed(variable):
            return names_for(variable.type, f"s_{identifier(variable.name)}")
        case MemoryNeed(variable):
            return memory_names(f"m_{identifier(variable.name)}", variable.type)
        case SymbolNeed(symbol):
            return symbol_names(symbol)
        case RowNeed(name):
            return Name(name, Kind.WORDS)


def symbol_names(symbol: typed.Symbol) -> Operand:
    """Return the names that hold a choice or draw; where `each` acts, one for each player."""
    stem = f"c_{identifier(symbol.name)}"
    if isinstance(symbol.type, ArrayType):
        return Elements(tuple(Name(f"{stem}_{i}", Kind.INT, drawn=True) for i in range(array_length(symbol.type))))
    return Name(stem, Kind.INT, drawn=True)


def symbol_name(symbol: typed.Symbol, player: int | None = None) -> Name:
    """Return the name that holds a choice or draw; where `each` acts, that of one player."""
    operand = symbol_names(symbol)
    item = operand.items[player] if isinstance(operand, Elements) and player is not None else operand
    assert isinstance(item, Name)
    return item


def constant_operand(type_: Type, value: typed.Value, words: list[int]) -> Operand:
    """Return a value known before play, given its words; arrays element by element."""
    if isinstance(type_, ArrayType):
        assert isinstance(value, tuple)
        step = element_words(type_.element)
        items = (
            constant_operand(type_.element, item, words[step * i : step * (i + 1)]) for i, item in enumerate(value)
        )
        return elements(items)
    if isinstance(type_, SetType):
        return Bits(tuple(map(ir.integer, words)))
    return ir.integer(words[0])


def elements(items: Iterator[Operand] | Sequence[Operand]) -> Elements:
    """Return an array of numbers and sets."""
    parts: list[Expression | Bits] = []
    for item in items:
        assert not isinstance(item, (Elements, Memory))
        parts.append(item)
    return Elements(tuple(parts))


def position_of(type_: Type, code: Expression) -> Expression:
    """Return the position of a scalar code in its type."""
    assert not isinstance(type_, (ArrayType, SetType))
    return ir.add(code, -lowest(type_))  # type: ignore[arg-type]
