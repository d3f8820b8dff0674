"""Calls of a game's native functions by address, from kernels and from plain Python alike.

World states and other buffers are given as an array of 64-bit elements and the index where the buffer begins.
Signatures and meanings of the functions: docs/architecture.md, "Native functions".
"""

from __future__ import annotations

from ggp.codegen.kernels import F64, I64, U64, bit_length, call_function, call_procedure, inline_kernel, pointer
from ggp.native.interface import SAME_FOR_ALL

# --- the native functions ---------------------------------------------------------------------------------------------


@inline_kernel
def call_init(function: int, states: I64, at: int) -> None:
    """Write the initial state."""
    call_procedure(function, (pointer(states, at),))


@inline_kernel
def call_actors(function: int, states: I64, at: int) -> int:
    """Return -1 in a terminal state, 0 where chance acts, else a bit mask of the players who act."""
    return call_function(function, (pointer(states, at),))


@inline_kernel
def mover_of(actors: int) -> int:
    """Return the first player in a mask of those who act."""
    return bit_length(actors & -actors) - 1


@inline_kernel
def call_legal(function: int, states: I64, at: int, player: int, out: I64, out_at: int) -> int:
    """Write a player's legal actions in ascending order and return how many."""
    return call_function(function, (pointer(states, at), player, pointer(out, out_at)))


@inline_kernel
def call_chance(function: int, states: I64, at: int, out: I64, out_at: int, probability: F64, first: int) -> int:
    """Write the chance outcomes in ascending order, their probabilities from `first` on, and return how many."""
    return call_function(function, (pointer(states, at), pointer(out, out_at), pointer(probability, first)))


@inline_kernel
def call_sample_chance(function: int, states: I64, at: int, rng: U64, rng_at: int) -> int:
    """Draw a chance outcome."""
    return call_function(function, (pointer(states, at), pointer(rng, rng_at)))


@inline_kernel
def call_outcome_probability(function: int, states: I64, at: int, outcome: int, out: F64, out_at: int) -> int:
    """Write the probability of an outcome, any number, and return 1 if it is possible, else 0; -1: `chance` says it."""
    return call_function(function, (pointer(states, at), outcome, pointer(out, out_at)))


@inline_kernel
def call_step(function: int, old: I64, old_at: int, new: I64, new_at: int, joint: I64, joint_at: int) -> None:
    """Write the state that follows `old`; old and new must not overlap."""
    call_procedure(function, (pointer(old, old_at), pointer(new, new_at), pointer(joint, joint_at)))


@inline_kernel
def call_observe(
    function: int,
    old: I64,
    old_at: int,
    new: I64,
    new_at: int,
    joint: I64,
    joint_at: int,
    player: int,
    out: I64,
    out_at: int,
) -> int:
    """Write the words of a player's observation of a transition and return how many; 0 is nothing."""
    count = call_observe_for_all(function, old, old_at, new, new_at, joint, joint_at, player, out, out_at)
    return count - SAME_FOR_ALL if count >= SAME_FOR_ALL else count


@inline_kernel
def call_observe_for_all(
    function: int,
    old: I64,
    old_at: int,
    new: I64,
    new_at: int,
    joint: I64,
    joint_at: int,
    player: int,
    out: I64,
    out_at: int,
) -> int:
    """Do what `call_observe` does; to its result, SAME_FOR_ALL is added where the others are told the same words."""
    transition = pointer(old, old_at), pointer(new, new_at), pointer(joint, joint_at)
    return call_function(function, (transition[0], transition[1], transition[2], player, pointer(out, out_at)))


@inline_kernel
def call_utility(function: int, states: I64, at: int, out: F64, out_at: int) -> int:
    """Write the utilities of a terminal state and return 0; of a state with a fault zeros, and minus the fault."""
    return call_function(function, (pointer(states, at), pointer(out, out_at)))


@inline_kernel
def call_estimate(function: int, states: I64, at: int, out: F64, out_at: int) -> int:
    """Write the heuristic evaluation of a non-terminal state and return 0; of a fault zeros, and minus the fault."""
    return call_function(function, (pointer(states, at), pointer(out, out_at)))


@inline_kernel
def call_playout(function: int, states: I64, at: int, rng: U64, rng_at: int, out: F64, out_at: int, limit: int) -> int:
    """Play at random to the end, write the utilities, and return the transitions made, or -1 if `limit` stopped it."""
    return call_function(function, (pointer(states, at), pointer(rng, rng_at), pointer(out, out_at), limit))
