"""From the intermediate representation to a WebAssembly module that a page or any other engine instantiates.

LLVM writes relocatable objects, as for a linker. With one object there is nothing to link: calls, types and addresses
of constants have their values already. What is missing are the exports, by the names in the object's symbol table.

Source: https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from llvmlite import binding

from ggp.codegen.ir.nodes import Module
from ggp.codegen.llvm.compilation import llvm_text
from ggp.codegen.machine_code import optimised_object

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
"""Of WebAssembly 2.0, which browsers have had since 2023."""
CUSTOM, EXPORTS, DATA = 0, 7, 11
"""Numbers of sections."""
BEFORE_EXPORTS = (1, 2, 3, 4, 5, 13, 6)
"""The sections that stand before the exports."""
SYMBOL_TABLE, FUNCTION_SYMBOL, DATA_SYMBOL, SECTION_SYMBOL = 8, 0, 1, 3
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40
"""Flags of a symbol."""

# LLVM calls this for products of 128 bits. It is not optimised, or LLVM would see that it is such a product itself.
WIDE_PRODUCT = """
define void @__multi3(ptr %out, i64 %a, i64 %a_high, i64 %b, i64 %b_high) noinline nounwind optnone {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carry = lshr i64 %p00, 32
  %low_10 = and i64 %p10, 4294967295
  %middle = add i64 %p01, %carry
  %sum = add i64 %middle, %low_10
  %more = lshr i64 %sum, 32
  %high_10 = lshr i64 %p10, 32
  %high = add i64 %p11, %high_10
  %high_sum = add i64 %high, %more
  %cross = mul i64 %a, %b_high
  %cross_2 = mul i64 %a_high, %b
  %with_cross = add i64 %high_sum, %cross
  %upper = add i64 %with_cross, %cross_2
  %low = mul i64 %a, %b
  store i64 %low, ptr %out
  %place = getelementptr i64, ptr %out, i32 1
  store i64 %upper, ptr %place
  ret void
}
"""


@dataclass(frozen=True, slots=True)
class WasmModule:
    """A module. It imports its memory, the pointer of its stack, and functions of `LIBRARY_FUNCTIONS`, all of `env`.

    Attributes:
        code: the module.
        data_end: the first byte of the memory behind the module's constants.
    """

    code: bytes
    data_end: int


def wasm_module(code: Module, functions: Iterable[str]) -> WasmModule:
    """Return a module of the intermediate representation as WebAssembly, optimised; `functions` are exported."""
    names = tuple(functions)
    return exported(optimised_object(llvm_text(code, names, TRIPLE) + WIDE_PRODUCT, _machine()), names)


@cache
def _target() -> binding.Target:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(TRIPLE)


def _machine() -> binding.TargetMachine:
    return _target().create_target_machine(cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default")


def exported(relocatable: bytes, names: Iterable[str]) -> WasmModule:
    """Return a relocatable object as a module that exports some functions.

    Raises:
        KeyError: it lacks one of them.
    """
    sections = list(_sections(relocatable))
    indices = next(_functions(_Reader(payload)) for number, payload in sections if _is_linking(number, payload))
    entries = [_text(name) + b"\0" + _unsigned(indices[name]) for name in names]
    exports = _section(EXPORTS, _unsigned(len(entries)) + b"".join(entries))
    kept = [(number, _section(number, payload)) for number, payload in sections if number != CUSTOM]
    before = b"".join(section for number, section in kept if number in BEFORE_EXPORTS)
    after = b"".join(section for number, section in kept if number not in BEFORE_EXPORTS)
    data_end = max((_data_end(_Reader(payload)) for number, payload in sections if number == DATA), default=0)
    return WasmModule(relocatable[:8] + before + exports + after, data_end)


class _Reader:
    """Reads numbers and bytes one after the other."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def unsigned(self) -> int:
        number, shift = 0, 0
        while True:
            part = self.byte()
            number |= (part & 127) << shift
            shift += 7
            if part < 128:
                return number

    def bytes(self) -> bytes:
        size = self.unsigned()
        self.at += size
        return self.content[self.at - size : self.at]


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(module)
    reader.at = 8
    while reader.at < len(module):
        yield reader.byte(), reader.bytes()


def _is_linking(number: int, payload: bytes) -> bool:
    return number == CUSTOM and _Reader(payload).bytes() == b"linking"


def _functions(linking: _Reader) -> dict[str, int]:
    """Return the number of each function that the object defines, by its name in the symbol table."""
    found: dict[str, int] = {}
    linking.bytes()  # the section's name
    linking.unsigned()  # its version
    while linking.at < len(linking.content):
        kind, table = linking.byte(), _Reader(linking.bytes())
        for _ in range(table.unsigned() if kind == SYMBOL_TABLE else 0):
            symbol, flags = table.byte(), table.unsigned()
            if symbol == DATA_SYMBOL:
                table.bytes()
                for _ in range(0 if flags & UNDEFINED else 3):
                    table.unsigned()
                continue
            index = table.unsigned()
            if symbol == SECTION_SYMBOL or (flags & UNDEFINED and not flags & EXPLICIT_NAME):
                continue
            name = table.bytes().decode()
            if symbol == FUNCTION_SYMBOL and not flags & UNDEFINED:
                found[name] = index
    return found


def _data_end(data: _Reader) -> int:
    """Return where the last constant ends; each begins at an `i32.const`."""
    end = 0
    for _ in range(data.unsigned()):
        kind, opcode = data.unsigned(), data.byte()
        assert (kind, opcode) == (0, 0x41), "LLVM places all constants"
        begin = data.unsigned()  # a signed number, but positive: read alike
        data.byte()  # the end of the expression
        end = max(end, begin + len(data.bytes()))
    return end


def _section(number: int, payload: bytes) -> bytes:
    return bytes([number]) + _unsigned(len(payload)) + payload


def _text(text: str) -> bytes:
    return _unsigned(len(text.encode())) + text.encode()


def _unsigned(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])
