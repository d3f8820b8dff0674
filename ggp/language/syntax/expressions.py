"""Expressions as written, and what every node of the syntax tree has: its place."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ggp.language.text.source import Span


class Node(Struct, frozen=True):
    """Whatever stands in a rules file."""

    span: Span


class Word(Node, frozen=True):
    """A name where it is declared or stands alone."""

    text: str


class Name(Node, frozen=True):
    """A name that stands for a value."""

    text: str


class Integer(Node, frozen=True):
    """A whole number."""

    value: int


class Real(Node, frozen=True):
    """A number with a decimal point."""

    value: float


class Text(Node, frozen=True):
    """A text in quotes."""

    value: str


class Truth(Node, frozen=True):
    """`yes` or `no`."""

    value: bool


class Nothing(Node, frozen=True):
    """`none`."""


class Everything(Node, frozen=True):
    """`all`, the set of all values."""


class Unary(Node, frozen=True):
    """`-x`, `not x`.

    Attributes:
        subtracts: this is written `- x` behind other operands of a long chain: `a - x` became `a + -x`.
    """

    operator: str
    operand: Expression
    subtracts: bool = False


class Old(Node, frozen=True):
    """`old x`: the value before the updates."""

    operand: Expression


class Binary(Node, frozen=True):
    """Arithmetic, set operators, comparisons, `and`, `or`; `place` is where the operator stands."""

    operator: str
    left: Expression
    right: Expression
    place: Span


class Membership(Node, frozen=True):
    """`x in S`, `x not in S`."""

    element: Expression
    domain: Domain
    negated: bool


class IsNone(Node, frozen=True):
    """`x is none`; `x is some` is its negation."""

    operand: Expression
    negated: bool


class Range(Node, frozen=True):
    """`low .. high`: the integers from low to high, as a domain or a set."""

    low: Expression
    high: Expression


class Subsets(Node, frozen=True):
    """`3 of hand`, as a domain: the subsets of so many members."""

    size: Expression
    members: Expression


class Conditional(Node, frozen=True):
    """`if c then a else b`."""

    condition: Expression
    then: Expression
    otherwise: Expression


class Binder(Node, frozen=True):
    """`x in D`."""

    name: Word
    domain: Domain


class Quantified(Node, frozen=True):
    """`all x in D, y in E if c: body` and its kin: `any`, `no`, `the`, `count`, `sum`, `min`, `max`."""

    kind: str
    binders: tuple[Binder, ...]
    condition: Expression | None
    body: Expression


class Naming(Node, frozen=True):
    """`let name = value: body`."""

    name: Word
    value: Expression
    body: Expression


class Search(Node, frozen=True):
    """`reach from S through T by STEPS`, `distance from ...`."""

    kind: str
    sources: Expression
    through: Expression
    steps: Expression


class Indexed(Node, frozen=True):
    """`base[i, j]`."""

    base: Expression
    indices: tuple[Expression, ...]


class Attribute(Node, frozen=True):
    """`cell.x`; of a sequence also `pile.top(3)`."""

    base: Expression
    name: Word
    argument: Expression | None


class Call(Node, frozen=True):
    """`f(a, b)`, also of built-in functions and boards."""

    name: Word
    arguments: tuple[Expression, ...]


class List(Node, frozen=True):
    """`[a, b]`: the elements of an array in order."""

    elements: tuple[Expression, ...]


class Braces(Node, frozen=True):
    """`{a, b}`: a set of the given elements; `{}` the empty one."""

    elements: tuple[Expression, ...]


class Keyed(Node, frozen=True):
    """`{red: 1, blue: 2, else 0}`: the elements of an array by index; `default` that of all others, if it is given."""

    entries: tuple[tuple[Expression, Expression], ...]
    default: Expression | None


class Comprehension(Node, frozen=True):
    """`{x in D: c}` (then `element` is that of the only binder) and `{f(x) for x in D if c}`."""

    element: Expression
    binders: tuple[Binder, ...]
    condition: Expression | None


Expression: TypeAlias = (
    Name | Integer | Real | Text | Truth | Nothing | Everything | Unary | Binary | Membership | IsNone | Conditional
    | Quantified | Naming | Search | Indexed | Attribute | Call | List | Braces | Keyed | Comprehension | Range
    | Old | Subsets
)  # fmt: skip
Domain: TypeAlias = Expression
