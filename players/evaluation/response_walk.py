"""Best responses in games too large to be unfolded: a walk, depth first, over the responder's information states.

At each of its information states the responder holds the histories that it cannot tell apart, each with its reach
probability by chance and the others' strategies. An action is expanded up to the responder's next decisions: the
histories found are grouped by its information-state key, and the groups are walked one after the other. So memory is
bounded by the depth of the game times the histories that follow one information state, and time by the number of
histories. Histories of probability 0 are left out, and those that agree in the world state and in all keys are one.

Strategies are found by key in a frozen tree (`frozen_strategies.py`). A tree that grew from the beginning of the game
has no node behind an information state without one, so from there on a player plays at random, whatever else it sees.
Its key is then given up, and far more histories become equal.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_observe, call_step, call_utility
from ggp.native.hashing import START, hash_of, same_words
from ggp.native.information_states import KEY_WORDS, extend_keys_by_transition
from ggp.native.interface import CHANCE, TERMINAL
from players.evaluation.response_memory import (
    ACTION,
    ACTIONS,
    BEST,
    BEST_HERE,
    BETWEEN,
    COUNT,
    DEAD_END,
    DEPTH,
    DONE,
    END,
    EXPANDED,
    FAULT,
    FAULT_FOUND,
    FIRST,
    FOUND,
    FRAME_VALUES,
    FRAME_WORDS,
    FRESH,
    GROUP,
    GROUP_COUNT,
    GROUP_FIRST,
    GROUP_SLOT,
    GROUP_WORDS,
    GROUPS,
    HELD,
    LEGAL_DIFFERS,
    NEEDS_ROOM,
    NEXT,
    OWN,
    OWN_HERE,
    PAUSED,
    TRAIL_FULL,
    TRAIL_WORDS,
    Rows,
    Trail,
    Walk,
)
from players.search.foundation.kernel_arguments import Model
from players.search.information_sets.infoset_table import NO_NODE, InfosetTable, add, find, numbers_of, state_tag

# --- one history ------------------------------------------------------------------------------------------------------


@inline_kernel
def copy_row(source: Rows, at: int, target: Rows, to: int, width: int) -> None:
    """Copy a history."""
    target.longs[to : to + width] = source.longs[at : at + width]


@inline_kernel
def is_given_up(rows: Rows, key: int) -> bool:
    """Return whether a key, at this word, has been given up."""
    return bool(rows.keys[key] | rows.keys[key + 1] == np.uint64(0))


@inline_kernel
def history_slot(walk: Walk, width: int) -> int:
    """Return the slot of the successor in `here` among the fresh histories: where it is, or where it belongs."""
    total = hash_of(walk.here.keys, width, 2 * width - 1, START)
    mask = walk.slots.size - 1
    slot = np.int64(total & np.uint64(mask))
    while walk.slots[slot] > 0:
        if same_words(walk.fresh.longs, (walk.slots[slot] - 1) * width, walk.here.longs, width, width - 1):
            break
        slot = (slot + 1) & mask
    return int(slot)


@inline_kernel
def place_successor(walk: Walk, width: int, decides: bool) -> int:
    """Add the successor in `here` to the fresh histories; `decides` says whether the responder acts there."""
    counters, room = walk.counters, walk.slot_of.size
    if counters[FRESH] + counters[BETWEEN] == room:
        return NEEDS_ROOM
    if not decides:
        counters[BETWEEN] += 1
        copy_row(walk.here, width, walk.fresh, (room - counters[BETWEEN]) * width, width)
        return DONE
    slot = history_slot(walk, width)
    if walk.slots[slot] > 0:
        walk.fresh.reals[walk.slots[slot] * width - 1] += walk.here.reals[2 * width - 1]
        return DONE
    copy_row(walk.here, width, walk.fresh, counters[FRESH] * width, width)
    walk.slot_of[counters[FRESH]] = slot
    counters[FRESH] += 1
    walk.slots[slot] = counters[FRESH]
    return DONE


@kernel
def add_end(model: Model, walk: Walk, responder: int, width: int, reach: float) -> int:
    """Add the utility of the end of play in `here` to the present action."""
    result = call_utility(model.functions.utility, walk.here.longs, width, walk.utility, 0)
    if result < 0:
        walk.counters[FAULT_FOUND] = -result
        return FAULT
    total = 0.0
    for player in range(model.shape.players):
        total += walk.utility[player]
    walk.sums[0] = min(walk.sums[0], total)
    walk.sums[1] = max(walk.sums[1], total)
    values = walk.counters[DEPTH] * FRAME_VALUES
    walk.values[values + BEST_HERE] += reach * walk.utility[responder]
    walk.values[values + OWN_HERE] += reach * walk.utility[responder]
    return DONE


@kernel
def keep_trail(model: Model, walk: Walk, trail: Trail, responder: int, acted: int) -> int:
    """Keep how the responder's key of the successor in `here` comes from the one before; see `Trail`."""
    key, here = model.shape.state_words + KEY_WORDS * responder, walk.here
    width = model.shape.state_words + KEY_WORDS * model.shape.players + 1
    first, second = here.keys[width + key], here.keys[width + key + 1]
    if (first == here.keys[key] and second == here.keys[key + 1]) or find(trail.events, first, second) != NO_NODE:
        return DONE
    count = call_observe(
        model.functions.observe, here.longs, 0, here.longs, width, walk.joint, 0, responder, walk.observation, 0
    )
    node = add(trail.events, first, second, responder, TRAIL_WORDS + count)
    if node == NO_NODE:
        return TRAIL_FULL
    at, longs = numbers_of(node), trail.events.longs
    longs[at], longs[at + 1] = here.longs[key], here.longs[key + 1]
    longs[at + 2] = walk.joint[responder] if acted >> responder & 1 else -1
    longs[at + TRAIL_WORDS : at + TRAIL_WORDS + count] = walk.observation[:count]
    return DONE


