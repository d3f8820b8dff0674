"""What the loop does with one state: value it, or find what can follow it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, U64, inline_kernel
from ggp.native.calls import (
    call_actors,
    call_chance,
    call_estimate,
    call_legal,
    call_playout,
    call_sample_chance,
    call_step,
    call_utility,
)
from ggp.native.hashing import state_key
from ggp.native.interface import CHANCE as CHANCE_ACTS
from ggp.native.interface import TERMINAL as NOBODY_ACTS
from ggp.native.rng_kernels import mixed
from players.search.foundation.kernel_arguments import Model
from players.search.star.gains import ENOUGH, MEAN, NOISE, NOTED, OFTEN, Gains, look_at_cells, note_gain, sort_of
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
    DEVIATIONS,
    GAINED,
    GAINS,
    HIGH,
    KEY,
    KIND,
    KNOWN,
    LEAVES,
    LOW,
    MAX,
    MAX_CHAIN,
    MAX_FRAMES,
    MIN,
    NEVER,
    NOT_ENTERED,
    PLACE,
    POOL,
    PREFER,
    PROBE,
    PROBING,
    SCORED,
    SEARCHING,
    STAGE,
    STANDING,
    STATUS,
    TOP,
    VISITED,
    Stack,
    give,
)
from players.search.star.table import HIGHEST, LOWEST, NOT_FOUND, Table, best_of, depth_of, find, is_whole

NOT_SCORED, SCORES_WRITTEN, GOOD = 0, 1, 2
"""Of a decision: no action has a score; all have; the preferred action needs none, since it is known to be good."""
JUMP, LEAST_JUMP = 2.0, 0.002
MARGIN = 3.0
"""Mean deviations from what an action is expected to gain, that it might gain more; for each decision looked ahead."""
SORTED_DEPTH, STANDING_DEPTH = 2, 3
"""Decisions still looked ahead, up to which actions have sorts, and up to which an estimate far beyond the window is
believed."""
NULL_WINDOW = 1e-7
"""Of a search that only asks whether an action is better than the best so far."""
UNKNOWN = 0.5
"""The scaled value of a state with a fault."""
LONGEST_PLAYOUT = 10_000
EXACT = 1e-12
"""Ends of an interval that are no further apart are one value: sums of probabilities are rounded."""
PLAIN, STAR1, STAR2 = 0, 1, 2
ONE = np.uint64(1)


class Options(NamedTuple):
    """The settings that the kernel needs."""

    pruning: int  # PLAIN, STAR1 or STAR2
    samples: int  # outcomes that are drawn of a chance event; 0: all of them are searched
    playouts: int  # of a state at the horizon, where the rules have no estimate
    use_table: int  # 1: values of states that were met before are used again
    width: int  # actions or outcomes at most that a frame takes of the pool
    key_words: int  # of a state, by which the table knows it: all, but for what was met before
    seed: int  # of outcomes and playouts; with the same one, every variant draws the same
    order: int = 0  # 1: actions in the order of their scores, see `ordering.py`
    window: int = 0  # 1: narrow windows for all but the first
    reduce: int = 0  # 1: late actions are first searched less deep
    quiet: int = 0  # decisions beyond the horizon, where an action has made the estimate jump


@inline_kernel
def seed_from(rng: U64, seed: int, key: int) -> None:
    """Set a generator by a state: whenever the state is met, the same is drawn."""
    rng[0] = mixed(np.uint64(seed ^ key)) | ONE


@inline_kernel
def scaled(model: Model, utility: float) -> float:
    """Bring a utility of the first player to [0, 1]; an estimate may lie beyond."""
    return float(min(max((utility - model.low[0]) * model.scale[0], 0.0), 1.0))


@inline_kernel
def value_at_horizon(model: Model, stack: Stack, at: int, options: Options, utility: F64) -> float:
    """Return the estimate of a state that is not terminal, or the mean of some playouts where the rules have none."""
    functions = model.functions
    if functions.estimate:
        if call_estimate(functions.estimate, stack.states, at, utility, 0) < 0:
            return UNKNOWN
        return scaled(model, utility[0])
    seed_from(stack.rng, options.seed, ~state_key(stack.states, at, model.shape.state_words))
    total = 0.0
    for _ in range(options.playouts):
        made = call_playout(functions.playout, stack.states, at, stack.rng, 0, utility, 0, LONGEST_PLAYOUT)
        total += scaled(model, utility[0]) if made >= 0 else UNKNOWN
    return total / options.playouts


@inline_kernel
def list_outcomes(model: Model, stack: Stack, at: int, first: int, key: int, options: Options) -> int:
    """Write the outcomes of a chance event to the pool, all of them or a sample; return how many.

    A sample is drawn with replacement (MCMS13 3.1); an outcome drawn several times counts once with as much greater a
    probability, which is the same as a mean over all draws, and costs one search.
    """
    functions = model.functions
    if options.samples == 0:
        return call_chance(functions.chance, stack.states, at, stack.labels, first, stack.probability, first)
    seed_from(stack.rng, options.seed, key)
    count = 0
    for _ in range(options.samples):
        outcome = call_sample_chance(functions.sample_chance, stack.states, at, stack.rng, 0)
        if outcome < 0:
            return outcome
        place = first
        while place < first + count and stack.labels[place] != outcome:
            place += 1
        if place == first + count:
            stack.labels[place] = outcome
            stack.probability[place] = 0.0
            count += 1
        stack.probability[place] += 1.0 / options.samples
    return count


@inline_kernel
def enter(model: Model, stack: Stack, table: Table, gains: Gains, joint: I64, options: Options, utility: F64) -> None:
    """Look at the state of the top frame: value it, or make ready to search what follows.

    Where only one thing can happen (an automatic phase, or a chance event with a single outcome drawn), the frame moves
    on to the next state, so that a probe's result behind it is kept for the search.
    """
    top = stack.cursor[TOP]
    frames = stack.frames
    words = model.shape.state_words
    at = top * words
    first = 0
    if top > 0:
        first = frames[top - 1, POOL] + frames[top - 1, COUNT]
    no_room = top == MAX_FRAMES - 1 or first + options.width > stack.labels.size
    new = int(frames[top, KNOWN] == NOT_ENTERED)  # a state that a probe has entered is not counted again
    while True:
        stack.cursor[VISITED] += new
        actors = call_actors(model.functions.actors, stack.states, at)
        if actors == NOBODY_ACTS:
            give_end(model, stack, at, utility)
            return
        limit = frames[top, CHAIN] == MAX_CHAIN if actors == CHANCE_ACTS else frames[top, DEPTH] <= 0
        if limit or no_room:
            stack.cursor[LEAVES] += 1
            stack.cursor[BEYOND] += 1
            value = value_at_horizon(model, stack, at, options, utility)
            if gains.planes.size > 0 and top > 0 and not no_room:
                note_last(stack, gains, value)
                begin_gains(model, stack, gains, options, actors, first, value)
            elif options.quiet and top > 0 and not no_room and is_unquiet(stack, options, value):
                begin_quiescence(model, stack, 0 if actors & 1 else 1, first, value)
            else:
                give(stack, value, value)
            return
        key = state_key(stack.states, at, options.key_words)
        if actors != CHANCE_ACTS:
            player = 0 if actors & 1 else 1
            if options.quiet and frames[top, DEPTH] <= (STANDING_DEPTH if gains.planes.size > 0 else 1):
                stack.numbers[top, STANDING] = value_at_horizon(model, stack, at, options, utility)
                if gains.planes.size > 0 and is_far_beyond(stack, gains, options, player):
                    return
            begin_decision(model, stack, table, options, player, first, key)
            if gains.planes.size > 0 and frames[top, DEPTH] <= SORTED_DEPTH and stack.cursor[STATUS] == CHOOSE:
                look_at_cells(gains, stack.states, at)
                for place in range(first, first + frames[top, COUNT]):
                    stack.sort[place] = sort_of(gains, player, int(stack.labels[place]))
            return
        count = list_outcomes(model, stack, at, first, key, options)
        if count != 1:
            begin_chance(stack, options, first, count)
            return
        joint[model.shape.players] = stack.labels[first]
        call_step(model.functions.step, stack.states, at, stack.states, at + words, joint, 0)
        for word in range(at, at + words):
            stack.states[word] = stack.states[word + words]
        frames[top, CHAIN] += 1


@inline_kernel
def give_end(model: Model, stack: Stack, at: int, utility: F64) -> None:
    """Finish the top frame with the utility of a terminal state."""
    stack.cursor[LEAVES] += 1
    value = UNKNOWN
    if call_utility(model.functions.utility, stack.states, at, utility, 0) >= 0:
        value = scaled(model, utility[0])
    give(stack, value, value)


@inline_kernel
def begin_chance(stack: Stack, options: Options, first: int, count: int) -> None:
    """Make the top frame a chance node, whose outcomes are in the pool from `first` on.

    A probe stops at a second chance event: its results behind that could not be kept, and would be searched twice.
    """
    top = stack.cursor[TOP]
    frames, numbers = stack.frames, stack.numbers
    if count < 1:
        give(stack, UNKNOWN, UNKNOWN)
        return
    if frames[top, PROBE] == 1:
        give(stack, 0.0, 1.0)
        return
    frames[top, KIND] = CHANCE
    frames[top, POOL] = first
    frames[top, COUNT] = count
    frames[top, CHILD] = 0
    windowed = numbers[top, ALPHA] > 0.0 or numbers[top, BETA] < 1.0
    probes = options.pruning == STAR2 and frames[top, DEPTH] > 0 and windowed
    frames[top, STAGE] = PROBING if probes else SEARCHING
    numbers[top, LOW] = 0.0
    numbers[top, HIGH] = 0.0
    for place in range(first, first + count):
        stack.low[place] = 0.0
        stack.high[place] = 1.0
        stack.probed[place] = NOT_ENTERED
        numbers[top, HIGH] += stack.probability[place]
    stack.cursor[STATUS] = CHOOSE


@inline_kernel
def begin_decision(
    model: Model, stack: Stack, table: Table, options: Options, player: int, first: int, key: int
) -> None:
    """Make the top frame a decision, whose actions go to the pool from `first` on, or use what the table knows."""
    top = stack.cursor[TOP]
    frames, numbers = stack.frames, stack.numbers
    if frames[top, PROBE] == 1:
        # the first player's action raises the lower end, which can cut at beta only; the other's lowers the upper end
        helps = numbers[top - 1, BETA] < 1.0 if player == 0 else numbers[top - 1, ALPHA] > 0.0
        if not helps:
            give(stack, 0.0, 1.0)
            return
    prefer = np.int64(0)
    known = 0
    if options.use_table:
        entry = find(table, key)
        if entry != NOT_FOUND:
            low, high = table.reals[entry + LOWEST], table.reals[entry + HIGHEST]
            settled = high - low <= EXACT or low >= numbers[top, BETA] or high <= numbers[top, ALPHA]
            # a probe would find no more than an earlier one has
            deep = depth_of(table, entry) == frames[top, DEPTH]
            further = is_whole(table, entry) or depth_of(table, entry) > frames[top, DEPTH]
            deep = deep or (options.reduce == 1 and further)
            if deep and top > 0 and (settled or frames[top, PROBE] == 1):
                if options.key_words < model.shape.state_words or not is_whole(table, entry):
                    stack.cursor[BEYOND] += 1
                give(stack, low, high)
                return
            prefer = np.int64(best_of(table, entry))
            known = 1
    count = call_legal(model.functions.legal, stack.states, top * model.shape.state_words, player, stack.labels, first)
    if count < 1:
        give(stack, UNKNOWN, UNKNOWN)
        return
    if frames[top, KNOWN] >= 0:
        prefer = frames[top, KNOWN]
        known = 1
    frames[top, KEY] = key
    frames[top, BEFORE] = stack.cursor[BEYOND] if frames[top, KNOWN] < 0 else NEVER
    list_actions(stack, player, first, count, int(prefer if prefer < count else 0), known)
    numbers[top, LOW] = 0.0 if player == 0 else 1.0
    numbers[top, HIGH] = numbers[top, LOW]


@inline_kernel
def list_actions(stack: Stack, player: int, first: int, count: int, prefer: int, known: int) -> None:
    """Make the top frame a decision with actions in the pool; `known`: whether the preferred one is good."""
    frames, top = stack.frames, stack.cursor[TOP]
    frames[top, KIND] = MAX if player == 0 else MIN
    frames[top, POOL] = first
    frames[top, COUNT] = count
    frames[top, CHILD] = 0
    frames[top, PREFER] = frames[top, BEST] = frames[top, PLACE] = prefer
    frames[top, SCORED] = GOOD if known else NOT_SCORED
    frames[top, STAGE] = SEARCHING
    stack.cursor[STATUS] = CHOOSE


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
    begin_staying(stack, player, first, kept - first, value)


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
