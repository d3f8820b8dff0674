"""What random games of `ggp check` have shown so far: totals, notable games, and a table of information states.

P players, W state words, A legal actions at most, O observation words at most, H phases, K kinds of moves, F fault
sites, N entries of the table of information states, a power of two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, F64_2D, I64, I64_2D, I64_3D, U64, U64_2D, inline_kernel
from ggp.native.rng_kernels import mixed

ENDED, CUT, REPEATED, OUTSIDE_BOUNDS, OTHER_SUM, ESTIMATE, DEAD_END, FAULT = 0, 1, 2, 3, 4, 5, 6, 7
"""What is notable of a game: rows of `Account.notable`; the row of fault site n, from 1, is FAULT + n."""
COUNT, SEED, DEVIATION, LENGTH, MET, NOTABLE_COLUMNS = 0, 1, 2, 3, 4, 5
"""How many random games, the shortest game (a twin, too), and whether there is one."""

OTHER_ACTIONS, OVER = 0, 1
"""In what two histories differ that a player cannot tell apart."""
CONFLICT_COLUMNS = 8
"""Player, how the histories differ, then seed, deviation and transitions of each of the two."""
MET_COLUMNS = 7
"""Hash of the legal actions; seed, deviation and transitions (-1: never) where it acted; the same where it was over."""
LEAST, GREATEST, SUM, SQUARES, SERIES = 0, 1, 2, 3, 4
"""Columns of a series of numbers; `SQUARES` is the sum of their squares."""
PLAIN, HIDDEN, OBSERVED = 0, 1, 2
"""Keep no keys; keep keys; make observations for the faults they may show."""
TOLERANCE = 1e-9

GAMMA, DELTA, SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03), np.uint64(0xA0761D6478BD642F)
S32, ONE = np.uint64(32), np.uint64(1)


class Account(NamedTuple):
    """What games have shown so far."""

    totals: I64  # [5] random games, those ended, their transitions, those of twins, too, conflicts found
    phases: I64  # [H] transitions made in each phase
    kinds: I64_2D  # [K, 4] phase, first number, number behind the last, how often chosen; ascending by phase
    branching: I64_3D  # [H, P, 4] of random games: decisions, legal actions of all of them, fewest, most
    lengths: F64  # [SERIES] transitions of the random games that ended
    utilities: F64_2D  # [P, SERIES] at their ends
    stated_sum: F64  # [1] what the utilities are said to add up to, read only; not a number: nothing is said
    sums: F64  # [2] of the utilities of all players: least, greatest
    bounds: F64_2D  # [P, 2] proven bounds of the utilities, read only
    notable: I64_2D  # [FAULT + F + 1, NOTABLE_COLUMNS]
    table: U64_2D  # [N, 2] keys of information states; zeros: free
    met: I64_2D  # [N, MET_COLUMNS]
    used: I64  # [1] entries in use
    conflicts: I64_2D  # [rows, CONFLICT_COLUMNS]


class Buffers(NamedTuple):
    """Working memory of one game."""

    states: I64  # [3 W] old and new by turns, and one to compare with
    joint: I64  # [P + 1]
    legal: I64  # [A]
    observed: I64  # [O]
    reals: F64  # [P]
    keys: U64  # [2 P]
    noticed: I64  # [P] whether the player acted in the last transition or was told something of it
    rng: U64  # [1]
    trace: I64_2D  # [transitions, P + 1] chosen: positions among the legal actions, the outcome; no rows: not kept


@inline_kernel
def drawn(seed: int, deviation: int, step: int, who: int) -> np.uint64:
    """Return the random word of a transition for a player, or for chance (who = P); never 0."""
    word = np.uint64(seed) + np.uint64(step) * GAMMA + np.uint64(who) * DELTA
    if step == deviation:
        word ^= SALT
    return np.uint64(mixed(word) | ONE)


@inline_kernel
def note_game(notable: I64_2D, sort: int, seed: int, deviation: int, length: int) -> None:
    """Count a game of a notable sort if it is random, and remember it if it is the shortest."""
    row = notable[sort]
    if row[MET] == 0 or length < row[LENGTH]:
        row[SEED], row[DEVIATION], row[LENGTH] = seed, deviation, length
    row[MET] = 1
    if deviation < 0:
        row[COUNT] += 1


@inline_kernel
def note_number(row: F64, number: float) -> None:
    """Take one more number of a series into account."""
    row[LEAST], row[GREATEST] = min(row[LEAST], number), max(row[GREATEST], number)
    row[SUM] += number
    row[SQUARES] += number * number


@inline_kernel
def _entry(table: U64_2D, met: I64_2D, used: I64, first: np.uint64, second: np.uint64) -> int:
    """Return the entry of an information state, made if it is new; -1 where the table is full."""
    mask = np.uint64(table.shape[0] - 1)
    place = first & mask
    while table[place, 0] != first or table[place, 1] != second:
        if table[place, 0] == 0 and table[place, 1] == 0:
            if 2 * used[0] >= table.shape[0]:
                return -1
            used[0] += 1
            table[place, 0], table[place, 1] = first, second
            met[place, 3] = -1
            met[place, 6] = -1
            break
        place = (place + ONE) & mask
    return int(np.int64(place))


@inline_kernel
def meet_again(
    account: Account, keys: U64, player: int, legal: I64, count: int, seed: int, deviation: int, length: int
) -> None:
    """Compare what a player can do with what the same information state came with before.

    Args:
        account: changed.
        keys: of all players.
        player: who acts, or whose game is over.
        legal: its legal actions, `count` of them.
        count: 0 where the game is over.
        seed: of the game.
        deviation: of the game.
        length: its transitions so far.
    """
    first = keys[2 * player] + np.uint64(player) * GAMMA
    place = _entry(account.table, account.met, account.used, first, keys[2 * player + 1])
    if place < 0:
        return
    actions = np.uint64(count)
    for position in range(count):
        actions = mixed(actions + np.uint64(legal[position]) * GAMMA)
    # where the other sort of meeting stands in the row
    met, own, other = account.met[place], 1, 4
    if count == 0:
        own, other = 4, 1
    differs, sort = met[other + 2] >= 0, OVER
    if not differs and count > 0 and met[own + 2] >= 0 and met[0] != np.int64(actions):
        differs, sort, other = True, OTHER_ACTIONS, own
    if differs:
        at = account.totals[4]
        account.totals[4] += 1
        if at < account.conflicts.shape[0]:
            row = account.conflicts[at]
            row[0], row[1] = player, sort
            row[2], row[3], row[4] = met[other], met[other + 1], met[other + 2]
            row[5], row[6], row[7] = seed, deviation, length
    if met[own + 2] < 0:
        met[own], met[own + 1], met[own + 2] = seed, deviation, length
        if count > 0:
            met[0] = np.int64(actions)
