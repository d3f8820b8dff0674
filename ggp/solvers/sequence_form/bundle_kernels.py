"""Unfolds a game of two players in turns whose legality hides more than its play: the kernels.

The *core* of a world state is all of it but the words on which nothing depends except which actions are legal. What
follows a core, and what both players are told, depends on the core and the action alone; and legality on what the
player knows. So whatever led to the same sequence of changes of the core, and of what the other is told, goes on alike:
after it, each information state that one player can have goes with each that the other can have. Such a *history of the
core* is walked once, with a *bundle* for each player: its information-state keys there. Phantom tic-tac-toe has 10^10
histories, but 3 * 10^5 of its core: failed tries change nothing for the other.

Where play ends, the last player's bundle holds its last sequences instead, those of one utility. An end pairs the
bundles of both players, and stands for all combinations of their members.

A *deed* is an action in a core; an *effect* are the deeds of a core that the other cannot tell apart and that lead to
the same core. An effect's *signature* are its actions with what the player is told. A deed that changes nothing and is
not told to the other is done *unnoticed*. Dimensions as in `bundle_arrays.py`.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import inline_kernel, kernel
from ggp.native.calls import call_actors, call_legal, call_step
from ggp.native.hashing import START, extended
from ggp.native.information_states import extend_key, extend_key_by_action
from ggp.solvers.sequence_form.bundle_arrays import (
    CHILDREN,
    DEEDS,
    DEPTH,
    ENDED,
    FAULT_FOUND,
    MEMBERS,
    NEEDED,
    NO_VALUE,
    OPENINGS,
    PAIRS,
    SEQUENCES,
    SETS,
    TROUBLE,
    VISITED,
    Bundling,
    Numbers,
    mark_of,
    number_of,
)
from ggp.solvers.sequence_form.core_kernels import (
    NOT_IN_TURNS,
    add_deed,
    core_of,
    full,
    is_unnoticed,
    lacks_room,
    player_of,
    set_effects,
    set_private,
    set_state,
)
from ggp.solvers.sequence_form.growing_arrays import NOTHING
from ggp.solvers.sequence_form.unfolding_kernels import (
    DEAD_END,
    DONE,
    FAULT,
    LEGAL_DIFFERS,
    NEEDS_ROOM,
    PAUSED,
)

OPENED, FOLLOWED, TOLD = np.uint64(0), np.uint64(1), np.uint64(2)
"""What the table of results is asked: what opening a bundle in a core gave, what a signature made of it, or being told
something."""
S2, S32 = np.uint64(2), np.uint64(32)


@inline_kernel
def key_after(b: Bundling, key: int, player: int, action: int, told: int) -> int:
    """Return the number of a key extended by an action, if it is not NOTHING, and by what is told, if it is not 0."""
    b.scratch[0], b.scratch[1] = b.keys.first[key] ^ mark_of(player), b.keys.second[key]
    if action != NOTHING:
        extend_key_by_action(b.scratch, 0, action)
    if told != 0:
        extend_key(b.scratch, 0, b.told.first[told], b.told.second[told])
    after = number_of(b.keys, b.scratch[0] ^ mark_of(player), b.scratch[1])
    b.key_before[after], b.key_action[after], b.key_told[after] = key, action, told
    return int(after)


@kernel
def successor_key(b: Bundling, core: int, key: int, player: int, action: int, told: int) -> int:
    """Return the key of a player after its own action in a core; a new one gets its words of legality."""
    before = b.keys.used[0]
    after = key_after(b, key, player, action, told)
    if after == before:
        set_state(b, core, key)
        b.joint[player] = action
        call_step(b.functions.step, b.state, 0, b.after, 0, b.joint, 0)
        set_private(b, after)
        b.sequence[after] = sequence_of(b, key, action)
        b.decision[after] = NOTHING
    return int(after)


@inline_kernel
def sequence_of(b: Bundling, key: int, action: int) -> int:
    """Return the sequence of an action at the information state of a key; NOTHING if it is not legal there."""
    number = b.decision[key]
    for sequence in range(b.set_first[number], b.set_first[number + 1]):
        if b.action[sequence] == action:
            return int(sequence)
    return NOTHING


@kernel
def enter_decision(b: Bundling, core: int, key: int, player: int, other: int) -> int:
    """Enter the information state of a key, or compare it; `b.state` becomes a state of the core that has the key."""
    set_state(b, core, key)
    count = call_legal(b.functions.legal, b.state, 0, player, b.legal, 0)
    if count < 1:
        b.counters[FAULT_FOUND] = -count
        return DEAD_END if count == 0 else FAULT
    number = b.decision[key]
    if number != NOTHING:
        b.counters[TROUBLE] = number
        first = b.set_first[number]
        if b.set_first[number + 1] - first != count:
            return LEGAL_DIFFERS
        for place in range(count):
            if b.action[first + place] != b.legal[place]:
                return LEGAL_DIFFERS
        return DONE
    new, first = b.counters[SETS], b.counters[SEQUENCES]
    if new + 2 > b.witness.size or first + count > b.action.size:
        return NEEDS_ROOM
    b.set_key[new], b.set_player[new], b.set_first[new + 1] = key, player, first + count
    b.witness[new] = b.sequence[other]
    for place in range(count):
        b.action[first + place] = b.legal[place]
    b.decision[key] = new
    b.counters[SETS], b.counters[SEQUENCES] = new + 1, first + count
    return DONE


@inline_kernel
def bundle_of(b: Bundling, begin: int, end: int, value: int) -> int:
    """Return the number of a bundle of the members there, in any order; they are kept if it is new."""
    low, high = np.uint64(value + 1), np.uint64(end - begin)
    for at in range(begin, end):
        hashed = extended(START, np.uint64(b.member[at]))
        low += hashed
        high += extended(hashed, START)
    before = b.bundles.used[0]
    bundle = number_of(b.bundles, extended(START, low), extended(low, high))
    if bundle == before:
        b.bundle_value[bundle], b.bundle_first[bundle + 1] = value, end
        b.counters[MEMBERS] = end
    return int(bundle)


@kernel
def follow(b: Bundling, core: int, bundle: int, effect: int, player: int) -> int:
    """Return the bundle into which an effect turns that of the player who acts, NOTHING if no member can do it.

    Below NOTHING: minus 2, minus the reason why it was not made.
    """
    value, signature = b.effect_value[effect], b.effect_signature[effect]
    first = np.uint64(bundle) << S2 | FOLLOWED
    before = b.memo.used[0]
    known = number_of(b.memo, first, np.uint64(signature) << S32 | np.uint64(value + 1))
    if known != before:
        return int(b.memo_result[known])
    begin = end = b.counters[MEMBERS]
    for at in range(b.bundle_first[bundle], b.bundle_first[bundle + 1]):
        for place in range(b.signature_first[signature], b.signature_first[signature + 1]):
            action = b.signature_action[place]
            sequence = sequence_of(b, b.member[at], action)
            if sequence == NOTHING:
                continue
            if end == b.member.size or full(b.keys, 1):
                b.counters[NEEDED] = end
                forget_last(b.memo)
                return -2 - NEEDS_ROOM
            b.member[end] = sequence
            if value == NO_VALUE:
                told = b.signature_told[place]
                b.member[end] = successor_key(b, core, b.member[at], player, action, told)
            end += 1
    b.memo_result[known] = NOTHING if end == begin else bundle_of(b, begin, end, value)
    return int(b.memo_result[known])


@inline_kernel
def forget_last(numbers: Numbers) -> None:
    """Take back the last number that was given."""
    last = numbers.used[0] - 1
    mask = numbers.slots.size - 1
    slot = np.int64(extended(extended(START, numbers.first[last]), numbers.second[last])) & mask
    while numbers.slots[slot] != last:
        slot = (slot + 1) & mask
    # it was entered last, so no other entry was pushed on by it
    numbers.slots[slot] = NOTHING
    numbers.used[0] = last


@kernel
def tell(b: Bundling, core: int, bundle: int, effect: int, player: int) -> int:
    """Return the bundle into which an effect turns that of the player who does not act; as `follow` does."""
    told = b.effect_told[effect]
    if told == 0:
        return bundle
    before = b.memo.used[0]
    known = number_of(b.memo, np.uint64(bundle) << S2 | TOLD, np.uint64(told))
    if known != before:
        return int(b.memo_result[known])
    begin = end = b.counters[MEMBERS]
    for at in range(b.bundle_first[bundle], b.bundle_first[bundle + 1]):
        if end == b.member.size or full(b.keys, 1):
            b.counters[NEEDED] = end
            forget_last(b.memo)
            return -2 - NEEDS_ROOM
        key, keys = b.member[at], b.keys.used[0]
        after = key_after(b, key, player, NOTHING, told)
        if after == keys:
            set_state(b, core, key)
            b.joint[1 - player] = b.effect_action[effect]
            call_step(b.functions.step, b.state, 0, b.after, 0, b.joint, 0)
            set_private(b, after)
            b.sequence[after], b.decision[after] = b.sequence[key], NOTHING
        b.member[end] = after
        end += 1
    b.memo_result[known] = bundle_of(b, begin, end, NO_VALUE)
    return int(b.memo_result[known])


# --- the walk ---------------------------------------------------------------------------------------------------------


@kernel
def open_bundle(b: Bundling, core: int, bundle: int, other: int) -> int:
    """Find the bundles that follow that of the player who acts in a core; `other` is a key of the other player."""
    counters, player = b.counters, player_of(b, core)
    begin = end = counters[MEMBERS]
    first, size = b.bundle_first[bundle], b.bundle_first[bundle + 1] - b.bundle_first[bundle]
    if begin + size > b.member.size:
        counters[NEEDED] = b.member.size
        return NEEDS_ROOM
    b.member[begin : begin + size] = b.member[first : first + size]
    end += size
    at = begin
    while at < end:
        key = b.member[at]
        status = enter_decision(b, core, key, player, other)
        if status != DONE:
            return int(status)
        number = b.decision[key]
        for sequence in range(b.set_first[number], b.set_first[number + 1]):
            action = b.action[sequence]
            deed = b.deed[core * b.actions + action]
            if deed == NOTHING:
                set_state(b, core, key)
                if full(b.told, 2) or full(b.cores, 1) or counters[DEEDS] == b.deed_core.size or full(b.values, 1):
                    return NEEDS_ROOM
                status = add_deed(b, core, action)
                if status != DONE:
                    return int(status)
                deed = b.deed[core * b.actions + action]
            if is_unnoticed(b, core, deed):
                if end == b.member.size or full(b.keys, 1):
                    counters[NEEDED] = end
                    return NEEDS_ROOM
                b.member[end] = successor_key(b, core, key, player, action, b.deed_told[deed])
                end += 1
        at += 1
    if b.block_deeds[core] != b.deeds_of[core]:
        set_effects(b, core)
    closed = bundle if end == begin + size else bundle_of(b, begin, end, NO_VALUE)
    new = counters[OPENINGS]
    b.open_bundle[new], b.open_effect[new] = closed, b.block[core]
    b.open_size[new], b.open_child[new] = b.block_size[core], counters[CHILDREN]
    for place in range(b.block_size[core]):
        effect = b.block[core] + place
        followed = NOTHING
        value = b.effect_value[effect]
        if value == NO_VALUE or b.value[value] != 0.0:
            followed = follow(b, core, closed, effect, player)
            if followed < NOTHING:
                return -2 - followed
        b.child[counters[CHILDREN] + place] = followed
    counters[CHILDREN] += b.block_size[core]
    counters[OPENINGS] = new + 1
    return DONE


@kernel
def unfold_on(b: Bundling, budget: int) -> int:
    """Take `budget` further steps from one history of the core to the next, depth first.

    Returns:
        DONE at the end, PAUSED, NEEDS_ROOM, after which the same call continues, or a problem.
    """
    counters = b.counters
    for _ in range(budget):
        depth = counters[DEPTH]
        if depth < 0:
            return DONE
        if lacks_room(b):
            return NEEDS_ROOM
        core, opening = b.frame_core[depth], b.frame_opening[depth]
        player = player_of(b, core)
        other = b.frame_bundle[2 * depth + 1 - player]
        if opening == NOTHING:
            bundle, before = b.frame_bundle[2 * depth + player], b.memo.used[0]
            known = number_of(b.memo, np.uint64(bundle) << S2 | OPENED, np.uint64(core))
            if known == before:
                # entered again below, after what its bundles ask of the table
                forget_last(b.memo)
                status = open_bundle(b, core, bundle, b.member[b.bundle_first[other]])
                if status != DONE:
                    return status
                known = number_of(b.memo, np.uint64(bundle) << S2 | OPENED, np.uint64(core))
                b.memo_result[known] = counters[OPENINGS] - 1
            b.frame_opening[depth], b.frame_next[depth] = b.memo_result[known], 0
            counters[VISITED] += 1
            continue
        place = b.frame_next[depth]
        if place == b.open_size[opening]:
            counters[DEPTH] = depth - 1
            continue
        effect, followed = b.open_effect[opening] + place, b.child[b.open_child[opening] + place]
        if followed != NOTHING and b.effect_core[effect] == ENDED:
            pair = counters[PAIRS]
            b.pair[2 * pair + player], b.pair[2 * pair + 1 - player] = followed, other
            counters[PAIRS] = pair + 1
        elif followed != NOTHING:
            told = tell(b, core, other, effect, 1 - player)
            if told < NOTHING:
                return -2 - told
            b.frame_core[depth + 1], b.frame_opening[depth + 1] = b.effect_core[effect], NOTHING
            b.frame_bundle[2 * depth + 2 + player], b.frame_bundle[2 * depth + 3 - player] = followed, told
            counters[DEPTH] = depth + 1
        b.frame_next[depth] = place + 1
    return PAUSED


@kernel
def enter_start(b: Bundling) -> int:
    """Enter the initial state, which is in `b.after`."""
    actors = call_actors(b.functions.actors, b.after, 0)
    if actors != 1 and actors != 2:
        return NOT_IN_TURNS
    for player in range(2):
        set_private(b, player)
    b.frame_core[0] = core_of(b, actors)
    return DONE
