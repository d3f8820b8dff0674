"""Conditionals that native code writes without jumps do what the plain code does, faults included."""

from __future__ import annotations

import ctypes
import itertools
import random

import pytest

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Assign, Block, Expression, For, Function, If, Kind, Module, Name, Return
from ggp.codegen.llvm.compilation import compiled, llvm_text
from ggp.codegen.llvm.if_conversion import is_if_converted
from ggp.codegen.llvm.printer import DEEP
from ggp.codegen.machine_code import MachineCode
from ggp.codegen.python import runtime
from ggp.codegen.python.printer import module_text
from ggp.rules_compiler.plain_module import executed

A, B, C = (Name(name, Kind.INT) for name in "abc")
FAULT = ir.words("fault")
TRIALS, DEEPEST = 60, 2


def random_number(draw: random.Random) -> Expression:
    left, right = draw.choice([A, B, C]), draw.choice([A, B, ir.integer(draw.randrange(-2, 3))])
    kind = draw.randrange(5)
    if kind == 0:
        return ir.effect("guard", left, -2, 2, draw.randrange(1, 9), FAULT)
    if kind == 1:
        return ir.effect("unwrap", left, draw.randrange(-2, 3), draw.randrange(1, 9), FAULT)
    return (ir.add, ir.subtract, ir.both)[kind - 2](left, right)


def random_block(draw: random.Random, depth: int) -> Block:
    """Assignments to `a`, `b` and `c`, and conditionals of one to three arms with such blocks."""
    block: Block = []
    for _ in range(draw.randrange(1, 3)):
        if depth and draw.random() < 0.6:
            tests = [
                ir.compare("less", draw.choice([A, B, C]), draw.choice([A, 0, 1])) for _ in range(draw.randrange(1, 4))
            ]
            arms = [(test, random_block(draw, depth - 1)) for test in tests]
            block.append(If(arms, random_block(draw, depth - 1) if draw.random() < 0.5 else []))
        else:
            block.append(Assign(draw.choice([A, B, C]), random_number(draw)))
    return block


def test_random_conditionals() -> None:
    draw = random.Random(5)
    blocks = [random_block(draw, DEEPEST) for _ in range(TRIALS)]
    assert (
        sum(is_if_converted(inner, True) for block in blocks for inner in block if isinstance(inner, If)) > TRIALS // 4
    )
    result = ir.add(ir.add(ir.multiply(A, 10_000), ir.multiply(B, 100)), C)
    names = [f"f{number}" for number in range(TRIALS)]
    functions = [
        Function(name, (A, B, C, FAULT), (Kind.INT,), [*block, Return((result,))])
        for name, block in zip(names, blocks, strict=True)
    ]
    module = Module("Conditionals", {}, functions, is_random=True)
    native, plain = MachineCode(compiled(module, names), names), executed(module_text(module), "conditionals")
    signature = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 3, ctypes.c_void_p)
    faults = 0
    for name, *given in itertools.product(names, range(-3, 4), range(-3, 4), (-1, 0, 2)):
        fault = (ctypes.c_int64 * 2)()
        got = signature(native.addresses[name])(*given, fault)
        if fault[0] == 0:
            assert plain[name](*given, [0, 0]) == got, (name, given)
            continue
        faults += 1
        with pytest.raises(runtime.FaultSignal) as signal:
            plain[name](*given, [0, 0])
        assert list(fault) == [signal.value.site, signal.value.value], (name, given)
    assert 0 < faults < TRIALS * 140


def test_llvm_is_told_what_is_random() -> None:
    def told(test: Name, is_random: bool) -> bool:
        body: Block = [If([(ir.compare("less", test, 0), [Return((ir.ONE,))])]), Return((ir.ZERO,))]
        module = Module("One", {}, [Function("f", (test,), (Kind.INT,), body)], is_random=is_random)
        return "!unpredictable" in llvm_text(module, ["f"])

    drawn = Name("c_a", Kind.INT, drawn=True)
    assert [told(A, False), told(A, True), told(drawn, False)] == [False, True, True]


@pytest.mark.parametrize(("loops", "for_size"), [(DEEP - 1, False), (DEEP, True)])
def test_loops_inside_many_loops_are_compiled_for_size(loops: int, for_size: bool) -> None:
    body: Block = []
    for number in range(loops):
        body = [For(Name(f"i{number}", Kind.INT), ir.ZERO, A, body)]
    module = Module("One", {}, [Function("f", (A,), (Kind.INT,), [*body, Return((ir.ZERO,))])])
    assert ("optsize" in llvm_text(module, ["f"])) == for_size
