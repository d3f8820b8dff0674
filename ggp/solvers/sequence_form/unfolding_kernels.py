"""Unfolds a game layer by layer through its native functions: the kernels of building a sequence form.

Dimensions as in `growing_arrays.py`, and of a game: A legal actions at most, C chance outcomes at most, O words of an
observation at most.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, allocated, inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_step, call_utility
from ggp.native.information_states import extend_keys_by_transition
from ggp.native.interface import CHANCE, TERMINAL, GameShape, NativeFunctions
from ggp.solvers.sequence_form.growing_arrays import (
    ENDS,
    EXPANDED,
    FAULT_FOUND,
    FOLLOWING,
    NEEDED,
    NOTHING,
    SEQUENCES,
    SETS,
    STATES,
    TROUBLE,
    Layer,
    Unfolding,
)
from ggp.solvers.sequence_form.hash_tables import slot_of_set, slot_of_state

DONE, PAUSED, NEEDS_ROOM, FAULT, DEAD_END, LEGAL_DIFFERS, RECALL_DIFFERS = 0, 1, 2, 3, 4, 5, 6
"""How expanding a layer ended: all of it is expanded, the budget is used up, arrays are full, or a problem was met. Two
problems concern information states: states that look the same have different legal actions, or follow different
decisions of the player."""


class Buffers(NamedTuple):
    """Scratch memory of the kernels here."""

    state: Annotated[I64, "W"]
    keys: Annotated[U64, "2 * P"]
    joint: Annotated[I64, "P + 1"]
    actions: Annotated[I64, "P * A"]  # legal actions of each player
    counts: Annotated[I64, "P"]  # how many these are; 1 where a player does not act
    chosen: Annotated[I64, "P"]  # position of the action in the joint action being tried
    set: Annotated[I64, "P"]  # information state that an acting player is in
    first: Annotated[I64, "P"]  # first sequence of it
    outcomes: Annotated[I64, "C"]
    probability: Annotated[F64, "C"]
    observation: Annotated[I64, "O"]
    utility: Annotated[F64, "P"]
    sums: Annotated[F64, "2"]  # least and greatest sum of the utilities at an end so far


class Work(NamedTuple):
    """A game that is unfolded, what was found of it so far, and scratch memory."""

    functions: NativeFunctions
    shape: GameShape
    unfolding: Unfolding
    buffers: Buffers


def new_buffers(shape: GameShape) -> Buffers:
    """Return scratch memory for a game of this shape."""
    buffers = allocated(Buffers, **shape.lengths)
    buffers.sums[:] = np.inf, -np.inf
    return buffers


@kernel
def expand_layer(work: Work, states: int, before: int, budget: int) -> int:
    """Expand at most `budget` further states of a layer into the next one.

    Args:
        work: what was found grows; counter EXPANDED says which state is next.
        states: how many the layer has.
        before: number of states in all earlier layers.
        budget: in states.

    Returns:
        DONE, PAUSED, NEEDS_ROOM, or a problem with the state that is next to be expanded.
    """
    unfolding, counters = work.unfolding, work.unfolding.counters
    for _ in range(budget):
        at = counters[EXPANDED]
        if at == states:
            return DONE
        if unfolding.layer.actors[at] == CHANCE:
            status = expand_chance(work, at, before + at)
        else:
            status = expand_decision(work, at, before + at)
        if status != DONE:
            return status
        counters[EXPANDED] = at + 1
    return DONE if counters[EXPANDED] == states else PAUSED


@kernel
def expand_chance(work: Work, at: int, number: int) -> int:
    """Add the successors of a state in which chance acts."""
    shape, unfolding, buffers = work.shape, work.unfolding, work.buffers
    words, outcomes = at * shape.state_words, buffers.outcomes
    count = call_chance(work.functions.chance, unfolding.layer.words, words, outcomes, 0, buffers.probability, 0)
    if count == 0:
        return DEAD_END
    if count < 0:
        unfolding.counters[FAULT_FOUND] = -count
        return FAULT
    if lacks_room(shape, unfolding, count):
        unfolding.counters[NEEDED] = count
        return NEEDS_ROOM
    for outcome in range(count):
        buffers.joint[shape.players] = buffers.outcomes[outcome]
        reach = unfolding.layer.reach[at] * buffers.probability[outcome]
        status = add_successor(work, at, number, outcome, 0, reach)
        if status != DONE:
            return status
    return DONE


@kernel
def expand_decision(work: Work, at: int, number: int) -> int:
    """Add the successors of a state in which players act, after entering their information states."""
    shape, unfolding, buffers = work.shape, work.unfolding, work.buffers
    layer, counters = unfolding.layer, unfolding.counters
    acting, joint_actions, new_sequences = layer.actors[at], 1, 0
    for player in range(shape.players):
        buffers.counts[player] = 1
        buffers.chosen[player] = 0
        if acting >> player & 1:
            words, place = at * shape.state_words, player * shape.max_actions
            count = call_legal(work.functions.legal, layer.words, words, player, buffers.actions, place)
            if count == 0:
                return DEAD_END
            if count < 0:
                counters[FAULT_FOUND] = -count
                return FAULT
            buffers.counts[player] = count
            joint_actions *= count
            new_sequences += count
    if lacks_room(shape, unfolding, joint_actions) or lacks_sets(shape, unfolding, new_sequences):
        counters[NEEDED] = max(joint_actions, new_sequences)
        return NEEDS_ROOM
    opening = 0.0
    if nobody_has_acted(shape, layer, at):
        opening = layer.reach[at]
    for player in range(shape.players):
        if acting >> player & 1:
            status = enter_set(work, at, number, player)
            if status != DONE:
                return status
            unfolding.sets.opening[buffers.set[player]] += opening
    for branch in range(joint_actions):
        for player in range(shape.players):
            buffers.joint[player] = buffers.actions[player * shape.max_actions + buffers.chosen[player]]
        status = add_successor(work, at, number, branch, acting, layer.reach[at])
        if status != DONE:
            return status
        next_joint_action(buffers)
    return DONE


@inline_kernel
def nobody_has_acted(shape: GameShape, layer: Layer, at: int) -> bool:
    """Return whether chance alone led to a state of the layer."""
    acted = False
    for player in range(shape.players):
        acted |= layer.sequence[at * shape.players + player] != player
    return not acted


@inline_kernel
def next_joint_action(buffers: Buffers) -> None:
    """Go on to the next joint action: the last player's action changes fastest."""
    for player in range(buffers.chosen.size - 1, -1, -1):
        buffers.chosen[player] += 1
        if buffers.chosen[player] < buffers.counts[player]:
            return
        buffers.chosen[player] = 0


