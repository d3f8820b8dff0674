"""The arrays of a batch, and kernels that begin its games and check actions.

n games, P players, W words of a state, A legal actions at most. Every kernel works on the games from `first` to
`last - 1`, so that threads can share a batch; each thread has its own scratch.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, inline_kernel, kernel
from ggp.native.calls import call_actors, call_init, call_legal
from ggp.native.interface import DEAD_END, GOES_ON, NativeFunctions
from ggp.native.rng_kernels import next_word


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


@kernel
def load_games(whole: BatchArrays, some: BatchArrays, places: I64) -> None:
    """Copy the games of a batch at `[m]` places to the first m of others."""
    for number in range(places.size):
        _copy_game(whole, places[number], some, number)


@kernel
def store_games(whole: BatchArrays, some: BatchArrays, places: I64) -> None:
    """Copy the first m of some games back to their `[m]` places."""
    for number in range(places.size):
        _copy_game(some, number, whole, places[number])


@inline_kernel
def _copy_game(source: BatchArrays, at: int, target: BatchArrays, to: int) -> None:
    games = source.acting.size
    words, players = source.states.size // games, source.joint.size // games - 1
    target.before[to * words : (to + 1) * words] = source.before[at * words : (at + 1) * words]
    target.states[to * words : (to + 1) * words] = source.states[at * words : (at + 1) * words]
    target.ends[to * words : (to + 1) * words] = source.ends[at * words : (at + 1) * words]
    target.acted[to], target.acting[to] = source.acted[at], source.acting[at]
    first, behind = at * (players + 1), (at + 1) * (players + 1)
    target.joint[to * (players + 1) : (to + 1) * (players + 1)] = source.joint[first:behind]
    target.utilities[to * players : (to + 1) * players] = source.utilities[at * players : (at + 1) * players]
    target.status[to], target.lengths[to], target.rng[to] = source.status[at], source.lengths[at], source.rng[at]


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
