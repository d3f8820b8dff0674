"""Expressions of kernels."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ggp.codegen.kernels import arrays, calls, operators
from ggp.codegen.kernels.operators import Mismatch, compared, constant, converted, truth
from ggp.codegen.kernels.types import Array, Constant, Record, Scalar, Struct, Tuple, Type
from ggp.codegen.kernels.values import Value, items_of, scalar, tuple_of

if TYPE_CHECKING:
    from ggp.codegen.kernels.functions import FunctionCompiler


def evaluate(f: FunctionCompiler, node: ast.expr) -> Value:
    """Return the value of an expression."""
    return f.at(node, _HANDLERS.get(type(node), _unknown))


def _unknown(f: FunctionCompiler, node: ast.expr) -> Value:  # noqa: ARG001 - the signature of all
    raise Mismatch(f"kernels have no {type(node).__name__}")


def condition(f: FunctionCompiler, node: ast.expr) -> str:
    """Return whether a condition holds."""
    return f.at(node, _condition)


def _condition(f: FunctionCompiler, node: ast.expr) -> str:
    if isinstance(node, ast.BoolOp):
        tests = [partial(condition, f, operand) for operand in node.values]
        return _joined(f, isinstance(node.op, ast.And), tests)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f.w.let(f"xor i1 {condition(f, node.operand)}, true")
    return truth(f.w, evaluate(f, node)).only


def _constant(f: FunctionCompiler, node: ast.Constant) -> Value:  # noqa: ARG001
    if not isinstance(node.value, (bool, int, float)):
        raise Mismatch(f"{type(node.value).__name__} is not a type of kernels")
    return constant(node.value)


def _name(f: FunctionCompiler, node: ast.Name) -> Value:
    found = f.variable(node.id)
    return found if found is not None else value_of(f, calls.object_of(f, node), node.id)


def value_of(f: FunctionCompiler, found: Any, name: str) -> Value:
    """Return a constant of a module as a value."""
    if isinstance(found, np.uint64):
        return Value(Scalar.WORD, (str(int(found)),))
    if isinstance(found, np.float32):
        return Value(Scalar.REAL32, (operators.real(float(found)),))
    if isinstance(found, (np.int64, np.bool_)):
        found = found.item()
    if isinstance(found, (bool, int, float)):
        return constant(found)
    if isinstance(found, np.ndarray):
        return f.module.table(found)
    if isinstance(found, tuple) and not hasattr(found, "_fields"):
        return tuple_of([value_of(f, item, name) for item in found])
    if isinstance(function := getattr(found, "py_func", found), types.FunctionType):
        return Value(Constant(function), ())
    raise Mismatch(f"`{name}` is {type(found).__name__}, which is not a type of kernels")


def _attribute(f: FunctionCompiler, node: ast.Attribute) -> Value:
    if (found := calls.object_of(f, node)) is not calls.NO_OBJECT:
        return value_of(f, found, node.attr)
    owner = evaluate(f, node.value)
    if isinstance(owner.type, (Struct, Record)) and (field := f.w.field(owner, node.attr)) is not None:
        return field
    if isinstance(owner.type, Array) and node.attr == "size":
        return scalar(Scalar.INT, arrays.size_of(f.w, owner))
    if isinstance(owner.type, Array) and node.attr == "shape":
        return Value(Tuple((Scalar.INT,) * owner.type.dimensions), owner.parts[1:])
    raise Mismatch(f"{owner.type} has no `{node.attr}`")


def _subscript(f: FunctionCompiler, node: ast.Subscript) -> Value:
    found = place_of(f, node)
    if isinstance(found.type, Array) and found.type.dimensions == 0:
        return arrays.read(f.w, found)
    return found


def place_of(f: FunctionCompiler, node: ast.Subscript) -> Value:
    """Return what a subscript names: an array, or as an array of no dimension an element."""
    owner = evaluate(f, node.value)
    if isinstance(owner.type, Tuple):
        index = evaluate(f, node.slice).literal
        if not isinstance(index, int) or not 0 <= index < len(owner.type.items):
            raise Mismatch("a tuple has an index that is written there")
        return items_of(owner)[index]
    if not isinstance(owner.type, Array):
        raise Mismatch(f"{owner.type} has no elements")
    if isinstance(node.slice, ast.Slice):
        if node.slice.step is not None:
            raise Mismatch("slices have no steps")
        bounds = [None if bound is None else evaluate(f, bound) for bound in (node.slice.lower, node.slice.upper)]
        return arrays.part_of(f, owner, *bounds)
    indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    found = [evaluate(f, index) for index in indices]
    return arrays.inside(f, owner, found)


def _binary(f: FunctionCompiler, node: ast.BinOp) -> Value:
    left, right = evaluate(f, node.left), evaluate(f, node.right)
    return operators.binary(f.w, node.op, left, right)


def _unary(f: FunctionCompiler, node: ast.UnaryOp) -> Value:
    return operators.unary(f.w, node.op, evaluate(f, node.operand))


def _compare(f: FunctionCompiler, node: ast.Compare) -> Value:
    before = [evaluate(f, node.left)]

    def test(operator: ast.cmpop, operand: ast.expr) -> str:
        left, right = before[0], evaluate(f, operand)
        before[0] = right
        if isinstance(operator, (ast.In, ast.NotIn)):
            return _among(f, left, right, isinstance(operator, ast.NotIn))
        return compared(f.w, operator, left, right).only

    tests = [partial(test, *pair) for pair in zip(node.ops, node.comparators, strict=True)]
    return scalar(Scalar.BOOL, _joined(f, True, tests))


def _among(f: FunctionCompiler, value: Value, items: Value, negated: bool) -> str:
    if not isinstance(items.type, Tuple):
        raise Mismatch("`in` is followed by a tuple")
    result = "false"
    for item in items_of(items):
        result = f.w.let(f"or i1 {result}, {compared(f.w, ast.Eq(), value, item).only}")
    return f.w.let(f"xor i1 {result}, true") if negated else result


def _boolean(f: FunctionCompiler, node: ast.BoolOp) -> Value:
    def operand(inner: ast.expr) -> str:
        found = evaluate(f, inner)
        if found.type is not Scalar.BOOL:
            raise Mismatch(f"{found.type} where bool is expected: `and` and `or` would return it")
        return found.only

    tests = [partial(operand, inner) for inner in node.values]
    return scalar(Scalar.BOOL, _joined(f, isinstance(node.op, ast.And), tests))


def _joined(f: FunctionCompiler, is_conjunction: bool, tests: Sequence[Callable[[], str]]) -> str:
    """Return whether all of some tests hold, or one of them; those behind the one that decides are not evaluated."""
    if len(tests) == 1:
        return tests[0]()
    w, decided, ways = f.w, "false" if is_conjunction else "true", []
    end = w.new_block()
    for test in tests[:-1]:
        held, more = test(), w.new_block()
        ways.append(f"[ {decided}, %{w.block} ]")
        w.branch(held, *((more, end) if is_conjunction else (end, more)))
        w.begin(more)
    last = tests[-1]()
    ways.append(f"[ {last}, %{w.block} ]")
    w.begin(end)
    return w.let(f"phi i1 {', '.join(ways)}")


def _choice(f: FunctionCompiler, node: ast.IfExp) -> Value:
    w = f.w
    yes, yes_known, no, end = (w.new_block() for _ in range(4))
    w.branch(condition(f, node.test), yes, no)
    w.begin(yes)
    first = evaluate(f, node.body)
    w.end(f"br label %{yes_known}")
    w.begin(no)
    second = evaluate(f, node.orelse)
    common = _common(first, second)
    tail, block_no = _parts(converted(w, second, common)), w.block
    w.end(f"br label %{end}")
    w.begin(yes_known)  # where the type of both is known
    head = _parts(converted(w, first, common))
    w.begin(end)
    return Value(
        common,
        tuple(
            w.let(f"phi {kind} [ {one}, %{yes_known} ], [ {other}, %{block_no} ]")
            for kind, one, other in zip(common.parts, head, tail, strict=True)
        ),
    )


def _parts(value: Value) -> list[str]:
    return [value.part(number) for number in range(len(value.parts))]


def _common(first: Value, second: Value) -> Type:
    """Return the type of a value that is one of two."""
    if first.type == second.type:
        return first.type
    if isinstance(first.type, Tuple) and isinstance(second.type, Tuple):
        if len(first.type.items) != len(second.type.items):
            raise Mismatch(f"{first.type} or {second.type}")
        return Tuple(tuple(_common(*pair) for pair in zip(items_of(first), items_of(second), strict=True)))
    kinds = {first.type, second.type}
    if kinds == {Scalar.INT, Scalar.BOOL}:
        return Scalar.INT
    for value, other in ((first, second), (second, first)):
        if value.literal is not None and other.type in (Scalar.WORD, Scalar.REAL32):
            return other.type
    if kinds <= {Scalar.INT, Scalar.REAL, Scalar.BOOL}:
        return Scalar.REAL
    raise Mismatch(f"{first.type} or {second.type}")


def _tuple(f: FunctionCompiler, node: ast.Tuple) -> Value:
    items = []
    for item in node.elts:
        found = evaluate(f, item)
        if isinstance(found.type, (Struct, Constant)):
            raise Mismatch(f"{found.type} in a tuple")
        items.append(found)
    return tuple_of(items)


_HANDLERS: dict[type[ast.expr], Callable[..., Value]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute, ast.Subscript: _subscript,
    ast.BinOp: _binary, ast.UnaryOp: _unary, ast.Compare: _compare, ast.BoolOp: _boolean, ast.IfExp: _choice,
    ast.Tuple: _tuple, ast.Call: calls.call,
}  # fmt: skip
