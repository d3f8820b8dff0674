"""Writing one generated function: its lines, its names, and what it needs from whoever calls it.

A function takes as parameters exactly the parts of the state, the choices and the services (`fault`, `rng`) that its
body turns out to use. They are its *needs*; a caller hands them on from its own, up to the entry points, which find
them in the arguments that the native interface gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from ggp.language import typed
from ggp.language.typed.types import ArrayType, SetType, Type, array_length, lowest
from ggp.model.generate.operands import Bits, Code, Elements, Memory, Operand, as_integer, is_name, is_real, literal
from ggp.model.state_layout import element_words, set_words, type_words

if TYPE_CHECKING:
    from ggp.model.generate.module import Module

Lines: TypeAlias = "list[str | Lines]"
"""Lines of source; a nested list is indented under the line before it."""

LOCAL_ELEMENTS = 4
LOCAL_WORDS = 4
"""Arrays up to so many elements, of sets of up to so many words, live in names of their own instead of in memory."""


class Splice(list["str | Lines"]):
    """Lines in the middle of others, not indented, to which more may be added later."""


@dataclass(frozen=True, slots=True)
class OpenLoop:
    """A loop around the line that is being written, and the place before it."""

    before: Splice
    memos: int
    """How many blocks' memories are in force at that place."""


@dataclass(frozen=True, slots=True)
class StateNeed:
    """The words of a state variable that lives in names."""

    variable: typed.Variable


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """A state variable that lies in memory."""

    variable: typed.Variable


@dataclass(frozen=True, slots=True)
class SymbolNeed:
    """A choice or draw of the current phase."""

    symbol: typed.Symbol


@dataclass(frozen=True, slots=True)
class ServiceNeed:
    """`fault`, where faults are recorded."""

    name: str


Need: TypeAlias = StateNeed | MemoryNeed | SymbolNeed | ServiceNeed
FAULT = ServiceNeed("fault")


def identifier(name: str) -> str:
    """Return a name of the rules as a part of a Python name; never one that ends like a name for a part of a value."""
    return re.sub(r"_(?=(\d+|[a-d]|at)$)", "__", re.sub(r"\W", "_", name))


def lives_in_names(type_: Type) -> bool:
    """Return whether a variable or local array of this type is kept in names, not in memory."""
    if isinstance(type_, ArrayType):
        return array_length(type_) <= LOCAL_ELEMENTS and element_words(type_.element) <= LOCAL_WORDS
    return type_words(type_) <= LOCAL_WORDS


def names_for(type_: Type, stem: str) -> Operand:
    """Return names that can hold a value of a type that `lives_in_names`."""
    if isinstance(type_, ArrayType):
        items = tuple(names_for(type_.element, f"{stem}_{i}") for i in range(array_length(type_)))
        return Elements(tuple(item for item in items if isinstance(item, (Code, Bits))))
    if isinstance(type_, SetType) and set_words(type_.element) > 1:
        return Bits(tuple(f"{stem}_{'abcd'[word]}" for word in range(set_words(type_.element))))
    return Bits((stem,)) if isinstance(type_, SetType) else Code(stem)


def flat(operand: Operand) -> list[str]:
    """Return the texts of an operand, one a word; of memory, pointer and base."""
    match operand:
        case Code():
            return [as_integer(operand)]
        case Bits(words, _):
            return list(words)
        case Elements(items):
            return [text for item in items for text in flat(item)]
        case Memory(pointer, base):
            return [pointer, base]


def signature(operand: Operand, type_: Type) -> list[str]:
    """Return `name: type` for each text of an operand that is a parameter."""
    if isinstance(operand, Memory):
        return [f"{operand.pointer}: {'Reals' if is_real(type_) else 'Words'}", f"{operand.base}: int"]
    return [f"{name}: {'float' if is_real(type_) else 'int'}" for name in flat(operand)]


