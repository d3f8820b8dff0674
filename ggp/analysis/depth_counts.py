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
    queue: I32  # [N] a ring: states of the current depth to visit
    next_queue: I32  # [N] states of the next depth
    decisions: I32  # [N] decisions of the current depth
    waiting: U8  # [N] 1 while a state is in `queue`
    listed: U8  # [N] 1 while a state is in `decisions`
    ahead: U8  # [N] 1 while a state is in `next_queue`
    seen: U8  # [N] 1 once a state was visited


def count_by_depth(values: StateValues) -> list[DepthCount]:
    """Return how many decisions have pure and mixed equilibria at each depth, from 0 on.

    Args:
        values: optimal values.
    """
    graph, states = values.game.graph, values.game.states
    work = LayerWork(
        *(np.zeros(states) for _ in range(2)),
        *(np.zeros(states, np.int32) for _ in range(3)),
        *(np.zeros(states, np.uint8) for _ in range(4)),
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
    decisions = pass_chance(graph, work, size, mode)
    next_size = 0
    for index in range(decisions):
        state = work.decisions[index]
        mixed = 1 - pure[state]
        passed = work.histories[state]
        work.histories[state] = 0.0
        work.listed[state] = 0
        numbers[mixed] += passed
        numbers[2 + mixed] += 1.0
        for edge in range(graph.first[state], graph.first[state + 1]):
            target = graph.target[edge]
            if mode == ONCE and work.seen[target]:
                continue
            work.following[target] += passed
            if not work.ahead[target]:
                work.ahead[target] = 1
                work.next_queue[next_size] = target
                next_size += 1
    for index in range(next_size):
        work.ahead[work.next_queue[index]] = 0
    return next_size


@kernel
def pass_chance(graph: StateGraph, work: LayerWork, size: int, mode: int) -> int:
    """Pass histories on through chance states until all stand at decisions or ends; return how many decisions.

    A chance state may get further histories after it has passed some on; it is then visited again.
    """
    states = work.queue.size
    begin, end, decisions = 0, size, 0
    for index in range(size):
        work.waiting[work.queue[index]] = 1
    while begin < end:
        state = work.queue[begin % states]
        begin += 1
        work.waiting[state] = 0
        if mode == ONCE and work.seen[state]:
            continue
        work.seen[state] = 1
        if graph.actors[state] > CHANCE:
            if not work.listed[state]:
                work.listed[state] = 1
                work.decisions[decisions] = state
                decisions += 1
            continue
        passed = work.histories[state]
        work.histories[state] = 0.0
        for edge in range(graph.first[state], graph.first[state + 1]):  # none at the end of play
            target = graph.target[edge]
            work.histories[target] += passed
            if not work.waiting[target]:
                work.waiting[target] = 1
                work.queue[end % states] = target
                end += 1
    return decisions
