"""Evaluation before play of expressions that depend on parameters alone."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.language import typed
from ggp.language.evaluation.expressions import EVALUATORS, evaluate
from ggp.language.evaluation.scope import Scope
from ggp.language.limits import MAX_EVALUATION
from ggp.language.typed import Expression, Symbol, Value

FOLDABLE = EVALUATORS.keys() - {typed.StateRead, typed.MoveRead}
"""The nodes that can be evaluated before play, if their parts can."""


class Evaluator:
    """Evaluates expressions that read no state; the steps of all evaluations of one game are counted together."""

    def __init__(self) -> None:
        self._steps = 0

    def value(self, expression: Expression, symbols: Mapping[Symbol, Value]) -> Value:
        """Return an expression's value.

        Raises:
            RulesFault: it has none, such as a division by zero.
            LimitExceeded: the steps allowed for one game are used up.
        """
        scope = Scope({}, dict(symbols), work_limit=MAX_EVALUATION, work=self._steps, counts_nodes=True)
        try:
            return evaluate(expression, scope)
        finally:
            self._steps = scope.work

    def count_steps(self, steps: int) -> None:
        """Count work that was done or will be.

        Raises:
            LimitExceeded: the steps allowed for one game are used up.
        """
        scope = Scope({}, work_limit=MAX_EVALUATION, work=self._steps)
        self._steps += steps
        scope.count_work(steps)