@dataclass
class Builder:
    """One function being written. Entry points subclass it to find needs in their own arguments."""

    module: Module
    name: str
    lines: Lines = field(default_factory=list)
    environment: dict[typed.Symbol, Operand] = field(default_factory=dict)
    needs: dict[Need, Operand] = field(default_factory=dict)
    memos: list[dict[object, Operand]] = field(default_factory=lambda: [{}])
    moves: tuple[Code, ...] = ()
    """In `sees`: the number of each player's action; of one single actor alone, its only one."""
    loops: list[OpenLoop] = field(default_factory=list)
    loops_around: dict[typed.Symbol, int] = field(default_factory=dict)
    """For each bound symbol how many open loops its value depends on."""
    inlining: int = 0
    """How many definitions are being written where they are called, inside each other."""
    copies: int = 1
    """How often what is written now is written in all, by unrolled loops around it."""
    counter: int = 0

    # --- lines --------------------------------------------------------------------------------------------------------

    def emit(self, line: str) -> None:
        """Write a line."""
        self.module.count_line()
        self.lines.append(line)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Write lines indented under a header; what is remembered inside is forgotten after it."""
        self.emit(header)
        with self.capture() as lines:
            yield
        self.lines.append(lines or ["pass"])

    @contextmanager
    def capture(self) -> Iterator[Lines]:
        """Collect lines instead of writing them, to see whether there are any."""
        outer, self.lines = self.lines, []
        self.memos.append({})
        try:
            yield self.lines
        finally:
            self.memos.pop()
            self.lines = outer

    def fresh(self, stem: str = "t") -> str:
        """Return a name not used before in this function."""
        self.counter += 1
        return f"{stem}{self.counter}" if stem[-1].isalpha() else f"{stem}_{self.counter}"

    def assign(self, text: str, stem: str = "t") -> str:
        """Write an assignment to a fresh name and return the name; a name or number is returned as it is."""
        if is_name(text):
            return text
        name = self.fresh(stem)
        self.emit(f"{name} = {text}")
        return name

    def named(self, code: Code, stem: str = "t") -> Code:
        """Return the same code in a form that may be written more than once."""
        if code.constant is not None:
            return code
        if code.truth:
            name = self.fresh(stem)
            self.emit(f"{name} = {code.text}")
            return Code(name, truth=True)
        return Code(self.assign(code.text, stem))

    def named_bits(self, bits: Bits, stem: str = "w") -> Bits:
        """Return the same set in a form that may be written more than once."""
        return Bits(tuple(self.assign(word, stem) for word in bits.words), bits.place)

    @contextmanager
    def loop(self, header: str, symbol: typed.Symbol | None = None) -> Iterator[None]:
        """Write a loop; what does not change in it may be moved before it (`moved_before`)."""
        before = Splice()
        self.lines.append(before)
        self.loops.append(OpenLoop(before, len(self.memos)))
        if symbol is not None:
            self.loops_around[symbol] = len(self.loops)
        with self.block(header):
            yield
        self.loops.pop()

    @contextmanager
    def moved_before(self, number: int) -> Iterator[None]:
        """Write before the open loop of a number, counted from the outermost, 0."""
        lines, memos, loops = self.lines, self.memos, self.loops
        self.lines, self.memos, self.loops = loops[number].before, memos[: loops[number].memos], loops[:number]
        yield
        self.lines, self.memos, self.loops = lines, memos, loops

    # --- what was computed before -------------------------------------------------------------------------------------

    def recall(self, key: object) -> Operand | None:
        """Return what was remembered under a key and is still in force here."""
        for memo in reversed(self.memos):
            if key in memo:
                return memo[key]
        return None

    def remember(self, key: object, operand: Operand) -> None:
        """Remember an operand, made of names, until the end of this block."""
        self.memos[-1][key] = operand

    def forget_all(self) -> None:
        """Forget everything: the state has changed."""
        for memo in self.memos:
            memo.clear()

    # --- needs --------------------------------------------------------------------------------------------------------

    def need(self, need: Need) -> Operand:
        """Return where this function finds something; for a plain function, a parameter."""
        if need not in self.needs:
            self.needs[need] = parameter_names(need)
        return self.needs[need]

    def variable(self, variable: typed.Variable) -> Operand:
        """Return a whole state variable."""
        in_names = lives_in_names(variable.type)
        operand = self.need(StateNeed(variable) if in_names else MemoryNeed(variable))
        if isinstance(operand, Memory) and isinstance(variable.type, SetType):
            return bits_in_memory(operand, set_words(variable.type.element))
        return operand

    def symbol(self, symbol: typed.Symbol) -> Operand:
        """Return the value of a symbol."""
        if symbol in self.environment:
            return self.environment[symbol]
        assert symbol.kind != "bound", f"`{symbol.name}` is not bound here"
        return self.need(SymbolNeed(symbol))

    @property
    def fault(self) -> str:
        """The name of the words where faults are recorded."""
        operand = self.need(FAULT)
        assert isinstance(operand, Code)
        return operand.text

    @contextmanager
    def bound(self, symbol: typed.Symbol, operand: Operand) -> Iterator[None]:
        """Give a symbol a value for a while."""
        before = self.environment.get(symbol)
        self.environment[symbol] = operand
        try:
            yield
        finally:
            if before is None:
                del self.environment[symbol]
            else:
                self.environment[symbol] = before

    # --- the finished function ----------------------------------------------------------------------------------------

    def parameters(self) -> list[str]:
        """Return the parameters for this function's needs, each with its type."""
        return [text for need, operand in self.needs.items() for text in need_signature(need, operand)]

    def arguments(self, needs: dict[Need, Operand]) -> list[str]:
        """Return the argument texts with which this function hands needs on to a function that it calls."""
        texts: list[str] = []
        for need in needs:
            match need:
                case SymbolNeed(symbol):
                    texts += flat(self.symbol(symbol))
                case ServiceNeed():
                    texts += flat(self.need(need))
                case StateNeed(variable) | MemoryNeed(variable):
                    operand = self.variable(variable)
                    texts += flat(operand.place if isinstance(operand, Bits) and operand.place else operand)
        return texts


