"""Best responses in games too large to be unfolded: a walk, depth first, over the responder's information states.

At each of its information states the responder holds the histories that it cannot tell apart, each with its reach
probability by chance and the others' strategies. An action is expanded up to the responder's next decisions: the
histories found are grouped by its information-state key, and the groups are walked one after the other. So memory is
bounded by the depth of the game times the histories that follow one information state, and time by the number of
histories. Histories of probability 0 are left out, and those that agree in the world state and in all keys are one.

Strategies are found by key in a frozen tree (`information_search.py`). Where the responder itself plays at random from
now on, information states with equal beliefs are walked once: what a best response is worth depends on the histories
held and not on how they came about. Orders of one's own moves that the others cannot notice, and that leave the same
histories with the same shares, lead to one belief; a table keeps what a unit of reach is worth there, to a
best response and at random.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import inline_kernel, kernel
from ggp.native.calls import call_actors, call_legal
from ggp.native.hashing import START, extended
from ggp.native.information_states import KEY_WORDS
from ggp.native.infoset_table import NO_NODE, InfosetTable, add, find, numbers_of, state_tag
from ggp.native.interface import CHANCE
from players.evaluation.response_memory import (
    BETWEEN,
    DEAD_END,
    DEPTH,
    DONE,
    FAULT,
    FAULT_FOUND,
    FRESH,
    GROUPS,
    LEGAL_DIFFERS,
    NEEDS_ROOM,
    PAUSED,
    TRAIL_FULL,
    Trail,
    Walk,
)
from players.evaluation.walked_successors import copy_row, place_successor, succeed
from players.search.foundation.kernel_arguments import Model

SHARES = float(1 << 40)
"""Shares of histories are compared to one part in so many: the same product in another order may differ in its last
bits."""


@kernel
def write_belief(walk: Walk, width: int, key: int, responder: int, first: int, histories: int) -> float:
    """Write the hash of the histories held from row `first` on to `walk.belief`; return their reach together.

    The order of the histories does not count, and neither does the responder's key, at the word `key` of each.
    """
    total = 0.0
    for row in range(first, first + histories):
        total += walk.held.reals[row * width + width - 1]
    low, high = np.uint64(responder), np.uint64(histories)
    for row in range(first, first + histories):
        at = row * width
        share = np.int64(walk.held.reals[at + width - 1] / total * SHARES + 0.5)
        hashed = extended(START, np.uint64(share))
        for word in range(at, at + width - 1):
            if word < at + key or word >= at + key + KEY_WORDS:
                hashed = extended(hashed, walk.held.keys[word])
        low = np.uint64(low + hashed)
        high = np.uint64(high + extended(hashed, START))
    walk.belief[0], walk.belief[1] = extended(START, low), extended(START, high)
    return total


@inline_kernel
def group_fresh(walk: Walk, key: int, width: int, held: int) -> int:
    """Group the fresh histories by the responder's key, the word `key` of each, and hold them from row `held` on."""
    counters, mask, first_group, groups = walk.counters, walk.group_slots.size - 1, walk.counters[GROUPS], walk.groups
    fresh = counters[FRESH]
    if (held + fresh) * width > walk.held.longs.size or first_group + fresh > groups.first.size:
        return NEEDS_ROOM
    for row in range(fresh):
        first, second = walk.fresh.keys[row * width + key], walk.fresh.keys[row * width + key + 1]
        slot = np.int64(first & np.uint64(mask))
        while walk.group_slots[slot] > 0:
            other = groups.first[walk.group_slots[slot] - 1] * width + key
            if walk.fresh.keys[other] == first and walk.fresh.keys[other + 1] == second:
                break
            slot = (slot + 1) & mask
        if walk.group_slots[slot] == 0:
            group = counters[GROUPS]
            groups.first[group], groups.size[group], groups.slot[group] = row, 0, slot
            counters[GROUPS] += 1
            walk.group_slots[slot] = counters[GROUPS]
        walk.group_of[row] = walk.group_slots[slot] - 1
        groups.size[walk.group_of[row]] += 1
        walk.slots[walk.slot_of[row]] = 0
    for group in range(first_group, counters[GROUPS]):
        walk.group_slots[groups.slot[group]] = 0
        groups.first[group] = held
        held += groups.size[group]
        groups.size[group] = 0
    for row in range(fresh):
        group = walk.group_of[row]
        to = groups.first[group] + groups.size[group]
        copy_row(walk.fresh, row * width, walk.held, to * width, width)
        groups.size[group] += 1
    return DONE


