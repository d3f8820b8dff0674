"""Counts plays by their length ("perft"): the usual test of move generators against published numbers.

P players, W state words, A legal actions at most, C chance outcomes at most, D the depth counted to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F64, I64, I64_2D, I64_3D, kernel
from ggp.native.calls import call_actors, call_chance, call_init, call_legal, call_step
from ggp.native.interface import GameShape, NativeFunctions, NativeGame

SLICE = 200_000
"""States visited between two reports of progress."""


class Walk(NamedTuple):
    """A depth-first walk through all plays; it can be paused after any state."""

    states: I64_2D  # [D + 1, W] the state at each level
    legal: I64_3D  # [D, P, A] legal actions of each player there
    outcomes: I64_2D  # [D, C] chance outcomes there
    probability: F64  # [C] overwritten
    acting: I64  # [D] as `actors` gives it
    counts: I64_2D  # [D, P + 1] how many choices each player has, at least 1, and chance
    at: I64_2D  # [D, P + 1] which of them comes next; -1 at chance: the state has not been looked at
    joint: I64  # [P + 1]
    level: I64  # [1] the level to go on at; -1: all is counted
    nodes: I64  # [D] plays of 1, 2, ... D transitions
    faults: I64  # [1] states in which the rules fail


@kernel
def _look(functions: NativeFunctions, shape: GameShape, walk: Walk, level: int) -> int:
    """List the actions or outcomes of the state at a level, and return the number of transitions."""
    players, counts = shape.players, walk.counts[level]
    acting = call_actors(functions.actors, walk.states[level], 0)
    walk.acting[level] = acting
    if acting < 0:
        walk.faults[0] += walk.states[level, 1] != 0
        return 0
    counts[:] = 1
    walk.at[level] = 0
    if acting == 0:
        count = call_chance(functions.chance, walk.states[level], 0, walk.outcomes[level], 0, walk.probability, 0)
        counts[players] = count
    total = 1
    for player in range(players):
        if acting > 0 and acting >> player & 1:
            counts[player] = call_legal(functions.legal, walk.states[level], 0, player, walk.legal[level, player], 0)
    for who in range(players + 1):
        if counts[who] <= 0:
            walk.faults[0] += 1
            return 0
        total *= counts[who]
    return total


@kernel
def _next_joint(shape: GameShape, walk: Walk, level: int) -> bool:
    """Write the next joint action or outcome of a level; return whether there is one."""
    players, counts, at = shape.players, walk.counts[level], walk.at[level]
    if at[0] >= counts[0]:
        return False
    for player in range(players):
        acts = walk.acting[level] > 0 and walk.acting[level] >> player & 1 == 1
        walk.joint[player] = walk.legal[level, player, at[player]] if acts else 0
    walk.joint[players] = walk.outcomes[level, at[players]] if walk.acting[level] == 0 else 0
    # the last index changes fastest, as in an odometer
    who = players
    at[who] += 1
    while who > 0 and at[who] == counts[who]:
        at[who] = 0
        who -= 1
        at[who] += 1
    return True


@kernel
def count_on(functions: NativeFunctions, shape: GameShape, walk: Walk, states: int) -> None:
    """Continue a walk until `states` states have been visited or all plays are counted.

    Args:
        functions: of the game.
        shape: its sizes.
        walk: changed.
        states: how many to visit, at least.
    """
    depth, players, level = walk.nodes.shape[0], shape.players, walk.level[0]
    while level >= 0 and states > 0:
        if walk.at[level, players] < 0:
            states -= 1
            transitions = _look(functions, shape, walk, level)
            walk.nodes[level] += transitions
            if transitions == 0 or level == depth - 1:
                walk.at[level, players] = -1
                level -= 1
                continue
        if _next_joint(shape, walk, level):
            call_step(functions.step, walk.states[level], 0, walk.states[level + 1], 0, walk.joint, 0)
            level += 1
        else:
            walk.at[level, players] = -1
            level -= 1
    walk.level[0] = level


@dataclass(frozen=True, slots=True)
class PlayCount:
    """Counts so far.

    Attributes:
        nodes: plays of 1, 2, ... transitions, chance outcomes counting as choices.
        faults: states in which the rules failed; no play goes on from them.
        share: share of the first level that is done, from 0 to 1.
    """

    nodes: tuple[int, ...]
    faults: int
    share: float


def count_plays(native: NativeGame, depth: int) -> Iterator[PlayCount]:
    """Count the plays of a game by length, yielding the counts from time to time and at the end.

    Args:
        native: the game.
        depth: transitions of the longest plays counted, at least 1.
    """
    shape, players = native.shape, native.shape.players
    walk = Walk(
        states=np.zeros((depth + 1, shape.state_words), dtype=np.int64),
        legal=np.zeros((depth, players, shape.max_actions), dtype=np.int64),
        outcomes=np.zeros((depth, shape.max_outcomes), dtype=np.int64),
        probability=np.zeros(shape.max_outcomes, dtype=np.float64),
        acting=np.zeros(depth, dtype=np.int64),
        counts=np.ones((depth, players + 1), dtype=np.int64),
        at=np.full((depth, players + 1), -1, dtype=np.int64),
        joint=np.zeros(players + 1, dtype=np.int64),
        level=np.zeros(1, dtype=np.int64),
        nodes=np.zeros(depth, dtype=np.int64),
        faults=np.zeros(1, dtype=np.int64),
    )
    call_init(native.functions.init, walk.states[0], 0)
    while walk.level[0] >= 0:
        count_on(native.functions, shape, walk, SLICE)
        done = 1.0
        if walk.level[0] >= 0:
            done = 0.0
            for at, count in zip(walk.at[0][::-1], walk.counts[0][::-1], strict=True):
                done = (max(int(at), 0) + done) / int(count)
        yield PlayCount(tuple(map(int, walk.nodes)), int(walk.faults[0]), min(done, 1.0))
