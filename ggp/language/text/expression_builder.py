"""Builds the nodes of expressions from what the parser found for each rule of the grammar.

A rule that is called like a node lists its fields in order. Any other rule has a method of its own, which receives all
tokens and nodes in order, with None for what the rule may leave out and has left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias, cast, get_args

from lark import Token
from msgspec.structs import replace

from ggp.language import syntax
from ggp.language.diagnostics import Diagnostics
from ggp.language.limits import MAX_INTEGER
from ggp.language.syntax import Expression, Word
from ggp.language.text.lines import span_of
from ggp.language.text.source import Span

Child: TypeAlias = Any
"""A token, a node, several of these, or None: what the rule's children became."""
Children: TypeAlias = list[Child]
_DIGITS = len(str(MAX_INTEGER))


def _place(child: Child, last: bool) -> Span:
    if isinstance(child, Token):
        return span_of(child)
    if isinstance(child, list | tuple):
        return _place(child[-1 if last else 0], last)
    return cast("syntax.Node", child).span


def span_of_all(children: Sequence[Child]) -> Span:
    """Return the place from the first to the last of some children."""
    present = [child for child in children if child is not None]
    return _place(present[0], last=False).to(_place(present[-1], last=True))


def word_of(token: Token) -> Word:
    """Return a name with its place."""
    return Word(span_of(token), str(token))


def text_of(token: Token) -> syntax.Text:
    """Return a text without its quotes."""
    return syntax.Text(span_of(token), token[1:-1])


def parts_of(children: Sequence[Child]) -> list[Child]:
    """Return the children without the words and symbols between them: names, texts, nodes and None."""
    return [
        child if not isinstance(child, Token) else word_of(child) if child.type == "NAME" else text_of(child)
        for child in children
        if not isinstance(child, Token) or child.type in ("NAME", "STRING")
    ]


