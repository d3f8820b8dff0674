"""How numba compiles kernels here, and the parts of kernels: the functions that they call.

By itself, numba optimises each part together with everything that it calls and emits machine code for it, which nobody
uses once the part is linked into a kernel: half of the time that kernels take to compile. Here a part stays in LLVM's
language until a kernel links it, and everything is optimised once, in the kernel. Parts that take long are kept on disk
in that form, so another kernel with the same part, in this process or a later one, does not compile it again. When
several processes want a part at the same time, one compiles it and the others wait.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numba
from llvmlite import binding
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, compile_result
from numba.core.typing.templates import infer_global
from numba.extending import lower_builtin, type_callable

from ggp.cache import locked
from ggp.model.native.held_values import held, held_in_place

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

Function = TypeVar("Function", bound=Callable[..., object])

_NUMBA_TYPES: Any = types
MIN_KEPT_S = 0.1
"""A part that took less to compile is not worth a file."""
_DISPATCHERS: list[Any] = []
"""numba's types only refer to them."""


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel: optimised once, when all that it calls is linked.

    numba goes over each function first, and over the whole module twice, to leave out counts of references; kernels
    count none. Loops are neither unrolled nor vectorised: those of searches run a few times, and with copies of their
    bodies kernels were slower and LLVM took half as long again.
    """

    long_loops = False

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        # what a kernel reads of its arguments never changes, except in the wrapper that writes them to memory
        for function in self._final_module.functions:
            if function.linkage == binding.Linkage.external and not function.is_declaration:
                function.add_function_attribute("noinline")
        tuning = binding.create_pipeline_tuning_options(speed_level=3)
        tuning.loop_vectorization = tuning.loop_interleaving = tuning.loop_unrolling = self.long_loops
        tuning.slp_vectorization = False
        builder = binding.create_pass_builder(self._codegen._tm, tuning)
        builder.getModulePassManager().run(self._final_module, builder)

    def _get_module_for_linking(self) -> Any:
        """Return a module with the names of the functions: what is kept on disk beside the machine code.

        No other code links a kernel's; numba would keep all of it again.
        """
        names = [function.name for function in self.get_defined_functions()]
        return binding.parse_assembly("".join(f'define void @"{name}"() {{ unreachable }}\n' for name in names))


class LongLoopLibrary(KernelLibrary):
    """The code of a kernel whose loops are worth unrolling and vectorising."""

    long_loops = True


class PartLibrary(KernelLibrary):
    """The code of a part, with all parts that it calls, in LLVM's language."""

    def finalize(self) -> None:
        """Link the code of the parts that are called."""
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the module, with functions that may be linked several times and are left out where not called."""
        self._ensure_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = binding.Linkage.linkonce_odr
        return self._final_module

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002 - numba's signature
        """Return 0: there is no machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """A stand-in for the code generator, which would set pointers to Python objects in machine code."""
        return _Unconnected()

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """Return the library in the form in which it is kept on disk."""
        return self.name, "bitcode", self._final_module.as_bitcode()

    @classmethod
    def read(cls, codegen: Any, kept: tuple[str, str, bytes]) -> PartLibrary:
        """Return a library that was kept."""
        name, _, bitcode = kept
        library: PartLibrary = cls(codegen, name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalized = True
        return library


class _Unconnected:
    def set_env(self, name: str, environment: object) -> None:
        """Do nothing."""


class KernelFlags(Flags):
    """numba's flags of one compilation, compared thousands of times: a tenth of numba's own time.

    numba copies the flags when a compilation begins and changes neither copy afterwards.
    """

    _settled: dict[str, Any] | None = None

    def copy(self) -> KernelFlags:
        """Return a copy that does not change."""
        copy: Any = KernelFlags(self)
        copy._settled = super().values()
        copy._values = MappingProxyType(copy._values)
        settled: KernelFlags = copy
        return settled

    def values(self) -> dict[str, Any]:
        """Return the value of each flag."""
        return super().values() if self._settled is None else self._settled

    __hash__ = Flags.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other or super().__eq__(other)


class KernelCompiler(CompilerBase):
    """numba's compiler with the libraries defined here."""

    library_class = KernelLibrary
    holding = staticmethod(held)

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, args: tuple[Any, ...], *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library, tuple(map(self.holding, args)), *rest)
        self._args = args
        self.state.flags = KernelFlags(self.state.flags)
        self.state.library = self.library_class(targetctx.codegen(), "kernel")
        self.state.library.enable_object_caching()

    def define_pipelines(self) -> list[Any]:
        """Return numba's passes for code without Python objects."""
        return [DefaultPassBuilder.define_nopython_pipeline(self.state)]

    def compile_extra(self, func: Callable[..., object]) -> Any:
        """Compile with the garbage collector off: it would scan hundreds of thousands of live objects and free none."""
        collects = gc.isenabled()
        gc.disable()
        try:
            compiled = super().compile_extra(func)
            return compiled._replace(signature=compiled.signature.replace(args=self._args))
        finally:
            if collects:
                gc.enable()


