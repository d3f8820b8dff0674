"""Approximate equilibria of large games with hidden information: CFR+, DCFR and predictive CFR+, by iteration.

Alternating updates, full width, double precision. The distance of the average strategies from an equilibrium is
computed exactly, by best responses.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from msgspec import Struct

from ggp.solvers.methods import DEFAULT_SECONDS
from ggp.solvers.sequence_form.best_responses import uniform
from ggp.solvers.sequence_form.linear_program import Equilibrium, constant_sum, equilibrium_of_plans
from ggp.solvers.sequence_form.plan_kernels import set_reach
from ggp.solvers.sequence_form.regret_kernels import CFR_PLUS, DISCOUNTED, PREDICTIVE, Discounts, iterate, new_tables
from ggp.solvers.sequence_form.sequence_form_tree import SequenceFormTree

SLICE_S = 0.1
"""Length of a slice of iterations, in seconds; the clock is read between slices."""

FIRST_MEASURED, MEASURED_GROWTH = 10, 1.3
"""NashConv is computed after this many iterations, and again each time their number has grown by this factor."""


class RegretMethod(Struct, frozen=True):
    """A method: a rule of `regret_kernels.py` and its exponents."""

    rule: int
    discounts: Discounts


METHODS = {
    "cfr+": RegretMethod(CFR_PLUS, Discounts(0.0, 0.0, 1.0)),
    "dcfr": RegretMethod(DISCOUNTED, Discounts(1.5, 0.0, 2.0)),
    "pcfr+": RegretMethod(PREDICTIVE, Discounts(0.0, 0.0, 2.0)),
}
"""By name, with the settings that their authors recommend: linear averages for CFR+, alpha 3/2, beta 0 and gamma 2 for
DCFR, quadratic averages for predictive CFR+."""


class RegretMinimiser:
    """Minimises counterfactual regret in one game.

    Args:
        tree: a game of two players and constant sum.
        method: one of `METHODS`.

    Attributes:
        iterations: made so far.
        seconds: spent on them.

    Raises:
        NotSolvable: the game is not for two players, or not of constant sum.
    """

    def __init__(self, tree: SequenceFormTree, method: RegretMethod) -> None:
        constant_sum(tree.players, tree.utility_sum)
        self.tree = tree
        self.method = method
        self.iterations = 0
        self.seconds = 0.0
        self.tables = new_tables(tree.sequences)
        self.tables.strategy[:] = uniform(tree)
        for player in range(tree.players):
            set_reach(tree.form, player, self.tables.strategy, self.tables.reach)
            self.tables.average[player] = 1.0
        # compile before timing
        self.run(0)
        self.seconds = 0.0

    def run(self, iterations: int) -> None:
        """Run further iterations."""
        began = time.perf_counter()
        iterate(self.tree.form, self.tables, self.method.rule, self.method.discounts, self.iterations, iterations)
        self.seconds += time.perf_counter() - began
        self.iterations += iterations

    def average(self) -> Equilibrium:
        """Return the average strategies and their guarantees."""
        return equilibrium_of_plans(self.tree, self.tables.average)

    @property
    def iterations_per_s(self) -> float:
        """Iterations per second so far."""
        return self.iterations / self.seconds if self.seconds else 0.0


class Progress(Struct, frozen=True):
    """Progress of a run.

    Attributes:
        iterations: made so far.
        seconds: spent on them.
        nash_conv: of the average strategies.
        value: middle of the bounds that they guarantee, to the first player.
    """

    iterations: int
    seconds: float
    nash_conv: float
    value: float


def minimise(
    minimiser: RegretMinimiser, seconds: float | None = None, iterations: int | None = None, nash_conv: float = 0.0
) -> Iterator[Progress]:
    """Iterate until a limit is reached, yielding progress: often at first, then ever more rarely.

    The last progress yielded is that at the end of the run.

    Args:
        minimiser: continued from its current state.
        seconds: of iterating, measurements not counted; None: DEFAULT_SECONDS, or any number if iterations are given.
        iterations: in all; None: any number.
        nash_conv: the run ends once this is reached, in units of utility.
    """
    seconds = seconds if seconds is not None else math.inf if iterations else DEFAULT_SECONDS
    most = iterations or 2**62
    batch, target = 1, FIRST_MEASURED
    while True:
        left = min(target, most) - minimiser.iterations
        if left > 0 and minimiser.seconds < seconds:
            count = min(batch, left)
            before = minimiser.seconds
            minimiser.run(count)
            rate = count / max(minimiser.seconds - before, 1e-9)
            batch = max(1, int(rate * min(SLICE_S, max(seconds - minimiser.seconds, 0.0))))
            continue
        reached = minimiser.average()
        yield Progress(minimiser.iterations, minimiser.seconds, reached.nash_conv, reached.value)
        ended = minimiser.iterations >= most or minimiser.seconds >= seconds
        if ended or reached.nash_conv <= nash_conv:
            return
        target = max(minimiser.iterations + 1, int(minimiser.iterations * MEASURED_GROWTH))
