"""The memory of a *-Minimax search: the path from the root to the current state, with a frame for each state.

The search is a loop over this stack without recursion, so it can stop after any number of states to read a clock, and
continue later.

Dimensions: D frames, W words of a world state, Q entries of the pool.

All values are utilities of the first player, scaled to [0, 1]. A value is known as an interval that contains it; if
both ends agree, it is exact. A frame's fields, in `frames`:

    KIND     MAX, MIN or CHANCE
    DEPTH    decisions that are still looked ahead
    PROBE    1 where only one action is to be searched
    CHAIN    chance nodes in a row that led here
    COUNT    actions, or outcomes
    CHILD    which of them is searched, in the order of the search
    STAGE    PROBING or SEARCHING
    BEST     the action that is best so far
    PREFER   the action that is searched first
    POOL     where its actions or outcomes begin in the pool
    KEY      hash of the state
    KNOWN    position of an action that a probe has searched, NO_PLACE if it has searched none, or NOT_ENTERED
    PLACE    position of the action that is searched now
    PASS     how it is searched: FULL, NARROW (only whether it is better than the best so far) or SHALLOW (as NARROW,
             and less deep); what does not fail low is searched again, SHALLOW by NARROW, NARROW by FULL
    SCORED   NOT_SCORED, SCORES_WRITTEN or GOOD: whether all actions have scores, by which they are ordered
    TAKEN    how many actions were taken by their scores
    BEFORE   states valued at a horizon when it was entered, or NEVER: none more since then means that all was seen
and in `numbers`:
    ALPHA, BETA  the window: values below or above it need not be known exactly
    LOW, HIGH    the interval that is known so far
    KNOWN_LOW, KNOWN_HIGH  the interval that the probe has found of its action
    STANDING     the state's own estimate, where children may be estimated
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ggp.codegen.kernels import F64, I32, I64, U64, allocated, inline_kernel
from ggp.native.interface import GameShape

MAX, MIN, CHANCE = 1, 2, 3
PROBING, SEARCHING = 0, 1
KIND, DEPTH, PROBE, CHAIN, COUNT, CHILD, STAGE, BEST, PREFER, POOL, KEY, KNOWN = range(12)
PLACE, PASS, SCORED, TAKEN, BEFORE, FIELDS = range(12, 18)
NEVER = -1
"""In BEFORE: not known, since a probe has searched a part."""
FULL, NARROW, SHALLOW = 0, 1, 2
ALPHA, BETA, LOW, HIGH, KNOWN_LOW, KNOWN_HIGH, STANDING, NUMBERS = range(8)
NOT_SCORED, SCORES_WRITTEN, GOOD = 0, 1, 2
"""Of a decision: no action has a score; all have; the preferred action needs none, since it is known to be good."""
NO_PLACE, NOT_ENTERED = -1, -2
GAINS, GAINED, DEVIATIONS, SWING = range(4)
TOP, STATUS, VISITED, LEAVES, BEYOND, SEARCHED, PROBED, CURSOR = range(8)
RESULT_LOW, RESULT_HIGH, PROBED_LOW, PROBED_HIGH, RESULTS = range(5)
ENTER, CHOOSE, RETURN, DONE = range(4)
"""The next step of the top frame: evaluate its state, search its next child, or return its result."""
MAX_FRAMES = 256
MAX_CHAIN = 32
"""Consecutive chance nodes after which a state is estimated: there may be no further decision."""
MAX_POOL = 1 << 22
SLOTS = 1 << 12
"""Of the history of a player's actions; actions of numbers that are this far apart share one."""


class Stack(NamedTuple):
    """The memory of a search; see the module's text for the fields."""

    states: Annotated[I64, "D * W"]
    frames: Annotated[I64, "D, FIELDS"]
    numbers: Annotated[F64, "D, NUMBERS"]
    labels: Annotated[I64, "Q"]  # actions and outcomes
    probability: Annotated[F64, "Q"]
    low: Annotated[F64, "Q"]  # the interval that is known of an outcome's value
    high: Annotated[F64, "Q"]
    probed: Annotated[I64, "Q"]  # position of the action that a probe has searched behind an outcome, NO_PLACE or
    #     NOT_ENTERED, and
    probed_low: Annotated[F64, "Q"]  # the interval that is known of that action's value
    probed_high: Annotated[F64, "Q"]
    sort: Annotated[I32, "Q"]  # of actions up to SORTED_DEPTH, see `gains.py`
    score: Annotated[F64, "Q"]  # of actions that were not searched yet; SEARCHED_SCORE of the others
    history: Annotated[F64, "2 * SLOTS, 2"]  # by player and action: squared depths at which it cut, and at which it was
    #     searched
    killers: Annotated[I64, "D, 2"]  # actions that have cut lately, by frame
    swing: Annotated[F64, "SWING"]  # of states at the horizon: the sum of how far their estimates are from those
    #     before, and how many
    result: Annotated[F64, "RESULTS"]  # what the frame above has found
    cursor: Annotated[I64, "CURSOR"]  # top frame; what to do; states visited, and valued as leaves; states beyond the
    #     horizon that were estimated in this iteration; actions of the root that are finished in this iteration; with
    #     the result, the action that was probed, or NO_PLACE
    rng: Annotated[U64, "1"]


def forget_cuts(stack: Stack) -> None:
    """Forget which actions have cut."""
    stack.history[:] = 0.0
    stack.killers[:] = NO_PLACE


def new_stack(shape: GameShape, outcomes: int) -> Stack:
    """Return a stack; `outcomes` is the largest number of outcomes of a chance node."""
    widest = max(shape.max_actions, outcomes)
    stack = allocated(Stack, D=MAX_FRAMES, W=shape.state_words, Q=min(MAX_POOL, MAX_FRAMES * widest) + widest)
    stack.rng[0] = 1
    forget_cuts(stack)
    return stack


@inline_kernel
def push(stack: Stack, depth: int, alpha: float, beta: float, probe: int, chain: int) -> None:
    """Push a frame for a state that has been written there."""
    top = stack.cursor[TOP] + 1
    stack.cursor[TOP] = top
    stack.frames[top, DEPTH] = depth
    stack.frames[top, PROBE] = probe
    stack.frames[top, CHAIN] = chain
    stack.frames[top, KNOWN] = NOT_ENTERED
    stack.frames[top, PASS] = FULL
    stack.numbers[top, ALPHA] = alpha
    stack.numbers[top, BETA] = beta
    stack.cursor[STATUS] = ENTER


@inline_kernel
def give(stack: Stack, low: float, high: float) -> None:
    """Finish the top frame with a result."""
    stack.result[RESULT_LOW] = low
    stack.result[RESULT_HIGH] = high
    stack.cursor[PROBED] = NO_PLACE
    stack.cursor[STATUS] = RETURN


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
def next_place(stack: Stack, frame: int) -> int:
    """Return the position of the action that comes next in the order of the rules: the preferred one first."""
    child, prefer = stack.frames[frame, CHILD], stack.frames[frame, PREFER]
    if child == 0:
        return int(prefer)
    return int(child - 1 if child <= prefer else child)
