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
    ALPHA,
    BEFORE,
    BEST,
    BETA,
    BEYOND,
    CHAIN,
    CHANCE,
    CHILD,
    CHOOSE,
    COUNT,
    DEPTH,
    DONE,
    ENTER,
    FULL,
    HIGH,
    KEY,
    KIND,
    KNOWN,
    KNOWN_HIGH,
    KNOWN_LOW,
    LOW,
    MAX,
    NARROW,
    PASS,
    PLACE,
    POOL,
    PREFER,
    PROBE,
    PROBED,
    PROBED_HIGH,
    PROBED_LOW,
    PROBING,
    RESULT_HIGH,
    RESULT_LOW,
    SEARCHED,
    SEARCHING,
    SHALLOW,
    STAGE,
    STANDING,
    STATUS,
    TOP,
    VISITED,
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
    frames, numbers = stack.frames, stack.numbers
    exact = high - low <= EXACT
    if frames[top, KIND] == MAX:
        no_better = high <= max(numbers[top, ALPHA], numbers[top, LOW])
        enough = (exact or low >= numbers[top, BETA]) and (frames[top, PASS] == NARROW or low >= 1.0 - EXACT)
    else:
        no_better = low >= min(numbers[top, BETA], numbers[top, HIGH])
        enough = (exact or high <= numbers[top, ALPHA]) and (frames[top, PASS] == NARROW or high <= EXACT)
    return not bool(no_better) and not bool(enough)


@inline_kernel
def child_alpha(stack: Stack, top: int, place: int) -> float:
    """Return the value of an outcome below which its chance node cannot rise above alpha (MCMS13, childAlpha)."""
    probability = stack.probability[place]
    others = stack.numbers[top, HIGH] - probability * stack.high[place]
    return float(max(0.0, (stack.numbers[top, ALPHA] - others) / probability))


@inline_kernel
def child_beta(stack: Stack, top: int, place: int) -> float:
    """Return the value of an outcome above which its chance node cannot stay below beta (MCMS13, childBeta)."""
    probability = stack.probability[place]
    others = stack.numbers[top, LOW] - probability * stack.low[place]
    return float(min(1.0, (stack.numbers[top, BETA] - others) / probability))


@inline_kernel
def choose_outcome(model: Model, stack: Stack, options: Options, joint: I64) -> None:
    """Search the next outcome of the chance node on top, or finish it."""
    top = stack.cursor[TOP]
    frames = stack.frames
    count, first = frames[top, COUNT], frames[top, POOL]
    while True:
        if frames[top, CHILD] == count:
            if frames[top, STAGE] == SEARCHING:
                finish_chance(stack, top)
                return
            frames[top, STAGE] = SEARCHING
            frames[top, CHILD] = 0
        elif stack.high[first + frames[top, CHILD]] - stack.low[first + frames[top, CHILD]] <= EXACT:
            frames[top, CHILD] += 1  # what a probe has found exactly is not searched again
        else:
            break
    place = first + frames[top, CHILD]
    alpha, beta = 0.0, 1.0
    if options.pruning != PLAIN:
        alpha, beta = child_alpha(stack, top, place), child_beta(stack, top, place)
    joint[model.shape.players] = stack.labels[place]
    probe = 1 if frames[top, STAGE] == PROBING else 0
    step_down(model, stack, joint)
    push(stack, frames[top, DEPTH], alpha, beta, probe, frames[top, CHAIN] + 1)
    if probe == 0 and options.pruning == STAR2:
        frames[top + 1, KNOWN] = stack.probed[place]
        stack.numbers[top + 1, KNOWN_LOW] = stack.probed_low[place]
        stack.numbers[top + 1, KNOWN_HIGH] = stack.probed_high[place]


@inline_kernel
def step_down(model: Model, stack: Stack, joint: I64) -> None:
    """Write the state that follows the top frame's to the frame above."""
    at = stack.cursor[TOP] * model.shape.state_words
    call_step(model.functions.step, stack.states, at, stack.states, at + model.shape.state_words, joint, 0)


@inline_kernel
def finish_chance(stack: Stack, top: int) -> None:
    """Return the expectation of a chance node whose outcomes all have intervals."""
    low = high = 0.0
    for place in range(stack.frames[top, POOL], stack.frames[top, POOL] + stack.frames[top, COUNT]):
        low += stack.probability[place] * stack.low[place]
        high += stack.probability[place] * stack.high[place]
    give(stack, low, high)


