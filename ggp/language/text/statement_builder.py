"""Builds the nodes of statements: one method for each rule of the grammar, besides those for expressions."""

from __future__ import annotations

from ggp.language import syntax
from ggp.language.syntax import Expression, Word
from ggp.language.text.expression_builder import (
    Child,
    Children,
    ExpressionBuilder,
    nodes_of,
    span_of_all,
    text_of,
    word_of,
)
from ggp.language.text.lines import span_of
from ggp.language.text.source import Span


class TreeBuilder(ExpressionBuilder):
    """The callbacks of the parser for statements and all that stands in them."""

    # --- statements of the file ---------------------------------------------------------------------------------------

    def game(self, c: Children) -> Child:
        return syntax.GameHeader(span_of_all(c), word_of(c[1]), c[2][1:-1])

    def parameter(self, c: Children) -> Child:
        return syntax.Parameter(span_of_all(c), word_of(c[1]), c[3], c[5])

    def players(self, c: Children) -> Child:
        return syntax.Players(span_of_all(c), tuple(word_of(token) for token in c[1::2]), None)

    def players_counted(self, c: Children) -> Child:
        return syntax.Players(span_of_all(c), (word_of(c[1]),), c[3])

    def type_declaration(self, c: Children) -> Child:
        return syntax.TypeDeclaration(span_of_all(c), word_of(c[1]), c[3])

    def board(self, c: Children) -> Child:
        return syntax.Board(span_of_all(c), word_of(c[1]), c[5], c[7])

    def table(self, c: Children) -> Child:
        return syntax.Table(span_of_all(c), word_of(c[1]), tuple(c[3]), c[6], c[8], None)

    def table_from_file(self, c: Children) -> Child:
        return syntax.Table(span_of_all(c), word_of(c[1]), tuple(c[3]), c[6], None, text_of(c[8]))

    def history(self, c: Children) -> Child:
        return syntax.History(span_of_all(c), word_of(c[1]), c[3], tuple(c[6]))

    def state(self, c: Children) -> Child:
        return syntax.State(span_of_all(c), ())

    def phase(self, c: Children) -> Child:
        return syntax.Phase(span_of_all(c), word_of(c[1]), ())

    def definition(self, c: Children) -> Child:
        return syntax.Definition(span_of_all(c), word_of(c[1]), tuple(c[3]), c[6])

    def let(self, c: Children) -> Child:
        return syntax.Let(span_of_all(c), word_of(c[1]), (), c[3])

    def let_indexed(self, c: Children) -> Child:
        return syntax.Let(span_of_all(c), word_of(c[1]), tuple(c[3]), c[6])

    def payoff(self, c: Children) -> Child:
        return syntax.Payoff(span_of_all(c), str(c[0]), word_of(c[2]), c[5])

    estimate = payoff

    def payoff_sum(self, c: Children) -> Child:
        return syntax.PayoffSum(span_of_all(c), c[3])

    def display(self, c: Children) -> Child:
        return syntax.Display(span_of_all(c), None, ())

    def display_grid(self, c: Children) -> Child:
        return syntax.Display(span_of_all(c), word_of(c[2]), ())

    def file_statement(self, c: Children) -> Child:
        return c[0]

    phase_statement = on_statement = file_statement

    def arguments(self, c: Children) -> Child:
        return nodes_of(c)

    indices = choices = binders = expressions = items = seen_values = arguments

    def argument(self, c: Children) -> Child:
        return syntax.Argument(span_of_all(c), word_of(c[0]), (), c[2])

    def array_argument(self, c: Children) -> Child:
        return syntax.Argument(span_of_all(c), word_of(c[0]), tuple(c[2]), c[5])

    def index(self, c: Children) -> Child:
        return syntax.IndexDeclaration(span_of_all(c), None, c[0])

    def named_index(self, c: Children) -> Child:
        return syntax.IndexDeclaration(span_of_all(c), word_of(c[0]), c[2])

    # --- types --------------------------------------------------------------------------------------------------------

    def set_type(self, c: Children) -> Child:
        return syntax.SetType(span_of_all(c), c[2], None)

    def limited_set_type(self, c: Children) -> Child:
        return syntax.SetType(span_of_all(c), c[2], c[4])

    def option_type(self, c: Children) -> Child:
        return syntax.OptionType(span_of_all(c), c[0])

    def product_type(self, c: Children) -> Child:
        return syntax.ProductType(span_of_all(c), c[0], c[2])

    def named_type(self, c: Children) -> Child:
        return syntax.NamedType(span_of_all(c), word_of(c[0]))

    def enumeration(self, c: Children) -> Child:
        return syntax.EnumerationType(span_of_all(c), tuple(word_of(token) for token in c[1:-1:2]))

    def range_type(self, c: Children) -> Child:
        return syntax.RangeType(span_of_all(c), c[0], c[2])

    # --- statements of blocks -----------------------------------------------------------------------------------------

    def variable(self, c: Children) -> Child:
        return syntax.Variable(span_of_all(c), word_of(c[0]), (), c[2], c[4])

    def variable_indexed(self, c: Children) -> Child:
        return syntax.Variable(span_of_all(c), word_of(c[0]), tuple(c[2]), c[5], c[7])

    def chance(self, c: Children) -> Child:
        return syntax.Chance(span_of_all(c), tuple(c[2]), None)

    def chance_weighted(self, c: Children) -> Child:
        return syntax.Chance(span_of_all(c), tuple(c[2]), c[4])

    def each_chooses(self, c: Children) -> Child:
        return syntax.Chooser(span_of_all(c[:3]), word_of(c[1]), None, None, tuple(c[3]))

    def each_in_chooses(self, c: Children) -> Child:
        return syntax.Chooser(span_of_all(c[:5]), word_of(c[1]), c[3], None, tuple(c[5]))

    def one_chooses(self, c: Children) -> Child:
        return syntax.Chooser(span_of_all(c[:2]), None, None, c[0], tuple(c[2]))

    def choice_block(self, c: Children) -> Child:
        return []

    def choice_list(self, c: Children) -> Child:
        return [syntax.Kind(span_of_all(c), None, tuple(c[0]), None)]

    def choice_list_where(self, c: Children) -> Child:
        return [syntax.Kind(span_of_all(c), None, tuple(c[0]), c[2])]

    def choice(self, c: Children) -> Child:
        return syntax.Choice(span_of_all(c), word_of(c[0]), c[2], None)

    def choice_for_each(self, c: Children) -> Child:
        index = syntax.Binder(span_of_all(c[2:5]), word_of(c[2]), c[4])
        return syntax.Choice(span_of_all(c), word_of(c[0]), c[7], index)

    def kind(self, c: Children) -> Child:
        return syntax.Kind(span_of_all(c), word_of(c[0]), (), None)

    def kind_where(self, c: Children) -> Child:
        return syntax.Kind(span_of_all(c), word_of(c[0]), (), c[2])

    def kind_by(self, c: Children) -> Child:
        return syntax.Kind(span_of_all(c), word_of(c[0]), tuple(c[2]), None)

    def kind_by_where(self, c: Children) -> Child:
        return syntax.Kind(span_of_all(c), word_of(c[0]), tuple(c[2]), c[4])

    def on_block(self, c: Children) -> Child:
        return syntax.On(span_of_all(c), word_of(c[1]), ())

    def on_inline(self, c: Children) -> Child:
        return syntax.On(span_of_all(c), word_of(c[1]), (c[3],))

    def update(self, c: Children) -> Child:
        return syntax.Update(span_of_all(c), c[0], c[2], (), None)

    def update_if(self, c: Children) -> Child:
        return syntax.Update(span_of_all(c), c[0], c[2], (), c[4])

    def update_for(self, c: Children) -> Child:
        return syntax.Update(span_of_all(c), c[0], c[2], tuple(c[4]), None)

    def update_for_if(self, c: Children) -> Child:
        return syntax.Update(span_of_all(c), c[0], c[2], tuple(c[4]), c[6])

    def sees_nothing(self, c: Children) -> Child:
        return syntax.Sees(span_of_all(c), None, None, (), (), None)

    def sees(self, c: Children) -> Child:
        return _sees(c, None)

    def sees_if(self, c: Children) -> Child:
        return _sees(c, c[5])

    def seen_value(self, c: Children) -> Child:
        return _Seen(span_of_all(c), None, c[0])

    def labelled_value(self, c: Children) -> Child:
        return _Seen(span_of_all(c), word_of(c[0]), c[2])

    def audience(self, c: Children) -> Child:
        return _Audience(span_of_all(c), None, c[0])

    def audience_each(self, c: Children) -> Child:
        return _Audience(span_of_all(c), word_of(c[1]), syntax.Everything(span_of_all(c)))

    def audience_each_in(self, c: Children) -> Child:
        return _Audience(span_of_all(c), word_of(c[1]), c[3])

    def next(self, c: Children) -> Child:
        return syntax.Next(span_of(c[0]).to(c[1][0].span), tuple(reversed(c[1])))

    def transfer(self, c: Children) -> Child:
        return [syntax.Transfer(span_of_all(c), c[0], None)]

    def transfer_if(self, c: Children) -> Child:
        # Last first: appended, so that a long chain does not take quadratic time.
        c[4].append(syntax.Transfer(span_of_all(c[:3]), c[0], c[2]))
        return c[4]

    def target(self, c: Children) -> Child:
        return syntax.Target(span_of_all(c), word_of(c[0]) if c[0].type == "NAME" else None)

    def display_rule(self, c: Children) -> Child:
        return syntax.DisplayRule(span_of_all(c), c[0], text_of(c[2]), None)

    def display_rule_coloured(self, c: Children) -> Child:
        return syntax.DisplayRule(span_of_all(c), c[0], text_of(c[2]), word_of(c[3]))

    def display_line(self, c: Children) -> Child:
        return syntax.DisplayLine(span_of_all(c), text_of(c[1]), c[2])


def _sees(c: Children, condition: Expression | None) -> syntax.Sees:
    seen: list[_Seen] = c[3]
    labels, values = tuple(part.label for part in seen), tuple(part.value for part in seen)
    return syntax.Sees(span_of_all(c), c[1].binder, c[1].players, labels, values, condition)


class _Seen:
    """One value that is told, perhaps with a label."""

    def __init__(self, span: Span, label: Word | None, value: Expression) -> None:
        self.span = span
        self.label = label
        self.value = value


class _Audience:
    """Who is told: the part of `sees` before its colon."""

    def __init__(self, span: Span, binder: Word | None, players: Expression) -> None:
        self.span = span
        self.binder = binder
        self.players = players
