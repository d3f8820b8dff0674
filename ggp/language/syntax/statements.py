"""Statements as written, of the file and of phases, with the types that declarations name; and the file of them all."""

from __future__ import annotations

from typing import TypeAlias

from lark import Token
from msgspec import Struct

from ggp.language.syntax.expressions import Binder, Domain, Expression, Node, Text, Word

# --- types ------------------------------------------------------------------------------------------------------------


class NamedType(Node, frozen=True):
    """A type by its name."""

    name: Word


class EnumerationType(Node, frozen=True):
    """`{a, b}`."""

    members: tuple[Word, ...]


class RangeType(Node, frozen=True):
    """`low .. high` as a type."""

    low: Expression
    high: Expression


class SetType(Node, frozen=True):
    """`set of T`, `set of T, at most n`."""

    element: ScalarType
    most: Expression | None


class OptionType(Node, frozen=True):
    """`T or none`."""

    inner: ScalarType


class SequenceType(Node, frozen=True):
    """`sequence of T, at most n`."""

    element: ScalarType
    most: Expression | None


class ProductType(Node, frozen=True):
    """`rank of suit`: all pairs of a value of the first type and one of the second."""

    first: ScalarType
    second: ScalarType


ScalarType: TypeAlias = NamedType | EnumerationType | RangeType
Type: TypeAlias = ScalarType | SetType | OptionType | SequenceType | ProductType


class IndexDeclaration(Node, frozen=True):
    """An index of an array, `p: player`, or of one part: `type` alone in a declaration, a name alone in a `let`."""

    name: Word | None
    type: ScalarType


class Argument(Node, frozen=True):
    """An argument of a `def`; with `indices`, an array."""

    name: Word
    indices: tuple[IndexDeclaration, ...]
    type: Type


# --- statements of the file -------------------------------------------------------------------------------------------


class GameHeader(Node, frozen=True):
    """`game NAME "title"`."""

    name: Word
    title: Text


class Parameter(Node, frozen=True):
    """`param NAME: TYPE = DEFAULT`."""

    name: Word
    type: Type
    default: Expression


class DeclaredPlayers(Node, frozen=True):
    """`a`, one player; with `count`, `a[count]`: as many players, whose names begin with the one name given."""

    name: Word
    count: Expression | None


class Players(Node, frozen=True):
    """`players a, b[n]`."""

    declared: tuple[DeclaredPlayers, ...]


class TypeDeclaration(Node, frozen=True):
    """`type NAME = TYPE`."""

    name: Word
    type: Type


class Board(Node, frozen=True):
    """`board NAME = grid(width, height)`."""

    name: Word
    width: Expression
    height: Expression


class Table(Node, frozen=True):
    """`table NAME[indices]: TYPE = VALUE`, or `from "file"`."""

    name: Word
    indices: tuple[IndexDeclaration, ...]
    element: Type
    value: Expression | None
    file: Text | None


class Definition(Node, frozen=True):
    """`def NAME(arguments) = body`."""

    name: Word
    arguments: tuple[Argument, ...]
    body: Expression


class Let(Node, frozen=True):
    """`let NAME = body`, `let NAME[indices] = body`."""

    name: Word
    indices: tuple[IndexDeclaration, ...]
    body: Expression


class Payoff(Node, frozen=True):
    """`payoff[p] = e` or `estimate[p] = e`."""

    kind: str
    player: Word
    body: Expression


class PayoffSum(Node, frozen=True):
    """`payoff sum = e`: what the payoffs of all players add up to in every play."""

    sum: Expression


class Variable(Node, frozen=True):
    """`NAME[indices]: TYPE = INITIAL` in `state`."""

    name: Word
    indices: tuple[IndexDeclaration, ...]
    type: Type
    initial: Expression


class State(Node, frozen=True):
    """`state` and its variables."""

    variables: tuple[Variable, ...]


class History(Node, frozen=True):
    """`history NAME[length] = values`."""

    name: Word
    length: Expression
    values: tuple[Expression, ...]


class LookPart(Node, frozen=True):
    """A part of how something looks: a colour or text (`word` is empty), `of PLAYER`, `label VALUE`, `count VALUE`."""

    word: str
    value: Expression


