"""The module of one game while it is written: its functions and tables, its fault sites, and the limits it keeps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from msgspec import Struct

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.build import depth
from ggp.codegen.ir.nodes import Block, Expression, Function, Kind, Module, Name, Table
from ggp.encoding.state_layout import Layout, encode_value
from ggp.faults import FaultSite, LimitExceeded
from ggp.language import typed
from ggp.language.typed.types import ArrayType, SetType, Type
from ggp.language.typed.walk import calls
from ggp.rules_compiler.emit.operands import Memory, Operand, is_real

MAX_STATEMENTS = 60_000
"""Largest number of statements; more would take minutes to compile."""
MAX_NESTING = 99
"""Deepest nesting of blocks that Python accepts."""
MAX_LOCAL_WORDS = 1 << 16
"""Words of stack memory of all generated functions together."""

Compilers: TypeAlias = Mapping[type, Callable[[Any, Any], Operand]]
"""For each kind of typed expression, the function that writes it, given a builder and the expression."""


class StateNeed(Struct, frozen=True):
    """The words of a state variable that lives in names."""

    variable: typed.Variable


class MemoryNeed(Struct, frozen=True):
    """A state variable that lies in memory."""

    variable: typed.Variable


class SymbolNeed(Struct, frozen=True):
    """A choice or draw of the current phase."""

    symbol: typed.Symbol


class RowNeed(Struct, frozen=True):
    """A row of words that callers pass: `fault`, in which faults are recorded, `rng`, or a cache.

    Attributes:
        name: its name.
        length: its words, if entry points make it.
        cleared: how many of them are 0 at first, and in a cache again in each new state.
        cache: whether it keeps results of functions of the state.
        phase: of a cache of what depends on the choices or draws of a phase, too: that phase's name.
    """

    name: str
    length: int = 0
    cleared: int = 0
    cache: bool = False
    phase: str | None = None


Need: TypeAlias = StateNeed | MemoryNeed | SymbolNeed | RowNeed
FAULT = RowNeed("fault", 2, 2)


class Generated(Struct, frozen=True):
    """A function that was written: what to pass besides its arguments."""

    name: str
    needs: Mapping[Need, Operand]


def identifier(name: str) -> str:
    """Return a name of the rules as a part of a Python name; never one that ends like a name for a part of a value."""
    return re.sub(r"_(?=(\d+|at)$)", "__", re.sub(r"\W", "_", name))


@dataclass
class GameModule:
    """What has been written of a game's module so far."""

    game: typed.Game
    layout: Layout
    compilers: Compilers
    code: Module = field(default_factory=Module)
    written: dict[object, Generated] = field(default_factory=dict)
    """Functions by their purpose, so that each is written once."""
    caches: dict[typed.Function, RowNeed] = field(default_factory=dict)
    sites: list[FaultSite] = field(default_factory=list)
    site_types: list[Type | None] = field(default_factory=list)
    """The type of the value that a fault at a site reports, where it reports one."""
    tabulated: dict[object, tuple[int, ...] | None] = field(default_factory=dict)
    """The tables of `tabulation`, by what they hold; None for what has none."""
    statements: int = 0
    local_words: int = 0
    _names: set[str] = field(default_factory=set)
    _tables: dict[tuple[str, ArrayType | SetType, typed.Value], Name] = field(default_factory=dict)

    @cached_property
    def calls(self) -> Counter[typed.Function]:
        """The number of places at which each definition is called."""
        return calls(self.game)

    @cached_property
    def arrays(self) -> Mapping[typed.Variable, typed.Variable]:
        """The arrays that are kept as sets, by the array of sets that stands for each."""
        return {stored: array for array, stored in self.layout.kept_as_sets.items()}

    # --- limits -------------------------------------------------------------------------------------------------------

    def count_statement(self) -> None:
        """Count a written statement."""
        self.statements += 1
        if self.statements > MAX_STATEMENTS:
            raise LimitExceeded("lines of generated code", self.statements, MAX_STATEMENTS)

    def count_local_words(self, words: int) -> None:
        """Count words of a function's own memory."""
        self.local_words += words
        if self.local_words > MAX_LOCAL_WORDS:
            raise LimitExceeded("words of working memory", self.local_words, MAX_LOCAL_WORDS)

    # --- what stands beside the functions -----------------------------------------------------------------------------

    def site(self, site: FaultSite, value_type: Type | None) -> int:
        """Return the number, from 1, of a place that can fail."""
        for number, (known, known_type) in enumerate(zip(self.sites, self.site_types, strict=True)):
            if known == site and known_type == value_type:
                return number + 1
        self.sites.append(site)
        self.site_types.append(value_type)
        return len(self.sites)

    def table(self, name: str, type_: ArrayType | SetType, value: typed.Value) -> Memory:
        """Return a constant table, written once.

        Args:
            name: what it is called in the code, for whoever reads that; another value of that name gets one of its own.
            type_: its type.
            value: what it holds.
        """
        known = self._tables.get((name, type_, value))
        if known is None:
            key = f"TABLE_{identifier(name)}"
            if is_real(type_):
                assert isinstance(value, tuple)
                reals = tuple(float(item) for item in value if isinstance(item, (int, float)))
                known = self._table(key, Kind.REALS, reals)
            else:
                known = self._table(key, Kind.WORDS, tuple(encode_value(type_, value)))
            self._tables[name, type_, value] = known
        return Memory(known, ir.ZERO)

    def numbers(self, name: str, values: Sequence[int]) -> Name:
        """Return a table of numbers that the code itself needs, written once."""
        return self._table(name, Kind.WORDS, tuple(values))

    def known_value(self, values: Sequence[int], at: Expression) -> Expression:
        """Return one of some values known before play, by its position."""
        name = f"VALUES_{'_'.join(str(value).replace('-', 'm') for value in values[:4])}_{len(values)}"
        return ir.entry(self.numbers(name, values), at)

    def _table(self, name: str, kind: Kind, entries: tuple[int | float, ...]) -> Name:
        table = Table(Name(name, kind, table=True), entries)
        while self.code.tables.setdefault(name, table) != table:
            name += "x"
            table = Table(Name(name, kind, table=True), entries)
        return table.name

    # --- functions ----------------------------------------------------------------------------------------------------

    def unique(self, name: str) -> str:
        """Return a function name that is not in use, like the given one."""
        number, candidate = 1, name
        while candidate in self._names:
            number += 1
            candidate = f"{name}_{number}"
        self._names.add(candidate)
        return candidate

    def finish(self, name: str, parameters: Sequence[Name], results: Sequence[Kind], body: Block) -> None:
        """Add a written function to the module."""
        self._names.add(name)
        if (nesting := depth(body)) > MAX_NESTING:
            raise LimitExceeded("nested blocks of generated code", nesting, MAX_NESTING)
        self.code.functions.append(Function(name, tuple(parameters), tuple(results), body))
