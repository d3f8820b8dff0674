"""Every typed node, operator and built-in function stands in each table that is looked into by it."""

from __future__ import annotations

import builtins
from typing import get_args

import pytest

from ggp.codegen.ir.operators import OPERATORS
from ggp.codegen.llvm.operators import EMISSIONS
from ggp.codegen.python.runtime import NAMESPACE
from ggp.language import syntax, typed
from ggp.language.check.expressions.expression_checks import RULES
from ggp.language.evaluation.arithmetic import BINARY_OPERATIONS, UNARY_OPERATIONS
from ggp.language.evaluation.expressions import EVALUATORS
from ggp.rules_compiler.emit.expressions import COMPILERS

TYPED = set(get_args(typed.Expression))


def words_of(alias: object) -> set[str]:
    """Return the words of a literal type, or of a union of such types."""
    parts = get_args(alias)
    return {word for part in parts for word in ({part} if isinstance(part, str) else words_of(part))}


def test_every_expression_is_checked() -> None:
    assert set(get_args(syntax.Expression)) - set(RULES) == set()


def test_every_typed_node_is_evaluated_and_compiled() -> None:
    assert set(EVALUATORS) == TYPED
    # a search writes its steps itself
    assert set(COMPILERS) == TYPED - {typed.ArrayOf}


def test_every_operator_is_evaluated() -> None:
    assert set(UNARY_OPERATIONS) == words_of(typed.UnaryOperator)
    assert set(BINARY_OPERATIONS) == words_of(typed.BinaryOperator) - {"and", "or", "div", "mod"}


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_of_the_representation_is_printed(name: str) -> None:
    operator = OPERATORS[name]
    assert name in EMISSIONS
    assert operator.precedence or operator.text in NAMESPACE or operator.text in vars(builtins)
