"""Expectimax, Star1 and Star2, with all outcomes of chance or with sampled ones, as a loop over a stack of frames.

Source: Ballard 1983; Lanctot et al. 2013 (MCMS13), algorithms 1 and 2 and section 3.1, in the form in which the players
need not take turns strictly. The difference: the algorithms return a number that is a bound or exact depending on its
position in the window, which a clipped window hides; here an interval is returned, so a sure win is exact, not a bound,
and a probe without a result changes nothing.
"""

from __future__ import annotations

from ggp.codegen.kernels import F64, I64, inline_kernel, kernel
from ggp.native.calls import call_step
from players.search.foundation.kernel_arguments import Model
from players.search.star.gains import MARGIN, MEAN, NOISE, OFTEN, Gains
from players.search.star.nodes import enter
from players.search.star.options import EXACT, NULL_WINDOW, PLAIN, STAR2, Options
from players.search.star.ordering import first_pass, note_searched, ordered_place, reduction
from players.search.star.stack import (
    CHANCE,
    CHOOSE,
    DONE,
    ENTER,
    FULL,
    MAX,
    NARROW,
    PROBING,
    SEARCHING,
    SHALLOW,
    Stack,
    give,
    push,
)
from players.search.star.table import Table, store

AGAIN = 8
"""Added to PASS: the action is searched again."""


@inline_kernel
def is_open(stack: Stack, top: int, low: float, high: float) -> bool:
    """Return whether what a narrow window shows of an action is not enough: it may be the best, and is not exact."""
    frames = stack.frames
    exact = high - low <= EXACT
    if frames.kind[top] == MAX:
        no_better = high <= max(frames.alpha[top], frames.low[top])
        enough = (exact or low >= frames.beta[top]) and (frames.way[top] == NARROW or low >= 1.0 - EXACT)
    else:
        no_better = low >= min(frames.beta[top], frames.high[top])
        enough = (exact or high <= frames.alpha[top]) and (frames.way[top] == NARROW or high <= EXACT)
    return not bool(no_better) and not bool(enough)


@inline_kernel
def child_alpha(stack: Stack, top: int, place: int) -> float:
    """Return the value of an outcome below which its chance node cannot rise above alpha (MCMS13, childAlpha)."""
    probability = stack.probability[place]
    others = stack.frames.high[top] - probability * stack.high[place]
    return float(max(0.0, (stack.frames.alpha[top] - others) / probability))


@inline_kernel
def child_beta(stack: Stack, top: int, place: int) -> float:
    """Return the value of an outcome above which its chance node cannot stay below beta (MCMS13, childBeta)."""
    probability = stack.probability[place]
    others = stack.frames.low[top] - probability * stack.low[place]
    return float(min(1.0, (stack.frames.beta[top] - others) / probability))


@inline_kernel
def choose_outcome(model: Model, stack: Stack, options: Options, joint: I64) -> None:
    """Search the next outcome of the chance node on top, or finish it."""
    top = stack.top[0]
    frames = stack.frames
    count, first = frames.children[top], frames.pool[top]
    while True:
        if frames.child[top] == count:
            if frames.stage[top] == SEARCHING:
                finish_chance(stack, top)
                return
            frames.stage[top] = SEARCHING
            frames.child[top] = 0
        elif stack.high[first + frames.child[top]] - stack.low[first + frames.child[top]] <= EXACT:
            frames.child[top] += 1  # what a probe has found exactly is not searched again
        else:
            break
    place = first + frames.child[top]
    alpha, beta = 0.0, 1.0
    if options.pruning != PLAIN:
        alpha, beta = child_alpha(stack, top, place), child_beta(stack, top, place)
    joint[model.shape.players] = stack.labels[place]
    probe = 1 if frames.stage[top] == PROBING else 0
    step_down(model, stack, joint)
    push(stack, frames.depth[top], alpha, beta, probe, frames.chain[top] + 1)
    if probe == 0 and options.pruning == STAR2:
        frames.known[top + 1] = stack.probed[place]
        stack.frames.known_low[top + 1] = stack.probed_low[place]
        stack.frames.known_high[top + 1] = stack.probed_high[place]


