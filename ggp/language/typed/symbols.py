"""What names in a rules file stand for, functions aside: local symbols, variables of the world state, tables."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ggp.language.text.source import Span
from ggp.language.typed.types import ArrayType, Type

Value: TypeAlias = "int | float | str | frozenset[int] | tuple[Value, ...] | None"


class Symbol(Struct, frozen=True, eq=False):
    """A local name: a quantified variable, an argument, a choice, a chance draw. Compared by identity.

    `kind` says where its value comes from: `bound` (binder or function argument), `choice` (a component of the acting
    players' actions; an array over players where `each` acts, see `Chooser`), `draw` (a component of the chance
    outcome).
    """

    name: str
    type: Type
    kind: Literal["bound", "choice", "draw"]
    span: Span
    most: int | None = None
    """How many members it has at most, of a set with such a limit."""


class Variable(Struct, frozen=True, eq=False):
    """A variable of the world state. `initial` is the value of the whole variable (a tuple for an array)."""

    name: str
    type: Type
    initial: Value
    span: Span
    most: int | None = None
    """How many members it (or each of its elements) has at most, of a set with such a limit."""
    is_kept: bool = False
    """Whether it keeps a history: no name reads it, and nobody is shown it."""
    part: Literal["", "items", "size"] = ""
    """What of a sequence, or of an array of them, it keeps."""


class Table(Struct, frozen=True, eq=False):
    """A constant array; `values` row-major."""

    name: str
    type: ArrayType
    values: tuple[Value, ...]
    span: Span
