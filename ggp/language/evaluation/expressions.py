"""The reference meaning of expressions: a walk over the typed tree, on plain Python values, before play and in it.

Slow and obvious: one function a kind of node, each saying what the docstring of the node in `ggp.language.typed` says.
Nothing here is shared with the code generator, which is tested against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ggp.language import typed
from ggp.language.evaluation.arithmetic import BINARY_OPERATIONS, UNARY_OPERATIONS, defined, fold
from ggp.language.evaluation.boards import distances, stepped_cell, stepped_set
from ggp.language.evaluation.faults import RulesFault
from ggp.language.evaluation.scope import Scope
from ggp.language.typed import Expression, Value
from ggp.language.typed.hashing import hash_values
from ggp.language.typed.types import (
    ArrayType,
    RealType,
    ScalarType,
    SetType,
    Type,
    board_of,
    codes,
    lowest,
    size,
)
from ggp.language.typed.value_texts import value_text


def evaluate(expression: Expression, scope: Scope) -> Value:
    """Return the value of an expression.

    Raises:
        RulesFault: a fault of the rules, with its place.
        LimitExceeded: the scope's work limit is passed.
        Stopped: the scope's `go_on` said no.
    """
    value = EVALUATORS[type(expression)](expression, scope)
    if scope.counts_nodes:
        # reading a large value is free, but what is done with it is not
        size_ = len(value) if isinstance(value, (frozenset, tuple)) else 0
        scope.count_work(1 + (size_ >> 4 if size_ and isinstance(expression, _READS) else size_))
    return value


_READS = (typed.Constant, typed.Local, typed.TableRead, typed.Index)


def integer(expression: Expression, scope: Scope) -> int:
    """Return the code of a scalar expression."""
    value = evaluate(expression, scope)
    assert isinstance(value, int), (expression, value)
    return value


def option(expression: Expression, scope: Scope) -> int | None:
    """Return the code of a scalar or an option, None for none."""
    value = evaluate(expression, scope)
    assert value is None or isinstance(value, int), (expression, value)
    return value


def number(expression: Expression, scope: Scope) -> int | float:
    """Return the value of an integer or real expression."""
    value = evaluate(expression, scope)
    assert isinstance(value, (int, float)), (expression, value)
    return value


def holds(expression: Expression | None, scope: Scope) -> bool:
    """Return whether a condition holds; a missing one does."""
    return expression is None or integer(expression, scope) == 1


def members(expression: Expression, scope: Scope) -> frozenset[int]:
    """Return the codes in a set."""
    value = evaluate(expression, scope)
    assert isinstance(value, frozenset), (expression, value)
    return value


def domain_codes(domain: ScalarType | Expression | tuple[Expression, Expression], scope: Scope) -> list[int]:
    """Return the codes in the domain of a binder or component, in ascending order."""
    if isinstance(domain, ScalarType):
        return list(codes(domain))
    if isinstance(domain, tuple):
        return list(range(integer(domain[0], scope), integer(domain[1], scope) + 1))
    return sorted(members(domain, scope))


def bindings(binders: tuple[typed.Binder, ...], scope: Scope) -> Iterator[None]:
    """Bind the symbols of some binders to each combination of values in turn; no binders: once, to nothing."""
    if not binders:
        yield
        return
    first, *rest = binders
    for code in domain_codes(first.domain, scope):
        scope.count_work()
        scope.symbols[first.symbol] = code
        yield from bindings(tuple(rest), scope)


def element_position(type_: Type, indices: tuple[Expression, ...], scope: Scope) -> int:
    """Return the position of an element in the flat tuple of an array of this type."""
    assert isinstance(type_, ArrayType), type_
    position = 0
    for index_type, index in zip(type_.indices, indices, strict=True):
        place, count = integer(index, scope) - lowest(index_type), size(index_type)
        assert 0 <= place < count, "the checker guards indices"
        position = position * count + place
    return position


# --- reading ----------------------------------------------------------------------------------------------------------


def _constant(node: typed.Constant, _: Scope) -> Value:
    return node.value


def _local(node: typed.Local, scope: Scope) -> Value:
    return scope.symbols[node.symbol]


def _element(array: Value, type_: Type, indices: tuple[Expression, ...], scope: Scope) -> Value:
    if not indices:
        return array
    assert isinstance(array, tuple), array
    return array[element_position(type_, indices, scope)]


def _state_read(node: typed.StateRead, scope: Scope) -> Value:
    return _element(scope.variables[node.variable], node.variable.type, node.indices, scope)


def _table_read(node: typed.TableRead, scope: Scope) -> Value:
    return _element(node.table.values, node.table.type, node.indices, scope)


def _index(node: typed.Index, scope: Scope) -> Value:
    return _element(evaluate(node.array, scope), node.array.type, node.indices, scope)


def _call(node: typed.Call, scope: Scope) -> Value:
    scope.count_work()
    function = node.function
    arguments = tuple(evaluate(argument, scope) for argument in node.arguments)
    repeatable = scope.settled or function.phase is None
    if repeatable and (function, arguments) in scope.results:
        return scope.results[function, arguments]
    scope.symbols.update(zip(function.arguments, arguments, strict=True))
    value = evaluate(function.body, scope)
    if repeatable:
        scope.results[function, arguments] = value
    return value


def _move_read(node: typed.MoveRead, scope: Scope) -> Value:
    if node.player is not None:
        return scope.actions.get(integer(node.player, scope))
    (action,) = scope.actions.values()
    return action


# --- what can fail ----------------------------------------------------------------------------------------------------


def _guard(node: typed.Guard, scope: Scope) -> Value:
    value = integer(node.operand, scope)
    if value not in codes(node.type):
        raise RulesFault("out_of_range", node.span, node.reason, value_text(node.operand.type, value))
    return value


def _unwrap(node: typed.Unwrap, scope: Scope) -> Value:
    value = evaluate(node.operand, scope)
    if value is None:
        raise RulesFault("is_none", node.span, node.reason)
    return value


def _at_most(node: typed.AtMost, scope: Scope) -> Value:
    value = members(node.operand, scope)
    if len(value) > node.most:
        raise RulesFault("out_of_range", node.span, node.reason, value_text(node.operand.type, value))
    return value


def _wrap(node: typed.Wrap, scope: Scope) -> Value:
    return evaluate(node.operand, scope)


# --- numbers and truth ------------------------------------------------------------------------------------------------


def _unary(node: typed.Unary, scope: Scope) -> Value:
    value = UNARY_OPERATIONS[node.operator](evaluate(node.operand, scope))
    return float(value) if isinstance(node.type, RealType) else value


def _binary(node: typed.Binary, scope: Scope) -> Value:
    if node.operator == "and":
        return int(holds(node.left, scope) and holds(node.right, scope))
    if node.operator == "or":
        return int(holds(node.left, scope) or holds(node.right, scope))
    left, right = evaluate(node.left, scope), evaluate(node.right, scope)
    if node.operator in ("div", "mod"):
        assert isinstance(left, int)
        assert isinstance(right, int)
        if right == 0:
            raise RulesFault("division_by_zero", node.span, "division by zero")
        return left // right if node.operator == "div" else left % right
    value = BINARY_OPERATIONS[node.operator](left, right)
    return defined(value) if isinstance(node.type, RealType) else value


def _if(node: typed.If, scope: Scope) -> Value:
    return evaluate(node.then if holds(node.condition, scope) else node.otherwise, scope)


def _hash(node: typed.Hash, scope: Scope) -> Value:
    values = [(evaluate(operand, scope), operand.type) for operand in node.operands]
    return hash_values(values, node.modulus)


# --- sets and arrays --------------------------------------------------------------------------------------------------


def _set_operation(node: typed.SetOperation, scope: Scope) -> Value:
    left, right = members(node.left, scope), members(node.right, scope)
    match node.operator:
        case "union":
            return left | right
        case "difference":
            return left - right
        case "intersection":
            return left & right


def _member(node: typed.Member, scope: Scope) -> Value:
    return int(option(node.element, scope) in members(node.set, scope))


def _subset(node: typed.Subset, scope: Scope) -> Value:
    return int(members(node.left, scope) <= members(node.right, scope))


def _set_literal(node: typed.SetLiteral, scope: Scope) -> Value:
    values = [option(element, scope) for element in node.elements]
    return frozenset(value for value in values if value is not None)


def _set_fold(node: typed.SetFold, scope: Scope) -> Value:
    found = sorted(members(node.set, scope))
    if not found and node.kind in ("minimum", "maximum"):
        raise RulesFault("empty", node.span, node.shortage)
    return fold(node.kind, found, node.span)


# --- binders ----------------------------------------------------------------------------------------------------------


def _quantifier(node: typed.Quantifier, scope: Scope) -> Value:
    outcomes = (holds(node.body, scope) for _ in bindings(node.binders, scope))
    match node.kind:
        case "all":
            return int(all(outcomes))
        case "any":
            return int(any(outcomes))
        case "no":
            return int(not any(outcomes))


def _aggregate(node: typed.Aggregate, scope: Scope) -> Value:
    chosen = (None for _ in bindings(node.binders, scope) if holds(node.condition, scope))
    if node.kind == "count":
        return sum(holds(node.body, scope) for _ in chosen)
    value = fold(node.kind, [number(node.body, scope) for _ in chosen], node.span)
    return float(value) if isinstance(node.type, RealType) else value


def _comprehension(node: typed.Comprehension, scope: Scope) -> Value:
    chosen = (None for _ in bindings(node.binders, scope) if holds(node.condition, scope))
    values = [option(node.element, scope) for _ in chosen]
    return frozenset(value for value in values if value is not None)


# --- boards -----------------------------------------------------------------------------------------------------------


def _cell_step(node: typed.CellStep, scope: Scope) -> Value:
    cell = option(node.cell, scope)
    direction, times = integer(node.direction, scope), integer(node.times, scope)
    return None if cell is None else stepped_cell(board_of(node.type), cell, direction, times)


def _set_step(node: typed.SetStep, scope: Scope) -> Value:
    cells = members(node.set, scope)
    return stepped_set(board_of(node.type), cells, integer(node.direction, scope), integer(node.times, scope))


def _cell_coordinate(node: typed.CellCoordinate, scope: Scope) -> Value:
    cell, width = integer(node.cell, scope), board_of(node.cell.type).width
    return (cell % width if node.axis == "x" else cell // width) + 1


def _cell_at(node: typed.CellAt, scope: Scope) -> Value:
    x, y = integer(node.x, scope), integer(node.y, scope)
    return (y - 1) * board_of(node.type).width + x - 1


def _reach(node: typed.Reach, scope: Scope) -> Value:
    sources, through = members(node.sources, scope), members(node.through, scope)
    computed = node.steps if isinstance(node.steps, typed.ArrayOf) else None
    steps = None if computed is not None else evaluate(node.steps, scope)
    assert isinstance(node.sources.type, SetType)
    element = node.sources.type.element

    def neighbours(value: int) -> list[int]:
        if computed is not None:
            scope.count_work()
            scope.symbols[computed.binder] = value
            return sorted(members(computed.body, scope))
        if isinstance(steps, tuple):
            entry = steps[value - lowest(element)]
            assert isinstance(entry, frozenset)
            return sorted(entry)
        assert isinstance(steps, frozenset)
        moved = (stepped_cell(board_of(element), value, direction, 1) for direction in sorted(steps))
        return [cell for cell in moved if cell is not None]

    found = distances(sources, through, neighbours)
    if node.kind == "reach":
        return frozenset(found)
    return tuple(found.get(code, size(element)) for code in codes(element))


def _array_of(node: typed.ArrayOf, scope: Scope) -> Value:
    """Return the array as a whole; of one that depends on the state, a search evaluates the elements it comes to."""
    assert isinstance(node.type, ArrayType)
    elements = []
    for code in codes(node.type.indices[0]):
        scope.symbols[node.binder] = code
        elements.append(evaluate(node.body, scope))
    return tuple(elements)


EVALUATORS: dict[type, Callable[[Any, Scope], Value]] = {
    typed.Constant: _constant, typed.Local: _local, typed.StateRead: _state_read, typed.TableRead: _table_read,
    typed.Index: _index, typed.Call: _call, typed.MoveRead: _move_read, typed.Guard: _guard, typed.Unwrap: _unwrap,
    typed.AtMost: _at_most, typed.Wrap: _wrap, typed.Unary: _unary, typed.Binary: _binary, typed.If: _if,
    typed.Hash: _hash, typed.SetOperation: _set_operation, typed.Member: _member, typed.Subset: _subset,
    typed.SetLiteral: _set_literal, typed.SetFold: _set_fold, typed.Quantifier: _quantifier,
    typed.Aggregate: _aggregate, typed.Comprehension: _comprehension, typed.CellStep: _cell_step,
    typed.SetStep: _set_step, typed.CellCoordinate: _cell_coordinate, typed.CellAt: _cell_at, typed.Reach: _reach,
    typed.ArrayOf: _array_of,
}  # fmt: skip