@inline_kernel
def step_down(model: Model, stack: Stack, joint: I64) -> None:
    """Write the state that follows the top frame's to the frame above."""
    at = stack.top[0] * model.shape.state_words
    call_step(model.functions.step, stack.states, at, stack.states, at + model.shape.state_words, joint, 0)


@inline_kernel
def finish_chance(stack: Stack, top: int) -> None:
    """Return the expectation of a chance node whose outcomes all have intervals."""
    low = high = 0.0
    for place in range(stack.frames.pool[top], stack.frames.pool[top] + stack.frames.children[top]):
        low += stack.probability[place] * stack.low[place]
        high += stack.probability[place] * stack.high[place]
    give(stack, low, high)


@inline_kernel
def absorb_outcome(stack: Stack, options: Options, top: int) -> None:
    """Add an outcome's result to the interval of its chance node; cut if that leaves the window."""
    frames = stack.frames
    place = frames.pool[top] + frames.child[top]
    low = max(stack.low[place], stack.result_low[0])
    high = min(stack.high[place], stack.result_high[0])
    probability = stack.probability[place]
    frames.low[top] += probability * (low - stack.low[place])
    frames.high[top] += probability * (high - stack.high[place])
    stack.low[place] = low
    stack.high[place] = high
    if frames.stage[top] == PROBING:
        stack.probed[place] = stack.probed_action[0]
        stack.probed_low[place] = stack.action_low[0]
        stack.probed_high[place] = stack.action_high[0]
    frames.child[top] += 1
    stack.status[0] = CHOOSE
    if frames.child[top] == frames.children[top] and frames.stage[top] == SEARCHING:
        finish_chance(stack, top)
    elif options.pruning != PLAIN and (
        frames.low[top] >= frames.beta[top] - EXACT or frames.high[top] <= frames.alpha[top] + EXACT
    ):
        give(stack, frames.low[top], frames.high[top])


@inline_kernel
def is_vain(stack: Stack, gains: Gains, options: Options, alpha: float, beta: float) -> bool:
    """Return whether the last action before the horizon is not expected to gain what it would have to."""
    top = stack.top[0]
    frames = stack.frames
    if gains.planes.size == 0 or options.window == 0 or frames.depth[top] != 1 or frames.child[top] == 0 or top == 0:
        return False
    sort = stack.sort[frames.pool[top] + frames.place[top]]
    standing = stack.frames.standing[top]
    room = alpha - standing if frames.kind[top] == MAX else standing - beta
    vain = gains.sorts[sort, MEAN] + MARGIN * gains.noise[NOISE] < room
    return bool(vain) and bool(gains.sorts[sort, OFTEN] >= 1.0)


@inline_kernel
def choose_action(
    model: Model, stack: Stack, table: Table, gains: Gains, joint: I64, options: Options, utility: F64
) -> None:
    """Search the next action of the decision on top, or the same one again in another way."""
    top = stack.top[0]
    frames = stack.frames
    alpha, beta = frames.alpha[top], frames.beta[top]
    if options.pruning == PLAIN:
        alpha, beta = 0.0, 1.0
    elif frames.kind[top] == MAX:
        alpha = max(alpha, frames.low[top])
    else:
        beta = min(beta, frames.high[top])
    player = 0 if frames.kind[top] == MAX else 1
    depth = frames.depth[top] - 1
    if frames.way[top] >= AGAIN:
        frames.way[top] -= AGAIN
    else:
        frames.place[top] = ordered_place(model, stack, gains, options, joint, utility, player)
        while is_vain(stack, gains, options, alpha, beta):
            frames.child[top] += 1
            stack.beyond[0] += 1
            if player == 0:
                frames.high[top] = max(frames.high[top], alpha)
            else:
                frames.low[top] = min(frames.low[top], beta)
            if frames.child[top] == frames.children[top]:
                remember(stack, table, options, top)
                give(stack, frames.low[top], frames.high[top])
                return
            frames.place[top] = ordered_place(model, stack, gains, options, joint, utility, player)
        frames.way[top] = first_pass(stack, options, beta - alpha > 2.0 * NULL_WINDOW)
    if frames.way[top] == SHALLOW:
        depth -= reduction(stack)
    if frames.way[top] != FULL:
        if player == 0:
            beta = alpha + NULL_WINDOW
        else:
            alpha = beta - NULL_WINDOW
    joint[player] = stack.labels[frames.pool[top] + frames.place[top]]
    step_down(model, stack, joint)
    push(stack, depth, alpha, beta, 0, 0)


