"""The distinct world states of a game and the transitions between them, as arrays.

Values, best responses and counts are computed on this graph. `exploration.py` builds it.
Dimensions: N states, E transitions, W words of a state, T slots of the table of states (a power of two).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, kernel
from ggp.native.hashing import START, hash_of, same_words
from ggp.native.interface import GameShape, NativeGame

ROOT = 0
NO_STATE = -1
EMPTY = -1

STATES, TRANSITIONS, PROBABILITIES, EXPANDED, TERMINALS, FAULT_FOUND, NEEDED, COUNTERS = 0, 1, 2, 3, 4, 5, 6, 7


class StateGraph(NamedTuple):
    """Distinct world states, numbered in the order of their discovery; state 0 is the initial one.

    Joint actions of a state are numbered row-major over the positions of the players' legal actions, the first
    player's slowest; a player who does not act counts as having one action. Chance outcomes are numbered by position.
    """

    words: I64  # [N * W] the states
    actors: I32  # [N] as the native function says: -1 terminal, 0 chance, else a bit mask of players
    rows: I32  # [N] legal actions of the first player; of chance, its outcomes; 1 where terminal
    columns: I32  # [N] legal actions of the second player, 1 where it does not act
    first: I64  # [N + 1] first transition of each state
    target: I32  # [E] the state that a joint action or chance outcome leads to
    first_probability: I64  # [N] first probability of a chance state, else -1
    probability: F64  # [number of transitions of chance states]
    utility: F64  # [N] to the first player in a terminal state, else 0
    slots: I32  # [T] table of states by hash, with linear probing; EMPTY or a state
    counters: I64  # [COUNTERS] used of each dimension, states expanded, terminals, a fault, what did not fit


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
    """Return the memory that arrays take, tuples of them included."""
    return sum(bytes_of(part) if isinstance(part, tuple) else int(part.nbytes) for part in arrays)


# --- memory -----------------------------------------------------------------------------------------------------------


def new_graph(shape: GameShape, states: int, transitions: int, probabilities: int) -> StateGraph:
    """Return an empty graph with room for so many states, transitions, and transitions of chance states."""
    table = 1 << (2 * states - 1).bit_length()
    return StateGraph(
        words=np.zeros(states * shape.state_words, np.int64),
        actors=np.zeros(states, np.int32),
        rows=np.ones(states, np.int32),
        columns=np.ones(states, np.int32),
        first=np.zeros(states + 1, np.int64),
        target=np.zeros(transitions, np.int32),
        first_probability=np.full(states, -1, np.int64),
        probability=np.zeros(max(probabilities, shape.max_outcomes), np.float64),
        utility=np.zeros(states, np.float64),
        slots=np.full(table, EMPTY, np.int32),
        counters=np.zeros(COUNTERS, np.int64),
    )


def copy_states(graph: StateGraph, larger: StateGraph, width: int) -> None:
    """Copy a graph with states of `width` words into an empty one with at least as much room."""
    for name in StateGraph._fields:
        if name != "slots":
            old = getattr(graph, name)
            getattr(larger, name)[: len(old)] = old
    fill_slots(larger, width)


def trim(graph: StateGraph, shape: GameShape) -> StateGraph:
    """Return a graph without its unused room."""
    used, edges, weights = (int(graph.counters[index]) for index in (STATES, TRANSITIONS, PROBABILITIES))
    lengths = dict.fromkeys(("actors", "rows", "columns", "first_probability", "utility"), used)
    lengths |= {"words": used * shape.state_words, "first": used + 1, "target": edges, "probability": max(weights, 1)}
    return graph._replace(**{name: getattr(graph, name)[:length].copy() for name, length in lengths.items()})


@kernel
def fill_slots(graph: StateGraph, width: int) -> None:
    """Enter all states into an empty table."""
    for state in range(graph.counters[STATES]):
        graph.slots[slot_of_state(graph, width, graph.words, state * width)] = state
