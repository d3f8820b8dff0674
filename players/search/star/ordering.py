"""Which action of a decision is searched next, and how: scores, history, killers, narrow windows, late ones less deep.

Order and windows change no value. Searching late actions less deep may: an action that seems no better than the best so
far is believed. Sources: Knuth, Moore 1975; Reinefeld 1983 (null windows); Akl, Newborn 1977 (killers); Schaeffer 1983,
Winands et al. 2006 (relative history); Romstad 2003 (late-move reductions).
"""

from __future__ import annotations

import math

from ggp.codegen.kernels import F64, I64, inline_kernel
from ggp.native.calls import call_actors, call_estimate, call_step, call_utility
from players.search.foundation.kernel_arguments import Model
from players.search.star.gains import MEAN, SORTED_DEPTH, Gains
from players.search.star.nodes import scaled
from players.search.star.options import Options
from players.search.star.stack import (
    FULL,
    GOOD,
    MAX,
    NARROW,
    NOT_SCORED,
    SCORES_WRITTEN,
    SHALLOW,
    SLOTS,
    Stack,
    next_place,
)

DONE_SCORE = -math.inf
"""Of an action that was searched."""
MAX_TAKEN = 12
"""Actions that are chosen by their scores; the others follow in the order of the rules."""
ESTIMATED_DEPTH = 2
"""Decisions still looked ahead, from which on the estimates behind all actions are worth their time."""
KILLER_BONUS, HISTORY_BONUS = 0.05, 0.05
FIRST_LATE, LATE_DEPTH, MANY_ACTIONS = 4, 3, 12
"""Actions, and decisions still looked ahead, from which on actions are first searched less deep; where there are fewer
actions, none is: in connect four, with seven, that lost 14 of 16 games."""
SECOND_LATE, DEEP = 10, 5
"""From these on by two decisions."""


@inline_kernel
def slot_of(player: int, action: int) -> int:
    """Return the row of an action in the history."""
    return int(player * SLOTS + (action & (SLOTS - 1)))


@inline_kernel
def score_actions(model: Model, stack: Stack, gains: Gains, joint: I64, utility: F64, player: int) -> None:
    """Write a score for each action of the decision on top, by what has cut before, and by the estimate behind it."""
    top = stack.top[0]
    frames, words = stack.frames, model.shape.state_words
    first, at = frames.pool[top], top * words
    sorted_ = gains.planes.size > 0 and frames.depth[top] <= SORTED_DEPTH
    looks = not sorted_ and frames.depth[top] >= ESTIMATED_DEPTH and model.functions.estimate != 0
    for place in range(first, first + frames.children[top]):
        action = stack.labels[place]
        slot = slot_of(player, int(action))
        score = HISTORY_BONUS * stack.history[slot, 0] / (stack.history[slot, 1] + 1.0)
        if action == stack.killers[top, 0] or action == stack.killers[top, 1]:
            score += KILLER_BONUS
        if sorted_:
            score += gains.sorts[stack.sort[place], MEAN]
        if looks:
            joint[player] = action
            call_step(model.functions.step, stack.states, at, stack.states, at + words, joint, 0)
            value = 0.5
            if call_actors(model.functions.actors, stack.states, at + words) < 0:
                if call_utility(model.functions.utility, stack.states, at + words, utility, 0) >= 0:
                    value = scaled(model, utility[0])
            elif call_estimate(model.functions.estimate, stack.states, at + words, utility, 0) >= 0:
                value = scaled(model, utility[0])
            score += value if player == 0 else 1.0 - value
        stack.score[place] = score


@inline_kernel
def ordered_place(
    model: Model, stack: Stack, gains: Gains, options: Options, joint: I64, utility: F64, player: int
) -> int:
    """Return the position of the next action of the decision on top, in the order of the options."""
    top = stack.top[0]
    frames = stack.frames
    if options.order == 0 or frames.children[top] == 1 or (gains.planes.size > 0 and frames.depth[top] <= 0):
        return next_place(stack, top)
    prefer = frames.prefer[top]
    if frames.child[top] == 0 and frames.scored[top] == GOOD:  # the table knows the best
        frames.scored[top] = NOT_SCORED
        return int(prefer)
    first, count = frames.pool[top], frames.children[top]
    if frames.scored[top] == NOT_SCORED:
        score_actions(model, stack, gains, joint, utility, player)
        frames.scored[top] = SCORES_WRITTEN
        frames.taken[top] = 0
        if frames.child[top] > 0:
            stack.score[first + prefer] = DONE_SCORE
    best = first
    if frames.taken[top] < MAX_TAKEN:
        frames.taken[top] += 1
        for place in range(first + 1, first + count):
            if stack.score[place] > stack.score[best]:
                best = place
    else:
        while stack.score[best] == DONE_SCORE:
            best += 1
    stack.score[best] = DONE_SCORE
    return int(best - first)


@inline_kernel
def first_pass(stack: Stack, options: Options, narrow: bool) -> int:
    """Return how the next action of the decision on top is searched first; `narrow`: whether its window has room."""
    top = stack.top[0]
    child, depth = stack.frames.child[top], stack.frames.depth[top]
    if child == 0 or not narrow or options.window == 0:
        return FULL
    late = child >= FIRST_LATE and depth >= LATE_DEPTH and stack.frames.children[top] >= MANY_ACTIONS
    return SHALLOW if options.reduce and late else NARROW


@inline_kernel
def reduction(stack: Stack) -> int:
    """Return by how many decisions less a late action is looked ahead."""
    top = stack.top[0]
    return 2 if stack.frames.child[top] >= SECOND_LATE and stack.frames.depth[top] >= DEEP else 1


@inline_kernel
def note_searched(stack: Stack, top: int, action: int, cut: bool) -> None:
    """Note that an action of a decision was searched, and whether that was enough."""
    depth = max(stack.frames.depth[top], 0) + 1
    slot = slot_of(0 if stack.frames.kind[top] == MAX else 1, action)
    stack.history[slot, 1] += float(depth * depth)
    if cut:
        stack.history[slot, 0] += float(depth * depth)
        if stack.killers[top, 0] != action:
            stack.killers[top, 1] = stack.killers[top, 0]
            stack.killers[top, 0] = action
