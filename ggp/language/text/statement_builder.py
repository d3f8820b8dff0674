"""Builds the nodes of statements, and of what only statements contain, as `ExpressionBuilder` builds expressions."""

from __future__ import annotations

from typing import ClassVar, get_args

from ggp.language import syntax
from ggp.language.syntax import Expression, Word
from ggp.language.text.expression_builder import (
    Child,
    Children,
    ExpressionBuilder,
    parts_of,
    snake_case,
    span_of_all,
    text_of,
    word_of,
)
from ggp.language.text.lines import span_of

_PARTS = (
    syntax.Argument, syntax.Choice, syntax.DisplayLine, syntax.DisplayRule, syntax.DisplaySteps,
    syntax.IndexDeclaration, syntax.Kind, syntax.SeenValue, syntax.Variable,
)  # fmt: skip


class _Audience(syntax.Node, frozen=True):
    """Who is told: the part of `sees` before its colon."""

    binder: Word | None
    players: Expression


class TreeBuilder(ExpressionBuilder):
    """The callbacks of the parser for statements and all that stands in them."""

    nodes: ClassVar[dict[str, type[syntax.Node]]] = ExpressionBuilder.nodes | {
        snake_case(kind.__name__): kind
        for kind in (*get_args(syntax.Declaration), *get_args(syntax.PhaseStatement), *get_args(syntax.Type), *_PARTS)
    }

    # --- statements of the file ---------------------------------------------------------------------------------------

    def _players(self, c: Children) -> Child:
        return syntax.Players(span_of_all(c), tuple(parts_of(c)))

    def _declared_players(self, c: Children) -> Child:
        return syntax.DeclaredPlayers(span_of_all(c), word_of(c[0]), c[2] if len(c) > 1 else None)

    def _table_from_file(self, c: Children) -> Child:
        return syntax.Table(span_of_all(c), word_of(c[1]), c[2], c[4], None, text_of(c[6]))

    def _payoff(self, c: Children) -> Child:
        return syntax.Payoff(span_of_all(c), str(c[0]), word_of(c[2]), c[5])

    _indices = _arguments = _choices = _seen_values = _look_parts = ExpressionBuilder._items

    def _enumeration(self, c: Children) -> Child:
        return syntax.EnumerationType(span_of_all(c), tuple(parts_of(c)))

    # --- statements of blocks -----------------------------------------------------------------------------------------

    def _deal(self, c: Children) -> Child:
        return syntax.Chance(span_of_all(c), c[2], None, deals=True)

    def _each_chooses(self, c: Children) -> Child:
        return syntax.Chooser(span_of_all(c[:-1]), word_of(c[1]), c[2], None, tuple(c[-1]))

    def _one_chooses(self, c: Children) -> Child:
        return syntax.Chooser(span_of_all(c[:-1]), None, None, c[0], tuple(c[-1]))

    def _choice_block(self, c: Children) -> Child:
        return c

    def _choice_list(self, c: Children) -> Child:
        return [syntax.Kind(span_of_all(c), None, c[0], c[1])]

    def _choice_indices(self, c: Children) -> Child:
        return c[1]

    def _line_kind(self, c: Children) -> Child:
        return word_of(c[0])

    def _look_word(self, c: Children) -> Child:
        value = text_of(c[0]) if c[0].type == "STRING" else syntax.Name(span_of(c[0]), str(c[0]))
        return syntax.LookPart(span_of_all(c), "", value)

    def _look_option(self, c: Children) -> Child:
        return syntax.LookPart(span_of_all(c), str(c[0]), c[1])

    def _on_inline(self, c: Children) -> Child:
        return syntax.On(span_of_all(c), word_of(c[1]), (c[3],))

    def _sees_nothing(self, c: Children) -> Child:
        return syntax.Sees(span_of_all(c), None, None, (), None)

    def _sees(self, c: Children) -> Child:
        return syntax.Sees(span_of_all(c), c[1].binder, c[1].players, c[3], c[4])

    def _audience(self, c: Children) -> Child:
        return _Audience(span_of_all(c), None, c[0])

    def _audience_each(self, c: Children) -> Child:
        return _Audience(span_of_all(c), word_of(c[1]), c[2] or syntax.Everything(span_of_all(c)))

    def _next(self, c: Children) -> Child:
        return syntax.Next(span_of(c[0]).to(c[1][0].span), tuple(reversed(c[1])))

    def _transfer(self, c: Children) -> Child:
        return [syntax.Transfer(span_of_all(c), c[0], None)]

    def _transfer_if(self, c: Children) -> Child:
        # Last first: appended, so that a long chain does not take quadratic time.
        c[4].append(syntax.Transfer(span_of_all(c[:3]), c[0], c[2]))
        return c[4]

    def _target(self, c: Children) -> Child:
        return syntax.Target(span_of_all(c), word_of(c[0]) if c[0].type == "NAME" else None)