@inline_kernel
def lacks_room(shape: GameShape, unfolding: Unfolding, count: int) -> bool:
    """Return whether `count` further successors, each a new state or an end, might not fit."""
    counters = unfolding.counters
    if counters[FOLLOWING] + count > unfolding.following.reach.size:
        return True
    if counters[STATES] + count > unfolding.history.parent.size:
        return True
    return bool((counters[ENDS] + count) * shape.players > unfolding.ends.utility.size)


@inline_kernel
def lacks_sets(shape: GameShape, unfolding: Unfolding, sequences: int) -> bool:
    """Return whether an information state of each player, with so many actions in all, might not fit."""
    if unfolding.counters[SETS] + shape.players > unfolding.sets.player.size:
        return True
    return bool(unfolding.counters[SEQUENCES] + sequences > unfolding.sets.action.size)


@kernel
def enter_set(work: Work, at: int, number: int, player: int) -> int:
    """Find or add the information state of an acting player, and write its number to the buffers."""
    shape, unfolding, buffers = work.shape, work.unfolding, work.buffers
    layer, sets, counters = unfolding.layer, unfolding.sets, unfolding.counters
    parent, count = layer.sequence[at * shape.players + player], buffers.counts[player]
    slot = slot_of_set(sets, layer.keys, 2 * (at * shape.players + player), player)
    found = sets.slots[slot]
    if found != NOTHING:
        counters[TROUBLE] = found
        first = sets.first[found]
        if sets.parent[found] != parent:
            return RECALL_DIFFERS
        if sets.first[found + 1] - first != count:
            return LEGAL_DIFFERS
        for position in range(count):
            if sets.action[first + position] != buffers.actions[player * shape.max_actions + position]:
                return LEGAL_DIFFERS
        buffers.set[player] = found
        buffers.first[player] = first
        return DONE
    new = counters[SETS]
    first = counters[SEQUENCES]
    sets.slots[slot] = new
    sets.key[2 * new] = layer.keys[2 * (at * shape.players + player)]
    sets.key[2 * new + 1] = layer.keys[2 * (at * shape.players + player) + 1]
    sets.player[new] = player
    sets.parent[new] = parent
    sets.witness[new] = number
    sets.first[new + 1] = first + count
    for position in range(count):
        sets.action[first + position] = buffers.actions[player * shape.max_actions + position]
    counters[SETS] = new + 1
    counters[SEQUENCES] = first + count
    buffers.set[player] = new
    buffers.first[player] = first
    return DONE