@kernel
def add_successor(model: Model, walk: Walk, trail: Trail, responder: int, acted: int, lost: int, reach: float) -> int:
    """Make the transition in `joint` from the history in `here`.

    Args:
        model: the game.
        walk: changed.
        trail: changed if it is kept.
        responder: the player.
        acted: bit mask of the players who act.
        lost: bit mask of those without a node.
        reach: of the successor.
    """
    players, words = model.shape.players, model.shape.state_words
    width = words + KEY_WORDS * players + 1
    here = walk.here
    call_step(model.functions.step, here.longs, 0, here.longs, width, walk.joint, 0)
    actors = call_actors(model.functions.actors, here.longs, width)
    if actors == TERMINAL:
        return int(add_end(model, walk, responder, width, reach))
    for word in range(width + words, 2 * width - 1):
        here.keys[word] = here.keys[word - width]
    keys, observe = here.keys[width + words :], model.functions.observe
    fault = extend_keys_by_transition(
        observe, players, acted, here.longs, 0, here.longs, width, walk.joint, walk.observation, keys
    )
    if fault < 0:
        walk.counters[FAULT_FOUND] = -fault
        return FAULT
    if trail.events.action_numbers > 0:
        kept = keep_trail(model, walk, trail, responder, acted)
        if kept != DONE:
            return int(kept)
    for player in range(players):
        key = words + KEY_WORDS * player
        if player != responder and (is_given_up(here, key) or lost >> player & 1):
            here.keys[width + key : width + key + KEY_WORDS] = 0
    here.reals[2 * width - 1] = reach
    return place_successor(walk, width, actors != CHANCE and actors >> responder & 1 == 1)


@inline_kernel
def write_choices(model: Model, frozen: InfosetTable, walk: Walk, player: int) -> int:
    """Write the legal actions and the strategy of one of the others at the history in `here`.

    Returns:
        0 if the player has a node or a single action, 1 if it has none; minus a problem.
    """
    begin, key = player * model.shape.max_actions, model.shape.state_words + KEY_WORDS * player
    count = call_legal(model.functions.legal, walk.here.longs, 0, player, walk.actions, begin)
    if count < 1:
        walk.counters[FAULT_FOUND] = -count
        return -DEAD_END if count == 0 else -FAULT
    walk.counts[player] = count
    node = NO_NODE
    if count > 1 and not is_given_up(walk.here, key):
        tag = state_tag(walk.here.keys, key, player, walk.actions, begin, count)
        node = find(frozen, walk.here.keys[key], tag)
    for action in range(count):
        walk.strategy[begin + action] = 1.0 / count if node == NO_NODE else frozen.words[numbers_of(node) + action]
    return 1 if node == NO_NODE and count > 1 else 0


