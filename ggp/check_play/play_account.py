"""What random games of `ggp check` have shown so far: totals, notable games, and a table of information states.

P players, W state words, A legal actions at most, O observation words at most, H phases, K kinds of moves, F fault
sites, N entries of the table of information states, a power of two.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, F64_2D, I64, I64_2D, U64, U64_2D, inline_kernel
from ggp.native.rng_kernels import mixed

ENDED, CUT, REPEATED, OUTSIDE_BOUNDS, OTHER_SUM, ESTIMATE, DEAD_END, FAULT = 0, 1, 2, 3, 4, 5, 6, 7
"""What is notable of a game: rows of `Account.notable`; the row of fault site n, from 1, is FAULT + n."""
SEED, DEVIATION, LENGTH = 0, 1, 2
"""Columns of a play: the seed of its draws, the transition that is drawn anew (-1: none), its transitions so far."""
COUNT, MET, NOTABLE_COLUMNS = 3, 4, 5
"""Behind the shortest play of a sort, a twin, too: how many random games, and whether there is one."""

OTHER_ACTIONS, OVER = 0, 1
"""In what two histories differ that a player cannot tell apart."""
CONFLICT_COLUMNS = 8
"""Player, how the histories differ, then two plays."""
MET_COLUMNS = 7
"""A play where the player acted, one where the game was over, with LENGTH -1 for none; a hash of the legal actions."""
NUMBERS, SUM, LEAST, GREATEST, SQUARES, SERIES = 0, 1, 2, 3, 4, 5
"""Columns of a series of numbers; `SQUARES` is the sum of their squares."""
GAMES, STEPS, ALL_STEPS, CONFLICTS, TOTALS = 0, 1, 2, 3, 4
"""Random games, their transitions, those of twins, too, and conflicts found."""
PLAIN, HIDDEN, OBSERVED = 0, 1, 2
"""Keep no keys; keep keys; make observations for the faults they may show."""
TOLERANCE = 1e-9

GAMMA, DELTA, SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03), np.uint64(0xA0761D6478BD642F)
S32, ONE = np.uint64(32), np.uint64(1)


class Account(NamedTuple):
    """What games have shown so far."""

    totals: I64  # [TOTALS]
    phases: I64  # [H] transitions made in each phase
    kinds: I64_2D  # [K, 4] phase, first number, number behind the last, how often chosen; ascending by phase
    branching: F64_2D  # [H P, SERIES] legal actions of each player in each phase of the random games
    lengths: F64  # [SERIES] transitions of the random games that ended
    utilities: F64_2D  # [P, SERIES] at their ends
    sums: F64  # [SERIES] of the utilities of all players, of twins, too
    stated_sum: F64  # [1] what the utilities are said to add up to, read only; not a number: nothing is said
    bounds: F64_2D  # [P, 2] proven bounds of the utilities, read only
    notable: I64_2D  # [FAULT + F + 1, NOTABLE_COLUMNS]
    table: U64_2D  # [N, 2] keys of information states; zeros: free
    met: I64_2D  # [N, MET_COLUMNS]
    used: I64  # [1] entries in use
    conflicts: I64_2D  # [rows, CONFLICT_COLUMNS]


class Buffers(NamedTuple):
    """Working memory of one game."""

    play: Annotated[I64, "3"]  # the game being played
    states: Annotated[I64, "3 * W"]  # old and new by turns, and one to compare with
    joint: Annotated[I64, "P + 1"]
    legal: Annotated[I64, "A"]
    observed: Annotated[I64, "O"]
    reals: Annotated[F64, "P"]
    keys: Annotated[U64, "2 * P"]
    noticed: Annotated[I64, "P"]  # whether the player acted in the last transition or was told something of it
    rng: Annotated[U64, "1"]
    trace: Annotated[I64, "0, P + 1"]  # a row for each transition, if kept: positions among the legal actions, outcome


@inline_kernel
def drawn(play: I64, is_anew: bool, who: int) -> np.uint64:
    """Return the random word of the next transition for a player, or for chance (who = P); never 0."""
    word = np.uint64(play[SEED]) + np.uint64(play[LENGTH]) * GAMMA + np.uint64(who) * DELTA
    if is_anew:
        word ^= SALT
    return np.uint64(mixed(word) | ONE)


@inline_kernel
def _copy_play(play: I64, row: I64, at: int) -> None:
    for column in range(3):
        row[at + column] = play[column]


@inline_kernel
def note_play(account: Account, sort: int, play: I64) -> None:
    """Count a game of a notable sort if it is random, and remember it if it is the shortest."""
    row = account.notable[sort]
    if row[MET] == 0 or play[LENGTH] < row[LENGTH]:
        _copy_play(play, row, 0)
    row[MET] = 1
    if play[DEVIATION] < 0:
        row[COUNT] += 1


@inline_kernel
def note_number(row: F64, number: float) -> None:
    """Take one more number of a series into account."""
    row[LEAST], row[GREATEST] = min(row[LEAST], number), max(row[GREATEST], number)
    row[NUMBERS] += 1.0
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
            met[place, LENGTH] = -1
            met[place, 3 + LENGTH] = -1
            break
        place = (place + ONE) & mask
    return int(np.int64(place))


@inline_kernel
def meet_again(account: Account, buffers: Buffers, player: int, count: int) -> None:
    """Compare what a player can do with what the same information state came with before.

    Args:
        account: changed.
        buffers: of the game.
        player: who acts, or whose game is over.
        count: how many of `buffers.legal` it may choose from; 0 where the game is over.
    """
    keys = buffers.keys
    first = keys[2 * player] + np.uint64(player) * GAMMA
    place = _entry(account.table, account.met, account.used, first, keys[2 * player + 1])
    if place < 0:
        return
    actions = np.uint64(count)
    for position in range(count):
        actions = mixed(actions + np.uint64(buffers.legal[position]) * GAMMA)
    # where in the row this sort of meeting stands, and the other one
    met, own, other = account.met[place], 0, 3
    if count == 0:
        own, other = 3, 0
    differs, sort = met[other + LENGTH] >= 0, OVER
    if not differs and count > 0 and met[own + LENGTH] >= 0 and met[6] != np.int64(actions):
        differs, sort, other = True, OTHER_ACTIONS, own
    if differs:
        at = account.totals[CONFLICTS]
        account.totals[CONFLICTS] += 1
        if at < account.conflicts.shape[0]:
            row = account.conflicts[at]
            row[0], row[1] = player, sort
            for column in range(3):
                row[2 + column] = met[other + column]
            _copy_play(buffers.play, row, 5)
    if met[own + LENGTH] < 0:
        _copy_play(buffers.play, met, own)
        if count > 0:
            met[6] = np.int64(actions)
