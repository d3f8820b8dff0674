"""Cores of world states, the deeds that are possible in them, and their effects: see `bundle_kernels.py`."""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import inline_kernel, kernel
from ggp.native.calls import call_actors, call_observe, call_step, call_utility
from ggp.native.hashing import FACTOR, START, extended, hash_of
from ggp.native.information_states import digest_of
from ggp.native.interface import FAULT_WORD, TERMINAL
from ggp.solvers.sequence_form.bundle_arrays import (
    CHILDREN,
    DEEDS,
    DEPTH,
    EFFECTS,
    ENDED,
    FAULT_FOUND,
    MARGIN,
    NO_VALUE,
    OPENINGS,
    PAIRS,
    SIGNED,
    Bundling,
    Numbers,
    number_of,
)
from ggp.solvers.sequence_form.growing_arrays import NOTHING
from ggp.solvers.sequence_form.unfolding_kernels import DONE, FAULT

NOT_IN_TURNS = 7
"""A problem besides those of `unfolding_kernels.py`: chance acts, or both players at once."""


@inline_kernel
def full(numbers: Numbers, needed: int) -> bool:
    """Return whether a table lacks room for so many new entries."""
    return bool(numbers.used[0] + needed > numbers.first.size)


@inline_kernel
def lacks_room(b: Bundling) -> bool:
    """Return whether one step, members and keys left out, might not fit."""
    counters, margin = b.counters, 2 * b.actions + MARGIN
    lacks = full(b.cores, margin) or full(b.signatures, margin) or full(b.told, margin) or full(b.values, margin)
    lacks = lacks or full(b.bundles, margin) or full(b.memo, margin) or full(b.keys, margin)
    lacks = lacks or counters[DEPTH] + margin > b.frame_core.size or 2 * (counters[PAIRS] + margin) > b.pair.size
    lacks = lacks or counters[DEEDS] + margin > b.deed_core.size or counters[EFFECTS] + margin > b.effect_core.size
    lacks = lacks or counters[SIGNED] + margin > b.signature_action.size
    lacks = lacks or counters[OPENINGS] + margin > b.open_bundle.size
    return bool(lacks or counters[CHILDREN] + margin > b.child.size)


@inline_kernel
def player_of(b: Bundling, core: int) -> int:
    """Return who acts in a core."""
    return int(b.core_actors[core] - 1)


@inline_kernel
def set_state(b: Bundling, core: int, key: int) -> None:
    """Write the world state of a core that agrees in legality with one that has the key."""
    words, count = b.shape.state_words, b.legality_words.size
    b.state[:words] = b.core_words[core * words : (core + 1) * words]
    for place in range(count):
        b.state[b.legality_words[place]] = b.private[key * count + place]


@inline_kernel
def set_private(b: Bundling, key: int) -> None:
    """Keep the words of legality of the state that follows for a key."""
    count = b.legality_words.size
    for place in range(count):
        b.private[key * count + place] = b.after[b.legality_words[place]]


@inline_kernel
def told_number(b: Bundling, player: int) -> int:
    """Return the number of what a player is told of the transition in the buffers; NOTHING after a fault."""
    count = call_observe(b.functions.observe, b.state, 0, b.after, 0, b.joint, 0, player, b.observation, 0)
    if count < 0:
        b.counters[FAULT_FOUND] = -count
        return NOTHING
    if count == 0:
        return 0
    first, second = digest_of(b.observation, 0, count)
    told = number_of(b.told, first, second)
    b.told_size[told] = count
    b.told_words[told * b.observation.size : told * b.observation.size + count] = b.observation[:count]
    return int(told)


@inline_kernel
def core_of(b: Bundling, actors: int) -> int:
    """Return the number of the core of the state that follows, whose words of legality become 0."""
    words = b.shape.state_words
    for place in range(b.legality_words.size):
        b.after[b.legality_words[place]] = 0
    first = hash_of(b.after, 0, words, START)
    before = b.cores.used[0]
    core = number_of(b.cores, first, hash_of(b.after, 0, words, FACTOR))
    if core == before:
        b.core_words[core * words : (core + 1) * words] = b.after[:words]
        b.core_actors[core] = actors
    return int(core)


