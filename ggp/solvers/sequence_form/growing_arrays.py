"""The arrays that grow while a game is unfolded layer by layer; `unfolding_kernels.py` fills them.

Dimensions: N world states of a layer, M of all layers, I information states at which a player acts, S sequences,
Z ends of play; of a game W words of a state, P players.

A *sequence* of a player is an information state at which it acts and an action taken there, or the empty sequence, by
which it has not acted yet. By perfect recall an information state determines the sequence before it. Sequences of all
players are numbered together: the empty one of player `p` is number `p`, the others follow in the order in which their
information states were discovered.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, U64, allocated
from ggp.native.interface import GameShape
from ggp.solvers.worlds.state_graph import slots_for  # noqa: F401 - in shapes

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

    words: Annotated[I64, "N * W"]
    keys: Annotated[U64, "N * 2 * P"]  # information-state key of each player
    sequence: Annotated[I32, "N * P"]  # last sequence of each player
    reach: Annotated[F64, "N"]  # reach probability of chance, summed over the ways that lead there
    actors: Annotated[I64, "N"]
    slots: Annotated[I32, "slots_for(N)"]  # hash table: which state, or NOTHING


class History(NamedTuple):
    """How each world state was first reached; texts of information states are made from this."""

    parent: Annotated[I32, "M"]  # number of the state before, counted over all layers
    branch: Annotated[I32, "M"]  # which of its successors, in the order in which they are enumerated


class Sets(NamedTuple):
    """The information states at which players act, in the order of their discovery."""

    key: Annotated[U64, "2 * I"]
    player: Annotated[I32, "I"]
    parent: Annotated[I32, "I"]  # the player's sequence before
    first: Annotated[I32, "I + 1"]  # first sequence of each
    witness: Annotated[I32, "I"]  # number of the world state in which it was discovered
    opening: Annotated[F64, "I"]  # reach probability of chance where no player has acted before
    slots: Annotated[I32, "slots_for(I)"]  # hash table: which information state, or NOTHING
    action: Annotated[I64, "S"]  # the action that ends a sequence; NOTHING for empty sequences


class Ends(NamedTuple):
    """The ends of play, one for each way into a terminal state."""

    sequence: Annotated[I32, "Z * P"]  # last sequence of each player
    utility: Annotated[F64, "Z * P"]  # utilities times the reach probability of chance


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
    layer = allocated(Layer, N=states, **shape.lengths)
    layer.slots.fill(NOTHING)
    return layer


def new_unfolding(shape: GameShape) -> Unfolding:
    """Return arrays with room for a small game; the empty sequences are entered."""
    players, counters = shape.players, np.zeros(COUNTERS, np.int64)
    sets = allocated(Sets, I=FIRST_SETS, S=FIRST_SEQUENCES + players)
    sets.slots.fill(NOTHING)
    sets.action[:players] = NOTHING
    sets.first[0] = counters[SEQUENCES] = players
    history = allocated(History, M=FIRST_STATES)
    history.parent[0] = NOTHING
    return Unfolding(
        layer=new_layer(shape, FIRST_STATES),
        following=new_layer(shape, FIRST_STATES),
        history=history,
        sets=sets,
        ends=allocated(Ends, Z=FIRST_ENDS, P=players),
        counters=counters,
    )
