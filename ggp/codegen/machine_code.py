"""From LLVM's language to machine code: the optimiser, and loading object code into this process."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Iterable
from functools import cache

from llvmlite import binding

LIBRARY_FUNCTIONS = ("tanh", "exp", "log", "log10", "pow")
"""Functions of the C library that machine code may call."""


class CodeUnusable(Exception):
    """Object code that cannot be loaded, such as a damaged file of the cache."""


class MachineCode:
    """Object code of one module, loaded. Its functions live as long as this object."""

    def __init__(self, object_code: bytes, names: Iterable[str]) -> None:
        """Load object code and find the addresses of its functions and variables.

        Raises:
            CodeUnusable: the bytes are not object code for this machine, or lack a name.
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
        self.addresses = {
            name: self._engine.get_function_address(name) or self._engine.get_global_value_address(name)
            for name in names
        }
        if not all(self.addresses.values()):
            raise CodeUnusable("a function is missing")


@cache
def _prepare_llvm() -> None:
    """Make LLVM ready for this machine, with the C library's functions that machine code calls."""
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


@cache
def machine_key() -> str:
    """Return what object code depends on apart from its source: processor, its features, LLVM."""
    features = binding.get_host_cpu_features().flatten()
    version = ".".join(map(str, binding.llvm_version_info))
    return f"{binding.get_default_triple()} {binding.get_host_cpu_name()} {features} llvm {version}"


def object_code(text: str, long_loops: bool = True) -> bytes:
    """Return the object code of a module in LLVM's language for this machine, see `optimised_object`."""
    return optimised_object(text, target_machine(), long_loops)


def optimised_object(text: str, machine: binding.TargetMachine, long_loops: bool = True) -> bytes:
    """Return the object code of a module in LLVM's language.

    Args:
        text: the module.
        machine: what it is for.
        long_loops: whether loops run often enough to be worth unrolling and vectorising. Without, LLVM's first level
            is enough: searches and CFR are as fast as with its third, and compiled in half the time.
    """
    module = binding.parse_assembly(text)
    module.verify()
    options = binding.create_pipeline_tuning_options(speed_level=3 if long_loops else 1)
    if not long_loops:
        options.loop_vectorization = options.loop_interleaving = options.loop_unrolling = False
        options.slp_vectorization = False
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    found: bytes = machine.emit_object(module)
    return found
