"""Kernels of batches: a transition of many games at once, random actions, legal actions, tensors.

n games, P players, W words of a state, A legal actions at most, O words of an observation at most, N action numbers, T
entries of a tensor. Every kernel works on the games from `first` to `last - 1`, so that threads can share a batch;
each thread has its own scratch.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ggp.model.native.calls import (
    call_actors,
    call_function,
    call_init,
    call_legal,
    call_observe,
    call_sample_chance,
    call_step,
    call_utility,
    pointer,
)
from ggp.model.native.interface import CHANCE, CHANCE_FAILED, DEAD_END, BatchFunctions, NativeFunctions
from ggp.model.native.jit import F64, I64, U64, inline_kernel, kernel
from ggp.model.native.rng_kernels import below, next_word

F32: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
U8: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

GOES_ON, ENDED, FAULTED, CUT = 0, 1, 2, 3
"""How a game stands after its last transition."""

ONE_HOT, SCALED, BITS, BINARY = 0, 1, 2, 3
"""How a feature is written, see `ggp.model.features.Feature`."""

FEATURE_FIELDS = 5
KIND, WORD, LOW, SIZE, AT = range(FEATURE_FIELDS)
"""A feature as a row of a table."""


class BatchArrays(NamedTuple):
    """The games of a batch. `before`, `states` and `acted`, `acting` change places with each transition."""

    before: I64  # [n W] the states that the last transitions left
    states: I64  # [n W] those that they led to, but for games that ended the initial one
    ends: I64  # [n W] the last state of the game before, in games that have been begun anew
    acted: I64  # [n] who acted in `before`, as the native function `actors` says it
    acting: I64  # [n] who acts in `states`
    joint: I64  # [n (P + 1)] what was chosen or drawn in the last transitions; of those who did not act anything
    utilities: F64  # [n P] of games that ended in the last transition, else anything
    status: U8  # [n] of the last transition
    lengths: I64  # [n] transitions of the game that is going on
    rng: U64  # [n]


@kernel
def seed_games(seeds: U64, rng: U64) -> None:
    """Give every game (`rng`, `[n]`) a generator of its own, drawn by the one in `seeds` (`[1]`)."""
    for game in range(rng.size):
        word = next_word(seeds, 0)
        rng[game] = word if word != 0 else np.uint64(1)


@kernel
def begin_games(functions: NativeFunctions, arrays: BatchArrays, words: int, first: int, last: int) -> None:
    """Begin the games anew."""
    for game in range(first, last):
        call_init(functions.init, arrays.states, game * words)
        arrays.acting[game] = call_actors(functions.actors, arrays.states, game * words)
        arrays.status[game] = GOES_ON
        arrays.lengths[game] = 0


@kernel
def step_games(
    functions: NativeFunctions,
    own: BatchFunctions,
    arrays: BatchArrays,
    actions: I64,
    limit: int,
    words: int,
    first: int,
    last: int,
) -> None:
    """Make a transition in each game: by the actions, or by what chance draws; begin those anew that ended.

    Args:
        functions: of the game.
        own: functions of the game for batches.
        arrays: the states are read from `before`, those who act from `acted`; all else is written.
        actions: `[n P]`, or `[n]` where never two act at once; legal for those who act, or DEAD_END.
        limit: transitions after which a game is cut.
        words: W.
        first: the first game.
        last: the one behind the last.
    """
    players = arrays.joint.size // arrays.acting.size - 1
    width = actions.size // arrays.acting.size
    for game in range(first, last):
        at, joint, acted = game * words, game * (players + 1), arrays.acted[game]
        fault = acted < 0
        if width == 1:
            action = actions[game]
            fault = fault or (acted != CHANCE and action == DEAD_END)
            for player in range(players):
                arrays.joint[joint + player] = action
        else:
            for player in range(players):
                action = actions[game * width + player]
                fault = fault or (action == DEAD_END and (acted >> player & 1) != 0)
                arrays.joint[joint + player] = action
        acting = CHANCE_FAILED
        if not fault:
            acting = _transition(functions, own, arrays, game, acted, words)
        if acting == CHANCE_FAILED:
            for word in range(words):
                arrays.states[at + word] = arrays.before[at + word]
            _begin_anew(functions, arrays, FAULTED, game, words)
            continue
        length = arrays.lengths[game] + 1
        if acting >= 0 and length < limit:
            arrays.acting[game] = acting
            arrays.lengths[game] = length
            arrays.status[game] = GOES_ON
        elif acting >= 0:
            _begin_anew(functions, arrays, CUT, game, words)
        else:
            wrong = call_utility(functions.utility, arrays.states, at, arrays.utilities, game * players)
            _begin_anew(functions, arrays, FAULTED if wrong != 0 else ENDED, game, words)


@inline_kernel
def _transition(
    functions: NativeFunctions, own: BatchFunctions, arrays: BatchArrays, game: int, acted: int, words: int
) -> int:
    """Make the transition of a game; return who acts then, or CHANCE_FAILED."""
    players = arrays.joint.size // arrays.acting.size - 1
    at, joint = game * words, game * (players + 1)
    if own.transition != 0:
        rows = pointer(arrays.before, at), pointer(arrays.states, at), pointer(arrays.joint, joint)
        return call_function(own.transition, (rows[0], rows[1], rows[2], pointer(arrays.rng, game)))
    if acted == CHANCE:
        outcome = call_sample_chance(functions.sample_chance, arrays.before, at, arrays.rng, game)
        arrays.joint[joint + players] = outcome
        if outcome < 0:
            return CHANCE_FAILED
    call_step(functions.step, arrays.before, at, arrays.states, at, arrays.joint, joint)
    return call_actors(functions.actors, arrays.states, at)


@inline_kernel
def _begin_anew(functions: NativeFunctions, arrays: BatchArrays, status: int, game: int, words: int) -> None:
    """Begin a game anew after it came to an end of some kind, and keep its last state."""
    at = game * words
    for word in range(words):
        arrays.ends[at + word] = arrays.states[at + word]
    call_init(functions.init, arrays.states, at)
    arrays.acting[game] = call_actors(functions.actors, arrays.states, at)
    arrays.lengths[game] = 0
    arrays.status[game] = status


@kernel
def draw_actions(
    functions: NativeFunctions,
    own: BatchFunctions,
    arrays: BatchArrays,
    out: I64,
    scratch: I64,
    words: int,
    first: int,
    last: int,
) -> None:
    """Write a uniformly random legal action of every player who acts, DEAD_END where it has none.

    Args:
        functions: of the game.
        own: functions of the game for batches.
        arrays: read; the generators are changed.
        out: `[n P]`, or `[n]` where never two act at once.
        scratch: `[A]`.
        words: W.
        first: the first game.
        last: the one behind the last.
    """
    players = arrays.joint.size // arrays.acting.size - 1
    width = out.size // arrays.acting.size
    for game in range(first, last):
        acting = arrays.acting[game]
        if width == 1 and acting > 0:
            # summed up without a branch, which no processor could predict
            player = 0
            for other in range(1, players):
                player += other * (acting >> other & 1)
            out[game] = _draw_action(functions, own, arrays, scratch, game, player, words)
        elif acting > 0:
            for player in range(players):
                if acting >> player & 1:
                    action = _draw_action(functions, own, arrays, scratch, game, player, words)
                    out[game * width + player] = action


@inline_kernel
def _draw_action(
    functions: NativeFunctions,
    own: BatchFunctions,
    arrays: BatchArrays,
    scratch: I64,
    game: int,
    player: int,
    words: int,
) -> int:
    """Return a uniformly random legal action of a player who acts, DEAD_END where it has none."""
    if own.sample_action != 0:
        place = pointer(arrays.states, game * words)
        return call_function(own.sample_action, (place, player, pointer(arrays.rng, game)))
    count = call_legal(functions.legal, arrays.states, game * words, player, scratch, 0)
    return int(scratch[below(arrays.rng, game, count)]) if count > 0 else DEAD_END


@kernel
def find_illegal(
    functions: NativeFunctions, arrays: BatchArrays, actions: I64, scratch: I64, words: int, first: int, last: int
) -> int:
    """Return the first game and player, as P game + player, for whom `actions` has no legal action, or -1."""
    players = arrays.joint.size // arrays.acting.size - 1
    width = actions.size // arrays.acting.size
    for game in range(first, last):
        for player in range(players):
            if arrays.acting[game] > 0 and arrays.acting[game] >> player & 1:
                action = actions[_place(game, player, width)]
                count = call_legal(functions.legal, arrays.states, game * words, player, scratch, 0)
                if count <= 0 and action == DEAD_END:
                    continue
                if not _is_among(scratch, count, action):
                    return game * players + player
    return -1


@inline_kernel
def _place(game: int, player: int, width: int) -> int:
    """Return where the action of a player stands among those of all, one or P a game."""
    return game * width + (player if width > 1 else 0)


@inline_kernel
def _is_among(numbers: I64, count: int, number: int) -> bool:
    """Return whether a number is one of the first `count`, which ascend."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        if numbers[middle] < number:
            low = middle + 1
        else:
            high = middle
    return low < count and bool(numbers[low] == number)


