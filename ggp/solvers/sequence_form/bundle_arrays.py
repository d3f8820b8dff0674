"""The arrays that grow while a game is unfolded by bundles; see `bundle_kernels.py` for what these are.

Dimensions: W words of a world state, V of these that matter for legality alone, N actions, A of these legal at most, X
words of an observation; C cores, D deeds, F effects, G signatures of Q actions, T observations, U utilities, K keys, I
information states, S sequences, B bundles of M members, R remembered results, O openings of E children, Z frames, H
histories of the core.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, U64, allocated, inline_kernel, kernel, resize_in_place
from ggp.native.hashing import START, extended
from ggp.native.information_states import start_key
from ggp.native.interface import GameShape, NativeFunctions, NativeGame
from ggp.solvers.sequence_form.growing_arrays import NOTHING
from ggp.solvers.worlds.state_graph import slots_for

ENDED = -2
"""In place of a core: play has ended."""
NO_VALUE = -1
"""The value of a bundle whose members are keys."""
(
    DEPTH,
    PAIRS,
    MEMBERS,
    DEEDS,
    EFFECTS,
    SIGNED,
    SETS,
    SEQUENCES,
    OPENINGS,
    CHILDREN,
    VISITED,
    NEEDED,
    FAULT_FOUND,
    TROUBLE,
) = range(14)
"""Indices of counters: of the open frame, of rows in use in each group of arrays, of histories of the core, of members
that did not fit, and what went wrong."""
COUNTERS = 14


class Numbers(NamedTuple):
    """Numbers for pairs of words, in the order in which they came: a hash table with linear probing."""

    first: Annotated[U64, "L"]
    second: Annotated[U64, "L"]
    slots: Annotated[I32, "slots_for(L)"]
    used: Annotated[I64, "1"]


class Bundling(NamedTuple):
    """All arrays of a game that is being unfolded, and the game."""

    functions: NativeFunctions
    shape: GameShape
    actions: int  # N
    cores: Numbers  # by hash
    core_words: Annotated[I64, "C * W"]  # with 0 for the words of legality
    core_actors: Annotated[I64, "C"]
    deed: Annotated[I32, "C * N"]  # number of the deed, NOTHING before it was met
    deeds_of: Annotated[I32, "C"]  # how many the core has
    block: Annotated[I32, "C"]  # its first effect
    block_size: Annotated[I32, "C"]
    block_deeds: Annotated[I32, "C"]  # how many deeds its effects are made of
    deed_core: Annotated[I32, "D"]  # the core that follows, or ENDED
    deed_told: Annotated[I32, "D"]  # what the player who acts is told
    deed_told_other: Annotated[I32, "D"]
    deed_value: Annotated[I32, "D"]  # number of the utility
    effect_core: Annotated[I32, "F"]
    effect_told: Annotated[I32, "F"]  # what the other player is told
    effect_value: Annotated[I32, "F"]
    effect_action: Annotated[I32, "F"]  # one of its actions
    effect_signature: Annotated[I32, "F"]
    signatures: Numbers  # by hash
    signature_first: Annotated[I32, "G + 1"]
    signature_action: Annotated[I32, "Q"]
    signature_told: Annotated[I32, "Q"]
    told: Numbers  # digests of observations; 0 is nothing
    told_size: Annotated[I32, "T"]  # words of each
    told_words: Annotated[I64, "T * X"]
    values: Numbers  # utilities of the first player, by their bits
    value: Annotated[F64, "U"]
    keys: Numbers  # information-state keys, marked by player
    private: Annotated[I64, "K * V"]  # words of legality in a world state with the key
    sequence: Annotated[I32, "K"]  # last sequence
    decision: Annotated[I32, "K"]  # information state, NOTHING where its player has not been seen to act with the key
    key_before: Annotated[I32, "K"]  # the key that it extends
    key_action: Annotated[I32, "K"]  # by an action, if not NOTHING
    key_told: Annotated[I32, "K"]  # and by what is told, if not 0
    set_key: Annotated[I32, "I"]
    set_player: Annotated[I32, "I"]
    set_first: Annotated[I32, "I + 1"]
    witness: Annotated[I32, "I"]  # last sequence of the other player in a history that leads there
    action: Annotated[I32, "S"]
    bundles: Numbers  # by hash
    bundle_first: Annotated[I64, "B + 1"]
    bundle_value: Annotated[I32, "B"]  # number of the utility where members are sequences, else NO_VALUE
    member: Annotated[I32, "M"]  # keys or sequences
    memo: Numbers  # what came of a bundle
    memo_result: Annotated[I32, "R"]
    open_bundle: Annotated[I32, "O"]  # the bundle, with what its player can do unnoticed
    open_effect: Annotated[I32, "O"]  # first effect
    open_size: Annotated[I32, "O"]  # how many
    open_child: Annotated[I32, "O"]  # first child
    child: Annotated[I32, "E"]  # bundle that follows each effect, or NOTHING
    frame_core: Annotated[I32, "Z"]
    frame_bundle: Annotated[I32, "2 * Z"]
    frame_opening: Annotated[I32, "Z"]
    frame_next: Annotated[I32, "Z"]
    pair: Annotated[I32, "2 * H"]  # bundles of the first and of the second player, one of them with a value
    state: Annotated[I64, "W"]
    after: Annotated[I64, "W"]
    legal: Annotated[I64, "A"]
    joint: Annotated[I64, "3"]
    observation: Annotated[I64, "X"]
    scratch: Annotated[U64, "2"]
    utility: Annotated[F64, "2"]
    utility_bits: Annotated[U64, "2"]  # the same memory
    counters: Annotated[I64, "COUNTERS"]
    legality_words: Annotated[I64, "V"]


TABLES = {"cores": "C", "signatures": "G", "told": "T", "values": "U", "keys": "K", "bundles": "B", "memo": "R"}
"""The letter for the length of each table of numbers, and of the arrays with a row for each of its entries."""
COUNTED = {
    DEPTH: ("Z", "frame_core"),
    PAIRS: ("H", "pair"),
    MEMBERS: ("M", "member"),
    DEEDS: ("D", "deed_core"),
    EFFECTS: ("F", "effect_core"),
    SIGNED: ("Q", "signature_action"),
    SETS: ("I", "set_key"),
    SEQUENCES: ("S", "action"),
    OPENINGS: ("O", "open_bundle"),
    CHILDREN: ("E", "child"),
}
"""The letter for the length of the arrays with a row for each thing that a counter counts, and one of these arrays."""
FULL, GROWTH = 0.8, 1.3
"""Arrays of which this share is in use are enlarged by this factor."""
MARGIN = 16
"""Rows beyond those for all actions for which kernels want room before each step."""


def new_bundling(native: NativeGame) -> Bundling:
    """Return arrays that contain the beginning of the game."""
    players, margin, utility = native.shape.players, 16 * (MARGIN + native.action_count), np.zeros(2)
    lengths = dict.fromkeys([*TABLES.values(), *(letter for letter, _ in COUNTED.values())], margin)
    made = allocated(
        Bundling,
        functions=native.functions,
        shape=native.shape,
        actions=native.action_count,
        **{name: _numbers(margin) for name in TABLES},
        **lengths,
        **_sizes_of(native),
        utility=utility,
        utility_bits=utility.view(np.uint64),
        legality_words=np.array(native.legality_words, np.int64),
    )
    made.deed.fill(NOTHING)
    made.decision.fill(NOTHING)
    made.action[:players] = NOTHING
    made.counters[SEQUENCES], made.set_first[0], made.frame_opening[0] = players, players, NOTHING
    made.sequence[:players] = range(players)
    return made


def _sizes_of(native: NativeGame) -> dict[str, int]:
    """Return the lengths that never change."""
    shape = native.shape
    sizes = (shape.state_words, shape.max_actions, native.action_count, len(native.legality_words))
    return dict(zip("WANVX", (*sizes, shape.max_observation_words), strict=True))


def _numbers(length: int) -> Numbers:
    numbers = allocated(Numbers, L=length)
    numbers.slots.fill(NOTHING)
    return numbers


def grown(b: Bundling, native: NativeGame) -> Bundling:
    """Return the arrays, those that are nearly full enlarged; arrays of the argument must not be used any more."""
    lengths, changed = _sizes_of(native), dict[str, Any]()
    for name, letter in TABLES.items():
        numbers: Numbers = getattr(b, name)
        lengths[letter] = rows = len(numbers.first)
        if int(numbers.used[0]) >= FULL * rows:
            lengths[letter] = rows = int(rows * GROWTH) + 1
            resize_in_place(numbers, L=rows, slots=numbers.slots)
            if slots_for(rows) > len(numbers.slots):
                numbers = numbers._replace(slots=np.full(slots_for(rows), NOTHING, np.int32))
                enter_all(numbers)
            changed[name] = numbers
    for counter, (letter, array) in COUNTED.items():
        rows = len(getattr(b, array)) // (2 if counter == PAIRS else 1)
        used = max(int(b.counters[counter]), int(b.counters[NEEDED]) if counter == MEMBERS else 0)
        lengths[letter] = int(rows * GROWTH) + 1 if used >= FULL * rows else rows
    deeds, keys = len(b.deed), len(b.decision)
    resize_in_place(b, **lengths)
    b.deed[deeds:] = b.decision[keys:] = NOTHING
    b.counters[NEEDED] = 0
    return b._replace(**changed)


@inline_kernel
def slot_of(numbers: Numbers, first: np.uint64, second: np.uint64) -> int:
    """Return the slot of a pair of words: where it is, or where it belongs."""
    mask = numbers.slots.size - 1
    slot = np.int64(extended(extended(START, first), second)) & mask
    while True:
        found = numbers.slots[slot]
        if found == NOTHING or (numbers.first[found] == first and numbers.second[found] == second):
            return int(slot)
        slot = (slot + 1) & mask


@inline_kernel
def number_of(numbers: Numbers, first: np.uint64, second: np.uint64) -> int:
    """Return the number of a pair of words; a new one, for which there must be room, gets the next number."""
    slot = slot_of(numbers, first, second)
    found = numbers.slots[slot]
    if found != NOTHING:
        return int(found)
    new = numbers.used[0]
    numbers.slots[slot] = new
    numbers.first[new], numbers.second[new] = first, second
    numbers.used[0] = new + 1
    return int(new)


@kernel
def enter_all(numbers: Numbers) -> None:
    """Fill the slots, which are free, with all numbers."""
    for number in range(numbers.used[0]):
        numbers.slots[slot_of(numbers, numbers.first[number], numbers.second[number])] = number


@kernel
def start_bundles(b: Bundling, players: int) -> None:
    """Enter the keys of both players at the beginning, and nothing as the first observation."""
    number_of(b.told, np.uint64(0), np.uint64(0))
    for player in range(players):
        start_key(b.scratch, 0)
        b.frame_bundle[player] = number_of(b.keys, b.scratch[0] ^ mark_of(player), b.scratch[1])
        b.member[player] = player
        b.bundle_first[player + 1] = player + 1
        b.bundle_value[player] = NO_VALUE
        number_of(b.bundles, np.uint64(player), np.uint64(0))
    b.counters[MEMBERS] = players


@inline_kernel
def mark_of(player: int) -> np.uint64:
    """Return what tells a player's keys from those of others."""
    return np.uint64(player) * START
