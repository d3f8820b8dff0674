"""What came of plays that took an action at any later time, for edges that were seldom tried themselves.

The actions of a playout, and those on the way down to it, count for every node above them in which the same player
could have taken them at once (RAVE: Gelly, Silver 2007).

Dimensions: P players, S slots for the actions of a player, L actions of a playout.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import I64, inline_kernel
from ggp.native.calls import call_actors, mover_of
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.interface import TERMINAL as NOBODY_ACTS
from players.search.foundation.kernel_arguments import ITERATION, LeafOptions, Model, Work
from players.search.foundation.leaf_values import (
    other_state,
    random_transition,
    value_by_estimate,
    value_end,
    value_leaf,
    value_unknown,
)
from players.search.uct.graph import CHANCE, EDGE_HALVES, EDGES, KIND, LABEL, MOVER, NO_EDGE, Graph, edge_of
from players.search.uct.playout_policy import NO_POLICY, Policy, begin, fresh, guided_transition

SLOTS = 1 << 13
"""Actions of numbers that are this far apart share one."""
LONGEST = 1 << 12
"""Actions of a playout; a longer one is cut."""


class Played(NamedTuple):
    """The memory of what was played."""

    latest: I64  # [P * S] the last iteration in which the player took the action
    trace: I64  # [L] slots of the actions of a playout
    length: I64  # [1] how many
    policy: Policy  # by which playouts choose


def new_played(players: int, notes: bool, policy: Policy = NO_POLICY) -> Played:
    """Return empty memory; `notes`: whether playouts will be noted."""
    slots, longest = (players * SLOTS, LONGEST) if notes else (1, 1)
    return Played(np.full(slots, -1, np.int64), np.zeros(longest, np.int64), np.zeros(1, np.int64), fresh(policy))


@inline_kernel
def slot_of(player: int, action: int) -> int:
    """Return where an action's last iteration is."""
    return int(player * SLOTS + (action & (SLOTS - 1)))


@inline_kernel
def play_out(model: Model, work: Work, leaf: LeafOptions, played: Played, before: I64, before_at: int, at: int) -> None:
    """Play at random, or by the policy, from a state that is not terminal; write `work.utility`, and keep the actions.

    The state before it is where `before` and `before_at` say.
    """
    policy = played.policy
    guided = policy.cells.size > 0
    if guided:
        begin(policy, before, before_at, work.states, at)
    for _ in range(min(leaf.playout_limit, played.trace.size)):
        actors = call_actors(model.functions.actors, work.states, at)
        if actors == NOBODY_ACTS:
            value_end(model, work, at)
            return
        to = other_state(model, at)
        if guided:
            moved = guided_transition(model, policy, work, at, to)
        else:
            moved = random_transition(model, work, at, to)
        if not moved:
            value_unknown(work)
            return
        left = 0 if actors == CHANCE_ACTS else actors
        while left != 0 and played.length[0] < played.trace.size:  # more than one where moves are simultaneous
            player = mover_of(left)
            played.trace[played.length[0]] = slot_of(player, int(work.joint[player]))
            played.length[0] += 1
            left &= left - 1
        at = to
    value_by_estimate(model, work, at)


@inline_kernel
def value_new(
    model: Model, work: Work, leaf: LeafOptions, played: Played, before: I64, before_at: int, at: int
) -> None:
    """Write to `work.utility` the value of a state that is not terminal, and note the playout if there is one.

    The state before it is where `before` and `before_at` say.
    """
    if played.trace.size > 1 and not leaf.estimate:
        play_out(model, work, leaf, played, before, before_at, at)
    else:
        value_leaf(model, work, leaf, at)


@inline_kernel
def note_playout(work: Work, played: Played) -> None:
    """Note that the playout's actions were taken in this iteration."""
    for place in range(played.length[0]):
        played.latest[played.trace[place]] = work.cursor[ITERATION]


@inline_kernel
def note_node(graph: Graph, work: Work, played: Played, depth: int) -> None:
    """Note the action taken at a node of the path, and count for the node all that its mover took from there on."""
    node, number = int(work.path_node[depth]), int(work.path_joint[depth])
    half = 2 * node
    if graph.ints[half + KIND] == CHANCE or number == NO_EDGE:
        return
    mover = int(graph.ints[half + MOVER])
    played.latest[slot_of(mover, int(graph.ints[edge_of(graph, node, number) + LABEL]))] = work.cursor[ITERATION]
    utility = np.float32(work.utility[mover])
    first = edge_of(graph, node, 0)
    for edge in range(first, first + EDGE_HALVES * graph.ints[half + EDGES], EDGE_HALVES):
        if played.latest[slot_of(mover, int(graph.ints[edge + LABEL]))] == work.cursor[ITERATION]:
            graph.later[edge] += np.float32(1.0)
            graph.later[edge + 1] += (utility - graph.later[edge + 1]) / graph.later[edge]
