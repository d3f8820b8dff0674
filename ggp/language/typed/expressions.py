"""Typed expressions, and the functions that stand for them. The docstrings of the nodes define what they mean."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from ggp.arithmetic.real_functions import RealFunctionName
from ggp.language.text.source import Span
from ggp.language.typed.symbols import Symbol, Table, Value, Variable
from ggp.language.typed.types import IntType, ScalarType, Type


class Function(Struct, frozen=True, eq=False):
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


class Constant(Struct, frozen=True):
    """A value known before play: scalar, none, set, array, real or text."""

    value: Value
    type: Type
    span: Span


class Local(Struct, frozen=True):
    """The value of a symbol."""

    symbol: Symbol
    type: Type
    span: Span


class StateRead(Struct, frozen=True):
    """A state variable in the state the expression is evaluated in; no indices: the whole variable."""

    variable: Variable
    indices: tuple[Expression, ...]
    type: Type
    span: Span


class TableRead(Struct, frozen=True):
    """An entry of a constant table; no indices: the whole table."""

    table: Table
    indices: tuple[Expression, ...]
    type: Type
    span: Span


class Index(Struct, frozen=True):
    """An element of an array that is neither a variable nor a table: a choice of `each`, a distance map, a `let`."""

    array: Expression
    indices: tuple[Expression, ...]
    type: Type
    span: Span


class Call(Struct, frozen=True):
    """A function applied to arguments."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type
    span: Span


class Guard(Struct, frozen=True):
    """The operand, an integer, which must lie in `type`; else a fault `out_of_range`.

    The checker puts it wherever it cannot prove this: assignments, indices, arguments, `cell(x, y)`.
    """

    operand: Expression
    reason: str
    """In the author's words, such as "`points` takes 0..91"; the value is added by whoever reports it. Empty where the
    compiler proved that the operand lies in `type` wherever the value matters."""
    type: IntType
    span: Span


class Unwrap(Struct, frozen=True):
    """The operand, which must not be none; else a fault `is_none`. The operand's type is an option."""

    operand: Expression
    reason: str
    """Empty as that of a `Guard`."""
    type: Type
    span: Span


class Wrap(Struct, frozen=True):
    """A scalar used where `T or none` is expected: the same value, another type."""

    operand: Expression
    type: Type
    span: Span


UnaryOperator: TypeAlias = Literal["not", "negate", "absolute", "sign", "real", "is_none"] | RealFunctionName
"""`real` turns an integer into a real; `is_none` takes an option and gives a bool; `log` and `sqrt` of what is not
positive give 0 (total)."""


class Unary(Struct, frozen=True):
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


class Binary(Struct, frozen=True):
    """An operator on two operands."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    type: Type
    span: Span


class If(Struct, frozen=True):
    """Only the branch that is taken is evaluated."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type
    span: Span


class SetOperation(Struct, frozen=True):
    """Union, difference, intersection of two sets of the same element type."""

    operator: Literal["union", "difference", "intersection"]
    left: Expression
    right: Expression
    type: Type
    span: Span


class Member(Struct, frozen=True):
    """Whether `element` (a scalar or an option; none and values outside the element type are in no set) is in `set`."""

    element: Expression
    set: Expression
    type: Type
    span: Span


class Subset(Struct, frozen=True):
    """Whether every member of `left` is in `right`."""

    left: Expression
    right: Expression
    type: Type
    span: Span


class SetLiteral(Struct, frozen=True):
    """The set of some elements' values (elements that are none are left out)."""

    elements: tuple[Expression, ...]
    type: Type
    span: Span


class Binder(Struct, frozen=True):
    """A variable that runs over a domain in ascending order of codes.

    `domain` is a scalar type (all its values), a set, or a pair of integer expressions (from, to; both included).
    Later binders may use earlier ones. With a domain of a pair, the symbol's type covers the proven range.
    """

    symbol: Symbol
    domain: ScalarType | Expression | tuple[Expression, Expression]


class Quantifier(Struct, frozen=True):
    """`all`, `any`, `no`: whether `body` holds for all, some, none of the bindings that satisfy `condition`."""

    kind: Literal["all", "any", "no"]
    binders: tuple[Binder, ...]
    body: Expression
    type: Type
    span: Span


class Aggregate(Struct, frozen=True):
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


class Comprehension(Struct, frozen=True):
    """The set of the values of `element` (none left out) over the bindings where `condition` holds."""

    binders: tuple[Binder, ...]
    condition: Expression | None
    element: Expression
    type: Type
    span: Span


class SetFold(Struct, frozen=True):
    """`count(S)`, `sum(S)`, `min(S)`, `max(S)` of a set; smallest and largest of an empty set: a fault `empty`.

    `sought` is the variable of `the x in S: c`, the smallest member that fits.
    """

    kind: Literal["count", "sum", "minimum", "maximum"]
    set: Expression
    type: Type
    span: Span
    sought: str = ""

    @property
    def shortage(self) -> str:
        """What is wrong with an empty set."""
        return f"`the` finds no `{self.sought}`" if self.sought else f"the {self.kind} of nothing"


class CellStep(Struct, frozen=True):
    """`cell + times * direction`, or none beyond the edge or where `cell` is none. The type is an option of the board.

    `cell` is a cell or an option; `times` an integer expression, possibly negative.
    """

    cell: Expression
    direction: Expression
    times: Expression
    type: Type
    span: Span


class SetStep(Struct, frozen=True):
    """Every member moved by `times * direction`; those that would leave the board drop out."""

    set: Expression
    direction: Expression
    times: Expression
    type: Type
    span: Span


class CellCoordinate(Struct, frozen=True):
    """`.x` or `.y` of a cell, from 1."""

    cell: Expression
    axis: Literal["x", "y"]
    type: Type
    span: Span


class CellAt(Struct, frozen=True):
    """`cell(x, y)`; the coordinates are guarded by the checker."""

    x: Expression
    y: Expression
    type: Type
    span: Span


class ArrayOf(Struct, frozen=True):
    """The array that has the value of `body` for each value of a bound symbol; only as the `steps` of a search.

    It is evaluated for the values that the search comes to, in each round in ascending order.
    """

    binder: Symbol
    body: Expression
    type: Type
    span: Span


class AtMost(Struct, frozen=True):
    """The operand, a set of at most so many members; else a fault `out_of_range`."""

    operand: Expression
    most: int
    reason: str
    type: Type
    span: Span


class Reach(Struct, frozen=True):
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


class Hash(Struct, frozen=True):
    """A fixed pseudo-random number in 0..modulus-1 of some operands: see `ggp.language.typed.hashing`.

    Operands are scalars, or sets whose codes begin at 0.
    """

    operands: tuple[Expression, ...]
    modulus: int
    type: Type
    span: Span


class MoveRead(Struct, frozen=True):
    """`move`, or `move[p]` where `each` acts: a player's whole action; only in `sees`."""

    player: Expression | None
    type: Type
    span: Span


Expression: TypeAlias = (
    Constant | Local | StateRead | TableRead | Index | Call | Guard | Unwrap | Wrap | Unary | Binary | If | SetOperation
    | Member | Subset | SetLiteral | Quantifier | Aggregate | Comprehension | SetFold | CellStep
    | SetStep | CellCoordinate | CellAt | Reach | ArrayOf | AtMost | Hash | MoveRead
)  # fmt: skip
