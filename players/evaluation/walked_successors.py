"""The successors of one history in the walk for a best response: merged where they agree, with keys given up.

A tree of strategies that grew from the beginning of the game has no node behind an information state without one, so
from there on a player plays at random, whatever else it sees. Its key is then given up, and far more histories become
equal.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_observe, call_step, call_utility
from ggp.native.hashing import START, hash_of, same_words
from ggp.native.information_states import KEY_WORDS, extend_keys_by_transition
from ggp.native.infoset_table import NO_NODE, InfosetTable, add, find, numbers_of, state_tag
from ggp.native.interface import CHANCE, TERMINAL
from players.evaluation.response_memory import (
    BETWEEN,
    DEAD_END,
    DEPTH,
    DONE,
    FAULT,
    FAULT_FOUND,
    FRESH,
    NEEDS_ROOM,
    TRAIL_FULL,
    TRAIL_WORDS,
    Rows,
    Trail,
    Walk,
)
from players.search.foundation.kernel_arguments import Model


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
    depth = walk.counters[DEPTH]
    walk.frames.best_here[depth] += reach * walk.utility[responder]
    walk.frames.own_here[depth] += reach * walk.utility[responder]
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
