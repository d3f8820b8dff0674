"""The typed tree: a game with its parameters bound, every name resolved, every type known.

Only the checker makes these nodes; the interpreter and the code generator read them. What can fail while a game is
played is spelled out as a node of its own (`Guard`, `Unwrap`), so that both fail at the same places for the same
reasons, and everything else is total.

Expressions that the checker could evaluate are `Constant`s. Values are numbered as `ggp.language.types` says.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ggp.language.source import Span
from ggp.language.types import ArrayType, CellType, EnumType, ScalarType, Type

Value: TypeAlias = "int | float | str | frozenset[int] | tuple[Value, ...] | None"


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A local name: a quantified variable, an argument, a choice, a chance draw. Compared by identity.

    `kind` says where its value comes from: `bound` (binder or function argument), `choice` (a component of the acting
    players' actions; an array over players where `each` acts, see `Chooser`), `draw` (a component of the chance
    outcome).
    """

    name: str
    type: Type
    kind: Literal["bound", "choice", "draw"]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable of the world state. `initial` is the value of the whole variable (a tuple for an array)."""

    name: str
    type: Type
    initial: Value
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A constant array; `values` row-major."""

    name: str
    type: ArrayType
    values: tuple[Value, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A `def` or a `let`. Never recursive: a function calls only those declared before it.

    `phase` is the name of the phase whose choices or draws the body may read, or None for a function of the state
    alone. A `let` is meant to be evaluated once per use site's evaluation; as functions are pure and total but for
    faults, an implementation may evaluate it as often or as seldom as it likes where no fault can arise, and must not
    evaluate it where it is not needed otherwise. The body's type is the function's type (an array for a `let` whose
    value is one, such as a distance map).
    """

    name: str
    arguments: tuple[Symbol, ...]
    body: Expression
    type: Type
    is_let: bool
    phase: str | None
    span: Span


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Constant:
    """A value known before play: scalar, none, set, array, real or text."""

    value: Value
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Local:
    """The value of a symbol."""

    symbol: Symbol
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class StateRead:
    """A state variable in the state the expression is evaluated in; no indices: the whole variable."""

    variable: Variable
    indices: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class TableRead:
    """An entry of a constant table; no indices: the whole table."""

    table: Table
    indices: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Index:
    """An element of an array that is neither a variable nor a table: a choice of `each`, a distance map, a `let`."""

    array: Expression
    indices: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """A function applied to arguments."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Guard:
    """The operand's code, which must lie in `type`; else a fault `out_of_range`.

    Put by the checker wherever it could not prove it: assignments, indices, arguments, `cell(x, y)`.
    """

    operand: Expression
    reason: str
    """In the author's words, such as "`points` takes 0..91"; the value is added by whoever reports it."""
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Unwrap:
    """The operand, which must not be none; else a fault `is_none`. The operand's type is an option."""

    operand: Expression
    reason: str
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Wrap:
    """A scalar used where `T or none` is wanted: the same value, another type."""

    operand: Expression
    type: Type
    span: Span


UnaryOperator: TypeAlias = Literal["not", "negate", "absolute", "sign", "tanh", "sqrt", "exp", "log", "real", "is_none"]
"""`real` turns an integer into a real; `is_none` takes an option and gives a bool; `log` and `sqrt` of what is not
positive give 0 (total)."""


@dataclass(frozen=True, slots=True)
class Unary:
    """An operator on one operand; on integers, or on reals where the type is real."""

    operator: UnaryOperator
    operand: Expression
    type: Type
    span: Span


BinaryOperator: TypeAlias = Literal[
    "add", "subtract", "multiply", "divide", "div", "mod", "minimum", "maximum", "power",
    "equal", "unequal", "less", "less_equal", "greater", "greater_equal", "and", "or",
]  # fmt: skip
"""`divide` and `power` are on reals. `divide` gives 0 where the divisor is 0, and so does every real operation that has
no value: a power that is not defined, a difference of infinities (total). `div` and `mod` round down, on integers, and
give a fault `division_by_zero` where the divisor is 0. `equal`/`unequal` compare any two operands of the same kind:
scalars, options (also a scalar with an option), sets, arrays. `and`/`or` leave out the right side where the left
decides."""


@dataclass(frozen=True, slots=True)
class Binary:
    """An operator on two operands."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """Only the branch that is taken is evaluated."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class SetOperation:
    """Union, difference, intersection of two sets of the same element type."""

    operator: Literal["union", "difference", "intersection"]
    left: Expression
    right: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Member:
    """Whether `element` (a scalar or an option; none and values outside the element type are in no set) is in `set`."""

    element: Expression
    set: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Subset:
    """Whether every member of `left` is in `right`."""

    left: Expression
    right: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class SetLiteral:
    """The set of some elements' values (elements that are none are left out)."""

    elements: tuple[Expression, ...]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Binder:
    """A variable that runs over a domain in ascending order of codes.

    `domain` is a scalar type (all its values), a set, or a pair of integer expressions (from, to; both included).
    Later binders may use earlier ones. With a domain of a pair, the symbol's type covers the proven range.
    """

    symbol: Symbol
    domain: ScalarType | Expression | tuple[Expression, Expression]


@dataclass(frozen=True, slots=True)
class Quantifier:
    """`all`, `any`, `no`: whether `body` holds for all, some, none of the bindings that satisfy `condition`."""

    kind: Literal["all", "any", "no"]
    binders: tuple[Binder, ...]
    body: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`count` (of bindings where the bool `body` holds), `sum`, `minimum`, `maximum` of `body` over the bindings.

    `condition`, where given, says which bindings count. `minimum` and `maximum` over nothing are a fault
    `empty`; the `sum` over nothing is 0.
    """

    kind: Literal["count", "sum", "minimum", "maximum"]
    binders: tuple[Binder, ...]
    condition: Expression | None
    body: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Comprehension:
    """The set of the values of `element` (none left out) over the bindings where `condition` holds."""

    binders: tuple[Binder, ...]
    condition: Expression | None
    element: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class SetFold:
    """`count(S)`, `sum(S)`, `min(S)`, `max(S)` of a set; smallest and largest of an empty set: a fault `empty`."""

    kind: Literal["count", "sum", "minimum", "maximum"]
    set: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class CellStep:
    """`cell + times * direction`, or none beyond the edge or where `cell` is none. The type is an option of the board.

    `cell` is a cell or an option; `times` an integer expression, possibly negative.
    """

    cell: Expression
    direction: Expression
    times: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class SetStep:
    """Every member moved by `times * direction`; those that would leave the board drop out."""

    set: Expression
    direction: Expression
    times: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class CellCoordinate:
    """`.x` or `.y` of a cell, from 1."""

    cell: Expression
    axis: Literal["x", "y"]
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class CellAt:
    """`cell(x, y)`; the coordinates are guarded by the checker."""

    x: Expression
    y: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Reach:
    """Breadth-first search from `sources` (a set) through members of `through` (a set).

    `steps` is a set of directions on a board, or an array over the element type of sets of neighbours. A source counts
    whether or not it is in `through`; every further value must be in it. `kind` `reach` gives the set of all values
    reached, sources included; `distance` an array over the element type: the number of steps, or the size of the
    element type where it cannot be reached.
    """

    kind: Literal["reach", "distance"]
    sources: Expression
    through: Expression
    steps: Expression
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Hash:
    """A fixed pseudo-random number in 0..modulus-1 that depends on the integer operands: see `ggp.language.hashing`."""

    operands: tuple[Expression, ...]
    modulus: int
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class MoveRead:
    """`move`, or `move[p]` where `each` acts: a player's whole action; only in `sees`."""

    player: Expression | None
    type: Type
    span: Span


Expression: TypeAlias = (
    Constant | Local | StateRead | TableRead | Index | Call | Guard | Unwrap | Wrap | Unary | Binary | If | SetOperation
    | Member | Subset | SetLiteral | Quantifier | Aggregate | Comprehension | SetFold | CellStep
    | SetStep | CellCoordinate | CellAt | Reach | Hash | MoveRead
)  # fmt: skip


# --- phases -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Component:
    """One argument of an action or one draw of chance: a symbol and the set (or scalar type) it is taken from.

    The domain may read the components before it. While legal actions are listed, the symbol stands for the value under
    consideration, a scalar. In updates, `sees` and `next` it is what was chosen: see `Chooser`.
    """

    symbol: Symbol
    """Its type is what the rest of the phase sees: a scalar, or an array over players where `each` acts."""
    local: Symbol
    """A bound scalar: the value under consideration in `domain`s, `where` and `weight`s. Same as `symbol` for chance
    and for a single actor."""
    type: ScalarType
    """The type whose codes number the actions: the element type of the domain."""
    domain: ScalarType | Expression


@dataclass(frozen=True, slots=True)
class ActionKind:
    """A kind of action: `raise by k in 1..bet_sizes where raises < max_raises`. Name None: the only, unnamed kind."""

    name: str | None
    components: tuple[Component, ...]
    where: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Chooser:
    """Who acts, and what is legal.

    `each`: all members of the set `actors` act at once, `binder` standing for each in turn in domains and `where`;
    the components' symbols are arrays over all players of `element or none`, none for those who do not act (plain
    elements, with no option, where `actors` is the constant set of all players and there is one kind). Otherwise
    `actor` is the one player who acts, and the symbols are scalars (reading one of another kind than was chosen
    cannot happen: the checker confines them to `on KIND`).
    """

    binder: Symbol | None
    actors: Expression | None
    actor: Expression | None
    kinds: tuple[ActionKind, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Chance:
    """What chance draws: all combinations of the components, each with probability proportional to its weight.

    With `weight` None all combinations are equally likely, and `independent` says that no domain reads another
    component, so that each can be drawn on its own. A chance phase with no components has one outcome.
    A sum of weights that is not positive, or a negative weight, is a fault `weights`; an empty domain a fault `empty`.
    """

    components: tuple[Component, ...]
    weight: Expression | None
    independent: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Update:
    """An assignment `target[indices] := value`, for each binding of the binders for which `condition` holds.

    Right sides, indices, binders and conditions read the old state. `kind` names the action kind (`on KIND`) that must
    have been chosen by the single actor, or None. Two assignments to the same element in one transition
    are a fault `conflict`; `exclusive` says that the checker proved that this statement never meets another assignment
    to the same element, its own bindings included.
    """

    target: Variable
    indices: tuple[Expression, ...]
    value: Expression
    binders: tuple[Binder, ...]
    condition: Expression | None
    kind: str | None
    exclusive: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Sees:
    """What some players are told: `sees AUDIENCE: values if condition`.

    `audience` is a set of players. `binder`, where given, stands for the player who is told, in values and condition
    (`sees each p: hand[p]`). All read the old state and the actions; `kind` as in `Update`. A player's observation of a
    transition is the sequence of the values of all `Sees` that reach it, each headed by the position of its `Sees` in
    the phase; a player whom none reaches observes nothing.
    """

    audience: Expression
    binder: Symbol | None
    values: tuple[Expression, ...]
    labels: tuple[str, ...]
    """The source text of each value, for people."""
    condition: Expression | None
    kind: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Transfer:
    """`next target if condition`; the first whose condition holds is taken. None: the game ends.

    Conditions read the new state, and the choices or draws that led to it.

    The last of a phase's transfers has no condition.
    """

    target: str | None
    condition: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Phase:
    """Who acts, what changes, who sees what, what comes next.

    Exactly one of `chance` and `choosers` is there. Several choosers act at once and are different players. A phase
    written without `sees` has one `Sees` for all players with every choice or draw in it.
    """

    name: str
    chance: Chance | None
    choosers: tuple[Chooser, ...]
    functions: tuple[Function, ...]
    updates: tuple[Update, ...]
    sees: tuple[Sees, ...]
    transfers: tuple[Transfer, ...]
    span: Span


# --- the game ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter with its bound value, as text (`13`, `shuffled`, `yes`)."""

    name: str
    type: ScalarType
    value: int
    default: int
    comment: str
    """The comment at the end of its line, for help texts; empty if none."""


@dataclass(frozen=True, slots=True)
class DisplayRule:
    """One line of `display`: where `what` (a cell, an option, or a set of cells) is, draw `text` in `color`."""

    what: Expression
    text: str
    color: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Display:
    """How a state is drawn: a board, its rules in order of precedence (first wins), and lines of labelled values."""

    board: CellType | None
    rules: tuple[DisplayRule, ...]
    lines: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A checked game. The first phase is where play begins, in the variables' initial values."""

    name: str
    title: str
    parameters: tuple[Parameter, ...]
    players: EnumType
    variables: tuple[Variable, ...]
    tables: tuple[Table, ...]
    functions: tuple[Function, ...]
    """All functions of the state alone, in order of declaration."""
    phases: tuple[Phase, ...]
    payoff: tuple[Expression, ...]
    """One real expression a player, read in the terminal state."""
    estimate: tuple[Expression, ...] | None
    utility_bounds: tuple[tuple[float, float], ...]
    """Proven lowest and highest utility of each player."""
    display: Display | None
    source_name: str
    source_text: str = field(repr=False)
