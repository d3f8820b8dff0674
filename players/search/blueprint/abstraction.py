"""What a player is taken to remember: all that was done, and how good that is which chance has shown it.

What chance shows a player is replaced by its *equity*: the share of games won from where the player stands, in samples
of all that it was not told, drawn anew by replaying the game and kept where it would have been told the same. In these
games nobody takes an action that ends the game badly for whoever takes it while there is another one, so that hands
are compared and not given up by chance. Equities are put into buckets of equal probability, by how often chance has
shown the player something. Where that has few outcomes altogether they are told apart, and nothing is lost.

Two keys are kept for each player along a path: of what it did and was told of what others did, with a mark wherever
chance showed it something, and of what chance showed it. An information state of the abstraction is the first one with
the bucket, or the second.

Dimensions: P players, W words of a world state, D transitions of a path, S times that chance may show something.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, F64_2D, I64, U64, allocated, inline_kernel
from ggp.native.calls import (
    call_actors,
    call_chance,
    call_init,
    call_legal,
    call_observe,
    call_sample_chance,
    call_step,
    call_utility,
)
from ggp.native.information_states import KEY_WORDS, extend_key_by_action, extend_key_by_observation, start_key
from ggp.native.interface import CHANCE, TERMINAL, GameShape
from ggp.native.rng_kernels import below, mixed
from players.search.foundation.kernel_arguments import Model

DEPTH = 512
"""D; longer games are not searched."""
LONGEST = 2000
"""Transitions of a game that is played out; a longer one counts as drawn."""
STAGES = 16
"""S; what comes later counts as the last."""
BUCKETS, SAMPLES, TRIES = 24, 160, 4
"""Samples of an equity are looked for so many times as often."""
CACHE = 1 << 20
DRAWN = 1 << 40
"""The mark in the place of an action."""
KEYS = 2 * KEY_WORDS
"""Words of the keys of a player: of what was done, then of what chance has shown."""
DONE, SHOWN = 0, KEY_WORDS
STAGE_SHIFT, ONE = np.uint64(1), np.uint64(1)


class Buckets(NamedTuple):
    """How equities become buckets."""

    bounds: F64_2D  # [S, BUCKETS - 1] in ascending order
    exact: I64  # [S] 1: what chance has shown is told apart


class Walk(NamedTuple):
    """A history, and scratch memory for others like it."""

    states: Annotated[I64, "D * W"]
    joints: Annotated[I64, "D * (P + 1)"]  # the transition from each
    actors: Annotated[I64, "D"]  # who made it
    keys: Annotated[U64, "D * P * KEYS"]
    stages: Annotated[I64, "D * P"]  # how often chance has shown the player something
    told: Annotated[I64, "D * P"]  # whether the player acted, or was told of the transition
    others: Annotated[I64, "3 * W"]  # states of other histories
    joint: Annotated[I64, "P + 1"]
    key: Annotated[U64, "KEYS"]
    stage: Annotated[I64, "1"]
    actions: Annotated[I64, "P * A"]
    outcomes: Annotated[I64, "C"]
    chances: Annotated[F64, "C"]
    observation: Annotated[I64, "O"]
    utility: Annotated[F64, "P"]
    rng: Annotated[U64, "1"]  # of samples
    cache_keys: Annotated[U64, "CACHE"]
    cache: Annotated[F64, "CACHE"]  # equities


def new_walk(shape: GameShape) -> Walk:
    """Return memory for a path."""
    path = allocated(Walk, D=DEPTH, **shape.lengths)
    path.rng[0] = 1
    return path


def no_buckets() -> Buckets:
    """Return buckets that tell everything apart."""
    return Buckets(np.zeros((STAGES, BUCKETS - 1)), np.ones(STAGES, np.int64))


@inline_kernel
def begin_path(model: Model, path: Walk) -> None:
    """Begin at the beginning of the game."""
    call_init(model.functions.init, path.states, 0)
    for player in range(model.shape.players):
        path.stages[player] = 0
        start_key(path.keys, player * KEYS + DONE)
        start_key(path.keys, player * KEYS + SHOWN)


@inline_kernel
def extend_one(
    model: Model,
    path: Walk,
    actors: int,
    player: int,
    old: I64,
    old_at: int,
    new: I64,
    new_at: int,
    joint: I64,
    joint_at: int,
    keys: U64,
    at: int,
) -> int:
    """Extend the keys of a player by a transition; return 0: it was told nothing, 1: something, 2: chance showed it."""
    count = call_observe(
        model.functions.observe, old, old_at, new, new_at, joint, joint_at, player, path.observation, 0
    )
    if actors == CHANCE:
        if count <= 0:
            return 0
        extend_key_by_action(keys, at + DONE, DRAWN)
        extend_key_by_observation(keys, at + SHOWN, path.observation, 0, count)
        return 2
    acted = actors >> player & 1 != 0
    if acted:
        extend_key_by_action(keys, at + DONE, joint[joint_at + player])
    if count > 0:
        extend_key_by_observation(keys, at + DONE, path.observation, 0, count)
    return int(acted or count > 0)


@inline_kernel
def step_path(model: Model, path: Walk, depth: int, actors: int) -> None:
    """Make the transition at a depth of the path."""
    words, players = model.shape.state_words, model.shape.players
    at, to = depth * words, (depth + 1) * words
    joint = depth * (players + 1)
    path.actors[depth] = actors
    call_step(model.functions.step, path.states, at, path.states, to, path.joints, joint)
    for player in range(players):
        own = depth * players + player
        before, after = own * KEYS, (own + players) * KEYS
        path.keys[after : after + KEYS] = path.keys[before : before + KEYS]
        found = extend_one(
            model,
            path,
            actors,
            player,
            path.states,
            at,
            path.states,
            to,
            path.joints,
            joint,
            path.keys,
            after,
        )
        path.told[own] = found
        path.stages[own + players] = path.stages[own] + int(found == 2)


@inline_kernel
def next_other(model: Model, at: int) -> int:
    """Return the place of the next of the three states in `others`."""
    return int((at + model.shape.state_words) % (3 * model.shape.state_words))


@inline_kernel
def among(values: I64, count: int, value: int) -> bool:
    """Return whether a value is one of the first."""
    for place in range(count):  # noqa: SIM110 - kernels have no generators
        if values[place] == value:
            return True
    return False


@inline_kernel
def redraw(model: Model, path: Walk, actors: int, at: int) -> bool:
    """Draw a transition from a state of `others` into `joint`; return False if there is none."""
    path.joint[:] = 0
    if actors == CHANCE:
        outcome = call_sample_chance(model.functions.sample_chance, path.others, at, path.rng, 0)
        path.joint[model.shape.players] = outcome
        return bool(outcome >= 0)
    for player in range(model.shape.players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, path.others, at, player, path.actions, 0)
            if count < 1:
                return False
            path.joint[player] = path.actions[below(path.rng, 0, count)]
    return True


@inline_kernel
def repeat(model: Model, path: Walk, depth: int, actors: int, at: int) -> bool:
    """Write the transition of the path into `joint`; return whether it is possible in a state of `others`."""
    players = model.shape.players
    first = depth * (players + 1)
    path.joint[:] = path.joints[first : first + players + 1]
    if actors == CHANCE:
        count = call_chance(model.functions.chance, path.others, at, path.outcomes, 0, path.chances, 0)
        return among(path.outcomes, count, path.joint[players])
    for player in range(players):
        if actors >> player & 1:
            count = call_legal(model.functions.legal, path.others, at, player, path.actions, 0)
            if not among(path.actions, count, path.joint[player]):
                return False
    return True


@inline_kernel
def other_history(model: Model, path: Walk, depth: int, player: int) -> int:
    """Replay the path with what a player was not told drawn anew; return the place of its state, -1: it differs."""
    words, players = model.shape.state_words, model.shape.players
    at, first = 0, 0
    while first < depth and path.told[first * players + player] != 0:
        first += 1
    path.others[:words] = path.states[first * words : (first + 1) * words]
    for step in range(first, depth):
        actors = call_actors(model.functions.actors, path.others, at)
        if actors != path.actors[step]:
            return -1
        own = step * players + player
        possible = repeat(model, path, step, actors, at) if path.told[own] != 0 else redraw(model, path, actors, at)
        if not possible:
            return -1
        to = next_other(model, at)
        call_step(model.functions.step, path.others, at, path.others, to, path.joint, 0)
        path.key[:] = path.keys[own * KEYS : own * KEYS + KEYS]
        extend_one(model, path, actors, player, path.others, at, path.others, to, path.joint, 0, path.key, 0)
        after = (own + players) * KEYS
        for word in range(KEYS):
            if path.key[word] != path.keys[after + word]:
                return -1
        at = to
    return at


@inline_kernel
def share_of(model: Model, path: Walk, at: int, player: int) -> float:
    """Return what a player got at the end of a game, from 0 to 1."""
    call_utility(model.functions.utility, path.others, at, path.utility, 0)
    return float((path.utility[player] - model.low[player]) * model.scale[player])


@inline_kernel
def decide_sensibly(model: Model, path: Walk, at: int, player: int) -> None:
    """Draw an action that goes on, or ends the game well; the best that ends it if there is none."""
    count = call_legal(model.functions.legal, path.others, at, player, path.actions, 0)
    if count < 1:
        path.joint[player] = -1
        return
    offset, best, most = below(path.rng, 0, count), -1, -1.0
    to = next_other(model, at)
    for place in range(count):
        action = path.actions[(offset + place) % count]
        path.joint[player] = action
        call_step(model.functions.step, path.others, at, path.others, to, path.joint, 0)
        share = 2.0
        if call_actors(model.functions.actors, path.others, to) == TERMINAL:
            share = share_of(model, path, to, player)
        if share > most:
            most, best = share, action
        if share > 0.5:
            break
    path.joint[player] = best


@inline_kernel
def won(model: Model, path: Walk, at: int, player: int) -> float:
    """Play to the end from a state of `others`, and return 1, 0.5 or 0: whether a player won."""
    for _ in range(LONGEST):
        actors = call_actors(model.functions.actors, path.others, at)
        if actors == TERMINAL:
            share = share_of(model, path, at, player)
            return 1.0 if share > 0.5 else 0.5 if share == 0.5 else 0.0
        if actors > 0 and actors & (actors - 1) == 0:
            acting = 0
            while actors >> acting != 1:
                acting += 1
            path.joint[:] = 0
            decide_sensibly(model, path, at, acting)
            if path.joint[acting] < 0:
                break
        elif not redraw(model, path, actors, at):
            break
        to = next_other(model, at)
        call_step(model.functions.step, path.others, at, path.others, to, path.joint, 0)
        at = to
    return 0.5


@inline_kernel
def equity(model: Model, path: Walk, depth: int, player: int) -> float:
    """Return the share of games that a player wins from where the path stands; it depends only on what chance showed.

    It may depend a little on the path on which it was first asked for.
    """
    own = (depth * model.shape.players + player) * KEYS + SHOWN
    tag = mixed(path.keys[own] + np.uint64(player)) | ONE
    slot = int(np.int64(tag >> STAGE_SHIFT)) & (CACHE - 1)
    if path.cache_keys[slot] == tag:
        return float(path.cache[slot])
    path.rng[0] = tag
    made, total = 0, 0.0
    for _ in range(SAMPLES * TRIES):
        at = other_history(model, path, depth, player)
        if at >= 0:
            total += won(model, path, at, player)
            made += 1
            if made == SAMPLES:
                break
    found = total / made if made > 0 else 0.5
    path.cache_keys[slot] = tag
    path.cache[slot] = found
    return found


@inline_kernel
def write_abstract_key(model: Model, path: Walk, buckets: Buckets, depth: int, player: int) -> None:
    """Write the key of a player's information state in the abstraction to `key`."""
    own = depth * model.shape.players + player
    at, stage = own * KEYS, min(path.stages[own], STAGES - 1)
    first, second = path.keys[at + DONE], path.keys[at + DONE + 1]
    shown = path.keys[at + SHOWN]
    if not buckets.exact[stage]:
        value, bucket = equity(model, path, depth, player), 0
        for place in range(BUCKETS - 1):
            bucket += int(buckets.bounds[stage, place] <= value)
        shown = np.uint64(bucket)
    shown = mixed(shown + np.uint64(stage))
    path.key[0] = mixed(first ^ shown)
    path.key[1] = second + shown