class DisplayRule(Node, frozen=True):
    """`WHAT: LOOK PARTS for BINDERS if CONDITION`; with `side`, `SIDE of WHAT: ...`."""

    side: Expression | None
    what: Expression
    look: Expression
    parts: tuple[LookPart, ...]
    binders: tuple[Binder, ...]
    condition: Expression | None


class DisplayLine(Node, frozen=True):
    """`KIND "label" value`, such as `line "to play" turn`."""

    kind: Word
    label: Text
    value: Expression


class DisplaySteps(Node, frozen=True):
    """`lines by STEPS`: the cells are points, joined by lines to where these steps lead."""

    steps: Expression


class Display(Node, frozen=True):
    """`display`, `display grid BOARD STYLE`, `display for p grid BOARD`, and its rules."""

    player: Word | None
    board: Word | None
    style: Word | None
    rules: tuple[DisplayRule | DisplayLine | DisplaySteps, ...]


# --- statements of a phase --------------------------------------------------------------------------------------------


class Choice(Node, frozen=True):
    """`x in D` of `chooses`, `draws` and `by`; `x[i in S, j in T] in D`, with `indices`: one for each i and j."""

    name: Word
    indices: tuple[Binder, ...]
    domain: Domain


class Chance(Node, frozen=True):
    """`chance draws choices weight w`, or `chance deals choices`: each from what those before it left."""

    choices: tuple[Choice, ...]
    weight: Expression | None
    deals: bool = False


class Kind(Node, frozen=True):
    """`NAME by choices where c`; `name` None for the choices that stand behind `chooses` themselves."""

    name: Word | None
    choices: tuple[Choice, ...]
    where: Expression | None


class Chooser(Node, frozen=True):
    """`each p in S chooses ...` (with `binder`; `actors` None: all players) or `actor chooses ...`."""

    binder: Word | None
    actors: Expression | None
    actor: Expression | None
    kinds: tuple[Kind, ...]


class Update(Node, frozen=True):
    """`target := value for binders if condition`."""

    target: Expression
    value: Expression
    binders: tuple[Binder, ...]
    condition: Expression | None


class SeenValue(Node, frozen=True):
    """A value that is told, with a label if the rules give one."""

    label: Word | None
    value: Expression


class Sees(Node, frozen=True):
    """`sees AUDIENCE: values if condition`; with `binder`: `sees each p in AUDIENCE: ...`; or `sees nothing`."""

    binder: Word | None
    audience: Expression | None
    values: tuple[SeenValue, ...]
    condition: Expression | None


class Target(Node, frozen=True):
    """Where play goes on: a phase, or None: the game ends."""

    phase: Word | None


class Transfer(Node, frozen=True):
    """`A if c` of `next`."""

    target: Target
    condition: Expression | None


class Next(Node, frozen=True):
    """`next A if c else B`: in this order; the last has no condition."""

    transfers: tuple[Transfer, ...]


class On(Node, frozen=True):
    """`on KIND:` and what happens then."""

    kind: Word
    statements: tuple[Let | Update | Sees | Next, ...]


PhaseStatement: TypeAlias = Chance | Chooser | Let | Update | Sees | On | Next


class Phase(Node, frozen=True):
    """`phase NAME` and its statements."""

    name: Word
    statements: tuple[PhaseStatement, ...]


Declaration: TypeAlias = (
    GameHeader | Parameter | Players | TypeDeclaration | Board | Table | State | Phase | Definition | Let | Payoff
    | PayoffSum | Display | History
)  # fmt: skip


class File(Struct, frozen=True):
    """A whole rules file: the statements that could be read, in order.

    `damaged` holds the names whose declaration could not be read: using one is not a second mistake. `tokens` are all
    of the file, line ends included; `block_lines` the lines at which its statements begin, readable or not, and
    `statement_lines` those of the statements in blocks as well.
    """

    declarations: tuple[Declaration, ...]
    damaged: frozenset[str]
    tokens: tuple[Token, ...] = ()
    block_lines: tuple[int, ...] = ()
    statement_lines: tuple[int, ...] = ()
