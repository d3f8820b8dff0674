"""The arrays that grow while a game is unfolded by bundles; see `bundle_kernels.py` for what these are.

Dimensions: W words of a world state, V of these that matter for legality alone, N actions; C cores, D deeds, F effects,
G signatures, K keys, I information states, S sequences, B bundles, O openings, M members, H histories of the core.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I32, I64, U64, inline_kernel, kernel
from ggp.native.hashing import START, extended
from ggp.native.information_states import start_key
from ggp.native.interface import NativeGame
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

    first: U64  # [n]
    second: U64  # [n]
    slots: I32  # [2^k]
    used: I64  # [1]


class Bundling(NamedTuple):
    """All arrays of a game that is being unfolded."""

    cores: Numbers  # by hash
    core_words: I64  # [C * W] with 0 for the words of legality
    core_actors: I64  # [C]
    deed: I32  # [C * N] number of the deed, NOTHING before it was met
    deeds_of: I32  # [C] how many the core has
    block: I32  # [C] its first effect
    block_size: I32  # [C]
    block_deeds: I32  # [C] how many deeds its effects are made of
    deed_core: I32  # [D] the core that follows, or ENDED
    deed_told: I32  # [D] what the player who acts is told
    deed_told_other: I32  # [D]
    deed_value: I32  # [D] number of the utility
    effect_core: I32  # [F]
    effect_told: I32  # [F] what the other player is told
    effect_value: I32  # [F]
    effect_action: I32  # [F] one of its actions
    effect_signature: I32  # [F]
    signatures: Numbers  # by hash
    signature_first: I32  # [G + 1]
    signature_action: I32  # [signed]
    signature_told: I32  # [signed]
    told: Numbers  # digests of observations; 0 is nothing
    told_size: I32  # words of each
    told_words: I64  # as many times O
    values: Numbers  # utilities of the first player, by their bits
    value: F64  # as many
    keys: Numbers  # information-state keys, marked by player
    private: I64  # [K * V] words of legality in a world state with the key
    sequence: I32  # [K] last sequence
    decision: I32  # [K] information state, NOTHING where its player has not been seen to act with the key
    key_before: I32  # [K] the key that it extends,
    key_action: I32  # [K] by an action, if not NOTHING,
    key_told: I32  # [K] and by what is told, if not 0
    set_key: I32  # [I]
    set_player: I32  # [I]
    set_first: I32  # [I + 1]
    witness: I32  # [I] last sequence of the other player in a history that leads there
    action: I32  # [S]
    bundles: Numbers  # by hash
    bundle_first: I64  # [B + 1]
    bundle_value: I32  # [B] number of the utility where members are sequences, else NO_VALUE
    member: I32  # [M] keys or sequences
    memo: Numbers  # what came of a bundle
    memo_result: I32  # as many
    open_bundle: I32  # [O] the bundle, with what its player can do unnoticed
    open_effect: I32  # [O] first effect
    open_size: I32  # [O] how many
    open_child: I32  # [O] first child
    child: I32  # [children] bundle that follows each effect, or NOTHING
    frame_core: I32  # [frames]
    frame_bundle: I32  # [frames * 2]
    frame_opening: I32  # [frames]
    frame_next: I32  # [frames]
    pair: I32  # [2 * H] bundles of the first and of the second player, one of them with a value
    state: I64  # [W]
    after: I64  # [W]
    legal: I64  # [A]
    joint: I64  # [3]
    observation: I64
    scratch: U64  # [2]
    utility: F64  # [2]
    utility_bits: U64  # [2], the same memory
    counters: I64  # [COUNTERS]
    legality_words: I64  # [V]


ROWS: dict[str, tuple[str, ...]] = {
    "cores": ("core_words", "core_actors", "deed", "deeds_of", "block", "block_size", "block_deeds"),
    "signatures": ("signature_first",),
    "told": ("told_size", "told_words"),
    "values": ("value",),
    "keys": ("private", "sequence", "decision", "key_before", "key_action", "key_told"),
    "bundles": ("bundle_first", "bundle_value"),
    "memo": ("memo_result",),
}
"""Arrays with a row for each entry of a table of numbers."""
COUNTED: dict[int, tuple[str, ...]] = {
    DEPTH: ("frame_core", "frame_bundle", "frame_opening", "frame_next"),
    PAIRS: ("pair",),
    MEMBERS: ("member",),
    DEEDS: ("deed_core", "deed_told", "deed_told_other", "deed_value"),
    EFFECTS: ("effect_core", "effect_told", "effect_value", "effect_action", "effect_signature"),
    SIGNED: ("signature_action", "signature_told"),
    SETS: ("set_key", "set_player", "set_first", "witness"),
    SEQUENCES: ("action",),
    OPENINGS: ("open_bundle", "open_effect", "open_size", "open_child"),
    CHILDREN: ("child",),
}
"""Arrays with a row for each thing that a counter counts."""
LONGS = ("told_words", "core_words", "core_actors", "private", "bundle_first")
"""Those of 64 bits."""
FULL, GROWTH = 0.8, 1.3
"""Arrays of which this share is in use are enlarged by this factor."""
MARGIN = 16
"""Rows beyond those for all actions for which kernels want room before each step."""


def widths(native: NativeGame) -> dict[str, int]:
    """Return how many entries a row of an array has, where not one."""
    return {
        "core_words": native.shape.state_words,
        "deed": native.action_count,
        "private": len(native.legality_words),
        "told_words": native.shape.max_observation_words,
        "frame_bundle": 2,
        "pair": 2,
    }


def new_bundling(native: NativeGame) -> Bundling:
    """Return arrays that contain the beginning of the game."""
    shape, wide, arrays = native.shape, widths(native), dict[str, Any]()
    margin = 16 * (MARGIN + native.action_count)
    for name in (*ROWS, *(name for names in (*ROWS.values(), *COUNTED.values()) for name in names)):
        if name in ROWS:
            slots = np.full(slots_for(margin), NOTHING, np.int32)
            arrays[name] = Numbers(
                np.zeros(margin, np.uint64), np.zeros(margin, np.uint64), slots, np.zeros(1, np.int64)
            )
            continue
        kind = np.float64 if name == "value" else np.int64 if name in LONGS else np.int32
        arrays[name] = np.full(margin * wide.get(name, 1), NOTHING if name in ("deed", "decision") else 0, kind)
    utility, players = np.zeros(2), range(shape.players)
    arrays |= {
        "state": np.zeros(shape.state_words, np.int64),
        "after": np.zeros(shape.state_words, np.int64),
        "legal": np.zeros(shape.max_actions, np.int64),
        "joint": np.zeros(shape.players + 1, np.int64),
        "observation": np.zeros(shape.max_observation_words, np.int64),
        "scratch": np.zeros(2, np.uint64),
        "utility": utility,
        "utility_bits": utility.view(np.uint64),
        "counters": np.zeros(COUNTERS, np.int64),
        "legality_words": np.array(native.legality_words, np.int64),
    }
    made = Bundling(**arrays)
    made.action[: shape.players] = NOTHING
    made.counters[SEQUENCES], made.set_first[0], made.frame_opening[0] = shape.players, shape.players, NOTHING
    for player in players:
        made.sequence[player] = player
    return made


def grown(b: Bundling, native: NativeGame) -> Bundling:
    """Return the arrays, those more than half full enlarged; arrays of the argument must not be used any more."""
    wide, changed = widths(native), dict[str, Any]()

    def enlarge(names: tuple[str, ...], rows: int) -> None:
        for name in names:
            array, length = getattr(b, name), rows * wide.get(name, 1)
            before = len(array)
            # in place where the system can: a copy of the largest would not fit
            array.resize(length, refcheck=False)
            if name in ("deed", "decision"):
                array[before:] = NOTHING

    for name, others in ROWS.items():
        numbers: Numbers = getattr(b, name)
        if int(numbers.used[0]) >= FULL * len(numbers.first):
            rows = int(len(numbers.first) * GROWTH) + 1
            enlarge(others, rows)
            numbers.first.resize(rows, refcheck=False)
            numbers.second.resize(rows, refcheck=False)
            if slots_for(rows) > len(numbers.slots):
                numbers = numbers._replace(slots=np.full(slots_for(rows), NOTHING, np.int32))
                enter_all(numbers)
            changed[name] = numbers
    for counter, others in COUNTED.items():
        rows = len(getattr(b, others[0])) // wide.get(others[0], 1)
        used = max(int(b.counters[counter]), int(b.counters[NEEDED]) if counter == MEMBERS else 0)
        if used >= FULL * rows:
            enlarge(others, int(rows * GROWTH) + 1)
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
