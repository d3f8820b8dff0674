"""The memory of a *-Minimax search: the path from the root to the current state, with a frame for each state.

The search is a loop over this stack without recursion, so it can stop after any number of states to read a clock, and
continue later.

Dimensions: D frames, W words of a world state, Q entries of the pool.

All values are utilities of the first player, scaled to [0, 1]. A value is known as an interval that contains it; if
both ends agree, it is exact.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from ggp.codegen.kernels import F64, I32, I64, U64, allocated, inline_kernel
from ggp.native.interface import GameShape

MAX, MIN, CHANCE = 1, 2, 3
PROBING, SEARCHING = 0, 1
NEVER = -1
"""In `before`: not known, since a probe has searched a part."""
FULL, NARROW, SHALLOW = 0, 1, 2
NOT_SCORED, SCORES_WRITTEN, GOOD = 0, 1, 2
"""Of a decision: no action has a score; all have; the preferred action needs none, since it is known to be good."""
NO_PLACE, NOT_ENTERED = -1, -2
GAINS, GAINED, DEVIATIONS, SWING = range(4)
ENTER, CHOOSE, RETURN, DONE = range(4)
"""The next step of the top frame: evaluate its state, search its next child, or return its result."""
MAX_FRAMES = 256
MAX_CHAIN = 32
"""Consecutive chance nodes after which a state is estimated: there may be no further decision."""
MAX_POOL = 1 << 22
SLOTS = 1 << 12
"""Of the history of a player's actions; actions of numbers that are this far apart share one."""


class Frames(NamedTuple):
    """What is known of each state on the path."""

    kind: Annotated[I64, "D"]  # MAX, MIN or CHANCE
    depth: Annotated[I64, "D"]  # decisions that are still looked ahead
    probe: Annotated[I64, "D"]  # 1 where only one action is to be searched
    chain: Annotated[I64, "D"]  # chance nodes in a row that led here
    children: Annotated[I64, "D"]  # actions, or outcomes
    child: Annotated[I64, "D"]  # which of them is searched, in the order of the search
    stage: Annotated[I64, "D"]  # PROBING or SEARCHING
    best: Annotated[I64, "D"]  # the action that is best so far
    prefer: Annotated[I64, "D"]  # the action that is searched first
    pool: Annotated[I64, "D"]  # where its actions or outcomes begin in the pool
    key: Annotated[I64, "D"]  # hash of the state
    known: Annotated[I64, "D"]  # position of an action that a probe has searched, NO_PLACE if it has searched none, or
    #     NOT_ENTERED
    place: Annotated[I64, "D"]  # position of the action that is searched now
    way: Annotated[I64, "D"]  # how it is searched: FULL, NARROW (only whether it is better than the best so far) or
    #     SHALLOW (as NARROW, and less deep); what does not fail low is searched again, SHALLOW by NARROW, that by FULL
    scored: Annotated[I64, "D"]  # NOT_SCORED, SCORES_WRITTEN or GOOD: whether all actions have scores, by which they
    #     are ordered
    taken: Annotated[I64, "D"]  # how many actions were taken by their scores
    before: Annotated[I64, "D"]  # states valued at a horizon when it was entered, or NEVER: none more since then means
    #     that all was seen
    alpha: Annotated[F64, "D"]  # the window: values below or above it need not be known exactly
    beta: Annotated[F64, "D"]
    low: Annotated[F64, "D"]  # the interval that is known so far
    high: Annotated[F64, "D"]
    known_low: Annotated[F64, "D"]  # the interval that the probe has found of its action
    known_high: Annotated[F64, "D"]
    standing: Annotated[F64, "D"]  # the state's own estimate, where children may be estimated


