"""Plays many random games natively and keeps account of what they show, for `ggp check`.

Games come in groups: one drawn at random, then twins of it, which go the same way but for one transition that is drawn
anew. To a player who does not notice that transition, twins look alike, so they show what a player cannot tell apart
much sooner than games drawn independently. They are not random games, and statistics leave them out.

Every draw is a hash of the game's seed, the transition and who draws. So a game can be played again from its seed and
its deviation: the number of the transition that is drawn anew; -1: none.

P players, W state words, A legal actions at most, O observation words at most, H phases, K kinds of moves, F fault
sites, N entries of the table of information states, a power of two.
"""

from __future__ import annotations

import numpy as np

from ggp.check_play.play_account import (
    CUT,
    DELTA,
    ENDED,
    ESTIMATE,
    FAULT,
    GAMMA,
    HIDDEN,
    OBSERVED,
    OTHER_SUM,
    OUTSIDE_BOUNDS,
    PLAIN,
    REPEATED,
    S32,
    TOLERANCE,
    Account,
    Buffers,
    drawn,
    meet_again,
    note_game,
    note_number,
)
from ggp.codegen.kernels import I64, inline_kernel, kernel
from ggp.native.calls import (
    call_actors,
    call_estimate,
    call_init,
    call_legal,
    call_observe,
    call_sample_chance,
    call_step,
    call_utility,
)
from ggp.native.information_states import extend_key_by_action, extend_key_by_observation, start_key
from ggp.native.interface import GameShape, NativeFunctions
from ggp.native.rng_kernels import mixed


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
            meet_again(account, buffers.keys, player, buffers.legal, count, seed, deviation, step)
        if deviation < 0:
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
            note_game(account.notable, ESTIMATE, seed, deviation, step)
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
        note_game(account.notable, FAULT - fault, seed, deviation, length)
        return
    total, inside = 0.0, True
    for player in range(shape.players):
        utility = buffers.reals[player]
        total += utility
        if deviation < 0:
            note_number(account.utilities[player], utility)
        low, high = account.bounds[player, 0] - TOLERANCE, account.bounds[player, 1] + TOLERANCE
        inside = inside and low <= utility and utility <= high
    if not inside:
        note_game(account.notable, OUTSIDE_BOUNDS, seed, deviation, length)
    if abs(total - account.stated_sum[0]) > TOLERANCE * max(1.0, abs(total)):
        note_game(account.notable, OTHER_SUM, seed, deviation, length)
    account.sums[0], account.sums[1] = min(account.sums[0], total), max(account.sums[1], total)
    if deviation < 0:
        note_number(account.lengths, float(length))
        account.totals[1] += 1
    note_game(account.notable, ENDED, seed, deviation, length)
    if hidden:
        for player in range(shape.players):
            # who had a part in the last transition is told with it that it was the last
            if buffers.noticed[player] == 0:
                meet_again(account, buffers.keys, player, buffers.legal, 0, seed, deviation, length)


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
    at = step = 0
    call_init(functions.init, states, 0)
    for player in range(shape.players):
        start_key(buffers.keys, 2 * player)
        buffers.noticed[player] = 0
    if deviation < 0:
        account.totals[0] += 1
    while True:
        acting = call_actors(functions.actors, states, at)
        if acting < 0:
            _end(functions, shape, account, buffers, at, seed, deviation, step, hidden)
            return step
        if step == limit:
            note_game(account.notable, CUT, seed, deviation, step)
            return step
        if not repeats and _repeats(states, words, at, step):
            repeats = True
            note_game(account.notable, REPEATED, seed, deviation, step)
        account.phases[states[at]] += 1
        fault = _guess(functions, shape, account, buffers, at, seed, deviation, step)
        if fault == 0:
            fault = _choose(functions, shape, account, buffers, at, acting, seed, deviation, step, hidden)
        if fault != 0:
            note_game(account.notable, FAULT + fault, seed, deviation, step)
            return step
        new = words - at
        call_step(functions.step, states, at, states, new, buffers.joint, 0)
        account.totals[3] += 1
        if deviation < 0:
            account.totals[2] += 1
        step += 1
        fault = states[new + 1]
        if fault == 0 and watch != PLAIN:
            fault = _look(functions, shape, buffers, at, new, acting, hidden)
        if fault != 0:
            note_game(account.notable, FAULT + fault, seed, deviation, step)
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
    end = account.totals[3] + transitions
    for group in range(first, last):
        of_group = int(np.int64(mixed(mixed(np.uint64(seed) + GAMMA) + np.uint64(group) * DELTA)))
        looking = OBSERVED if watch == PLAIN and group % 8 == 0 else watch
        deviation, length = -1, 0
        for twin in range(twins + 1):
            if twin > 0:
                word = mixed(np.uint64(of_group) ^ (np.uint64(twin) * DELTA))
                deviation = int(np.int64(((word >> S32) * np.uint64(length)) >> S32))
            made = play_game(functions, shape, account, buffers, of_group, deviation, limit, looking)
            if twin == 0:
                length = made
        if account.totals[3] >= end:
            return group + 1
    return last
