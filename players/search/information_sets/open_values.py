"""Exact values of a game with open cards: depth-first, each world state once, if the game is small enough.

Every player is assumed to see the whole world state and to maximise its own utility; chance is averaged. Only one
player may act at a time. The search keeps its state between calls, so it can run in slices.

Dimensions: D frames of the path, A the larger of the most actions and outcomes, P players, S slots, W words of a state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, F64_2D, I64, I64_2D, U64_2D, inline_kernel, kernel
from ggp.native.calls import call_actors, call_chance, call_legal, call_step, call_utility
from ggp.native.hashing import START, hash_of
from ggp.native.interface import CHANCE, TERMINAL, GameShape
from players.search.foundation.kernel_arguments import Model

DEPTH, DONE, SOLVED, STATES, COUNTERS = 0, 1, 2, 3, 4
UNSOLVED, FINISHED, TOO_LARGE = 0, 1, 2
MAX_DEPTH = 400
MAX_WORDS = 1 << 22
"""Memory for the path, and for the values."""
SECOND_START = np.uint64(0xD1B54A32D192ED03)


class OpenValues(NamedTuple):
    """The values found, and the path of the current search."""

    keys: U64_2D  # [S, 2] of world states; 0, 0 if there is none
    values: F64_2D  # [S, P] their utilities
    states: I64  # [(D + 1) * W]
    actor: I64  # [D] who acts, CHANCE or a player + 1
    choices: I64_2D  # [D, A]
    chances: F64_2D  # [D, A]
    options: I64  # [D] how many choices there are
    at: I64  # [D] which is being looked at
    best: F64_2D  # [D, P] what the best choice so far is worth, or the average so far
    key: U64_2D  # [D, 2]
    joint: I64  # [P + 1]
    utility: F64  # [P]
    counters: I64  # [COUNTERS] frames of the path, unused, how the last search stands, states valued


def new_open_values(shape: GameShape) -> OpenValues:
    """Return memory for the values of one game."""
    most = max(shape.max_actions, shape.max_outcomes)
    depth = max(1, min(MAX_DEPTH, MAX_WORDS // (2 * most + shape.state_words)))
    slots = 1 << ((MAX_WORDS // (2 + shape.players)).bit_length() - 1)
    return OpenValues(
        keys=np.zeros((slots, 2), np.uint64),
        values=np.zeros((slots, shape.players)),
        states=np.zeros((depth + 1) * shape.state_words, np.int64),
        actor=np.zeros(depth, np.int64),
        choices=np.zeros((depth, most), np.int64),
        chances=np.zeros((depth, most)),
        options=np.zeros(depth, np.int64),
        at=np.zeros(depth, np.int64),
        best=np.zeros((depth, shape.players)),
        key=np.zeros((depth, 2), np.uint64),
        joint=np.zeros(shape.players + 1, np.int64),
        utility=np.zeros(shape.players),
        counters=np.zeros(COUNTERS, np.int64),
    )


@inline_kernel
def hash_state(open_values: OpenValues, at: int, words: int, frame: int) -> None:
    """Write the key of the world state at `at` to a frame."""
    first = hash_of(open_values.states, at, at + words, START)
    open_values.key[frame, 0] = first
    open_values.key[frame, 1] = hash_of(open_values.states, at, at + words, SECOND_START) | np.uint64(1)


@inline_kernel
def slot_of(open_values: OpenValues, frame: int) -> int:
    """Return the slot of a frame's key: where it is, or a free one."""
    mask = open_values.keys.shape[0] - 1
    slot = int(np.int64(open_values.key[frame, 0] & np.uint64(mask)))
    while open_values.keys[slot, 1] != np.uint64(0) and not (
        open_values.keys[slot, 0] == open_values.key[frame, 0]
        and open_values.keys[slot, 1] == open_values.key[frame, 1]
    ):
        slot = (slot + 1) & mask
    return int(slot)


