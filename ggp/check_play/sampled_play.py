"""Plays many random games natively and keeps account of what they show, for `ggp check`.

Games come in groups: one drawn at random, then twins of it, which go the same way but for one choice or draw that is
made anew. To a player who does not notice that transition, twins look alike, so they show what a player cannot tell
apart much sooner than games drawn independently. They are not random games, and statistics leave them out.

Every draw is a hash of the game's seed, the transition and who draws. So a game can be played again from its seed and
its deviation: the number of the transition that is drawn anew; -1: none.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.check_play.play_account import (
    ALL_STEPS,
    CUT,
    DEAD_END,
    DELTA,
    DEVIATION,
    ENDED,
    ESTIMATE,
    FAULT,
    GAMES,
    GAMMA,
    HIDDEN,
    LENGTH,
    OBSERVED,
    OTHER_SUM,
    OUTSIDE_BOUNDS,
    PLAIN,
    REPEATED,
    S32,
    SEED,
    STEPS,
    TOLERANCE,
    Account,
    Buffers,
    drawn,
    meet_again,
    note_number,
    note_play,
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


class Sampled(NamedTuple):
    """A game that is played, what its plays have shown, and scratch memory."""

    functions: NativeFunctions
    shape: GameShape
    account: Account
    buffers: Buffers


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
def _deviating_player(play: I64, acting: int, players: int) -> int:
    """Return the one of those who act whose choice is made anew in this transition; -1: nobody's."""
    if play[LENGTH] != play[DEVIATION]:
        return -1
    count = 0
    for player in range(players):
        count += acting >> player & 1
    left = int(np.int64(((drawn(play, True, players) >> S32) * np.uint64(count)) >> S32))
    for player in range(players):
        if acting >> player & 1:
            if left == 0:
                return player
            left -= 1
    return -1


@inline_kernel
def _choose(game: Sampled, at: int, acting: int, hidden: bool) -> int:
    """Write random actions or an outcome to `buffers.joint`; return 0, a fault, or -1 (DEAD_END - FAULT)."""
    functions, account, buffers = game.functions, game.account, game.buffers
    players, phase, play = game.shape.players, buffers.states[at], buffers.play
    traced = play[LENGTH] < buffers.trace.shape[0]
    if acting == 0:
        buffers.rng[0] = drawn(play, play[LENGTH] == play[DEVIATION], players)
        outcome = call_sample_chance(functions.sample_chance, buffers.states, at, buffers.rng, 0)
        if outcome < 0:
            return -outcome
        buffers.joint[players] = outcome
        if traced:
            buffers.trace[play[LENGTH], players] = outcome
        return 0
    deviating = _deviating_player(play, acting, players)
    for player in range(players):
        if not acting >> player & 1:
            continue
        count = call_legal(functions.legal, buffers.states, at, player, buffers.legal, 0)
        if count <= 0:
            return -count if count < 0 else DEAD_END - FAULT
        if hidden:
            meet_again(account, buffers, player, count)
        if play[DEVIATION] < 0:
            note_number(account.branching[phase * players + player], float(count))
        pick = int(np.int64(((drawn(play, player == deviating, player) >> S32) * np.uint64(count)) >> S32))
        action = buffers.legal[pick]
        buffers.joint[player] = action
        if traced:
            buffers.trace[play[LENGTH], player] = pick
        for kind in range(account.kinds.shape[0]):
            row = account.kinds[kind]
            if row[0] == phase and row[1] <= action < row[2]:
                row[3] += 1
    return 0


@inline_kernel
def _check_estimate(game: Sampled, at: int) -> int:
    """Compare the estimate with the bounds of the utilities; return 0, or a fault."""
    account, buffers = game.account, game.buffers
    if game.functions.estimate == 0:
        return 0
    fault = call_estimate(game.functions.estimate, buffers.states, at, buffers.reals, 0)
    if fault < 0:
        return -fault
    for player in range(game.shape.players):
        estimate = buffers.reals[player]
        if not account.bounds[player, 0] - TOLERANCE <= estimate <= account.bounds[player, 1] + TOLERANCE:
            note_play(account, ESTIMATE, buffers.play)
    return 0


@inline_kernel
def _observe(game: Sampled, old: int, new: int, acting: int, hidden: bool) -> int:
    """Extend all keys by a transition; return 0, or a fault."""
    buffers = game.buffers
    for player in range(game.shape.players):
        buffers.noticed[player] = 0
        if hidden and acting > 0 and acting >> player & 1:
            extend_key_by_action(buffers.keys, 2 * player, buffers.joint[player])
            buffers.noticed[player] = 1
        states, observe = buffers.states, game.functions.observe
        count = call_observe(observe, states, old, states, new, buffers.joint, 0, player, buffers.observed, 0)
        if count < 0:
            return -count
        if hidden and count > 0:
            extend_key_by_observation(buffers.keys, 2 * player, buffers.observed, 0, count)
            buffers.noticed[player] = 1
    return 0


