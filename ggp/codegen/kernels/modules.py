"""Compiles a kernel with all that it calls to one module in LLVM's language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ggp.codegen.kernels.calls import DECLARATIONS, called
from ggp.codegen.kernels.functions import FunctionCompiler
from ggp.codegen.kernels.operators import real
from ggp.codegen.kernels.sources import signature_of
from ggp.codegen.kernels.types import ELEMENTS, REALS, Array, Struct, Type, memory_words
from ggp.codegen.kernels.values import Value, Writer, result_type

ENTRY = "entry"
"""The name of the function that Python calls, with the address of the arguments and one for results."""
FAILED = "failed"
"""The memory in which a kernel with checks notes the first that failed: where, the index, the length."""
PLACES = "places"
"""The text of that kernel with the file and line of each check, one a line."""


@dataclass
class ModuleCompiler:
    """A module that is being compiled.

    Attributes:
        checked: whether indices are compared with the lengths of arrays.
    """

    checked: bool
    _places: dict[str, int] = field(default_factory=dict)
    _functions: dict[tuple[Callable[..., Any], tuple[Type, ...]], str] = field(default_factory=dict)
    _waiting: list[FunctionCompiler] = field(default_factory=list)
    _tables: dict[int, tuple[np.ndarray[Any, Any], str]] = field(default_factory=dict)
    _texts: list[str] = field(default_factory=list)

    def instance(self, function: Callable[..., Any], types: tuple[Type, ...]) -> str:
        """Return the name of a function for arguments of certain types."""
        key = function, types
        if key not in self._functions:
            self._functions[key] = name = f"{function.__name__}.{len(self._functions)}"
            self._waiting.append(FunctionCompiler(self, function, types, name, self.checked))
        return self._functions[key]

    def table(self, array: np.ndarray[Any, Any]) -> Value:
        """Return an array of a Python module, whose contents become constants."""
        element = ELEMENTS[array.dtype.name]
        if id(array) not in self._tables:
            name = f"@table.{len(self._tables)}"
            self._tables[id(array)] = array, name
            texts = map(real, array.ravel()) if element.scalar in REALS else (str(int(one)) for one in array.ravel())
            entries = ", ".join(f"{element.llvm} {text}" for text in texts)
            self._texts.append(f"{name} = internal constant [{array.size} x {element.llvm}] [{entries}], align 64")
        return Value(Array(element, array.ndim), (self._tables[id(array)][1], *map(str, array.shape)))

    def place_of(self, file: str, line: int) -> int:
        """Return the number, from 1, of a place where a check may fail."""
        return self._places.setdefault(f"{file}:{line}", len(self._places) + 1)

    def text(self, kernel: Callable[..., Any], types: tuple[Type, ...]) -> str:
        """Return the module whose entry calls a kernel with arguments of certain types.

        Raises:
            KernelError: the kernel, or something that it calls, cannot be compiled.
        """
        return self.finished(self._entry(kernel, types))

    def finished(self, entry: str) -> str:
        """Return the module with a function that calls instances of kernels.

        Raises:
            KernelError: a kernel cannot be compiled.
        """
        while self._waiting:
            self._texts.append(self._waiting.pop().text())
        if self.checked:
            places = "\n".join(self._places).encode() + b"\0"
            told = "".join(f"\\{byte:02X}" for byte in places)
            self._texts.append(f"@{FAILED} = global [3 x i64] zeroinitializer")
            self._texts.append(f'@{PLACES} = constant [{len(places)} x i8] c"{told}"')
        return "\n".join([DECLARATIONS, *self._texts, entry, "!0 = !{}", ""])

    def _entry(self, kernel: Callable[..., Any], types: tuple[Type, ...]) -> str:
        w, result = Writer(), signature_of(kernel).result
        block = Value(Struct("arguments", tuple((str(place), type_) for place, type_ in enumerate(types))), ("%given",))
        given = [w.field(block, str(place)) for place in range(len(types))]
        operands = ", ".join(operand for value in given if value is not None for operand in value.operands)
        found = called(w, f"{result_type(result)} @{self.instance(kernel, types)}({operands})", result)
        for at, kind in enumerate(result.parts):
            part = found.part(at)
            if kind == "i1":
                kind, part = "i64", w.let(f"zext i1 {part} to i64")
            w.do(f"store {kind} {part}, ptr {w.word_at('%results', at)}")
        words = 8 * sum(map(memory_words, types))
        given_text = f"ptr noalias readonly dereferenceable({words}) %given" if words else "ptr %given"
        return "\n".join(
            [f"define void @{ENTRY}({given_text}, ptr noalias %results) nounwind {{", *w.lines, "  ret void", "}"]
        )
