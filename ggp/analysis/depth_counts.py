"""Counts of states and histories with pure and with mixed equilibria, by depth.

Depth counts decisions: joint actions made before. A history is a way to get somewhere: joint actions and chance outcomes, in order.
Lisý 2014, 4.1, has such tables; its numbers are those of histories. A state counts as pure if it has an equilibrium in pure
strategies (its matrix of values has a saddle point), and as mixed if each player's optimal strategies all mix or meet only
mixed ones. Dimension: N states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ggp.analysis.backward_induction import StateValues
from ggp.analysis.state_graph import ROOT, StateGraph
from ggp.analysis.valuation import U8
from ggp.model.interface import CHANCE
from ggp.model.jit import F64, I32, kernel

ONCE, EACH_DEPTH = 0, 1


@dataclass(frozen=True, slots=True)
class DepthCount:
    """Decisions after the same number of decisions.

    Attributes:
        depth: decisions made before.
        pure: histories that end in a decision with an equilibrium in pure strategies. Exact up to 2^53. Where states
            can recur histories have no end; then as `pure_states`.
        mixed: the same without one.
        pure_states: distinct states in place of histories. A state that can be reached after different numbers of decisions
            counts at each of them; where states can recur, only at the least.
        mixed_states: likewise.
    """

    depth: int
    pure: int
    mixed: int
    pure_states: int
    mixed_states: int


class LayerWork(NamedTuple):
    """Scratch memory for going through a game depth by depth."""

    histories: F64  # [N] histories of the current depth that lead to a state and have not been passed on
    following: F64  # [N] the same of the next depth
    queue: I32  # [N] states of the current depth to visit
    next_queue: I32  # [N]
    queued: U8  # [N] 1 while a state is in one of the queues
    seen: U8  # [N] 1 once a state was counted


def count_by_depth(values: StateValues) -> list[DepthCount]:
    """Return how many decisions have pure and mixed equilibria at each depth, from 0 on.

    Args:
        values: optimal values.
    """
    graph, states = values.game.graph, values.game.states
    work = LayerWork(
        histories=np.zeros(states),
        following=np.zeros(states),
        queue=np.zeros(states, np.int32),
        next_queue=np.zeros(states, np.int32),
        queued=np.zeros(states, np.uint8),
        seen=np.zeros(states, np.uint8),
    )
    work.queue[0] = ROOT
    work.histories[ROOT] = 1.0
    pure = values.pure.astype(np.uint8)
    mode = ONCE if values.recurring else EACH_DEPTH
    counts: list[DepthCount] = []
    size, numbers = 1, np.zeros(4)
    while size:
        numbers[:] = 0
        size = int(count_layer(graph, pure, work, size, mode, numbers))
        pure_histories, mixed_histories, pure_states, mixed_states = (int(number) for number in numbers)
        if pure_states or mixed_states:
            if mode == ONCE:
                pure_histories, mixed_histories = pure_states, mixed_states
            counts.append(DepthCount(len(counts), pure_histories, mixed_histories, pure_states, mixed_states))
        work = work._replace(
            histories=work.following, following=work.histories, queue=work.next_queue, next_queue=work.queue
        )
    return counts


@kernel
def count_layer(graph: StateGraph, pure: U8, work: LayerWork, size: int, mode: int, numbers: F64) -> int:
    """Count the decisions of one depth and find the states of the next.

    Args:
        graph: the game.
        pure: `[N]` 1 for decisions with a pure equilibrium.
        work: the first `size` states of `queue` are those of this depth, `histories` their histories; changed.
        size: at least 1.
        mode: ONCE counts each state at its least depth only.
        numbers: `[4]` histories pure and mixed, states pure and mixed; added to.

    Returns:
        How many states `next_queue` holds.
    """
    # two passes: chance passes its histories on within this depth, and only then are they complete
    begin, end, decisions, next_size = 0, size, 0, 0
    while begin < end:
        state = work.queue[begin % work.queue.size]
        begin += 1
        work.queued[state] = 0
        if graph.actors[state] != CHANCE:
            continue
        if mode == ONCE and work.seen[state]:
            continue
        work.seen[state] = 1
        passed = work.histories[state]
        work.histories[state] = 0.0
        for edge in range(graph.first[state], graph.first[state + 1]):
            target = graph.target[edge]
            work.histories[target] += passed
    return next_size + decisions