@kernel
def expand(model: Model, frozen: InfosetTable, walk: Walk, trail: Trail, responder: int) -> int:
    """Find the groups that follow the present action of the open frame, and add the ends of play to its values."""
    counters, depth, frames = walk.counters, walk.counters[DEPTH], walk.frames
    key = model.shape.state_words + KEY_WORDS * responder
    width, room = model.shape.state_words + KEY_WORDS * model.shape.players + 1, walk.slot_of.size
    first, count = frames.first[depth], frames.size[depth]
    counters[FRESH], counters[BETWEEN], counters[GROUPS] = 0, 0, frames.group[depth]
    frames.best_here[depth], frames.own_here[depth] = 0.0, 0.0
    status = DONE
    if depth == 0:  # the beginning of the game, maybe a decision of the responder itself
        copy_row(walk.held, 0, walk.here, width, width)
        actors = call_actors(model.functions.actors, walk.here.longs, width)
        status = place_successor(walk, width, actors != CHANCE and actors >> responder & 1 == 1)
        count = 0
    own = walk.legal[depth * model.shape.max_actions + frames.action[depth]]
    row = first
    while status == DONE:
        if counters[BETWEEN] > 0:
            copy_row(walk.fresh, (room - counters[BETWEEN]) * width, walk.here, 0, width)
            counters[BETWEEN] -= 1
        elif row < first + count:
            copy_row(walk.held, row * width, walk.here, 0, width)
            row += 1
        else:
            break
        status = succeed(model, frozen, walk, trail, responder, own)
    if status == DONE:
        status = group_fresh(walk, key, width, frames.held[depth])
    if status == DONE:
        frames.expanded[depth], frames.next[depth] = 1, 0
        frames.end[depth] = frames.held[depth] + counters[FRESH]
        frames.found[depth] = counters[GROUPS] - frames.group[depth]
    return status