class LongLoopCompiler(KernelCompiler):
    """numba's compiler for kernels with long loops."""

    library_class = LongLoopLibrary


class PartCompiler(KernelCompiler):
    """numba's compiler with libraries of parts."""

    library_class = PartLibrary
    holding = staticmethod(held_in_place)


class _PartCacheImpl(CompileResultCacheImpl):
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"part-{super().get_filename_base(fullname, abiflags)}"

    def rebuild(self, target_context: Any, payload: tuple[Any, ...]) -> Any:
        kept, descriptor, environment, signature, *_ = payload
        library = PartLibrary.read(target_context.codegen(), kept)
        return compile_result(
            target_context=target_context,
            library=library,
            fndesc=descriptor,
            environment=environment,
            signature=signature,
            entry_point=target_context.get_executable(library, descriptor, environment),
            objectmode=False,
            lifted=(),
            reload_init=[],
        )


class PartCache(FunctionCache):
    """Keeps a part on disk if it took long to compile; meanwhile other processes wait."""

    _impl_class = _PartCacheImpl

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)
        self._held = contextlib.ExitStack()
        self._compiling = False
        self._began = 0.0

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the part as it was kept; None where it has to be compiled, after which `save_overload` is called."""
        found = super().load_overload(sig, target_context)
        if found is None and not self._compiling:
            self._held.enter_context(locked(Path(self.cache_path) / f"{self._impl.filename_base}.lock"))
            self._compiling = True
            found = super().load_overload(sig, target_context)
            if found is not None:
                self.release()
        self._began = time.process_time()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the part if that is worth it."""
        if time.process_time() - self._began > MIN_KEPT_S:
            super().save_overload(sig, data)
        self.release()

    @contextlib.contextmanager
    def released_afterwards(self) -> Iterator[None]:
        """Let other processes compile the part when what is done now is over, whatever happens."""
        try:
            yield
        finally:
            self.release()

    def release(self) -> None:
        """Let other processes compile the part."""
        self._compiling = False
        self._held.close()


def register_part(function: Function, options: dict[str, Any]) -> None:
    """Let kernels call a plain function as a part of theirs that is always inlined.

    Args:
        function: what it is in Python.
        options: numba's.
    """
    dispatcher = _part(function, {**options, "forceinline": True})
    _DISPATCHERS.append(dispatcher)
    infer_global(function, _NUMBA_TYPES.Dispatcher(dispatcher))


def kernel_with_part(
    function: Function, options: dict[str, Any], cache: bool, compiler: type[KernelCompiler] = KernelCompiler
) -> Dispatcher[Function]:
    """Return a kernel that other kernels can call, too: as a part of theirs, which LLVM inlines or not.

    What only kernels call needs no machine code of its own, and nothing that turns Python objects into arguments.

    Args:
        function: what it is in Python.
        options: numba's.
        cache: whether to keep its machine code on disk.
        compiler: which compiles it.
    """
    njit: Any = numba.njit
    dispatcher = njit(**options, no_cfunc_wrapper=True, pipeline_class=compiler, cache=cache)(function)
    part = _part(function, options)
    dispatcher.get_call_template = part.get_call_template
    dispatcher.get_overload = part.get_overload
    found: Dispatcher[Function] = dispatcher
    return found


def _part(function: Callable[..., object], options: dict[str, Any]) -> Any:
    njit: Any = numba.njit
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher = njit(**options, **wrappers, pipeline_class=PartCompiler)(function)
    cache = dispatcher._cache = PartCache(function)
    template_of, unliteral = dispatcher.get_call_template, _NUMBA_TYPES.unliteral

    def kind_of(kind: Any) -> Any:
        return held_in_place(unliteral(kind))

    def template_without_literals(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        # one compilation for all integers: numba's type of a constant says which one it is
        with cache.released_afterwards():
            return template_of(tuple(map(kind_of, args)), {name: kind_of(kind) for name, kind in kws.items()})

    dispatcher.get_call_template = template_without_literals
    return dispatcher


def register_lowering(function: Function, typer: Callable[..., Any], lower: Callable[..., Any], *kinds: Any) -> None:
    """Let kernels call a plain function for which a generator of LLVM's language stands.

    Args:
        function: what it is in Python.
        typer: of its parameters' names; returns numba's type of the result for the types of the arguments.
        lower: as numba's `lower_builtin` takes it.
        kinds: numba's classes of types of the arguments.
    """
    type_call: Any = type_callable(function)
    type_call(lambda _context: typer)
    lower_call: Any = lower_builtin
    lower_call(function, *kinds)(lower)