@kernel
def add_successor(work: Work, at: int, number: int, branch: int, acting: int, reach: float) -> int:
    """Add the state, or the end of play, to which `buffers.joint` leads from state `at` of the layer.

    Args:
        work: in its buffers joint action or outcome; of who acts, the position of the action and the first sequence.
        at: the state before, in its layer.
        number: the same, counted over all layers.
        branch: number of the successor among those of its state.
        acting: bit mask of the players who act; 0 at chance.
        reach: reach probability of chance.
    """
    shape, unfolding, buffers = work.shape, work.unfolding, work.buffers
    layer, players = unfolding.layer, shape.players
    call_step(work.functions.step, layer.words, at * shape.state_words, buffers.state, 0, buffers.joint, 0)
    actors = call_actors(work.functions.actors, buffers.state, 0)
    if actors == TERMINAL:
        return add_end(work, at, acting, reach)
    for word in range(2 * players):
        buffers.keys[word] = layer.keys[2 * at * players + word]
    fault = extend_keys_by_transition(
        work.functions.observe,
        players,
        acting,
        layer.words,
        at * shape.state_words,
        buffers.state,
        0,
        buffers.joint,
        buffers.observation,
        buffers.keys,
    )
    if fault < 0:
        unfolding.counters[FAULT_FOUND] = -fault
        return FAULT
    following, counters = unfolding.following, unfolding.counters
    slot = slot_of_state(following, shape, buffers.state, 0, buffers.keys, 0)
    found = following.slots[slot]
    if found != NOTHING:
        following.reach[found] += reach
        return DONE
    new = counters[FOLLOWING]
    following.slots[slot] = new
    following.reach[new] = reach
    following.actors[new] = actors
    for word in range(shape.state_words):
        following.words[new * shape.state_words + word] = buffers.state[word]
    for word in range(2 * players):
        following.keys[new * 2 * players + word] = buffers.keys[word]
    for player in range(players):
        following.sequence[new * players + player] = sequence_after(shape, layer, buffers, at, acting, player)
    unfolding.history.parent[counters[STATES]] = number
    unfolding.history.branch[counters[STATES]] = branch
    counters[FOLLOWING] = new + 1
    counters[STATES] += 1
    return DONE


@inline_kernel
def sequence_after(shape: GameShape, layer: Layer, buffers: Buffers, at: int, acting: int, player: int) -> int:
    """Return a player's last sequence after the transition that the buffers describe."""
    if acting >> player & 1:
        return int(buffers.first[player] + buffers.chosen[player])
    return int(layer.sequence[at * shape.players + player])


@kernel
def add_end(work: Work, at: int, acting: int, reach: float) -> int:
    """Record the utilities of the terminal state in the buffers, weighted by chance."""
    shape, unfolding, buffers = work.shape, work.unfolding, work.buffers
    result = call_utility(work.functions.utility, buffers.state, 0, buffers.utility, 0)
    if result < 0:
        unfolding.counters[FAULT_FOUND] = -result
        return FAULT
    end, total = unfolding.counters[ENDS] * shape.players, 0.0
    for player in range(shape.players):
        total += buffers.utility[player]
        unfolding.ends.utility[end + player] = reach * buffers.utility[player]
        unfolding.ends.sequence[end + player] = sequence_after(shape, unfolding.layer, buffers, at, acting, player)
    buffers.sums[0] = min(buffers.sums[0], total)
    buffers.sums[1] = max(buffers.sums[1], total)
    unfolding.counters[ENDS] += 1
    return DONE
