"""Evaluation before play of expressions that depend on parameters alone."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import cast

from ggp.language import typed
from ggp.language.evaluation.expressions import EVALUATORS, evaluate
from ggp.language.evaluation.scope import Scope
from ggp.language.limits import MAX_EVALUATION
from ggp.language.typed import Expression, Symbol, Value, Variable
from ggp.language.typed.types import ScalarType, codes
from ggp.language.typed.walk import form

FOLDABLE = EVALUATORS.keys() - {typed.StateRead, typed.MoveRead}
"""The nodes that can be evaluated before play, if their parts can."""

MAX_REMEMBERED = 256
"""Arrays that are remembered. They took at most `MAX_EVALUATION` steps together, which limits their memory."""
_remembered: dict[object, tuple[tuple[Value, ...], int]] = {}
"""Arrays that were evaluated, and in how many steps: a file that is being written is checked at each key."""


class Evaluator:
    """Evaluates expressions where what they read is known; the steps of all evaluations of one game count together."""

    def __init__(self) -> None:
        self._steps = 0

    def value(self, expression: Expression, known: Mapping[Symbol | Variable, Value]) -> Value:
        """Return an expression's value, where symbols, and variables of the state, have those that are known.

        Raises:
            RulesFault: it has none, such as a division by zero.
            LimitExceeded: the steps allowed for one game are used up.
        """
        variables = {key: value for key, value in known.items() if isinstance(key, Variable)}
        symbols = {key: value for key, value in known.items() if isinstance(key, Symbol)}
        scope = Scope(variables, symbols, work_limit=MAX_EVALUATION, work=self._steps, counts_nodes=True)
        try:
            return evaluate(expression, scope)
        finally:
            self._steps = scope.work

    def array(self, element: Expression, symbols: tuple[Symbol, ...]) -> tuple[Value, ...]:
        """Return an expression's values for all combinations of what its symbols stand for, in ascending order.

        Raises:
            RulesFault: it has none, such as a division by zero.
            LimitExceeded: the steps allowed for one game are used up.
        """
        key, before = form((symbols, element), {}), self._steps
        known = _remembered.get(key)
        if known is not None:
            self.count_steps(known[1])
            return known[0]
        combinations = itertools.product(*(codes(cast("ScalarType", symbol.type)) for symbol in symbols))
        values = tuple(self.value(element, dict(zip(symbols, indices, strict=True))) for indices in combinations)
        steps = self._steps - before
        taken = sum(each for _, each in [*_remembered.values()])
        if len(_remembered) >= MAX_REMEMBERED or taken + steps > MAX_EVALUATION:
            _remembered.clear()
        _remembered[key] = values, steps
        return values

    def count_steps(self, steps: int) -> None:
        """Count work that was done or will be.

        Raises:
            LimitExceeded: the steps allowed for one game are used up.
        """
        scope = Scope({}, work_limit=MAX_EVALUATION, work=self._steps)
        self._steps += steps
        scope.count_work(steps)