def bits_in_memory(memory: Memory, words: int, offset: str = "0") -> Bits:
    """Return the set whose words lie in memory from an offset on."""
    base = memory.base if offset == "0" else (offset if memory.base == "0" else f"{memory.base} + {offset}")
    if base.isdigit():
        texts = tuple(f"{memory.pointer}[{int(base) + word}]" for word in range(words))
    else:
        texts = tuple(
            f"{memory.pointer}[{base} + {word}]" if word else f"{memory.pointer}[{base}]" for word in range(words)
        )
    return Bits(texts, Memory(memory.pointer, base))


def parameter_names(need: Need) -> Operand:
    """Return the names under which a need is a parameter."""
    match need:
        case StateNeed(variable):
            return names_for(variable.type, f"s_{identifier(variable.name)}")
        case MemoryNeed(variable):
            return Memory(f"m_{identifier(variable.name)}", f"m_{identifier(variable.name)}_at")
        case SymbolNeed(symbol):
            return symbol_names(symbol)
        case ServiceNeed(name):
            return Code(name)


def symbol_names(symbol: typed.Symbol) -> Operand:
    """Return the names that hold a choice or draw; one a player where `each` acts."""
    stem = f"c_{identifier(symbol.name)}"
    if isinstance(symbol.type, ArrayType):
        return Elements(tuple(Code(f"{stem}_{i}") for i in range(array_length(symbol.type))))
    return Code(stem)


def need_signature(need: Need, operand: Operand) -> list[str]:
    """Return `name: type` for each parameter of a need."""
    match need:
        case StateNeed(variable) | MemoryNeed(variable):
            return signature(operand, variable.type)
        case SymbolNeed(symbol):
            return signature(operand, symbol.type)
        case ServiceNeed(name):
            return [f"{name}: Words"]


def indented(lines: Lines, depth: int = 1) -> Iterator[str]:
    """Yield lines with their indentation."""
    for line in lines:
        if isinstance(line, Splice):
            yield from indented(line, depth)
        elif isinstance(line, list):
            yield from indented(line, depth + 1)
        else:
            yield "    " * depth + line


def constant_operand(type_: Type, value: typed.Value, words: list[int]) -> Operand:
    """Return a value known before play, given its words; arrays element by element."""
    if isinstance(type_, ArrayType):
        assert isinstance(value, tuple)
        step = element_words(type_.element)
        items = (
            constant_operand(type_.element, item, words[step * i : step * (i + 1)]) for i, item in enumerate(value)
        )
        return Elements(tuple(item for item in items if isinstance(item, (Code, Bits))))
    if isinstance(type_, SetType):
        return Bits(tuple(str(word) for word in words))
    return literal(words[0])


def position_text(type_: Type, code: str) -> str:
    """Return the position of a scalar code in its type, as text."""
    assert not isinstance(type_, (ArrayType, SetType))
    low = lowest(type_)  # type: ignore[arg-type]
    if low == 0:
        return code
    if is_name(code) and code.lstrip("-").isdigit():
        return str(int(code) - low)
    return f"{code} - {low}" if low > 0 else f"{code} + {-low}"
