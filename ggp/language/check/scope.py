"""Names and their meanings: the file's declarations, and the local names of a phase, a function, a quantifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from ggp.language.diagnostics import Diagnostics
from ggp.language.syntax import Word
from ggp.language.text.source import Span
from ggp.language.typed import Expression, Function, Symbol, Table, Update, Variable
from ggp.language.typed.types import ArrayType, EnumType, OptionType, ScalarType, SequenceType, SetType, Type

EntryKind: TypeAlias = Literal[
    "parameter",
    "type",
    "board",
    "table",
    "variable",
    "definition",
    "let",
    "choice",
    "draw",
    "name",
    "named",
    "argument",
    "history",
]


class Damaged(Struct, frozen=True):
    """The meaning of a name whose declaration was wrong: none, and using it is not another mistake."""


class Meant(Struct, frozen=True):
    """The meaning of a name that stands for a type."""

    type: Type


class Vector(Struct, frozen=True):
    """The meaning of a name that stands for several choices or draws, one for each value of an index, or of several.

    `codes` are those values, of the types `indices`, and `symbols` what was chosen for each of them.
    """

    indices: tuple[ScalarType, ...]
    codes: tuple[tuple[int, ...], ...]
    symbols: tuple[Symbol, ...]

    @property
    def type(self) -> ArrayType:
        """How editors show it: as an array."""
        return ArrayType(self.indices, cast("ScalarType | OptionType", _element(self.symbols[0].type)))

    def renewed(self) -> Vector:
        """Return the same of arguments of a definition."""
        return replace(self, symbols=tuple(replace(symbol, kind="bound") for symbol in self.symbols))


class Selection(Struct, frozen=True):
    """The meaning of a name that stands for a subset of a given size: the set of its members, each with a symbol."""

    symbols: tuple[Symbol, ...]

    @property
    def type(self) -> Type:
        """How editors show it: as a set, or an array of sets over players."""
        whole = self.symbols[0].type
        if not isinstance(whole, ArrayType):
            return SetType(cast("ScalarType", whole))
        element = whole.element.inner if isinstance(whole.element, OptionType) else whole.element
        return ArrayType(whole.indices, SetType(cast("ScalarType", element)))


class Recorded(Struct, frozen=True):
    """The meaning of the name of a history.

    `now` is the hash of the recorded values in a state, `counting` the function of a hash that says how often it stood
    before (None: nothing is kept), `updates` what records a state.
    """

    values: tuple[Expression, ...]
    now: Function
    counting: Function | None
    updates: tuple[Update, ...]


class SequenceVariable(Struct, frozen=True, eq=False):
    """The meaning of a variable that is a sequence, or, with `indices`, an array of them: see `expressions.sequences`.

    `items` has none at the places beyond the last item, and `size` is the number of items.
    """

    items: Variable
    size: Variable
    indices: tuple[ScalarType, ...]
    sequence: SequenceType

    @property
    def type(self) -> Type:
        """How editors show it."""
        return ArrayType(self.indices, cast("ScalarType", self.sequence)) if self.indices else self.sequence


class SequenceFunction(Struct, frozen=True, eq=False):
    """The meaning of a definition that gives a sequence, or of a sequence handed to one: how it is worked out.

    Both functions take the same arguments, and `item` at the end a place, from 1 to the most items that there may be.
    """

    size: Function
    item: Function
    sequence: SequenceType

    @property
    def type(self) -> Type:
        """How editors show it."""
        return self.sequence


Item: TypeAlias = Callable[[Expression], Expression]


class SequenceValue(Struct, frozen=True, eq=False):
    """What an expression that gives a sequence is to the checker; it is no part of a typed tree.

    `item` gives the item at a place from 1 on, none beyond the last. `kept` is what it is read from as it is, with the
    indices or arguments: a variable, an argument of a definition, or a definition.
    """

    type: SequenceType
    size: Expression
    item: Item
    span: Span
    kept: tuple[SequenceVariable | SequenceFunction | Symbol, tuple[Expression, ...]] | None = None


def _element(type_: Type) -> Type:
    return type_.element if isinstance(type_, ArrayType) else type_


Meaning: TypeAlias = (
    Expression | Variable | Table | Function | Vector | Selection | SequenceVariable | SequenceFunction
    | SequenceValue | Recorded | Meant | Damaged
)  # fmt: skip


@dataclass(slots=True)
class Entry:
    """A declared name.

    `confined` names the kind of action outside of whose `on` the name means nothing, `also` further kinds that have a
    choice of that name.
    """

    name: str
    kind: EntryKind
    span: Span
    meaning: Meaning
    used: bool = False
    confined: str | None = None
    also: tuple[str, ...] = ()


@dataclass(slots=True)
class Names:
    """All names in scope: the innermost scope last; enumeration members apart, as several may share a name."""

    found: Diagnostics
    scopes: list[dict[str, Entry]] = field(default_factory=lambda: [{}])
    members: dict[str, list[tuple[EnumType, int]]] = field(default_factory=dict)
    types_of_used_members: set[EnumType] = field(default_factory=set)
    used_members: set[tuple[EnumType, int]] = field(default_factory=set)
    """Members that the rules name."""
    whole_types: set[ScalarType] = field(default_factory=set)
    """Types of which the rules use all values, as a set or as indices."""
    declared_members: dict[str, Span] = field(default_factory=dict)
    damaged: set[str] = field(default_factory=set)
    confused: set[frozenset[EnumType]] = field(default_factory=set)
    """Enumerations that share members, where an error said so already."""
    declared: list[Entry] = field(default_factory=list)
    """Every entry ever declared, those of scopes that were left included: for editors."""
    uses: dict[Span, Span] = field(default_factory=dict)
    """Where each use of a name stands, and where that name is declared: for editors."""
    member_places: dict[tuple[EnumType, int], Span] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    """Built-in names, which no declaration may take."""

    def declare(self, word: Word, kind: EntryKind, meaning: Meaning, confined: str | None = None) -> Entry:
        """Make a name known in the innermost scope; report one that already means something else."""
        entry = Entry(word.text, kind, word.span, meaning, confined=confined)
        before = self.lookup(word.text)
        if before is not None and before.confined is not None and word.text not in self.scopes[-1]:
            # it means something only where its kind of move was chosen, which is elsewhere
            before = None
        if before is not None:
            if not isinstance(before.meaning, Damaged):
                is_bound = kind == "name" and before.kind in ("type", "board")
                why = "is a type, and stands for no single value" if is_bound else "is declared twice"
                self._refuse(word, why, before.span, f"such as `{word.text[0]}`" if is_bound else None)
            if type(before.meaning) is not type(meaning):  # nobody knows which is meant
                entry.meaning = Damaged()
                self.scopes[-1][word.text] = entry
        elif word.text in self.reserved or word.text in self.declared_members:
            if word.text in self.reserved:
                self._refuse(word, "is built into the language")
            else:
                self._refuse(word, "is already a member of an enumeration", self.declared_members[word.text])
            entry.meaning = Damaged()
            self.scopes[-1][word.text] = entry
        else:
            self.scopes[-1][word.text] = entry
            self.declared.append(entry)
        return entry

    def use(self, entry: Entry, span: Span) -> None:
        """Mark a name used at a place. What is checked again, with other meanings, keeps what the first check found."""
        entry.used = True
        self.uses.setdefault(span, entry.span)

    def damage(self, name: str) -> None:
        """Make a name known whose declaration is wrong, so that its uses are not reported."""
        self.damaged.add(name)

    def confuse(self, *types: EnumType) -> bool:
        """Return whether an error is the first whose cause is that these enumerations share members."""
        is_first = frozenset(types) not in self.confused
        self.confused.add(frozenset(types))
        return is_first

    def declare_members(self, type_: EnumType, words: tuple[Word, ...]) -> None:
        """Make the members of an enumeration known."""
        for code, word in enumerate(words):
            before = self.lookup(word.text)
            if before is not None:
                self._refuse(word, "is declared twice", before.span)
            elif word.text in self.reserved:
                self._refuse(word, "is built into the language")
            else:
                self.declared_members.setdefault(word.text, word.span)
                # enumerations without a name that list the same members are one type
                first = self.member_places.setdefault((type_, code), word.span)
                if first != word.span:
                    self.uses[word.span] = first
                known = self.members.setdefault(word.text, [])
                if (type_, code) not in known:
                    known.append((type_, code))

    def _refuse(self, word: Word, why: str, before: Span | None = None, example: str | None = None) -> None:
        """Report that a name is taken, where it was declared before, and perhaps another that one may choose."""
        notes = [] if before is None else [(before, f"`{word.text}` was declared here")]
        self.found.error(
            word.span, f"`{word.text}` {why}", ", ".join(filter(None, ["choose another name", example])), notes
        )

    def lookup(self, name: str) -> Entry | None:
        """Return the entry of a name in the innermost scope that has it."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None

    def visible(self) -> Iterator[Entry]:
        """Yield all entries in scope."""
        for scope in self.scopes:
            yield from scope.values()

    @contextmanager
    def inner(self) -> Iterator[dict[str, Entry]]:
        """Open a scope of local names for the duration of a `with`."""
        scope: dict[str, Entry] = {}
        self.scopes.append(scope)
        try:
            yield scope
        finally:
            self.scopes.pop()
