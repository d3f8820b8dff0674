"""The operators of the intermediate representation: the native form of each against the plain one."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.arithmetic import rng
from ggp.arithmetic.words import signed
from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Effect, Expression, Function, Kind, Module, Name, Return
from ggp.codegen.ir.operators import COMPARISONS, OPERATORS
from ggp.codegen.llvm import compilation
from ggp.codegen.llvm.compilation import compiled, llvm_text
from ggp.codegen.llvm.operators import EMISSIONS
from ggp.codegen.machine_code import MachineCode
from ggp.codegen.python import runtime
from ggp.codegen.python.printer import module_text
from ggp.language.evaluation.arithmetic import BINARY_OPERATIONS
from ggp.rules_compiler.plain_module import executed

WORD = (1 << 64) - 1

A, B = Name("a", Kind.INT), Name("b", Kind.INT)
X, Y = Name("x", Kind.REAL), Name("y", Kind.REAL)
ROW, RNG, N = ir.words("row"), ir.words("rng"), Name("n", Kind.INT)


def op(operator: str, *operands: ir.Given) -> Expression:
    return ir.effect(operator, *operands)


def total(*values: Expression) -> Expression:
    return ir.total(values)


LOW_A, LOW_B, EIGHTH = ir.both(A, 7), ir.both(B, 7), op("right", B, 3)
WAY = (ir.add(LOW_B, -3), ir.add(ir.both(EIGHTH, 7), -3), 8, 8)
QUARTER_A, QUARTER_B = op("right", A, 2), op("right", B, 2)
INTEGERS = {
    "popcount": op("popcount", A),
    "lowest_bit": op("lowest_bit", A),
    "highest_bit": op("highest_bit", A),
    "without_lowest": op("without_lowest", A),
    "below_lowest": op("below_lowest", A),
    "from_highest": op("from_highest", A),
    "bit": op("bit", A),
    "low_bits": op("xor", op("low_bits", A), op("xor", op("low_bits", ir.both(B, 127)), op("low_bits", LOW_B))),
    "left": op("left", A, ir.add(1, ir.both(B, 31))),
    "logical_right": op("logical_right", A, ir.add(1, ir.both(B, 31))),
    "nth_bit": op("nth_bit", A, ir.both(B, 63)),
    "scramble_word": op("scramble_word", A),
    "spread_word": op("spread_word", A, B),
    "hash_below": op("hash_below", op("scramble_word", op("xor", A, B)), 1000003),
    "sign": op("sign", A),
    "smaller": op("smaller", A, B),
    "larger": op("larger", A, B),
    "absolute": op("absolute", op("right", A, 1)),
    "negate": op("negate", op("right", A, 1)),
    "invert": ir.without(A, B),
    "floor_divide": total(*(op("floor_divide", QUARTER_A, by) for by in (7, -7)), op("floor_divide", QUARTER_B, -1)),
    "modulo": total(*(op("modulo", QUARTER_A, by) for by in (7, -7)), op("modulo", QUARTER_B, -1)),
    "quotient": ir.add(op("quotient", ir.both(A, 65535), 7), op("remainder", ir.both(A, 65535), 7)),
    "step_cell": op("step_cell", ir.both(A, 63), *WAY),
    "step_option": op("step_option", ir.add(ir.both(A, 127), -64), *WAY),
    "shift": ir.both(op("right", A, 5), 1023),
    "precedence": op("multiply", ir.subtract(LOW_A, ir.subtract(LOW_B, ir.either(LOW_A, op("xor", LOW_B, 5)))), LOW_A),
    "chosen": ir.add(
        ir.chosen(ir.compare("less", A, B), A, op("popcount", B)),
        ir.as_integer(
            ir.disjunction(
                [
                    ir.equal(A, B),
                    ir.conjunction([op("not", ir.compare("greater", A, 3)), ir.compare("unequal", B, 4)]),
                ]
            )
        ),
    ),
    "jumps": ir.as_integer(
        ir.conjunction([ir.compare("less", A, B), ir.compare("greater", op("quotient", ir.both(A, 255), 3), 11)])
    ),
    **{name: ir.as_integer(ir.compare(name, A, B)) for name in COMPARISONS},
}
REALS = {
    "tanh": op("tanh", X),
    "sqrt": op("sqrt", X),
    "exp": op("exp", X),
    "log": op("log", X),
    "power": op("power", X, Y),
    "divide": op("divide", X, Y),
    "defined": op("defined", op("real_subtract", op("exp", op("real_multiply", X, X)), op("exp", X))),
    "reals": op(
        "real_subtract",
        op("real_add", op("real_smaller", X, Y), op("real_larger", X, op("real_negate", Y))),
        op("real_multiply", op("real_absolute", X), op("real", op("real_sign", Y))),
    ),
    **{f"real_{name}": op("real", ir.as_integer(ir.compare(name, X, Y))) for name in COMPARISONS},
}
FAULT = ir.words("fault")
FAULTY = {
    "guard": op("guard", A, -5, 5, 3, FAULT),
    "unwrap": op("unwrap", A, 4, 3, FAULT),
    "floor_quotient": op("floor_quotient", A, op("smaller", op("larger", B, 0), 9), 7, 3, FAULT),
    "floor_remainder": op("floor_remainder", A, op("smaller", op("larger", B, 0), 9), 3, FAULT),
}


COUNTS = (1, 2, 7, 9, 22, 42, 63, 64)
SPREAD = {"put_flags": [A], "put_floats": [A], "clear_flags": [], "clear_floats": []}


def function(name: str, parameters: tuple[Name, ...], value: Expression) -> Function:
    assert value.kind is not None
    return Function(name, parameters, (value.kind,), [Return((value,))])


MODULE = Module(
    "Every operator",
    {},
    [
        *(function(f"i_{name}", (A, B), value) for name, value in INTEGERS.items()),
        *(function(f"r_{name}", (X, Y), value) for name, value in REALS.items()),
        *(function(f"f_{name}", (A, B, FAULT), value) for name, value in FAULTY.items()),
        function("i_below", (RNG, A), op("below", RNG, A)),
        function("r_uniform", (RNG,), op("uniform", RNG)),
        function("i_nth_of", (ROW, N), op("nth_bit_of", ROW, 1, 3, N)),
        function("i_part", (ROW, N), op("nth_bit_of", op("words_from", ROW, 1), 0, 3, N)),
        *(
            Function(f"{operator}_{count}", (ROW, A), (), [Effect(ir.effect(operator, ROW, 3, *what, count))])
            for operator, what in SPREAD.items()
            for count in COUNTS
        ),
        Function("put_float", (ROW, X), (), [Effect(ir.effect("put_float", ROW, 3, X))]),
    ],
)
NAMES = [function.name for function in MODULE.functions]


@pytest.fixture(scope="module", params=["this processor", "without deposit"])
def native(request: pytest.FixtureRequest) -> MachineCode:
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "without deposit":
            patch.setattr(compilation, "has_fast_deposit", lambda: False)
        return MachineCode(compiled(MODULE, NAMES), NAMES)


@pytest.fixture(scope="module")
def plain() -> dict[str, Any]:
    return dict(executed(module_text(MODULE), "operators"))


def test_every_operator_is_here_or_makes_no_number() -> None:
    written = module_text(MODULE)
    elsewhere = {"fail", "copy_words", "copy_reals", "same_words", "real_over", "reals_from"}
    unused = [name for name, row in OPERATORS.items() if row.text not in written]
    assert set(unused) <= elsewhere
    assert set(OPERATORS) == set(EMISSIONS)


WORDS = st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), st.sampled_from([0, 1, -1, -(1 << 63), (1 << 63) - 1]))


@settings(max_examples=200)
@given(a=WORDS, b=WORDS)
def test_integers(native: MachineCode, plain: dict[str, Any], a: int, b: int) -> None:
    for name in INTEGERS:
        function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(native.addresses[f"i_{name}"])
        assert function(a, b) == signed(plain[f"i_{name}"](a, b)), (name, a, b)


@settings(max_examples=100)
@given(a=st.integers(-12, 12), b=st.integers(-3, 3))
def test_what_can_be_a_fault(native: MachineCode, plain: dict[str, Any], a: int, b: int) -> None:
    for name in FAULTY:
        function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
        fault = (ctypes.c_int64 * 2)()
        got = function(native.addresses[f"f_{name}"])(a, b, fault)
        if fault[0] == 0:
            assert plain[f"f_{name}"](a, b, [0, 0]) == got
            continue
        assert -5 <= got <= 7
        with pytest.raises(runtime.FaultSignal) as signal:
            plain[f"f_{name}"](a, b, [0, 0])
        assert list(fault) == [signal.value.site, signal.value.value]


@settings(max_examples=200)
@given(x=st.floats(-800, 800), y=st.one_of(st.floats(-20, 20), st.sampled_from([0.0, -1.0, 2.0])))
def test_reals(native: MachineCode, plain: dict[str, Any], x: float, y: float) -> None:
    for name in REALS:
        function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(native.addresses[f"r_{name}"])
        expected = plain[f"r_{name}"](x, y)
        got = function(x, y)
        assert got == expected or math.isclose(got, expected, rel_tol=1e-15), (name, x, y)


EXTREMES = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e200, -1e200, 1e-200, -1e-200, math.inf, -math.inf]


@pytest.mark.parametrize("y", [0.0, 0.5, 1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 1e300, math.inf, -math.inf])
def test_extreme_powers(native: MachineCode, y: float) -> None:
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(native.addresses["r_power"])
    for x in EXTREMES:
        assert function(x, y) == runtime.power(x, y) == BINARY_OPERATIONS["power"](x, y), (x, y)


@settings(max_examples=50)
@given(seed=st.integers(1, WORD), bound=st.integers(1, 1 << 31))
def test_random_numbers(native: MachineCode, seed: int, bound: int) -> None:
    below = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(native.addresses["i_below"])
    uniform = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(native.addresses["r_uniform"])
    word, words = ctypes.c_uint64(seed), [seed]
    for _ in range(5):
        assert below(ctypes.byref(word), bound) == rng.below(words, bound)
        assert uniform(ctypes.byref(word)) == rng.uniform(words)
        assert word.value == words[0]


@settings(max_examples=50)
@given(row=st.lists(WORDS, min_size=4, max_size=4))
def test_members_over_several_words(native: MachineCode, plain: dict[str, Any], row: list[int]) -> None:
    signature = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
    function, of_part = (signature(native.addresses[name]) for name in ("i_nth_of", "i_part"))
    array = (ctypes.c_int64 * 4)(*row)
    members = [i for i in range(192) if row[1 + i // 64] >> i % 64 & 1]
    for n, member in enumerate(members):
        assert function(array, n) == runtime.nth_bit_of(row, 1, 3, n) == member
        assert of_part(array, n) == plain["i_part"](row, n) == member


@settings(max_examples=30)
@given(word=WORDS)
def test_bits_become_bytes_and_floats(native: MachineCode, plain: dict[str, Any], word: int) -> None:
    signature = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
    for operator in SPREAD:
        for count in COUNTS:
            row = ((ctypes.c_float if "float" in operator else ctypes.c_ubyte) * 70)(*[7] * 70)
            expected = [7] * 70
            signature(native.addresses[f"{operator}_{count}"])(row, word)
            plain[f"{operator}_{count}"](expected, word)
            assert list(row) == expected
            assert expected[3 : 3 + count] == [word >> at & 1 if "put" in operator else 0 for at in range(count)]
    one = (ctypes.c_float * 5)(*[7] * 5)
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double)(native.addresses["put_float"])(one, 0.1)
    assert list(one) == [7, 7, 7, ctypes.c_float(0.1).value, 7]


@pytest.mark.parametrize("operator", ["floor_divide", "modulo"])
def test_the_operands_of_a_division_are_written_once(operator: str) -> None:
    def divisions(depth: int) -> int:
        value: Expression = A
        for _ in range(depth):
            value = op(operator, value, 2)
        return llvm_text(Module("", {}, [function("f", (A,), value)]), ["f"]).count("sdiv")

    assert divisions(9) - divisions(1) == 8
