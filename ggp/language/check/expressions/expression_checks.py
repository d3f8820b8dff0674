"""The table from kinds of expressions to the functions that check them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from ggp.language import syntax
from ggp.language.check.checking import Checking, Rule
from ggp.language.check.expressions import (
    arrays,
    boards,
    calls,
    definitions,
    domains,
    literals,
    names,
    operators,
    sequences,
    sets,
)
from ggp.language.typed import Expression
from ggp.language.typed.types import Type


def _range(checking: Checking, node: syntax.Range, hint: Type | None) -> Expression:
    """Check a range where a set is expected."""
    values, type_ = domains.domain(checking, node)
    made = domains.as_set(checking, values, type_, node.span)
    return checking.full_set(type_, node.span) if made is type_ else cast("Expression", made)


def _subsets(checking: Checking, node: syntax.Subsets, hint: Type | None) -> Expression:
    """Report subsets that stand where one value is expected."""
    checking.fail(
        node.span,
        "`n of S` stands only behind the `in` of a choice, a draw or a quantifier",
        "such as `all s in 2 of hand: ...`",
    )


RULES: Mapping[type, Rule] = {
    syntax.Name: names.name,
    syntax.Integer: literals.integer,
    syntax.Real: literals.real,
    syntax.Text: literals.text,
    syntax.Truth: literals.truth_value,
    syntax.Nothing: literals.nothing,
    syntax.Everything: sets.everything,
    syntax.Unary: operators.unary,
    syntax.Binary: operators.binary,
    syntax.Membership: sets.membership,
    syntax.IsNone: operators.is_none,
    syntax.Range: _range,
    syntax.Subsets: _subsets,
    syntax.Conditional: operators.conditional,
    syntax.Quantified: sets.quantified,
    syntax.Naming: definitions.naming,
    syntax.Search: boards.search,
    syntax.Indexed: names.indexed,
    syntax.Attribute: names.attribute,
    syntax.Call: calls.call,
    syntax.Old: names.old,
    syntax.List: sequences.literal,
    syntax.Braces: sets.braces,
    syntax.Keyed: arrays.array_without_type,
    syntax.Comprehension: sets.comprehension,
}
