"""Finds the transitions that show a player everything chosen or drawn in them, from random plays.

In many games with hidden information most moves are public: shots, bids, cards played. If an observation determines the
joint choice of the others, one branch has to be tried instead of thousands. The native functions do not tell when that
is so, but random plays show it. Observations are put into *classes*, by phase, who acts, number of words and first
word, which names the kind of observation.
A class is *open* as long as no two joint choices of the others have given the same observation there, together with the
same action of the player.

This is evidence, not proof, so beliefs keep checking it: now and then all branches are tried although the class is
open, and if two fit, the class is closed for good.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, inline_kernel, kernel
from ggp.model.native.calls import call_actors, call_chance, call_init, call_legal, call_observe, call_step
from ggp.model.native.interface import CHANCE, TERMINAL, GameShape
from ggp.model.native.rng_kernels import below
from players.search.walk.kernel_arguments import Model

CLASSES, OBSERVATIONS = 1 << 10, 1 << 15
"""Slots of the two tables."""
ENOUGH = 12
"""Number of different observations that a class needs before it counts as open."""
DRAWS = 4
"""Branches tried in each state."""
MOST = 200
"""Transitions of a play: longer games are restarted."""
OPEN, CLOSED = 0, 1
NOTHING = -1
"""First word of an observation that has none."""

K1, K2 = np.uint64(0x9FB21C651E98DF25), np.uint64(0xD1B54A32D192ED03)
S29, S32 = np.uint64(29), np.uint64(32)
BEGINNING, NO_ENTRY = np.uint64(0x9E3779B97F4A7C15), np.uint64(0)


class Openness(NamedTuple):
    """The observations collected in a game. Tables are open-addressed; a key 0 is an empty slot."""

    class_keys: U64  # [CLASSES]
    class_seen: I64  # [CLASSES] different observations
    class_closed: I64  # [CLASSES] OPEN or CLOSED
    keys: U64  # [OBSERVATIONS] of observations with what the player itself did
    joints: U64  # [OBSERVATIONS] hashes of what the others did
    used: I64  # [1] entries of the second table


def new_openness() -> Openness:
    """Return empty tables: nothing counts as open."""
    return Openness(
        np.zeros(CLASSES, np.uint64),
        np.zeros(CLASSES, np.int64),
        np.zeros(CLASSES, np.int64),
        np.zeros(OBSERVATIONS, np.uint64),
        np.zeros(OBSERVATIONS, np.uint64),
        np.zeros(1, np.int64),
    )


@inline_kernel
def mix(key: np.uint64, word: int) -> np.uint64:
    """Return a hash extended by one word."""
    mixed = (key ^ np.uint64(word)) * K1
    mixed = (mixed ^ (mixed >> S29)) * K2
    return np.uint64(mixed ^ (mixed >> S32))


@inline_kernel
def class_key(phase: int, actors: int, role: int, count: int, first: int) -> np.uint64:
    """Return the key of a class; `first` is NOTHING where `count` is 0."""
    key = mix(mix(mix(mix(mix(BEGINNING, phase), actors), role), count), first)
    return np.uint64(1) if key == NO_ENTRY else key


@inline_kernel
def find_class(openness: Openness, key: np.uint64) -> int:
    """Return the slot of a class, or the empty slot where it belongs; -1 if the table is full."""
    mask = openness.class_keys.size - 1
    slot = int(np.int64(key >> S32)) & mask
    for _ in range(openness.class_keys.size):
        if openness.class_keys[slot] == key or openness.class_keys[slot] == NO_ENTRY:
            return slot
        slot = (slot + 1) & mask
    return -1


@inline_kernel
def is_open(openness: Openness, phase: int, actors: int, role: int, count: int, first: int) -> bool:
    """Return whether an observation shows all that the others chose.

    Args:
        openness: what is known.
        phase: in which the transition is made.
        actors: mask of who acts in it; a role that does not, and is told nothing at times, is not shown all.
        role: who is told.
        count: words of the observation, at least 1.
        first: the first of them.
    """
    slot = find_class(openness, class_key(phase, actors, role, count, first))
    if slot < 0 or openness.class_seen[slot] < ENOUGH or openness.class_closed[slot] == CLOSED:
        return False
    if actors > 0 and actors >> role & 1:
        return True
    silent = find_class(openness, class_key(phase, actors, role, 0, NOTHING))
    return bool(silent >= 0 and openness.class_keys[silent] == NO_ENTRY)


@inline_kernel
def close_class(openness: Openness, phase: int, actors: int, role: int, count: int, first: int) -> None:
    """Record that two choices of the others gave the same observation."""
    slot = find_class(openness, class_key(phase, actors, role, count, first))
    if slot >= 0:
        openness.class_closed[slot] = CLOSED


@inline_kernel
def note(
    openness: Openness,
    phase: int,
    actors: int,
    role: int,
    own: int,
    observation: I64,
    count: int,
    joint: np.uint64,
) -> None:
    """Record a role's observation of one transition.

    Args:
        openness: changed.
        phase: in which it was made.
        actors: mask of who acted.
        role: who was told.
        own: its own action, NOTHING if it did not act.
        observation: `observation[:count]`.
        count: its words.
        joint: a hash of what the others, or chance, did.
    """
    first = observation[0] if count > 0 else NOTHING
    key = class_key(phase, actors, role, count, first)
    slot = find_class(openness, key)
    if slot < 0:
        return
    openness.class_keys[slot] = key
    if openness.class_closed[slot] == CLOSED:
        return
    told = mix(key, own)
    for word in range(count):
        told = mix(told, observation[word])
    if told == NO_ENTRY:
        told = np.uint64(1)
    mask = openness.keys.size - 1
    place = int(np.int64(told >> S32)) & mask
    while openness.keys[place] != NO_ENTRY and openness.keys[place] != told:
        place = (place + 1) & mask
    if openness.keys[place] == NO_ENTRY:
        openness.keys[place] = told
        openness.joints[place] = joint
        openness.used[0] += 1
        openness.class_seen[slot] += 1
    elif openness.joints[place] != joint:
        openness.class_closed[slot] = CLOSED


@kernel
def watch_plays(
    model: Model,
    openness: Openness,
    states: I64,
    actions: I64,
    chances: F64,
    joint: I64,
    observation: I64,
    rng: U64,
    work: int,
) -> int:
    """Watch random plays from the beginning of the game.

    Args:
        model: the game.
        openness: changed.
        states: `[2 * W]`, overwritten.
        actions: `[A]`, overwritten.
        chances: `[A]`, overwritten.
        joint: `[P + 1]`, overwritten.
        observation: `[O]`, overwritten.
        rng: `[1]`.
        work: transitions at most.

    Returns:
        How many were made.
    """
    players, words = model.shape.players, model.shape.state_words
    made, length = 0, MOST
    while made < work and 4 * openness.used[0] < 3 * openness.keys.size:
        if length >= MOST:
            call_init(model.functions.init, states, 0)
            length = 0
            made += 1
        actors = call_actors(model.functions.actors, states, 0)
        if actors == TERMINAL:
            length = MOST
            continue
        length += 1
        for _ in range(DRAWS):
            failed = False
            for player in range(players + 1):
                joint[player] = 0
            if actors == CHANCE:
                # uniformly, not by the probabilities: rare outcomes should occur, too
                count = call_chance(model.functions.chance, states, 0, actions, 0, chances, 0)
                failed = count < 1
                if not failed:
                    joint[players] = actions[below(rng, 0, count)]
            for player in range(players):
                if actors > 0 and actors >> player & 1:
                    count = call_legal(model.functions.legal, states, 0, player, actions, 0)
                    failed = failed or count < 1
                    if count > 0:
                        joint[player] = actions[below(rng, 0, count)]
            if failed:
                length = MOST
                break
            call_step(model.functions.step, states, 0, states, words, joint, 0)
            made += 1
            for role in range(players):
                count = call_observe(model.functions.observe, states, 0, states, words, joint, 0, role, observation, 0)
                if count < 0:
                    length = MOST
                    break
                acts = actors > 0 and bool(actors >> role & 1)
                others = BEGINNING
                for player in range(players + 1):
                    if player != role:
                        others = mix(others, joint[player])
                note(openness, states[0], actors, role, joint[role] if acts else NOTHING, observation, count, others)
        if length < MOST:
            for word in range(words):
                states[word] = states[words + word]
    return made


def watch(model: Model, shape: GameShape, work: int) -> Openness:
    """Return the openness that random plays of `work` transitions show."""
    openness = new_openness()
    most = max(shape.max_actions, shape.max_outcomes)
    watch_plays(
        model,
        openness,
        np.zeros(2 * shape.state_words, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.zeros(shape.players + 1, np.int64),
        np.zeros(max(shape.max_observation_words, 1), np.int64),
        np.array([0x9E3779B97F4A7C15], np.uint64),
        work,
    )
    return openness
