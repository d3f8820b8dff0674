"""The arrays of a batch, and kernels that begin its games, draw random actions, check actions and make transitions.

n games, P players, W words of a state, A legal actions at most. Every kernel works on the games from `first` to
`last - 1`, so that threads can share a batch; each thread has its own scratch. `draw_actions` and `step_games` are for
games whose backend gives no functions for batches (`BatchFunctions`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, inline_kernel, kernel
from ggp.native.calls import call_actors, call_init, call_legal, call_sample_chance, call_step, call_utility
from ggp.native.interface import CHANCE, CUT, DEAD_END, ENDED, FAULTED, GOES_ON, NativeFunctions
from ggp.native.rng_kernels import below, next_word

CHANCE_FAILED = -2
"""What stands in the place of who acts where drawing what chance does is a fault."""


class BatchArrays(NamedTuple):
    """The games of a batch."""

    before: I64  # [n W] the states that the last transitions left
    states: I64  # [n W] those that they led to, but for games that ended the initial one
    ends: I64  # [n W] the last state of the game before, in games that have been begun anew
    acted: I64  # [n] who acted in `before`, as the native function `actors` says it
    acting: I64  # [n] who acts in `states`
    joint: I64  # [n (P + 1)] what was chosen or drawn in the last transitions; of those who did not act anything
    utilities: F64  # [n P] of games that ended in the last transition, else anything
    status: I64  # [n] of the last transition
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
        arrays: read and written.
        actions: `[n P]`, or `[n]` where never two act at once; legal for those who act, or DEAD_END.
        limit: transitions after which a game is cut.
        words: W.
        first: the first game.
        last: the one behind the last.
    """
    players = arrays.joint.size // arrays.acting.size - 1
    width = actions.size // arrays.acting.size
    for game in range(first, last):
        at, joint, acted = game * words, game * (players + 1), arrays.acting[game]
        arrays.acted[game] = acted
        for word in range(words):
            arrays.before[at + word] = arrays.states[at + word]
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
            acting = _transition(functions, arrays, game, acted, words)
        if acting == CHANCE_FAILED:
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
def _transition(functions: NativeFunctions, arrays: BatchArrays, game: int, acted: int, words: int) -> int:
    """Make the transition of a game; return who acts then, or CHANCE_FAILED."""
    players = arrays.joint.size // arrays.acting.size - 1
    at, joint = game * words, game * (players + 1)
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
        for player in range(players):
            if acting > 0 and acting >> player & 1:
                count = call_legal(functions.legal, arrays.states, game * words, player, scratch, 0)
                drawn = int(scratch[below(arrays.rng, game, count)]) if count > 0 else DEAD_END
                out[_place(game, player, width)] = drawn


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
