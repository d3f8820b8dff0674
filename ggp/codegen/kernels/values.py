"""Values of a kernel while it is compiled, and the writer of a function in LLVM's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import TypeAlias

from ggp.codegen.kernels.types import Array, Record, Scalar, Struct, Tuple, Type, memory_words

Part: TypeAlias = "str | Callable[[], str]"
UNCHANGING = ", !invariant.load !0"
"""Behind a load of memory that does not change while the kernel runs. Metadata 0 is empty."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value.

    Attributes:
        type: its type.
        parts: its operands in LLVM's language, one for each of `type.parts`; those that are functions are only written
            where they are needed.
        literal: the number, of one that is written in the source or a constant of the module: it takes the type of
            what it meets.
    """

    type: Type
    parts: tuple[Part, ...]
    literal: int | float | None = None

    def part(self, number: int) -> str:
        """Return an operand."""
        part = self.parts[number]
        return part if isinstance(part, str) else part()

    @property
    def only(self) -> str:
        """The operand of a value that has only one."""
        return self.part(0)

    @property
    def operands(self) -> Iterable[str]:
        """All operands, with their types."""
        return [f"{kind} {self.part(number)}" for number, kind in enumerate(self.type.parts)]


def scalar(type_: Scalar, operand: str) -> Value:
    """Return a number."""
    return Value(type_, (operand,))


def number(value: int) -> Value:
    """Return an integer that is known."""
    return Value(Scalar.INT, (str(value),), value)


def items_of(value: Value) -> list[Value]:
    """Return the items of a tuple."""
    assert isinstance(value.type, Tuple)
    found, at = [], 0
    for item in value.type.items:
        found.append(Value(item, value.parts[at : at + len(item.parts)]))
        at += len(item.parts)
    return found


def tuple_of(items: list[Value]) -> Value:
    """Return a tuple of some values."""
    return Value(Tuple(tuple(item.type for item in items)), tuple(part for item in items for part in item.parts))


def result_type(type_: Type) -> str:
    """Return what a function returns, in LLVM's language, that returns a value of a type."""
    parts = type_.parts
    return "void" if not parts else parts[0] if len(parts) == 1 else f"{{ {', '.join(parts)} }}"


@dataclass
class Writer:
    """Writes the body of a function: instructions one after the other, in blocks.

    Variables are places in memory, which LLVM turns into registers.
    """

    lines: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    terminated: bool = False
    """Whether the block that was written last has ended."""
    block: str = "begin"
    """The label of that block."""
    numbers: count[int] = field(default_factory=count)

    def new_name(self) -> str:
        """Return a name that is not used yet."""
        return f"%v{next(self.numbers)}"

    def new_block(self) -> str:
        """Return the label of a block that is still to be written."""
        return f"b{next(self.numbers)}"

    def do(self, instruction: str) -> None:
        """Write an instruction without a result."""
        if not self.terminated:
            self.lines.append(f"  {instruction}")

    def let(self, instruction: str) -> str:
        """Write an instruction, and return the name of its result."""
        name = self.new_name()
        self.do(f"{name} = {instruction}")
        return name

    def end(self, instruction: str) -> None:
        """End the block."""
        self.do(instruction)
        self.terminated = True

    def begin(self, block: str) -> None:
        """Begin a block; the one before goes on to it if it has no end yet."""
        self.end(f"br label %{block}")
        self.lines.append(f"{block}:")
        self.block, self.terminated = block, False

    def branch(self, test: str, yes: str, no: str, metadata: str = "") -> None:
        """End the block by going to one of two."""
        self.end(f"br i1 {test}, label %{yes}, label %{no}{metadata}")

    def place(self, type_: str) -> str:
        """Return the address of new memory of the function; 0 until something is written there."""
        name = self.new_name()
        self.places += [f"  {name} = alloca {type_}", f"  store {type_} zeroinitializer, ptr {name}"]
        return name

    def field(self, owner: Value, name: str) -> Value | None:
        """Return a field of a named tuple; None if there is no such field."""
        assert isinstance(owner.type, (Struct, Record))
        in_memory, at = isinstance(owner.type, Struct), 0
        for field_name, type_ in owner.type.fields:
            if field_name == name:
                if in_memory:
                    return self._in_memory(owner.only, at, type_)
                return Value(type_, owner.parts[at : at + len(type_.parts)])
            at += memory_words(type_) if in_memory else len(type_.parts)
        return None

    def _in_memory(self, address: str, at: int, type_: Type) -> Value:
        if isinstance(type_, Struct):
            return Value(type_, (self.word_at(address, at),))

        def reading(number: int, kind: str) -> Callable[[], str]:
            return lambda: self.read_word(address, at + number, kind)

        parts = tuple(reading(number, kind) for number, kind in enumerate(type_.parts))
        return Value(type_, parts if isinstance(type_, Array) else tuple(part() for part in parts))

    def read_word(self, address: str, at: int, kind: str) -> str:
        """Return what stands at a word of memory that does not change while the kernel runs."""
        place = self.word_at(address, at)
        if kind == "i1":
            return self.let(f"trunc i8 {self.let(f'load i8, ptr {place}{UNCHANGING}')} to i1")
        return self.let(f"load {kind}, ptr {place}{UNCHANGING}")

    def word_at(self, address: str, at: int) -> str:
        """Return the address of a word behind another one."""
        return self.let(f"getelementptr inbounds i64, ptr {address}, i64 {at}") if at else address
