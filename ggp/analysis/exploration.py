"""Finds all world states of a game, breadth first, through its native functions.

Dimensions as in `state_graph.py`: N states, E transitions, W words of a state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ggp.analysis.state_graph import (
    COUNTERS,
    EMPTY,
    EXPANDED,
    FAULT_FOUND,
    NO_STATE,
    PROBABILITIES,
    STATES,
    TERMINALS,
    TRANSITIONS,
    GameGraph,
    StateGraph,
    bytes_of,
    slot_of_state,
)
from ggp.errors import GgpError
from ggp.model.calls import call_actors, call_chance, call_init, call_legal, call_step, call_utility
from ggp.model.interface import CHANCE, TERMINAL, GameShape, NativeFunctions, NativeGame
from ggp.model.jit import F64, I64, kernel

MAX_STATES = 20_000_000
"""Default limit on states."""

SUM_TOLERANCE = 1e-9
"""Utilities of two terminal states may sum to numbers this far apart, as a share of the utility range."""

SLICE = 20_000
"""States expanded between two reports of progress."""

FIRST_STATES, FIRST_TRANSITIONS = 4096, 32768
DONE, PAUSED, NEEDS_ROOM, FAULT, DEAD_END, SUM_DIFFERS = 0, 1, 2, 3, 4, 5

Progress = Callable[[int, int], None]
"""Told how many states have been found and how many of these expanded."""


class NotSolvable(GgpError):
    """A game that exact methods over world states do not cover; the message says why."""


class GameTooLarge(GgpError):
    """More states, or more memory, than the limits allow."""


class FaultInRules(GgpError):
    """Play runs into an error of the rules, or into a state where a player has no legal action."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a game may be.

    Attributes:
        states: most distinct world states.
        memory_bytes: most memory of the graph; while it grows that of both copies.
    """

    states: int = MAX_STATES
    memory_bytes: int = 4 * 2**30


class ExplorationBuffers(NamedTuple):
    """Scratch memory of the exploring kernel."""

    state: I64  # [W]
    joint: I64  # [P + 1]
    actions: I64  # [2 * A], the first player's, then the second's
    outcomes: I64  # [C]
    probability: F64  # [C]
    utility: F64  # [P]
    utility_sum: F64  # [1] nan until a terminal state is known


def explore_game(native: NativeGame, limits: Limits | None = None, progress: Progress | None = None) -> GameGraph:
    """Return the graph of all world states that can be reached in a game.

    Args:
        native: a game of one player, or of two whose utilities sum to a constant; everything chosen or drawn is told.
        limits: `Limits()` by default.
        progress: called from time to time.

    Raises:
        NotSolvable: three or more players, hidden information, or sums of utilities that differ.
        GameTooLarge: the limits were reached.
        FaultInRules: a fault or a dead end can be reached.
    """
    check_kind(native)
    limits = limits or Limits()
    graph = new_graph(native.shape, FIRST_STATES, FIRST_TRANSITIONS)
    buffers = new_buffers(native.shape)
    call_init(native.functions.init, graph.words, 0)
    graph.slots[slot_of_state(graph, native.shape.state_words, graph.words, 0)] = 0
    graph.counters[STATES] = 1
    tolerance = SUM_TOLERANCE * max(
        1.0, *(high - low for low, high in zip(native.utility_low, native.utility_high, strict=True))
    )
    while True:
        status = explore_slice(native.functions, native.shape, graph, buffers, tolerance, SLICE)
        found, expanded = int(graph.counters[STATES]), int(graph.counters[EXPANDED])
        if progress is not None:
            progress(found, expanded)
        if found > limits.states:
            raise GameTooLarge(
                f"more than {limits.states:,} world states (after expanding {expanded:,} of them): raise the limit on"
                " states or choose smaller parameters"
            )
        if status == DONE:
            break
        if status == NEEDS_ROOM:
            graph = enlarge(graph, native.shape, limits)
        elif status != PAUSED:
            raise_problem(status, graph, native)
    known = native.shape.players == 2 and not math.isnan(buffers.utility_sum[0])
    return GameGraph(native, trim(graph, native.shape), float(buffers.utility_sum[0]) if known else 0.0)


def check_kind(native: NativeGame) -> None:
    """Refuse games that have no value of the kind computed here.

    Raises:
        NotSolvable: three or more players, payoffs without a constant sum, or hidden information.
    """
    if native.shape.players > 2:
        raise NotSolvable(
            f"the game has {native.shape.players} players; exact values are defined here for one player, or two with"
            " utilities of constant sum"
        )
    if native.shape.players == 2 and not native.constant_sum:
        raise NotSolvable(
            "the payoffs of the two players have no constant sum; exact values are defined here for such games only"
        )
    if not native.perfect_information:
        raise NotSolvable(
            "the game hides information from its players; exact values need the sequence form, which is not available"
            " yet, and the methods here take world states to be known"
        )


def raise_problem(status: int, graph: StateGraph, native: NativeGame) -> None:
    """Raise the error that the exploring kernel reports for the state it stopped at."""
    if status == SUM_DIFFERS:
        raise NotSolvable("the utilities of the two players do not sum to the same number in all terminal states")
    if status == DEAD_END:
        raise FaultInRules("a player is to act in some reachable state but has no legal action")
    assert status == FAULT
    fault = native.faults[int(graph.counters[FAULT_FOUND]) - 1]
    raise FaultInRules(f"play can run into an error of the rules: {fault}")


# --- memory -----------------------------------------------------------------------------------------------------------


def new_graph(shape: GameShape, states: int, transitions: int) -> StateGraph:
    """Return an empty graph with room for so many states and transitions."""
    table = 1 << (2 * states - 1).bit_length()
    return StateGraph(
        words=np.zeros(states * shape.state_words, np.int64),
        actors=np.zeros(states, np.int32),
        rows=np.ones(states, np.int32),
        columns=np.ones(states, np.int32),
        first=np.zeros(states + 1, np.int64),
        target=np.zeros(transitions, np.int32),
        first_probability=np.full(states, -1, np.int64),
        probability=np.zeros(max(transitions // 4, shape.max_outcomes), np.float64),
        utility=np.zeros(states, np.float64),
        slots=np.full(table, EMPTY, np.int32),
        counters=np.zeros(COUNTERS, np.int64),
    )


def new_buffers(shape: GameShape) -> ExplorationBuffers:
    """Return scratch memory for a game of this shape."""
    return ExplorationBuffers(
        state=np.zeros(shape.state_words, np.int64),
        joint=np.zeros(shape.players + 1, np.int64),
        actions=np.zeros(2 * shape.max_actions, np.int64),
        outcomes=np.zeros(shape.max_outcomes, np.int64),
        probability=np.zeros(shape.max_outcomes, np.float64),
        utility=np.zeros(shape.players, np.float64),
        utility_sum=np.full(1, np.nan),
    )


def enlarge(graph: StateGraph, shape: GameShape, limits: Limits) -> StateGraph:
    """Return a copy of a graph with twice the room in the dimensions that are more than half full.

    Raises:
        GameTooLarge: the copy would exceed the limit on memory.
    """
    used, edges, weights = (int(graph.counters[index]) for index in (STATES, TRANSITIONS, PROBABILITIES))
    room = len(graph.actors) * (2 if 2 * used >= len(graph.actors) else 1)
    branching = shape.max_actions ** min(shape.players, 2) + shape.max_outcomes
    larger = new_graph(
        shape,
        max(room, used + branching + 1),
        max(len(graph.target) * (2 if 2 * edges >= len(graph.target) else 1), edges + branching),
    )
    larger = larger._replace(
        probability=np.zeros(
            max(
                len(graph.probability) * (2 if 2 * weights >= len(graph.probability) else 1),
                weights + shape.max_outcomes,
            )
        )
    )
    if bytes_of(graph) + bytes_of(larger) > limits.memory_bytes:
        raise GameTooLarge(
            f"the graph of world states needs more than {limits.memory_bytes / 2**30:.2g} GiB (after {used:,} states"
            f" and {edges:,} transitions): raise the limit on memory or choose smaller parameters"
        )
    for name in (
        "words",
        "actors",
        "rows",
        "columns",
        "first",
        "target",
        "first_probability",
        "probability",
        "utility",
    ):
        old = getattr(graph, name)
        getattr(larger, name)[: len(old)] = old
    larger.counters[:] = graph.counters
    fill_slots(larger, shape.state_words)
    return larger


def trim(graph: StateGraph, shape: GameShape) -> StateGraph:
    """Return a graph without its unused room."""
    used, edges, weights = (int(graph.counters[index]) for index in (STATES, TRANSITIONS, PROBABILITIES))
    return StateGraph(
        words=graph.words[: used * shape.state_words].copy(),
        actors=graph.actors[:used].copy(),
        rows=graph.rows[:used].copy(),
        columns=graph.columns[:used].copy(),
        first=graph.first[: used + 1].copy(),
        target=graph.target[:edges].copy(),
        first_probability=graph.first_probability[:used].copy(),
        probability=graph.probability[: max(weights, 1)].copy(),
        utility=graph.utility[:used].copy(),
        slots=graph.slots,
        counters=graph.counters,
    )


@kernel
def fill_slots(graph: StateGraph, width: int) -> None:
    """Enter all states into an empty table."""
    for state in range(graph.counters[STATES]):
        graph.slots[slot_of_state(graph, width, graph.words, state * width)] = state


# --- the kernel -------------------------------------------------------------------------------------------------------


@kernel
def explore_slice(
    functions: NativeFunctions,
    shape: GameShape,
    graph: StateGraph,
    buffers: ExplorationBuffers,
    tolerance: float,
    budget: int,
) -> int:
    """Expand at most `budget` further states, in the order of their discovery.

    Args:
        functions: of the game.
        shape: of the game.
        graph: grows.
        buffers: overwritten; `utility_sum` is kept from call to call.
        tolerance: by how much sums of utilities may differ.
        budget: in states.

    Returns:
        DONE, PAUSED, NEEDS_ROOM, or a problem with the state that is next to be expanded.
    """
    counters = graph.counters
    for _ in range(budget):
        state = counters[EXPANDED]
        if state == counters[STATES]:
            return DONE
        actors = call_actors(functions.actors, graph.words, state * shape.state_words)
        graph.actors[state] = actors
        graph.first[state] = counters[TRANSITIONS]
        if actors == TERMINAL:
            status = enter_terminal(functions, shape, graph, buffers, state, tolerance)
        elif actors == CHANCE:
            status = enter_chance(functions, shape, graph, buffers, state)
        else:
            status = enter_decision(functions, shape, graph, buffers, state, actors)
        if status != DONE:
            return status
        counters[EXPANDED] = state + 1
        graph.first[state + 1] = counters[TRANSITIONS]
    return DONE if counters[EXPANDED] == counters[STATES] else PAUSED


@kernel
def enter_terminal(
    functions: NativeFunctions,
    shape: GameShape,
    graph: StateGraph,
    buffers: ExplorationBuffers,
    state: int,
    tolerance: float,
) -> int:
    """Record the utility of a terminal state and compare the sum of utilities with what it was before."""
    result = call_utility(functions.utility, graph.words, state * shape.state_words, buffers.utility, 0)
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
def enter_chance(
    functions: NativeFunctions, shape: GameShape, graph: StateGraph, buffers: ExplorationBuffers, state: int
) -> int:
    """Record the outcomes of a chance state and the states they lead to."""
    at = state * shape.state_words
    count = call_chance(functions.chance, graph.words, at, buffers.outcomes, 0, buffers.probability, 0)
    if count == 0:
        return DEAD_END
    if count < 0:
        graph.counters[FAULT_FOUND] = -count
        return FAULT
    weight = graph.counters[PROBABILITIES]
    if weight + count > graph.probability.size or lacks_room(graph, count):
        return NEEDS_ROOM
    graph.rows[state] = count
    graph.first_probability[state] = weight
    graph.counters[PROBABILITIES] = weight + count
    for outcome in range(count):
        graph.probability[weight + outcome] = buffers.probability[outcome]
        buffers.joint[shape.players] = buffers.outcomes[outcome]
        add_transition(functions, shape, graph, buffers, at)
    return DONE


@kernel
def enter_decision(
    functions: NativeFunctions,
    shape: GameShape,
    graph: StateGraph,
    buffers: ExplorationBuffers,
    state: int,
    actors: int,
) -> int:
    """Record the joint actions of a state and the states they lead to."""
    at = state * shape.state_words
    rows, columns = 1, 1
    if actors & 1:
        rows = call_legal(functions.legal, graph.words, at, 0, buffers.actions, 0)
    if actors & 2:
        columns = call_legal(functions.legal, graph.words, at, 1, buffers.actions, shape.max_actions)
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
            add_transition(functions, shape, graph, buffers, at)
    return DONE


@kernel
def lacks_room(graph: StateGraph, count: int) -> bool:
    """Return whether `count` further transitions, each to a new state, might not fit."""
    if graph.counters[TRANSITIONS] + count > graph.target.size:
        return True
    return bool(graph.counters[STATES] + count > graph.actors.size)


@kernel
def add_transition(
    functions: NativeFunctions, shape: GameShape, graph: StateGraph, buffers: ExplorationBuffers, at: int
) -> None:
    """Append the transition that `buffers.joint` makes from the state at `at`, and its target if that is new."""
    width = shape.state_words
    call_step(functions.step, graph.words, at, buffers.state, 0, buffers.joint, 0)
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
