"""What an expression can read, and how much work its evaluation may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ggp.language import typed
from ggp.language.evaluation.faults import LimitExceeded
from ggp.language.typed import Function, Symbol, Value

ASK_EVERY = 256
"""Function calls and bindings between two questions of whether to go on."""


class Stopped(Exception):
    """The caller has cancelled the evaluation."""


class Action(NamedTuple):
    """One player's choice: the position of its `Chooser` in the phase, of its kind there, the components' codes."""

    chooser: int
    kind: int
    values: tuple[int, ...]


@dataclass(slots=True)
class Scope:
    """What an expression can read.

    Attributes:
        variables: the value of each state variable.
        symbols: the value of each symbol that has one; no function calls itself, so one mapping serves all calls.
        actions: the actions chosen, for `move`.
        settled: whether the choices and draws in `symbols` happened, or are candidates only.
        work_limit: how many function calls and bindings are allowed, against rules that never finish.
        go_on: asked now and then; once it says no, evaluation is given up.
        work: what was counted so far.
        counts_nodes: whether each node counts, too, and each element of its value: what is evaluated before play has
            no other limit.
    """

    variables: Mapping[typed.Variable, Value]
    symbols: dict[Symbol, Value] = field(default_factory=dict)
    actions: Mapping[int, Action] = field(default_factory=dict)
    settled: bool = True
    work_limit: int | None = None
    go_on: Callable[[], bool] | None = None
    work: int = 0
    counts_nodes: bool = False
    results: dict[tuple[Function, tuple[Value, ...]], Value] = field(default_factory=dict)
    """Of functions called before with the same arguments: without it a chain of definitions can take 2^n calls."""

    def count_work(self, steps: int = 1) -> None:
        """Count calls and bindings.

        Raises:
            LimitExceeded: there were more than the work limit.
            Stopped: `go_on` said no.
        """
        self.work += steps
        if self.work_limit is not None and self.work > self.work_limit:
            raise LimitExceeded("steps of evaluation", self.work, self.work_limit)
        if self.go_on is not None and self.work % ASK_EVERY == 0 and not self.go_on():
            raise Stopped
