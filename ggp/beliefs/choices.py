"""The choices of the others and of chance at one world state: listed, looked up, drawn, and varied a little.

Dimensions: P players, A the larger of the largest number of actions and of chance outcomes, W words of a world state,
B blocks of numbers, K parts of a choice.

Where chance has many outcomes that are equally likely, and one alone is asked for, they need not be listed: a number is
then its own position, see `leave_unlisted`.

A *branch* is a joint choice, as a mixed-radix number of positions in the players' rows, then in that of chance. A
choice may have several parts, such as six dice thrown at once: its number is then a mixed-radix number, too, and `vary`
changes one part of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, I64_2D, U64, allocated, inline_kernel
from ggp.native.calls import call_chance, call_outcome_probability, call_sample_chance
from ggp.native.interface import CHANCE, GameShape, NativeRules
from ggp.native.rng_kernels import below, drawn_by, drawn_place, uniform

PHASE_WORD = 0
PHASES_NOTED = 256
"""A power of two."""
MAX_PASSED = 8
LONG = 64
"""Outcomes of a chance event from which the list is kept for the next time, with sums of the probabilities."""
COUNT, ROW, LISTED_FIELDS = 0, 1, 2
"""Behind the words of the state whose outcomes are kept: how many they are, and the row they stand in."""
UNLISTED = 1 << 62
"""Stands for how many outcomes there are where they are not listed; each has a smaller number."""
IS_UNLISTED, SAMPLE, PROBABILITY, UNLISTED_FIELDS = 0, 1, 2, 3
"""Whether the outcomes in the state at 0 are not listed, and the native functions that say what they are."""
ANY_ACTION = -1
PHASE, BASE, SIZE, PARTS, BLOCK_FIELDS = 0, 1, 2, 3, 4
"""Of a block of numbers: the phase whose outcomes they are, or ANY_ACTION; the first of them; how many; their parts.
Behind these, the size of each part."""
TRIALS = 8
"""Draws of another choice that differs in one part, before it is drawn anew."""
SWAPPED = 0.5
"""Share of the variations in which two parts of equal size exchange their values, if there are such parts."""


class Scratch(NamedTuple):
    """Scratch memory."""

    states: Annotated[I64, "3 * W"]  # a state at 0, after it the one that a branch leads to, then one put aside
    keys: Annotated[U64, "2 * P"]  # of the state at 0
    next_keys: Annotated[U64, "2 * P"]  # of the state after it
    keys_aside: Annotated[U64, "2 * P"]  # put aside
    actions: Annotated[I64, "P + 3, A"]  # what each player can do; chance in either of the next two rows; the last one
    #     is spare
    probability: Annotated[F64, "P + 3, A"]
    cumulative: Annotated[F64, "A"]  # of the outcomes that are kept, sums of their probabilities
    unlisted: Annotated[I64, "UNLISTED_FIELDS"]
    chance: Annotated[F64, "1"]  # the probability of an outcome that is not listed
    sizes: Annotated[I64, "P + 1"]  # how many there are; 1 for who does not act, or whose action is known
    rows: Annotated[I64, "P + 1"]  # the row of each
    listed: Annotated[I64, "W + LISTED_FIELDS"]  # the state whose outcomes are kept
    joint: Annotated[I64, "P + 1"]
    joint_aside: Annotated[I64, "P + 1"]  # put aside
    passed: Annotated[I64, "MAX_PASSED"]  # the outcomes of automatic transitions that were passed over
    widest: Annotated[I64, "PHASES_NOTED"]  # by phase, the largest number of outcomes seen right behind a silent
    #     transition
    observation: Annotated[I64, "O"]
    made: Annotated[I64, "1"]  # transitions made so far
    actors: Annotated[I64, "1"]  # of the state at 0
    shown: Annotated[I64, "1"]  # 1 where the record shows what the others choose in that state
    told: Annotated[I64, "1"]  # how many words the player was told by the last transition looked at
    different: Annotated[I64, "1"]  # in how many bits the last observation differed from the record
    resumed: Annotated[I64, "1"]  # of an enumeration that stopped at a member, the next of its branches
    passed_count: Annotated[I64, "1"]  # how many automatic transitions were passed over
    rng: Annotated[U64, "1"]


def new_scratch(shape: GameShape) -> Scratch:
    """Return scratch memory for one player."""
    scratch = allocated(Scratch, **(shape.lengths | {"A": max(shape.max_actions, shape.max_outcomes)}))
    scratch.sizes[:] = 1
    scratch.rows[:] = range(shape.players + 1)
    scratch.rng[0] = 1
    return scratch


def block_table(blocks: Sequence[tuple[int | None, int, Sequence[int]]]) -> I64:
    """Return `[B, BLOCK_FIELDS + K]` the blocks that the codec names, without those of actions with one part."""
    divided = [block for block in blocks if sum(size > 1 for size in block[2]) > (block[0] is None)]
    most = max((len(sizes) for _, _, sizes in divided), default=0)
    table = np.zeros((len(divided), BLOCK_FIELDS + most), np.int64)
    for row, (phase, base, sizes) in enumerate(divided):
        table[row, :BLOCK_FIELDS] = ANY_ACTION if phase is None else phase, base, math.prod(sizes), len(sizes)
        table[row, BLOCK_FIELDS : BLOCK_FIELDS + len(sizes)] = sizes
    return table


@inline_kernel
def list_outcomes(model: NativeRules, scratch: Scratch) -> int:
    """List what chance can draw in the state at 0, and the probabilities; return how many outcomes there are.

    A long list is kept, and not made again while it is asked for the same state.
    """
    players, words = model.shape.players, model.shape.state_words
    kept = scratch.listed[words + COUNT]
    if kept > 0:
        word = 0
        while word < words and scratch.listed[word] == scratch.states[word]:
            word += 1
        if word == words:
            scratch.rows[players] = scratch.listed[words + ROW]
            return int(kept)
    row = players + 1 if kept > 0 and scratch.listed[words + ROW] == players else players
    scratch.rows[players] = row
    count = call_chance(model.functions.chance, scratch.states, 0, scratch.actions[row], 0, scratch.probability[row], 0)
    if count > LONG:
        scratch.listed[:words] = scratch.states[:words]
        scratch.listed[words + COUNT], scratch.listed[words + ROW] = count, row
        total = 0.0
        for outcome in range(count):
            total += scratch.probability[row, outcome]
            scratch.cumulative[outcome] = total
    return int(count)


@inline_kernel
def leave_unlisted(model: NativeRules, scratch: Scratch) -> bool:
    """Let the outcomes in the state at 0 stand for their own positions; return whether that is possible there."""
    functions = model.functions
    scratch.unlisted[SAMPLE], scratch.unlisted[PROBABILITY] = functions.sample_chance, functions.outcome_probability
    if functions.outcome_probability == 0:
        return False
    if call_outcome_probability(functions.outcome_probability, scratch.states, 0, 0, scratch.chance, 0) < 0:
        return False
    scratch.rows[model.shape.players] = model.shape.players
    scratch.unlisted[IS_UNLISTED] = 1
    return True


@inline_kernel
def is_unlisted(scratch: Scratch, player: int) -> bool:
    """Return whether a player is chance, and what it can draw is not listed."""
    return bool(player == scratch.sizes.size - 1 and scratch.unlisted[IS_UNLISTED])


@inline_kernel
def any_position(scratch: Scratch, player: int) -> int:
    """Return the position of a random choice; -1 if chance finds nothing to draw from."""
    if not is_unlisted(scratch, player):
        return below(scratch.rng, 0, scratch.sizes[player])
    outcome = call_sample_chance(int(scratch.unlisted[SAMPLE]), scratch.states, 0, scratch.rng, 0)
    return position_of(scratch, player, outcome)


@inline_kernel
def position_of(scratch: Scratch, player: int, choice: int) -> int:
    """Return the position of a choice in a player's row, which ascends, or -1."""
    if is_unlisted(scratch, player):
        address = int(scratch.unlisted[PROBABILITY])
        found = call_outcome_probability(address, scratch.states, 0, choice, scratch.chance, 0)
        return choice if found > 0 else -1
    row = scratch.rows[player]
    low, high = 0, scratch.sizes[player] - 1
    while low < high:
        middle = (low + high) // 2
        if scratch.actions[row, middle] < choice:
            low = middle + 1
        else:
            high = middle
    return int(low) if scratch.actions[row, low] == choice else -1


