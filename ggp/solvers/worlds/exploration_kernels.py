"""Expands world states, breadth first, through a game's native functions: the kernels of exploring.

Dimensions as in `state_graph.py`, and of a game: W words of a state, P players, A legal actions at most, C chance
outcomes at most.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, allocated, kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_step, call_utility
from ggp.native.interface import CHANCE, TERMINAL, GameShape, NativeFunctions
from ggp.solvers.worlds.state_graph import (
    EXPANDED,
    FAULT_FOUND,
    NEEDED,
    NO_STATE,
    PROBABILITIES,
    STATES,
    TERMINALS,
    TRANSITIONS,
    StateGraph,
    slot_of_state,
)

DONE, PAUSED, NEEDS_ROOM, FAULT, DEAD_END, SUM_DIFFERS = 0, 1, 2, 3, 4, 5
"""How expanding ended: all states are expanded, the budget is used up, the graph is full, or a problem was met."""


class ExplorationBuffers(NamedTuple):
    """Scratch memory of `explore_slice`."""

    state: Annotated[I64, "W"]
    joint: Annotated[I64, "P + 1"]
    actions: Annotated[I64, "2 * A"]  # the first player's, then the second's
    outcomes: Annotated[I64, "C"]
    probability: Annotated[F64, "C"]
    utility: Annotated[F64, "P"]
    utility_sum: Annotated[F64, "1"]  # nan until a terminal state is known


class Exploration(NamedTuple):
    """A game that is explored, its states found so far, and scratch memory."""

    functions: NativeFunctions
    shape: GameShape
    graph: StateGraph
    buffers: ExplorationBuffers


def new_buffers(shape: GameShape) -> ExplorationBuffers:
    """Return scratch memory for a game of this shape."""
    buffers = allocated(ExplorationBuffers, **shape.lengths)
    buffers.utility_sum[:] = np.nan
    return buffers


@kernel
def explore_slice(e: Exploration, tolerance: float, budget: int) -> int:
    """Expand at most `budget` further states, in the order of their discovery.

    Args:
        e: its graph grows; of its buffers, `utility_sum` is kept from call to call.
        tolerance: by how much sums of utilities may differ.
        budget: in states.

    Returns:
        DONE, PAUSED, NEEDS_ROOM, or a problem with the state that is next to be expanded.
    """
    graph, counters = e.graph, e.graph.counters
    for _ in range(budget):
        state = counters[EXPANDED]
        if state == counters[STATES]:
            return DONE
        actors = call_actors(e.functions.actors, graph.words, state * e.shape.state_words)
        graph.actors[state], graph.rows[state], graph.columns[state] = actors, 1, 1
        graph.first[state] = counters[TRANSITIONS]
        if actors == TERMINAL:
            status = enter_terminal(e, state, tolerance)
        elif actors == CHANCE:
            status = enter_chance(e, state)
        else:
            status = enter_decision(e, state, actors)
        if status != DONE:
            return status
        counters[EXPANDED] = state + 1
        graph.first[state + 1] = counters[TRANSITIONS]
    return DONE if counters[EXPANDED] == counters[STATES] else PAUSED


@kernel
def enter_terminal(e: Exploration, state: int, tolerance: float) -> int:
    """Record the utility of a terminal state and compare the sum of utilities with that of earlier ones."""
    shape, graph, buffers = e.shape, e.graph, e.buffers
    result = call_utility(e.functions.utility, graph.words, state * shape.state_words, buffers.utility, 0)
    if result < 0:
        graph.counters[FAULT_FOUND] = -result
        return FAULT
    graph.utility[state] = buffers.utility[0]
    graph.counters[TERMINALS] += 1
    if shape.players == 2:
        total = buffers.utility[0] + buffers.utility[1]
        if np.isnan(buffers.utility_sum[0]):
            buffers.utility_sum[0] = total
        elif abs(total - buffers.utility_sum[0]) > tolerance:
            return SUM_DIFFERS
    return DONE


@kernel
def enter_chance(e: Exploration, state: int) -> int:
    """Record the outcomes of a chance state and the states they lead to."""
    shape, graph, buffers = e.shape, e.graph, e.buffers
    at = state * shape.state_words
    count = call_chance(e.functions.chance, graph.words, at, buffers.outcomes, 0, buffers.probability, 0)
    if count == 0:
        return DEAD_END
    if count < 0:
        graph.counters[FAULT_FOUND] = -count
        return FAULT
    weight = graph.counters[PROBABILITIES]
    if lacks_room(graph, count) or weight + count > graph.probability.size:
        return NEEDS_ROOM
    graph.rows[state] = count
    graph.first_probability[state] = weight
    graph.counters[PROBABILITIES] = weight + count
    for outcome in range(count):
        graph.probability[weight + outcome] = buffers.probability[outcome]
        buffers.joint[shape.players] = buffers.outcomes[outcome]
        add_transition(e, at)
    return DONE


@kernel
def enter_decision(e: Exploration, state: int, actors: int) -> int:
    """Record the joint actions of a state and the states they lead to."""
    shape, graph, buffers = e.shape, e.graph, e.buffers
    at = state * shape.state_words
    rows, columns = 1, 1
    if actors & 1:
        rows = call_legal(e.functions.legal, graph.words, at, 0, buffers.actions, 0)
    if actors & 2:
        columns = call_legal(e.functions.legal, graph.words, at, 1, buffers.actions, shape.max_actions)
    if rows == 0 or columns == 0:
        return DEAD_END
    if rows < 0 or columns < 0:
        graph.counters[FAULT_FOUND] = -min(rows, columns)
        return FAULT
    if lacks_room(graph, rows * columns):
        return NEEDS_ROOM
    graph.rows[state] = rows
    graph.columns[state] = columns
    for row in range(rows):
        for column in range(columns):
            buffers.joint[0] = buffers.actions[row]
            if shape.players == 2:
                buffers.joint[1] = buffers.actions[shape.max_actions + column]
            add_transition(e, at)
    return DONE


@kernel
def lacks_room(graph: StateGraph, count: int) -> bool:
    """Return whether `count` further transitions, each to a new state, might not fit."""
    graph.counters[NEEDED] = count
    if graph.counters[TRANSITIONS] + count > graph.target.size:
        return True
    return bool(graph.counters[STATES] + count > graph.actors.size)


@kernel
def add_transition(e: Exploration, at: int) -> None:
    """Append the transition that `buffers.joint` makes from the state at `at`, and its target if that is new."""
    graph, buffers, width = e.graph, e.buffers, e.shape.state_words
    call_step(e.functions.step, graph.words, at, buffers.state, 0, buffers.joint, 0)
    slot = slot_of_state(graph, width, buffers.state, 0)
    target = graph.slots[slot]
    if target == NO_STATE:
        target = graph.counters[STATES]
        graph.counters[STATES] = target + 1
        graph.slots[slot] = target
        for word in range(width):
            graph.words[target * width + word] = buffers.state[word]
    edge = graph.counters[TRANSITIONS]
    graph.target[edge] = target
    graph.counters[TRANSITIONS] = edge + 1