@inline_kernel
def enter_state(model: Model, open_values: OpenValues, frame: int) -> int:
    """Start with the state of a frame.

    Returns:
        1: its value is known, in `utility`; 0: its actions have to be tried; -1: it cannot be valued.
    """
    functions, words = model.functions, model.shape.state_words
    at = frame * words
    actors = call_actors(functions.actors, open_values.states, at)
    if actors == TERMINAL:
        return 1 if call_utility(functions.utility, open_values.states, at, open_values.utility, 0) >= 0 else -1
    if frame == open_values.options.size:
        return -1
    hash_state(open_values, at, words, frame)
    slot = slot_of(open_values, frame)
    if open_values.keys[slot, 1] != np.uint64(0):
        open_values.utility[:] = open_values.values[slot]
        return 1
    if actors == CHANCE:
        count = call_chance(
            functions.chance, open_values.states, at, open_values.choices[frame], 0, open_values.chances[frame], 0
        )
        open_values.actor[frame] = 0
    else:
        if actors & (actors - 1):
            return -1
        actor = 0
        while not actors >> actor & 1:
            actor += 1
        count = call_legal(functions.legal, open_values.states, at, actor, open_values.choices[frame], 0)
        open_values.actor[frame] = actor + 1
    if count < 1:
        return -1
    open_values.options[frame] = count
    open_values.at[frame] = 0
    open_values.best[frame] = 0.0
    return 0


@inline_kernel
def take_value(open_values: OpenValues, frame: int, players: int) -> None:
    """Record `utility` as the value of the current choice, and move to the next one."""
    choice, actor = open_values.at[frame], open_values.actor[frame]
    if actor == 0:
        for player in range(players):
            open_values.best[frame, player] += open_values.chances[frame, choice] * open_values.utility[player]
    elif choice == 0 or open_values.utility[actor - 1] > open_values.best[frame, actor - 1]:
        open_values.best[frame] = open_values.utility
    open_values.at[frame] = choice + 1


@kernel
def value_state(model: Model, open_values: OpenValues, work: int) -> int:
    """Continue computing the value of the state in `states[:W]`, for a number of transitions.

    Before the first call for a state, `counters[DEPTH]` is 0.

    Returns:
        FINISHED: the utilities are in `utility`; UNSOLVED: not yet; TOO_LARGE: there is no room, or it cannot be done.
    """
    players, words = model.shape.players, model.shape.state_words
    depth = open_values.counters[DEPTH]
    known = 0
    if depth == 0:
        known = enter_state(model, open_values, 0)
        if known != 0:
            return FINISHED if known > 0 else TOO_LARGE
        depth = 1
    for _ in range(work):
        frame = depth - 1
        choice = open_values.at[frame]
        actor = open_values.actor[frame]
        # nothing can be better than the most that the player can get
        full = (
            actor > 0
            and choice > 0
            and (open_values.best[frame, actor - 1] - model.low[actor - 1]) * model.scale[actor - 1] >= 1.0
        )
        if choice == open_values.options[frame] or full:
            slot = slot_of(open_values, frame)
            if 4 * open_values.counters[STATES] > 3 * open_values.keys.shape[0]:
                return TOO_LARGE
            open_values.counters[STATES] += 1
            open_values.keys[slot] = open_values.key[frame]
            open_values.values[slot] = open_values.best[frame]
            open_values.utility[:] = open_values.best[frame]
            depth -= 1
            if depth == 0:
                open_values.counters[DEPTH] = 0
                return FINISHED
            take_value(open_values, depth - 1, players)
            continue
        open_values.joint[:] = 0
        open_values.joint[players if actor == 0 else actor - 1] = open_values.choices[frame, choice]
        call_step(
            model.functions.step,
            open_values.states,
            frame * words,
            open_values.states,
            depth * words,
            open_values.joint,
            0,
        )
        known = enter_state(model, open_values, depth)
        if known < 0:
            open_values.counters[DEPTH] = 0
            return TOO_LARGE
        if known > 0:
            take_value(open_values, frame, players)
        else:
            depth += 1
    open_values.counters[DEPTH] = depth
    return UNSOLVED