@kernel
def add_deed(b: Bundling, core: int, action: int) -> int:
    """Find out what an action does in a core; `b.state` is a state of it in which the action is legal."""
    new, player = b.counters[DEEDS], player_of(b, core)
    b.joint[player] = action
    call_step(b.functions.step, b.state, 0, b.after, 0, b.joint, 0)
    if b.after[FAULT_WORD] != 0:
        b.counters[FAULT_FOUND] = b.after[FAULT_WORD]
        return FAULT
    actors = call_actors(b.functions.actors, b.after, 0)
    if actors == TERMINAL:
        result = call_utility(b.functions.utility, b.after, 0, b.utility, 0)
        if result < 0:
            b.counters[FAULT_FOUND] = -result
            return FAULT
        value = number_of(b.values, b.utility_bits[0], np.uint64(0))
        b.value[value] = b.utility[0]
        b.deed_core[new], b.deed_value[new], b.deed_told[new], b.deed_told_other[new] = ENDED, value, 0, 0
    elif actors != 1 and actors != 2:
        return NOT_IN_TURNS
    else:
        own, other = told_number(b, player), told_number(b, 1 - player)
        if own == NOTHING or other == NOTHING:
            return FAULT
        b.deed_told[new], b.deed_told_other[new], b.deed_value[new] = own, other, NO_VALUE
        b.deed_core[new] = core_of(b, actors)
    b.deed[core * b.actions + action] = new
    b.deeds_of[core] += 1
    b.counters[DEEDS] = new + 1
    return DONE


@inline_kernel
def is_unnoticed(b: Bundling, core: int, deed: int) -> bool:
    """Return whether nothing changes by a deed, and the other is told nothing."""
    return bool(b.deed_core[deed] == core and b.deed_told_other[deed] == 0)


@kernel
def set_effects(b: Bundling, core: int) -> None:
    """Write a block of the effects that the known deeds of a core have."""
    counters = b.counters
    first = end = counters[EFFECTS]
    for action in range(b.actions):
        deed = b.deed[core * b.actions + action]
        if deed == NOTHING or is_unnoticed(b, core, deed):
            continue
        effect = first
        while effect < end and (
            b.effect_core[effect] != b.deed_core[deed]
            or b.effect_told[effect] != b.deed_told_other[deed]
            or b.effect_value[effect] != b.deed_value[deed]
        ):
            effect += 1
        if effect == end:
            b.effect_core[end], b.effect_told[end] = b.deed_core[deed], b.deed_told_other[deed]
            b.effect_value[end], b.effect_action[end] = b.deed_value[deed], action
            end += 1
    for effect in range(first, end):
        low, high, at = np.uint64(0), np.uint64(0), counters[SIGNED]
        for action in range(b.actions):
            deed = b.deed[core * b.actions + action]
            if deed == NOTHING or is_unnoticed(b, core, deed) or b.effect_core[effect] != b.deed_core[deed]:
                continue
            if b.effect_told[effect] == b.deed_told_other[deed] and b.effect_value[effect] == b.deed_value[deed]:
                b.signature_action[at], b.signature_told[at] = action, b.deed_told[deed]
                low = extended(extended(low, np.uint64(action)), np.uint64(b.deed_told[deed]))
                high = extended(extended(high, low), np.uint64(action) + START)
                at += 1
        before = b.signatures.used[0]
        signature = number_of(b.signatures, low, high)
        if signature == before:
            counters[SIGNED] = at
            b.signature_first[signature + 1] = at
        b.effect_signature[effect] = signature
    b.block[core], b.block_size[core], b.block_deeds[core] = first, end - first, b.deeds_of[core]
    counters[EFFECTS] = end
