"""What `display` says of a state as native functions, for pages without an interpreter of the rules.

Each `display`, and each `display for` a player, is a function `picture_N(state, out, reals)`. It writes a record for
each thing that is drawn and for each labelled value: the number of its rule or line, and the words of its fields. It
returns how many words it wrote, or minus the number of a fault. A real stands in `reals` at the place of its word.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Kind, Name
from ggp.encoding.state_layout import type_words
from ggp.faults import LimitExceeded
from ggp.language import typed
from ggp.language.typed.types import (
    CellType,
    IntType,
    ScalarType,
    TextType,
    Type,
    size,
)
from ggp.rules_compiler.emit.choices import COUNT, OUT
from ggp.rules_compiler.emit.dispatch import operand
from ggp.rules_compiler.emit.loops import for_each_where
from ggp.rules_compiler.emit.module import GameModule
from ggp.rules_compiler.emit.operands import Bits, Memory, flat, is_real
from ggp.rules_compiler.entry_points.entries import EntryBuilder, end_with_count, finish_entry
from ggp.rules_compiler.entry_points.playouts import STATE

REALS = Name("reals", Kind.REALS)
MAX_PICTURE_WORDS = 1 << 20
"""Words of all records of one state, at most."""


class Field(Struct, frozen=True):
    """One value of a record: a name of `Look` or `DisplayRule`, or `means` for a symbol that a rule binds."""

    name: str
    value: typed.Expression | typed.Symbol

    @property
    def type(self) -> Type:
        """The type of the value."""
        return self.value.type


class Record(Struct, frozen=True):
    """What is written for one rule or line of a `display`."""

    fields: tuple[Field, ...]
    binders: tuple[typed.Binder, ...] = ()
    condition: typed.Expression | None = None

    @property
    def words(self) -> int:
        """How many words it has, its number included."""
        return 1 + sum(field_words(field.type) for field in self.fields)

    @property
    def limit(self) -> int:
        """How many words all its repetitions have, at most."""
        return self.words * math.prod(size(_scalar(binder.symbol.type)) for binder in self.binders)


def field_words(type_: Type) -> int:
    """Return how many words a value takes in a record; a text is one, its number."""
    return 1 if isinstance(type_, TextType) else type_words(type_)


def records_of(display: typed.Display) -> list[Record]:
    """Return the records of a `display` in the order of their numbers: of each board its rules and lines, then values.

    Texts stay texts here; in a state they are numbers, see `texts_of`.
    """
    found: list[Record] = []
    for board in display.boards:
        for rule in board.rules:
            fields = [Field("what", rule.what)]
            for name in ("shape", "owner", "count", "label"):
                value = getattr(rule.look, name)
                if isinstance(value, typed.Expression):
                    fields.append(Field(name, value))
            symbols = [binder.symbol for binder in rule.binders]
            fields += [Field("means", one) for one in symbols if not isinstance(one.type, CellType)]
            found.append(Record(tuple(fields), rule.binders, rule.condition))
        if board.steps is not None:
            found.append(Record((Field("steps", board.steps),)))
    found += [Record(tuple(Field("value", value) for value in line.values)) for line in display.lines]
    return found


def displays_of(game: typed.Game) -> tuple[typed.Display, ...]:
    """Return the `display` of a game and then those for each player, as far as there are any."""
    return () if game.display is None else (game.display, *game.views)


def texts_of(game: typed.Game) -> tuple[str, ...]:
    """Return the texts that fields can have; their numbers are their places here."""
    found: dict[str, None] = {}
    for display in displays_of(game):
        for record in records_of(display):
            for field in record.fields:
                if isinstance(field.type, TextType):
                    _collect_texts(field.value, found)
    return tuple(found)


def _collect_texts(value: object, found: dict[str, None]) -> None:
    match value:
        case typed.Constant(value=str() as text):
            found[text] = None
        case typed.If(_, then, otherwise):
            _collect_texts(then, found)
            _collect_texts(otherwise, found)


def picture_words(game: typed.Game) -> int:
    """Return how many words the records of one state have, at most.

    Raises:
        LimitExceeded: they could have too many.
    """
    most = max((sum(one.limit for one in records_of(display)) for display in displays_of(game)), default=0)
    if most > MAX_PICTURE_WORDS:
        raise LimitExceeded("words of a picture", most, MAX_PICTURE_WORDS)
    return most


def write_pictures(module: GameModule) -> tuple[str, ...]:
    """Write the functions of all displays; return their names.

    Raises:
        LimitExceeded: the code or its memory would be too large.
    """
    texts = texts_of(module.game)
    names = []
    for number, display in enumerate(displays_of(module.game)):
        names.append(f"picture_{number}")
        _write_picture(module, names[-1], records_of(display), texts)
    return tuple(names)


def _write_picture(module: GameModule, name: str, records: Sequence[Record], texts: Sequence[str]) -> None:
    b = EntryBuilder(module, name)
    b.set(COUNT, 0)
    for number, record in enumerate(records):
        fields = [replace(field, value=_numbered(field.value, texts)) for field in record.fields]
        values = [field.value for field in fields if isinstance(field.value, typed.Expression)]

        def write(number: int = number, fields: Sequence[Field] = fields) -> None:
            _write_record(b, number, fields)

        for_each_where(b, record.binders, record.condition, values, write)
    end_with_count(b, COUNT)
    finish_entry(b, [STATE, OUT, REALS], [Kind.INT], STATE)


def _write_record(b: EntryBuilder, number: int, fields: Sequence[Field]) -> None:
    b.store(OUT, COUNT, number)
    at = 1
    for field in fields:
        value = operand(b, field.value) if isinstance(field.value, typed.Expression) else b.symbol(field.value)
        place, words = ir.add(COUNT, at), field_words(field.type)
        row = REALS if is_real(field.type) else OUT
        memory = value.place if isinstance(value, Bits) else value
        if isinstance(memory, Memory):
            b.effect("copy_reals" if row is REALS else "copy_words", row, place, memory.row, memory.base, words)
        else:
            for i, part in enumerate(flat(value)):
                b.store(row, ir.add(place, i), part)
        at += words
    b.increase(COUNT, at)


def _numbered(value: typed.Expression | typed.Symbol, texts: Sequence[str]) -> typed.Expression | typed.Symbol:
    """Return an expression of a text as one of the text's number."""
    if not isinstance(value.type, TextType):
        return value
    numbers = IntType(0, len(texts) - 1)
    match value:
        case typed.Constant(value=str() as text):
            return replace(value, value=texts.index(text), type=numbers)
        case typed.If(_, then, otherwise):
            then, otherwise = _numbered(then, texts), _numbered(otherwise, texts)  # type: ignore[assignment]
            return replace(value, then=then, otherwise=otherwise, type=numbers)
    raise AssertionError(value)


def _scalar(type_: Type) -> ScalarType:
    assert isinstance(type_, ScalarType), type_
    return type_
