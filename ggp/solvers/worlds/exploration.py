"""Finds all world states of a game, within limits, for exact methods.

The kernels that do the work are in `exploration_kernels.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from ggp.codegen.kernels import F64, I32, I64, allocated, resized
from ggp.errors import GgpError
from ggp.native.calls import call_init
from ggp.native.interface import GameShape, NativeGame
from ggp.solvers.worlds.exploration_kernels import (
    DONE,
    FAULT,
    NEEDS_ROOM,
    PAUSED,
    SUM_DIFFERS,
    Exploration,
    explore_slice,
    new_buffers,
)
from ggp.solvers.worlds.state_graph import (
    EMPTY,
    EXPANDED,
    FAULT_FOUND,
    NEEDED,
    PROBABILITIES,
    STATES,
    TRANSITIONS,
    GameGraph,
    StateGraph,
    bytes_of,
    fill_slots,
    new_graph,
    slot_of_state,
    trim,
)

MAX_STATES = 20_000_000
"""Default limit on states."""

SUM_TOLERANCE = 1e-9
"""Largest difference between the sums of utilities of two terminal states, as a share of the utility range (at least
1)."""

SLICE = 20_000
"""States expanded between two reports of progress; the first slices are smaller, each twice as long as the last."""

FIRST_STATES, FIRST_TRANSITIONS, FIRST_PROBABILITIES = 4096, 32768, 8192


Progress = Callable[[int, int], None]
"""Called with the number of states found so far and the number of these expanded."""


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
        states: maximum number of distinct world states.
        memory_bytes: maximum memory of the graph, both copies counted while it grows.
    """

    states: int = MAX_STATES
    memory_bytes: int = 4 * 2**30


def explore_game(
    native: NativeGame, limits: Limits | None = None, progress: Progress | None = None, start: I64 | None = None
) -> GameGraph:
    """Return the graph of all reachable world states of a game, or of those that can follow one of them.

    Args:
        native: a game of one player, or of two whose utilities have a constant sum; without hidden information.
        limits: `Limits()` by default.
        progress: called from time to time.
        start: `[W]` the words of the first state; None: the game's initial one.

    Raises:
        NotSolvable: three or more players, hidden information, or sums of utilities that differ.
        GameTooLarge: the limits were reached.
        FaultInRules: a fault or a dead end can be reached.
    """
    check_kind(native)
    limits = limits or Limits()
    graph = new_graph(native.shape, FIRST_STATES, FIRST_TRANSITIONS, FIRST_PROBABILITIES)
    buffers = new_buffers(native.shape)
    if start is None:
        call_init(native.functions.init, graph.words, 0)
    else:
        graph.words[: start.size] = start
    graph.slots[slot_of_state(graph, native.shape.state_words, graph.words, 0)] = 0
    graph.counters[STATES] = 1
    tolerance = SUM_TOLERANCE * max(
        1.0, *(high - low for low, high in zip(native.utility_low, native.utility_high, strict=True))
    )
    states = 1
    while True:
        status = explore_slice(Exploration(native.functions, native.shape, graph, buffers), tolerance, states)
        states = min(2 * states, SLICE)
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
            "the payoffs of the two players have no constant sum that is proven, or stated in the rules as in"
            " `payoff sum = 0`; exact values are defined here for such games only"
        )
    if not native.perfect_information:
        raise NotSolvable(
            "the game hides information from its players; methods over world states take these to be known, so it needs"
            " one over information states"
        )


def raise_problem(status: int, graph: StateGraph, native: NativeGame) -> None:
    """Raise the error that the exploring kernel reports for the state it stopped at."""
    if status == SUM_DIFFERS:
        raise NotSolvable("the utilities of the two players do not sum to the same number in all terminal states")
    raise_fault(native, int(graph.counters[FAULT_FOUND]) if status == FAULT else 0)


def raise_fault(native: NativeGame, fault: int) -> NoReturn:
    """Raise the error of a fault with this number that play can reach; 0: of a dead end."""
    if not fault:
        raise FaultInRules("a player is to act in some reachable state but has no legal action")
    raise FaultInRules(f"play can run into an error of the rules: {native.faults[fault - 1]}")


def enlarge(graph: StateGraph, shape: GameShape, limits: Limits) -> StateGraph:
    """Return a copy of a graph with room for what did not fit, and twice the room where it is more than half full.

    Raises:
        GameTooLarge: the copy would exceed the limit on memory.
    """
    used, edges, weights = (int(graph.counters[index]) for index in (STATES, TRANSITIONS, PROBABILITIES))
    needed = int(graph.counters[NEEDED])
    lengths = {
        "W": shape.state_words,
        "N": max(_room(graph.actors, used), used + needed),
        "E": max(_room(graph.target, edges), edges + needed),
        "Q": max(_room(graph.probability, weights), weights + needed),
    }
    if bytes_of(graph) + bytes_of(allocated(StateGraph, **lengths)) > limits.memory_bytes:
        raise GameTooLarge(
            f"the graph of world states needs more than {limits.memory_bytes / 2**30:.2g} GiB (after {used:,} states"
            f" and {edges:,} transitions): raise the limit on memory or choose smaller parameters"
        )
    larger = resized(graph, **lengths)
    larger.slots.fill(EMPTY)
    fill_slots(larger, shape.state_words)
    return larger


def _room(array: I32 | F64, used: int) -> int:
    return len(array) * (2 if 2 * used >= len(array) else 1)
