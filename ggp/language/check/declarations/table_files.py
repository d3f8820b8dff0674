"""Tables from files beside the rules: plain values, pictures of a board, sets.

The form of a file follows from the type of the table:

    plain values        the elements in order of their indices, between blanks
    `bool` on a board   a picture: a line for each row, the northernmost first; `#` is yes, `.` is no
    sets                a line `index: members` for each index whose set is not empty
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import NoReturn, TypeVar

from msgspec import Struct

from ggp.language import syntax
from ggp.language.check.checking import Checking
from ggp.language.check.coercion import described
from ggp.language.diagnostics import suggestions
from ggp.language.limits import MAX_TABLE_TEXT
from ggp.language.text.source import Span, why_unreadable
from ggp.language.typed import Constant, Value
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    CellType,
    IntType,
    OptionType,
    RealType,
    ScalarType,
    SetType,
    array_length,
    codes,
    lowest,
    scalar_text,
    size,
    type_text,
)

Code = TypeVar("Code", int, int | None)
ReadText = Callable[[str], str]
"""Gives the text of a file that the rules name; raises OSError where there is none, ValueError where it is not text."""


def values_from_file(checking: Checking, node: syntax.Text, type_: ArrayType, read_text: ReadText) -> tuple[Value, ...]:
    """Return the elements of a table, row-major.

    Args:
        checking: the check under way.
        node: the file's name; `{parameter}` in it stands for the value of a parameter.
        type_: the table's type.
        read_text: gives the file's text.
    """
    name = _file_name(checking, node)
    try:
        text = read_text(name)
    except (OSError, ValueError) as error:
        checking.fail(node.span, f"cannot read `{name}`: {why_unreadable(error)}")
    if len(text) > MAX_TABLE_TEXT:
        checking.fail(node.span, f"`{name}` has {len(text)} characters; the limit is {MAX_TABLE_TEXT}")
    try:
        return _read(name, text, type_)
    except _Strange as error:
        checking.fail(node.span, str(error))


@functools.lru_cache(8)
def _read(name: str, text: str, type_: ArrayType) -> tuple[Value, ...]:
    """Return the elements that a text gives; editors ask for the same ones at every change of the rules."""
    file = _File(name, text)
    element, length = type_.element, array_length(type_)
    assert not isinstance(element, RealType), "no type that an author can write is real"
    if isinstance(element, SetType):
        return file.sets(type_.indices, element.element, length)
    if isinstance(element, OptionType):
        return file.plain(element.inner, length, or_none=True)
    if isinstance(element, BoolType) and len(type_.indices) == 1 and isinstance(type_.indices[0], CellType):
        return file.picture(type_.indices[0])
    return file.plain(element, length, or_none=False)


def _file_name(checking: Checking, node: syntax.Text) -> str:
    """Return a file's name with the values of the parameters that it mentions."""

    def value(found: re.Match[str]) -> str:
        entry = checking.names.lookup(found[1])
        if entry is None or entry.kind != "parameter" or not isinstance(entry.meaning, Constant):
            names = [other.name for other in checking.names.visible() if other.kind == "parameter"]
            checking.fail(node.span, f"`{found[1]}` is not a parameter", suggestions(found[1], names))
        column = node.span.column + 1 + found.start(1)  # behind the quote
        checking.names.use(entry, Span(node.span.line, column, node.span.line, column + len(found[1])))
        given = entry.meaning
        assert isinstance(given.value, int)
        assert isinstance(given.type, ScalarType)
        return scalar_text(given.type, given.value)

    return re.sub(r"\{(\w+)\}", value, node.value)


class _Strange(ValueError):
    """What is wrong with a file."""


class _File(Struct, frozen=True):
    """The text of one file."""

    name: str
    text: str

    def plain(self, type_: ScalarType, length: int, or_none: bool) -> tuple[Value, ...]:
        """Return as many values as the table has elements."""
        known: dict[str, int | None] = {**_codes_by_text(type_)}
        if or_none:
            known |= {"none": None, ".": None}
        values = tuple(self._known(known, word, line, type_) for line, words in self._lines() for word in words.split())
        if len(values) != length:
            self._fail(None, f"there are {len(values)} values, and the table takes {length}")
        return values

    def picture(self, board: CellType) -> tuple[Value, ...]:
        """Return for each cell whether the picture has `#` there."""
        rows = self._lines()
        if len(rows) != board.height:
            self._fail(None, f"the picture has {len(rows)} rows, and `{board.name}` has {board.height}")
        for line, row in rows:
            if len(row) != board.width:
                self._fail(line, f"the row has {len(row)} cells, and `{board.name}` is {board.width} wide")
            if strange := set(row) - set("#."):
                self._fail(line, f"`{min(strange)}` is neither `#` nor `.`")
        return tuple(int(mark == "#") for _, row in reversed(rows) for mark in row)

    def sets(self, indices: tuple[ScalarType, ...], element: ScalarType, length: int) -> tuple[Value, ...]:
        """Return a set for each combination of the indices."""
        places = [_codes_by_text(index) for index in indices]
        known = _codes_by_text(element)
        values: list[frozenset[int]] = [frozenset()] * length
        seen: set[int] = set()
        for line, row in self._lines():
            head, colon, members = row.partition(":")
            words = head.split()
            if not colon or len(words) != len(indices):
                self._fail(line, "expected `index: members`")
            position = 0
            for word, texts, index in zip(words, places, indices, strict=True):
                position = position * size(index) + self._known(texts, word, line, index) - lowest(index)
            if position in seen:
                self._fail(line, f"`{head.strip()}` has a second line")
            seen.add(position)
            try:
                values[position] = frozenset(map(known.__getitem__, members.split()))
            except KeyError as error:
                self._known(known, error.args[0], line, element)  # says what is wrong
        return tuple(values)

    def _lines(self) -> list[tuple[int, str]]:
        """Return the lines that are not empty, each with its number."""
        return [(number, line.strip()) for number, line in enumerate(self.text.splitlines(), start=1) if line.strip()]

    def _known(self, known: Mapping[str, Code], word: str, line: int, type_: ScalarType) -> Code:
        if word not in known:
            wanted = f"in {type_text(type_)}" if isinstance(type_, IntType) else described(type_)
            self._fail(line, f"`{word[:20]}` is not {wanted}")
        return known[word]

    def _fail(self, line: int | None, message: str) -> NoReturn:
        place = self.name if line is None else f"{self.name}:{line}"
        raise _Strange(f"`{place}`: {message}")


@functools.lru_cache(8)
def _codes_by_text(type_: ScalarType) -> dict[str, int]:
    return {scalar_text(type_, code): code for code in codes(type_)}
