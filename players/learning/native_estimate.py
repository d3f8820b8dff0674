"""A learned evaluation as the native function `estimate` of its game, which every search calls by address."""

from __future__ import annotations

import ctypes
from dataclasses import replace

from ggp.codegen.kernels.arguments import Arguments
from ggp.codegen.kernels.call_graph import description
from ggp.codegen.kernels.types import ELEMENTS, Array, Scalar, Struct, Type, type_of_annotation
from ggp.codegen.object_files import load_code
from ggp.native.interface import NativeGame
from players.learning.differences import Kept, evaluate_near, in_grains, new_kept
from players.learning.evaluation import Evaluation, evaluate

FOLDER = "estimates"
"""Of the cache."""
NAME, CONTEXT, KEPT = "estimate", "context", "kept"
LENGTHS = "words", "players", "tuples"
ENTRY = """
@context = global ptr null
@kept = global ptr null
@words = global i64 0
@players = global i64 0
@tuples = global i64 0
@busy = global i64 0
define i64 @estimate(ptr %state, ptr %out) nounwind {{
  %words = load i64, ptr @words
  %players = load i64, ptr @players
  %tuples = load i64, ptr @tuples
  %other = atomicrmw xchg ptr @busy, i64 1 acquire
  %free = icmp eq i64 %other, 0
  br i1 %free, label %near, label %whole
near:
  %near_values = alloca [{values} x double], align 64
  %near_e = load ptr, ptr @context
  %near_kept = load ptr, ptr @kept
  %near_found = call i64 @{near}(ptr %near_e, ptr %near_kept, ptr %state, i64 %words, ptr %near_values, i64 {values}, ptr %out, i64 %players)
  store atomic i64 0, ptr @busy release, align 8
  ret i64 %near_found
whole:
  %index = alloca i32, i64 %tuples, align 64
  %hidden = alloca [{hidden} x float], align 64
  %values = alloca [{values} x double], align 64
  %e = load ptr, ptr @context
  %found = call i64 @{whole}(ptr %e, ptr %state, i64 %words, i64 0, ptr %index, i64 %tuples, ptr %hidden, i64 {hidden}, ptr %values, i64 {values}, ptr %out, i64 %players)
  ret i64 %found
}}
"""  # noqa: E501 - one instruction
"""Several threads may call the function: one at a time reads a state by what differs from the one that is kept, the
others as a whole, with scratch memory on the stack. How many values there are and how many hidden units is known when
it is compiled, which pays; the other lengths are given to it, so most games share one machine code."""


def types_of_arguments() -> tuple[Type, ...]:
    """Return the types of `evaluate`'s arguments."""
    rows = [Array(ELEMENTS[name], 1) for name in ("int64", "int32", "float32", "float64", "float64")]
    return _struct(Evaluation), rows[0], Scalar.INT, *rows[1:]


def with_estimate(native: NativeGame, evaluation: Evaluation) -> NativeGame:
    """Return a compiled game whose `estimate` is a learned evaluation, as it is now."""
    evaluation = in_grains(evaluation)
    types = types_of_arguments()
    near_types = (types[0], _struct(Kept), types[1], *types[-2:])
    words = native.shape.state_words
    sizes = {"values": evaluation.scale.shape[0], "hidden": evaluation.hidden_units}

    def compiled() -> bytes:
        from ggp.codegen.kernels.modules import ModuleCompiler
        from ggp.codegen.machine_code import object_code

        module = ModuleCompiler(False)
        whole, near = module.instance(evaluate.py_func, types), module.instance(evaluate_near.py_func, near_types)
        return object_code(module.finished(ENTRY.format(whole=whole, near=near, **sizes)), True)

    sources = description(evaluate.py_func, types, False) + description(evaluate_near.py_func, near_types, False)
    names = NAME, CONTEXT, KEPT, *LENGTHS
    code, _ = load_code(FOLDER, repr(sizes).encode() + ENTRY.encode() + sources, names, compiled)
    for name, length in zip(LENGTHS, (words, native.shape.players, evaluation.base.size), strict=True):
        ctypes.c_int64.from_address(code.addresses[name]).value = length
    owners: list[object] = [native.owner, code]
    for name, type_, value in ((CONTEXT, types[0], evaluation), (KEPT, near_types[1], new_kept(evaluation, words))):
        block = ctypes.create_string_buffer(Arguments((name,), (type_,)).packed((value,)))
        ctypes.c_void_p.from_address(code.addresses[name]).value = ctypes.addressof(block)
        owners += [value, block]
    return replace(native, functions=native.functions._replace(estimate=code.addresses[NAME]), owner=tuple(owners))


def _struct(of: type) -> Struct:
    found = type_of_annotation(of)
    assert isinstance(found, Struct)
    return found
