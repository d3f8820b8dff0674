"""From the intermediate representation to machine code: LLVM's optimiser, and loading object code into this process."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Iterable
from functools import cache

from llvmlite import binding
from llvmlite import ir as llvm

from ggp.model.backends.llvm import ModulePrinter
from ggp.model.backends.llvm_operators import LIBRARY_FUNCTIONS, loops
from ggp.model.ir.nodes import Module

SLOW_DEPOSIT = frozenset({"znver1", "znver2", "bdver4"})
"""Processors whose `pdep` instruction is slower than clearing bits one by one."""


class CodeUnusable(Exception):
    """Object code that cannot be loaded, such as a damaged file of the cache."""


class MachineCode:
    """Object code of one module, loaded. Its functions live as long as this object."""

    def __init__(self, object_code: bytes, functions: Iterable[str]) -> None:
        """Load object code and find the addresses of its functions.

        Raises:
            CodeUnusable: the bytes are no object code for this machine, or lack a function.
        """
        target = target_machine()
        try:
            container = binding.ObjectFileRef.from_data(object_code)
            empty = binding.parse_assembly("")
            self._engine = binding.create_mcjit_compiler(empty, target)
            self._engine.add_object_file(container)
            self._engine.finalize_object()
        except (RuntimeError, ValueError) as error:
            raise CodeUnusable(str(error)) from error
        self.addresses = {name: self._engine.get_function_address(name) for name in functions}
        if not all(self.addresses.values()):
            raise CodeUnusable("a function is missing")


@cache
def _prepare_llvm() -> None:
    """Make LLVM ready for this machine, with the C library's functions that native code calls."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    library = ctypes.CDLL(ctypes.util.find_library("m"))
    for name in LIBRARY_FUNCTIONS:
        binding.add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


def target_machine(opt: int = 3) -> binding.TargetMachine:
    """Return a new description of this machine; an engine that is given one takes it away with it when it goes.

    Args:
        opt: how much time is spent on better code, 0 to 3.
    """
    _prepare_llvm()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=opt,
        reloc="pic",
        codemodel="jitdefault",
    )


def machine_key() -> str:
    """Return what object code depends on apart from its source: processor, its features, LLVM."""
    features = binding.get_host_cpu_features().flatten()
    version = ".".join(map(str, binding.llvm_version_info))
    return f"{binding.get_default_triple()} {binding.get_host_cpu_name()} {features} llvm {version}"


def llvm_text(code: Module, functions: Iterable[str]) -> str:
    """Return a module in LLVM's language, not optimised."""
    features = binding.get_host_cpu_features()
    has_pdep = bool(features.get("bmi2")) and binding.get_host_cpu_name() not in SLOW_DEPOSIT
    module = llvm.Module(name="game")
    module.triple = binding.get_default_triple()
    printer = ModulePrinter(module, has_pdep, code.is_random)
    printer.add(loops(), (), inlined=True)
    printer.add(code, functions)
    return str(module)


def compiled(code: Module, functions: Iterable[str]) -> bytes:
    """Return the object code of a module."""
    machine = target_machine()
    module = binding.parse_assembly(llvm_text(code, functions))
    module.verify()
    options = binding.create_pipeline_tuning_options(speed_level=3)
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    object_code: bytes = machine.emit_object(module)
    return object_code
