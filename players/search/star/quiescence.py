"""Decisions beyond the horizon: which states are not quiet, and what is searched there.

A player may go on, or leave things as they are. Where actions name two cells, it goes on by those alone that are
expected to gain (`gains.py`); otherwise by all, where the estimate has jumped.
"""

from __future__ import annotations

from ggp.codegen.kernels import inline_kernel
from ggp.native.calls import call_legal
from ggp.native.interface import CHANCE as CHANCE_ACTS
from players.search.foundation.kernel_arguments import Model
from players.search.star.gains import (
    ENOUGH,
    MARGIN,
    MEAN,
    NOISE,
    NOTED,
    OFTEN,
    Gains,
    look_at_cells,
    note_gain,
    sort_of,
)
from players.search.star.options import NULL_WINDOW, Options
from players.search.star.stack import CHANCE, DEVIATIONS, GAINED, GAINS, MAX, MIN, Stack, give, list_actions

JUMP, LEAST_JUMP = 2.0, 0.002
MOST_GAINS = 16
"""Actions that are followed at the horizon, at most; with each decision beyond it half as many, and one at least. Where
an evaluation makes every action a gain, lines beyond the horizon would not come to an end."""


@inline_kernel
def is_unquiet(stack: Stack, options: Options, value: float) -> bool:
    """Return whether the action that led to the top frame made the estimate jump in its player's favour.

    That is by more above the average than JUMP times the mean deviation from it, so it holds for any scale of
    estimates, and where having the turn is itself worth something, which every action gives away.
    """
    top, swing = stack.top[0], stack.swing
    before = stack.frames.kind[top - 1]
    if before == CHANCE:
        return False
    gain = value - stack.frames.standing[top - 1]
    if before == MIN:
        gain = -gain
    swing[GAINS] += gain
    swing[GAINED] += 1.0
    above = gain - swing[GAINS] / swing[GAINED]
    swing[DEVIATIONS] += abs(above)
    jumped = above > LEAST_JUMP and above * swing[GAINED] > JUMP * swing[DEVIATIONS]
    return bool(jumped) and bool(-stack.frames.depth[top] < options.quiet)


@inline_kernel
def is_settled(stack: Stack, player: int, value: float) -> bool:
    """Return whether a player who may leave things as they are need not look further; if so, finish the top frame."""
    top = stack.top[0]
    if player == 0 and value >= stack.frames.beta[top]:
        give(stack, value, 1.0)
        return True
    if player == 1 and value <= stack.frames.alpha[top]:
        give(stack, 0.0, value)
        return True
    return False


@inline_kernel
def begin_quiescence(model: Model, stack: Stack, player: int, first: int, value: float) -> None:
    """Make the top frame a decision beyond the horizon, whose player may also leave things as they are."""
    top = stack.top[0]
    if is_settled(stack, player, value):
        return
    count = call_legal(model.functions.legal, stack.states, top * model.shape.state_words, player, stack.labels, first)
    begin_staying(stack, player, first, count, value)


@inline_kernel
def begin_staying(stack: Stack, player: int, first: int, count: int, value: float) -> None:
    """Make the top frame a decision among actions in the pool, or to leave things as they are."""
    top = stack.top[0]
    if count < 1:
        give(stack, value, value)
        return
    list_actions(stack, player, first, count, 0, 0)
    stack.frames.low[top] = stack.frames.high[top] = stack.frames.standing[top] = value


@inline_kernel
def note_last(stack: Stack, gains: Gains, value: float) -> None:
    """Learn what the action before the horizon, or beyond it, has gained that led to the top frame."""
    before = stack.top[0] - 1
    frames = stack.frames
    if frames.kind[before] != CHANCE and frames.depth[before] <= 1:
        gain = value - stack.frames.standing[before]
        sort = stack.sort[frames.pool[before] + frames.place[before]]
        note_gain(gains, int(sort), float(gain if frames.kind[before] == MAX else -gain))


@inline_kernel
def begin_gains(
    model: Model, stack: Stack, gains: Gains, options: Options, actors: int, first: int, value: float
) -> None:
    """Make the top frame a decision beyond the horizon among actions that gain, those that gain most first.

    What cannot gain enough to come into the window is left out; what was never tried is not.
    """
    top = stack.top[0]
    player = 0 if actors & 1 else 1
    if actors == CHANCE_ACTS or -stack.frames.depth[top] >= options.quiet:
        give(stack, value, value)
        return
    if is_settled(stack, player, value):
        return
    at, noise = top * model.shape.state_words, gains.noise[NOISE]
    count = call_legal(model.functions.legal, stack.states, at, player, stack.labels, first)
    look_at_cells(gains, stack.states, at)
    room = stack.frames.alpha[top] - value if player == 0 else value - stack.frames.beta[top]
    needed = max(LEAST_JUMP, JUMP * noise, room - MARGIN * noise)
    kept = first
    for place in range(first, first + count):
        action = stack.labels[place]
        sort = sort_of(gains, player, int(action))
        expected = gains.sorts[sort, MEAN]
        if expected >= needed or gains.sorts[sort, OFTEN] == 0.0:
            to = kept
            kept += 1
            while to > first and stack.score[to - 1] < expected:
                stack.score[to] = stack.score[to - 1]
                stack.labels[to] = stack.labels[to - 1]
                stack.sort[to] = stack.sort[to - 1]
                to -= 1
            stack.score[to] = expected
            stack.labels[to] = action
            stack.sort[to] = sort
    most = max(MOST_GAINS >> -stack.frames.depth[top], 1)
    begin_staying(stack, player, first, int(min(kept - first, most)), value)


@inline_kernel
def is_far_beyond(stack: Stack, gains: Gains, options: Options, player: int) -> bool:
    """Return whether the estimate is so far beyond a narrow window that it is believed; the frame is finished then."""
    top = stack.top[0]
    frames = stack.frames
    narrow = frames.beta[top] - frames.alpha[top] <= 2.0 * NULL_WINDOW
    if options.window == 0 or not narrow or gains.noise[NOTED] < ENOUGH:
        return False
    spare = MARGIN * gains.noise[NOISE] * stack.frames.depth[top]
    settled = is_settled(stack, player, float(frames.standing[top] + (spare if player else -spare)))
    stack.beyond[0] += int(settled)
    return bool(settled)