@inline_kernel
def absorb_outcome(stack: Stack, options: Options, top: int) -> None:
    """Add an outcome's result to the interval of its chance node; cut if that leaves the window."""
    frames, numbers = stack.frames, stack.numbers
    place = frames[top, POOL] + frames[top, CHILD]
    low = max(stack.low[place], stack.result[RESULT_LOW])
    high = min(stack.high[place], stack.result[RESULT_HIGH])
    probability = stack.probability[place]
    numbers[top, LOW] += probability * (low - stack.low[place])
    numbers[top, HIGH] += probability * (high - stack.high[place])
    stack.low[place] = low
    stack.high[place] = high
    if frames[top, STAGE] == PROBING:
        stack.probed[place] = stack.cursor[PROBED]
        stack.probed_low[place] = stack.result[PROBED_LOW]
        stack.probed_high[place] = stack.result[PROBED_HIGH]
    frames[top, CHILD] += 1
    stack.cursor[STATUS] = CHOOSE
    if frames[top, CHILD] == frames[top, COUNT] and frames[top, STAGE] == SEARCHING:
        finish_chance(stack, top)
    elif options.pruning != PLAIN and (
        numbers[top, LOW] >= numbers[top, BETA] - EXACT or numbers[top, HIGH] <= numbers[top, ALPHA] + EXACT
    ):
        give(stack, numbers[top, LOW], numbers[top, HIGH])


@inline_kernel
def is_vain(stack: Stack, gains: Gains, options: Options, alpha: float, beta: float) -> bool:
    """Return whether the last action before the horizon is not expected to gain what it would have to."""
    top = stack.cursor[TOP]
    frames = stack.frames
    if gains.planes.size == 0 or options.window == 0 or frames[top, DEPTH] != 1 or frames[top, CHILD] == 0 or top == 0:
        return False
    sort = stack.sort[frames[top, POOL] + frames[top, PLACE]]
    standing = stack.numbers[top, STANDING]
    room = alpha - standing if frames[top, KIND] == MAX else standing - beta
    vain = gains.sorts[sort, MEAN] + MARGIN * gains.noise[NOISE] < room
    return bool(vain) and bool(gains.sorts[sort, OFTEN] >= 1.0)


@inline_kernel
def choose_action(
    model: Model, stack: Stack, table: Table, gains: Gains, joint: I64, options: Options, utility: F64
) -> None:
    """Search the next action of the decision on top, or the same one again in another way."""
    top = stack.cursor[TOP]
    frames, numbers = stack.frames, stack.numbers
    alpha, beta = numbers[top, ALPHA], numbers[top, BETA]
    if options.pruning == PLAIN:
        alpha, beta = 0.0, 1.0
    elif frames[top, KIND] == MAX:
        alpha = max(alpha, numbers[top, LOW])
    else:
        beta = min(beta, numbers[top, HIGH])
    player = 0 if frames[top, KIND] == MAX else 1
    depth = frames[top, DEPTH] - 1
    if frames[top, PASS] >= AGAIN:
        frames[top, PASS] -= AGAIN
    else:
        frames[top, PLACE] = ordered_place(model, stack, gains, options, joint, utility, player)
        while is_vain(stack, gains, options, alpha, beta):
            frames[top, CHILD] += 1
            stack.cursor[BEYOND] += 1
            if player == 0:
                numbers[top, HIGH] = max(numbers[top, HIGH], alpha)
            else:
                numbers[top, LOW] = min(numbers[top, LOW], beta)
            if frames[top, CHILD] == frames[top, COUNT]:
                remember(stack, table, options, top)
                give(stack, numbers[top, LOW], numbers[top, HIGH])
                return
            frames[top, PLACE] = ordered_place(model, stack, gains, options, joint, utility, player)
        frames[top, PASS] = first_pass(stack, options, beta - alpha > 2.0 * NULL_WINDOW)
    if frames[top, PASS] == SHALLOW:
        depth -= reduction(stack)
    if frames[top, PASS] != FULL:
        if player == 0:
            beta = alpha + NULL_WINDOW
        else:
            alpha = beta - NULL_WINDOW
    joint[player] = stack.labels[frames[top, POOL] + frames[top, PLACE]]
    step_down(model, stack, joint)
    push(stack, depth, alpha, beta, 0, 0)


