"""Plays many random games natively and keeps account of what they show, for `ggp check`.

Games come in groups: one drawn at random, then twins of it, which go the same way but for one transition that is drawn
anew. To a player who does not notice that transition, twins look alike, so they show what a player cannot tell apart
much sooner than games drawn independently.

Every draw is a hash of the game's seed, the transition and who draws. So a game can be played again from its seed and
its deviation: the number of the transition that is drawn anew; -1: none.

P players, W state words, A legal actions at most, O observation words at most, H phases, K kinds of moves, F fault
sites, N entries of the table of information states, a power of two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.model.native.calls import (
    call_actors,
    call_estimate,
    call_init,
    call_legal,
    call_observe,
    call_sample_chance,
    call_step,
    call_utility,
)
from ggp.model.native.information_states import (
    extend_key_by_action,
    extend_key_by_observation,
    start_key,
)
from ggp.model.native.interface import GameShape, NativeFunctions
from ggp.model.native.jit import F64, I64, U64, inline_kernel, kernel

ENDED, CUT, REPEATED, OUTSIDE_BOUNDS, OTHER_SUM, ESTIMATE, DEAD_END, FAULT = 0, 1, 2, 3, 4, 5, 6, 7
"""What is notable of a game: rows of `Account.notable`; the row of fault site n, from 1, is FAULT + n."""
COUNT, SEED, DEVIATION, LENGTH, NOTABLE_COLUMNS = 0, 1, 2, 3, 4

OTHER_ACTIONS, OVER = 0, 1
"""In what two histories differ that a player cannot tell apart."""
CONFLICT_COLUMNS = 8
"""Player, how the histories differ, then seed, deviation and transitions of each of the two."""
MET_COLUMNS = 7
"""Hash of the legal actions; seed, deviation and transitions (-1: never) where it acted; the same where it was over."""
PLAIN, HIDDEN, OBSERVED = 0, 1, 2
"""Keep no keys; keep keys; make observations for the faults they may show."""
TOLERANCE = 1e-9

GAMMA, DELTA, SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03), np.uint64(0xA0761D6478BD642F)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32, ONE = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(1)


class Account(NamedTuple):
    """What games have shown so far."""

    totals: I64  # [4] games, games ended, transitions, conflicts found
    phases: I64  # [H] transitions made in each phase
    kinds: I64  # [K, 4] phase, first number, number behind the last, how often chosen; ascending by phase
    branching: I64  # [H, P, 4] decisions, legal actions of all of them, fewest, most
    lengths: I64  # [2] of games that ended: shortest, longest
    lengths_sum: I64  # [1]
    utilities: F64  # [P, 3] least, sum, greatest
    stated_sum: F64  # [1] what the utilities are said to add up to, read only; not a number: nothing is said
    sums: F64  # [2] of the utilities of all players: least, greatest
    bounds: F64  # [P, 2] proven bounds of the utilities, read only
    notable: I64  # [FAULT + F + 1, NOTABLE_COLUMNS] how often, and the shortest game of the sort
    table: U64  # [N, 2] keys of information states; zeros: free
    met: I64  # [N, MET_COLUMNS]
    used: I64  # [1] entries in use
    conflicts: I64  # [rows, CONFLICT_COLUMNS]


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
    trace: (
        I64  # [transitions, P + 1] what was chosen: positions among the legal actions, the outcome; no rows: not kept
    )


@inline_kernel
def scrambled(word: np.uint64) -> np.uint64:
    """Return a word that looks unrelated to the one given (splitmix64's finaliser)."""
    word = (word ^ (word >> S30)) * MIX_1
    word = (word ^ (word >> S27)) * MIX_2
    return np.uint64(word ^ (word >> S31))


@inline_kernel
def drawn(seed: int, deviation: int, step: int, who: int) -> np.uint64:
    """Return the random word of a transition for a player, or for chance (who = P); never 0."""
    word = np.uint64(seed) + np.uint64(step) * GAMMA + np.uint64(who) * DELTA
    if step == deviation:
        word ^= SALT
    return np.uint64(scrambled(word) | ONE)


@inline_kernel
def _note(notable: I64, sort: int, seed: int, deviation: int, length: int) -> None:
    """Count a game of a notable sort, and remember it if it is the shortest."""
    row = notable[sort]
    if row[COUNT] == 0 or length < row[LENGTH]:
        row[SEED], row[DEVIATION], row[LENGTH] = seed, deviation, length
    row[COUNT] += 1


@inline_kernel
def _entry(table: U64, met: I64, used: I64, first: np.uint64, second: np.uint64) -> int:
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
def _meet(
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
        actions = scrambled(actions + np.uint64(legal[position]) * GAMMA)
    # where the other sort of meeting stands in the row
    met, own, other = account.met[place], 1, 4
    if count == 0:
        own, other = 4, 1
    differs, sort = met[other + 2] >= 0, OVER
    if not differs and count > 0 and met[own + 2] >= 0 and met[0] != np.int64(actions):
        differs, sort, other = True, OTHER_ACTIONS, own
    if differs:
        at = account.totals[3]
        account.totals[3] += 1
        if at < account.conflicts.shape[0]:
            row = account.conflicts[at]
            row[0], row[1] = player, sort
            row[2], row[3], row[4] = met[other], met[other + 1], met[other + 2]
            row[5], row[6], row[7] = seed, deviation, length
    if met[own + 2] < 0:
        met[own], met[own + 1], met[own + 2] = seed, deviation, length
        if count > 0:
            met[0] = np.int64(actions)


@inline_kernel
def _repeats(states: I64, words: int, at: int, step: int) -> bool:
    """Return whether the state at `at` is the one kept behind both others; every 2^n-th state is kept."""
    kept = 2 * words
    same = step > 0
    if same:
        for word in range(words):
            if states[at + word] != states[kept + word]:
                same = False
                break
    if step & (step - 1) == 0:
        for word in range(words):
            states[kept + word] = states[at + word]
    return same


@inline_kernel
def _choose(
    functions: NativeFunctions,
    shape: GameShape,
    account: Account,
    buffers: Buffers,
    at: int,
    acting: int,
    seed: int,
    deviation: int,
    step: int,
    hidden: bool,
) -> int:
    """Write random actions or an outcome to `buffers.joint`; return 0, a fault, or -1 (DEAD_END - FAULT)."""
    players, phase = shape.players, buffers.states[at]
    traced = step < buffers.trace.shape[0]
    if acting == 0:
        buffers.rng[0] = drawn(seed, deviation, step, players)
        outcome = call_sample_chance(functions.sample_chance, buffers.states, at, buffers.rng, 0)
        if outcome < 0:
            return -outcome
        buffers.joint[players] = outcome
        if traced:
            buffers.trace[step, players] = outcome
        return 0
    for player in range(players):
        if not acting >> player & 1:
            continue
        count = call_legal(functions.legal, buffers.states, at, player, buffers.legal, 0)
        if count <= 0:
            return -count if count < 0 else -1
        if hidden:
            _meet(account, buffers.keys, player, buffers.legal, count, seed, deviation, step)
        tally = account.branching[phase, player]
        tally[2] = count if tally[0] == 0 else min(tally[2], count)
        tally[3] = max(tally[3], count)
        tally[0] += 1
        tally[1] += count
        word = drawn(seed, deviation, step, player)
        pick = int(np.int64(((word >> S32) * np.uint64(count)) >> S32))
        action = buffers.legal[pick]
        buffers.joint[player] = action
        if traced:
            buffers.trace[step, player] = pick
        for kind in range(account.kinds.shape[0]):
            row = account.kinds[kind]
            if row[0] == phase and row[1] <= action < row[2]:
                row[3] += 1
    return 0


@inline_kernel
def _guess(
    functions: NativeFunctions,
    shape: GameShape,
    account: Account,
    buffers: Buffers,
    at: int,
    seed: int,
    deviation: int,
    step: int,
) -> int:
    """Compare the estimate with the bounds of the utilities; return 0, or a fault."""
    if functions.estimate == 0:
        return 0
    fault = call_estimate(functions.estimate, buffers.states, at, buffers.reals, 0)
    if fault < 0:
        return -fault
    for player in range(shape.players):
        guess = buffers.reals[player]
        if not account.bounds[player, 0] - TOLERANCE <= guess <= account.bounds[player, 1] + TOLERANCE:
            _note(account.notable, ESTIMATE, seed, deviation, step)
    return 0


@inline_kernel
def _look(
    functions: NativeFunctions, shape: GameShape, buffers: Buffers, old: int, new: int, acting: int, hidden: bool
) -> int:
    """Extend all keys by a transition; return 0, or a fault."""
    for player in range(shape.players):
        buffers.noticed[player] = 0
        if hidden and acting > 0 and acting >> player & 1:
            extend_key_by_action(buffers.keys, 2 * player, buffers.joint[player])
            buffers.noticed[player] = 1
        count = call_observe(
            functions.observe, buffers.states, old, buffers.states, new, buffers.joint, 0, player, buffers.observed, 0
        )
        if count < 0:
            return -count
        if hidden and count > 0:
            extend_key_by_observation(buffers.keys, 2 * player, buffers.observed, 0, count)
            buffers.noticed[player] = 1
    return 0


@inline_kernel
def _end(
    functions: NativeFunctions,
    shape: GameShape,
    account: Account,
    buffers: Buffers,
    at: int,
    seed: int,
    deviation: int,
    length: int,
    hidden: bool,
) -> None:
    """Take the end of a game into account."""
    fault = call_utility(functions.utility, buffers.states, at, buffers.reals, 0)
    if fault < 0:
        # of computing them, of finding who acts, or in the fault word
        _note(account.notable, FAULT - fault, seed, deviation, length)
        return
    total, inside = 0.0, True
    for player in range(shape.players):
        utility = buffers.reals[player]
        total += utility
        row = account.utilities[player]
        row[0], row[1], row[2] = min(row[0], utility), row[1] + utility, max(row[2], utility)
        low, high = account.bounds[player, 0] - TOLERANCE, account.bounds[player, 1] + TOLERANCE
        inside = inside and low <= utility and utility <= high
    if not inside:
        _note(account.notable, OUTSIDE_BOUNDS, seed, deviation, length)
    if abs(total - account.stated_sum[0]) > TOLERANCE * max(1.0, abs(total)):
        _note(account.notable, OTHER_SUM, seed, deviation, length)
    account.sums[0], account.sums[1] = min(account.sums[0], total), max(account.sums[1], total)
    lengths, ended = account.lengths, account.totals[1]
    lengths[0] = length if ended == 0 else min(lengths[0], length)
    lengths[1] = max(lengths[1], length)
    account.lengths_sum[0] += length
    account.totals[1] += 1
    _note(account.notable, ENDED, seed, deviation, length)
    if hidden:
        for player in range(shape.players):
            # who had a part in the last transition is told with it that it was the last
            if buffers.noticed[player] == 0:
                _meet(account, buffers.keys, player, buffers.legal, 0, seed, deviation, length)


@kernel
def play_game(
    functions: NativeFunctions,
    shape: GameShape,
    account: Account,
    buffers: Buffers,
    seed: int,
    deviation: int,
    limit: int,
    watch: int,
) -> int:
    """Play one game and return its transitions.

    Args:
        functions: of the game.
        shape: its sizes.
        account: changed.
        buffers: overwritten; `trace` as far as it reaches, `keys` with those of the last state reached.
        seed: of the game.
        deviation: the transition that is drawn anew; -1: none.
        limit: transitions after which it is cut.
        watch: PLAIN, HIDDEN or OBSERVED.
    """
    words, states, hidden, repeats = shape.state_words, buffers.states, watch == HIDDEN, False
    # zero, but no literal: numba would compile everything called below a second time for it
    at = step = words - words
    call_init(functions.init, states, 0)
    for player in range(shape.players):
        start_key(buffers.keys, 2 * player)
        buffers.noticed[player] = 0
    account.totals[0] += 1
    while True:
        acting = call_actors(functions.actors, states, at)
        if acting < 0:
            _end(functions, shape, account, buffers, at, seed, deviation, step, hidden)
            return step
        if step == limit:
            _note(account.notable, CUT, seed, deviation, step)
            return step
        if not repeats and _repeats(states, words, at, step):
            repeats = True
            _note(account.notable, REPEATED, seed, deviation, step)
        account.phases[states[at]] += 1
        fault = _guess(functions, shape, account, buffers, at, seed, deviation, step)
        if fault == 0:
            fault = _choose(functions, shape, account, buffers, at, acting, seed, deviation, step, hidden)
        if fault != 0:
            _note(account.notable, FAULT + fault, seed, deviation, step)
            return step
        new = words - at
        call_step(functions.step, states, at, states, new, buffers.joint, 0)
        account.totals[2] += 1
        step += 1
        fault = states[new + 1]
        if fault == 0 and watch != PLAIN:
            fault = _look(functions, shape, buffers, at, new, acting, hidden)
        if fault != 0:
            _note(account.notable, FAULT + fault, seed, deviation, step)
            return step
        at = new


@kernel
def play_groups(
    functions: NativeFunctions,
    shape: GameShape,
    account: Account,
    buffers: Buffers,
    seed: int,
    first: int,
    last: int,
    twins: int,
    limit: int,
    transitions: int,
    watch: int,
) -> int:
    """Play groups of games, each of a game and its twins, until enough transitions have been made.

    Args:
        functions: of the game.
        shape: its sizes.
        account: changed.
        buffers: overwritten.
        seed: of all games.
        first: the number of the first group.
        last: the number behind that of the last group.
        twins: how many each game has.
        limit: transitions after which a game is cut.
        transitions: no group is begun once so many have been made here.
        watch: as in `play_game`; of PLAIN, every eighth group is OBSERVED.

    Returns:
        The number behind that of the last group played.
    """
    end = account.totals[2] + transitions
    for group in range(first, last):
        of_group = int(np.int64(scrambled(scrambled(np.uint64(seed) + GAMMA) + np.uint64(group) * DELTA)))
        looking = OBSERVED if watch == PLAIN and group % 8 == 0 else watch
        deviation, length = -1, 0
        for twin in range(twins + 1):
            if twin > 0:
                word = scrambled(np.uint64(of_group) ^ (np.uint64(twin) * DELTA))
                deviation = int(np.int64(((word >> S32) * np.uint64(length)) >> S32))
            made = play_game(functions, shape, account, buffers, of_group, deviation, limit, looking)
            if twin == 0:
                length = made
        if account.totals[2] >= end:
            return group + 1
    return last