@inline_kernel
def set_branch(scratch: Scratch, players: int, branch: int) -> float:
    """Write the joint choice of a branch; return its probability."""
    probability = 1.0
    actors = scratch.actors[0]
    for player in range(players + 1):
        size = scratch.sizes[player]
        position = branch % size
        branch //= size
        if (player == players and actors == CHANCE) or (player < players and actors >> player & 1):
            if is_unlisted(scratch, player):
                scratch.joint[player] = position
                probability *= scratch.chance[0]
                continue
            row = scratch.rows[player]
            scratch.joint[player] = scratch.actions[row, position]
            probability *= scratch.probability[row, position]
    return probability


@inline_kernel
def draw_branch(scratch: Scratch, players: int) -> int:
    """Return a branch drawn by the probabilities."""
    branch, weight = 0, 1
    for player in range(players + 1):
        size = scratch.sizes[player]
        position = 0
        if is_unlisted(scratch, player):
            position = any_position(scratch, player)
        elif player == players and size > LONG:
            position = drawn_place(scratch.rng, 0, scratch.cumulative, size)
        elif size > 1:
            position = drawn_by(scratch.rng, scratch.probability[scratch.rows[player]][:size])
        branch += weight * position
        weight *= size
    return branch


@inline_kernel
def vary(scratch: Scratch, blocks: I64_2D, players: int, branch: int) -> int:
    """Return a branch that differs from another in the choice of one player, or of chance, alone.

    Where that choice has parts, it mostly differs in one part, or in two that exchange their values.
    """
    acting = 0
    for player in range(players + 1):
        acting += scratch.sizes[player] > 1
    if acting == 0:
        return branch
    left = below(scratch.rng, 0, acting)
    weight = 1
    for player in range(players + 1):
        size = scratch.sizes[player]
        if size > 1:
            if left == 0:
                position = branch // weight % size
                phase = scratch.states[PHASE_WORD] if player == players else ANY_ACTION
                changed = vary_choice(scratch, blocks, player, phase, position)
                return int(branch + weight * (changed - position))
            left -= 1
        weight *= size
    return branch