@kernel
def succeed(model: Model, frozen: InfosetTable, walk: Walk, trail: Trail, responder: int, own: int) -> int:
    """Add all successors of the history in `here`; the responder, if it acts there, plays `own`."""
    players, lost, joint_actions = model.shape.players, 0, 1
    reach = walk.here.reals[model.shape.state_words + KEY_WORDS * players]
    actors = call_actors(model.functions.actors, walk.here.longs, 0)
    if actors == CHANCE:
        count = call_chance(model.functions.chance, walk.here.longs, 0, walk.outcomes, 0, walk.chances, 0)
        if count < 1:
            walk.counters[FAULT_FOUND] = -count
            return DEAD_END if count == 0 else FAULT
        for outcome in range(count):
            walk.joint[players] = walk.outcomes[outcome]
            status = add_successor(model, walk, trail, responder, 0, 0, reach * walk.chances[outcome])
            if status != DONE:
                return status
        return DONE
    for player in range(players):
        walk.counts[player] = 1
        walk.chosen[player] = 0
        walk.strategy[player * model.shape.max_actions] = 1.0
        if actors >> player & 1 and player != responder:
            found = write_choices(model, frozen, walk, player)
            if found < 0:
                return -found
            lost |= found << player
            joint_actions *= walk.counts[player]
    walk.actions[responder * model.shape.max_actions] = own
    for _ in range(joint_actions):
        probability, carry = reach, True
        for player in range(players - 1, -1, -1):
            choice = player * model.shape.max_actions + walk.chosen[player]
            walk.joint[player] = walk.actions[choice]
            probability *= walk.strategy[choice]
            if carry:  # the next joint action
                walk.chosen[player] += 1
                carry = walk.chosen[player] == walk.counts[player]
                if carry:
                    walk.chosen[player] = 0
        if probability > 0.0:
            status = add_successor(model, walk, trail, responder, actors, lost, probability)
            if status != DONE:
                return status
    return DONE


# --- one information state --------------------------------------------------------------------------------------------


@inline_kernel
def group_fresh(walk: Walk, key: int, width: int, held: int) -> int:
    """Group the fresh histories by the responder's key, the word `key` of each, and hold them from row `held` on."""
    counters, mask, first_group = walk.counters, walk.group_slots.size - 1, walk.counters[GROUPS]
    fresh = counters[FRESH]
    if (held + fresh) * width > walk.held.longs.size or (first_group + fresh) * GROUP_WORDS > walk.groups.size:
        return NEEDS_ROOM
    for row in range(fresh):
        first, second = walk.fresh.keys[row * width + key], walk.fresh.keys[row * width + key + 1]
        slot = np.int64(first & np.uint64(mask))
        while walk.group_slots[slot] > 0:
            other = walk.groups[(walk.group_slots[slot] - 1) * GROUP_WORDS + GROUP_FIRST] * width + key
            if walk.fresh.keys[other] == first and walk.fresh.keys[other + 1] == second:
                break
            slot = (slot + 1) & mask
        if walk.group_slots[slot] == 0:
            group = counters[GROUPS] * GROUP_WORDS
            walk.groups[group + GROUP_FIRST], walk.groups[group + GROUP_COUNT] = row, 0
            walk.groups[group + GROUP_SLOT] = slot
            counters[GROUPS] += 1
            walk.group_slots[slot] = counters[GROUPS]
        walk.group_of[row] = walk.group_slots[slot] - 1
        walk.groups[walk.group_of[row] * GROUP_WORDS + GROUP_COUNT] += 1
        walk.slots[walk.slot_of[row]] = 0
    for number in range(first_group, counters[GROUPS]):
        group = number * GROUP_WORDS
        walk.group_slots[walk.groups[group + GROUP_SLOT]] = 0
        walk.groups[group + GROUP_FIRST] = held
        held += walk.groups[group + GROUP_COUNT]
        walk.groups[group + GROUP_COUNT] = 0
    for row in range(fresh):
        group = walk.group_of[row] * GROUP_WORDS
        to = walk.groups[group + GROUP_FIRST] + walk.groups[group + GROUP_COUNT]
        copy_row(walk.fresh, row * width, walk.held, to * width, width)
        walk.groups[group + GROUP_COUNT] += 1
    return DONE


