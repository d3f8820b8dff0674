"""Counts of decisions with pure and with mixed equilibria, by depth: of histories, and of distinct states.

The depth is the number of decisions (joint actions) made before. A history is a sequence of joint actions and chance
outcomes. A decision counts as pure if it has an equilibrium in pure strategies (its matrix of values has a
saddle point). Lisý 2014, 4.1, has such tables; their numbers are those of histories. Dimension: N states.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ggp.codegen.kernels import F64, I32, U8, kernel
from ggp.native.interface import CHANCE
from ggp.solvers.worlds.backward_induction import StateValues
from ggp.solvers.worlds.components import Components
from ggp.solvers.worlds.state_graph import ROOT, StateGraph

UNREACHED = np.iinfo(np.int32).max
PURE_HISTORIES, MIXED_HISTORIES, PURE_STATES, MIXED_STATES, NUMBERS = 0, 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class DepthCount:
    """The decisions at one depth.

    Attributes:
        depth: decisions made before.
        pure: histories that end in a decision with an equilibrium in pure strategies; exact up to 2^53. If states can
            recur, histories have no end, and this is `pure_states`.
        mixed: the same for decisions without one.
        pure_states: distinct states in place of histories. A state that can be reached after different numbers of
            decisions counts at each of them; where states can recur, only at the least.
        mixed_states: likewise.
    """

    depth: int
    pure: int
    mixed: int
    pure_states: int
    mixed_states: int


def count_by_depth(values: StateValues, components: Components) -> list[DepthCount]:
    """Return the numbers of decisions with pure and with mixed equilibria at each depth, from 0.

    Args:
        values: optimal values.
        components: of the game's graph.
    """
    return _count_least_depths(values) if values.recurring else _count_histories(values, components)


def _count_histories(values: StateValues, components: Components) -> list[DepthCount]:
    states = values.game.states
    histories, following = np.zeros(states), np.zeros(states)
    histories[ROOT] = 1.0
    pure = values.pure.astype(np.uint8)
    counts: list[DepthCount] = []
    while True:
        numbers = np.zeros(NUMBERS)
        count_layer(values.game.graph, components.order, pure, histories, following, numbers)
        if not numbers.any():
            return counts
        counts.append(DepthCount(len(counts), *(int(number) for number in numbers)))
        histories, following = following, histories


@kernel
def count_layer(graph: StateGraph, order: I32, pure: U8, histories: F64, following: F64, numbers: F64) -> None:
    """Count the decisions at one depth and pass their histories on to the next depth.

    Args:
        graph: of a game whose states do not recur.
        order: `[N]` all states, each after the states it leads to.
        pure: `[N]` 1 for decisions with a pure equilibrium.
        histories: `[N]` number of histories at this depth that lead to each state; 0 afterwards.
        following: `[N]` the same for the next depth; 0 before.
        numbers: `[NUMBERS]` histories pure and mixed, states pure and mixed; added to.
    """
    for index in range(order.size - 1, -1, -1):
        state = order[index]
        count = histories[state]
        if count == 0.0:
            continue
        histories[state] = 0.0
        chance = graph.actors[state] == CHANCE
        if graph.actors[state] > 0:
            mixed = 1 - pure[state]
            numbers[PURE_HISTORIES + mixed] += count
            numbers[PURE_STATES + mixed] += 1.0
        # chance is not a decision: its successors have the same depth and come later in this loop
        after = histories if chance else following
        for edge in range(graph.first[state], graph.first[state + 1]):
            after[graph.target[edge]] += count


def _count_least_depths(values: StateValues) -> list[DepthCount]:
    graph = values.game.graph
    depth = np.full(values.game.states, UNREACHED, np.int32)
    depth[ROOT] = 0
    while lower_depths(graph, depth):
        pass
    decisions = graph.actors > 0
    most = int(depth[decisions].max()) if decisions.any() else -1
    pure = np.bincount(depth[decisions & values.pure], minlength=most + 1)
    mixed = np.bincount(depth[decisions & ~values.pure], minlength=most + 1)
    counts = zip(pure.tolist(), mixed.tolist(), strict=True)
    return [DepthCount(at, one, other, one, other) for at, (one, other) in enumerate(counts)]


@kernel
def lower_depths(graph: StateGraph, depth: I32) -> bool:
    """Lower each state's depth to what its predecessors allow; return whether one changed.

    States are numbered by their distance from the root, chance counted, so few passes are needed.
    """
    changed = False
    for state in range(depth.size):
        if depth[state] == UNREACHED:
            continue
        further = depth[state] + (1 if graph.actors[state] > 0 else 0)
        for edge in range(graph.first[state], graph.first[state + 1]):
            if further < depth[graph.target[edge]]:
                depth[graph.target[edge]] = further
                changed = True
    return changed
