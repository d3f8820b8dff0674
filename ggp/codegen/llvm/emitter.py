"""What the operators of `ggp.codegen.ir.operators` are written with for native code: types, the place, the module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from llvmlite import ir as llvm

from ggp.codegen.ir.nodes import Kind

INT = llvm.IntType(64)
REAL = llvm.DoubleType()
FLOAT = llvm.FloatType()
BOOL = llvm.IntType(1)
VOID = llvm.VoidType()
TYPES: dict[Kind, llvm.Type] = {
    Kind.INT: INT, Kind.REAL: REAL, Kind.BOOL: BOOL, Kind.WORDS: INT.as_pointer(), Kind.REALS: REAL.as_pointer(),
}  # fmt: skip
BYTE = llvm.IntType(8)
BYTES = BYTE.as_pointer()


@dataclass(frozen=True, slots=True)
class Emitter:
    """What operators are written with: the module, the place, functions of the module, what the processor has.

    `needed` are conditions without which what is written is not needed: then it is not a fault either.
    """

    module: llvm.Module
    b: llvm.IRBuilder
    functions: Mapping[str, llvm.Function]
    has_pdep: bool
    needed: tuple[llvm.Value, ...]

    def outside(self, name: str, result: llvm.Type, *parameters: llvm.Type) -> llvm.Function:
        """Return a function of LLVM's or of the C library."""
        if name in self.module.globals:
            return self.module.globals[name]
        return llvm.Function(self.module, llvm.FunctionType(result, parameters), name)


Values: TypeAlias = Sequence[llvm.Value]
Emission: TypeAlias = Callable[..., llvm.Value]


def word(value: int) -> llvm.Constant:
    """Return a constant word."""
    return llvm.Constant(INT, value)