@kernel
def expand(model: Model, frozen: InfosetTable, walk: Walk, trail: Trail, responder: int) -> int:
    """Find the groups that follow the present action of the open frame, and add the ends of play to its values."""
    counters, depth = walk.counters, walk.counters[DEPTH]
    frame, values = depth * FRAME_WORDS, depth * FRAME_VALUES
    key = model.shape.state_words + KEY_WORDS * responder
    width, room = model.shape.state_words + KEY_WORDS * model.shape.players + 1, walk.slot_of.size
    first, count = walk.frames[frame + FIRST], walk.frames[frame + COUNT]
    counters[FRESH], counters[BETWEEN], counters[GROUPS] = 0, 0, walk.frames[frame + GROUP]
    walk.values[values + BEST_HERE], walk.values[values + OWN_HERE] = 0.0, 0.0
    status = DONE
    if depth == 0:  # the beginning of the game, maybe a decision of the responder itself
        copy_row(walk.held, 0, walk.here, width, width)
        actors = call_actors(model.functions.actors, walk.here.longs, width)
        status = place_successor(walk, width, actors != CHANCE and actors >> responder & 1 == 1)
        count = 0
    own = walk.legal[depth * model.shape.max_actions + walk.frames[frame + ACTION]]
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
        status = group_fresh(walk, key, width, walk.frames[frame + HELD])
    if status == DONE:
        walk.frames[frame + EXPANDED], walk.frames[frame + NEXT] = 1, 0
        walk.frames[frame + END] = walk.frames[frame + HELD] + counters[FRESH]
        walk.frames[frame + FOUND] = counters[GROUPS] - walk.frames[frame + GROUP]
    return status


@kernel
def open_frame(model: Model, frozen: InfosetTable, walk: Walk, trail: Trail, responder: int, group: int) -> int:
    """Open a frame for the information state that a group of histories has."""
    depth, width = walk.counters[DEPTH] + 1, model.shape.state_words + KEY_WORDS * model.shape.players + 1
    frame, values, legal = depth * FRAME_WORDS, depth * FRAME_VALUES, depth * model.shape.max_actions
    if frame + FRAME_WORDS > walk.frames.size:
        return NEEDS_ROOM
    first, histories = walk.groups[group * GROUP_WORDS + GROUP_FIRST], walk.groups[group * GROUP_WORDS + GROUP_COUNT]
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
    for action in range(count):
        walk.own[legal + action] = 1.0 / count if node == NO_NODE else frozen.words[numbers_of(node) + action]
    walk.frames[frame + FIRST], walk.frames[frame + COUNT] = first, histories
    walk.frames[frame + ACTIONS], walk.frames[frame + ACTION], walk.frames[frame + EXPANDED] = count, 0, 0
    walk.frames[frame + GROUP], walk.frames[frame + FOUND], walk.frames[frame + NEXT] = walk.counters[GROUPS], 0, 0
    walk.frames[frame + HELD] = walk.frames[frame - FRAME_WORDS + END]
    walk.values[values + BEST], walk.values[values + OWN] = -np.inf, 0.0
    walk.counters[DEPTH] = depth
    return DONE


@kernel
def walk_on(model: Model, frozen: InfosetTable, walk: Walk, trail: Trail, responder: int, budget: int) -> int:
    """Walk on, until about `budget` histories are expanded.

    Returns:
        DONE at the end of the walk, PAUSED, NEEDS_ROOM, where the same call continues, or a problem.
    """
    counters, frames, values = walk.counters, walk.frames, walk.values
    while budget > 0:
        depth = counters[DEPTH]
        frame, value = depth * FRAME_WORDS, depth * FRAME_VALUES
        if frames[frame + EXPANDED] == 0:
            status = expand(model, frozen, walk, trail, responder)
            budget -= 1 + frames[frame + COUNT] + counters[FRESH]
            if status != DONE:
                return status
        elif frames[frame + NEXT] < frames[frame + FOUND]:
            status = open_frame(model, frozen, walk, trail, responder, frames[frame + GROUP] + frames[frame + NEXT])
            if status != DONE:
                return status
            frames[frame + NEXT] += 1
        else:
            own = walk.own[depth * model.shape.max_actions + frames[frame + ACTION]]
            values[value + BEST] = max(values[value + BEST], values[value + BEST_HERE])
            values[value + OWN] += own * values[value + OWN_HERE]
            frames[frame + ACTION] += 1
            frames[frame + EXPANDED] = 0
            counters[GROUPS] = frames[frame + GROUP]
            if frames[frame + ACTION] == frames[frame + ACTIONS]:
                if depth == 0:
                    return DONE
                counters[DEPTH] = depth - 1
                values[value - FRAME_VALUES + BEST_HERE] += values[value + BEST]
                values[value - FRAME_VALUES + OWN_HERE] += values[value + OWN]
    return PAUSED
