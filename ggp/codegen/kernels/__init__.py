"""The compiler of kernels: functions in a small typed subset of Python, compiled by LLVM.

A kernel is a plain function, all of whose parameters are annotated with the types of `ggp.codegen.kernels.types`. In a
kernel stand assignments, `if`, `while`, `for` over ranges, arrays and tuples, arithmetic, elements and slices of
arrays, fields of named tuples, and calls of other kernels. There are no lists, exceptions or closures. The first value
that a variable is given in the text says what type it has. A kernel may be an argument of another one, annotated with
`Callable` or `Any`: that one is compiled for each kernel it is called with.

The same function runs as plain Python, `kernel.py_func`, with the same results; there are these differences: integers
have 64 bits and wrap around, indices count from the front, division by zero gives infinities or 0.

`GGP_CHECK_BOUNDS=1` compares each index with the length of the array, and raises IndexError.
"""

from ggp.codegen.kernels.allocation import allocated, resize_in_place, resized
from ggp.codegen.kernels.intrinsics import bit_length, call_function, call_procedure, pointer
from ggp.codegen.kernels.kernels import AnyKernel, Kernel, inline_kernel, kernel, kernel_of_long_loops
from ggp.codegen.kernels.sources import KernelError
from ggp.codegen.kernels.types import F32, F64, F64_2D, I8, I8_2D, I32, I64, I64_2D, I64_3D, U8, U64, U64_2D, U64_3D

__all__ = [
    "AnyKernel",
    "F32",
    "F64",
    "F64_2D",
    "I32",
    "I64",
    "I8",
    "I8_2D",
    "U8",
    "I64_2D",
    "I64_3D",
    "Kernel",
    "KernelError",
    "U64",
    "U64_2D",
    "U64_3D",
    "allocated",
    "bit_length",
    "call_function",
    "call_procedure",
    "inline_kernel",
    "kernel",
    "kernel_of_long_loops",
    "pointer",
    "resize_in_place",
    "resized",
]
