"""Best responses to strategies that depend on the world state alone, in every state."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import F64, kernel
from ggp.solvers.worlds.backward_induction import OPTIMAL, StateValues, utility_range
from ggp.solvers.worlds.profiles import StrategyProfile
from ggp.solvers.worlds.state_graph import STATES, StateGraph


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
    game = values.game
    slack = OPTIMAL * utility_range(game) + 2 * values.error
    work = np.zeros(game.native.shape.max_actions)
    share_among_best_responses(game.graph, values.value, player, slack, answer, work)
    return answer


@kernel
def share_among_best_responses(
    graph: StateGraph, value: F64, player: int, slack: float, profile: StrategyProfile, work: F64
) -> None:
    """Write a player's strategy in all decisions: the same probability for all actions within `slack` of the best.

    Args:
        graph: the game.
        value: `[N]` of its states for the first player, where the player plays a best response.
        player: 0 or 1; the first one maximises.
        slack: in units of utility.
        profile: the player's strategy is overwritten, the other's is read.
        work: `[A]` overwritten.
    """
    for state in range(graph.counters[STATES]):
        if graph.actors[state] > 0:
            rows, columns, first = graph.rows[state], graph.columns[state], graph.first[state]
            row_at, column_at = profile.first_row[state], profile.first_column[state]
            count = rows if player == 0 else columns
            best = -np.inf
            for own in range(count):
                total = 0.0
                for other in range(columns if player == 0 else rows):
                    if player == 0:
                        total += (
                            profile.column_probability[column_at + other]
                            * value[graph.target[first + own * columns + other]]
                        )
                    else:
                        total -= (
                            profile.row_probability[row_at + other] * value[graph.target[first + other * columns + own]]
                        )
                work[own] = total
                best = max(best, total)
            among = 0
            for own in range(count):
                among += work[own] >= best - slack
            for own in range(count):
                share = 1.0 / among if work[own] >= best - slack else 0.0
                if player == 0:
                    profile.row_probability[row_at + own] = share
                else:
                    profile.column_probability[column_at + own] = share