@inline_kernel
def absorb_action(stack: Stack, table: Table, options: Options, top: int) -> None:
    """Add an action's result to the interval of its decision; finish it if nothing is left to search."""
    frames, numbers = stack.frames, stack.numbers
    low, high = float(stack.result[RESULT_LOW]), float(stack.result[RESULT_HIGH])
    maximises = bool(frames[top, KIND] == MAX)
    if frames[top, PASS] != FULL and is_open(stack, top, low, high):
        frames[top, PASS] += AGAIN - 1
        stack.cursor[STATUS] = CHOOSE
        return
    if maximises:
        if low > numbers[top, LOW]:
            frames[top, BEST] = frames[top, PLACE]
        numbers[top, LOW] = max(numbers[top, LOW], low)
        numbers[top, HIGH] = max(numbers[top, HIGH], high)
        cut = numbers[top, LOW] >= numbers[top, BETA]
    else:
        if high < numbers[top, HIGH]:
            frames[top, BEST] = frames[top, PLACE]
        numbers[top, LOW] = min(numbers[top, LOW], low)
        numbers[top, HIGH] = min(numbers[top, HIGH], high)
        cut = numbers[top, HIGH] <= numbers[top, ALPHA]
    if options.order:
        note_searched(stack, top, int(stack.labels[frames[top, POOL] + frames[top, PLACE]]), bool(cut))
    frames[top, CHILD] += 1
    if top == 0:
        stack.cursor[SEARCHED] += 1
    if frames[top, CHILD] < frames[top, COUNT]:
        probed = frames[top, PROBE] == 1
        if not probed and (options.pruning == PLAIN or not cut):
            stack.cursor[STATUS] = CHOOSE
            return
        if maximises:
            numbers[top, HIGH] = 1.0
        else:
            numbers[top, LOW] = 0.0
        if probed:
            remember(stack, table, options, top)
            give(stack, numbers[top, LOW], numbers[top, HIGH])
            stack.cursor[PROBED] = frames[top, PREFER]
            stack.result[PROBED_LOW] = low
            stack.result[PROBED_HIGH] = high
            return
    remember(stack, table, options, top)
    give(stack, numbers[top, LOW], numbers[top, HIGH])


@inline_kernel
def remember(stack: Stack, table: Table, options: Options, top: int) -> None:
    """Write what is known of the decision on top to the table."""
    if options.use_table and stack.frames[top, DEPTH] > 0:
        frames, numbers = stack.frames, stack.numbers
        depth, best = frames[top, DEPTH], frames[top, BEST]
        whole = bool(stack.cursor[BEYOND] == frames[top, BEFORE])
        store(table, frames[top, KEY], depth, whole, best, numbers[top, LOW], numbers[top, HIGH])


@inline_kernel
def use_probe(stack: Stack, table: Table, options: Options, top: int) -> None:
    """Reuse the probe's result for the first action of the decision on top, if the search would find no more."""
    low, high = stack.numbers[top, KNOWN_LOW], stack.numbers[top, KNOWN_HIGH]
    exact = high - low <= EXACT
    if exact or low >= stack.numbers[top, BETA] or high <= stack.numbers[top, ALPHA]:
        stack.result[RESULT_LOW] = low
        stack.result[RESULT_HIGH] = high
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
    end = stack.cursor[VISITED] + states
    while stack.cursor[STATUS] != DONE:
        top = stack.cursor[TOP]
        if stack.cursor[STATUS] == ENTER:
            if stack.cursor[VISITED] >= end:
                return False
            enter(model, stack, table, gains, joint, options, utility)
            if stack.cursor[STATUS] == CHOOSE and stack.frames[top, KNOWN] >= 0:
                use_probe(stack, table, options, top)
        elif stack.cursor[STATUS] == CHOOSE:
            if stack.frames[top, KIND] == CHANCE:
                choose_outcome(model, stack, options, joint)
            else:
                choose_action(model, stack, table, gains, joint, options, utility)
        else:
            stack.cursor[TOP] = top - 1
            if top == 0:
                stack.cursor[STATUS] = DONE
            elif stack.frames[top - 1, KIND] == CHANCE:
                absorb_outcome(stack, options, top - 1)
            else:
                absorb_action(stack, table, options, top - 1)
    return True
