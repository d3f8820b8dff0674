"""Passes over the intermediate representation: what is merged and moved, and what must not be."""

from __future__ import annotations

import pytest

from ggp.model.backends.python import module_text
from ggp.model.ir import build as ir
from ggp.model.ir.nodes import (
    Assign,
    AssignResults,
    Break,
    Call,
    Effect,
    Expression,
    For,
    Function,
    Group,
    If,
    Kind,
    Module,
    Name,
    Return,
    Statement,
    Store,
    While,
)
from ggp.model.ir.passes import optimise
from ggp.model.ir.verifier import verify

A, B, T, U, V, AT = (Name(name, Kind.INT) for name in "abtuvi")
ROW, FAULT, RNG, CACHE = ir.words("row"), ir.words("fault"), ir.words("rng"), Name("kept", Kind.WORDS, cache=True)
LESS = ir.compare("less", A, B)

SEARCH = Function(
    "search", (A, ROW), (Kind.INT,),
    [While(ir.compare("less", A, 9), [Assign(A, ir.add(A, ir.entry(ROW, A)))]), Return((A,))],
)  # fmt: skip
PAIR = Function("pair", (A,), (Kind.INT, Kind.INT), [Return((A, A))])
CHECK = Function("check", (A, FAULT), (Kind.INT,), [Return((ir.effect("guard", A, 0, 5, 1, FAULT),))])
KEEP = Function("keep", (A, CACHE), (Kind.INT,), [Store(CACHE, ir.ZERO, A), Return((A,))])
WRITE = Function("write", (A, ROW), (Kind.INT,), [Store(ROW, ir.ZERO, A), Return((A,))])
DRAW = Function("draw", (RNG,), (Kind.INT,), [Return((ir.effect("below", RNG, 3),))])


def call(function: Function, *arguments: Expression) -> Call:
    return ir.call(function.name, arguments, Kind.INT)


SEARCHED, CHECKED = call(SEARCH, A, ROW), call(CHECK, A, FAULT)
GUARDED = ir.effect("guard", A, 0, 5, 1, FAULT)


def optimised(*body: Statement) -> str:
    parameters = (A, B, ROW, FAULT, RNG, CACHE)
    module = Module("", {}, [SEARCH, PAIR, CHECK, KEEP, WRITE, DRAW, Function("f", parameters, (), list(body))])
    optimise(module)
    verify(module)
    return module_text(Module("", {}, module.functions[-1:])).split("-> None:\n")[1]


@pytest.mark.parametrize("value", [SEARCHED, CHECKED, GUARDED, call(KEEP, A, CACHE), ir.add(SEARCHED, 1)])
def test_the_second_of_two_equal_computations_takes_the_result_of_the_first(value: Expression) -> None:
    assert optimised(Assign(T, value), Assign(U, value)).endswith("    u = t\n")


@pytest.mark.parametrize("value", [call(WRITE, A, ROW), call(DRAW, RNG), ir.effect("below", RNG, 3)])
def test_what_changes_something_is_done_twice(value: Expression) -> None:
    assert "u = t" not in optimised(Assign(T, value), Assign(U, value))


@pytest.mark.parametrize(
    "between",
    [
        Assign(A, ir.ZERO),
        Assign(T, ir.ZERO),
        Store(ROW, ir.ZERO, ir.ONE),
        Effect(ir.effect("copy_words", ROW, 0, CACHE, 0, 1)),
        If([(LESS, [Assign(A, ir.ZERO)])]),
        While(LESS, [Store(ROW, A, B), Assign(A, ir.add(A, 1))]),
        Group([Assign(A, B)]),
    ],
)
def test_a_result_is_forgotten_where_what_it_depends_on_changes(between: Statement) -> None:
    assert "u = search(a, row)" in optimised(Assign(T, SEARCHED), between, Assign(U, SEARCHED))


@pytest.mark.parametrize(
    "between",
    [Assign(B, ir.ZERO), Store(CACHE, ir.ZERO, ir.ONE), Effect(ir.effect("fail", 0, 1, FAULT)), If([(LESS, [])])],
)
def test_a_result_is_kept_where_something_else_changes(between: Statement) -> None:
    assert "u = t" in optimised(Assign(T, SEARCHED), between, Assign(U, SEARCHED))


def test_results_of_a_branch_hold_only_in_it() -> None:
    text = optimised(
        If([(LESS, [Assign(T, SEARCHED), Assign(U, SEARCHED)])], [Assign(V, SEARCHED)]), Assign(B, SEARCHED)
    )
    assert text.count("search(") == 3
    assert "        u = t\n" in text


def test_a_loop_forgets_what_its_own_body_changes() -> None:
    body: list[Statement] = [Assign(U, SEARCHED), Assign(A, ir.add(A, 1))]
    assert optimised(Assign(T, SEARCHED), While(LESS, body)).count("search(") == 2
    assert optimised(Assign(T, SEARCHED), While(LESS, [Assign(U, SEARCHED)])).count("search(") == 1


def test_several_results_are_reused_together() -> None:
    both = ir.call("pair", (A,), None)
    text = optimised(AssignResults((T, U), both), AssignResults((V, B), both))
    assert text.endswith("    v = t\n    b = u\n")


def loop_of(*body: Statement, first: int = 0, last: int = 3) -> For:
    return For(AT, ir.integer(first), ir.integer(last), list(body))


@pytest.mark.parametrize("value", [SEARCHED, CHECKED, GUARDED])
def test_what_does_not_change_leaves_a_loop(value: Expression) -> None:
    first, *_ = optimised(loop_of(Assign(T, value), Store(CACHE, AT, T))).splitlines()
    assert first.startswith("    t = ")


STAYS: dict[str, For] = {
    "in a loop that may not run": loop_of(Assign(T, SEARCHED), last=0),
    "in a loop of unknown length": For(AT, ir.ZERO, B, [Assign(T, SEARCHED)]),
    "what depends on the counter": loop_of(Assign(T, call(SEARCH, AT, ROW))),
    "what depends on a row that changes": loop_of(Assign(T, SEARCHED), Store(ROW, AT, T)),
    "what depends on a name that changes": loop_of(Assign(T, SEARCHED), Assign(A, T)),
    "what may not be reached": loop_of(If([(LESS, [Break()])]), Assign(T, SEARCHED)),
    "a name with two values": loop_of(Assign(T, SEARCHED), Assign(T, ir.ZERO)),
    "a fault behind another one": loop_of(Effect(ir.effect("fail", 0, 2, FAULT)), Assign(T, CHECKED)),
    "what is random": loop_of(Assign(T, call(DRAW, RNG))),
}


@pytest.mark.parametrize("name", STAYS)
def test_what_stays_in_its_loop(name: str) -> None:
    assert optimised(STAYS[name]).startswith("    for i in range(")
