"""The services of generated source: the native form of each against the plain one."""

from __future__ import annotations

import ctypes
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp.model.backends import runtime
from ggp.model.backends.compilation import MachineCode, compiled, lowered
from ggp.model.native import rng
from ggp.model.reference.arithmetic import BINARY_OPERATIONS
from ggp.model.state_layout import signed

WORD = (1 << 64) - 1

INTEGER_SERVICES = {
    "popcount": "popcount(a)",
    "lowest_bit": "lowest_bit(a)",
    "highest_bit": "highest_bit(a)",
    "without_lowest": "without_lowest(a)",
    "bit": "bit(a)",
    "low_bits": "low_bits(a) ^ low_bits(b & 127) ^ low_bits(64 - (b & 3))",
    "left": "left(a, 1 + (b & 31))",
    "nth_bit": "nth_bit(a, b & 63)",
    "scramble_word": "scramble_word(a)",
    "hash_below": "hash_below(scramble_word(a ^ b), 1000003)",
    "sign": "sign(a)",
    "smaller": "smaller(a, b)",
    "larger": "larger(a, b)",
    "absolute": "abs(a >> 1)",
    "floor": "(a >> 2) // 7 + (a >> 2) // -7 + (b >> 2) // -1",
    "modulo": "(a >> 2) % 7 + (a >> 2) % -7 + (b >> 2) % -1",
    "quotient": "quotient(a & 65535, 7) + remainder(a & 65535, 7)",
    "step_cell": "step_cell(a & 63, (b & 7) - 3, ((b >> 3) & 7) - 3, 8, 8)",
    "step_option": "step_option((a & 127) - 64, (b & 7) - 3, ((b >> 3) & 7) - 3, 8, 8)",
    "shift": "(a >> 5) & 1023",
    "two_kinds": "(a < b if a > 3 else popcount(b)) + (popcount(a) if a < b else a == b)",
    "chosen": "(a if a < b else b) + (1 if a == b or not a > 3 and b != 4 else 0)",
}
REAL_SERVICES = {
    "tanh": "tanh(x)", "square_root": "square_root(x)", "exponential": "exponential(x)", "logarithm": "logarithm(x)",
    "power": "power(x, y)", "divide": "divide(x, y)",
    "reals": "smaller(x, y) + larger(x, -y) - abs(x) + float(sign(y))",
}  # fmt: skip
SOURCE = "\n".join(
    [
        *(f"def i_{name}(a: int, b: int) -> int:\n    return {text}\n" for name, text in INTEGER_SERVICES.items()),
        *(f"def r_{name}(x: float, y: float) -> float:\n    return {text}\n" for name, text in REAL_SERVICES.items()),
        "def i_below(rng: Words, bound: int) -> int:\n    return below(rng, bound)\n",
        "def r_uniform(rng: Words) -> float:\n    return uniform(rng)\n",
        "def i_nth_of(row: Words, n: int) -> int:\n    return nth_bit_of(row, 1, 3, n)\n",
    ]
)


@pytest.fixture(scope="module")
def native() -> MachineCode:
    names = [f"i_{name}" for name in INTEGER_SERVICES] + [f"r_{name}" for name in REAL_SERVICES]
    return MachineCode(
        compiled(SOURCE, [*names, "i_below", "r_uniform", "i_nth_of"]), [*names, "i_below", "r_uniform", "i_nth_of"]
    )


WORDS = st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), st.sampled_from([0, 1, -1, -(1 << 63), (1 << 63) - 1]))


@settings(max_examples=200, deadline=None, derandomize=True)
@given(a=WORDS, b=WORDS)
def test_integers(native: MachineCode, a: int, b: int) -> None:
    for name, text in INTEGER_SERVICES.items():
        function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(native.addresses[f"i_{name}"])
        expected = eval(text, dict(runtime.SERVICES), {"a": a, "b": b})
        assert function(a, b) == signed(expected), (name, a, b)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(x=st.floats(-800, 800), y=st.one_of(st.floats(-20, 20), st.sampled_from([0.0, -1.0, 2.0])))
def test_reals(native: MachineCode, x: float, y: float) -> None:
    for name, text in REAL_SERVICES.items():
        function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(native.addresses[f"r_{name}"])
        expected = eval(text, dict(runtime.SERVICES), {"x": x, "y": y})
        got = function(x, y)
        assert got == expected or math.isclose(got, expected, rel_tol=1e-15), (name, x, y)


EXTREMES = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e200, -1e200, 1e-200, -1e-200, math.inf, -math.inf]


@pytest.mark.parametrize("y", [0.0, 0.5, 1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 1e300, math.inf, -math.inf])
def test_extreme_powers(native: MachineCode, y: float) -> None:
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(native.addresses["r_power"])
    for x in EXTREMES:
        assert function(x, y) == runtime.power(x, y) == BINARY_OPERATIONS["power"](x, y), (x, y)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(seed=st.integers(1, WORD), bound=st.integers(1, 1 << 31))
def test_random_numbers(native: MachineCode, seed: int, bound: int) -> None:
    below = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(native.addresses["i_below"])
    uniform = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)(native.addresses["r_uniform"])
    word, words = ctypes.c_uint64(seed), [seed]
    for _ in range(5):
        assert below(ctypes.byref(word), bound) == rng.below(words, bound)
        assert uniform(ctypes.byref(word)) == rng.uniform(words)
        assert word.value == words[0]


@settings(max_examples=50, deadline=None, derandomize=True)
@given(row=st.lists(WORDS, min_size=4, max_size=4))
def test_members_over_several_words(native: MachineCode, row: list[int]) -> None:
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)(native.addresses["i_nth_of"])
    array = (ctypes.c_int64 * 4)(*row)
    members = [i for i in range(192) if row[1 + i // 64] >> i % 64 & 1]
    for n, member in enumerate(members):
        assert function(array, n) == runtime.nth_bit_of(row, 1, 3, n) == member


@pytest.mark.parametrize("source", [
    "def f(a: int) -> int:\n    return unknown(a)\n", "def f(a: int) -> int:\n    return [a]\n", "import os\n",
    "def f(a: int) -> int:\n    return a if a else 1\n", "def f(a: int) -> float:\n    return a\n",
    "def f(a: int) -> int:\n    for x in a:\n        pass\n    return 1\n",
    "def f(a: int) -> int:\n    del a\n    return 1\n",
])  # fmt: skip
def test_what_the_compiler_does_not_know_it_refuses(source: str) -> None:
    with pytest.raises(AssertionError):
        compiled(source, ["f"])


@pytest.mark.parametrize("operator", ["//", "%"])
def test_the_operands_of_a_division_are_lowered_once(operator: str) -> None:
    def calls(divisions: int) -> int:
        expression = "a"
        for _ in range(divisions):
            expression = f"({expression} {operator} 2)"
        return lowered(f"def f(a: int) -> int:\n    return {expression}\n", ["f"]).count("call")

    assert calls(9) - calls(1) == 8
