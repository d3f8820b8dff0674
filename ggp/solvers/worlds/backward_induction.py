"""Values of all world states, by backward induction, and by value iteration where states can recur.

Subgame-perfect: optimal in every state, reached or not. Dimension: N states.

States that can recur form components of the game graph. There, two sequences of values converge to the true ones from
below and above (interval iteration), so the remaining error is known, not guessed from the last change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ggp.codegen.kernels import F64, I64
from ggp.errors import GgpError
from ggp.solvers.matrix.matrix_games import SLACK, TOLERANCE, MatrixGameUnsolved, refine
from ggp.solvers.matrix.matrix_kernels import new_matrix_work, solve
from ggp.solvers.worlds.components import Components, order_components
from ggp.solvers.worlds.profiles import StrategyProfile, uniform_profile
from ggp.solvers.worlds.state_graph import ROOT, GameGraph
from ggp.solvers.worlds.valuation import (
    EQUILIBRIUM,
    NEEDS_REFINEMENT,
    NEXT,
    POSITION,
    STATE,
    Induction,
    Task,
    Valuation,
    inherited_gap,
    iterate_slice,
    share_among_best,
    value_components,
)

Booleans: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

PRECISION = 1e-10
"""Gap between the bounds at which value iteration stops in a component, as a share of the utility range; the solution
of a matrix game may be as imprecise, or as TOLERANCE if that is more."""

OPTIMAL = 1e-9
"""Actions whose values differ by at most this share of the utility range count as equally good."""

MAX_SWEEPS = 200_000
COMPONENTS_A_SLICE = 5_000
SWEEPS_A_SLICE, STATES_A_SLICE = 50, 20_000
"""Sweeps between two reports of progress; fewer for larger components."""

Progress = Callable[[int, int], None]
"""Called with the number of components valued so far and the number of all."""


class EndlessPlay(GgpError):
    """The bounds on a value do not converge: play can go on for ever, and the rules give endless play no payoff."""


@dataclass(frozen=True, slots=True)
class StateValues:
    """The value of each state of a game.

    Attributes:
        game: the game.
        value: `[N]` float64, for the first player.
        pure: `[N]`, whether a decision has an equilibrium in pure strategies (a saddle point of its matrix of
            values); always where one player acts alone. False in chance and terminal states. Meaningful only for
            optimal values.
        error: largest error of a value, rounding aside; 0 without recurring states.
        recurring: whether states can recur.
    """

    game: GameGraph
    value: F64
    pure: Booleans
    error: float
    recurring: bool

    @property
    def root(self) -> float:
        """The value of the initial state for the first player."""
        return float(self.value[ROOT])

    def to_players(self, state: int = ROOT) -> tuple[float, ...]:
        """Return the value of a state for each player."""
        first = float(self.value[state])
        return (first,) if self.game.players == 1 else (first, self.game.utility_sum - first)

    @property
    def method(self) -> str:
        """The name of the method that computed the values."""
        return "value iteration" if self.recurring else "backward induction"


def optimal_values(
    game: GameGraph,
    components: Components | None = None,
    progress: Progress | None = None,
    max_sweeps: int = MAX_SWEEPS,
    precision: float = PRECISION,
) -> StateValues:
    """Return the value of each state under optimal play; arguments and errors as of `value_states`."""
    return value_states(game, EQUILIBRIUM, uniform_profile(game), components, progress, max_sweeps, precision)


def value_states(
    game: GameGraph,
    mode: int,
    profile: StrategyProfile,
    components: Components | None = None,
    progress: Progress | None = None,
    max_sweeps: int = MAX_SWEEPS,
    precision: float = PRECISION,
) -> StateValues:
    """Return the value of each state when players play as the mode says.

    Args:
        game: of one player or two.
        mode: EQUILIBRIUM, FIRST_RESPONDS, SECOND_RESPONDS or BOTH_FIXED of `valuation.py`.
        profile: the fixed strategies; not read in mode EQUILIBRIUM.
        components: of its graph; computed if not given.
        progress: called from time to time.
        max_sweeps: of value iteration, in one component.
        precision: how far apart its bounds may stay in one component, as a share of the utility range.

    Raises:
        EndlessPlay: value iteration did not bring the bounds together.
        MatrixGameUnsolved: payoffs of a matrix game differ too much in size.
    """
    components = components or order_components(game.graph)
    shape = game.native.shape
    work = new_matrix_work(shape.max_actions, shape.max_actions)
    reach = utility_range(game)
    task = Task(mode, profile, max(TOLERANCE, precision) * reach, SLACK * reach)
    induction = Induction(game.graph, components.order, components.first, task, work)
    lower = new_valuation(game)
    # without recurring states the two sequences are one
    upper = new_valuation(game) if components.cyclic else lower
    position = np.zeros(POSITION, np.int64)
    total = len(components.first) - 1
    while position[NEXT] < total:
        begin = int(position[NEXT])
        advance(induction, position, lower)
        if components.cyclic:
            end, position[NEXT] = int(position[NEXT]), begin
            advance(induction, position, upper, end - begin)
            assert position[NEXT] == end
        if position[NEXT] == begin:
            iterate_component(game, induction, begin, lower, upper, precision, max_sweeps, progress)
            position[NEXT] = begin + 1
        if progress is not None:
            progress(int(position[NEXT]), total)
    error = float((upper.value - lower.value).max()) / 2
    value = (lower.value + upper.value) / 2 if components.cyclic else lower.value
    return StateValues(game, value, lower.pure.astype(np.bool_), error, components.cyclic)


def utility_range(game: GameGraph) -> float:
    """Return the utility range of the first player."""
    return game.native.utility_high[0] - game.native.utility_low[0]


def new_valuation(game: GameGraph) -> Valuation:
    """Return memory for the values of all states."""
    return Valuation(np.zeros(game.states), np.zeros(game.states, np.uint8), np.zeros(game.states, np.uint8))


def advance(induction: Induction, position: I64, valuation: Valuation, budget: int = COMPONENTS_A_SLICE) -> None:
    """Value at most `budget` components, up to one whose states recur; HiGHS solves what the kernel cannot."""
    last, work = int(position[NEXT]) + budget, induction.work
    while value_components(induction, position, valuation, last - int(position[NEXT])) == NEEDS_REFINEMENT:
        state = int(position[STATE])
        refine(work, int(induction.graph.rows[state]), int(induction.graph.columns[state]), induction.task.tolerance)
        valuation.value[state] = (work.bounds[0] + work.bounds[1]) / 2
        valuation.refined[state] = 1


def iterate_component(
    game: GameGraph,
    induction: Induction,
    component: int,
    lower: Valuation,
    upper: Valuation,
    precision: float,
    max_sweeps: int,
    progress: Progress | None,
) -> None:
    """Iterate the values of one component from below and above until they converge.

    Raises:
        EndlessPlay: they did not converge.
        MatrixGameUnsolved: a matrix game misses its tolerance.
    """
    begin, end = int(induction.first[component]), int(induction.first[component + 1])
    low, high = game.native.utility_low[0], game.native.utility_high[0]
    allowed = inherited_gap(induction, begin, end, lower.value, upper.value) + precision * (high - low)
    members = induction.order[begin:end]
    lower.value[members], upper.value[members] = low, high
    slice_sweeps = max(SWEEPS_A_SLICE // (1 + len(members) // STATES_A_SLICE), 2)
    for _ in range(0, max_sweeps, slice_sweeps):
        missed = int(iterate_slice(induction, begin, end, lower, upper, allowed, slice_sweeps))
        if missed > 0:
            raise MatrixGameUnsolved(f"{missed} matrix games of recurring states miss their tolerance")
        if missed == 0:
            return
        if progress is not None:
            progress(component, len(induction.first) - 1)
    worst = members[np.argmax(upper.value[members] - lower.value[members])]
    raise EndlessPlay(
        f"value iteration over {len(members):,} states that can recur leaves a value between"
        f" {lower.value[worst]:.6g} and {upper.value[worst]:.6g} after {max_sweeps:,} sweeps: play can go on for ever,"
        " or nearly so, and the rules give endless play no payoff"
    )


def equilibrium_choice(values: StateValues, state: int, precision: float = PRECISION) -> tuple[F64, F64]:
    """Return optimal strategies of both players in a decision; that of a player who does not act is `[1.0]`.

    Args:
        values: optimal values.
        state: a decision.
        precision: as in `optimal_values`.

    Returns:
        `[R]` and `[C]` float64, distributions over the legal actions in ascending order.
    """
    graph = values.game.graph
    rows, columns = int(graph.rows[state]), int(graph.columns[state])
    work = new_matrix_work(rows, columns)
    work.payoff[:] = values.value[graph.target[graph.first[state] : graph.first[state + 1]]]
    reach = utility_range(values.game)
    solve(work, rows, columns, SLACK * reach)
    refine(work, rows, columns, max(TOLERANCE, precision) * reach)
    return work.row_strategy, work.column_strategy


def equilibrium_profile(values: StateValues, progress: Progress | None = None) -> StrategyProfile:
    """Return a subgame-perfect equilibrium: optimal strategies of both players in every decision.

    Where one player acts, all optimal actions are equally probable: where play can return to a state, one of them alone
    could put off for ever what the others reach.
    """
    game, profile = values.game, uniform_profile(values.game)
    graph = game.graph
    for player in range(game.players):  # where the other acts, too, it is overwritten below
        respond(values, profile, player)
    together = np.flatnonzero((graph.actors > 0) & (graph.rows > 1) & (graph.columns > 1))
    for done, state in enumerate(together):
        if progress is not None and done % COMPONENTS_A_SLICE == 0:
            progress(done, len(together))
        row, column = equilibrium_choice(values, int(state))
        profile.of(0, int(state))[:] = row
        profile.of(1, int(state))[:] = column
    return profile


def with_response(values: StateValues, profile: StrategyProfile, player: int) -> StrategyProfile:
    """Return a profile with a player's best response in the player's place.

    All best actions are equally probable: where play can return to a state, one of them alone could put off for ever
    what the others reach.

    Args:
        values: of the states, where the player plays a best response.
        profile: what the other plays.
        player: 0 or 1.
    """
    answer = profile._replace(
        row_probability=profile.row_probability.copy(), column_probability=profile.column_probability.copy()
    )
    respond(values, answer, player)
    return answer


def respond(values: StateValues, profile: StrategyProfile, player: int) -> None:
    """Write a player's best responses to what the other plays in a profile, whose values these are, to the profile."""
    game = values.game
    slack = OPTIMAL * utility_range(game) + 2 * values.error
    share_among_best(game.graph, values.value, player, slack, profile, np.zeros(game.native.shape.max_actions))
