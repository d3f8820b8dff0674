"""Builds the nodes of expressions: one method for each rule of the grammar, called as the parser completes it.

A method receives all tokens and nodes of its rule, in order, and gives the node.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from lark import Token

from ggp.language import syntax
from ggp.language.diagnostics import Diagnostics
from ggp.language.limits import MAX_INTEGER
from ggp.language.syntax import Expression, Word
from ggp.language.text.lines import span_of
from ggp.language.text.source import Span

Child: TypeAlias = Any
"""A token, a node, or a list of these: what the rule's children became."""
Children: TypeAlias = list[Child]
_DIGITS = len(str(MAX_INTEGER))


def _place(child: Child, last: bool) -> Span:
    if isinstance(child, Token):
        return span_of(child)
    if isinstance(child, list):
        return _place(child[-1 if last else 0], last)
    return cast("syntax.Node", child).span


def span_of_all(children: Sequence[Child]) -> Span:
    """Return the place from the first to the last of some children."""
    return _place(children[0], last=False).to(_place(children[-1], last=True))


def word_of(token: Token) -> Word:
    """Return a name with its place."""
    return Word(span_of(token), str(token))


def text_of(token: Token) -> syntax.Text:
    """Return a text without its quotes."""
    return syntax.Text(span_of(token), token[1:-1])


def nodes_of(children: Sequence[Child]) -> list[Child]:
    """Return the children without the tokens between them."""
    return [child for child in children if not isinstance(child, Token)]


class ExpressionBuilder:
    """The parser's callbacks for expressions. What only the grammar of a context can forbid is reported to `found`."""

    def __init__(self, found: Diagnostics) -> None:
        self.found = found

    def binary(self, c: Children) -> Child:
        return syntax.Binary(span_of_all(c), str(c[1]), c[0], c[2], span_of(c[1]))

    def unary(self, c: Children) -> Child:
        return syntax.Unary(span_of_all(c), str(c[0]), c[1])

    def old(self, c: Children) -> Child:
        return syntax.Old(span_of_all(c), c[1])

    def comparator(self, c: Children) -> Child:
        return c[0]

    comparison = binary

    def membership(self, c: Children) -> Child:
        return syntax.Membership(span_of_all(c), c[0], c[2], negated=False)

    def no_membership(self, c: Children) -> Child:
        return syntax.Membership(span_of_all(c), c[0], c[3], negated=True)

    def is_none(self, c: Children) -> Child:
        return syntax.IsNone(span_of_all(c), c[0], negated=False)

    def is_some(self, c: Children) -> Child:
        return syntax.IsNone(span_of_all(c), c[0], negated=True)

    def range(self, c: Children) -> Child:
        return syntax.Range(span_of_all(c), c[0], c[2])

    def subsets(self, c: Children) -> Child:
        return syntax.Subsets(span_of_all(c), c[0], c[2])

    def subsets_of_range(self, c: Children) -> Child:
        members = syntax.Range(span_of_all(c[2:]), c[2], c[4])
        return syntax.Subsets(span_of_all(c), c[0], members)

    def conditional(self, c: Children) -> Child:
        return syntax.Conditional(span_of_all(c), c[1], c[3], c[5])

    def quantifier(self, c: Children) -> Child:
        return c[0]

    def quantified(self, c: Children) -> Child:
        return syntax.Quantified(span_of_all(c), str(c[0]), tuple(c[1]), None, c[3])

    def quantified_if(self, c: Children) -> Child:
        return syntax.Quantified(span_of_all(c), str(c[0]), tuple(c[1]), c[3], c[5])

    def binder(self, c: Children) -> Child:
        return syntax.Binder(span_of_all(c), word_of(c[0]), c[2])

    def search(self, c: Children) -> Child:
        return syntax.Search(span_of_all(c), str(c[0]), c[2], c[4], c[6])

    def index_of(self, c: Children) -> Child:
        return syntax.Indexed(span_of_all(c), c[0], tuple(c[2]))

    def attribute(self, c: Children) -> Child:
        return syntax.Attribute(span_of_all(c), c[0], word_of(c[2]))

    def call(self, c: Children) -> Child:
        return syntax.Call(span_of_all(c), word_of(c[0]), tuple(c[2]))

    def name(self, c: Children) -> Child:
        return syntax.Name(span_of_all(c), str(c[0]))

    def integer(self, c: Children) -> Child:
        digits = c[0].lstrip("0") or "0"
        value = int(digits) if len(digits) <= _DIGITS else MAX_INTEGER + 1
        if value > MAX_INTEGER:
            self.found.error(span_of_all(c), "this number is too large", f"integers go up to {MAX_INTEGER}")
            value = 0
        return syntax.Integer(span_of_all(c), value)

    def real(self, c: Children) -> Child:
        value = float(c[0])
        if not math.isfinite(value):
            self.found.error(span_of_all(c), "this number is too large")
            # A zero fits almost anywhere, so that one mistake stays one.
            return syntax.Integer(span_of_all(c), 0)
        return syntax.Real(span_of_all(c), value)

    def text(self, c: Children) -> Child:
        return text_of(c[0])

    def none(self, c: Children) -> Child:
        return syntax.Nothing(span_of_all(c))

    def yes(self, c: Children) -> Child:
        return syntax.Truth(span_of_all(c), str(c[0]) == "yes")

    no = yes

    def all(self, c: Children) -> Child:
        return syntax.Everything(span_of_all(c))

    def parentheses(self, c: Children) -> Child:
        # The brackets belong to the place of what is inside, so that carets under `(a + b) * c` begin at the bracket.
        inner = c[1]
        names = [name for name in type(inner).__dataclass_fields__ if name != "span"]
        return type(inner)(span_of_all(c), *(getattr(inner, name) for name in names))

    def list(self, c: Children) -> Child:
        return syntax.List(span_of_all(c), tuple(c[1]))

    def empty_set(self, c: Children) -> Child:
        return syntax.Braces(span_of_all(c), ())

    def mapped_set(self, c: Children) -> Child:
        return syntax.Comprehension(span_of_all(c), c[1], tuple(c[3]), None)

    def mapped_set_if(self, c: Children) -> Child:
        return syntax.Comprehension(span_of_all(c), c[1], tuple(c[3]), c[5])

    def item(self, c: Children) -> Child:
        return _Item(span_of_all(c), c[0], None)

    def keyed_item(self, c: Children) -> Child:
        return _Item(span_of_all(c), c[0], c[2])

    def default_item(self, c: Children) -> Child:
        return _Item(span_of_all(c), None, c[1])

    def braces(self, c: Children) -> Child:
        """Tell apart what begins alike: `{a, b}`, `{a: 1, b: 2}`, `{x in S: c}`."""
        span, items = span_of_all(c), cast("list[_Item]", c[1])
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


class _Item:
    """One part between the commas of braces: without `first`, what `else` gives."""

    def __init__(self, span: Span, first: Expression | None, second: Expression | None) -> None:
        self.span = span
        self.first = first
        self.second = second


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
