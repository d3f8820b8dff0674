"""The distinct world states of a game and the transitions between them, as arrays.

Values, best responses and counts are computed on this graph. `exploration.py` builds it.
Dimensions: N states, E transitions, Q transitions of chance states, W words of a state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, allocated, kernel, resized
from ggp.native.hashing import START, hash_of, same_words
from ggp.native.interface import GameShape, NativeGame

ROOT = 0
NO_STATE = -1
EMPTY = -1

STATES, TRANSITIONS, PROBABILITIES, EXPANDED, TERMINALS, FAULT_FOUND, NEEDED, COUNTERS = 0, 1, 2, 3, 4, 5, 6, 7
"""Counters: used of each dimension, states expanded, terminals, a fault, what did not fit; how many there are."""


class StateGraph(NamedTuple):
    """Distinct world states, numbered in the order of their discovery; state 0 is the initial one.

    Joint actions of a state are numbered row-major over the positions of the players' legal actions, the first
    player's slowest; a player who does not act counts as having one action. Chance outcomes are numbered by position.
    """

    words: Annotated[I64, "N * W"]  # the states
    actors: Annotated[I32, "N"]  # as the native function says: -1 terminal, 0 chance, else a bit mask of players
    rows: Annotated[I32, "N"]  # legal actions of the first player; of chance, its outcomes; 1 where terminal
    columns: Annotated[I32, "N"]  # legal actions of the second player, 1 where it does not act
    first: Annotated[I64, "N + 1"]  # first transition of each state
    target: Annotated[I32, "E"]  # the state that a joint action or chance outcome leads to
    first_probability: Annotated[I64, "N"]  # first probability of a chance state
    probability: Annotated[F64, "Q"]
    utility: Annotated[F64, "N"]  # to the first player in a terminal state, else 0
    slots: Annotated[I32, "slots_for(N)"]  # table of states by hash, with linear probing; EMPTY or a state
    counters: Annotated[I64, "COUNTERS"]  # see above


class GameGraph(NamedTuple):
    """A game of one player, or of two with utilities of constant sum, with all its world states."""

    native: NativeGame
    graph: StateGraph
    utility_sum: float  # of all players in every terminal state; for one player, unused and 0

    @property
    def players(self) -> int:
        """Number of players, 1 or 2."""
        return self.native.shape.players

    @property
    def states(self) -> int:
        """Number of distinct world states, N."""
        return int(self.graph.counters[STATES])

    def state_words(self, state: int) -> I64:
        """Return the `[W]` words of a state."""
        width = self.native.shape.state_words
        return self.graph.words[state * width : (state + 1) * width]

    def find(self, words: Sequence[int] | I64) -> int:
        """Return the number of the state with these `[W]` words, or NO_STATE."""
        wanted = np.ascontiguousarray(words, np.int64)
        return int(find_state(self.graph, self.native.shape.state_words, wanted, 0))


@kernel
def slot_of_state(graph: StateGraph, width: int, words: I64, at: int) -> int:
    """Return the slot that holds the state whose words begin at `at`, or the empty slot where it belongs."""
    last = np.uint64(graph.slots.size - 1)
    slot = np.int64(hash_of(words, at, at + width, START) & last)
    while graph.slots[slot] != EMPTY and not same_words(graph.words, graph.slots[slot] * width, words, at, width):
        slot = (slot + 1) & (graph.slots.size - 1)
    return int(slot)


@kernel
def find_state(graph: StateGraph, width: int, words: I64, at: int) -> int:
    """Return the number of the state whose words begin at `at`, or NO_STATE."""
    return int(graph.slots[slot_of_state(graph, width, words, at)])


def bytes_of(arrays: tuple[Any, ...]) -> int:
    """Return the memory that arrays take, tuples of them included; numbers among them count nothing."""
    return sum(bytes_of(part) if isinstance(part, tuple) else getattr(part, "nbytes", 0) for part in arrays)


# --- memory -----------------------------------------------------------------------------------------------------------


def slots_for(entries: int) -> int:
    """Return the size of a hash table for so many entries: a power of 2, at most half full."""
    return 1 << max(4, (2 * entries - 1).bit_length())


def new_graph(shape: GameShape, states: int, transitions: int, probabilities: int) -> StateGraph:
    """Return an empty graph with room for so many states, transitions, and transitions of chance states."""
    graph = allocated(
        StateGraph, W=shape.state_words, N=states, E=transitions, Q=max(probabilities, shape.max_outcomes)
    )
    graph.slots.fill(EMPTY)
    return graph


def trim(graph: StateGraph, shape: GameShape) -> StateGraph:
    """Return a graph without its unused room."""
    used, edges, weights = (int(graph.counters[index]) for index in (STATES, TRANSITIONS, PROBABILITIES))
    return resized(graph, W=shape.state_words, N=used, E=edges, Q=max(weights, 1), slots=graph.slots)


@kernel
def fill_slots(graph: StateGraph, width: int) -> None:
    """Enter all states into an empty table."""
    for state in range(graph.counters[STATES]):
        graph.slots[slot_of_state(graph, width, graph.words, state * width)] = state
