"""From the intermediate representation to object code."""

from __future__ import annotations

from collections.abc import Iterable

from llvmlite import binding
from llvmlite import ir as llvm

from ggp.codegen.ir.nodes import Module
from ggp.codegen.llvm.operators import loops
from ggp.codegen.llvm.printer import ModulePrinter
from ggp.codegen.machine_code import object_code

SLOW_DEPOSIT = frozenset({"znver1", "znver2", "bdver4"})
"""Processors whose `pdep` instruction is slower than halving the word six times."""


def has_fast_deposit() -> bool:
    """Return whether this processor deposits bits quickly, which finds the n-th bit of a word."""
    has_pdep = bool(binding.get_host_cpu_features().get("bmi2"))
    return has_pdep and binding.get_host_cpu_name() not in SLOW_DEPOSIT


def llvm_text(code: Module, functions: Iterable[str], triple: str | None = None) -> str:
    """Return a module in LLVM's language, not optimised, for this processor or for another kind of processor."""
    module = llvm.Module(name="game")
    module.triple = triple or binding.get_default_triple()
    printer = ModulePrinter(module, triple is None and has_fast_deposit(), code.is_random)
    printer.add(loops(), (), inlined=True)
    printer.add(code, functions)
    return str(module)


def compiled(code: Module, functions: Iterable[str]) -> bytes:
    """Return the object code of a module."""
    return object_code(llvm_text(code, functions))
