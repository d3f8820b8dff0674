"""Hash tables of the world states of a layer, and of the information states at which players act.

Both are open addressing with linear probing; slots hold numbers of entries. Dimensions as in `growing_arrays.py`.
"""

from __future__ import annotations

import numpy as np

from ggp.codegen.kernels import I64, U64, inline_kernel, kernel
from ggp.native.hashing import START, hash_of, same_words
from ggp.native.interface import GameShape
from ggp.solvers.sequence_form.growing_arrays import NOTHING, Layer, Sets


@inline_kernel
def slot_of_set(sets: Sets, keys: U64, at: int, player: int) -> int:
    """Return the slot of a player's information state with the key at `at`: where it is, or where it belongs."""
    mask = sets.slots.size - 1
    slot = np.int64(hash_of(keys, at, at + 2, np.uint64(player)) & np.uint64(mask))
    while True:
        found = sets.slots[slot]
        if found == NOTHING:
            return int(slot)
        same = sets.player[found] == player and sets.key[2 * found] == keys[at]
        if same and sets.key[2 * found + 1] == keys[at + 1]:
            return int(slot)
        slot = (slot + 1) & mask


@inline_kernel
def slot_of_state(layer: Layer, shape: GameShape, words: I64, words_at: int, keys: U64, keys_at: int) -> int:
    """Return the slot of a world state with these keys in a layer: where it is, or where it belongs."""
    width, key_words = shape.state_words, 2 * shape.players
    total = hash_of(words, words_at, words_at + width, START)
    total = hash_of(keys, keys_at, keys_at + key_words, total)
    mask = layer.slots.size - 1
    slot = np.int64(total & np.uint64(mask))
    while True:
        found = layer.slots[slot]
        if found == NOTHING:
            return int(slot)
        if same_words(layer.words, found * width, words, words_at, width) and same_words(
            layer.keys, found * key_words, keys, keys_at, key_words
        ):
            return int(slot)
        slot = (slot + 1) & mask


@kernel
def enter_states(layer: Layer, shape: GameShape, states: int) -> None:
    """Fill the hash table of a layer, which is empty, with its states."""
    for state in range(states):
        slot = slot_of_state(
            layer, shape, layer.words, state * shape.state_words, layer.keys, state * 2 * shape.players
        )
        layer.slots[slot] = state


@kernel
def enter_sets(sets: Sets, count: int) -> None:
    """Fill the hash table of information states, which is empty."""
    for number in range(count):
        sets.slots[slot_of_set(sets, sets.key, 2 * number, sets.player[number])] = number
