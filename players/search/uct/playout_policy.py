"""Playouts that choose by what is around an action's cell, and by whether the last transition changed something there.

The probability of an action is proportional to the exponential of a sum of two weights: one for the owners of the eight
cells around its cell, one for all that is in the four cells beside it. Both are others where the last transition
changed one of these cells: so a playout answers the last action, which makes it a sequence that makes sense. Patterns
are kept from transition to transition: a cell that changes costs eight additions, and looking at an action two reads.

Dimensions: P players, N actions, C cells of the board, K sets of cells, A legal actions at most.

Source: Gelly, Wang, Munos, Teytaud 2006 (patterns beside the last move); Coulom 2007 (a distribution over all actions,
a product of the strengths of patterns, here in rings and crosses).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import NamedTuple

import numpy as np

from ggp.codegen.kernels import F32, F64, I32, I64, bit_length, inline_kernel
from ggp.native.calls import call_actors, call_legal, call_step, mover_of
from ggp.native.interface import CHANCE, NativeGame
from ggp.native.rng_kernels import drawn_place
from players.search.foundation.kernel_arguments import Model, Work
from players.search.foundation.leaf_values import random_transition

DIRECTIONS, RING_BITS, CROSS_BITS = 8, 2, 3
"""Directions are numbered as those of the rules are, clockwise; those beside have even numbers."""
RINGS, CROSSES = 1 << 16, 1 << 12
TABLE = RINGS + CROSSES
"""Weights of one player in one context."""
OUTSIDE_RING, OUTSIDE_CROSS = 3, 7
MAX_PLANES = 6
LAST_BIT = 63
OUTSIDE = -1
BITS = 64
ONE = np.int64(1)


class Policy(NamedTuple):
    """What playouts choose by, and what they keep of a state; C stands for the cell of actions that have none."""

    cells: I32  # [N] the cell of each action
    planes: I64  # [K] the first word of each set of cells
    neighbours: I32  # [C * DIRECTIONS] cells, or OUTSIDE
    owners: I32  # [2^K] by the sets that a cell is in: what rings tell
    contents: I32  # [2^K] what crosses tell
    empty: I32  # [2 * (C + 1)] rings, and crosses, of an empty board
    weights: F32  # [P * 2 * TABLE] of a player where nothing changed, and where something did: rings, then crosses
    inside: I32  # [C] the sets that each cell is in, bit by bit
    rings: I32  # [C + 1]
    crosses: I32  # [C + 1]
    changed: I64  # [C + 1] when something last changed around it
    time: I64  # [1]
    sums: F64  # [A]


def _no_policy() -> Policy:
    words, narrow = np.zeros(0, np.int64), np.zeros(0, np.int32)
    given = (narrow, words, narrow, narrow, narrow, narrow, np.zeros(0, np.float32))
    return Policy(*given, narrow, narrow, narrow, words, words, np.zeros(0))


NO_POLICY = _no_policy()
"""All actions are as probable."""


def fresh(policy: Policy) -> Policy:
    """Return a policy with scratch memory of its own, for another thread."""
    scratch = ("inside", "rings", "crosses", "changed", "time", "sums")
    return policy._replace(**{name: np.zeros_like(getattr(policy, name)) for name in scratch})


@dataclass(frozen=True, slots=True)
class GuidedGame(NativeGame):
    """A compiled game with a policy for playouts, for searches that have an option for one."""

    policy: Policy = field(default=NO_POLICY, repr=False, compare=False)


def guided_game(native: NativeGame, policy: Policy) -> GuidedGame:
    """Return a compiled game with a policy."""
    return GuidedGame(**{one.name: getattr(native, one.name) for one in fields(native)}, policy=policy)


@inline_kernel
def toggle(policy: Policy, cell: int, plane: int) -> None:
    """Put a cell into a set, or take it out."""
    old = policy.inside[cell]
    new = old ^ (1 << plane)
    policy.inside[cell] = new
    owner = policy.owners[old] ^ policy.owners[new]
    content = policy.contents[old] ^ policy.contents[new]
    for direction in range(DIRECTIONS):
        near = policy.neighbours[DIRECTIONS * cell + direction]
        if near != OUTSIDE:
            seen = (direction + 4) & 7
            policy.rings[near] ^= owner << (RING_BITS * seen)
            if seen & 1 == 0:
                policy.crosses[near] ^= content << (CROSS_BITS * (seen >> 1))
            policy.changed[near] = policy.time[0]


@inline_kernel
def toggle_bits(policy: Policy, plane: int, first: int, bits: int) -> None:
    """Toggle the cells of some bits of a word."""
    while bits != 0:
        place = LAST_BIT if bits < 0 else bit_length(bits) - 1
        bits = int(bits ^ ONE << np.int64(place))
        toggle(policy, first + place, plane)


@inline_kernel
def begin(policy: Policy, before: I64, at: int, after: I64, to: int) -> None:
    """Look at a state anew, and at what the transition to it from the state before has changed."""
    cells = policy.inside.size
    policy.time[0] += 1
    for cell in range(cells):
        policy.inside[cell] = 0
    for cell in range(cells + 1):
        policy.rings[cell] = policy.empty[cell]
        policy.crosses[cell] = policy.empty[cells + 1 + cell]
    words = (cells + BITS - 1) // BITS
    for plane in range(policy.planes.size):
        for word in range(words):
            toggle_bits(policy, plane, BITS * word, before[at + policy.planes[plane] + word])
    follow(policy, before, at, after, to)


@inline_kernel
def follow(policy: Policy, before: I64, at: int, after: I64, to: int) -> None:
    """Look at what a transition changed; where it changed nothing, actions without a cell are what answers it."""
    cells = policy.inside.size
    words = (cells + BITS - 1) // BITS
    policy.time[0] += 1
    some = 0
    for plane in range(policy.planes.size):
        for word in range(words):
            place = policy.planes[plane] + word
            bits = before[at + place] ^ after[to + place]
            some |= bits
            toggle_bits(policy, plane, BITS * word, bits)
    if some == 0:
        policy.changed[cells] = policy.time[0]


@inline_kernel
def strength(policy: Policy, player: int, action: int) -> np.float32:
    """Return to what the probability of an action is proportional."""
    cell = policy.cells[action]
    base = 2 * player * TABLE
    if policy.changed[cell] == policy.time[0]:
        base += TABLE
    return np.float32(policy.weights[base + policy.rings[cell]] * policy.weights[base + RINGS + policy.crosses[cell]])


@inline_kernel
def choose(model: Model, policy: Policy, work: Work, at: int, player: int) -> int:
    """Draw an action of a player by the policy into `work.joint`, if there is one; leave the sums of strengths.

    Returns:
        The number of legal actions.
    """
    count = call_legal(model.functions.legal, work.states, at, player, work.actions, 0)
    total = 0.0
    for place in range(count):
        total += float(strength(policy, player, int(work.actions[place])))
        policy.sums[place] = total
    if count > 0:
        work.joint[player] = work.actions[drawn_place(work.rng, 0, policy.sums, count)]
    return count


@inline_kernel
def go_on(model: Model, policy: Policy, work: Work, at: int, to: int) -> None:
    """Write the state after what `work.joint` says, and look at what it changed."""
    call_step(model.functions.step, work.states, at, work.states, to, work.joint, 0)
    follow(policy, work.states, at, work.states, to)


@inline_kernel
def guided_transition(model: Model, policy: Policy, work: Work, at: int, to: int) -> bool:
    """Write the state after an action drawn by the policy, or after a draw of chance, and look at what it changed.

    Returns:
        False if the rules give no actions or outcomes; then nothing is written.
    """
    actors = call_actors(model.functions.actors, work.states, at)
    if actors == CHANCE:
        if not random_transition(model, work, at, to):
            return False
        follow(policy, work.states, at, work.states, to)
        return True
    if choose(model, policy, work, at, mover_of(actors)) < 1:
        return False
    go_on(model, policy, work, at, to)
    return True