@inline_kernel
def vary_choice(scratch: Scratch, blocks: I64_2D, player: int, phase: int, position: int) -> int:
    """Return the position of a choice that differs in one part, or in two that exchange their values, if one is found;
    otherwise any.

    Args:
        scratch: with the choices listed.
        blocks: of numbers; see `block_table`.
        player: whose choice it is; P: that of chance.
        phase: of a chance event, ANY_ACTION of an action.
        position: of the choice.
    """
    choice = position if is_unlisted(scratch, player) else scratch.actions[scratch.rows[player], position]
    row = block_of(blocks, phase, choice)
    if row >= 0:
        parts = blocks[row, PARTS]
        for _ in range(TRIALS):
            one, two = below(scratch.rng, 0, parts), below(scratch.rng, 0, parts)
            first, second = value_of(blocks, row, choice, one), value_of(blocks, row, choice, two)
            size = blocks[row, BLOCK_FIELDS + one]
            swaps = size == blocks[row, BLOCK_FIELDS + two] and uniform(scratch.rng, 0) < SWAPPED
            if swaps:
                changed = choice + (second - first) * (stride_of(blocks, row, one) - stride_of(blocks, row, two))
                found = position_of(scratch, player, changed) if changed != choice else -1
            else:
                found = position_with(scratch, blocks, player, row, choice, one, below(scratch.rng, 0, size))
            if found >= 0:
                return found
    return any_position(scratch, player)


@inline_kernel
def position_with(scratch: Scratch, blocks: I64_2D, player: int, row: int, choice: int, part: int, value: int) -> int:
    """Return the position of a choice whose part has another value, -1 if it has none.

    Where it is not legal so, the value is put where it stands in ascending order, as the members of a subset do.
    """
    if value == value_of(blocks, row, choice, part):
        return -1
    changed = choice + (value - value_of(blocks, row, choice, part)) * stride_of(blocks, row, part)
    found, size = position_of(scratch, player, changed), blocks[row, BLOCK_FIELDS + part]
    for step in range(2):
        at = part
        by = 1 - 2 * step
        while found < 0 and 0 <= at + by < blocks[row, PARTS] and blocks[row, BLOCK_FIELDS + at + by] == size:
            beside = value_of(blocks, row, changed, at + by)
            if (value - beside) * by <= 0:
                break
            changed += (beside - value) * (stride_of(blocks, row, at) - stride_of(blocks, row, at + by))
            at += by
        if at != part and found < 0:
            found = position_of(scratch, player, changed)
    return int(found)


@inline_kernel
def block_of(blocks: I64_2D, phase: int, choice: int) -> int:
    """Return the row of the block that a choice belongs to, -1 if there is none."""
    for row in range(blocks.shape[0]):
        base = blocks[row, BASE]
        if blocks[row, PHASE] == phase and base <= choice < base + blocks[row, SIZE]:
            return row
    return -1


@inline_kernel
def lost_part(blocks: I64_2D, phase: int, choice: int, other: int) -> int:
    """Return the value of a part of a choice that no part of another choice has, -1 if there is none."""
    row = block_of(blocks, phase, choice)
    if row < 0 or row != block_of(blocks, phase, other):
        return -1
    for part in range(blocks[row, PARTS]):
        value, kept = value_of(blocks, row, choice, part), False
        for place in range(blocks[row, PARTS]):
            kept |= value_of(blocks, row, other, place) == value
        if not kept:
            return value
    return -1


@inline_kernel
def position_mended(scratch: Scratch, blocks: I64_2D, player: int, phase: int, choice: int, value: int) -> int:
    """Return the position of a legal choice of which one part has a value, and the others what a choice has; or -1."""
    row = block_of(blocks, phase, choice)
    if row >= 0 and value >= 0:
        for part in range(blocks[row, PARTS]):
            found = position_with(scratch, blocks, player, row, choice, part, value)
            if found >= 0:
                return found
    return -1


@inline_kernel
def stride_of(blocks: I64_2D, row: int, part: int) -> int:
    """Return by how much a number grows when a part of it grows by one."""
    stride = 1
    for later in range(part + 1, blocks[row, PARTS]):
        stride *= blocks[row, BLOCK_FIELDS + later]
    return int(stride)


@inline_kernel
def value_of(blocks: I64_2D, row: int, number: int, part: int) -> int:
    """Return the value of a part of a number."""
    return int((number - blocks[row, BASE]) // stride_of(blocks, row, part) % blocks[row, BLOCK_FIELDS + part])
