"""Native functions written in Python, for games made by hand: kernels with the signatures of a game's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ggp.codegen.kernels.modules import ModuleCompiler
from ggp.codegen.kernels.sources import signature_of
from ggp.codegen.kernels.types import Array
from ggp.codegen.kernels.values import result_type
from ggp.codegen.machine_code import MachineCode, object_code

ANY_LENGTH = 1 << 32


def compiled(functions: dict[str, Callable[..., Any]]) -> tuple[dict[str, int], MachineCode]:
    """Return the addresses of functions by name, and what keeps them alive.

    Args:
        functions: annotated as kernels are; an array is given as its address.
    """
    module, texts = ModuleCompiler(checked=False), []
    for name, function in functions.items():
        texts.append(_entry(module, name, function))
    code = MachineCode(object_code(module.finished("\n".join(texts))), functions)
    return code.addresses, code


def _entry(module: ModuleCompiler, name: str, function: Callable[..., Any]) -> str:
    signature = signature_of(function)
    types = tuple(parameter.type for parameter in signature.parameters)
    given = ", ".join(f"{type_.parts[0]} %a{at}" for at, type_ in enumerate(types))
    passed = ", ".join(
        f"{type_.parts[0]} %a{at}{f', i64 {ANY_LENGTH}' if isinstance(type_, Array) else ''}"
        for at, type_ in enumerate(types)
    )
    result = result_type(signature.result)
    call = f"call {result} @{module.instance(function, types)}({passed})"
    body = [f"  {call}", "  ret void"] if result == "void" else [f"  %r = {call}", f"  ret {result} %r"]
    return "\n".join([f"define {result} @{name}({given}) nounwind {{", *body, "}"])
