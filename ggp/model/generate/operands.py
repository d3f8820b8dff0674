"""What an expression of the rules becomes in the generated source: texts of Python expressions, by kind of value.

Scalars, options, truth values, texts and moves are one integer (`Code`), reals one float (`Code` too); a set is some
words (`Bits`); an array is either a row of names (`Elements`) or lies in memory (`Memory`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from ggp.language.typed.types import ArrayType, OptionType, RealType, ScalarType, SetType, Type
from ggp.model.state_layout import none_code


@dataclass(frozen=True, slots=True)
class Code:
    """One integer or real. `text` is a Python expression without side effects other than faults.

    `truth` says that the text is a Python condition (`a > b`), not 0 or 1.
    """

    text: str
    constant: int | float | None = None
    truth: bool = False


@dataclass(frozen=True, slots=True)
class Bits:
    """A set: the texts of its words. `place` is where they lie one after the other in memory, if they do."""

    words: tuple[str, ...]
    place: Memory | None = None


@dataclass(frozen=True, slots=True)
class Elements:
    """An array of few elements, each on its own."""

    items: tuple[Code | Bits, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """Words (or reals) that lie in `pointer` from position `base` on."""

    pointer: str
    base: str


Operand: TypeAlias = Code | Bits | Elements | Memory

TRUE = Code("True", 1, truth=True)
FALSE = Code("False", 0, truth=True)

ATOM = re.compile(r"[A-Za-z_]\w*|\d+(\.\d+)?|[A-Za-z_]\w*\[\w+( \+ \w+)*\]|[A-Za-z_]\w*\([^()]*\)")
NAME = re.compile(r"[A-Za-z_]\w*|-?\d+")


def paren(text: str) -> str:
    """Return a text that can stand beside any operator."""
    return text if ATOM.fullmatch(text) else f"({text})"


def is_name(text: str) -> bool:
    """Return whether a text is a name or an integer, so that writing it twice costs nothing."""
    return NAME.fullmatch(text) is not None


def literal(value: int | float) -> Code:
    """Return a number known before play."""
    return Code(repr(value), value)


def truth(value: bool) -> Code:
    """Return a truth value known before play."""
    return TRUE if value else FALSE


def plus(left: str, right: str) -> str:
    """Return the sum of two integer texts, folded where both are numbers."""
    if left == "0":
        return right
    if right == "0":
        return left
    if re.fullmatch(r"-?\d+", left) and re.fullmatch(r"-?\d+", right):
        return str(int(left) + int(right))
    if right.startswith("-") and right[1:].isdigit():
        return f"{left} - {right[1:]}"
    return f"{left} + {right}"


def times(left: str, factor: int) -> str:
    """Return an integer text times a constant, folded."""
    if factor == 1:
        return left
    if re.fullmatch(r"-?\d+", left):
        return str(int(left) * factor)
    return f"{paren(left)} * {factor}"


def as_integer(code: Code) -> str:
    """Return the text of a code as an integer (or real), never a Python truth value."""
    if not code.truth:
        return code.text
    if code.constant is not None:
        return str(code.constant)
    return f"(1 if {code.text} else 0)"


def as_condition(code: Code) -> str:
    """Return the text of a truth value as a Python condition."""
    if code.constant is not None:
        return "True" if code.constant else "False"
    return code.text if code.truth else f"{paren(code.text)} != 0"


def negated(code: Code) -> Code:
    """Return the opposite of a truth value."""
    if code.constant is not None:
        return truth(not code.constant)
    if not code.truth:
        return Code(f"{paren(code.text)} == 0", truth=True)
    return Code(f"not {paren(code.text)}", truth=True)


def is_real(type_: Type) -> bool:
    """Return whether values (or elements) of a type are floats."""
    return isinstance(type_.element if isinstance(type_, ArrayType) else type_, RealType)


def none_of(type_: Type) -> int | None:
    """Return the code that none has in a type; None where the type has no none."""
    return none_code(type_.inner) if isinstance(type_, OptionType) else None


def element_of(type_: Type) -> ScalarType:
    """Return the element type of a set."""
    assert isinstance(type_, SetType), type_
    return type_.element