@kernel
def write_legal(
    functions: NativeFunctions,
    arrays: BatchArrays,
    player: int,
    counts: I64,
    out: I64,
    words: int,
    first: int,
    last: int,
) -> None:
    """Write a player's legal actions in each game to `out` (`[n A]`), how many to `counts`; -1: the player who acts."""
    width = out.size // arrays.acting.size
    for game in range(first, last):
        counts[game] = 0
        who = _asked(arrays.acting[game], player)
        if who >= 0:
            counts[game] = max(0, call_legal(functions.legal, arrays.states, game * words, who, out, game * width))


@kernel
def write_legal_mask(
    functions: NativeFunctions,
    arrays: BatchArrays,
    player: int,
    mask: Bools,
    scratch: I64,
    words: int,
    first: int,
    last: int,
) -> None:
    """Write to `mask` (`[n N]`) which actions are legal for a player in each game; -1: for the player who acts."""
    width = mask.size // arrays.acting.size
    for game in range(first, last):
        for action in range(width):
            mask[game * width + action] = False
        who = _asked(arrays.acting[game], player)
        if who >= 0:
            for place in range(call_legal(functions.legal, arrays.states, game * words, who, scratch, 0)):
                mask[game * width + scratch[place]] = True


@inline_kernel
def _asked(acting: int, player: int) -> int:
    """Return the player who is meant, if it acts: `player`, or where that is -1 the first who acts; else -1."""
    if acting <= 0:
        return -1
    if player >= 0:
        return player if acting >> player & 1 else -1
    found = 0
    while not acting >> found & 1:
        found += 1
    return found