@inline_kernel
def _end(game: Sampled, at: int, hidden: bool) -> None:
    """Take the end of a game into account."""
    shape, account, buffers = game.shape, game.account, game.buffers
    play, is_random = buffers.play, buffers.play[DEVIATION] < 0
    fault = call_utility(game.functions.utility, buffers.states, at, buffers.reals, 0)
    if fault < 0:
        # of computing them, of finding who acts, or in the fault word
        note_play(account, FAULT - fault, play)
        return
    total, inside = 0.0, True
    for player in range(shape.players):
        utility = buffers.reals[player]
        total += utility
        if is_random:
            note_number(account.utilities[player], utility)
        low, high = account.bounds[player, 0] - TOLERANCE, account.bounds[player, 1] + TOLERANCE
        inside = inside and low <= utility and utility <= high
    if not inside:
        note_play(account, OUTSIDE_BOUNDS, play)
    if abs(total - account.stated_sum[0]) > TOLERANCE * max(1.0, abs(total)):
        note_play(account, OTHER_SUM, play)
    note_number(account.sums, total)
    if is_random:
        note_number(account.lengths, float(play[LENGTH]))
    note_play(account, ENDED, play)
    if hidden:
        for player in range(shape.players):
            # who had a part in the last transition is told with it that it was the last
            if buffers.noticed[player] == 0:
                meet_again(account, buffers, player, 0)


@kernel
def play_game(game: Sampled, limit: int, watch: int) -> int:
    """Play one game and return its transitions.

    Args:
        game: its account is changed; of its buffers `play` has seed and deviation, the others are overwritten, `trace`
            as far as it reaches, `keys` with those of the last state reached.
        limit: transitions after which it is cut.
        watch: PLAIN, HIDDEN or OBSERVED.
    """
    functions, shape, account, buffers = game.functions, game.shape, game.account, game.buffers
    states, play, hidden = buffers.states, buffers.play, watch == HIDDEN
    is_random, repeats, at = play[DEVIATION] < 0, False, 0
    play[LENGTH] = 0
    call_init(functions.init, states, 0)
    for player in range(shape.players):
        start_key(buffers.keys, 2 * player)
        buffers.noticed[player] = 0
    if is_random:
        account.totals[GAMES] += 1
    while True:
        acting = call_actors(functions.actors, states, at)
        if acting < 0:
            _end(game, at, hidden)
            break
        if play[LENGTH] == limit:
            note_play(account, CUT, play)
            break
        if not repeats and _repeats(states, shape.state_words, at, play[LENGTH]):
            repeats = True
            note_play(account, REPEATED, play)
        account.phases[states[at]] += 1
        fault = _check_estimate(game, at)
        if fault == 0:
            fault = _choose(game, at, acting, hidden)
        if fault == 0:
            new = shape.state_words - at
            call_step(functions.step, states, at, states, new, buffers.joint, 0)
            account.totals[ALL_STEPS] += 1
            if is_random:
                account.totals[STEPS] += 1
            play[LENGTH] += 1
            fault = states[new + 1]
            if fault == 0 and watch != PLAIN:
                fault = _observe(game, at, new, acting, hidden)
            at = new
        if fault != 0:
            note_play(account, FAULT + fault, play)
            break
    return int(play[LENGTH])


@kernel
def play_groups(
    game: Sampled, seed: int, first: int, last: int, twins: int, limit: int, transitions: int, watch: int
) -> int:
    """Play groups of games, each of a game and its twins, until enough transitions have been made.

    Args:
        game: its account is changed, its buffers are overwritten.
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
    totals, play = game.account.totals, game.buffers.play
    end = totals[ALL_STEPS] + transitions
    for group in range(first, last):
        game_seed = seed_of_game(seed, group)
        looking = OBSERVED if watch == PLAIN and group % 8 == 0 else watch
        play[SEED], play[DEVIATION] = game_seed, -1
        length = play_game(game, limit, looking)
        for twin in range(1, twins + 1):
            word = mixed(np.uint64(game_seed) ^ (np.uint64(twin) * DELTA))
            play[DEVIATION] = int(np.int64(((word >> S32) * np.uint64(length)) >> S32))
            play_game(game, limit, looking)
        if totals[ALL_STEPS] >= end:
            return group + 1
    return last


@kernel
def seed_of_game(seed: int, number: int) -> int:
    """Return the seed of a random game."""
    return int(np.int64(mixed(mixed(np.uint64(seed) + GAMMA) + np.uint64(number) * DELTA)))
