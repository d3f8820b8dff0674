"""Asks the processor to load a node of the tree before it is used.

A large tree does not fit into the processor's caches, and each node on the way down waits for memory: in simple games
that is most of the time of an iteration. Cache lines that are requested together arrive together.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from ggp.model.native.held_values import address_of_elements
from ggp.model.native.jit import F64, I32, I64, inline_kernel
from ggp.model.native.kernel_parts import register_lowering

LINE_WORDS = 8
"""Words of a cache line, on all machines in use."""
READ, KEEP, DATA = 0, 3, 1
"""Arguments of LLVM's instruction: for reading, into all caches, data rather than code."""


def prefetch_line(numbers: F64 | I64 | I32, at: int) -> None:
    """Prefetch the cache line of element `at`, which need not lie in the array. This affects only speed."""


def _lower_prefetch_line(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    data = address_of_elements(context, builder, signature.args[0], values[0])
    address = builder.gep(data, [context.cast(builder, values[1], signature.args[1], types.int64)])
    byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
    declare: Any = cgutils.get_or_insert_function
    function = declare(builder.module, kind, "llvm.prefetch.p0")
    flags = [ir.Constant(flag, value) for value in (READ, KEEP, DATA)]
    builder.call(function, [builder.bitcast(address, byte), *flags])
    return context.get_dummy_value()


register_lowering(prefetch_line, lambda words, at: types.void, _lower_prefetch_line, types.Array, types.Integer)  # noqa: ARG005


@inline_kernel
def prefetch(words: F64, at: int, lines: int) -> None:
    """Prefetch cache lines, beginning with that of word `at`."""
    for line in range(lines):
        prefetch_line(words, at + line * LINE_WORDS)
