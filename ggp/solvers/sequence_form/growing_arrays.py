"""The arrays that grow while a game is unfolded layer by layer; `unfolding_kernels.py` fills them.

Dimensions: N world states of a layer, M of all layers, I information states at which a player acts, S sequences,
Z ends of play; of a game W words of a state, P players.

A *sequence* of a player is an information state at which it acts and an action taken there, or the empty sequence, by
which it has not acted yet. By perfect recall an information state determines the sequence before it. Sequences of all
players are numbered together: the empty one of player `p` is number `p`, the others follow in the order in which their
information states were discovered.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, U64
from ggp.native.interface import GameShape

Array = TypeVar("Array", F64, I32, I64, U64)

NOTHING = -1
"""Entry of a free slot in a hash table, and the parent of the initial state."""

SETS, SEQUENCES, ENDS, STATES, EXPANDED, FOLLOWING, NEEDED, FAULT_FOUND, TROUBLE = range(9)
"""Indices of counters: information states, sequences, ends of play, states of all layers, expanded states of this
layer, states of the next layer, successors that did not fit, the fault met, and the information state at which
unfolding had to stop."""
COUNTERS = 9


class Layer(NamedTuple):
    """World states that are equally many transitions from the start, each with what every player knows in it.

    Histories that lead to the same world state and the same information states of all players share one entry.
    """

    words: I64  # [N * W]
    keys: U64  # [N * 2P] information-state key of each player
    sequence: I32  # [N * P] last sequence of each player
    reach: F64  # [N] reach probability of chance, summed over the ways that lead there
    actors: I64  # [N]
    slots: I32  # [2^k] hash table: which state, or NOTHING


class History(NamedTuple):
    """How each world state was first reached; texts of information states are made from this."""

    parent: I32  # [M] number of the state before, counted over all layers
    branch: I32  # [M] which of its successors, in the order in which they are enumerated


class Sets(NamedTuple):
    """The information states at which players act, in the order of their discovery."""

    key: U64  # [2 * I]
    player: I32  # [I]
    parent: I32  # [I] the player's sequence before
    first: I32  # [I + 1] first sequence of each
    witness: I32  # [I] number of the world state in which it was discovered
    opening: F64  # [I] reach probability of chance where no player has acted before
    slots: I32  # [2^k] hash table: which information state, or NOTHING
    action: I64  # [S] the action that ends a sequence; NOTHING for empty sequences


class Ends(NamedTuple):
    """The ends of play, one for each way into a terminal state."""

    sequence: I32  # [Z * P] last sequence of each player
    utility: F64  # [Z * P] utilities times the reach probability of chance


class Unfolding(NamedTuple):
    """All arrays that are kept while a game is unfolded."""

    layer: Layer
    following: Layer
    history: History
    sets: Sets
    ends: Ends
    counters: I64  # [COUNTERS]


FIRST_STATES, FIRST_SETS, FIRST_SEQUENCES, FIRST_ENDS = 1024, 1024, 4096, 4096


def new_layer(shape: GameShape, states: int) -> Layer:
    """Return an empty layer with room for `states` states."""
    return Layer(
        words=np.zeros(states * shape.state_words, np.int64),
        keys=np.zeros(states * 2 * shape.players, np.uint64),
        sequence=np.zeros(states * shape.players, np.int32),
        reach=np.zeros(states),
        actors=np.zeros(states, np.int64),
        slots=np.full(slots_for(states), NOTHING, np.int32),
    )


def new_unfolding(shape: GameShape) -> Unfolding:
    """Return arrays with room for a small game; the empty sequences are entered."""
    sets = Sets(
        key=np.zeros(2 * FIRST_SETS, np.uint64),
        player=np.zeros(FIRST_SETS, np.int32),
        parent=np.zeros(FIRST_SETS, np.int32),
        first=np.zeros(FIRST_SETS + 1, np.int32),
        witness=np.zeros(FIRST_SETS, np.int32),
        opening=np.zeros(FIRST_SETS),
        slots=np.full(slots_for(FIRST_SETS), NOTHING, np.int32),
        action=np.full(FIRST_SEQUENCES + shape.players, NOTHING, np.int64),
    )
    sets.first[0] = shape.players
    counters = np.zeros(COUNTERS, np.int64)
    counters[SEQUENCES] = shape.players
    return Unfolding(
        layer=new_layer(shape, FIRST_STATES),
        following=new_layer(shape, FIRST_STATES),
        history=History(np.full(FIRST_STATES, NOTHING, np.int32), np.zeros(FIRST_STATES, np.int32)),
        sets=sets,
        ends=Ends(np.zeros(FIRST_ENDS * shape.players, np.int32), np.zeros(FIRST_ENDS * shape.players)),
        counters=counters,
    )


def slots_for(entries: int) -> int:
    """Return the size of a hash table for `entries` entries: a power of 2, at most half full."""
    return int(2 ** max(4, int(2 * entries - 1).bit_length()))


def widen_layer(layer: Layer, shape: GameShape, room: int) -> Layer:
    """Return a copy of a layer with room for `room` states, which are not in its hash table yet."""
    return Layer(
        words=longer(layer.words, room * shape.state_words),
        keys=longer(layer.keys, room * 2 * shape.players),
        sequence=longer(layer.sequence, room * shape.players),
        reach=longer(layer.reach, room),
        actors=longer(layer.actors, room),
        slots=np.full(slots_for(room), NOTHING, np.int32),
    )


def longer(array: Array, length: int, fill: int = 0) -> Array:
    """Return a copy of an array with more entries at its end."""
    copy = np.full(length, fill, array.dtype)
    copy[: len(array)] = array
    return copy
