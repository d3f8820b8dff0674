"""The intermediate representation: what is folded as it is made, how it prints."""

from __future__ import annotations

import pytest

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import (
    Assign,
    Break,
    Expression,
    For,
    Function,
    If,
    Kind,
    Module,
    Name,
    Return,
    Statement,
    Store,
    Table,
    While,
)
from ggp.codegen.python.printer import module_text, text

A, B, N = (Name(name, Kind.INT) for name in ("a", "b", "n"))
X = Name("x", Kind.REAL)
OUT = ir.words("out")
PRIMES = Name("PRIMES", Kind.WORDS, table=True)
LESS = ir.compare("less", A, B)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (ir.add(ir.add(A, 3), -5), "a - 2"),
        (ir.add(2, A), "a + 2"),
        (ir.subtract(A, ir.subtract(B, A)), "a - (b - a)"),
        (ir.multiply(ir.add(A, 1), 3), "(a + 1) * 3"),
        (ir.multiply(A, 0), "0"),
        (ir.both(A, -1), "a"),
        (ir.both(0, A), "0"),
        (ir.either(A, A), "a"),
        (ir.without(A, B), "a & ~b"),
        (ir.shift_right(A, 4), "a >> 4 & 1152921504606846975"),
        (ir.shift_left(ir.integer(1), 63), "-9223372036854775808"),
        (ir.negation(LESS), "a >= b"),
        (ir.negation(ir.compare("less", X, ir.real(1))), "not x < 1.0"),
        (ir.negation(ir.negation(ir.compare("less", X, ir.real(1)))), "x < 1.0"),
        (ir.conjunction([ir.TRUE, LESS, ir.disjunction([LESS, ir.equal(A, 1)])]), "a < b and (a < b or a == 1)"),
        (ir.conjunction([LESS, ir.FALSE]), "False"),
        (ir.chosen(LESS, ir.TRUE, ir.FALSE), "a < b"),
        (ir.as_integer(LESS), "1 if a < b else 0"),
        (ir.add(ir.as_integer(LESS), 1), "(1 if a < b else 0) + 1"),
        (ir.chosen(ir.TRUE, A, B), "a"),
        (ir.as_real(ir.integer(3)), "3.0"),
        (ir.operation("negate", ir.integer(4)), "-4"),
        (ir.compare("equal", ir.both(A, 1), 0), "a & 1 == 0"),
        (ir.entry(OUT, ir.add(N, 1)), "out[n + 1]"),
    ],
)
def test_folding_and_printing(value: Expression, written: str) -> None:
    assert text(value) == written


def test_a_function_prints_as_python_that_runs() -> None:
    body: list[Statement] = [
        Assign(N, ir.ZERO),
        For(Name("i", Kind.INT), ir.ZERO, ir.integer(3), [
            If([(LESS, [Assign(N, ir.add(N, ir.entry(PRIMES, Name("i", Kind.INT))))]),
                (ir.equal(A, B), [Break()])], [Assign(A, ir.add(A, -1))]),
        ]),
        While(ir.compare("greater", N, 100), [Assign(N, ir.operation("right", N, 1))]),
        Store(OUT, ir.ZERO, N),
        Return((N,)),
    ]  # fmt: skip
    function = Function("f", (A, B, OUT, X), (Kind.INT,), body)
    source = module_text(Module("A test", {"PRIMES": Table(PRIMES, (2, 3, 5))}, [function]))
    assert "n += PRIMES[i]" in source
    assert "elif a == b:" in source
    namespace: dict[str, object] = {"Words": list}
    exec(source, namespace)
    out = [0]
    assert namespace["f"](1, 2, out, 0.0) == 10  # type: ignore[operator]
    assert out == [10]