@inline_kernel
def absorb_action(stack: Stack, table: Table, options: Options, top: int) -> None:
    """Add an action's result to the interval of its decision; finish it if nothing is left to search."""
    frames = stack.frames
    low, high = float(stack.result_low[0]), float(stack.result_high[0])
    maximises = bool(frames.kind[top] == MAX)
    if frames.way[top] != FULL and is_open(stack, top, low, high):
        frames.way[top] += AGAIN - 1
        stack.status[0] = CHOOSE
        return
    if maximises:
        if low > frames.low[top]:
            frames.best[top] = frames.place[top]
        frames.low[top] = max(frames.low[top], low)
        frames.high[top] = max(frames.high[top], high)
        cut = frames.low[top] >= frames.beta[top]
    else:
        if high < frames.high[top]:
            frames.best[top] = frames.place[top]
        frames.low[top] = min(frames.low[top], low)
        frames.high[top] = min(frames.high[top], high)
        cut = frames.high[top] <= frames.alpha[top]
    if options.order:
        note_searched(stack, top, int(stack.labels[frames.pool[top] + frames.place[top]]), bool(cut))
    frames.child[top] += 1
    if top == 0:
        stack.searched[0] += 1
    if frames.child[top] < frames.children[top]:
        probed = frames.probe[top] == 1
        if not probed and (options.pruning == PLAIN or not cut):
            stack.status[0] = CHOOSE
            return
        if maximises:
            frames.high[top] = 1.0
        else:
            frames.low[top] = 0.0
        if probed:
            remember(stack, table, options, top)
            give(stack, frames.low[top], frames.high[top])
            stack.probed_action[0] = frames.prefer[top]
            stack.action_low[0] = low
            stack.action_high[0] = high
            return
    remember(stack, table, options, top)
    give(stack, frames.low[top], frames.high[top])


@inline_kernel
def remember(stack: Stack, table: Table, options: Options, top: int) -> None:
    """Write what is known of the decision on top to the table."""
    if options.use_table and stack.frames.depth[top] > 0:
        frames = stack.frames
        depth, best = frames.depth[top], frames.best[top]
        whole = bool(stack.beyond[0] == frames.before[top])
        store(table, frames.key[top], depth, whole, best, frames.low[top], frames.high[top])


@inline_kernel
def use_probe(stack: Stack, table: Table, options: Options, top: int) -> None:
    """Reuse the probe's result for the first action of the decision on top, if the search would find no more."""
    low, high = stack.frames.known_low[top], stack.frames.known_high[top]
    exact = high - low <= EXACT
    if exact or low >= stack.frames.beta[top] or high <= stack.frames.alpha[top]:
        stack.result_low[0] = low
        stack.result_high[0] = high
        absorb_action(stack, table, options, top)


@kernel
def search(
    model: Model, stack: Stack, table: Table, gains: Gains, joint: I64, utility: F64, options: Options, states: int
) -> bool:
    """Continue an iteration for a number of states; return whether it is done.

    Args:
        model: the game.
        stack: changed; begin with `push` of the root's state; `result` receives the result.
        table: changed.
        gains: changed.
        joint: `[P + 1]` scratch memory.
        utility: `[P]` scratch memory.
        options: which algorithm.
        states: how many are visited before the search pauses.
    """
    end = stack.visited[0] + states
    while stack.status[0] != DONE:
        top = stack.top[0]
        if stack.status[0] == ENTER:
            if stack.visited[0] >= end:
                return False
            enter(model, stack, table, gains, joint, options, utility)
            if stack.status[0] == CHOOSE and stack.frames.known[top] >= 0:
                use_probe(stack, table, options, top)
        elif stack.status[0] == CHOOSE:
            if stack.frames.kind[top] == CHANCE:
                choose_outcome(model, stack, options, joint)
            else:
                choose_action(model, stack, table, gains, joint, options, utility)
        else:
            stack.top[0] = top - 1
            if top == 0:
                stack.status[0] = DONE
            elif stack.frames.kind[top - 1] == CHANCE:
                absorb_outcome(stack, options, top - 1)
            else:
                absorb_action(stack, table, options, top - 1)
    return True
