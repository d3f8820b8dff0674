"""Statements of kernels."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ggp.codegen.kernels import arrays, expressions, operators
from ggp.codegen.kernels.operators import Mismatch, converted
from ggp.codegen.kernels.types import Array, Scalar, Tuple
from ggp.codegen.kernels.values import Value, items_of, number, result_type, scalar, tuple_of

if TYPE_CHECKING:
    from ggp.codegen.kernels.functions import FunctionCompiler


def run(f: FunctionCompiler, body: Sequence[ast.stmt]) -> None:
    """Write some statements, as far as they can be reached."""
    for node in body:
        if f.w.terminated:
            return
        f.at(node, _HANDLERS.get(type(node), _unknown))


def _unknown(f: FunctionCompiler, node: ast.stmt) -> None:  # noqa: ARG001 - the signature of all
    raise Mismatch(f"kernels have no {type(node).__name__}")


def _assign(f: FunctionCompiler, node: ast.Assign) -> None:
    value = _items(f, node.value)
    for target in node.targets:
        _write(f, target, value)


def _items(f: FunctionCompiler, node: ast.expr) -> Value | list[Any]:
    """Return a value; those of a tuple that is written there one by one, so that numbers still fit any type."""
    return [_items(f, item) for item in node.elts] if isinstance(node, ast.Tuple) else f.evaluate(node)


def _whole(value: Value | list[Any]) -> Value:
    return value if isinstance(value, Value) else tuple_of([_whole(item) for item in value])


def _write(f: FunctionCompiler, target: ast.expr, value: Value | list[Any]) -> None:
    if isinstance(target, ast.Tuple):
        if isinstance(value, Value):
            if not isinstance(value.type, Tuple):
                raise Mismatch(f"{value.type} is assigned to several variables")
            value = items_of(value)
        if len(value) != len(target.elts):
            raise Mismatch(f"{len(value)} values are assigned to {len(target.elts)} variables")
        for inner, item in zip(target.elts, value, strict=True):
            _write(f, inner, item)
        return
    whole = _whole(value)
    if isinstance(target, ast.Name):
        f.assign(target.id, whole)
    elif isinstance(target, ast.Subscript):
        place = expressions.place_of(f, target)
        if not isinstance(place.type, Array):
            raise Mismatch("a tuple does not change")
        if place.type.dimensions == 0:
            arrays.write(f.w, place, whole)
        else:
            arrays.fill(f, place, whole)
    else:
        raise Mismatch("only variables and elements of arrays are assigned to")


def _change(f: FunctionCompiler, node: ast.AugAssign) -> None:
    if isinstance(node.target, ast.Name):
        before = f.variable(node.target.id)
        if before is None:
            raise Mismatch(f"`{node.target.id}` is not a variable of the function")
        f.assign(node.target.id, operators.binary(f.w, node.op, before, f.evaluate(node.value)))
        return
    if not isinstance(node.target, ast.Subscript):
        raise Mismatch("only variables and elements of arrays are assigned to")
    place = expressions.place_of(f, node.target)
    if not isinstance(place.type, Array) or place.type.dimensions:
        raise Mismatch("operators change one element at a time")
    before = arrays.read(f.w, place)
    arrays.write(f.w, place, operators.binary(f.w, node.op, before, f.evaluate(node.value)))


def _expression(f: FunctionCompiler, node: ast.Expr) -> None:
    if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
        f.evaluate(node.value)


def _return(f: FunctionCompiler, node: ast.Return) -> None:
    result = f.signature.result
    if node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None):
        if result.parts:
            raise Mismatch(f"nothing is returned where {result} is expected")
        f.w.end("ret void")
        return
    returned = _returned(f, _items(f, node.value), result)
    if len(result.parts) == 1:
        f.w.end(f"ret {returned.type.parts[0]} {returned.only}")
        return
    kind = result_type(result)
    total = "undef"
    for at, operand in enumerate(returned.operands):
        total = f.w.let(f"insertvalue {kind} {total}, {operand}, {at}")
    f.w.end(f"ret {kind} {total}" if result.parts else "ret void")


def _returned(f: FunctionCompiler, value: Value | list[Any], result: Any) -> Value:
    if isinstance(value, Value):
        return converted(f.w, value, result)
    if not isinstance(result, Tuple) or len(result.items) != len(value):
        raise Mismatch(f"{len(value)} values are returned where {result} is expected")
    return tuple_of([_returned(f, *pair) for pair in zip(value, result.items, strict=True)])


def _if(f: FunctionCompiler, node: ast.If) -> None:
    w = f.w
    then, after = w.new_block(), w.new_block()
    otherwise = w.new_block() if node.orelse else after
    w.branch(expressions.condition(f, node.test), then, otherwise)
    w.begin(then)
    run(f, node.body)
    if node.orelse:
        ends = w.terminated
        w.end(f"br label %{after}")
        w.begin(otherwise)
        run(f, node.orelse)
        if ends and w.terminated:
            return
    w.begin(after)


def _while(f: FunctionCompiler, node: ast.While) -> None:
    if node.orelse:
        raise Mismatch("kernels have no `else` of loops")
    w = f.w
    head, inside, after = (w.new_block() for _ in range(3))
    w.begin(head)
    w.branch(expressions.condition(f, node.test), inside, after)
    w.begin(inside)
    with f.loop(head, after):
        run(f, node.body)
    w.end(f"br label %{head}")
    w.begin(after)


def _for(f: FunctionCompiler, node: ast.For) -> None:
    if node.orelse:
        raise Mismatch("kernels have no `else` of loops")
    if isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range":
        _for_range(f, node, node.iter)
        return
    items = f.evaluate(node.iter)
    if isinstance(items.type, Array):
        length = scalar(Scalar.INT, items.part(1))
        with f.counted(number(0), length, number(1)) as counter:
            place = arrays.inside(f, items, [counter])
            is_element = isinstance(place.type, Array) and place.type.dimensions == 0
            _write(f, node.target, arrays.read(f.w, place) if is_element else place)
            run(f, node.body)
    elif isinstance(items.type, Tuple):
        after = f.w.new_block()
        for item in items_of(items):
            next_item = f.w.new_block()
            with f.loop(next_item, after):
                _write(f, node.target, item)
                run(f, node.body)
            f.w.begin(next_item)
        f.w.begin(after)
    else:
        raise Mismatch(f"{items.type} is not iterated over")


def _for_range(f: FunctionCompiler, node: ast.For, bounds: ast.Call) -> None:
    if not 1 <= len(bounds.args) <= 3 or bounds.keywords:
        raise Mismatch("`range` takes one to three arguments")
    given = [_bound(f, bound) for bound in bounds.args]
    first, last = (number(0), given[0]) if len(given) == 1 else (given[0], given[1])
    with f.counted(first, last, given[2] if len(given) == 3 else number(1)) as counter:
        _write(f, node.target, counter)
        run(f, node.body)


def _bound(f: FunctionCompiler, node: ast.expr) -> Value:
    found = f.evaluate(node)
    return found if found.literal is not None else converted(f.w, found, Scalar.INT)


def _break(f: FunctionCompiler, node: ast.Break) -> None:  # noqa: ARG001
    f.w.end(f"br label %{f.loops[-1].after}")


def _continue(f: FunctionCompiler, node: ast.Continue) -> None:  # noqa: ARG001
    f.w.end(f"br label %{f.loops[-1].next_round}")


def _pass(f: FunctionCompiler, node: ast.Pass) -> None:
    """Write nothing."""


_HANDLERS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Assign: _assign, ast.AugAssign: _change, ast.Expr: _expression, ast.Return: _return, ast.If: _if,
    ast.While: _while, ast.For: _for, ast.Break: _break, ast.Continue: _continue, ast.Pass: _pass,
}  # fmt: skip