class Stack(NamedTuple):
    """The memory of a search."""

    frames: Frames
    states: Annotated[I64, "D * W"]
    labels: Annotated[I64, "Q"]  # actions and outcomes
    probability: Annotated[F64, "Q"]
    low: Annotated[F64, "Q"]  # the interval that is known of an outcome's value
    high: Annotated[F64, "Q"]
    probed: Annotated[I64, "Q"]  # position of the action that a probe has searched behind an outcome, NO_PLACE or
    #     NOT_ENTERED, and
    probed_low: Annotated[F64, "Q"]  # the interval that is known of that action's value
    probed_high: Annotated[F64, "Q"]
    sort: Annotated[I32, "Q"]  # of actions up to SORTED_DEPTH, see `gains.py`
    score: Annotated[F64, "Q"]  # of actions that were not searched yet; DONE_SCORE of the others
    history: Annotated[F64, "2 * SLOTS, 2"]  # by player and action: squared depths at which it cut, and at which it was
    #     searched
    killers: Annotated[I64, "D, 2"]  # actions that have cut lately, by frame
    swing: Annotated[F64, "SWING"]  # of states at the horizon: the sum of how far their estimates are from those
    #     before, and how many
    top: Annotated[I64, "1"]  # frame
    status: Annotated[I64, "1"]  # what to do
    visited: Annotated[I64, "1"]  # states
    leaves: Annotated[I64, "1"]  # states valued as leaves
    beyond: Annotated[I64, "1"]  # states beyond the horizon that were estimated in this iteration
    searched: Annotated[I64, "1"]  # actions of the root that are finished in this iteration
    result_low: Annotated[F64, "1"]  # the interval that the frame above has found, and
    result_high: Annotated[F64, "1"]
    probed_action: Annotated[I64, "1"]  # the action that was probed, or NO_PLACE, and
    action_low: Annotated[F64, "1"]  # the interval that is known of its value
    action_high: Annotated[F64, "1"]
    rng: Annotated[U64, "1"]


def forget_cuts(stack: Stack) -> None:
    """Forget which actions have cut."""
    stack.history[:] = 0.0
    stack.killers[:] = NO_PLACE


def new_stack(shape: GameShape, outcomes: int) -> Stack:
    """Return a stack; `outcomes` is the largest number of outcomes of a chance node."""
    widest = max(shape.max_actions, outcomes)
    frames, pool = allocated(Frames, D=MAX_FRAMES), min(MAX_POOL, MAX_FRAMES * widest) + widest
    stack = allocated(Stack, frames=frames, D=MAX_FRAMES, W=shape.state_words, Q=pool)
    stack.rng[0] = 1
    forget_cuts(stack)
    return stack


@inline_kernel
def push(stack: Stack, depth: int, alpha: float, beta: float, probe: int, chain: int) -> None:
    """Push a frame for a state that has been written there."""
    top = stack.top[0] + 1
    stack.top[0] = top
    stack.frames.depth[top] = depth
    stack.frames.probe[top] = probe
    stack.frames.chain[top] = chain
    stack.frames.known[top] = NOT_ENTERED
    stack.frames.way[top] = FULL
    stack.frames.alpha[top] = alpha
    stack.frames.beta[top] = beta
    stack.status[0] = ENTER


@inline_kernel
def give(stack: Stack, low: float, high: float) -> None:
    """Finish the top frame with a result."""
    stack.result_low[0] = low
    stack.result_high[0] = high
    stack.probed_action[0] = NO_PLACE
    stack.status[0] = RETURN


@inline_kernel
def list_actions(stack: Stack, player: int, first: int, count: int, prefer: int, known: int) -> None:
    """Make the top frame a decision with actions in the pool; `known`: whether the preferred one is good."""
    frames, top = stack.frames, stack.top[0]
    frames.kind[top] = MAX if player == 0 else MIN
    frames.pool[top] = first
    frames.children[top] = count
    frames.child[top] = 0
    frames.prefer[top] = frames.best[top] = frames.place[top] = prefer
    frames.scored[top] = GOOD if known else NOT_SCORED
    frames.stage[top] = SEARCHING
    stack.status[0] = CHOOSE


@inline_kernel
def next_place(stack: Stack, frame: int) -> int:
    """Return the position of the action that comes next in the order of the rules: the preferred one first."""
    child, prefer = stack.frames.child[frame], stack.frames.prefer[frame]
    if child == 0:
        return int(prefer)
    return int(child - 1 if child <= prefer else child)
