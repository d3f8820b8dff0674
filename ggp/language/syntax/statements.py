"""Statements as written, of the file and of phases, with the types that declarations name; and the file of them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ggp.language.syntax.expressions import Binder, Domain, Expression, Node, Text, Word

# --- types ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    """A type by its name."""

    name: Word


@dataclass(frozen=True, slots=True)
class EnumerationType(Node):
    """`{a, b}`."""

    members: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    """`low .. high` as a type."""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class SetType(Node):
    """`set of T`, `set of T, at most n`."""

    element: ScalarType
    most: Expression | None


@dataclass(frozen=True, slots=True)
class OptionType(Node):
    """`T or none`."""

    inner: ScalarType


@dataclass(frozen=True, slots=True)
class ProductType(Node):
    """`rank of suit`: all pairs of a value of the first type and one of the second."""

    first: ScalarType
    second: ScalarType


ScalarType: TypeAlias = NamedType | EnumerationType | RangeType
Type: TypeAlias = ScalarType | SetType | OptionType | ProductType


@dataclass(frozen=True, slots=True)
class IndexDeclaration(Node):
    """An index of an array, `p: player`, or of one part: `type` alone in a declaration, a name alone in a `let`."""

    name: Word | None
    type: ScalarType


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """An argument of a `def`; with `indices`, an array."""

    name: Word
    indices: tuple[IndexDeclaration, ...]
    type: Type


# --- statements of the file -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameHeader(Node):
    """`game NAME "title"`."""

    name: Word
    title: Text


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`param NAME: TYPE = DEFAULT`."""

    name: Word
    type: Type
    default: Expression


@dataclass(frozen=True, slots=True)
class Players(Node):
    """`players a, b`; with `count`, `players a[count]`: as many players, whose names begin with the one name given."""

    names: tuple[Word, ...]
    count: Expression | None


@dataclass(frozen=True, slots=True)
class TypeDeclaration(Node):
    """`type NAME = TYPE`."""

    name: Word
    type: Type


@dataclass(frozen=True, slots=True)
class Board(Node):
    """`board NAME = grid(width, height)`."""

    name: Word
    width: Expression
    height: Expression


@dataclass(frozen=True, slots=True)
class Table(Node):
    """`table NAME[indices]: TYPE = VALUE`, or `from "file"`."""

    name: Word
    indices: tuple[IndexDeclaration, ...]
    element: Type
    value: Expression | None
    file: Text | None


@dataclass(frozen=True, slots=True)
class Definition(Node):
    """`def NAME(arguments) = body`."""

    name: Word
    arguments: tuple[Argument, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let NAME = body`, `let NAME[indices] = body`."""

    name: Word
    indices: tuple[IndexDeclaration, ...]
    body: Expression


@dataclass(frozen=True, slots=True)
class Payoff(Node):
    """`payoff[p] = e` or `estimate[p] = e`."""

    kind: str
    player: Word
    body: Expression


@dataclass(frozen=True, slots=True)
class PayoffSum(Node):
    """`payoff sum = e`: what the payoffs of all players add up to in every play."""

    sum: Expression


@dataclass(frozen=True, slots=True)
class Variable(Node):
    """`NAME[indices]: TYPE = INITIAL` in `state`."""

    name: Word
    indices: tuple[IndexDeclaration, ...]
    type: Type
    initial: Expression


@dataclass(frozen=True, slots=True)
class State(Node):
    """`state` and its variables."""

    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class History(Node):
    """`history NAME[length] = values`."""

    name: Word
    length: Expression
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class DisplayRule(Node):
    """`WHAT: "text" colour`; with `side`, `SIDE of WHAT: "text" colour`."""

    side: Expression | None
    what: Expression
    text: Text
    colour: Word | None


@dataclass(frozen=True, slots=True)
class DisplayLine(Node):
    """`line "label" value`."""

    label: Text
    value: Expression


@dataclass(frozen=True, slots=True)
class Display(Node):
    """`display`, `display grid BOARD`, `display for p grid BOARD`, and its rules."""

    player: Word | None
    board: Word | None
    rules: tuple[DisplayRule | DisplayLine, ...]


# --- statements of a phase --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """`x in D` of `chooses`, `draws` and `by`; `x[i in S] in D`, with `index`: one for each i."""

    name: Word
    index: Binder | None
    domain: Domain


@dataclass(frozen=True, slots=True)
class Chance(Node):
    """`chance draws choices weight w`."""

    choices: tuple[Choice, ...]
    weight: Expression | None


@dataclass(frozen=True, slots=True)
class Kind(Node):
    """`NAME by choices where c`; `name` None for the choices that stand behind `chooses` themselves."""

    name: Word | None
    choices: tuple[Choice, ...]
    where: Expression | None


@dataclass(frozen=True, slots=True)
class Chooser(Node):
    """`each p in S chooses ...` (with `binder`; `actors` None: all players) or `actor chooses ...`."""

    binder: Word | None
    actors: Expression | None
    actor: Expression | None
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Update(Node):
    """`target := value for binders if condition`."""

    target: Expression
    value: Expression
    binders: tuple[Binder, ...]
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class SeenValue(Node):
    """A value that is told, with a label if the rules give one."""

    label: Word | None
    value: Expression


@dataclass(frozen=True, slots=True)
class Sees(Node):
    """`sees AUDIENCE: values if condition`; with `binder`: `sees each p in AUDIENCE: ...`; or `sees nothing`."""

    binder: Word | None
    audience: Expression | None
    values: tuple[SeenValue, ...]
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Target(Node):
    """Where play goes on: a phase, or None: the game ends."""

    phase: Word | None


@dataclass(frozen=True, slots=True)
class Transfer(Node):
    """`A if c` of `next`."""

    target: Target
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Next(Node):
    """`next A if c else B`: in this order; the last has no condition."""

    transfers: tuple[Transfer, ...]


@dataclass(frozen=True, slots=True)
class On(Node):
    """`on KIND:` and what happens then."""

    kind: Word
    statements: tuple[Let | Update | Sees | Next, ...]


PhaseStatement: TypeAlias = Chance | Chooser | Let | Update | Sees | On | Next


@dataclass(frozen=True, slots=True)
class Phase(Node):
    """`phase NAME` and its statements."""

    name: Word
    statements: tuple[PhaseStatement, ...]


Declaration: TypeAlias = (
    GameHeader | Parameter | Players | TypeDeclaration | Board | Table | State | Phase | Definition | Let | Payoff
    | PayoffSum | Display | History
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class File:
    """A whole rules file: the statements that could be read, in order.

    `damaged` holds the names whose declaration could not be read: using one is no second mistake.
    """

    declarations: tuple[Declaration, ...]
    damaged: frozenset[str]
