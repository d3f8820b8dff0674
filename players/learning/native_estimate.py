"""A learned evaluation as the native function `estimate` of its game, which every search calls by address."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import replace

from ggp.codegen.kernels.arguments import Arguments
from ggp.codegen.kernels.call_graph import description
from ggp.codegen.kernels.types import ELEMENTS, Array, Scalar, Struct, Type, type_of_annotation
from ggp.codegen.object_files import load_code
from ggp.native.interface import NativeGame
from players.learning.evaluation import Evaluation, evaluate

FOLDER = "estimates"
"""Of the cache."""
NAME, CONTEXT = "estimate", "context"
ENTRY = """
@context = global ptr null
define i64 @estimate(ptr %state, ptr %out) nounwind {{
  %index = alloca [{tuples} x i32], align 64
  %hidden = alloca [{hidden} x float], align 64
  %values = alloca [{values} x double], align 64
  %e = load ptr, ptr @context
  %found = call i64 @{instance}(ptr %e, ptr %state, i64 {words}, i64 0, ptr %index, i64 {tuples}, ptr %hidden, i64 {hidden}, ptr %values, i64 {values}, ptr %out, i64 {players})
  ret i64 %found
}}
"""  # noqa: E501 - one instruction
"""Scratch memory is on the stack, since several threads call the function."""


def types_of_arguments() -> tuple[Type, ...]:
    """Return the types of `evaluate`'s arguments."""
    rows = [Array(ELEMENTS[name], 1) for name in ("int64", "int32", "float32", "float64", "float64")]
    evaluation = type_of_annotation(Evaluation)
    assert evaluation is not None
    return evaluation, rows[0], Scalar.INT, *rows[1:]


def with_estimate(native: NativeGame, evaluation: Evaluation) -> NativeGame:
    """Return a compiled game whose `estimate` is a learned evaluation; it keeps the evaluation alive."""
    types = types_of_arguments()
    tuples, values = evaluation.base.size, evaluation.scale.shape[0]
    sizes = {"tuples": tuples, "values": values, "hidden": evaluation.hidden_units}
    sizes |= {"words": native.shape.state_words, "players": native.shape.players}

    def compiled() -> bytes:
        from ggp.codegen.kernels.modules import ModuleCompiler
        from ggp.codegen.machine_code import object_code

        module = ModuleCompiler(False)
        instance = module.instance(evaluate.py_func, types)
        return object_code(module.finished(ENTRY.format(instance=instance, **sizes)), True)

    key = repr(sizes).encode() + description(evaluate.py_func, types, False)
    code, _ = load_code(FOLDER, key, (NAME, CONTEXT), compiled)
    assert isinstance(types[0], Struct)
    block = ctypes.create_string_buffer(Arguments(("evaluation",), (types[0],)).packed((evaluation,)))
    ctypes.c_void_p.from_address(code.addresses[CONTEXT]).value = ctypes.addressof(block)
    owners: Iterable[object] = (native.owner, evaluation, block, code)
    return replace(native, functions=native.functions._replace(estimate=code.addresses[NAME]), owner=tuple(owners))