@kernel
def write_observations(
    functions: NativeFunctions,
    arrays: BatchArrays,
    player: int,
    counts: I64,
    out: I64,
    words: int,
    first: int,
    last: int,
) -> None:
    """Write what the last transitions told a player to `out` (`[n O]`), how many words to `counts` (`[n]`)."""
    players = arrays.joint.size // arrays.acting.size - 1
    width = out.size // arrays.acting.size
    for game in range(first, last):
        counts[game] = 0
        goes_on = arrays.status[game] == GOES_ON
        if arrays.status[game] != FAULTED and (not goes_on or arrays.lengths[game] > 0):
            count = call_observe(
                functions.observe,
                arrays.before,
                game * words,
                arrays.states if goes_on else arrays.ends,
                game * words,
                arrays.joint,
                game * (players + 1),
                player,
                out,
                game * width,
            )
            counts[game] = max(0, count)


@kernel
def write_state_tensor(states: I64, features: I64, out: F32, words: int, first: int, last: int) -> None:
    """Write the features (`[F FEATURE_FIELDS]`) of states (`[n W]`) to `out` (`[n T]`), which holds zeros."""
    width = out.size // (states.size // words)
    for game in range(first, last):
        for row in range(features.size // FEATURE_FIELDS):
            _write_feature(features, row, states, game * words, out, game * width)


@kernel
def write_observation_tensor(
    counts: I64, observed: I64, headings: I64, features: I64, out: F32, first: int, last: int
) -> None:
    """Write observations as a tensor.

    Args:
        counts: `[n]` words of each observation.
        observed: `[n O]`.
        headings: `[H 4]` for each heading: words of the value that follows; where it says in the tensor that it was
            seen; the first of its features; the one behind its last.
        features: `[F FEATURE_FIELDS]`.
        out: `[n T]`, zeros.
        first: the first game.
        last: the one behind the last.
    """
    games = counts.size
    width, longest = out.size // games, observed.size // games
    for game in range(first, last):
        at = 0
        while at < counts[game]:
            heading = 4 * observed[game * longest + at]
            out[game * width + headings[heading + 1]] = 1.0
            for row in range(headings[heading + 2], headings[heading + 3]):
                _write_feature(features, row, observed, game * longest + at + 1, out, game * width)
            at += 1 + headings[heading]


@inline_kernel
def _write_feature(features: I64, row: int, source: I64, source_at: int, out: F32, out_at: int) -> None:
    """Write one feature of the words from `source_at` on."""
    field = FEATURE_FIELDS * row
    kind, size, at = features[field + KIND], features[field + SIZE], out_at + features[field + AT]
    value = source[source_at + features[field + WORD]] - features[field + LOW]
    if kind == ONE_HOT:
        if 0 <= value < size:
            out[at + value] = 1.0
    elif kind == SCALED:
        # `size` values make one entry
        out[at] = value / (size - 1)
    elif kind == BINARY:
        for bit in range(size):
            out[at + bit] = float(value >> bit & 1)
    else:
        for bit in range(size):
            out[at + bit] = float(source[source_at + features[field + WORD] + bit // 64] >> (bit % 64) & 1)
