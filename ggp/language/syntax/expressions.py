"""Expressions as written, and what every node of the syntax tree has: its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ggp.language.text.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """Whatever stands in a rules file."""

    span: Span


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A name where it is declared or stands alone."""

    text: str


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A name that stands for a value."""

    text: str


@dataclass(frozen=True, slots=True)
class Integer(Node):
    """A whole number."""

    value: int


@dataclass(frozen=True, slots=True)
class Real(Node):
    """A number with a decimal point."""

    value: float


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A text in quotes."""

    value: str


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """`yes` or `no`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Nothing(Node):
    """`none`."""


@dataclass(frozen=True, slots=True)
class Everything(Node):
    """`all`, the set of all values."""


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """`-x`, `not x`."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Old(Node):
    """`old x`: the value before the updates."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic, set operators, comparisons, `and`, `or`; `place` is where the operator stands."""

    operator: str
    left: Expression
    right: Expression
    place: Span


@dataclass(frozen=True, slots=True)
class Membership(Node):
    """`x in S`, `x not in S`."""

    element: Expression
    domain: Domain
    negated: bool


@dataclass(frozen=True, slots=True)
class IsNone(Node):
    """`x is none`; `x is some` is its negation."""

    operand: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class Range(Node):
    """`low .. high`: the integers from low to high, as a domain or a set."""

    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class Subsets(Node):
    """`3 of hand`, as a domain: the subsets of so many members."""

    size: Expression
    members: Expression


@dataclass(frozen=True, slots=True)
class Conditional(Node):
    """`if c then a else b`."""

    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`x in D`."""

    name: Word
    domain: Domain


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`all x in D, y in E if c: body` and its kin: `any`, `no`, `the`, `count`, `sum`, `min`, `max`."""

    kind: str
    binders: tuple[Binder, ...]
    condition: Expression | None
    body: Expression


@dataclass(frozen=True, slots=True)
class Search(Node):
    """`reach from S through T by STEPS`, `distance from ...`."""

    kind: str
    sources: Expression
    through: Expression
    steps: Expression


@dataclass(frozen=True, slots=True)
class Indexed(Node):
    """`base[i, j]`."""

    base: Expression
    indices: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`cell.x`."""

    base: Expression
    name: Word


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`f(a, b)`, also of built-in functions and boards."""

    name: Word
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class List(Node):
    """`[a, b]`: the elements of an array in order."""

    elements: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Braces(Node):
    """`{a, b}`: a set of the given elements; `{}` the empty one."""

    elements: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Keyed(Node):
    """`{red: 1, blue: 2, else 0}`: the elements of an array by index; `default` that of all others, if it is given."""

    entries: tuple[tuple[Expression, Expression], ...]
    default: Expression | None


@dataclass(frozen=True, slots=True)
class Comprehension(Node):
    """`{x in D: c}` (then `element` is that of the only binder) and `{f(x) for x in D if c}`."""

    element: Expression
    binders: tuple[Binder, ...]
    condition: Expression | None


Expression: TypeAlias = (
    Name | Integer | Real | Text | Truth | Nothing | Everything | Unary | Binary | Membership | IsNone | Conditional
    | Quantified | Search | Indexed | Attribute | Call | List | Braces | Keyed | Comprehension | Range
    | Old | Subsets
)  # fmt: skip
Domain: TypeAlias = Expression
