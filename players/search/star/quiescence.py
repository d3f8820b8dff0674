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
from players.search.star.stack import (
    ALPHA,
    BETA,
    BEYOND,
    CHANCE,
    DEPTH,
    DEVIATIONS,
    GAINED,
    GAINS,
    HIGH,
    KIND,
    LOW,
    MAX,
    MIN,
    PLACE,
    POOL,
    STANDING,
    TOP,
    Stack,
    give,
    list_actions,
)

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
    top, swing = stack.cursor[TOP], stack.swing
    before = stack.frames[top - 1, KIND]
    if before == CHANCE:
        return False
    gain = value - stack.numbers[top - 1, STANDING]
    if before == MIN:
        gain = -gain
    swing[GAINS] += gain
    swing[GAINED] += 1.0
    above = gain - swing[GAINS] / swing[GAINED]
    swing[DEVIATIONS] += abs(above)
    jumped = above > LEAST_JUMP and above * swing[GAINED] > JUMP * swing[DEVIATIONS]
    return bool(jumped) and bool(-stack.frames[top, DEPTH] < options.quiet)


@inline_kernel
def is_settled(stack: Stack, player: int, value: float) -> bool:
    """Return whether a player who may leave things as they are need not look further; if so, finish the top frame."""
    top = stack.cursor[TOP]
    if player == 0 and value >= stack.numbers[top, BETA]:
        give(stack, value, 1.0)
        return True
    if player == 1 and value <= stack.numbers[top, ALPHA]:
        give(stack, 0.0, value)
        return True
    return False


@inline_kernel
def begin_quiescence(model: Model, stack: Stack, player: int, first: int, value: float) -> None:
    """Make the top frame a decision beyond the horizon, whose player may also leave things as they are."""
    top = stack.cursor[TOP]
    if is_settled(stack, player, value):
        return
    count = call_legal(model.functions.legal, stack.states, top * model.shape.state_words, player, stack.labels, first)
    begin_staying(stack, player, first, count, value)


@inline_kernel
def begin_staying(stack: Stack, player: int, first: int, count: int, value: float) -> None:
    """Make the top frame a decision among actions in the pool, or to leave things as they are."""
    top = stack.cursor[TOP]
    if count < 1:
        give(stack, value, value)
        return
    list_actions(stack, player, first, count, 0, 0)
    stack.numbers[top, LOW] = stack.numbers[top, HIGH] = stack.numbers[top, STANDING] = value


@inline_kernel
def note_last(stack: Stack, gains: Gains, value: float) -> None:
    """Learn what the action before the horizon, or beyond it, has gained that led to the top frame."""
    before = stack.cursor[TOP] - 1
    frames = stack.frames
    if frames[before, KIND] != CHANCE and frames[before, DEPTH] <= 1:
        gain = value - stack.numbers[before, STANDING]
        sort = stack.sort[frames[before, POOL] + frames[before, PLACE]]
        note_gain(gains, int(sort), float(gain if frames[before, KIND] == MAX else -gain))


@inline_kernel
def begin_gains(
    model: Model, stack: Stack, gains: Gains, options: Options, actors: int, first: int, value: float
) -> None:
    """Make the top frame a decision beyond the horizon among actions that gain, those that gain most first.

    What cannot gain enough to come into the window is left out; what was never tried is not.
    """
    top = stack.cursor[TOP]
    player = 0 if actors & 1 else 1
    if actors == CHANCE_ACTS or -stack.frames[top, DEPTH] >= options.quiet:
        give(stack, value, value)
        return
    if is_settled(stack, player, value):
        return
    at, noise = top * model.shape.state_words, gains.noise[NOISE]
    count = call_legal(model.functions.legal, stack.states, at, player, stack.labels, first)
    look_at_cells(gains, stack.states, at)
    room = stack.numbers[top, ALPHA] - value if player == 0 else value - stack.numbers[top, BETA]
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
    most = max(MOST_GAINS >> -stack.frames[top, DEPTH], 1)
    begin_staying(stack, player, first, int(min(kept - first, most)), value)


@inline_kernel
def is_far_beyond(stack: Stack, gains: Gains, options: Options, player: int) -> bool:
    """Return whether the estimate is so far beyond a narrow window that it is believed; the frame is finished then."""
    top = stack.cursor[TOP]
    numbers = stack.numbers
    narrow = numbers[top, BETA] - numbers[top, ALPHA] <= 2.0 * NULL_WINDOW
    if options.window == 0 or not narrow or gains.noise[NOTED] < ENOUGH:
        return False
    spare = MARGIN * gains.noise[NOISE] * stack.frames[top, DEPTH]
    settled = is_settled(stack, player, float(numbers[top, STANDING] + (spare if player else -spare)))
    stack.cursor[BEYOND] += int(settled)
    return bool(settled)
