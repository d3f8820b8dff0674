"""What the loop does with one state: value it, or find what can follow it."""

from __future__ import annotations

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
from players.search.star.gains import SORTED_DEPTH, Gains, look_at_cells, sort_of
from players.search.star.options import EXACT, STAR2, Options
from players.search.star.quiescence import begin_gains, begin_quiescence, is_far_beyond, is_unquiet, note_last
from players.search.star.stack import (
    CHANCE,
    CHOOSE,
    MAX_CHAIN,
    MAX_FRAMES,
    NEVER,
    NOT_ENTERED,
    PROBING,
    SEARCHING,
    Stack,
    give,
    list_actions,
)
from players.search.star.table import HIGHEST, LOWEST, NOT_FOUND, Table, best_of, depth_of, find, is_whole

STANDING_DEPTH = 3
"""Decisions still looked ahead, up to which an estimate far beyond the window is believed."""
UNKNOWN = 0.5
"""The scaled value of a state with a fault."""
LONGEST_PLAYOUT = 10_000
ONE = np.uint64(1)


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
    top = stack.top[0]
    frames = stack.frames
    words = model.shape.state_words
    at = top * words
    first = 0
    if top > 0:
        first = frames.pool[top - 1] + frames.children[top - 1]
    no_room = top == MAX_FRAMES - 1 or first + options.width > stack.labels.size
    new = int(frames.known[top] == NOT_ENTERED)  # a state that a probe has entered is not counted again
    while True:
        stack.visited[0] += new
        actors = call_actors(model.functions.actors, stack.states, at)
        if actors == NOBODY_ACTS:
            give_end(model, stack, at, utility)
            return
        limit = frames.chain[top] == MAX_CHAIN if actors == CHANCE_ACTS else frames.depth[top] <= 0
        if limit or no_room:
            stack.leaves[0] += 1
            stack.beyond[0] += 1
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
            if options.quiet and frames.depth[top] <= (STANDING_DEPTH if gains.planes.size > 0 else 1):
                stack.frames.standing[top] = value_at_horizon(model, stack, at, options, utility)
                if gains.planes.size > 0 and is_far_beyond(stack, gains, options, player):
                    return
            begin_decision(model, stack, table, options, player, first, key)
            if gains.planes.size > 0 and frames.depth[top] <= SORTED_DEPTH and stack.status[0] == CHOOSE:
                look_at_cells(gains, stack.states, at)
                for place in range(first, first + frames.children[top]):
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
        frames.chain[top] += 1


@inline_kernel
def give_end(model: Model, stack: Stack, at: int, utility: F64) -> None:
    """Finish the top frame with the utility of a terminal state."""
    stack.leaves[0] += 1
    value = UNKNOWN
    if call_utility(model.functions.utility, stack.states, at, utility, 0) >= 0:
        value = scaled(model, utility[0])
    give(stack, value, value)


@inline_kernel
def begin_chance(stack: Stack, options: Options, first: int, count: int) -> None:
    """Make the top frame a chance node, whose outcomes are in the pool from `first` on.

    A probe stops at a second chance event: its results behind that could not be kept, and would be searched twice.
    """
    top = stack.top[0]
    frames = stack.frames
    if count < 1:
        give(stack, UNKNOWN, UNKNOWN)
        return
    if frames.probe[top] == 1:
        give(stack, 0.0, 1.0)
        return
    frames.kind[top] = CHANCE
    frames.pool[top] = first
    frames.children[top] = count
    frames.child[top] = 0
    windowed = frames.alpha[top] > 0.0 or frames.beta[top] < 1.0
    probes = options.pruning == STAR2 and frames.depth[top] > 0 and windowed
    frames.stage[top] = PROBING if probes else SEARCHING
    frames.low[top] = 0.0
    frames.high[top] = 0.0
    for place in range(first, first + count):
        stack.low[place] = 0.0
        stack.high[place] = 1.0
        stack.probed[place] = NOT_ENTERED
        frames.high[top] += stack.probability[place]
    stack.status[0] = CHOOSE


@inline_kernel
def begin_decision(
    model: Model, stack: Stack, table: Table, options: Options, player: int, first: int, key: int
) -> None:
    """Make the top frame a decision, whose actions go to the pool from `first` on, or use what the table knows."""
    top = stack.top[0]
    frames = stack.frames
    if frames.probe[top] == 1:
        # the first player's action raises the lower end, which can cut at beta only; the other's lowers the upper end
        helps = frames.beta[top - 1] < 1.0 if player == 0 else frames.alpha[top - 1] > 0.0
        if not helps:
            give(stack, 0.0, 1.0)
            return
    prefer = np.int64(0)
    known = 0
    if options.use_table:
        entry = find(table, key)
        if entry != NOT_FOUND:
            low, high = table.reals[entry + LOWEST], table.reals[entry + HIGHEST]
            settled = high - low <= EXACT or low >= frames.beta[top] or high <= frames.alpha[top]
            # a probe would find no more than an earlier one has
            deep = depth_of(table, entry) == frames.depth[top]
            further = is_whole(table, entry) or depth_of(table, entry) > frames.depth[top]
            deep = deep or (options.reduce == 1 and further)
            if deep and top > 0 and (settled or frames.probe[top] == 1):
                if options.key_words < model.shape.state_words or not is_whole(table, entry):
                    stack.beyond[0] += 1
                give(stack, low, high)
                return
            prefer = np.int64(best_of(table, entry))
            known = 1
    count = call_legal(model.functions.legal, stack.states, top * model.shape.state_words, player, stack.labels, first)
    if count < 1:
        give(stack, UNKNOWN, UNKNOWN)
        return
    if frames.known[top] >= 0:
        prefer = frames.known[top]
        known = 1
    frames.key[top] = key
    frames.before[top] = stack.beyond[0] if frames.known[top] < 0 else NEVER
    list_actions(stack, player, first, count, int(prefer if prefer < count else 0), known)
    frames.low[top] = 0.0 if player == 0 else 1.0
    frames.high[top] = frames.low[top]
