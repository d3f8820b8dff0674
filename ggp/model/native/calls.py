"""Calls of a game's native functions by address, from kernels and from plain Python alike.

World states and other buffers are given as an array of 64-bit elements and the index where the buffer begins.
Signatures and meanings of the functions: docs/architecture.md, "Native functions".
"""

from __future__ import annotations

import ctypes
from typing import Any

from llvmlite import ir
from numba import types

from ggp.model.native.held_values import address_of_elements
from ggp.model.native.interface import SAME_FOR_ALL
from ggp.model.native.jit import F64, I64, U64, inline_kernel
from ggp.model.native.kernel_parts import register_lowering

WORD = ir.IntType(64)


def pointer(array: I64 | U64 | F64, at: int) -> int:
    """Return the address of element `at` of an array of 64-bit elements."""
    return int(array.ctypes.data) + 8 * at


def call_function(function: int, words: tuple[int, ...]) -> int:
    """Call the function at an address with integers and pointers, and return its integer."""
    return int(ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(words))(function)(*words))


def call_procedure(function: int, words: tuple[int, ...]) -> None:
    """Call a function at an address that returns nothing."""
    ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * len(words))(function)(*words)


# --- the same three inside kernels ------------------------------------------------------------------------------------


def _lower_pointer(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    data = address_of_elements(context, builder, signature.args[0], values[0])
    return builder.ptrtoint(builder.gep(data, [_word(context, builder, values[1], signature.args[1])]), WORD)


def _lower_function(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return _lower_call(context, builder, signature, values, WORD)


def _lower_procedure(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    _lower_call(context, builder, signature, values, ir.VoidType())
    return context.get_dummy_value()


def _lower_call(context: Any, builder: Any, signature: Any, values: Any, returns: Any) -> Any:
    function, given = signature.args
    words = [
        _word(context, builder, builder.extract_value(values[1], position), kind) for position, kind in enumerate(given)
    ]
    address = _word(context, builder, values[0], function)
    kind = ir.FunctionType(returns, [WORD] * len(words))
    return builder.call(builder.inttoptr(address, kind.as_pointer()), words)


def _word(context: Any, builder: Any, value: Any, kind: Any) -> Any:
    return context.cast(builder, value, kind, types.int64)


register_lowering(pointer, lambda array, at: types.int64, _lower_pointer, types.Array, types.Integer)  # noqa: ARG005
CALL = types.Integer, types.BaseTuple
register_lowering(call_function, lambda function, words: types.int64, _lower_function, *CALL)  # noqa: ARG005
register_lowering(call_procedure, lambda function, words: types.void, _lower_procedure, *CALL)  # noqa: ARG005


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