def snake_case(name: str) -> str:
    """Return the name of the grammar's rule for a class of nodes: `display_rule` for `DisplayRule`."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()


ASSOCIATIVE = frozenset(["+", "*", "and", "or", "&"])
"""Operators of which a chain may be split anywhere: what is evaluated, and in which order, stays the same."""

SHORT = 10
"""Operators of a chain up to which a difference stays one."""


class Item(syntax.Node, frozen=True):
    """One part between the commas of braces: `first: second`; without `first`, what `else` gives."""

    first: Expression | None
    second: Expression | None


class ExpressionBuilder:
    """The parser's callbacks for expressions. What only the grammar of a context can forbid is reported to `found`."""

    nodes: ClassVar[dict[str, type[syntax.Node]]] = {
        snake_case(kind.__name__): kind for kind in (*get_args(Expression), syntax.Binder, Item)
    }
    """The nodes whose fields a rule of the same name lists in order, unless there is a method for it."""

    def __init__(self, found: Diagnostics) -> None:
        self.found = found
        self.balanced = False
        """Whether `a + b + c + d` becomes `(a + b) + (c + d)`: a long sum is no deep nesting."""
        self.signed = False
        """Whether `a - b` at the end of a chain becomes `a + -b`, which can be balanced; of sets, by the check."""

    def build(self, rule: str, children: Children) -> Child:
        """Return what the tokens and nodes of a rule of the grammar become."""
        method = getattr(self, f"_{rule}", None)
        if method is not None:
            return method(children)
        parts = parts_of(children)
        kind = self.nodes.get(rule)
        if kind is None:  # a rule that only leads to another one
            return parts[0]
        types = kind.__annotations__  # of all fields but `span`, as they are written
        parts += [None] * (len(types) - len(parts))
        given = (
            () if part is None and type_.startswith("tuple") else part
            for part, type_ in zip(parts, types.values(), strict=True)
        )
        return kind(span_of_all(children), *given)

    def _comparison(self, c: Children) -> Child:
        return syntax.Binary(span_of_all(c), str(c[1]), c[0], c[2], span_of(c[1]))

    def _binary(self, c: Children) -> Child:
        operator, place = str(c[1]), span_of(c[1])
        left: Child = c[0]
        right: Child = c[2]
        if self.signed and operator == "-" and _terms_before(left) > SHORT:
            operator, right = "+", syntax.Unary(span_of_all(c[1:]), "-", right, subtracts=True)
        if self.balanced and operator in ASSOCIATIVE:
            while _is_chain(left, operator) and _length(left.right, operator) == _length(right, operator):
                right = syntax.Binary(span_of_all([left.right, right]), operator, left.right, right, place)
                left, place = left.left, left.place
        return syntax.Binary(span_of_all([left, right]), operator, left, right, place)

    def _unary(self, c: Children) -> Child:
        return syntax.Unary(span_of_all(c), str(c[0]), c[1])

    def _comparator(self, c: Children) -> Child:
        return c[0]

    _quantifier = _comparator

    def _membership(self, c: Children) -> Child:
        return syntax.Membership(span_of_all(c), c[0], c[-1], negated=len(c) > 3)

    def _is_none(self, c: Children) -> Child:
        return syntax.IsNone(span_of_all(c), c[0], negated=c[2] == "some")

    def _subsets_of_range(self, c: Children) -> Child:
        return syntax.Subsets(span_of_all(c), c[0], syntax.Range(span_of_all(c[2:]), c[2], c[4]))

    def _quantified(self, c: Children) -> Child:
        return syntax.Quantified(span_of_all(c), str(c[0]), c[1], c[2], c[4])

    def _search(self, c: Children) -> Child:
        return syntax.Search(span_of_all(c), str(c[0]), c[2], c[4], c[6])

    def _call(self, c: Children) -> Child:
        return syntax.Call(span_of_all(c), word_of(c[0]), c[2])

    def _name(self, c: Children) -> Child:
        return syntax.Name(span_of(c[0]), str(c[0]))

    def _integer(self, c: Children) -> Child:
        digits = c[0].lstrip("0") or "0"
        value = int(digits) if len(digits) <= _DIGITS else MAX_INTEGER + 1
        if value > MAX_INTEGER:
            self.found.error(span_of(c[0]), "this number is too large", f"integers go up to {MAX_INTEGER}")
            value = 0
        return syntax.Integer(span_of(c[0]), value)

    def _real(self, c: Children) -> Child:
        value = float(c[0])
        if not math.isfinite(value):
            self.found.error(span_of(c[0]), "this number is too large")
            # A zero fits almost anywhere, so that one mistake stays one.
            return syntax.Integer(span_of(c[0]), 0)
        return syntax.Real(span_of(c[0]), value)

    def _text(self, c: Children) -> Child:
        return text_of(c[0])

    def _truth(self, c: Children) -> Child:
        return syntax.Truth(span_of(c[0]), str(c[0]) == "yes")

    def _parentheses(self, c: Children) -> Child:
        # The brackets belong to the place of what is inside, so that carets under `(a + b) * c` begin at the bracket.
        return replace(c[1], span=span_of_all(c))

    def _default_item(self, c: Children) -> Child:
        return Item(span_of_all(c), None, c[1])

    def _items(self, c: Children) -> Child:
        return tuple(parts_of(c))

    _expressions = _binders = _items

    def _braces(self, c: Children) -> Child:
        """Tell apart what begins alike: `{a, b}`, `{a: 1, b: 2}`, `{x in S: c}`."""
        span, items = span_of_all(c), cast("tuple[Item, ...] | None", c[1])
        if items is None:
            return syntax.Braces(span, ())
        last = items[-1]
        binders = [_as_binder(item.first) if item.first is not None else None for item in items]
        if last.second is not None and all(binders) and not any(item.second for item in items[:-1]):
            bound = tuple(binder for binder in binders if binder)
            element = syntax.Name(bound[0].name.span, bound[0].name.text)
            if len(bound) > 1:
                self.found.error(
                    bound[1].span,
                    "this set has two variables, but no element",
                    "say what its elements are: `{f(x, y) for x in A, y in B if c}`",
                )
            return syntax.Comprehension(span, element, bound, last.second)
        keyed = [item for item in items if item.second is not None]
        if not keyed:
            return syntax.Braces(span, tuple(item.first for item in items if item.first is not None))
        for item in items[:-1]:
            if item.first is None:
                self.found.error(item.span, "`else` stands behind all other elements")
        for item in items:
            if item.second is None:
                self.found.error(
                    item.span,
                    "this element has no index, unlike the others",
                    "write `{a: 1, b: 2}` or `{a, b}`, not both",
                )
        entries = ((item.first, item.second) for item in keyed)
        return syntax.Keyed(
            span,
            tuple((first, second) for first, second in entries if first is not None and second is not None),
            last.second if last.first is None else None,
        )


def _as_binder(expression: Expression) -> syntax.Binder | None:
    """Return `x in S` as a binder, None for anything else."""
    if (
        isinstance(expression, syntax.Membership)
        and not expression.negated
        and isinstance(expression.element, syntax.Name)
    ):
        name = Word(expression.element.span, expression.element.text)
        return syntax.Binder(expression.span, name, expression.domain)
    return None


def _is_chain(node: Child, operator: str) -> bool:
    return isinstance(node, syntax.Binary) and node.operator == operator


def _terms_before(node: Child) -> int:
    """Return how many sums and differences begin with the first operand of a chain."""
    return 1 + _terms_before(node.left) if isinstance(node, syntax.Binary) and node.operator in ("+", "-") else 0


def _length(node: Child, operator: str) -> int:
    """Return how many operands a balanced chain of an operator has."""
    return _length(node.left, operator) + _length(node.right, operator) if _is_chain(node, operator) else 1
