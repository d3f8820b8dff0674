"""The intermediate representation: expressions, statements, functions, modules.

Structured, so that it prints as readable Python: blocks, conditionals, loops. Expressions have no effect but the
faults and random draws of some operators (`ggp.codegen.ir.operators`). A name keeps one kind in its function. Integers
have 64 bits; where they are rows of bits, they are signed words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias


class Kind(Enum):
    """What a value is; the text is the annotation in Python."""

    INT = "int"
    REAL = "float"
    BOOL = "bool"
    WORDS = "Words"
    REALS = "Reals"

    @property
    def element(self) -> Kind:
        """The kind of the entries of a row."""
        return {Kind.WORDS: Kind.INT, Kind.REALS: Kind.REAL}[self]


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or truth value known before play."""

    value: int | float
    kind: Kind

    @property
    def constant(self) -> int | float | None:
        """The value."""
        return self.value


@dataclass(frozen=True, slots=True)
class _Unknown:
    """An expression whose value is not known before play."""

    @property
    def constant(self) -> int | float | None:
        """None: the value is not known before play."""
        return None


@dataclass(frozen=True, slots=True)
class Name(_Unknown):
    """A local name of a function, or a constant table of the module.

    What was *drawn* is a choice of a player's or of chance in this transition, which cannot be foreseen.
    """

    name: str
    kind: Kind
    table: bool = field(default=False, compare=False)
    drawn: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Entry(_Unknown):
    """An entry of a row of words or reals; where `sure`, it exists whenever it might be read."""

    row: Name
    index: Expression
    sure: bool = field(default=False, compare=False)

    @property
    def kind(self) -> Kind:
        """Its kind."""
        return self.row.kind.element


@dataclass(frozen=True, slots=True)
class Operation(_Unknown):
    """An operator of `ggp.codegen.ir.operators` on its operands; all of them are evaluated."""

    operator: str
    operands: tuple[Expression, ...]
    kind: Kind | None
    """None where it has no value."""


@dataclass(frozen=True, slots=True)
class Connected(_Unknown):
    """`and` or `or`: operands after the one that decides are not evaluated."""

    conjunction: bool
    operands: tuple[Expression, ...]

    @property
    def kind(self) -> Kind:
        """A truth value."""
        return Kind.BOOL


@dataclass(frozen=True, slots=True)
class Chosen(_Unknown):
    """One of two values of the same kind; only that one is evaluated."""

    test: Expression
    then: Expression
    otherwise: Expression

    @property
    def kind(self) -> Kind | None:
        """The kind of both."""
        return self.then.kind


@dataclass(frozen=True, slots=True)
class Call(_Unknown):
    """A call of a function of the module with one result or none; more results only in `AssignResults`."""

    function: str
    arguments: tuple[Expression, ...]
    kind: Kind | None


Expression: TypeAlias = Constant | Name | Entry | Operation | Connected | Chosen | Call

# --- statements -------------------------------------------------------------------------------------------------------

Block: TypeAlias = "list[Statement]"


@dataclass(slots=True)
class Assign:
    """A name gets a value."""

    target: Name
    value: Expression


@dataclass(slots=True)
class AssignResults:
    """Names get the results of a call, at least two."""

    targets: tuple[Name, ...]
    value: Call


@dataclass(slots=True)
class Store:
    """An entry of a row gets a value."""

    row: Name
    index: Expression
    value: Expression


@dataclass(slots=True)
class Effect:
    """An operation or call for what it does alone."""

    value: Operation | Call


@dataclass(slots=True)
class Allocate:
    """A name gets a row of the function's own, of unknown contents (zeros in Python)."""

    target: Name
    length: int


@dataclass(slots=True)
class Group:
    """Statements in the middle of others, to which more may be added while the function is written."""

    body: Block = field(default_factory=list)


@dataclass(slots=True)
class If:
    """The first arm whose test holds is run, otherwise the last block."""

    arms: list[tuple[Expression, Block]]
    otherwise: Block = field(default_factory=list)


@dataclass(slots=True)
class While:
    """The body is run as long as the test holds."""

    test: Expression
    body: Block


@dataclass(slots=True)
class For:
    """The body is run for each integer from the first to below the last."""

    counter: Name
    first: Expression
    last: Expression
    body: Block


@dataclass(slots=True)
class Break:
    """The innermost loop is left."""


@dataclass(slots=True)
class Return:
    """The function ends with these results."""

    values: tuple[Expression, ...] = ()


Statement: TypeAlias = (
    Assign | AssignResults | Store | Effect | Allocate | Group | If | While | For | Break | Return
)  # fmt: skip

# --- functions --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Function:
    """A function: its parameters, the kinds of its results, its body."""

    name: str
    parameters: tuple[Name, ...]
    results: tuple[Kind, ...]
    body: Block
    comment: str = ""


@dataclass(slots=True)
class Table:
    """A constant row of a module."""

    name: Name
    entries: tuple[int | float, ...]


@dataclass(slots=True)
class Module:
    """The code of one game: functions call only those before them.

    `is_random`: its conditions come out differently in each call, as for many games at once, and cannot be foreseen.
    """

    comment: str = ""
    tables: dict[str, Table] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    is_random: bool = False