@kernel
def open_frame(
    model: Model,
    frozen: InfosetTable,
    walk: Walk,
    trail: Trail,
    kept: InfosetTable,
    responder: int,
    best_only: bool,
    group: int,
) -> int:
    """Open a frame for the information state that a group of histories has, or take the values of its belief."""
    depth, width = walk.counters[DEPTH] + 1, model.shape.state_words + KEY_WORDS * model.shape.players + 1
    frames, legal = walk.frames, depth * model.shape.max_actions
    if depth == frames.first.size:
        return NEEDS_ROOM
    first, histories = walk.groups.first[group], walk.groups.size[group]
    count = call_legal(model.functions.legal, walk.held.longs, first * width, responder, walk.legal, legal)
    for row in range(first + 1, first + histories):
        if count < 1:
            break
        others = call_legal(model.functions.legal, walk.held.longs, row * width, responder, walk.actions, 0)
        if others != count:
            return LEGAL_DIFFERS
        for action in range(count):
            if walk.actions[action] != walk.legal[legal + action]:
                return LEGAL_DIFFERS
    if count < 1:
        walk.counters[FAULT_FOUND] = -count
        return DEAD_END if count == 0 else FAULT
    key = first * width + model.shape.state_words + KEY_WORDS * responder
    tag = state_tag(walk.held.keys, key, responder, walk.legal, legal, count)
    if trail.events.action_numbers > 0 and count > 1:
        decision = add(trail.decisions, walk.held.keys[key], tag, responder, count)
        if decision == NO_NODE:
            return TRAIL_FULL
        trail.decisions.longs[numbers_of(decision) : numbers_of(decision) + count] = walk.legal[legal : legal + count]
    node = find(frozen, walk.held.keys[key], tag)
    frames.reach[depth] = 0.0
    if kept.action_numbers > 0 and (best_only or (count > 1 and node == NO_NODE)):
        # what the responder's own strategy does from here on does not depend on its key: it plays at random
        own_key = model.shape.state_words + KEY_WORDS * responder
        reach = write_belief(walk, width, own_key, responder, first, histories)
        known = find(kept, walk.belief[0], walk.belief[1])
        if known != NO_NODE:
            frames.best_here[depth - 1] += reach * kept.words[numbers_of(known)]
            frames.own_here[depth - 1] += reach * kept.words[numbers_of(known) + 1]
            return DONE
        frames.reach[depth] = reach
        frames.belief[depth], frames.belief_second[depth] = np.int64(walk.belief[0]), np.int64(walk.belief[1])
    for action in range(count):
        walk.own[legal + action] = 1.0 / count if node == NO_NODE else frozen.words[numbers_of(node) + action]
    frames.first[depth], frames.size[depth] = first, histories
    frames.actions[depth], frames.action[depth], frames.expanded[depth] = count, 0, 0
    frames.group[depth], frames.found[depth], frames.next[depth] = walk.counters[GROUPS], 0, 0
    frames.held[depth] = frames.end[depth - 1]
    frames.best[depth], frames.own[depth] = -np.inf, 0.0
    walk.counters[DEPTH] = depth
    return DONE


@kernel
def keep_values(walk: Walk, kept: InfosetTable, responder: int) -> None:
    """Keep what the belief of the open frame, which is done, is worth, as long as there is room."""
    depth, frames = walk.counters[DEPTH], walk.frames
    reach = frames.reach[depth]
    first, second = np.uint64(frames.belief[depth]), np.uint64(frames.belief_second[depth])
    node = add(kept, first, second, responder, 2)
    if node != NO_NODE:
        kept.words[numbers_of(node)] = frames.best[depth] / reach
        kept.words[numbers_of(node) + 1] = frames.own[depth] / reach


@kernel
def walk_on(
    model: Model,
    frozen: InfosetTable,
    walk: Walk,
    trail: Trail,
    kept: InfosetTable,
    responder: int,
    best_only: bool,
    budget: int,
) -> int:
    """Walk on, until about `budget` histories are expanded.

    Beliefs are kept in `kept`, if it has numbers. With `best_only` the responder's own strategy is not valued.

    Returns:
        DONE at the end of the walk, PAUSED, NEEDS_ROOM, where the same call continues, or a problem.
    """
    counters, frames = walk.counters, walk.frames
    while budget > 0:
        depth = counters[DEPTH]
        if frames.expanded[depth] == 0:
            status = expand(model, frozen, walk, trail, responder)
            budget -= 1 + frames.size[depth] + counters[FRESH]
            if status != DONE:
                return status
        elif frames.next[depth] < frames.found[depth]:
            group = frames.group[depth] + frames.next[depth]
            status = open_frame(model, frozen, walk, trail, kept, responder, best_only, group)
            if status != DONE:
                return status
            frames.next[depth] += 1
        else:
            own = walk.own[depth * model.shape.max_actions + frames.action[depth]]
            frames.best[depth] = max(frames.best[depth], frames.best_here[depth])
            frames.own[depth] += own * frames.own_here[depth]
            frames.action[depth] += 1
            frames.expanded[depth] = 0
            counters[GROUPS] = frames.group[depth]
            if frames.action[depth] == frames.actions[depth]:
                if depth == 0:
                    return DONE
                if frames.reach[depth] > 0.0:
                    keep_values(walk, kept, responder)
                counters[DEPTH] = depth - 1
                frames.best_here[depth - 1] += frames.best[depth]
                frames.own_here[depth - 1] += frames.own[depth]
    return PAUSED
