"""Builds the syntax tree: one method for each rule of the grammar, called as the parser completes it.

A method receives all tokens and nodes of its rule, in order, and gives the node.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from lark import Token

from ggp.language import syntax
from ggp.language.diagnostics import Diagnostics
from ggp.language.layout import span_of
from ggp.language.limits import MAX_INTEGER
from ggp.language.source import Span
from ggp.language.syntax import Expression, Word

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


def _span(children: Sequence[Child]) -> Span:
    return _place(children[0], last=False).to(_place(children[-1], last=True))


def _word(token: Token) -> Word:
    return Word(span_of(token), str(token))


def _text(token: Token) -> syntax.Text:
    return syntax.Text(span_of(token), token[1:-1])


def _nodes(children: Sequence[Child]) -> list[Child]:
    """Return the children without the tokens between them."""
    return [child for child in children if not isinstance(child, Token)]


class TreeBuilder:
    """The callbacks of the parser. What only the grammar of a context can forbid is reported to `found`."""

    def __init__(self, found: Diagnostics) -> None:
        self.found = found

    # --- statements of the file ---------------------------------------------------------------------------------------

    def game(self, c: Children) -> Child:
        return syntax.GameHeader(_span(c), _word(c[1]), c[2][1:-1])

    def parameter(self, c: Children) -> Child:
        return syntax.Parameter(_span(c), _word(c[1]), c[3], c[5])

    def players(self, c: Children) -> Child:
        return syntax.Players(_span(c), tuple(_word(token) for token in c[1::2]))

    def type_declaration(self, c: Children) -> Child:
        return syntax.TypeDeclaration(_span(c), _word(c[1]), c[3])

    def board(self, c: Children) -> Child:
        return syntax.Board(_span(c), _word(c[1]), c[5], c[7])

    def table(self, c: Children) -> Child:
        return syntax.Table(_span(c), _word(c[1]), tuple(c[3]), c[6], c[8], None)

    def table_from_file(self, c: Children) -> Child:
        return syntax.Table(_span(c), _word(c[1]), tuple(c[3]), c[6], None, _text(c[8]))

    def state(self, c: Children) -> Child:
        return syntax.State(_span(c), ())

    def phase(self, c: Children) -> Child:
        return syntax.Phase(_span(c), _word(c[1]), ())

    def definition(self, c: Children) -> Child:
        return syntax.Definition(_span(c), _word(c[1]), tuple(c[3]), c[6])

    def let(self, c: Children) -> Child:
        if len(c) == 1:
            return c[0]
        return syntax.Let(_span(c), _word(c[1]), (), c[3])

    def let_indexed(self, c: Children) -> Child:
        return syntax.Let(_span(c), _word(c[1]), tuple(c[3]), c[6])

    def payoff(self, c: Children) -> Child:
        return syntax.Payoff(_span(c), str(c[0]), _word(c[2]), c[5])

    estimate = payoff

    def display(self, c: Children) -> Child:
        return syntax.Display(_span(c), None, ())

    def display_grid(self, c: Children) -> Child:
        return syntax.Display(_span(c), _word(c[2]), ())

    def file_statement(self, c: Children) -> Child:
        return c[0]

    state_statement = phase_statement = file_statement

    def arguments(self, c: Children) -> Child:
        return _nodes(c)

    indices = choices = binders = expressions = items = arguments

    def argument(self, c: Children) -> Child:
        return syntax.Argument(_span(c), _word(c[0]), c[2])

    def index(self, c: Children) -> Child:
        return syntax.IndexDeclaration(_span(c), None, c[0])

    def named_index(self, c: Children) -> Child:
        return syntax.IndexDeclaration(_span(c), _word(c[0]), c[2])

    # --- types --------------------------------------------------------------------------------------------------------

    def set_type(self, c: Children) -> Child:
        return syntax.SetType(_span(c), c[2])

    def option_type(self, c: Children) -> Child:
        return syntax.OptionType(_span(c), c[0])

    def named_type(self, c: Children) -> Child:
        return syntax.NamedType(_span(c), _word(c[0]))

    def enumeration(self, c: Children) -> Child:
        return syntax.EnumerationType(_span(c), tuple(_word(token) for token in c[1:-1:2]))

    def range_type(self, c: Children) -> Child:
        return syntax.RangeType(_span(c), c[0], c[2])

    # --- statements of blocks -----------------------------------------------------------------------------------------

    def variable(self, c: Children) -> Child:
        return syntax.Variable(_span(c), _word(c[0]), (), c[2], c[4])

    def variable_indexed(self, c: Children) -> Child:
        return syntax.Variable(_span(c), _word(c[0]), tuple(c[2]), c[5], c[7])

    def chance(self, c: Children) -> Child:
        return syntax.Chance(_span(c), tuple(c[2]), None)

    def chance_weighted(self, c: Children) -> Child:
        return syntax.Chance(_span(c), tuple(c[2]), c[4])

    def each_chooses(self, c: Children) -> Child:
        return syntax.Chooser(_span(c[:3]), _word(c[1]), None, None, tuple(c[3]))

    def each_in_chooses(self, c: Children) -> Child:
        return syntax.Chooser(_span(c[:5]), _word(c[1]), c[3], None, tuple(c[5]))

    def one_chooses(self, c: Children) -> Child:
        return syntax.Chooser(_span(c[:2]), None, None, c[0], tuple(c[2]))

    def choice_block(self, c: Children) -> Child:
        return []

    def choice_list(self, c: Children) -> Child:
        return [syntax.Kind(_span(c), None, tuple(c[0]), None)]

    def choice_list_where(self, c: Children) -> Child:
        return [syntax.Kind(_span(c), None, tuple(c[0]), c[2])]

    def choice(self, c: Children) -> Child:
        return syntax.Choice(_span(c), _word(c[0]), c[2])

    def kind(self, c: Children) -> Child:
        return syntax.Kind(_span(c), _word(c[0]), (), None)

    def kind_where(self, c: Children) -> Child:
        return syntax.Kind(_span(c), _word(c[0]), (), c[2])

    def kind_by(self, c: Children) -> Child:
        return syntax.Kind(_span(c), _word(c[0]), tuple(c[2]), None)

    def kind_by_where(self, c: Children) -> Child:
        return syntax.Kind(_span(c), _word(c[0]), tuple(c[2]), c[4])

    def on_statement(self, c: Children) -> Child:
        # The start rule of a block's lines, and the alias of `on KIND: statement` on one line.
        return c[0] if len(c) == 1 else syntax.On(_span(c[:3]), _word(c[1]), (c[3],))

    def on_block(self, c: Children) -> Child:
        return syntax.On(_span(c), _word(c[1]), ())

    def on_inline(self, c: Children) -> Child:
        return syntax.On(_span(c), _word(c[1]), (c[3],))

    def update(self, c: Children) -> Child:
        if len(c) == 1:
            return c[0]
        return syntax.Update(_span(c), c[0], c[2], (), None)

    def update_if(self, c: Children) -> Child:
        return syntax.Update(_span(c), c[0], c[2], (), c[4])

    def update_for(self, c: Children) -> Child:
        return syntax.Update(_span(c), c[0], c[2], tuple(c[4]), None)

    def update_for_if(self, c: Children) -> Child:
        return syntax.Update(_span(c), c[0], c[2], tuple(c[4]), c[6])

    def sees_nothing(self, c: Children) -> Child:
        return syntax.Sees(_span(c), None, None, (), None)

    def sees(self, c: Children) -> Child:
        if len(c) == 1:
            return c[0]
        return syntax.Sees(_span(c), c[1].binder, c[1].players, tuple(c[3]), None)

    def sees_if(self, c: Children) -> Child:
        return syntax.Sees(_span(c), c[1].binder, c[1].players, tuple(c[3]), c[5])

    def audience(self, c: Children) -> Child:
        return _Audience(_span(c), None, c[0])

    def audience_each(self, c: Children) -> Child:
        return _Audience(_span(c), _word(c[1]), syntax.Everything(_span(c)))

    def audience_each_in(self, c: Children) -> Child:
        return _Audience(_span(c), _word(c[1]), c[3])

    def next(self, c: Children) -> Child:
        return syntax.Next(span_of(c[0]).to(c[1][0].span), tuple(reversed(c[1])))

    def transfer(self, c: Children) -> Child:
        return [syntax.Transfer(_span(c), c[0], None)]

    def transfer_if(self, c: Children) -> Child:
        # Last first: appended, so that a long chain does not take quadratic time.
        c[4].append(syntax.Transfer(_span(c[:3]), c[0], c[2]))
        return c[4]

    def target(self, c: Children) -> Child:
        return syntax.Target(_span(c), _word(c[0]) if c[0].type == "NAME" else None)

    def display_rule(self, c: Children) -> Child:
        return syntax.DisplayRule(_span(c), c[0], _text(c[2]), None)

    def display_rule_coloured(self, c: Children) -> Child:
        return syntax.DisplayRule(_span(c), c[0], _text(c[2]), _word(c[3]))

    def display_line(self, c: Children) -> Child:
        return syntax.DisplayLine(_span(c), _text(c[1]), c[2])

    # --- expressions --------------------------------------------------------------------------------------------------

    def binary(self, c: Children) -> Child:
        return syntax.Binary(_span(c), str(c[1]), c[0], c[2], span_of(c[1]))

    def unary(self, c: Children) -> Child:
        return syntax.Unary(_span(c), str(c[0]), c[1])

    def comparator(self, c: Children) -> Child:
        return c[0]

    comparison = binary

    def membership(self, c: Children) -> Child:
        return syntax.Membership(_span(c), c[0], c[2], negated=False)

    def no_membership(self, c: Children) -> Child:
        return syntax.Membership(_span(c), c[0], c[3], negated=True)

    def is_none(self, c: Children) -> Child:
        return syntax.IsNone(_span(c), c[0], negated=False)

    def is_some(self, c: Children) -> Child:
        return syntax.IsNone(_span(c), c[0], negated=True)

    def range(self, c: Children) -> Child:
        return syntax.Range(_span(c), c[0], c[2])

    def conditional(self, c: Children) -> Child:
        return syntax.Conditional(_span(c), c[1], c[3], c[5])

    def quantifier(self, c: Children) -> Child:
        return c[0]

    def quantified(self, c: Children) -> Child:
        return syntax.Quantified(_span(c), str(c[0]), tuple(c[1]), None, c[3])

    def quantified_if(self, c: Children) -> Child:
        return syntax.Quantified(_span(c), str(c[0]), tuple(c[1]), c[3], c[5])

    def binder(self, c: Children) -> Child:
        return syntax.Binder(_span(c), _word(c[0]), c[2])

    def search(self, c: Children) -> Child:
        return syntax.Search(_span(c), str(c[0]), c[2], c[4], c[6])

    def index_of(self, c: Children) -> Child:
        return syntax.Indexed(_span(c), c[0], tuple(c[2]))

    def attribute(self, c: Children) -> Child:
        return syntax.Attribute(_span(c), c[0], _word(c[2]))

    def call(self, c: Children) -> Child:
        return syntax.Call(_span(c), _word(c[0]), tuple(c[2]))

    def name(self, c: Children) -> Child:
        return syntax.Name(_span(c), str(c[0]))

    def integer(self, c: Children) -> Child:
        digits = c[0].lstrip("0") or "0"
        value = int(digits) if len(digits) <= _DIGITS else MAX_INTEGER + 1
        if value > MAX_INTEGER:
            self.found.error(_span(c), "this number is too large", f"integers go up to {MAX_INTEGER}")
            value = 0
        return syntax.Integer(_span(c), value)

    def real(self, c: Children) -> Child:
        value = float(c[0])
        if not math.isfinite(value):
            self.found.error(_span(c), "this number is too large")
            # A zero fits almost anywhere, so that one mistake stays one.
            return syntax.Integer(_span(c), 0)
        return syntax.Real(_span(c), value)

    def text(self, c: Children) -> Child:
        return _text(c[0])

    def none(self, c: Children) -> Child:
        return syntax.Nothing(_span(c))

    def yes(self, c: Children) -> Child:
        return syntax.Truth(_span(c), str(c[0]) == "yes")

    no = yes

    def all(self, c: Children) -> Child:
        return syntax.Everything(_span(c))

    def parentheses(self, c: Children) -> Child:
        # The brackets belong to the place of what is inside, so that carets under `(a + b) * c` begin at the bracket.
        inner = c[1]
        names = [name for name in type(inner).__dataclass_fields__ if name != "span"]
        return type(inner)(_span(c), *(getattr(inner, name) for name in names))

    def list(self, c: Children) -> Child:
        return syntax.List(_span(c), tuple(c[1]))

    def empty_set(self, c: Children) -> Child:
        return syntax.Braces(_span(c), ())

    def mapped_set(self, c: Children) -> Child:
        return syntax.Comprehension(_span(c), c[1], tuple(c[3]), None)

    def mapped_set_if(self, c: Children) -> Child:
        return syntax.Comprehension(_span(c), c[1], tuple(c[3]), c[5])

    def item(self, c: Children) -> Child:
        return _Item(_span(c), c[0], None)

    def keyed_item(self, c: Children) -> Child:
        return _Item(_span(c), c[0], c[2])

    def braces(self, c: Children) -> Child:
        """Tell apart what begins alike: `{a, b}`, `{a: 1, b: 2}`, `{x in S: c}`."""
        span, items = _span(c), cast("list[_Item]", c[1])
        last = items[-1]
        binders = [_as_binder(item.first) for item in items]
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
            return syntax.Braces(span, tuple(item.first for item in items))
        for item in items:
            if item.second is None:
                self.found.error(
                    item.span, "this element has no index, as others have", "write `{a: 1, b: 2}` or `{a, b}`, not both"
                )
        return syntax.Keyed(span, tuple((item.first, item.second) for item in keyed if item.second is not None))


class _Audience:
    """Who is told: the part of `sees` before its colon."""

    def __init__(self, span: Span, binder: Word | None, players: Expression) -> None:
        self.span = span
        self.binder = binder
        self.players = players


class _Item:
    """One part between the commas of braces."""

    def __init__(self, span: Span, first: Expression, second: Expression | None) -> None:
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
